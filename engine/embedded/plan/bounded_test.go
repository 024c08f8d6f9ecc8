package plan

import (
	"context"
	"errors"
	"testing"
)

func TestBoundedEnds(t *testing.T) {
	e := WithCheckLimit(t.Context(), 3, ErrBeyondBound)
	for range 3 {
		if err := e.Err(); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if !errors.Is(e.Err(), ErrBeyondBound) {
			t.Error("it does not end")
		}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := WithCheckLimit(gone, 3, ErrBeyondBound).Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left: %v", err)
	}
}
