package cameras

import (
	"testing"

	"github.com/waygate/waygate/geo/corridor"
)

// TestOnce checks that passes that follow each other closely are one, where it is nearest.
func TestOnce(t *testing.T) {
	pass := func(from, to, metres float64) corridor.Pass { return corridor.Pass{From: from, To: to, Metres: metres} }
	got := distinct([]corridor.Pass{
		pass(0, 10, 5), pass(10+samePass/2, 20, 3), pass(20+samePass/2, 30, 4), // one
		pass(30+2*samePass, 40+2*samePass, 9),
	})
	if len(got) != 2 || got[0].Metres != 3 || got[0].To != 30 || got[1].Metres != 9 {
		t.Errorf("%+v, want two passes, at 3 m until 30 and at 9 m", got)
	}
	if got := distinct(nil); len(got) != 0 {
		t.Errorf("no passes are %+v", got)
	}
}
