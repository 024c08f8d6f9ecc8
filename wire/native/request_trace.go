package native

import (
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// TraceRequest is the body of POST /trace_route and POST /trace_attributes.
type TraceRequest struct {
	Shape     []TracePosition `json:"shape,omitempty" minItems:"2" maxItems:"20000" of:"positions" doc:"positions in order; this or encoded_polyline"`
	Encoded   Polyline        `json:"encoded_polyline,omitempty" doc:"positions as a polyline of six digits; this or shape"`
	BeginTime *float64        `json:"begin_time,omitempty" unit:"seconds" doc:"seconds; time of the first position, with durations"`
	Durations []float64       `json:"durations,omitempty" maxItems:"19999" minimum:"0" unit:"seconds" of:"durations" doc:"seconds from each position to the next; one fewer than positions"`
	Travel
	Receipted
	ShapeMatch    engine.ShapeMatch `json:"shape_match,omitempty" enum:"walk_or_snap,map_snap,edge_walk" default:"walk_or_snap" doc:"edge_walk takes the exact line of an earlier route, map_snap noisy positions, walk_or_snap tries both"`
	UseTimestamps bool              `json:"use_timestamps,omitempty" doc:"times along the way are those of the positions"`
	TraceOptions  *TraceOptions     `json:"trace_options,omitempty"`
	Filters       *TraceFilters     `json:"filters,omitempty" doc:"trace_attributes only"`
	Format        string            `json:"format,omitempty" enum:"json,osrm" doc:"trace_route only: osrm answers with matchings and tracepoints"`
	Narration
	Detail
	Banners bool `json:"banner_instructions,omitempty" doc:"trace_route with format osrm"`
	Voice   bool `json:"voice_instructions,omitempty" doc:"trace_route with format osrm"`

	Conditions                                    // passed to a remote engine; the embedded one matches to all roads
	BestPaths        schema.Raw[int]              `json:"best_paths,omitempty" effect:"passed" doc:"passed to a remote engine"`
	LinearReferences schema.Raw[bool]             `json:"linear_references,omitempty" effect:"passed" doc:"passed to a remote engine"`
	Recostings       schema.Raw[[]map[string]any] `json:"recostings,omitempty" effect:"passed" doc:"passed to a remote engine"`
	Verbose          schema.Raw[bool]             `json:"verbose,omitempty" effect:"passed" doc:"passed to a remote engine"`
	Rest             schema.UnknownMembers
}

// TracePosition is one position of a trace.
type TracePosition struct {
	Position
	Time *float64    `json:"time,omitempty" unit:"seconds" doc:"seconds since any moment; not before the position before"`
	Type engine.Stop `json:"type,omitempty" enum:"break,through,via,break_through" doc:"break begins a leg of trace_route"`
}

// TraceOptions tune the matching.
type TraceOptions struct {
	GPSAccuracy           *float64 `json:"gps_accuracy,omitempty" minimum:"0" maximum:"100" doc:"metres; standard deviation of the positions; where not given 5, or with the embedded engine more where a dense trace shows it, whose positions then take part as means of neighbours"`
	SearchRadius          *float64 `json:"search_radius,omitempty" minimum:"0" maximum:"100" doc:"metres within which roads are looked for"`
	BreakageDistance      *float64 `json:"breakage_distance,omitempty" minimum:"0" maximum:"20000" doc:"metres; a longer gap between positions splits the trace"`
	InterpolationDistance *float64 `json:"interpolation_distance,omitempty" minimum:"0" maximum:"1000" doc:"metres; a position nearer to the last one takes no part in finding the way; where given, positions are not averaged"`
	TurnPenaltyFactor     *float64 `json:"turn_penalty_factor,omitempty" minimum:"0" maximum:"100000" doc:"metres that turning right round counts as"`
}

// TraceFilters choose attributes.
type TraceFilters struct {
	Attributes []string `json:"attributes,omitempty" maxItems:"200" of:"names" doc:"names such as edge.way_id, node.type, matched.point, shape"`
	Action     string   `json:"action,omitempty" enum:"include,exclude" doc:"needed beside attributes"`
}

// Check refuses names without what is to be done with them, and warns of those
// that are not known.
func (f *TraceFilters) Check(c *schema.Context) {
	if len(f.Attributes) > 0 && f.Action == "" {
		c.Refuse("action", nil, "is missing: include or exclude")
	}
	for _, name := range f.Attributes {
		if !slices.Contains(attributes, name) {
			c.WarnOf(c.Path()+".attributes", schema.UnknownMember, "%s.attributes has %s, which is no attribute here", c.Path(), name)
		}
	}
}

// Check checks what depends on several members.
func (r *TraceRequest) Check(c *schema.Context) {
	r.Travel.Check(c)
	OneOf(c, "the trace", Way{Name: "shape", Given: len(r.Shape) > 0}, Way{Name: "encoded_polyline", Given: len(r.Encoded) > 0})
	osrm := r.osrm(r.Format)
	if osrm && r.ShapeFormat == "no_shape" {
		c.Refuse("shape_format", r.ShapeFormat, "no_shape is not possible with format osrm")
	}
	r.timed(c)
	if !osrm && (r.Voice || r.Banners) {
		c.WarnOf("voice_instructions,banner_instructions", schema.WithoutEffect, "voice_instructions and banner_instructions have an effect with format osrm only")
	}
}

// timed checks the times of the positions.
func (r *TraceRequest) timed(c *schema.Context) {
	n := max(len(r.Shape), len(r.Encoded))
	switch {
	case r.Durations == nil && r.BeginTime != nil:
		c.WarnOf("begin_time", schema.WithoutEffect, "begin_time has no effect without durations")
	case r.Durations != nil && len(r.Durations) != n-1:
		c.Refuse("durations", nil, "has %d entries; between %d positions there are %d", len(r.Durations), n, n-1)
		return
	}
	var last *float64
	before, times := 0, r.Durations != nil
	for i := range r.Shape {
		t := r.Shape[i].Time
		if t == nil {
			continue
		}
		if last != nil && *t < *last && r.Durations == nil {
			c.Refuse(Entry("shape", i)+".time", *t, "is %g and lies before the time of shape[%d], %g: sort the positions by time", *t, before, *last)
			return
		}
		last, before, times = t, i, true
	}
	if last != nil && r.Durations != nil {
		c.WarnOf("shape[].time", schema.WithoutEffect, "the times of the positions have no effect beside durations")
	}
	if r.UseTimestamps && !times {
		c.WarnOf("use_timestamps", schema.WithoutEffect, "use_timestamps has no effect: the positions have no times")
	}
}

// trace returns the positions, with the times that the durations between them make.
func (r *TraceRequest) trace() []engine.TracePoint {
	all := make([]engine.TracePoint, max(len(r.Shape), len(r.Encoded)))
	for i := range r.Shape {
		p := &r.Shape[i]
		all[i] = engine.TracePoint{Point: geo.Point{Lon: p.Lon, Lat: p.Lat}, Time: p.Time, Stop: p.Type}
	}
	for i, p := range r.Encoded {
		all[i].Point = p
	}
	if r.Durations == nil {
		return all
	}
	times := make([]float64, len(all))
	if r.BeginTime != nil {
		times[0] = *r.BeginTime
	}
	for i, d := range r.Durations {
		times[i+1] = times[i] + d
	}
	for i := range all {
		all[i].Time = &times[i]
	}
	return all
}

// Points returns where the trace is.
func (r *TraceRequest) Points() []geo.Point {
	all := make([]geo.Point, 0, max(len(r.Shape), len(r.Encoded)))
	for i := range r.Shape {
		all = append(all, r.Shape[i].Point())
	}
	return append(all, r.Encoded...)
}

// Features names what makes the call Premium: truck, adr.
func (r *TraceRequest) Features() []string { return Features(&r.Travel, Has(r.Rest, "adr")) }

// Match returns the request to an engine of some capabilities, and the warnings.
// attributes is true if the answer lists edges in place of a route.
func (r *TraceRequest) Match(can engine.Can, attributes bool) (*engine.MatchRequest, []engine.Warning, error) {
	q := &engine.MatchRequest{
		Trace: r.trace(), How: unless(r.ShapeMatch, engine.WalkOrSnap), Costing: r.Costing, Options: r.settings, Conditions: r.Conditions.Engine(), UseTimestamps: r.UseTimestamps,
		Output: r.Narration.output(r.Format),
	}
	q.Detail, q.Voice, q.Banners = r.Detail.engine(), r.Voice, r.Banners
	if o := r.TraceOptions; o != nil {
		q.Tuning = engine.TraceOptions{
			GPSAccuracy: o.GPSAccuracy, SearchRadius: o.SearchRadius, Breakage: o.BreakageDistance, Interpolation: o.InterpolationDistance, TurnPenalty: o.TurnPenaltyFactor,
		}
	}
	if f := r.Filters; f != nil {
		q.Filter = engine.AttributeFilter{Include: f.Action == "include", Names: f.Attributes}
	}
	b := Beyond{can: can}
	if !can.MatchConditions {
		for _, name := range r.Conditions.Names() {
			b.warnOf(name, schema.WithoutEffect, "%s has no effect on the routing engine here: a trace is matched to all roads, closed ones too", name)
		}
	}
	if err := b.Read(r.Rest); err != nil {
		return nil, nil, err
	}
	if attributes && (q.Detail != (engine.Detail{}) || q.Voice || q.Banners) {
		b.warnOf("roundabout_exits,turn_lanes,admin_crossings,voice_instructions,banner_instructions", schema.WithoutEffect, "roundabout_exits, turn_lanes, admin_crossings, voice_instructions and banner_instructions have an effect on trace_route only")
	}
	if attributes && q.Format == engine.OSRM {
		b.warnOf("format", schema.WithoutEffect, "format osrm has an effect on trace_route only")
	}
	if attributes && (q.Directions == engine.Manoeuvres || q.Directions == engine.Instructions) {
		b.warnOf("directions_type", schema.WithoutEffect, "directions_type has an effect on trace_route only: there are no directions here")
	}
	q.Extra = b.extra
	return q, b.Warnings, nil
}
