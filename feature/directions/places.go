package directions

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// Quest says what a native request other than for a route may hold.
type Quest struct {
	Least, Most int      // locations
	Own         []string // members that its endpoint reads itself
	Costing     bool     // costing must be given; otherwise it is auto by default
	Narrated    bool     // the answer holds routes: units, language and the like are read
}

// narration are the members of a route request that say how routes are told.
var narration = []string{"units", "language", "directions_type", "shape_format", "id"}

// Places are what native requests have in common, checked.
type Places struct {
	Route    engine.RouteRequest        // locations, costing, options and how to tell routes
	Own      map[string]json.RawMessage // members named in Quest.Own, as they came
	Warnings []Warning
}

// elsewhere are members of POST /route that set costing options. On another
// endpoint they must not be dropped, as a load could then go where it may not.
var elsewhere = []string{"adr", "avoid", "exclude"}

// Places checks the body of a native request other than for a route.
func (s *Service) Places(body []byte, q Quest) (*Places, error) {
	doc, err := Object(body)
	if err != nil {
		return nil, err
	}
	d := &decoder{bounds: s.Bounds, req: &Request{}}
	if absent(doc["costing"]) && !q.Costing {
		d.req.Route.Costing = engine.Auto
	} else {
		d.costing(doc["costing"])
	}
	d.places(doc["locations"], q)
	for _, name := range elsewhere {
		if wanted(doc[name]) {
			d.refuse(name, nil, "is read by POST /route only; here set the costing_options that it stands for")
		}
	}
	if d.req.Route.Costing != "" {
		chosen := d.options(doc["costing_options"])
		d.settle(chosen, "costing_options."+string(d.req.Route.Costing))
	}
	if q.Narrated {
		d.older(doc["directions_options"])
		for _, name := range narration {
			if !absent(doc[name]) {
				readers[name](d, doc[name], name)
			}
		}
		if d.req.Route.Face == engine.Compatible || wanted(doc["format"]) && string(doc["format"]) != `"json"` {
			d.refuse("format", doc["format"], "must be json")
		}
	}
	if err := fault.Invalid(d.bad...); err != nil {
		return nil, err
	}
	own := map[string]json.RawMessage{}
	rest := map[string]json.RawMessage{}
	for name, value := range doc {
		switch {
		case slices.Contains(elsewhere, name) || name == "locations" || name == "costing" || name == "costing_options":
		case q.Narrated && (slices.Contains(narration, name) || name == "directions_options" || name == "format"):
		case slices.Contains(q.Own, name):
			own[name] = value
		default:
			rest[name] = value
		}
	}
	extra, err := s.others(d, rest)
	if err != nil {
		return nil, err
	}
	d.req.Route.Extra = extra
	return &Places{Route: d.req.Route, Own: own, Warnings: d.req.warnings}, nil
}

func (d *decoder) places(raw json.RawMessage, q Quest) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) < q.Least {
		d.refuse("locations", raw, "must be a list of at least %d and at most %d objects with lat and lon", q.Least, q.Most)
		return
	}
	if len(list) > q.Most {
		d.refuse("locations", nil, "has %d locations and may have %d", len(list), q.Most)
		return
	}
	for i, one := range list {
		d.req.Route.Locations = append(d.req.Route.Locations, d.location(one, fmt.Sprintf("locations[%d]", i)))
	}
}

// others handles members that neither the gateway nor the endpoint reads: a
// remote engine gets them as they came; ours refuses those that would change
// the answer and has the caller warned of the rest.
func (s *Service) others(d *decoder, rest map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	extra := map[string]json.RawMessage{}
	for _, name := range sorted(rest) {
		switch {
		case !wanted(rest[name]):
		case s.Remote:
			extra[name] = rest[name]
			if !slices.Contains(Members(), name) {
				d.warn(unknownMember, "%s is not known here; the routing engine got it as it is", name)
			}
		case slices.Contains(binding, name), slices.Contains(bending, name):
			return nil, fault.New(fault.NotEnabled, "%s is not enabled here: the routing engine cannot honour it, and an answer without it could be the wrong one; leave it out", name).
				With("field", name)
		default:
			d.warn(unknownMember, "%s is not known here and had no effect", name)
		}
	}
	return extra, nil
}
