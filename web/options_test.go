package web

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
)

var update = flag.Bool("update", false, "write src/plan/costing.json anew")

// TestCostingOptions holds the ranges and defaults that the explorer's forms
// read to the table of costing options.
func TestCostingOptions(t *testing.T) {
	const file = "src/plan/costing.json"
	want := costingOptions(t)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is not what costing/table.go says (%v); write it anew with go test ./web -run TestCostingOptions -update", file, err)
	}
}

// costingOptions writes the options, one a line.
func costingOptions(t *testing.T) string {
	type form struct {
		Min     *float64                `json:"min,omitempty"`
		Max     *float64                `json:"max,omitempty"`
		Values  []string                `json:"values,omitempty"`
		Switch  bool                    `json:"switch,omitempty"`
		Default map[costing.Costing]any `json:"default"`
	}
	var lines []string
	for _, o := range costing.List() {
		row := o.Row()
		f := form{Values: row.Values, Switch: row.Kind == costing.Bool, Default: map[costing.Costing]any{}}
		if row.Kind != costing.Choice && !f.Switch {
			f.Min, f.Max = &row.Min, &row.Max
		}
		for _, c := range costing.All {
			switch {
			case !o.In(c):
			case row.Kind == costing.Choice:
				f.Default[c] = row.Text
			case f.Switch:
				f.Default[c] = row.Default(c) != 0
			default:
				f.Default[c] = row.Default(c)
			}
		}
		line, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("  %q: %s", o, line))
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n}\n"
}
