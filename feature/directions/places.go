package directions

import (
	"encoding/json"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
)

// Quest says what a native request other than for a route may hold.
type Quest struct {
	Least, Most int      // locations
	Own         []string // members that its endpoint reads itself
	Costing     bool     // costing must be given; otherwise it is auto by default
	Bending     []string // members of body.Bending that bend its answer
	Narrated    bool     // the answer holds routes: units, language and the like are read
}

// Places are what native requests have in common, checked.
type Places struct {
	Route    engine.RouteRequest        // locations, costing, options and how to tell routes
	Own      map[string]json.RawMessage // members named in Quest.Own, as they came
	Warnings []engine.Warning
}

// Places checks the body of a native request other than for a route.
func (s *Service) Places(raw []byte, q Quest) (*Places, error) {
	doc, err := Object(raw)
	if err != nil {
		return nil, err
	}
	d := &decoder{Reader: body.Reader{Bounds: s.Bounds}, req: &Request{}}
	r := &d.req.Route
	if body.Absent(doc["costing"]) && !q.Costing {
		r.Costing = costing.Auto
	} else {
		r.Costing = d.Mode(doc["costing"])
	}
	r.Locations = d.Between(doc["locations"], "locations", q.Least, q.Most)
	if r.Costing.Known() {
		r.Options = d.Settle(r.Costing, d.Options(r.Costing, doc["costing_options"]))
	}
	known := slices.Concat([]string{"locations", "costing", "costing_options"}, elsewhere, q.Own, q.Bending)
	if len(q.Bending) > 0 {
		r.Bends = d.Bends(doc, q.Bending...)
	}
	if q.Narrated {
		known = append(known, body.Narrating()...)
		d.narrate(doc)
		if r.Format == engine.OSRM {
			d.Refuse("format", doc["format"], "must be json")
		}
	}
	d.Elsewhere(doc)
	if err := d.Err(); err != nil {
		return nil, err
	}
	own := map[string]json.RawMessage{}
	for _, name := range q.Own {
		if value, ok := doc[name]; ok {
			own[name] = value
		}
	}
	r.Extra, err = d.Beyond(doc, body.Rest{Known: known, Binding: slices.Concat(binding, bending), Harmless: Members(), Passed: s.Engine.Can().UnknownMembers})
	if err != nil {
		return nil, err
	}
	return &Places{Route: *r, Own: own, Warnings: d.Warnings}, nil
}

// bending are members that would bend an answer which does not heed them.
var bending = slices.DeleteFunc(body.Bending(), func(name string) bool { return name == "speed_types" })

// elsewhere are members of POST /route that body.Reader.Elsewhere refuses.
var elsewhere = []string{"adr", "avoid", "exclude"}
