package basemap

import (
	"fmt"
	"slices"
	"testing"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/importer/multipolygon"
	"github.com/waygate/waygate/realdata"
)

// The cases of osmcode/osm-testdata: what each is called says what it holds.
func TestMultipolygonCases(t *testing.T) {
	e, err := load(t.Context(), scanning{[]string{realdata.File(t, "osm/osm-testdata-multipolygon_testcases.osm")}, func(string, int64, int64) {}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range e.relations {
		members, _, _ := e.waysOf(&r)
		areas, broken := multipolygon.Assemble(nil, members, e.position, 1)
		shape := []int{}
		for _, p := range areas {
			shape = append(shape, len(p))
		}
		slices.Sort(shape)
		got[r.Tags.Get("testcase")+" "+r.Tags.Get("note")] = fmt.Sprint(shape, " ", broken)
	}
	var lines []string
	for k, v := range got {
		lines = append(lines, k+": "+v)
	}
	slices.Sort(lines)
	text := ""
	for _, l := range lines {
		text += l + "\n"
	}
	golden.Assert(t, text, "multipolygons.txt")
}
