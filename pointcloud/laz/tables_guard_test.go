package laz

import "testing"

// TestContextsOfReturns checks that the tables of returns are symmetric, as their formulas are, and
// that the contexts lie in the ranges of what they choose.
func TestContextsOfReturns(t *testing.T) {
	for i := range 8 {
		for j := range 8 {
			if returnMap[i][j] != returnMap[j][i] || returnMap[i][j] > 15 {
				t.Errorf("returns %d of %d and %d of %d have the contexts %d and %d", i, j, j, i, returnMap[i][j], returnMap[j][i])
			}
		}
	}
	for a := range 16 {
		for b := range 16 {
			if d := apart(a, b); d != apart(b, a) || d < 0 || (d == 0) != (a == b) || a+d != b && b+d != a {
				t.Errorf("%d and %d are %d apart", a, b, d)
			}
		}
	}
}
