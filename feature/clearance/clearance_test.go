package clearance

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/waygate/waygate/clearance/artefact"
)

// TestVerdicts reports on a straight road of 100 m with one thing on it.
func TestVerdicts(t *testing.T) {
	between := func(v, from, to float64) bool { return v >= from && v < to }
	bridge := func(headroom float64) func(x, y float64) *artefact.Cell {
		return func(x, _ float64) *artefact.Cell {
			if between(x, 40, 50) {
				return under(20, headroom)
			}
			return free(20)
		}
	}
	for _, c := range []struct {
		name          string
		cell          func(x, y float64) *artefact.Cell
		day           string
		stale         bool
		height        float64
		width         *float64
		verdict       string // of the height, and the width
		reasons       string
		limiting      float64 // headroom_m; 0 is none
		failure, hole string  // sections
	}{
		{name: "open sky", cell: func(_, _ float64) *artefact.Cell { return free(20) }, height: 4, width: metres(2.55), verdict: "pass pass", reasons: "[] []"},
		{name: "as high as surveys look", cell: func(_, _ float64) *artefact.Cell { return free(20) }, height: 8, width: metres(2.55), verdict: "no_verdict not_assessed", reasons: "[insufficient_data] [height_not_assessed]", hole: "0-100"},
		{name: "under a bridge", cell: bridge(5), height: 4, verdict: "pass not_assessed", reasons: "[] [no_vehicle_width]", limiting: 5},
		{name: "not under it", cell: bridge(3.9), height: 4, verdict: "fail not_assessed", reasons: "[does_not_clear] [no_vehicle_width]", limiting: 3.9, failure: "40-50"},
		{name: "by less than its bound", cell: bridge(4.04), height: 4, verdict: "indeterminate not_assessed", reasons: "[within_uncertainty] [no_vehicle_width]", limiting: 4.04},
		{name: "by its bound", cell: bridge(4.05), height: 4, verdict: "indeterminate not_assessed", reasons: "[within_uncertainty] [no_vehicle_width]", limiting: 4.05},
		{name: "by a hair more", cell: bridge(4.052), height: 4, verdict: "pass not_assessed", reasons: "[] [no_vehicle_width]", limiting: 4.052},
		{name: "on a stale survey", cell: bridge(5), stale: true, height: 4, verdict: "indeterminate not_assessed", reasons: "[sources_unconfirmed] [no_vehicle_width]", limiting: 5},
		{name: "failing on a stale survey", cell: bridge(3), stale: true, height: 4, verdict: "fail not_assessed", reasons: "[does_not_clear sources_unconfirmed] [no_vehicle_width]", limiting: 3, failure: "40-50"},
		{name: "a hole", cell: func(x, _ float64) *artefact.Cell {
			if between(x, 40, 42) {
				return nil
			}
			return free(20)
		}, height: 4, verdict: "no_verdict not_assessed", reasons: "[not_surveyed] [no_vehicle_width]", hole: "40-42"},
		{name: "a deck that was seen from above", cell: func(x, _ float64) *artefact.Cell {
			c := free(20)
			if between(x, 40, 42) {
				c.Kind, c.Headroom, c.Gap = artefact.Deck, 6, 1
			}
			return c
		}, height: 4, verdict: "no_verdict not_assessed", reasons: "[insufficient_data] [no_vehicle_width]", hole: "40-42"},
		{name: "few returns", cell: func(x, _ float64) *artefact.Cell {
			c := free(20)
			if between(x, 40, 42) {
				c.Flags = artefact.Surveyed
			}
			return c
		}, height: 4, verdict: "no_verdict not_assessed", reasons: "[insufficient_data] [no_vehicle_width]", hole: "40-42"},
		{name: "an arch", cell: func(x, y float64) *artefact.Cell {
			if between(x, 40, 50) {
				return under(20, 5.5-0.2*y*y)
			}
			return free(20)
		}, height: 4.4, width: metres(2.5), verdict: "indeterminate pass", reasons: "[depends_on_lane] []"},
		{name: "an arch that nobody passes", cell: func(x, y float64) *artefact.Cell {
			if between(x, 40, 50) {
				return under(20, 4.3-0.2*y*y)
			}
			return free(20)
		}, height: 4.4, width: metres(2.5), verdict: "fail pass", reasons: "[does_not_clear] []", failure: "40-50"},
		{name: "leaves of this summer", cell: leaves(6), height: 4, verdict: "pass not_assessed", reasons: "[] [no_vehicle_width]", limiting: 6},
		{name: "leaves of last summer", cell: leaves(6), day: "2025-06-01", height: 4, verdict: "indeterminate not_assessed", reasons: "[foliage_survey_too_old] [no_vehicle_width]", limiting: 6},
		{name: "leaves high above", cell: leaves(7.9), day: "2025-12-01", height: 4, verdict: "pass not_assessed", reasons: "[] [no_vehicle_width]", limiting: 7.9},
		{name: "a vehicle parked", cell: func(x, y float64) *artefact.Cell {
			c := free(20)
			if between(x, 40, 45) && y > 1.5 {
				c.Flags |= artefact.Obstructed
				c.ObstacleFrom, c.ObstacleTo = 0.25, 1.5
			}
			return c
		}, height: 4, width: metres(2.5), verdict: "no_verdict pass", reasons: "[insufficient_data] []", hole: "40-45"},
		{name: "between piers", cell: piers(1.6), height: 4, width: metres(2.55), verdict: "pass pass", reasons: "[] []"},
		{name: "hardly between piers", cell: piers(1.6), height: 4, width: metres(2.7), verdict: "pass indeterminate", reasons: "[] [within_uncertainty]"},
		{name: "not between piers", cell: piers(1.6), height: 4, width: metres(3.1), verdict: "pass fail", reasons: "[] [does_not_clear]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := straight(100, c.cell)
			d.from, d.to = c.day, c.day
			g := d.open(t)
			r := report(t, &Request{Line: way(t, g, 0, 0, 100, 0), Height: c.height, Width: c.width}, given{g, "drawn", c.stale})
			if got := fmt.Sprint(r.Height.Verdict, " ", r.Width.Verdict); got != c.verdict {
				t.Errorf("%s, want %s", got, c.verdict)
			}
			if got := fmt.Sprint(r.Height.Reasons, " ", r.Width.Reasons); got != c.reasons {
				t.Errorf("%s, want %s", got, c.reasons)
			}
			if l := r.Height.Limiting; c.limiting > 0 && (l == nil || math.Abs(l.Headroom-c.limiting) > 1e-9) {
				t.Errorf("limiting is %+v, want %v", l, c.limiting)
			}
			near := func(from, to float64) string { return fmt.Sprintf("%.0f-%.0f", from, to) }
			if c.failure != "" {
				if len(r.Height.Failures) != 1 || near(r.Height.Failures[0].From, r.Height.Failures[0].To) != c.failure {
					t.Errorf("failures %+v, want %s", r.Height.Failures, c.failure)
				}
			} else if len(r.Height.Failures) > 0 {
				t.Errorf("failures %+v", r.Height.Failures)
			}
			cover := r.Height.Coverage
			if c.hole == "" {
				if cover.Kind != "complete" || cover.Assessed != r.Length || cover.NotSurveyed != nil {
					t.Errorf("coverage %+v", cover)
				}
				return
			}
			all := slices.Concat(*cover.NotSurveyed, *cover.Insufficient)
			if cover.Kind != "partial" || len(all) != 1 || math.Abs(all[0].To-all[0].From-hole(c.hole)) > 1.1 {
				t.Errorf("coverage %+v, %+v, want %s", cover, all, c.hole)
			}
		})
	}
}

