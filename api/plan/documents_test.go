package plan

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

// curl matches an example with a body in a document.
var curl = regexp.MustCompile(`(?s)gateway\.example(/\S+) -d '(.*?)'`)

// TestDocuments checks that the bodies of the examples are read without a word.
func TestDocuments(t *testing.T) {
	count := 0
	for _, file := range []string{"optimisation.md", "jobs.md"} {
		text, err := os.ReadFile("../../docs/" + file)
		if err != nil {
			t.Fatal(err)
		}
		// The values that the shell puts in.
		for _, m := range curl.FindAllStringSubmatch(strings.ReplaceAll(string(text), `'"$ID"'`, "job_ABC"), -1) {
			count++
			body := []byte(strings.TrimSpace(m[2]))
			if !json.Valid(body) {
				t.Errorf("%s: %s is no JSON", file, m[2])
			}
			warnings, err := 0, error(nil)
			switch m[1] {
			case "/optimise":
				warnings, err = reads[plan.OptimiseRequest](t, body)
			case "/optimise/replan":
				warnings, err = reads[plan.ReplanRequest](t, body)
			case "/v1/cluster":
				warnings, err = reads[plan.ClusterRequest](t, body)
			case "/v1/jobs/matrix":
				warnings, err = reads[plan.MatrixJobRequest](t, body)
			default:
				t.Errorf("%s: %s is not known here", file, m[1])
			}
			if err != nil || warnings > 0 {
				t.Errorf("%s: %s: %d warnings, %v", file, m[1], warnings, err)
			}
		}
	}
	if count < 5 {
		t.Errorf("%d examples", count)
	}
}

func reads[B any](t *testing.T, body []byte) (int, error) {
	var b B
	w, err := schema.Of[B]().Read(t.Context(), body, &b, schema.Options{})
	return len(w), err
}
