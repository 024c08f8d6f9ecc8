package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is a block of code of a page, with its language.
var block = regexp.MustCompile("(?ms)^```(sh|json)\n(.*?)^```$")

// TestTour types every command of docs/tour.md into a shell and checks that the answer is the
// one that the page shows: its parts between the ellipses come in their order.
func TestTour(t *testing.T) {
	g := county(t)
	page, err := os.ReadFile(filepath.Join(root, "docs", "tour.md"))
	if err != nil {
		t.Fatal(err)
	}
	var command, answer string
	answers := 0
	for _, b := range block.FindAllStringSubmatch(string(page), -1) {
		if b[1] == "sh" {
			if command != "" {
				t.Errorf("no answer is shown of\n%s", command)
			}
			command = b[2]
			typed := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", strings.ReplaceAll(command, "http://127.0.0.1:8080", g.url))
			out, err := typed.Output()
			if err != nil {
				t.Errorf("%s\n%v", command, err)
			}
			answer = unspaced(string(out))
			continue
		}
		answers++
		rest := answer
		for part := range strings.SplitSeq(unspaced(b[2]), "…") {
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Errorf("%s\nshould answer\n%s\nbut %q is not there, or not in this order:\n%.2000s", command, b[2], part, answer)
				break
			}
			rest = after
		}
		command = ""
	}
	if answers < 10 || command != "" {
		t.Errorf("%d answers are shown, and none of %q", answers, command)
	}
}

// unspaced returns a text without its white space.
func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }
