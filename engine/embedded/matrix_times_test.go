package embedded_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// TestMatrixOfOwnTimes gives the sources of a matrix, or its targets, times of their own: each
// row or column is that of a matrix at its time, also where a place is on no road.
func TestMatrixOfOwnTimes(t *testing.T) {
	town := towntest.Draw(t, `
		a----b----c----d
		|              |
		e--------------f`,
		towntest.Ways{{"ab", "primary"}, {"bc", `primary motor_vehicle:conditional="no @ (08:00-09:00)"`}, {"cd", `primary maxspeed=100 maxspeed:conditional="20 @ (12:00-13:00)"`}, {"ae", "residential"}, {"ef", "residential"}, {"fd", "residential"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 40))
	options := chosen(t, costing.Auto, "")
	for round := range 20 {
		kind := []engine.TimeType{engine.Depart, engine.Arrive}[round%2]
		from, to := stops(town, "a", "b", "e", "d", "a"), stops(town, "d", "c", "a", "f")
		if round%4 > 1 {
			away := engine.Location{Point: geo.Point{Lon: 40, Lat: 40}}
			from, to = append(from, away), append(to, away)
		}
		r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		r.Shuffle(len(to), func(i, j int) { to[i], to[j] = to[j], to[i] })
		q := &engine.MatrixRequest{Sources: from, Targets: to, Costing: costing.Auto, Options: options}
		hubs := len(from)
		if kind == engine.Arrive {
			hubs = len(to)
		}
		for range hubs {
			q.Times = append(q.Times, engine.When{Type: kind, Local: time.Date(2026, 9, 1, []int{8, 12, 15}[r.IntN(3)], 30, 0, 0, time.UTC)})
		}
		got, err := e.Matrix(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for k := range hubs {
			one := &engine.MatrixRequest{Sources: from, Targets: to, Costing: costing.Auto, Options: options, Conditions: engine.Conditions{When: &q.Times[k]}}
			want, err := e.Matrix(t.Context(), one)
			if err != nil {
				t.Fatal(err)
			}
			if got.Arrives != want.Arrives || got.Begin[k] != want.Begin[k] {
				t.Errorf("round %d: time %d is %v, want %v", round, k, got.Begin[k], want.Begin[k])
			}
			for i := range from {
				for j := range to {
					if (kind == engine.Arrive && j == k || kind == engine.Depart && i == k) && got.Cells[i][j] != want.Cells[i][j] {
						t.Errorf("round %d, %d to %d: %+v, and of its time alone %+v", round, i, j, got.Cells[i][j], want.Cells[i][j])
					}
				}
			}
			if !slices.Equal(got.Sources, want.Sources) || !slices.Equal(got.Targets, want.Targets) {
				t.Errorf("round %d: the places are %v and %v, want %v and %v", round, got.Sources, got.Targets, want.Sources, want.Targets)
			}
		}
	}
	// Times matter: the three give three durations.
	seen := map[float64]bool{}
	q := &engine.MatrixRequest{Sources: stops(town, "a", "a", "a"), Targets: stops(town, "d"), Costing: costing.Auto, Options: options}
	for _, hour := range []int{8, 12, 15} {
		q.Times = append(q.Times, engine.When{Type: engine.Depart, Local: time.Date(2026, 9, 1, hour, 30, 0, 0, time.UTC)})
	}
	a, err := e.Matrix(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Cells {
		seen[a.Cells[i][0].Seconds] = true
	}
	if len(seen) != 3 {
		t.Errorf("%v", a.Cells)
	}
	// Of no source on a road the refusal names the first.
	q.Sources = engine.Stops([]geo.Point{{Lon: 40, Lat: 40}, {Lon: 41, Lat: 40}, {Lon: 42, Lat: 40}})
	if _, err := e.Matrix(t.Context(), q); engine.Code(err) != engine.CodeNoSegment {
		t.Errorf("%v", err)
	}
}
