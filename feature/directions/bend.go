package directions

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// Limits of what a request may exclude.
const (
	MaxExcludedLocations = 50
	MaxExcludedPerimeter = 10_000 // metres of all polygons together
	maxExcludedCorners   = 1000   // of all polygons together
)

// excludedLocations reads places whose roads are not to be travelled.
func (d *decoder) excludedLocations(raw json.RawMessage, at string) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		d.refuse(at, raw, "must be a list of objects with lat and lon")
		return
	}
	if len(list) > MaxExcludedLocations {
		d.refuse(at, nil, "has %d locations and may have %d", len(list), MaxExcludedLocations)
		return
	}
	for i, one := range list {
		d.req.Route.ExcludeLocations = append(d.req.Route.ExcludeLocations, d.location(one, fmt.Sprintf("%s[%d]", at, i)))
	}
}

// excludedPolygons reads rings of [lon, lat] that no route may touch. An open
// ring is closed; one that crosses itself is refused, since it leaves open what
// lies in it.
func (d *decoder) excludedPolygons(raw json.RawMessage, at string) {
	var rings [][][]float64
	var single [][]float64
	if json.Unmarshal(raw, &rings) != nil {
		if json.Unmarshal(raw, &single) != nil {
			d.refuse(at, raw, "must be a list of rings, each a list of [lon, lat]")
			return
		}
		rings = [][][]float64{single}
	}
	corners, metres := 0, 0.0
	for i, positions := range rings {
		if corners += len(positions); corners > maxExcludedCorners {
			d.refuse(at, nil, "has more than %d corners", maxExcludedCorners)
			return
		}
		if ring, ok := d.ring(positions, fmt.Sprintf("%s[%d]", at, i)); ok {
			metres += ring.Perimeter()
			d.req.Route.ExcludePolygons = append(d.req.Route.ExcludePolygons, ring)
		}
	}
	if metres > MaxExcludedPerimeter {
		d.refuse(at, nil, "has a perimeter of %.0f m and may have %d m, all rings together", metres, MaxExcludedPerimeter)
	}
}

func (d *decoder) ring(positions [][]float64, at string) (geo.Ring, bool) {
	var ring geo.Ring
	for i, c := range positions {
		here := fmt.Sprintf("%s[%d]", at, i)
		if len(c) < 2 {
			d.refuse(here, nil, "must be a position: [lon, lat] in degrees")
			return nil, false
		}
		p := geo.Point{Lon: c[0], Lat: c[1]}
		if !p.Valid() {
			hint := ""
			if h := swapped(p, d.bounds); h != "" {
				hint = "; positions are [lon, lat]: " + h
			}
			d.refuse(here, nil, "is [%g, %g], which is not on the globe%s", c[0], c[1], hint)
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
		d.refuse(at, nil, "has %d different corners and needs at least 3", len(ring))
		return nil, false
	}
	if i, j, crosses := ring.Crosses(); crosses {
		d.refuse(at, nil, "crosses itself: the side from corner %d meets the side from corner %d; split it into rings that do not", i, j)
		return nil, false
	}
	return ring, true
}

// earliest is the first year of a date, as the clocks of engines have it.
const earliest = 1970

// when reads date_time.
func (d *decoder) when(raw json.RawMessage, at string) {
	all := d.members(raw, at)
	if all == nil {
		return
	}
	if absent(all["type"]) {
		d.refuse(at+".type", nil, "is missing: 0 is now, 1 the time of departure, 2 of arrival, 3 one time for the whole journey")
		return
	}
	kind, ok := d.number(all["type"], at+".type", "", 0, 3)
	if !ok {
		return
	}
	if kind != math.Trunc(kind) {
		d.refuse(at+".type", all["type"], "must be a whole number")
		return
	}
	w := &engine.When{Type: engine.TimeType(kind)}
	if w.Type != engine.Now {
		w.Local, ok = d.localTime(all["value"], at+".value")
	}
	for _, name := range sorted(all) {
		if name != "type" && name != "value" {
			d.warn(unknownMember, "%s.%s is not known here and had no effect", at, name)
		}
	}
	if ok {
		d.req.Route.When = w
	}
}

// localTime reads a date and a time of day where the journey is.
func (d *decoder) localTime(raw json.RawMessage, at string) (time.Time, bool) {
	const form = "must be a local date and time as YYYY-MM-DDTHH:MM, such as 2026-09-01T08:00"
	if absent(raw) {
		d.refuse(at, nil, "is missing: it %s", form)
		return time.Time{}, false
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		d.refuse(at, raw, form)
		return time.Time{}, false
	}
	t, err := time.Parse(engine.TimeForm, text)
	switch {
	case err != nil:
		d.refuse(at, raw, form)
		return time.Time{}, false
	case t.Year() < earliest:
		d.refuse(at, raw, "must not be before the year %d", earliest)
		return time.Time{}, false
	}
	return t, true
}

// speedTypes reads the sources of speed that count.
func (d *decoder) speedTypes(raw json.RawMessage, at string) {
	known := []string{"freeflow", "constrained", "predicted", "current"}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		d.refuse(at, raw, "must be a list of %s", names(known))
		return
	}
	for _, s := range list {
		if !slices.Contains(known, s) {
			d.refuse(at, raw, "has %q, which is none of %s", s, names(known))
			return
		}
	}
	d.req.Route.SpeedTypes = list
}
