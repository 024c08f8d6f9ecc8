package narrate

import (
	"math"
	"strconv"
)

const (
	foot = 0.3048
	yard = 3 * foot
	mile = 1609.344
)

// appendLength puts a distance into words, as exactly as a listener needs.
func (v *wording) appendLength(b []byte, m *measures, metres float64, miles bool) []byte {
	switch {
	case !miles && metres < 950:
		return v.count(b, &m.Metre, 2*short(metres))
	case !miles:
		return v.count(b, &m.Kilometre, roundHalves(metres/1000))
	case v.Feet && metres < 1050*foot:
		return v.count(b, &m.Foot, 2*short(metres/foot))
	case !v.Feet && metres < 325*yard:
		return v.count(b, &m.Yard, 2*short(metres/yard))
	case metres < 0.375*mile:
		return append(b, m.Quarter...)
	case metres < 0.625*mile:
		return append(b, m.Half...)
	case metres < 0.875*mile:
		return append(b, m.ThreeQuarters...)
	}
	return v.count(b, &m.Mile, roundHalves(metres/mile))
}

// short rounds a count of small units.
func short(n float64) int {
	step := 100
	switch {
	case n < 95:
		step = 10
	case n < 375:
		step = 50
	}
	return max(10, int(math.Round(n/float64(step)))*step)
}

// roundHalves counts large units in halves: to the next half below 10, else to the
// next whole.
func roundHalves(n float64) int {
	if n < 9.75 {
		return max(2, int(math.Round(2*n)))
	}
	return 2 * int(math.Round(n))
}

// count writes a number of halves and its unit.
func (v *wording) count(b []byte, u *unit, halves int) []byte {
	if halves == 2 {
		return append(b, u.One...)
	}
	b = strconv.AppendInt(b, int64(halves/2), 10)
	if halves%2 != 0 {
		b = append(b, v.Decimal, '5')
	}
	b = append(b, ' ')
	return append(b, u.After[v.Plural(halves)]...)
}
