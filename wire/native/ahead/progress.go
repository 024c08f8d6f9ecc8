package ahead

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// ProgressRequest is the body of POST /route/progress.
type ProgressRequest struct {
	native.Travel
	Geometry native.Polyline `json:"geometry_polyline6,omitempty" doc:"the plan as an encoded polyline of six digits"`
	native.Line
	native.Exclusions
	Origin            *native.Position `json:"origin,omitempty" doc:"with destination in place of a line"`
	Destination       *native.Position `json:"destination,omitempty"`
	Current           *Traveller       `json:"current_position,omitempty" doc:"where the traveller is; required, or position in its place"`
	Position          *Traveller       `json:"position,omitempty" doc:"another name of current_position"`
	Trace             []TracedPlace    `json:"recent_trace,omitempty" maxItems:"100" of:"positions" doc:"where the traveller was before, oldest first: where the plan passes a place more than once, they decide which time it is. A position further from the plan than off_route_threshold_m does not count; five minutes without one begin the trace anew"`
	TravelledM        float64          `json:"travelled_m,omitempty" minimum:"0" unit:"metres" doc:"metres of the plan that are known to lie behind, as an earlier answer said"`
	OffRouteThreshold float64          `json:"off_route_threshold_m,omitempty" minimum:"1" maximum:"5000" default:"50" unit:"metres"`
	At                *time.Time       `json:"at,omitempty" doc:"time of the position; now by default. Where it is more than five minutes from now, nothing live counts, and usual speeds are those of its local time there, by its offset where the time zone is not known"`
	Rest              schema.UnknownMembers
}

// Traveller is where someone is, and where they head.
type Traveller struct {
	native.Position
	Heading *float64 `json:"heading,omitempty" minimum:"0" maximum:"360" unit:"degrees" doc:"degrees clockwise from north; distinguishes the way out from the way back"`
}

// TracedPlace is where someone was, and when.
type TracedPlace struct {
	native.Position
	Time *TraceTime `json:"time,omitempty" doc:"not before that of the position before"`
}

// TraceTime is a moment: seconds since any other, or a date and time.
type TraceTime struct {
	Seconds float64
	At      time.Time // zero where it was given in seconds
}

// DecodeJSON reads one.
func (t *TraceTime) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	if json.Unmarshal(raw, &t.Seconds) == nil {
		return
	}
	if json.Unmarshal(raw, &t.At) != nil || t.At.IsZero() {
		c.Refuse("", raw, "must be seconds since any moment, or a date and time as in RFC 3339, such as 2026-09-01T08:00:00Z")
		return
	}
	t.Seconds = float64(t.At.UnixMilli()) / 1000
}

// Describe describes both forms.
func (TraceTime) Describe(*schema.Document) *schema.Schema {
	return &schema.Schema{OneOf: []*schema.Schema{{Type: schema.Number, Format: "double"}, {Type: schema.String, Format: "date-time"}}}
}

// Check checks what depends on several members. What was said by both names is kept under one.
func (r *ProgressRequest) Check(c *schema.Context) {
	r.Travel.Check(c)
	if r.Geometry != nil && r.Encoded != nil && !slices.Equal(r.Geometry, r.Encoded) {
		c.Refuse("encoded_polyline", nil, "is another name of geometry_polyline6 and says something else; give one of them")
	}
	ends := r.Origin != nil || r.Destination != nil
	line := native.Way{Name: "geometry_polyline6", Given: r.Geometry != nil}
	if !line.Given && len(r.Encoded) > 0 {
		line = native.Way{Name: "encoded_polyline", Given: true}
	}
	native.OneOf(c, "the plan", line, native.Way{Name: "shape", Given: len(r.Shape) > 0}, native.Way{Name: "origin and destination", Given: ends})
	switch {
	case ends && r.Destination == nil:
		c.Refuse("destination", nil, "is missing: an origin needs one")
	case ends && r.Origin == nil:
		c.Refuse("origin", nil, "is missing: a destination needs one")
	}
	switch both := r.Current != nil && r.Position != nil; {
	case both && !r.Current.same(r.Position):
		c.Refuse("position", nil, "is another name of current_position and says something else; give one of them")
	case r.Current == nil && r.Position == nil:
		c.Refuse("current_position", nil, "is missing: where the traveller is")
	}
	if r.At != nil && (r.At.Year() < native.Earliest || r.At.Year() > native.Latest) {
		c.Refuse("at", r.At.Format(time.RFC3339), "must be from the year %d to %d", native.Earliest, native.Latest)
	}
	r.checkTrace(c)
}

// checkTrace refuses times that go backwards, or stand in two forms.
func (r *ProgressRequest) checkTrace(c *schema.Context) {
	last := -1
	for i := range r.Trace {
		t := r.Trace[i].Time
		if t == nil {
			continue
		}
		member := native.Entry("recent_trace", i) + ".time"
		switch {
		case last >= 0 && t.At.IsZero() != r.Trace[last].Time.At.IsZero():
			c.Refuse(member, nil, "is written otherwise than that of recent_trace[%d]: times are all in seconds, or all dates", last)
			return
		case last >= 0 && t.Seconds < r.Trace[last].Time.Seconds:
			c.Refuse(member, nil, "is before that of recent_trace[%d]: positions come in the order of their times, the oldest first", last)
			return
		case r.At != nil && !t.At.IsZero() && t.At.After(*r.At):
			c.Refuse(member, t.At.Format(time.RFC3339), "is after at, the time of current_position")
			return
		}
		last = i
	}
}

func (t *Traveller) same(o *Traveller) bool {
	heads := t.Heading == nil && o.Heading == nil || t.Heading != nil && o.Heading != nil && *t.Heading == *o.Heading
	return t.Point() == o.Point() && heads
}

// Plan returns the line of the plan, nil where there is none, and the member that has it.
func (r *ProgressRequest) Plan() (line []geo.Point, member string) {
	switch {
	case r.Geometry != nil:
		return r.Geometry, "geometry_polyline6"
	case r.Encoded != nil:
		return r.Encoded, "encoded_polyline"
	}
	return native.Points(r.Shape), "shape"
}

// Traveller returns where the traveller is, and the member that says so.
func (r *ProgressRequest) Traveller() (*Traveller, string) {
	if r.Current != nil {
		return r.Current, "current_position"
	}
	return r.Position, "position"
}

// Points returns where the plan and then the traveller are.
func (r *ProgressRequest) Points() []geo.Point {
	line, _ := r.Plan()
	all := slices.Clone(line)
	for _, end := range []*native.Position{r.Origin, r.Destination} {
		if end != nil {
			all = append(all, end.Point())
		}
	}
	at, _ := r.Traveller()
	return append(all, at.Point())
}
