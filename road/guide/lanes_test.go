package guide_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

// shown writes lanes as their arrows' numbers, those that lead on with !.
func shown(lanes []guide.Lane) string {
	var out []string
	for _, l := range lanes {
		s := fmt.Sprint(l.Indications)
		if l.Valid {
			s += "!" + fmt.Sprint(l.Take)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestLanesAt(t *testing.T) {
	cross := func(lanes string) sketch.Sketch {
		return sketch.Sketch{
			Picture: `
          n
          .
          .
w.........x.........e
          .
          .
          s`,
			Ways: []sketch.Way{
				{Places: "sx", Name: "South", Edge: graph.HasLanes, Sign: []string{"turn:lanes:forward", lanes}},
				{Places: "xn", Name: "North"}, {Places: "wxe", Name: "Ring"},
			},
		}
	}
	tee := func(lanes string) sketch.Sketch {
		s := cross(lanes)
		s.Ways = []sketch.Way{s.Ways[0], s.Ways[2]}
		return s
	}
	for _, c := range []struct {
		name   string
		sketch sketch.Sketch
		path   string
		want   string
	}{
		{"left of three", cross("left|through|right"), "sxw", "8!8 2 64"},
		{"straight of three", cross("left|through|right"), "sxn", "8 2!2 64"},
		{"shared lane", cross("left;through|through;right"), "sxn", "10!2 66!2"},
		{"shared lane right", cross("left;through|through;right"), "sxe", "10 66!64"},
		{"tee with slight arrows", tee("slight_left|slight_right"), "sxe", "16 32!32"},
		{"one lane", cross("left"), "sxw", ""},
		{"nothing painted", cross("none|none"), "sxw", ""},
		{"unknown words", cross("left|hither|through"), "sxw", "8!8 0 2"},
	} {
		d := c.sketch.Draw()
		if got := shown(guide.LanesAt(d.Graph, d.Path(c.path), 0)); got != c.want {
			t.Errorf("%s: lanes %q, want %q", c.name, got, c.want)
		}
	}
}
