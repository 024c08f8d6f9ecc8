package guide_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

// TestContinuationsOfACrowdedNode crosses nine roads of different names at one node: of
// each the continuation is its other arm, where that is among the fifteen edges that a
// continuation can name, and none beyond.
func TestContinuationsOfACrowdedNode(t *testing.T) {
	const half, arms = 12, "abcdefghijklmnopqr"
	picture := make([][]rune, 2*half+1)
	for y := range picture {
		picture[y] = []rune(strings.Repeat(" ", 2*half+1))
	}
	ends := [][2]int{{12, 0}, {12, 3}, {12, 6}, {12, 12}, {6, 12}, {0, 12}, {-6, 12}, {-12, 12}, {-12, 6}}
	var ways []sketch.Way
	for i, at := range ends {
		from, to := rune(arms[i]), rune(arms[i+len(ends)])
		picture[half+at[1]][half+at[0]], picture[half-at[1]][half-at[0]] = from, to
		ways = append(ways, sketch.Way{Places: string([]rune{from, 'X', to}), Name: fmt.Sprint("Road ", i)})
	}
	picture[half][half] = 'X'
	var rows []string
	for _, row := range picture {
		rows = append(rows, string(row))
	}
	d := sketch.Sketch{Picture: strings.Join(rows, "\n"), Ways: ways}.Draw()
	g := d.Graph
	onward, err := guide.Continuations(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	named, beyond := 0, 0
	for i := range arms {
		in, out := d.Edge(rune(arms[i]), 'X'), d.Edge('X', rune(arms[(i+len(ends))%len(arms)]))
		want := int(out - g.FirstOut[g.ByEdge[in].Head])
		if want >= graph.NoNext {
			want = graph.NoNext
			beyond++
		} else {
			named++
		}
		if got := int(onward[in].Next()); got != want {
			t.Errorf("%c continues at the edge %d of the node, want %d", arms[i], got, want)
		}
	}
	if named == 0 || beyond == 0 {
		t.Errorf("%d continuations can be named and %d cannot: the node proves nothing", named, beyond)
	}
}