func hole(text string) float64 {
	var from, to float64
	if _, err := fmt.Sscanf(text, "%f-%f", &from, &to); err != nil {
		panic(err)
	}
	return to - from
}

func leaves(headroom float64) func(x, y float64) *artefact.Cell {
	return func(x, y float64) *artefact.Cell {
		if x >= 40 && x < 50 && y > 1 {
			c := under(20, headroom)
			c.Kind = artefact.Foliage
			return c
		}
		return free(20)
	}
}

// piers stand so many metres to the left and to the right of the line.
func piers(off float64) func(x, y float64) *artefact.Cell {
	return func(x, y float64) *artefact.Cell {
		c := free(20)
		if math.Abs(y) > 1.7 {
			c.Lane = 0
		}
		if x >= 40 && x < 41 && math.Abs(y) > off {
			*c = artefact.NewCell()
			c.Flags, c.ObstacleFrom, c.ObstacleTo = artefact.Obstructed, 0.25, 2
		}
		return c
	}
}

// TestParallelRoadDoesNotCount drives beside a surveyed road, on one that is not.
func TestParallelRoadDoesNotCount(t *testing.T) {
	d := &drawing{maxX: 40, maxY: 16, cell: func(_ int, _, y float64) *artefact.Cell {
		if y < 1.5 || y > 9 {
			return nil
		}
		return free(20)
	}}
	g := d.open(t)
	r := report(t, &Request{Line: way(t, g, 2, 0, 38, 0), Height: 4}, given{g, "drawn", false})
	if r.Height.Verdict != NoVerdict {
		t.Errorf("%s", r.Height.Verdict)
	}
}

