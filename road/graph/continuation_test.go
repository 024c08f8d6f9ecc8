package graph

import (
	"slices"
	"strings"
	"testing"
)

func TestContinuationKeepsTheNext(t *testing.T) {
	for place := range NoNext + 1 {
		o := (OnToll | ContinuesOnFoot | TimedTurns).WithNext(place)
		if o.Next() != uint32(place) || o&OnToll == 0 || o&ContinuesOnFoot == 0 || o&TimedTurns == 0 || o&(OnHighway|ContinuesByMotor) != 0 {
			t.Errorf("place %d: %b leads on to %d", place, o, o.Next())
		}
	}
}

func TestContinuationsAreVerified(t *testing.T) {
	g := rich(t)
	fits := func() []Continuation {
		all := make([]Continuation, g.Base)
		for e := range all {
			all[e] = Continuation(0).WithNext(NoNext)
		}
		return all
	}
	beyond := fits()
	beyond[2] = beyond[2].WithNext(int(g.FirstOut[g.ByEdge[2].Head+1] - g.FirstOut[g.ByEdge[2].Head]))
	for _, c := range []struct {
		what string
		all  []Continuation
		says string
	}{
		{"none", nil, ""},
		{"all", fits(), ""},
		{"one too few", fits()[1:], "edge.onward has"},
		{"one too many", append(fits(), 0), "edge.onward has"},
		{"no such way", beyond, "edge.onward[2]"},
	} {
		g.Continuations = slices.Clone(c.all)
		err := g.Verify()
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}
