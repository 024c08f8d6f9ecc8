package directions

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
)

// capabilities are members that ask for more than a route. Where one is set,
// the answer is a 501 of its own.
var capabilities = []string{"scenic", "traffic", "emissions", "avoid_zones"}

// binding are members of an engine's native request that change which route
// is right. An engine that cannot honour them must not answer as if they had
// not been there.
var binding = []string{
	"recostings", "elevation_interval", "linear_references",
}

// harmless are members of an engine's native request without which the route
// is still the right one.
var harmless = []string{
	"prioritize_bidirectional",
}

// apart are the members of POST /route that it reads itself.
var apart = []string{"locations", "costing", "costing_options", "adr", "avoid", "exclude", "alternates", "rationale", "landmarks"}

// Explained are the costings whose routes can be explained.
var Explained = []costing.Costing{costing.Truck, costing.Auto, costing.Bicycle, costing.Pedestrian, costing.MotorScooter}

// own lists every member that is read here.
func own() []string {
	return slices.Concat(apart, guiding, body.Bending(), body.Narrating(), body.Details())
}

// Members lists every member of a native request that the gateway knows.
func Members() []string {
	all := slices.Concat(own(), capabilities, binding, harmless)
	slices.Sort(all)
	return all
}

// Native checks the body of a native request.
func (s *Service) Native(raw []byte) (*Request, error) {
	doc, err := Object(raw)
	if err != nil {
		return nil, err
	}
	d := &decoder{Reader: body.Reader{Bounds: s.Bounds}, req: &Request{}}
	r := &d.req.Route
	r.Costing = d.Mode(doc["costing"])
	r.Locations = d.Between(doc["locations"], "locations", 2, MaxLocations)
	d.alternates(doc["alternates"])
	r.Detail = d.Detail(doc)
	r.Bends = d.Bends(doc)
	d.narrate(doc)
	d.guidance(doc)
	d.face()
	var chosen map[string]json.RawMessage
	if r.Costing.Known() {
		chosen = d.Options(r.Costing, doc["costing_options"])
		if !body.Absent(doc["adr"]) {
			d.req.adr = d.load(doc["adr"])
		}
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	if l := d.req.adr; l != nil {
		if err := l.merge(chosen); err != nil {
			return nil, err
		}
	}
	if err := d.req.lists(doc, chosen); err != nil {
		return nil, err
	}
	r.Options = d.Settle(r.Costing, chosen)
	d.rationale(doc["rationale"])
	d.landmarks(doc["landmarks"])
	if err := d.Err(); err != nil {
		return nil, err
	}
	if err := s.beyond(d, doc); err != nil {
		return nil, err
	}
	d.finish(s.Engine.Can())
	return d.req, nil
}

func (d *decoder) alternates(raw json.RawMessage) {
	if body.Absent(raw) {
		return
	}
	v, ok := d.Number(raw, "alternates", "", 0, MaxAlternates)
	if ok && v != float64(int(v)) {
		d.Refuse("alternates", raw, "must be a whole number")
	}
	d.req.Route.Alternates = int(v)
}

// rationale reads whether the route is to be explained, which compares lines.
func (d *decoder) rationale(raw json.RawMessage) {
	r := &d.req.Route
	if body.Absent(raw) || !d.Flag(raw, "rationale") {
		return
	}
	d.req.Rationale = true
	switch {
	case !slices.Contains(Explained, r.Costing):
		d.Refuse("rationale", raw, "is not possible with the costing %s; it is with %s", r.Costing, body.Listed(costing.Names(Explained...)))
	case r.ShapeFormat == "no_shape":
		d.Refuse("rationale", raw, "is not possible with shape_format no_shape: routes are compared by their lines")
	}
}

// landmarks reads whether places are to be named, which takes where they are.
func (d *decoder) landmarks(raw json.RawMessage) {
	if body.Absent(raw) || !d.Flag(raw, "landmarks") {
		return
	}
	d.req.Landmarks = true
	r := &d.req.Route
	switch {
	case r.Format == engine.Native && r.ShapeFormat == "no_shape":
		d.Refuse("landmarks", raw, "is not possible with shape_format no_shape: places are named by where a manoeuvre is")
	case !r.Speaks():
		d.Warn(body.WithoutEffect, "landmarks has an effect with instructions only; directions_type asks for none")
	}
}

// face sets what the compatible form of a native request implies: steps, unless
// it asked for no directions, and the whole geometry, as the engine the request
// comes from has it.
func (d *decoder) face() {
	r := &d.req.Route
	if r.Format != engine.OSRM {
		return
	}
	r.Steps, r.Overview, r.Geometries = r.Directions != engine.NoDirections, "full", "polyline6"
	switch r.ShapeFormat {
	case "polyline5":
		r.Geometries = "polyline"
	case "geojson":
		r.Geometries = "geojson"
	}
}

// beyond handles members that the gateway leaves to the engine.
func (s *Service) beyond(d *decoder, doc map[string]json.RawMessage) (err error) {
	for _, name := range capabilities {
		if body.Wanted(doc[name]) {
			slug := fault.Slug(strings.ReplaceAll(name, "_", "-") + "-not-enabled")
			return fault.New(slug, "%s is not enabled on this deployment; leave it out or send false", name).With("field", name)
		}
	}
	if string(doc["elevation_interval"]) == "0" {
		delete(doc, "elevation_interval") // asks for none, as leaving it out does
	}
	d.req.Route.Extra, err = d.Beyond(doc, body.Rest{Known: slices.Concat(own(), capabilities), Binding: binding, Harmless: harmless, Passed: s.Engine.Can().UnknownMembers})
	return err
}

// finish drops what a valid request asks for in vain.
func (d *decoder) finish(can engine.Can) {
	r := &d.req.Route
	if !can.AlternatesVia && r.Alternates > 0 && len(r.Locations) > 2 {
		r.Alternates = 0
		d.Warn(body.WithoutEffect, "the routing engine here finds alternates between two locations only; this request has %d", len(r.Locations))
	}
	if !can.ShapeFormats && r.Format == engine.Native && r.ShapeFormat != "" && r.ShapeFormat != "polyline6" {
		d.Warn(body.WithoutEffect, "shape_format has an effect with format osrm only on the routing engine here: lines are polylines with six digits")
	}
	d.req.warnings = d.Warnings
}
