package tags

import (
	"math"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// The weights in tonnes that part the classes of goods vehicles N1, N2 and N3 of UNECE's
// Consolidated Resolution on the Construction of Vehicles (R.E.3), and those of buses, M2
// and M3. A heavy goods vehicle is of N2 or N3.
const (
	aboveN1 = 3.5
	aboveN2 = 12
	aboveM2 = 5
)

// tollKeys say who pays toll, from the general to the particular, and the weights in tonnes
// that they are about.
var tollKeys = []struct {
	key        string
	modes      graph.Modes
	over, upTo float64
}{
	{"toll", graph.AllModes, 0, math.Inf(1)},
	{"toll:vehicle", graph.Vehicles, 0, math.Inf(1)},
	{"toll:motor_vehicle", graph.Motor, 0, math.Inf(1)},
	{"toll:motorcar", motorcars, 0, math.Inf(1)},
	{"toll:M1", motorcars, 0, math.Inf(1)},
	{"toll:goods", graph.Truck, 0, aboveN1},
	{"toll:N1", graph.Truck, 0, aboveN1},
	{"toll:hgv", graph.Truck, aboveN1, math.Inf(1)},
	{"toll:N2", graph.Truck, aboveN1, aboveN2},
	{"toll:N3", graph.Truck, aboveN2, math.Inf(1)},
	{"toll:psv", graph.Bus | graph.Taxi, 0, math.Inf(1)},
	{"toll:bus", graph.Bus, 0, math.Inf(1)},
	{"toll:M2", graph.Bus, 0, aboveM2},
	{"toll:M3", graph.Bus, aboveM2, math.Inf(1)},
	{"toll:taxi", graph.Taxi, 0, math.Inf(1)},
	{"toll:motorcycle", graph.Motorcycle, 0, math.Inf(1)},
	{"toll:moped", graph.MotorScooter, 0, math.Inf(1)},
	{"toll:bicycle", graph.Bicycle, 0, math.Inf(1)},
	{"toll:foot", onFoot, 0, math.Inf(1)},
}

// toll has the travellers that pay toll.
type toll struct {
	modes graph.Modes // but for the three below
	// from is the weight in tonnes from which on cars, lorries and buses pay; infinite
	// where they do not.
	from [3]float64
}

// weighed are the modes whose toll may depend on the weight.
var weighed = [3]graph.Modes{graph.Auto, graph.Truck, graph.Bus}

// set has those pay, or not pay, whom a tag is about. Who pays from some weight on pays
// from there on whatever the weight: a toll for light vehicles alone is one for all, but
// for lorries and buses that are heavier than a weight and pay none.
func (x *toll) set(pay bool, modes graph.Modes, over, upTo float64) {
	for i, m := range weighed {
		switch {
		case modes&m == 0:
		case pay:
			x.from[i] = min(x.from[i], over)
		case x.from[i] >= over && x.from[i] < upTo, m != graph.Auto && math.IsInf(upTo, 1):
			x.from[i] = upTo
		}
	}
	switch {
	case pay && over == 0:
		x.modes |= modes
	case !pay && over == 0 && math.IsInf(upTo, 1):
		x.modes &^= modes
	}
}

// tolls fills who pays toll, in both directions.
func (w *Way) tolls(t osm.Tags) {
	if !tollTagged(t) {
		return
	}
	tolls(t, ":forward", 0, &w.Forward.Limits)
	tolls(t, ":backward", 0, &w.Backward.Limits)
	if w.Forward.Limits.Toll|w.Backward.Limits.Toll != 0 {
		w.Flags |= graph.Toll
	}
}

// tolls puts among limits who pays toll in a direction, given by the suffix of its keys.
// byDefault pay where no tag says otherwise.
func tolls(t osm.Tags, suffix string, byDefault graph.Modes, l *graph.Limits) {
	x := toll{from: [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}}
	x.set(true, byDefault, 0, math.Inf(1))
	for _, k := range tollKeys {
		for _, key := range [...]string{k.key, k.key + suffix} {
			switch v := t.Get(key); {
			case yes(v):
				x.set(true, k.modes, k.over, k.upTo)
			case no(v) && k.modes == motorcars:
				// Nowhere do lighter vehicles pay where cars do not, unless a key says so.
				x.set(false, graph.AllModes&^(graph.Truck|graph.Bus), k.over, k.upTo)
			case no(v):
				x.set(false, k.modes, k.over, k.upTo)
			}
		}
		for _, c := range clauses(t.Get(k.key + ":conditional")) {
			if yes(c.value) || no(c.value) {
				x.set(yes(c.value), k.modes&c.modes, max(k.over, c.over), min(k.upTo, c.upTo))
			}
		}
		// A toll that is charged in some hours counts as charged in all.
		for _, c := range conditional.Clauses(t.Get(k.key + ":conditional")) {
			if modes := k.modes & named(c.If.Words); yes(c.Value) && c.If.Timed() && len(c.If.Terms) == 0 {
				x.set(true, modes, k.over, k.upTo)
			}
		}
	}
	l.Toll = x.modes &^ (weighed[0] | weighed[1] | weighed[2])
	for i, b := range [...]*graph.Bounds{&l.Car, &l.Lorry, &l.Bus} {
		if !math.IsInf(x.from[i], 1) {
			l.Toll |= weighed[i]
			b.TollOver = hundredths(x.from[i])
		}
	}
}

// named returns the modes of the kinds of vehicle that all of some words, each a list between
// commas, name; none where one is of something else.
func named(words []string) graph.Modes {
	modes := graph.AllModes
	for _, list := range words {
		var any graph.Modes
		for word := range strings.SplitSeq(list, ",") {
			any |= vehicleWords[strings.TrimSpace(word)].modes
		}
		modes &= any
	}
	return modes
}

// tollTagged reports whether tags say anything of toll.
func tollTagged(t osm.Tags) bool {
	for _, tag := range t {
		if tag.Key == "toll" || strings.HasPrefix(tag.Key, "toll:") {
			return true
		}
	}
	return false
}
