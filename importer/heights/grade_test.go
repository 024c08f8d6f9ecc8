package heights

import (
	"math"
	"testing"

	"github.com/waygate/waygate/road/graph"
)

func TestWeigh(t *testing.T) {
	unknown := math.NaN()
	for _, c := range []struct {
		name     string
		heights  []float64
		forward  uint8
		backward uint8
		up, down uint8
	}{
		{"level", []float64{100, 100, 100}, 6, 6, 0, 0},
		{"one per cent", []float64{0, 0.6, 1.2}, 7, 5, 1, 0},
		{"five per cent", []float64{0, 3, 6, 9}, 9, 3, 5, 0},
		{"ten per cent", []float64{0, 6, 12}, 12, 0, 10, 0},
		{"fifteen per cent", []float64{0, 9, 18}, 15, 0, 15, 0},
		{"a wall", []float64{0, 90}, 15, 0, 150, 0},
		{"a cliff of a mountain", []float64{0, 3000}, 15, 0, 255, 0},
		// Up by 10 weighs 1 + 10/7, down 1 - 10/17: over a hill is rather up.
		{"over a hill", []float64{0, 6, 0}, 10, 10, 10, 10},
		{"a gap is level", []float64{0, unknown, 60, 63}, 7, 5, 5, 0},
		{"nothing known", []float64{unknown, unknown}, 6, 6, 0, 0},
		{"one place", []float64{7}, 6, 6, 0, 0},
	} {
		forward, backward := slopesOf(c.heights, interval, 1), slopesOf(c.heights, interval, -1)
		if forward.weighted() != c.forward || backward.weighted() != c.backward || whole(forward.up) != c.up || whole(forward.down) != c.down {
			t.Errorf("%s: grades %d and %d, slopes %d and %d, want %d, %d, %d, %d", c.name, forward.weighted(), backward.weighted(), whole(forward.up), whole(forward.down), c.forward, c.backward, c.up, c.down)
		}
		if backward.up != forward.down || backward.down != forward.up {
			t.Errorf("%s: the way back has other slopes: %+v, %+v", c.name, forward, backward)
		}
	}
	// Every per cent has a grade of its own or its neighbour's, and never a lower one.
	last := uint8(0)
	for grade := -40.0; grade <= 40; grade += 0.1 {
		got := slopes{grade: max(steepestDescent, min(steepestAscent, grade))}.weighted()
		if got < last || got > graph.SteepestGrade {
			t.Errorf("%.1f per cent is grade %d after %d", grade, got, last)
		}
		last = got
	}
	if steep := (slopes{grade: 12, up: 20, down: 9}).level(); steep.weighted() != 8 || steep.up != 3 || steep.down != 3 {
		t.Errorf("a bridge keeps %+v", steep)
	}
	if steep := (slopes{grade: -9}).level(); steep.weighted() != 4 {
		t.Errorf("a bridge down keeps grade %d", steep.weighted())
	}
}
