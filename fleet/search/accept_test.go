package search

import "testing"

// The price of leaving something out grows while most plans do and falls again when few do,
// within its bounds.
func TestPenaltyFallsAgain(t *testing.T) {
	p := penalty{cost: 10, least: 1, most: 100}
	for _, c := range []struct {
		lacks bool
		want  float64
	}{{true, 100}, {false, 1}, {true, 100}} {
		for range 100 * penaltyEvery {
			p.learn(c.lacks)
			if p.cost < p.least || p.cost > p.most {
				t.Fatalf("the price is %v", p.cost)
			}
		}
		if p.cost != c.want {
			t.Errorf("where all plans lack something is %t the price ends at %v, not %v", c.lacks, p.cost, c.want)
		}
	}
	p.cost = 10
	for i := range 100 * penaltyEvery {
		p.learn(i%5 == 0)
	}
	if p.cost != p.least {
		t.Errorf("with a fifth of plans that lack something the price ends at %v", p.cost)
	}
}
