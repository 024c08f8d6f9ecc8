package json

import (
	"math"
	"strconv"
)

// tens are the powers of ten that a number of decimals is scaled by.
var tens = [...]float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}

// AppendNumber appends a number rounded to so many decimals, 0 to 6, without
// noughts at its end. What is no number becomes 0.
func AppendNumber(dst []byte, v float64, digits int) []byte { return AppendDecimal(dst, v, digits, 0) }

// AppendDecimal is AppendNumber with at least so many decimals, noughts or not.
func AppendDecimal(dst []byte, v float64, digits, least int) []byte {
	scaled := v * tens[digits]
	if !(math.Abs(scaled) < 1e15-0.5) { // more digits than a float64 holds
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return AppendDecimal(dst, 0, digits, least)
		}
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	n := int64(math.Round(scaled))
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	unit := units[digits]
	whole := uint64(n) / unit
	rest := uint32(uint64(n) - whole*unit)
	dst = appendUint(dst, whole)
	for digits > least && rest%10 == 0 {
		rest, digits = rest/10, digits-1
	}
	if digits == 0 {
		return dst
	}
	switch digits {
	case 1:
		return append(dst, '.', byte('0'+rest))
	case 2:
		return append(dst, '.', pairs[2*rest], pairs[2*rest+1])
	case 3:
		high := rest / 100
		low := 2 * (rest - 100*high)
		return append(dst, '.', byte('0'+high), pairs[low], pairs[low+1])
	}
	for d := digits; d < 6; d++ {
		rest *= 10
	}
	high := rest / 10_000
	middle := rest/100 - 100*high
	low := 2 * (rest - 100*(rest/100))
	dst = append(dst, '.', pairs[2*high], pairs[2*high+1], pairs[2*middle], pairs[2*middle+1], pairs[low], pairs[low+1])
	return dst[:len(dst)-6+digits]
}

var units = [len(tens)]uint64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}

// pairs are the numbers below 100 in two digits each.
const pairs = "00010203040506070809" +
	"10111213141516171819" +
	"20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" +
	"50515253545556575859" +
	"60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" +
	"90919293949596979899"

func appendInt(dst []byte, n int64) []byte {
	if n < 0 {
		return strconv.AppendInt(dst, n, 10)
	}
	return appendUint(dst, uint64(n))
}

// appendUint is strconv.AppendUint, faster for the small numbers that most are.
func appendUint(dst []byte, n uint64) []byte {
	switch {
	case n < 10:
		return append(dst, byte('0'+n))
	case n < 100:
		return append(dst, pairs[2*n], pairs[2*n+1])
	case n < 1000:
		hundreds := n / 100
		low := 2 * (n - 100*hundreds)
		return append(dst, byte('0'+hundreds), pairs[low], pairs[low+1])
	}
	return strconv.AppendUint(dst, n, 10)
}

// Round keeps so many decimals, 0 to 6, as AppendNumber writes them.
func Round(v float64, digits int) float64 { return math.Round(v*tens[digits]) / tens[digits] }
