package conditional

import (
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/graph"
)

// SpeedRule is a conditional tag of speed limits, for some modes in one direction of a way.
type SpeedRule struct {
	Tag     string // key and value, for people
	Modes   graph.Modes
	own     bool // of a kind of vehicle, beside the limit for all
	values  []uint8
	clauses []Clause
}

// IsSpeed reports whether a key without its condition is one of speed limits for all motor
// traffic or for a kind of it, perhaps in one direction.
func IsSpeed(name string) bool {
	for key, modes := range speedKeys {
		for _, side := range []string{"", ":forward", ":backward"} {
			if modes != 0 && name == key+side {
				return true
			}
		}
	}
	return false
}

// speedKeys yields the keys of speed limits.
func speedKeys(yield func(key string, modes graph.Modes) bool) {
	for key, modes := range graph.AccessKeys {
		name := "maxspeed:" + key
		switch key {
		case "access":
			name = "maxspeed"
		case "goods":
			modes = graph.Truck
		}
		if !yield(name, modes&graph.Motor) {
			return
		}
	}
}

// FormatSpeeds returns the value that rules of speed are read from: the parts of a
// conditional tag, whose values parse reads in km/h, or returns 0 for. It is empty if no
// part can be read.
func FormatSpeeds(tag string, parse func(string) uint8) string {
	var parts []string
	for value, condition := range Split(tag) {
		if kmh := parse(value); kmh > 0 && condition != "" {
			parts = append(parts, strconv.Itoa(int(kmh))+" @ "+condition)
		}
	}
	return strings.Join(parts, "; ")
}

// speeds reads the format of FormatSpeeds, the general rules before the particular.
func (t tagged) speeds(backward bool) (list []SpeedRule) {
	for key, modes := range speedKeys {
		for _, name := range names(key, backward) {
			value := t[name+":conditional"]
			if value == "" || modes == 0 {
				continue
			}
			r := SpeedRule{Tag: name + ":conditional=" + value, Modes: modes, own: key != "maxspeed"}
			for _, c := range Clauses(value) {
				if kmh, err := strconv.ParseUint(c.Value, 10, 8); err == nil && kmh > 0 && !c.If.Business {
					r.values, r.clauses = append(r.values, uint8(kmh)), append(r.clauses, c)
				}
			}
			if len(r.clauses) > 0 {
				list = append(list, r)
			}
		}
	}
	return list
}

// TimedSpeeds returns the modes whose speed limits depend on the time.
func (l *Rules) TimedSpeeds() (modes graph.Modes) {
	for i := range l.Speeds {
		if slices.ContainsFunc(l.Speeds[i].clauses, func(c Clause) bool { return c.If.Timed() }) {
			modes |= l.Speeds[i].Modes
		}
	}
	return modes
}

// LimitsAt returns the speed limits for a vehicle at a moment in place of the usual ones.
// Rules whose conditions depend on what is not known do not count.
func (l *Rules) LimitsAt(usual graph.SpeedLimits, m *LocalTime, v *Vehicle) graph.SpeedLimits {
	for i := range l.Speeds {
		r := &l.Speeds[i]
		if r.Modes&v.Mode == 0 {
			continue
		}
		for j := range r.clauses {
			if c := &r.clauses[j].If; (m != nil || !c.Timed()) && c.At(m, v) == hours.Open {
				usual = r.put(usual, r.values[j])
			}
		}
	}
	return usual
}

func (r *SpeedRule) put(l graph.SpeedLimits, kmh uint8) graph.SpeedLimits {
	if r.own {
		l.Own = kmh
	} else {
		l.All = kmh
	}
	return l
}

// Fastest returns limits at or above those of any moment for any vehicle of a mode. A sort
// without a usual limit has none.
func (l *Rules) Fastest(usual graph.SpeedLimits, mode graph.Modes) graph.SpeedLimits {
	most := usual
	for i := range l.Speeds {
		r := &l.Speeds[i]
		if r.Modes&mode == 0 {
			continue
		}
		for _, kmh := range r.values {
			switch {
			case r.own && usual.Own > 0:
				most.Own = max(most.Own, kmh)
			case !r.own && usual.All > 0:
				most.All = max(most.All, kmh)
			}
		}
	}
	return most
}

// SpeedMinutesOn is MinutesOn for speed limits.
func (l *Rules) SpeedMinutesOn(list []int, m LocalTime) []int {
	for i := range l.Speeds {
		for j := range l.Speeds[i].clauses {
			list = l.Speeds[i].clauses[j].If.MinutesOn(list, m)
		}
	}
	return list
}

// SpeedsPlaced reports whether the times of speed limits depend on the place.
func (l *Rules) SpeedsPlaced() bool {
	return slices.ContainsFunc(l.Speeds, func(r SpeedRule) bool {
		return slices.ContainsFunc(r.clauses, func(c Clause) bool { return c.If.Placed() })
	})
}
