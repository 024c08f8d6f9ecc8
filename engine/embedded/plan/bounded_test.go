package plan

import (
	"context"
	"errors"
	"testing"
)

func TestBoundedEnds(t *testing.T) {
	e := Limited(t.Context(), 3, ErrBeyond)
	for range 3 {
		if err := e.Err(); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if !errors.Is(e.Err(), ErrBeyond) {
			t.Error("it does not end")
		}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := Limited(gone, 3, ErrBeyond).Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left: %v", err)
	}
}
