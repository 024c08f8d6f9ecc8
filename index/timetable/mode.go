package timetable

// Mode is a kind of vehicle.
type Mode uint8

// The modes, in the order of their bits in a Modes.
const (
	Other Mode = iota
	Bus
	Coach
	Tram
	Metro
	Rail
	Ferry
	CableCar
	modes
)

var modeNames = [modes]string{"other", "bus", "coach", "tram", "metro", "rail", "ferry", "cable_car"}

// String returns the mode's name as callers write it.
func (m Mode) String() string { return modeNames[min(m, modes-1)] }

// Modes is a set of modes.
type Modes uint16

// Road are the modes of timetables of buses.
const Road = Modes(1<<Bus | 1<<Coach)

// All is every mode.
const All = Modes(1<<modes - 1)

// ModeNames lists the names of all modes.
func ModeNames() []string { return modeNames[:] }

// ModeOf finds a mode by its name.
func ModeOf(name string) (Mode, bool) {
	for m, n := range modeNames {
		if n == name {
			return Mode(m), true
		}
	}
	return 0, false
}

// Set returns the set of one mode.
func (m Mode) Set() Modes { return 1 << m }

// Has reports whether a set has a mode.
func (s Modes) Has(m Mode) bool { return s&m.Set() != 0 }

// Names lists the modes of a set.
func (s Modes) Names() []string {
	list := []string{}
	for m := range modes {
		if s.Has(m) {
			list = append(list, m.String())
		}
	}
	return list
}

// ModeOfType returns the mode of a route_type of GTFS, of the first list or of the extended one
// (https://developers.google.com/transit/gtfs/reference/extended-route-types).
func ModeOfType(t int) Mode {
	switch {
	case t == 0 || t == 5 || t/100 == 9:
		return Tram
	case t == 1 || t == 12 || t/100 == 4 || t/100 == 5 || t/100 == 6:
		return Metro
	case t == 2 || t/100 == 1 || t/100 == 3:
		return Rail
	case t == 3 || t == 11 || t/100 == 7 || t/100 == 8:
		return Bus
	case t == 4 || t/100 == 10 || t/100 == 12:
		return Ferry
	case t == 6 || t == 7 || t/100 == 13 || t/100 == 14:
		return CableCar
	case t/100 == 2:
		return Coach
	}
	return Other
}
