package native

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// RouteRequest is the body of POST /route.
type RouteRequest struct {
	Locations []RouteLocation `json:"locations" minItems:"2" maxItems:"50" of:"locations" doc:"places in order"`
	Travel
	ADR        *ADRProfile `json:"adr,omitempty" doc:"lorry and dangerous goods; truck only; merged into costing_options.truck"`
	Avoid      Words       `json:"avoid,omitzero" enum:"tolls,highways,ferries" doc:"preference: tolls, highways (motorised), ferries"`
	Exclude    Words       `json:"exclude,omitzero" enum:"tolls,highways,ferries,bridges,tunnels" doc:"hard: tolls, highways, ferries, bridges, tunnels"`
	Alternates int         `json:"alternates,omitempty" minimum:"0" maximum:"3" doc:"other routes wanted; with more than two locations each differs in one stretch between them (a remote engine: between two locations only)"`
	Format     string      `json:"format,omitempty" enum:"json,osrm" doc:"osrm answers in the compatible form"`
	Narration
	Detail
	Conditions
	Banners   bool        `json:"banner_instructions,omitempty" doc:"with format osrm: what to show in each step"`
	Voice     bool        `json:"voice_instructions,omitempty" doc:"with format osrm: what to say in each step"`
	Filters   *LineFilter `json:"filters,omitempty" doc:"with format osrm: what the annotation of each leg says of each piece of its line"`
	Rationale bool        `json:"rationale,omitempty" doc:"adds the rationale block: which declarations changed the route, at up to eight computations; truck, auto, bicycle, pedestrian and motor_scooter"`
	Scenic    Scenic      `json:"scenic,omitzero" doc:"adds the scenic block; with the costing auto only"`
	Traffic   bool        `json:"traffic,omitempty" doc:"adds to each leg what is known of traffic on it"`
	Zoned
	Clearance bool `json:"clearance,omitempty" doc:"adds the clearance block for the first route: the report of POST /v1/clearance/along on the lorry of costing_options.truck, where surveys cover any of it; never a certificate. With the costing truck only; 501 where no surveys are configured; beyond the contract"`
	Receipted
	Compare   bool `json:"compare,omitempty" doc:"an extension, for callers with a key: adds the comparison block, a second opinion by another routing engine of the deployment; it counts as one computation more"`
	Sign      bool `json:"sign,omitempty" doc:"an extension: adds the member signed at the end of the answer, a signature over request, data and answer that can be verified later; waygate replay does"`
	Landmarks bool `json:"landmarks,omitempty" doc:"adds landmark_instruction to turns and forks within 40 m of a place that is well recognised"`

	Recostings       schema.Raw[[]map[string]any] `json:"recostings,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	Elevation        schema.Raw[float64]          `json:"elevation_interval,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	LinearReferences schema.Raw[bool]             `json:"linear_references,omitempty" effect:"binding" doc:"a 501 on engines that cannot honour it"`
	Bidirectional    schema.Raw[bool]             `json:"prioritize_bidirectional,omitempty" effect:"passed" doc:"passed to a remote engine"`
	Rest             schema.UnknownMembers
}

// LineFilter chooses the attributes that are listed for each piece of a line.
type LineFilter struct {
	Action     string   `json:"action,omitempty" enum:"include,exclude" default:"include"`
	Attributes []string `json:"attributes,omitempty" of:"names such as shape_attributes.time" doc:"shape_attributes.length, shape_attributes.time, shape_attributes.speed, shape_attributes.speed_limit, edge.is_urban; others have no effect here"`
}

// Explained are the costings whose routes can be explained.
var Explained = []costing.Costing{costing.Truck, costing.Auto, costing.Bicycle, costing.Pedestrian, costing.MotorScooter}

// Check checks what depends on several members.
func (r *RouteRequest) Check(c *schema.Context) {
	r.loaded = r.ADR != nil
	r.Travel.Check(c)
	r.Zoned.Check(c)
	if r.ADR != nil && r.Costing != costing.Truck {
		c.Refuse("adr", nil, "needs the costing truck; the costing is %s", r.Costing)
	}
	if r.Scenic.Wanted && r.Costing != costing.Auto {
		c.Refuse("scenic", nil, "is possible with the costing auto only; the costing is %s", r.Costing)
	}
	if r.Clearance && r.Costing != costing.Truck {
		c.Refuse("clearance", true, "is possible with the costing truck only; the costing is %s", r.Costing)
	}
	osrm := r.osrm(r.Format)
	if osrm && r.ShapeFormat == "no_shape" {
		c.Refuse("shape_format", r.ShapeFormat, "no_shape is not possible with format osrm")
	}
	if r.Rationale {
		switch {
		case !slices.Contains(Explained, r.Costing):
			c.Refuse("rationale", true, "is not possible with the costing %s; it is with %s", r.Costing, strings.Join(costing.Names(Explained...), ", "))
		case r.ShapeFormat == "no_shape":
			c.Refuse("rationale", true, "is not possible with shape_format no_shape: routes are compared by their lines")
		}
	}
	if r.Landmarks && !osrm && r.ShapeFormat == "no_shape" {
		c.Refuse("landmarks", true, "is not possible with shape_format no_shape: places are named by where a manoeuvre is")
	}
	if !osrm {
		for _, one := range []Way{{"banner_instructions", r.Banners}, {"voice_instructions", r.Voice}, {"filters", r.Filters != nil}} {
			if one.Given {
				c.WarnOf(one.Name, schema.WithoutEffect, "%s has an effect with format osrm only", one.Name)
			}
		}
	} else if r.Filters != nil {
		r.Filters.warn(c)
	}
}

// Points returns where the route is.
func (r *RouteRequest) Points() []geo.Point { return PointsOf(r.Locations) }

