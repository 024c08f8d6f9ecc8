package body

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// Limits of what a request may exclude.
const (
	MaxExcludedLocations = 50
	MaxExcludedPerimeter = 10_000 // metres of all polygons together
	MaxExcludedCorners   = 1000   // of all polygons together
)

// benders read the members that bend the roads. The avoid_ names are the former
// ones of the two.
var benders = map[string]func(r *Reader, b *engine.Bends, raw json.RawMessage, at string){
	"date_time":         (*Reader).when,
	"speed_types":       (*Reader).speedTypes,
	"exclude_locations": (*Reader).excludedLocations,
	"exclude_polygons":  (*Reader).excludedPolygons,
	"avoid_locations":   (*Reader).excludedLocations,
	"avoid_polygons":    (*Reader).excludedPolygons,
}

// Bending lists the members that Bends reads.
func Bending() []string {
	return []string{"avoid_locations", "avoid_polygons", "date_time", "exclude_locations", "exclude_polygons", "speed_types"}
}

// Bends reads what bends the roads for a request.
func (r *Reader) Bends(doc map[string]json.RawMessage) (b engine.Bends) {
	for _, name := range Bending() {
		if !Absent(doc[name]) {
			benders[name](r, &b, doc[name], name)
		}
	}
	return b
}

// excludedLocations reads places whose roads are not to be travelled.
func (r *Reader) excludedLocations(b *engine.Bends, raw json.RawMessage, at string) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		r.Refuse(at, raw, "must be a list of objects with lat and lon")
		return
	}
	if len(list) > MaxExcludedLocations {
		r.Refuse(at, nil, "has %d locations and may have %d", len(list), MaxExcludedLocations)
		return
	}
	for i, one := range list {
		b.ExcludeLocations = append(b.ExcludeLocations, r.Location(one, fmt.Sprintf("%s[%d]", at, i)))
	}
}

// excludedPolygons reads rings of [lon, lat] that nothing may touch. An open
// ring is closed; one that crosses itself is refused, since it leaves open what
// lies in it.
func (r *Reader) excludedPolygons(b *engine.Bends, raw json.RawMessage, at string) {
	var rings [][][]float64
	var single [][]float64
	if json.Unmarshal(raw, &rings) != nil {
		if json.Unmarshal(raw, &single) != nil {
			r.Refuse(at, raw, "must be a list of rings, each a list of [lon, lat]")
			return
		}
		rings = [][][]float64{single}
	}
	corners, metres := 0, 0.0
	for i, positions := range rings {
		if corners += len(positions); corners > MaxExcludedCorners {
			r.Refuse(at, nil, "has more than %d corners", MaxExcludedCorners)
			return
		}
		if ring, ok := r.ring(positions, fmt.Sprintf("%s[%d]", at, i)); ok {
			metres += ring.Perimeter()
			b.ExcludePolygons = append(b.ExcludePolygons, ring)
		}
	}
	if metres > MaxExcludedPerimeter {
		r.Refuse(at, nil, "has a perimeter of %.0f m and may have %d m, all rings together", metres, MaxExcludedPerimeter)
	}
}

func (r *Reader) ring(positions [][]float64, at string) (geo.Ring, bool) {
	var ring geo.Ring
	for i, c := range positions {
		here := fmt.Sprintf("%s[%d]", at, i)
		if len(c) < 2 {
			r.Refuse(here, nil, "must be a position: [lon, lat] in degrees")
			return nil, false
		}
		p := geo.Point{Lon: c[0], Lat: c[1]}
		if !p.Valid() {
			hint := ""
			if h := Swapped(p, r.Bounds); h != "" {
				hint = "; positions are [lon, lat]: " + h
			}
			r.Refuse(here, nil, "is [%g, %g], which is not on the globe%s", c[0], c[1], hint)
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
		r.Refuse(at, nil, "has %d different corners and needs at least 3", len(ring))
		return nil, false
	}
	if i, j, crosses := ring.Crosses(); crosses {
		r.Refuse(at, nil, "crosses itself: the side from corner %d meets the side from corner %d; split it into rings that do not", i, j)
		return nil, false
	}
	return ring, true
}

// earliest is the first year of a date, as the clocks of engines have it.
const earliest = 1970

// when reads date_time.
func (r *Reader) when(b *engine.Bends, raw json.RawMessage, at string) {
	all := r.Members(raw, at)
	if all == nil {
		return
	}
	if Absent(all["type"]) {
		r.Refuse(at+".type", nil, "is missing: 0 is now, 1 the time of departure, 2 of arrival, 3 one time for the whole journey")
		return
	}
	kind, ok := r.Number(all["type"], at+".type", "", 0, 3)
	if !ok {
		return
	}
	if kind != math.Trunc(kind) {
		r.Refuse(at+".type", all["type"], "must be a whole number")
		return
	}
	w := &engine.When{Type: engine.TimeType(kind)}
	if w.Type != engine.Now {
		w.Local, ok = r.localTime(all["value"], at+".value")
	}
	for _, name := range Names(all) {
		if name != "type" && name != "value" {
			r.Warn(UnknownMember, "%s.%s is not known here and had no effect", at, name)
		}
	}
	if ok {
		b.When = w
	}
}

// localTime reads a date and a time of day where the journey is.
func (r *Reader) localTime(raw json.RawMessage, at string) (time.Time, bool) {
	const form = "must be a local date and time as YYYY-MM-DDTHH:MM, such as 2026-09-01T08:00"
	if Absent(raw) {
		r.Refuse(at, nil, "is missing: it %s", form)
		return time.Time{}, false
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		r.Refuse(at, raw, form)
		return time.Time{}, false
	}
	t, err := time.Parse(engine.TimeForm, text)
	switch {
	case err != nil:
		r.Refuse(at, raw, form)
		return time.Time{}, false
	case t.Year() < earliest:
		r.Refuse(at, raw, "must not be before the year %d", earliest)
		return time.Time{}, false
	}
	return t, true
}

// speedTypes reads the sources of speed that count.
func (r *Reader) speedTypes(b *engine.Bends, raw json.RawMessage, at string) {
	known := []string{"freeflow", "constrained", "predicted", "current"}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		r.Refuse(at, raw, "must be a list of %s", strings.Join(known, ", "))
		return
	}
	for _, s := range list {
		if !slices.Contains(known, s) {
			r.Refuse(at, raw, "has %q, which is none of %s", s, strings.Join(known, ", "))
			return
		}
	}
	b.SpeedTypes = list
}
