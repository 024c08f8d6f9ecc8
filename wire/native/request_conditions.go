package native

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// Conditions apply to one journey: its time, and what is not to be
// travelled.
type Conditions struct {
	DateTime *RouteTime `json:"date_time,omitempty" doc:"when the journey is: restrictions and ferries that are open at times only bind"`
	Exclusions
}

// Exclusions are the conditions without a time. The avoid_ names are the former
// ones.
type Exclusions struct {
	SpeedTypes       []string        `json:"speed_types,omitempty" maxItems:"4" enum:"freeflow,constrained,predicted,current" doc:"sources of speed that count; without current live traffic does not"`
	ExcludeLocations []RouteLocation `json:"exclude_locations,omitempty" maxItems:"50" of:"locations" doc:"places whose roads are not passed"`
	ExcludePolygons  Polygons        `json:"exclude_polygons,omitempty" doc:"rings of [lon, lat] that nothing touches, or one such ring: open ones are closed, none may cross itself, together at most 10,000 m round and 1,000 corners"`
	AvoidLocations   []RouteLocation `json:"avoid_locations,omitempty" maxItems:"50" of:"locations" doc:"older name of exclude_locations"`
	AvoidPolygons    Polygons        `json:"avoid_polygons,omitempty" doc:"older name of exclude_polygons"`
}

// Engine returns the conditions as an engine takes them.
func (x *Conditions) Engine() engine.Conditions {
	b := x.Exclusions.engine()
	if x.DateTime != nil {
		b.When = &x.DateTime.when
	}
	return b
}

func (x *Exclusions) engine() engine.Conditions {
	b := engine.Conditions{SpeedTypes: x.SpeedTypes}
	for _, list := range [][]RouteLocation{x.AvoidLocations, x.ExcludeLocations} {
		b.ExcludeLocations = append(b.ExcludeLocations, locations(list)...)
	}
	for _, rings := range []Polygons{x.AvoidPolygons, x.ExcludePolygons} {
		b.ExcludePolygons = append(b.ExcludePolygons, rings...)
	}
	return b
}

// Names lists the conditions that were said.
func (x *Conditions) Names() (names []string) {
	for _, one := range []struct {
		name string
		said bool
	}{
		{"avoid_locations", len(x.AvoidLocations) > 0},
		{"avoid_polygons", len(x.AvoidPolygons) > 0},
		{"date_time", x.DateTime != nil},
		{"exclude_locations", len(x.ExcludeLocations) > 0},
		{"exclude_polygons", len(x.ExcludePolygons) > 0},
		{"speed_types", len(x.SpeedTypes) > 0},
	} {
		if one.said {
			names = append(names, one.name)
		}
	}
	return names
}

// RouteTime is when a journey is.
type RouteTime struct {
	Type  int    `json:"type" enum:"0,1,2,3" doc:"0 now, 1 time of departure, 2 of arrival, 3 one time for the whole journey"`
	Value string `json:"value,omitempty" example:"2026-09-01T08:00" doc:"local date and time where the journey is, YYYY-MM-DDTHH:MM, from 1970 on; not with type 0"`

	when engine.When
}

// Local returns the time of the request; zero of now.
func (w *RouteTime) Local() time.Time { return w.when.Local }

// When returns the time as engines take it.
func (w *RouteTime) When() *engine.When { return &w.when }

// Earliest is the first year of a date, as the clocks of engines have it.
const Earliest = 1970

// Latest is the last year of a moment, so that one that comes of it can be written too.
const Latest = 9998

// Check reads the time, which only that of now lacks.
func (w *RouteTime) Check(c *schema.Context) {
	w.when.Type = engine.TimeType(w.Type)
	if w.when.Type != engine.Now {
		w.when.Local = localTime(c, "value", w.Value)
	}
}