// Features names what makes the call Premium: truck, adr.
func (r *RouteRequest) Features() []string { return Features(&r.Travel, r.ADR != nil) }

// Features names what makes a call with this traveller Premium: truck, and adr if
// there is a load.
func Features(t *Travel, adr bool) (names []string) {
	if t.Costing == costing.Truck {
		names = append(names, "truck")
	}
	if adr {
		names = append(names, "adr")
	}
	return names
}

// Chosen joins adr, avoid, exclude and costing_options.
type Chosen struct {
	Options costing.Settings
	Load    map[string]json.RawMessage // what adr became under costing_options.truck
	Avoided map[string]json.RawMessage // what avoid and exclude became; nil where there is neither
}

// Chosen puts what adr, avoid and exclude say among the options of the costing.
// The error is a fault of slug costing-conflict or invalid-avoid where they
// contradict one another.
func (r *RouteRequest) Chosen() (c Chosen, err error) {
	c.Options = r.settings
	var problems []string
	for _, one := range []struct {
		name string
		*Words
	}{{"avoid", &r.Avoid}, {"exclude", &r.Exclude}} {
		if one.wrong {
			problems = append(problems, one.name+" must be a list of words")
		}
	}
	lists := len(r.Avoid.List)+len(r.Exclude.List) > 0
	if r.ADR == nil && !lists && len(problems) == 0 {
		return c, nil
	}
	all, assumed := r.OwnOptions(), r.settings.CodeAssumed
	if r.ADR != nil {
		if c.Load, assumed, err = r.ADR.Merge(all); err != nil {
			return c, err
		}
	}
	if len(problems) > 0 {
		return c, costing.InvalidAvoid(r.Costing, problems)
	}
	if lists {
		if c.Avoided, err = costing.Avoid(r.Costing, r.Avoid.List, r.Exclude.List, all); err != nil {
			return c, err
		}
	}
	var bad []fault.Violation
	c.Options, _, bad = costing.Parse(r.Costing, all, "costing_options."+r.Costing.String())
	c.Options.CodeAssumed = assumed
	return c, fault.Invalid(bad...)
}

// Route returns the request to an engine of some capabilities, the options that were
// chosen, and the warnings.
func (r *RouteRequest) Route(can engine.Can) (*engine.RouteRequest, Chosen, []engine.Warning, error) {
	c, err := r.Chosen()
	if err != nil {
		return nil, c, nil, err
	}
	q := &engine.RouteRequest{Costing: r.Costing, Options: c.Options, Locations: locations(r.Locations), Alternates: r.Alternates, Conditions: r.Conditions.Engine()}
	r.output(q)
	b := Beyond{can: can}
	if err := b.Read(r.Rest); err != nil {
		return nil, c, nil, err
	}
	q.Extra = b.extra
	if r.Landmarks && !q.Speaks() {
		b.warnOf("landmarks", schema.WithoutEffect, "landmarks has an effect with instructions only; directions_type asks for none")
	}
	if q.Alternates > 0 && len(q.Locations) > 2 && !can.AlternatesVia {
		q.Alternates = 0
		b.warnOf("alternates", schema.WithoutEffect, "the routing engine here finds alternates between two locations only; this request has %d", len(q.Locations))
	}
	if q.Format == engine.Native && q.ShapeFormat != "" && !can.ShapeFormats {
		b.warnOf("shape_format", schema.WithoutEffect, "shape_format has an effect with format osrm only on the routing engine here: lines are polylines with six digits")
	}
	return q, c, b.Warnings, nil
}

// output returns how the routes are written. In OSRM's format steps are implied,
// unless no directions are requested, and so is the whole geometry, as the engine
// the request comes from has it.
func (r *RouteRequest) output(q *engine.RouteRequest) {
	q.Output = r.Narration.output(r.Format)
	q.Detail = r.Detail.engine()
	if q.Format != engine.OSRM {
		return
	}
	q.Steps, q.Overview, q.Geometries = q.Directions != engine.NoDirections, "full", "polyline6"
	switch r.ShapeFormat {
	case "polyline5":
		q.Geometries = "polyline"
	case "geojson":
		q.Geometries = "geojson"
	}
	q.Banners, q.Voice = r.Banners, r.Voice
	if r.Filters != nil {
		q.Annotations, q.Urban = r.Filters.annotations()
	}
}

// urban is the attribute of intersections in town.
const urban = "edge.is_urban"

// lineAttributes are the native engine's names for the attributes of each piece
// of a line.
var lineAttributes = []struct {
	name string
	set  engine.Annotations
}{
	{"shape_attributes.length", engine.AnnotateDistance},
	{"shape_attributes.time", engine.AnnotateDuration},
	{"shape_attributes.speed", engine.AnnotateSpeed},
	{"shape_attributes.speed_limit", engine.AnnotateLimit},
}

// warn adds a warning for attributes without effect. Countries are always listed.
func (f *LineFilter) warn(c *schema.Context) {
	for _, name := range f.Attributes {
		known := name == urban || name == "node.admin_index"
		for _, a := range lineAttributes {
			known = known || a.name == name
		}
		if !known {
			c.WarnOf("filters.attributes", schema.WithoutEffect, "filters.attributes has %s, which has no effect here", name)
		}
	}
}

// annotations returns the attributes of each piece, and whether intersections say
// that they are in town.
func (f *LineFilter) annotations() (set engine.Annotations, inTown bool) {
	var named, every engine.Annotations
	for _, a := range lineAttributes {
		every |= a.set
		if slices.Contains(f.Attributes, a.name) {
			named |= a.set
		}
	}
	if f.Action == "exclude" {
		return every &^ named, false
	}
	return named, slices.Contains(f.Attributes, urban)
}
