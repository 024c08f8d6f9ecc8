package clearance

import (
	"encoding/json"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
)

// TestReportsAreJSON writes reports with and without figures.
func TestReportsAreJSON(t *testing.T) {
	g := straight(40, func(x, _ float64) *artefact.Cell {
		if x > 20 && x < 22 {
			return under(20, 4)
		}
		return free(20)
	}).open(t)
	for _, height := range []float64{3, 5, 9} {
		a := report(t, &Request{Line: way(t, g, 0, 0, 40, 0), Height: height, Width: metres(2)}, given{g, "drawn", height == 3})
		_, err := json.Marshal(a)
		assert.NilError(t, err)
	}
}
