package route

import (
	"encoding/json"
	"fmt"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// The members that the endpoints about a route or a trace have in common.

// Travel is how one travels.
type Travel struct {
	Costing        string                                `json:"costing,omitempty" enum:"auto,truck,bus,motor_scooter,motorcycle,bicycle,pedestrian" default:"auto"`
	CostingOptions map[string]map[string]json.RawMessage `json:"costing_options,omitempty" doc:"options by costing, as on POST /route"`
}

// how reads and checks the costing and its options.
func (t *Travel) how() (costing.Costing, costing.Settings, error) {
	c := costing.Named(t.Costing)
	if t.Costing == "" {
		c = costing.Auto
	}
	var bad []fault.Violation
	for name := range t.CostingOptions {
		if !costing.Named(name).Known() {
			bad = append(bad, fault.Violation{Location: "costing_options." + name, Message: "is not a costing"})
		}
	}
	at := "costing_options." + c.String()
	s, unknown, wrong := costing.Parse(c, t.CostingOptions[c.String()], at)
	for _, name := range unknown {
		bad = append(bad, fault.Violation{Location: at + "." + name, Message: "is not an option of " + c.String()})
	}
	return c, s, fault.Invalid(append(bad, wrong...)...)
}

// maxShape is how many points a line of a request may have.
const maxShape = 20_000

// Drawn is a line given as points or encoded.
type Drawn struct {
	Shape   []Position `json:"shape,omitempty" minItems:"2" maxItems:"20000" doc:"a line as points"`
	Encoded string     `json:"encoded_polyline,omitempty" doc:"a line as an encoded polyline of six digits"`
}

// given reports whether there is a line.
func (d *Drawn) given() bool { return len(d.Shape) > 0 || d.Encoded != "" }

// line reads it.
func (d *Drawn) line() ([]geo.Point, error) {
	if len(d.Shape) > 0 && d.Encoded != "" {
		return nil, fault.Invalid(fault.Violation{Location: "encoded_polyline", Message: "stands beside shape: a line is given once"})
	}
	if d.Encoded == "" {
		line := make([]geo.Point, len(d.Shape))
		for i, p := range d.Shape {
			line[i] = p.point()
		}
		return line, nil
	}
	wrong := func(format string, args ...any) error {
		return fault.Invalid(fault.Violation{Location: "encoded_polyline", Value: d.Encoded, Message: fmt.Sprintf(format, args...)})
	}
	line, err := geo.DecodePolyline(d.Encoded, 6)
	switch {
	case err != nil:
		return nil, wrong("is not a polyline of six digits: %v", err)
	case len(line) < 2:
		return nil, wrong("has %d of at least two points", len(line))
	case len(line) > maxShape:
		return nil, wrong("has %d points and may have %d", len(line), maxShape)
	}
	return line, nil
}

func (p Position) point() geo.Point { return geo.Point{Lon: p.Lon, Lat: p.Lat} }

// oneOf refuses a request that gives none or several of the ways to say a
// thing.
func oneOf(what string, given map[string]bool, order ...string) error {
	var there []string
	for _, name := range order {
		if given[name] {
			there = append(there, name)
		}
	}
	switch len(there) {
	case 1:
		return nil
	case 0:
		return fault.Invalid(fault.Violation{Location: order[0], Message: fmt.Sprintf("is missing: %s is given by one of %v", what, order)})
	}
	return fault.Invalid(fault.Violation{Location: there[1], Message: fmt.Sprintf("stands beside %s: %s is given by one of %v", there[0], what, order)})
}

func missingMember(name, why string) error {
	return fault.Invalid(fault.Violation{Location: name, Message: "is missing: " + why})
}
