package embedded

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestCausesAreFewAndTheLast(t *testing.T) {
	var c causes
	asked := func(i int) question { return question{from: fmt.Sprint(i)} }
	for i := range 3 * mostCauses {
		c.put(asked(i), cause{detail: fmt.Sprint(i)})
		c.put(asked(i), cause{detail: "again"})
	}
	if len(c.known) != mostCauses || len(c.order) != mostCauses {
		t.Errorf("%d are remembered, in a list of %d", len(c.known), len(c.order))
	}
	for i := range 3 * mostCauses {
		why, ok := c.get(asked(i))
		if ok != (i >= 2*mostCauses) || ok && why.detail != fmt.Sprint(i) {
			t.Fatalf("question %d: %v %q", i, ok, why.detail)
		}
	}
}

func TestBoundedEnds(t *testing.T) {
	e := &bounded{t.Context(), 3, errTooFar}
	for range 3 {
		if err := e.Err(); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if !errors.Is(e.Err(), errTooFar) {
			t.Error("it does not end")
		}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := (&bounded{gone, 3, errTooFar}).Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left: %v", err)
	}
}
