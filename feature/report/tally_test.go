package report

import "testing"

// TestRun checks that edges in a row are one stretch, and only those that count are summed.
func TestRun(t *testing.T) {
	var r run
	for _, on := range []bool{false, true, true, false, true} {
		r.add(on, 10)
	}
	if r.count != 2 || r.metres != 30 {
		t.Errorf("%d stretches of %g m, want 2 of 30", r.count, r.metres)
	}
}
