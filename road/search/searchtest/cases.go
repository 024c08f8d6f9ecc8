package searchtest

import (
	"iter"
	"math/rand/v2"
	"testing"
)

// Cases is how many cases of all a property test tries: some in short tests,
// and half under the race detector, which makes the slow searches ten times
// slower and finds nothing in cases that run one after the other.
func Cases(all int) int {
	switch {
	case testing.Short():
		return all / 5
	case race:
		return all / 2
	}
	return all
}

// Drawn is the network of one case, with the source that it and all else of
// the case is drawn from.
type Drawn struct {
	*Network
	Seed uint64
	Rand *rand.Rand
}

// Draw gives as many cases, but for those whose networks have no edges. The
// stream keeps tests from drawing the same networks.
func Draw(cases int, stream uint64, network func(r *rand.Rand) *Network) iter.Seq[Drawn] {
	return func(yield func(Drawn) bool) {
		for seed := range uint64(cases) {
			r := rand.New(rand.NewPCG(seed, stream))
			if n := network(r); n.Graph.Base > 0 && !yield(Drawn{n, seed, r}) {
				return
			}
		}
	}
}

// Either draws a network that is dressed or is not.
func Either(r *rand.Rand) *Network {
	n := Random(r)
	if r.IntN(2) == 0 {
		n = Varied(r)
	}
	return n
}
