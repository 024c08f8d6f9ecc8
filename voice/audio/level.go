package audio

import (
	"context"
	"math"
	"slices"
)

const (
	// Loudness is that of every clip in LUFS, less what the limiter takes off its peaks.
	Loudness = -16.0
	mostPeak = 0.89 // -1 dBFS
	mostGain = 32   // 30 dB: what is fainter is noise

	quiet   = 0.01 // of the peak, -40 dB: what is fainter at either end is silence
	faint   = 1e-4 // a peak below is no speech
	margin  = Rate / 20
	fadeOut = Rate / 100
)

// Trimmed leaves out silence at both ends but for a twentieth of a second. It returns nothing
// where the sound is silent throughout.
func (s Sound) Trimmed() Sound {
	peak := s.peak()
	if peak < faint {
		return nil
	}
	loud := func(v float32) bool { return v > quiet*peak || v < -quiet*peak }
	first := slices.IndexFunc(s, loud)
	last := len(s) - 1
	for !loud(s[last]) {
		last--
	}
	return s[max(0, first-margin):min(len(s), last+1+margin)]
}

// stretch is how many samples are worked on between two looks at the context, which takes
// a few milliseconds at the most.
const stretch = 1 << 15

// stretches calls work for one stretch of n samples after the other, until the context ends.
func stretches(ctx context.Context, n int, work func(from, to int)) error {
	for from := 0; from < n; from += stretch {
		if err := ctx.Err(); err != nil {
			return err
		}
		work(from, min(n, from+stretch))
	}
	return ctx.Err()
}

// Even returns the sound at Loudness without peaks above mostPeak, its ends faded over a hundredth of
// a second so that they do not click. Its error is that of the context.
func (s Sound) Even(ctx context.Context) (Sound, error) {
	loudness, err := s.LUFS(ctx)
	if err != nil {
		return nil, err
	}
	gain := float32(min(mostGain, math.Pow(10, (Loudness-loudness)/20)))
	out := make(Sound, len(s))
	err = stretches(ctx, len(s), func(from, to int) {
		for i := from; i < to; i++ {
			edge := float32(min(fadeOut, i+1, len(s)-i)) / fadeOut
			out[i] = s[i] * gain * edge
		}
	})
	if err != nil {
		return nil, err
	}
	return out, out.limit(ctx)
}

// ahead is how far around a peak the limiter turns down: two hundredths of a second in all.
const ahead = Rate / 100

// limit turns peaks down to mostPeak: each sample by the mean, over a window around it, of the
// least gain that any sample near it needs, so that the gain changes slowly and never comes late.
func (s Sound) limit(ctx context.Context) error {
	if s.peak() <= mostPeak {
		return nil
	}
	// The least gain over the samples of a window comes from the loudest of them. loudest has
	// those that may become it, the loudest first (Lemire, Streaming Maximum-Minimum Filter,
	// 2006). need[i] is the least gain within ahead of sample i-ahead.
	need := make([]float32, len(s)+2*ahead)
	loudest := make([]int, 0, 2*ahead+1)
	size := func(i int) float32 { return max(s[i], -s[i]) }
	err := stretches(ctx, len(need), func(from, to int) {
		for i := from; i < to; i++ {
			if len(loudest) > 0 && loudest[0] < i-2*ahead {
				loudest = slices.Delete(loudest, 0, 1)
			}
			if i < len(s) {
				for len(loudest) > 0 && size(loudest[len(loudest)-1]) <= size(i) {
					loudest = loudest[:len(loudest)-1]
				}
				loudest = append(loudest, i)
			}
			need[i] = 1
			if len(loudest) > 0 {
				need[i] = mostPeak / max(mostPeak, size(loudest[0]))
			}
		}
	})
	if err != nil {
		return err
	}
	sum := 0.0
	for _, n := range need[:2*ahead] {
		sum += float64(n)
	}
	return stretches(ctx, len(s), func(from, to int) {
		for i := from; i < to; i++ {
			sum += float64(need[i+2*ahead])
			s[i] = min(mostPeak, max(-mostPeak, s[i]*float32(sum/(2*ahead+1))))
			sum -= float64(need[i])
		}
	})
}

func (s Sound) peak() (peak float32) {
	for _, v := range s {
		peak = max(peak, v, -v)
	}
	return peak
}

// Of the loudness of ITU-R BS.1770-4: blocks of 400 ms, a quarter apart, that are louder than
// silence and than ten units below the mean of those.
const (
	block       = Rate * 2 / 5
	step        = block / 4
	gate        = -70.0
	relative    = -10.0
	calibration = -0.691
)

// LUFS returns the integrated loudness by ITU-R BS.1770-4; -70 for silence. A sound shorter than a
// block is measured as one. Its error is that of the context.
func (s Sound) LUFS(ctx context.Context) (float64, error) {
	weighted, err := s.weighted(ctx)
	if err != nil {
		return 0, err
	}
	var powers []float64
	for at := 0; at == 0 || at+block <= len(weighted); at += step {
		sum := 0.0
		part := weighted[at:min(len(weighted), at+block)]
		for _, v := range part {
			sum += v * v
		}
		powers = append(powers, sum/float64(max(1, len(part))))
	}
	mean := gated(powers, gate)
	mean = gated(powers, max(gate, units(mean)+relative))
	return max(gate, units(mean)), nil
}

// units returns a power in LUFS.
func units(power float64) float64 { return calibration + 10*math.Log10(max(power, 1e-30)) }

// gated returns the mean of the powers above a loudness; 0 where none is.
func gated(powers []float64, above float64) float64 {
	sum, n := 0.0, 0
	for _, p := range powers {
		if units(p) > above {
			sum += p
			n++
		}
	}
	return sum / float64(max(1, n))
}

// biquad is a filter of second order, a0 being 1.
type biquad struct{ b0, b1, b2, a1, a2 float64 }

// The two filters of BS.1770 for any rate of samples: the shelf of the head and the high pass.
// Their analogue parameters are those that give the standard's coefficients at 48 kHz.
var (
	shelf    = shelfFilter(1681.974450955533, 3.999843853973347, 0.7071752369554196)
	highPass = highPassFilter(38.13547087602444, 0.5003270373238773)
)

func shelfFilter(hertz, decibels, q float64) biquad {
	k := math.Tan(math.Pi * hertz / Rate)
	high := math.Pow(10, decibels/20)
	band := math.Pow(high, 0.4996667741545416)
	a0 := 1 + k/q + k*k
	return biquad{(high + band*k/q + k*k) / a0, 2 * (k*k - high) / a0, (high - band*k/q + k*k) / a0, 2 * (k*k - 1) / a0, (1 - k/q + k*k) / a0}
}

func highPassFilter(hertz, q float64) biquad {
	k := math.Tan(math.Pi * hertz / Rate)
	a0 := 1 + k/q + k*k
	return biquad{1, -2, 1, 2 * (k*k - 1) / a0, (1 - k/q + k*k) / a0}
}

// weighted returns the sound as the filters leave it.
func (s Sound) weighted(ctx context.Context) ([]float64, error) {
	out := make([]float64, len(s))
	for i, v := range s {
		out[i] = float64(v)
	}
	for _, f := range []biquad{shelf, highPass} {
		var x1, x2, y1, y2 float64
		err := stretches(ctx, len(out), func(from, to int) {
			for i, x := range out[from:to] {
				y := f.b0*x + f.b1*x1 + f.b2*x2 - f.a1*y1 - f.a2*y2
				x1, x2, y1, y2 = x, x1, y, y1
				out[from+i] = y
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