// localTime reads a local date and time, which is a member of a request.
func localTime(c *schema.Context, member, value string) time.Time {
	const form = "must be a local date and time as YYYY-MM-DDTHH:MM, such as 2026-09-01T08:00"
	t, err := time.Parse(engine.TimeForm, value)
	switch {
	case value == "":
		c.Refuse(member, nil, "is missing: it %s", form)
	case err != nil:
		c.Refuse(member, value, form)
	case t.Year() < Earliest:
		c.Refuse(member, value, "must not be before the year %d", Earliest)
	}
	return t
}

// Limits of the polygons of a request.
// maxPerimeter is in metres, of all rings together.
const maxPerimeter = 10_000

// Polygons are rings that nothing may touch, closed and without their last
// corner.
type Polygons []geo.Ring

// Describe describes a list of rings. One ring alone, which is read too, is left
// to the words: code that is generated has one type for a member.
func (Polygons) Describe(*schema.Document) *schema.Schema {
	two, three, corners, rings := 2, 3, MostCorners, MostCorners/3
	east := 180.0
	west := -east
	position := &schema.Schema{Type: schema.Array, Items: &schema.Schema{Type: schema.Number, Format: "double", Minimum: &west, Maximum: &east}, MinItems: &two}
	ring := &schema.Schema{Type: schema.Array, Items: position, MinItems: &three, MaxItems: &corners}
	return &schema.Schema{Type: schema.Array, Items: ring, MaxItems: &rings}
}

// DecodeJSON reads rings of [lon, lat]. An open ring is closed; one that crosses
// itself is refused, since it leaves open what lies in it.
func (p *Polygons) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	// Each corner has a bracket, and each ring: so many more are not looked at.
	if bytes.Count(raw, []byte("[")) > 4*MostCorners {
		c.Refuse("", nil, "has more than %d corners", MostCorners)
		return
	}
	var rings [][][]float64
	var single [][]float64
	if !schema.Fits(c, raw, &rings) {
		if !schema.Fits(c, raw, &single) {
			c.Refuse("", raw, "must be a list of rings, each a list of [lon, lat]")
			return
		}
		rings = [][][]float64{single}
	}
	corners, metres := 0, 0.0
	for i, positions := range rings {
		if corners += len(positions); corners > MostCorners {
			c.Refuse("", nil, "has more than %d corners", MostCorners)
			return
		}
		if ring, ok := RingOf(c, Index(i), positions); ok {
			metres += ring.Perimeter()
			*p = append(*p, ring)
		}
	}
	if metres > maxPerimeter {
		c.Refuse("", nil, "has a perimeter of %.0f m and may have %d m, all rings together", metres, maxPerimeter)
	}
}

// RingOf reads the corners of a polygon, as longitude and latitude. It refuses what
// is none, at a path of the request, and then reports false.
func RingOf(c *schema.Context, at string, positions [][]float64) (geo.Ring, bool) {
	var ring geo.Ring
	for i, x := range positions {
		here := at + Index(i)
		if len(x) < 2 {
			c.Refuse(here, nil, "must be a position: [lon, lat] in degrees")
			return nil, false
		}
		p := geo.Point{Lon: x[0], Lat: x[1]}
		if !p.Valid() {
			hint := ""
			if h := engine.SwappedHint(p, c.Bounds); h != "" {
				hint = "; positions are [lon, lat]: " + h
			}
			c.Refuse(here, nil, "is [%g, %g], which is not on the globe%s", x[0], x[1], hint)
			return nil, false
		}
		if len(ring) == 0 || ring[len(ring)-1] != p {
			ring = append(ring, p)
		}
	}
	if len(ring) > 1 && ring[0] == ring[len(ring)-1] {
		ring = ring[:len(ring)-1]
	}
	if len(ring) < 3 {
		c.Refuse(at, nil, "has %d different corners and needs at least 3", len(ring))
		return nil, false
	}
	if i, j, crosses := ring.Crosses(); crosses {
		c.Refuse(at, nil, "crosses itself: the side from corner %d meets the side from corner %d; split it into rings that do not", i, j)
		return nil, false
	}
	return ring, true
}
