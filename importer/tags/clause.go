package tags

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/waygate/waygate/road/graph"
)

// clause is a part of a conditional tag that depends on the kind of vehicle and on its
// weight alone: none @ (psv), no @ (hgv AND weight > 7.5).
type clause struct {
	value string
	modes graph.Modes // whom it concerns: AllModes where it names nobody
	// over and upTo are the bounds of the weights concerned, in tonnes: above over (0
	// for no bound), and at most upTo (infinite for no bound).
	over, upTo float64
}

// vehicleWords are the words of tags for kinds of vehicles, in keys and in conditions.
// Those of a higher rank are more particular.
var vehicleWords = map[string]struct {
	modes graph.Modes
	rank  int
}{
	"vehicle": {graph.Vehicles, 1}, "motor_vehicle": {graph.Motor, 2},
	"motorcar": {motorcars, 3}, "motorhome": {motorcars, 4}, "goods": {graph.Truck, 3}, "hgv": {graph.Truck, 4},
	"psv": {graph.Bus | graph.Taxi, 3}, "bus": {graph.Bus, 4}, "taxi": {graph.Taxi, 4},
	"motorcycle": {graph.Motorcycle, 3}, "moped": {graph.MotorScooter, 3}, "bicycle": {graph.Bicycle, 3}, "foot": {onFoot, 3},
}

// motorcars are the modes of the key motorcar.
const motorcars = graph.Auto | graph.HOV | graph.Taxi

// weightBound matches a bound of a vehicle's weight: weight > 7.5, maxweightrating:hgv
// <= 3.5 t.
var weightBound = regexp.MustCompile(`^(?:max)?(?:gross|gc)?weight(?:rating)?(?::(\w+))?\s*(>=?|<=?)\s*([0-9].*)$`)

// clauses reads the parts of a conditional tag that depend on the kind of vehicle and
// its weight alone.
func clauses(tag string) (list []clause) {
	for part := range strings.SplitSeq(bracketed.ReplaceAllStringFunc(tag, commas), ";") {
		value, condition, ok := strings.Cut(part, "@")
		if !ok {
			continue
		}
		c := clause{value: strings.TrimSpace(value), modes: graph.AllModes, upTo: math.Inf(1)}
		condition = strings.Trim(condition, " ()")
		if !slices.ContainsFunc(and.Split(condition, -1), func(term string) bool { return !c.read(strings.TrimSpace(term)) }) {
			list = append(list, c)
		}
	}
	return list
}

var (
	bracketed = regexp.MustCompile(`\([^()]*\)`)
	and       = regexp.MustCompile(`(?i)\s+and\s+`)
)

// commas replaces the semicolons within brackets by commas.
func commas(s string) string { return strings.ReplaceAll(s, ";", ",") }

// read adds a condition to the clause; ok is false for one of another kind.
func (c *clause) read(term string) (ok bool) {
	if m := weightBound.FindStringSubmatch(term); m != nil {
		if v, known := vehicleWords[m[1]]; known {
			c.modes &= v.modes
		} else if m[1] != "" {
			return false
		}
		n := Tonnes(m[3])
		if m[2][0] == '>' {
			c.over = n
		} else {
			c.upTo = n
		}
		return n > 0
	}
	var named graph.Modes
	for word := range strings.SplitSeq(term, ",") {
		v, known := vehicleWords[strings.TrimSpace(word)]
		if !known {
			return false
		}
		named |= v.modes
	}
	c.modes &= named
	return true
}
