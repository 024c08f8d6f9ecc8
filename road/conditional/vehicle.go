package conditional

import (
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/graph"
)

// Vehicle has what is known of the traveller's vehicle.
type Vehicle struct {
	Mode graph.Modes // for words such as "hgv"
	// Range returns the least and the most that a property may be, in tonnes, metres or
	// axles: both the same if it is known, 0 and infinity if nothing is.
	Range  func(property string) (least, most float64)
	Hazmat hours.State // whether dangerous goods are aboard
	// AnyDirection is true for a traveller who ignores one-way rules.
	AnyDirection bool
}

// AnyRange returns the Range of a vehicle of which nothing is known.
func AnyRange(string) (least, most float64) { return 0, math.Inf(1) }

// Term bounds a property of the vehicle: weight > 7.5.
type Term struct {
	Property string // "weight", "length", …, in tonnes and metres
	Sign     string // "<", "<=", "=", ">=", ">"
	Bound    float64
}

// units are the factors of a tonne or a metre for the units of bounds.
var units = map[string]float64{
	"": 1, "t": 1, "to": 1, "ton": 1, "tons": 1, "tonne": 1, "tonnes": 1, "mt": 1, "kg": 0.001, "lb": 0.00045359237, "lbs": 0.00045359237, "st": 0.90718474, "lt": 1.0160469088, "cwt": 0.05080234544,
	"m": 1, "metre": 1, "metres": 1, "meter": 1, "meters": 1, "cm": 0.01, "ft": 0.3048, "feet": 0.3048, "'": 0.3048,
}

// term reads a bound of a property, such as "weight>7.5" or "maxweight > 3.5 t"; kind is
// "hgv" for "weightrating:hgv>7.5".
func term(s string) (t Term, kind string, ok bool) {
	at := strings.IndexAny(s, "<>=")
	if at <= 0 {
		return t, "", false
	}
	sign := s[at : at+1]
	rest := s[at+1:]
	if r, more := strings.CutPrefix(rest, "="); more {
		sign, rest = sign+"=", r
	}
	rest = strings.TrimSpace(rest)
	end := 0
	for end < len(rest) && (rest[end] >= '0' && rest[end] <= '9' || rest[end] == '.' || rest[end] == ',') {
		end++
	}
	bound, err := strconv.ParseFloat(strings.ReplaceAll(rest[:end], ",", "."), 64)
	unit, known := units[strings.ToLower(strings.TrimSpace(rest[end:]))]
	if err != nil || !known {
		return t, "", false
	}
	property := strings.ToLower(strings.TrimSpace(s[:at]))
	property, kind, _ = strings.Cut(strings.TrimPrefix(property, "max"), ":")
	if property == "" || strings.ContainsAny(property, " ();@") || kind != "" && !isKind(kind) {
		return t, "", false
	}
	return Term{property, sign, bound * unit}, kind, true
}

// holds reports whether a vehicle meets the bound: Unknown if it is not certain.
func (t *Term) holds(v *Vehicle) hours.State {
	least, most := v.Range(t.Property)
	low, high := t.met(least), t.met(most)
	switch {
	case low != high, strings.HasPrefix(t.Sign, "=") && least < most && least <= t.Bound && t.Bound <= most:
		return hours.Unknown
	case low:
		return hours.Open
	}
	return hours.Closed
}

func (t *Term) met(value float64) bool {
	const rounding = 1e-6 // of values such as 3.4
	switch t.Sign {
	case "<":
		return value < t.Bound-rounding
	case "<=":
		return value <= t.Bound+rounding
	case ">=":
		return value >= t.Bound-rounding
	case ">":
		return value > t.Bound+rounding
	}
	return value >= t.Bound-rounding && value <= t.Bound+rounding
}

// isKind reports whether a word names kinds of vehicles or of loads.
func isKind(word string) bool {
	for part := range strings.SplitSeq(word, ",") {
		if _, ok := kind(strings.TrimSpace(part)); !ok && strings.TrimSpace(part) != "hazmat" {
			return false
		}
	}
	return true
}

// kind returns the modes of a kind of vehicle; none for one that is no mode of its own.
func kind(word string) (modes graph.Modes, ok bool) {
	for key, of := range graph.AccessKeys {
		if key == word && key != "access" {
			return of, true
		}
	}
	return 0, false
}

// is reports whether one of the words of a condition, separated by commas, is true of a
// vehicle.
func (v *Vehicle) is(words string) hours.State {
	state := hours.Closed
	for word := range strings.SplitSeq(words, ",") {
		switch v.isOne(strings.TrimSpace(word)) {
		case hours.Open:
			return hours.Open
		case hours.Unknown:
			state = hours.Unknown
		case hours.Closed:
		}
	}
	return state
}

func (v *Vehicle) isOne(word string) hours.State {
	if word == "hazmat" {
		return v.Hazmat
	}
	modes, ok := kind(word)
	switch {
	case !ok || word == "goods" && v.Mode&graph.Truck != 0: // a lorry may be light enough for one
		return hours.Unknown
	case modes&v.Mode != 0:
		return hours.Open
	}
	return hours.Closed
}