// TestOverABridge drives over a bridge of which the road below was surveyed alone.
func TestOverABridge(t *testing.T) {
	for _, level := range []float64{20, 26} {
		d := straight(80, func(x, _ float64) *artefact.Cell {
			if x > 35 && x < 45 {
				return under(20, 5)
			}
			return free(level)
		})
		g := d.open(t)
		want := map[float64]Verdict{20: Pass, 26: NoVerdict}[level]
		for _, line := range [][]float64{{2, 0, 78, 0}, {78, 0, 2, 0}, {36, 0, 78, 0}} {
			r := report(t, &Request{Line: way(t, g, line...), Height: 4, Wheelbase: metres(0)}, given{g, "drawn", false})
			if r.Height.Verdict != want {
				t.Errorf("roads at %v m, along %v: %s, want %s", level, line, r.Height.Verdict, want)
			}
		}
	}
}

// TestHeightsThatBelongTogether drives under the bridge of a road on dams, and up a steep hill.
func TestHeightsThatBelongTogether(t *testing.T) {
	crossing := &drawing{maxX: 80, minY: -40, maxY: 40, cell: func(_ int, x, y float64) *artefact.Cell {
		below, above := math.Abs(x-40) <= 4.5, math.Abs(y) <= 4.5
		switch {
		case below && above:
			return under(20, 5)
		case below:
			return free(20)
		case above:
			return free(26)
		}
		return nil
	}}
	hill := straight(80, func(x, _ float64) *artefact.Cell {
		c := free(20 + 0.15*x)
		c.SlopeX = 0.15
		return c
	})
	for name, c := range map[string]struct {
		*drawing
		line []float64
		want Verdict
	}{
		"below": {crossing, []float64{40, -38, 40, 38}, Pass},
		"above": {crossing, []float64{2, 0, 78, 0}, NoVerdict},
		"hill":  {hill, []float64{2, 0, 78, 0}, Pass},
	} {
		g := c.open(t)
		if r := report(t, &Request{Line: way(t, g, c.line...), Height: 4, Wheelbase: metres(0)}, given{g, "drawn", false}); r.Height.Verdict != c.want {
			t.Errorf("%s: %s %v, want %s", name, r.Height.Verdict, r.Height.Reasons, c.want)
		}
	}
}

// TestLeavesOfTheOldestSurvey has an artefact of two surveys: its foliage may be of the older one.
func TestLeavesOfTheOldestSurvey(t *testing.T) {
	for old, want := range map[string]Verdict{"": Pass, "2026-05-01": Pass, "2024-06-01": Indeterminate} {
		d := straight(100, leaves(6))
		d.old = old
		g := d.open(t)
		if r := report(t, &Request{Line: way(t, g, 0, 0, 100, 0), Height: 4}, given{g, "drawn", false}); r.Height.Verdict != want {
			t.Errorf("with a survey of %q: %s %v, want %s", old, r.Height.Verdict, r.Height.Reasons, want)
		}
	}
}

// TestSagAtTheEndsOfALine asks for parts of a road that end under a bridge in a sag of a radius of
// 100 m: axles stand beyond the ends.
func TestSagAtTheEndsOfALine(t *testing.T) {
	g := straight(80, func(x, _ float64) *artefact.Cell {
		z := 20 + (x-40)*(x-40)/200
		if x > 39 && x < 41 {
			return under(z, 4.5)
		}
		return free(z)
	}).open(t)
	for _, line := range [][]float64{{2, 0, 78, 0}, {40, 0, 78, 0}, {2, 0, 40, 0}} {
		l := report(t, &Request{Line: way(t, g, line...), Height: 4}, given{g, "drawn", false}).Height.Limiting
		if l == nil || l.Lift < 0.16 || l.Lift > 0.22 {
			t.Errorf("along %v: %+v", line, l)
		}
	}
}

// TestHolesBesideTheLine has holes in the carriageway, beside the way along the line.
func TestHolesBesideTheLine(t *testing.T) {
	for _, size := range []float64{0.25, 3} {
		g := straight(60, func(x, y float64) *artefact.Cell {
			if x > 30 && x < 30+size && y > 3.1-size && y < 3.1 {
				return nil
			}
			return free(20)
		}).open(t)
		if r := report(t, &Request{Line: way(t, g, 2, -1.5, 58, -1.5), Height: 4}, given{g, "drawn", false}); r.Height.Verdict != NoVerdict {
			t.Errorf("of %v m: %s", size, r.Height.Verdict)
		}
	}
}
