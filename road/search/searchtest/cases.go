package searchtest

import (
	"iter"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/waygate/waygate/soaktest"
)

// Cases returns how many cases a property test tries: usual in make soak, half of them on
// every change and a quarter in short tests, or as many times as WAYGATE_CASES says. A
// number, not a duration: a slow machine tries the same ones.
func Cases(usual int) int {
	if times, err := strconv.ParseFloat(os.Getenv("WAYGATE_CASES"), 64); err == nil && times > 0 {
		return max(1, int(float64(usual)*times))
	}
	if testing.Short() {
		return max(1, usual/4)
	}
	return max(1, soaktest.Cases(usual/2, usual))
}

// Seed returns what a property test draws from: usual, or WAYGATE_SEED for other cases.
func Seed(usual uint64) uint64 {
	if seed, err := strconv.ParseUint(os.Getenv("WAYGATE_SEED"), 10, 64); err == nil {
		return seed
	}
	return usual
}

// Sequential leaves a test in which nothing runs at once out of short ones, which
// are for the race detector.
func Sequential(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("nothing runs at once in it")
	}
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
