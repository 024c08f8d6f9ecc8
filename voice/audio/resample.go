package audio

import "math"

// lobes is how many zero crossings of the sinc the filter has on either side.
const lobes = 12

// resample changes the samples a second by interpolation with a sinc under a Hann window, cut
// off at the lower of both rates (https://ccrma.stanford.edu/~jos/resample/). The filter is
// worked out once for each phase that samples have to each other.
func resample(s Sound, from, to int) Sound {
	if from == to || len(s) == 0 {
		return s
	}
	divisor := gcd(from, to)
	up, down := to/divisor, from/divisor
	cut := min(1, float64(to)/float64(from))
	half := int(math.Ceil(lobes / cut))
	filters := make([][]float32, up)
	out := make(Sound, len(s)*up/down)
	for i := range out {
		at, phase := i*down/up, i*down%up
		if filters[phase] == nil {
			filters[phase] = windowedSinc(float64(phase)/float64(up), cut, half)
		}
		sum := float32(0)
		for k, weight := range filters[phase] {
			if j := at - half + 1 + k; j >= 0 && j < len(s) {
				sum += s[j] * weight
			}
		}
		out[i] = sum
	}
	return out
}

// windowedSinc returns the weights of the samples around a place that lies after a sample by a
// part of the distance to the next. The weights have the sum 1.
func windowedSinc(after, cut float64, half int) []float32 {
	weights := make([]float64, 2*half)
	sum := 0.0
	for k := range weights {
		x := float64(k-half+1) - after
		w := 1.0
		if x != 0 {
			w = math.Sin(math.Pi*x*cut) / (math.Pi * x * cut)
		}
		w *= 0.5 + 0.5*math.Cos(math.Pi*min(1, math.Abs(x)/float64(half)))
		weights[k] = w
		sum += w
	}
	out := make([]float32, len(weights))
	for k, w := range weights {
		out[k] = float32(w / sum)
	}
	return out
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
