// Package costing describes the ways of travel that a request may choose: the seven
// costings, and the one table of their options. What a request may hold, what
// the routing kernel reads, the defaults, the bounds that lead a search, the
// options that tests draw and the words of a rationale all follow from the
// table, so that an option is added in one place.
package costing

import "fmt"

// Costing is a way of travel. The zero value is none.
type Costing uint8

// The seven costings of the contract, in its order. The first three are of
// vehicles with dimensions.
const (
	Auto Costing = iota + 1
	Truck
	Bus
	MotorScooter
	Motorcycle
	Bicycle
	Pedestrian
)

// All are the seven costings in the contract's order.
var All = [...]Costing{Auto, Truck, Bus, MotorScooter, Motorcycle, Bicycle, Pedestrian}

var names = [Pedestrian + 1]string{"", "auto", "truck", "bus", "motor_scooter", "motorcycle", "bicycle", "pedestrian"}

// Names lists what costings are called.
func Names(list ...Costing) []string {
	all := make([]string, len(list))
	for i, c := range list {
		all[i] = names[c]
	}
	return all
}

// Named returns the costing of a name; the zero value where there is none.
func Named(name string) Costing {
	for _, c := range All {
		if names[c] == name {
			return c
		}
	}
	return 0
}

// String returns the costing's name, "" of none.
func (c Costing) String() string { return names[c] }

// MarshalText writes the name.
func (c Costing) MarshalText() ([]byte, error) { return []byte(names[c]), nil }

// UnmarshalText reads a name; any other text is an error.
func (c *Costing) UnmarshalText(text []byte) error {
	if *c = Named(string(text)); !c.Valid() {
		return fmt.Errorf("%q is not a costing", text)
	}
	return nil
}

// Words lists what a costing may be called.
func (Costing) Words() []string { return Names(All[:]...) }

// Valid reports whether c is one of the seven.
func (c Costing) Valid() bool { return c >= Auto && c <= Pedestrian }

// Motorised reports whether c is neither bicycle nor pedestrian.
func (c Costing) Motorised() bool { return c >= Auto && c <= Motorcycle }
