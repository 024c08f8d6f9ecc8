package engine

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
)

// shaped answers a matrix of which a cell is made of its places and their time. It has no road
// south of the equator.
type shaped struct {
	Unimplemented
	most  int
	calls [][2]int
}

func (e *shaped) Matrix(_ context.Context, r *MatrixRequest) (*MatrixAnswer, error) {
	e.calls = append(e.calls, [2]int{len(r.Sources), len(r.Targets)})
	if n := len(r.Sources) * len(r.Targets); n > e.most {
		return nil, fmt.Errorf("%d cells", n)
	}
	a := &MatrixAnswer{Arrives: r.Arrives(), Warnings: []Warning{{Code: 1}}}
	roads := func(list []Location) (out []Snapped, some bool) {
		for i := range list {
			if s := (Snapped{Point: list[i].Point}); list[i].Point.Lat >= 0 {
				out, some = append(out, s), true
			} else {
				out = append(out, Snapped{Miss: "none"})
			}
		}
		return out, some
	}
	var from, to bool
	a.Sources, from = roads(r.Sources)
	a.Targets, to = roads(r.Targets)
	if !from || !to {
		return nil, Refused(CodeNoSegment, "no road")
	}
	for i := range r.Sources {
		row := make([]MatrixCell, len(r.Targets))
		for j := range row {
			if a.Sources[i].Miss != "" || a.Targets[j].Miss != "" {
				continue
			}
			row[j] = MatrixCell{Reached: true, Seconds: 1e6*r.Sources[i].Point.Lon + r.Targets[j].Point.Lon}
			switch {
			case r.Times == nil:
			case a.Arrives:
				row[j].Metres = float64(r.Times[j].Local.Unix())
			default:
				row[j].Metres = float64(r.Times[i].Local.Unix())
			}
		}
		a.Cells = append(a.Cells, row)
	}
	return a, nil
}

// TestMatrixInBlocks has matrices with and without times of their places worked out in parts:
// each cell has its places' times, and with times all parts have more sources than targets
// where the whole has, as Valhalla heeds them by that.
func TestMatrixInBlocks(t *testing.T) {
	list := func(n int, south ...int) []Location {
		all := make([]Location, n)
		for i := range all {
			all[i].Point = geo.Point{Lon: float64(i), Lat: 1}
		}
		for _, i := range south {
			all[i].Point.Lat = -1
		}
		return all
	}
	times := func(n int, kind TimeType) []When {
		all := make([]When, n)
		for i := range all {
			all[i] = When{Type: kind, Local: time.Unix(int64(1000+i), 0)}
		}
		return all
	}
	for name, r := range map[string]*MatrixRequest{
		"no times":            {Sources: list(30), Targets: list(20)},
		"departures":          {Sources: list(20), Targets: list(30), Times: times(20, Depart)},
		"many departures":     {Sources: list(30), Targets: list(20), Times: times(30, Depart)},
		"arrivals":            {Sources: list(30), Targets: list(20), Times: times(20, Arrive)},
		"many arrivals":       {Sources: list(20), Targets: list(30), Times: times(30, Arrive)},
		"one time":            {Sources: list(31), Targets: list(30), Conditions: Conditions{When: &When{Type: Arrive}}},
		"a source at sea":     {Sources: list(30, 7), Targets: list(20), Times: times(20, Arrive)},
		"some rows at sea":    {Sources: list(30, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), Targets: list(20), Times: times(20, Arrive)},
		"some columns at sea": {Sources: list(30), Targets: list(20, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), Times: times(20, Arrive)},
	} {
		whole, err := (&shaped{most: 1000}).Matrix(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		e := &shaped{most: 90}
		share := 0.0
		got, err := MatrixInBlocks(t.Context(), e, r, 90, func(s float64) { share = s })
		if err != nil || share != 1 || len(got.Warnings) != 1 || len(got.Cells) != len(r.Sources) || len(got.Sources) != len(r.Sources) || len(got.Targets) != len(r.Targets) {
			t.Errorf("%s: %v (%v done)", name, err, share)
			continue
		}
		for i, row := range whole.Cells {
			for j, want := range row {
				if got.Cells[i][j] != want {
					t.Fatalf("%s: from %d to %d %+v, want %+v", name, i, j, got.Cells[i][j], want)
				}
			}
		}
		for i := range whole.Sources {
			if (got.Sources[i].Miss == "") != (whole.Sources[i].Miss == "") {
				t.Errorf("%s: source %d is %+v", name, i, got.Sources[i])
			}
		}
		for j := range whole.Targets {
			if (got.Targets[j].Miss == "") != (whole.Targets[j].Miss == "") {
				t.Errorf("%s: target %d is %+v", name, j, got.Targets[j])
			}
		}
		for _, c := range e.calls {
			if (r.When != nil || r.Times != nil) && (c[0] > c[1]) != (len(r.Sources) > len(r.Targets)) {
				t.Errorf("%s: a part of %d by %d", name, c[0], c[1])
			}
		}
	}
	sea := &MatrixRequest{Sources: list(3, 0, 1, 2), Targets: list(2), Times: times(2, Arrive)}
	if _, err := MatrixInBlocks(t.Context(), &shaped{most: 9}, sea, 2, func(float64) {}); Code(err) != CodeNoSegment {
		t.Errorf("all at sea: %v", err)
	}
}
