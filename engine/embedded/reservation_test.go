package embedded_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// TestOnceCounts checks that a metric for one matrix alone counts as memory as long as it is
// in use, and is not made where there is too little.
func TestOnceCounts(t *testing.T) {
	e, _ := county(t)
	bytes, end, err := e.Once(t.Context())
	if err != nil || end == nil || bytes == 0 {
		t.Fatalf("%d bytes: %v", bytes, err)
	}
	if got := e.Memory(); got != bytes {
		t.Errorf("%d bytes count while %d are held", got, bytes)
	}
	e.SetMetricMemory(bytes + bytes/2)
	if _, another, err := e.Once(t.Context()); err != nil || another != nil {
		t.Errorf("another is made where there is memory for half of it: %v", err)
	}
	end()
	if got := e.Memory(); got != 0 {
		t.Errorf("%d bytes count after all", got)
	}
	e.SetMetricMemory(bytes / 2)
	if _, end, err := e.Once(t.Context()); err != nil || end != nil || e.Memory() != 0 {
		t.Errorf("it is made where there is memory for half of it, %d bytes count: %v", e.Memory(), err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	e.SetMetricMemory(2 * bytes)
	if _, _, err := e.Once(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("it is made for one who has gone: %v", err)
	}
	settled(t, e)
}

// TestBentMatrixWithoutMemory compares a matrix past a polygon with itself where
// there is no memory to work anything out.
func TestBentMatrixWithoutMemory(t *testing.T) {
	e, places := county(t)
	r := &engine.MatrixRequest{
		Sources: places(40), Targets: places(40), Costing: costing.Auto, Options: chosen(t, costing.Auto, ""),
		Conditions: engine.Conditions{ExcludePolygons: []geo.Ring{around(places(1)[0].Point, 800)}},
	}
	var got [2]*engine.MatrixAnswer
	for i, bytes := range []int64{1 << 30, 0} {
		e.SetMetricMemory(bytes)
		var err error
		if got[i], err = e.Matrix(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		settled(t, e)
	}
	if e.Memory() != 0 {
		t.Errorf("%d bytes are kept", e.Memory())
	}
	reached, differ := 0, 0
	for i, row := range got[0].Cells {
		for j, c := range row {
			d := got[1].Cells[i][j]
			if c.Reached != d.Reached || math.Abs(c.Seconds-d.Seconds) > 0.5 {
				differ++
			}
			if c.Reached {
				reached++
			}
		}
	}
	if reached < 500 || differ > reached/200 {
		t.Errorf("%d of %d cells differ without memory", differ, reached)
	}
}

// seated is a context that has its call wait for a seat when it is asked for its error.
type seated struct {
	context.Context
	asked func()
}

func (s seated) Err() error {
	s.asked()
	return s.Context.Err()
}

// TestOnceWaitsForNoSeat checks that a call with a place among the metrics in the making does
// not wait for a seat, in which another call may wait for that place.
func TestOnceWaitsForNoSeat(t *testing.T) {
	e, _ := county(t)
	held := 0
	_, end, err := e.Once(seated{t.Context(), func() {
		if e.Making() > 0 {
			held++
		}
	}})
	if err != nil || end == nil {
		t.Fatal(err)
	}
	end()
	if held > 0 {
		t.Errorf("it waited for a seat %d times, holding a place among the metrics in the making", held)
	}
}
