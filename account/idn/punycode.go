package idn

import (
	"math"
	"strings"
	"unicode/utf8"
)

// The parameters of RFC 3492, section 5.
const (
	base        = 36
	tMin        = 1
	tMax        = 26
	skew        = 38
	damp        = 700
	initialBias = 72
)

// punycode encodes a label as in RFC 3492, section 6.3: first its ASCII
// characters, then, from the lowest code point to the highest, where the others
// go, each as the distance from the one before in digits of varying weight.
func punycode(label string) string {
	var out strings.Builder
	for i := range len(label) {
		if label[i] < utf8.RuneSelf {
			out.WriteByte(label[i])
		}
	}
	done := out.Len()
	plain := done
	if done > 0 {
		out.WriteByte('-')
	}
	total := utf8.RuneCountInString(label)
	delta, bias := 0, initialBias
	for code := rune(utf8.RuneSelf); done < total; code++ {
		next := rune(math.MaxInt32)
		for _, r := range label {
			if r >= code {
				next = min(next, r)
			}
		}
		delta += int(next-code) * (done + 1)
		code = next
		for _, r := range label {
			if r < code {
				delta++
			}
			if r == code {
				writeDelta(&out, delta, bias)
				bias = adapt(delta, done+1, done == plain)
				delta = 0
				done++
			}
		}
		delta++
	}
	return out.String()
}

func writeDelta(out *strings.Builder, delta, bias int) {
	for k := base; ; k += base {
		t := min(max(k-bias, tMin), tMax)
		if delta < t {
			out.WriteByte(digit(delta))
			return
		}
		out.WriteByte(digit(t + (delta-t)%(base-t)))
		delta = (delta - t) / (base - t)
	}
}

func digit(n int) byte { return "abcdefghijklmnopqrstuvwxyz0123456789"[n] }

// adapt gives the bias for the next delta (section 6.1).
func adapt(delta, points int, first bool) int {
	if first {
		delta /= damp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for ; delta > (base-tMin)*tMax/2; k += base {
		delta /= base - tMin
	}
	return k + base*delta/(delta+skew)
}
