package clearance

import (
	"encoding/json"
	"math"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
)

// TestReportsAreJSON writes reports with and without figures, and of figures without a bound.
func TestReportsAreJSON(t *testing.T) {
	g := straight(40, func(x, _ float64) *artefact.Cell {
		switch {
		case x > 20 && x < 22:
			return under(20, 4)
		case x > 22 && x < 23: // returns are too few for a bound
			c := under(20, 4.5)
			c.Gap = math.Inf(1)
			return c
		}
		return free(20)
	}).open(t)
	for _, height := range []float64{3, 5, 9} {
		a := report(t, &Request{Line: way(t, g, 0, 0, 40, 0), Height: height, Width: metres(2)}, given{g, "drawn", false})
		_, err := json.Marshal(a)
		assert.NilError(t, err)
		if l := a.Height.Limiting; l == nil || l.Safe < 0 || math.Abs(l.Headroom-2*l.Sigma-l.Gap-l.Safe) > 1e-9 {
			t.Errorf("%v m: %+v", height, l)
		}
		if height == 3 && a.Height.Verdict != Indeterminate {
			t.Errorf("without a bound: %s", a.Height.Verdict)
		}
	}
}
