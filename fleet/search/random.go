package search

import "math"

// random is the search's random number generator (xorshift64*): fast, and the same for
// one seed on every machine.
type random uint64

func newRandom(seed, walker uint64) random {
	// The finish of splitmix64 separates seeds that differ by little.
	z := seed*0x9e3779b97f4a7c15 + (walker+1)*0xbf58476d1ce4e5b9
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return random(z ^ z>>31 | 1)
}

func (r *random) next() uint64 {
	x := uint64(*r)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*r = random(x)
	return x * 0x2545f4914f6cdd1d
}

// below returns a number in [0, n).
func (r *random) below(n int) int { return int((r.next() >> 32) * uint64(n) >> 32) }

// float returns a number in (0, 1].
func (r *random) float() float64 { return float64(r.next()>>11+1) / (1 << 53) }

// blinks is the share of places that are passed over by chance.
const blinks = 0.01

// blink reports whether to pass over a place.
func (s *inserter) blink() bool {
	s.skip--
	return s.skip < 0 && s.nextBlink()
}

func (s *inserter) nextBlink() bool {
	s.skip = int(math.Log(s.random.float()) / math.Log(1-blinks))
	return true
}
