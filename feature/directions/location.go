package directions

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// roadClasses are Valhalla's, highest first.
var roadClasses = []string{"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "service_other"}

// Limits of a location, in metres and degrees.
const (
	maxRadius       = 10_000
	maxCutoff       = 35_000
	maxSideDistance = 100_000

	defaultSideTolerance   = 5.0
	defaultSideMaxDistance = 1000.0
)

func (d *decoder) locations(raw json.RawMessage) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		d.refuse("locations", raw, "must be a list of at least two objects with lat and lon")
		return
	}
	if len(list) < 2 {
		d.refuse("locations", nil, "has %d of at least two locations", len(list))
		return
	}
	if len(list) > MaxLocations {
		d.refuse("locations", nil, "has %d locations and may have %d", len(list), MaxLocations)
		return
	}
	for i, one := range list {
		d.req.Route.Locations = append(d.req.Route.Locations, d.location(one, fmt.Sprintf("locations[%d]", i)))
	}
}

// locationMembers reads what a location may have besides its position.
var locationMembers = map[string]func(d *decoder, l *engine.Location, raw json.RawMessage, at string){
	"type": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) {
		l.Stop = engine.Stop(d.word(raw, at, "break", "through", "via", "break_through"))
	},
	"heading": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) {
		if v, ok := d.number(raw, at, " degrees", 0, 360); ok {
			l.Heading = &v
		}
	},
	"heading_tolerance": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) {
		l.HeadingTolerance, _ = d.number(raw, at, " degrees", 1, 180)
	},
	"radius": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) {
		l.Radius, _ = d.number(raw, at, " metres", 0, maxRadius)
	},
	"search_cutoff": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) {
		l.SearchCutoff, _ = d.number(raw, at, " metres", 1, maxCutoff)
	},
	"search_filter": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) { d.filter(&l.Filter, raw, at) },
	"preferred_side": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) {
		l.Side = sides[d.word(raw, at, "same", "opposite", "either", "curb", "unrestricted")]
	},
	"street_side_tolerance": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) {
		if v, ok := d.number(raw, at, " metres", 0, maxSideDistance); ok {
			l.SideTolerance = &v
		}
	},
	"street_side_max_distance": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) {
		if v, ok := d.number(raw, at, " metres", 0, maxSideDistance); ok {
			l.SideMaxDistance = &v
		}
	},
	"street_side_cutoff": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) {
		l.SideCutoff = d.word(raw, at, roadClasses...)
	},
	"name": func(d *decoder, l *engine.Location, raw json.RawMessage, at string) { l.Name = d.text(raw, at, maxID) },
}

// sides are the words for a side of the road and their aliases.
var sides = map[string]engine.Side{
	"same": engine.SameSide, "curb": engine.SameSide,
	"opposite": engine.OppositeSide,
	"either":   engine.EitherSide, "unrestricted": engine.EitherSide,
}

func (d *decoder) location(raw json.RawMessage, at string) (l engine.Location) {
	l.Filter.ExcludeClosures = true // Valhalla's default
	all := d.members(raw, at)
	if all == nil {
		return l
	}
	l.Point = d.point(all, at)
	for _, name := range sorted(all) {
		read, known := locationMembers[name]
		switch {
		case name == "lat" || name == "lon" || absent(all[name]):
		case !known:
			d.warn(unknownMember, "%s.%s is not known here and had no effect", at, name)
		default:
			read(d, &l, all[name], at+"."+name)
		}
	}
	tolerance, distance := defaultSideTolerance, defaultSideMaxDistance
	if l.SideTolerance != nil {
		tolerance = *l.SideTolerance
	}
	if l.SideMaxDistance != nil {
		distance = *l.SideMaxDistance
	}
	if tolerance >= distance {
		d.refuse(at+".street_side_tolerance", all["street_side_tolerance"],
			"street_side_tolerance (%g m) must be smaller than street_side_max_distance (%g m), or no distance is left in which a location has a side", tolerance, distance)
	}
	return l
}

// point reads lat and lon.
func (d *decoder) point(all map[string]json.RawMessage, at string) (p geo.Point) {
	for _, c := range []struct {
		name  string
		limit float64
		into  *float64
	}{{"lat", 90, &p.Lat}, {"lon", 180, &p.Lon}} {
		raw := all[c.name]
		if absent(raw) {
			d.refuse(at+"."+c.name, nil, "is missing: every location needs lat and lon in degrees")
			continue
		}
		before := len(d.bad)
		if v, ok := d.number(raw, at+"."+c.name, " degrees", -c.limit, c.limit); ok {
			*c.into = v
			continue
		}
		var lat, lon float64
		if json.Unmarshal(all["lat"], &lat) == nil && json.Unmarshal(all["lon"], &lon) == nil {
			if hint := swapped(geo.Point{Lon: lon, Lat: lat}, d.bounds); hint != "" {
				d.bad[before].Message += "; " + hint
			}
		}
	}
	return p
}

// swapped gives a hint where a position makes sense only with lat and lon
// exchanged: in the region, or on the globe where there is no region.
func swapped(p geo.Point, region geo.Bounds) string {
	other := geo.Point{Lon: p.Lat, Lat: p.Lon}
	if !other.Valid() {
		return ""
	}
	if region.Empty() || region == (geo.Bounds{}) {
		if p.Valid() {
			return ""
		}
		return fmt.Sprintf("are lat and lon swapped? lat %g, lon %g is on the globe", other.Lat, other.Lon)
	}
	if region.Contains(p) || !region.Contains(other) {
		return ""
	}
	return fmt.Sprintf("are lat and lon swapped? lat %g, lon %g lies in the region served here", other.Lat, other.Lon)
}

func (d *decoder) filter(f *engine.SearchFilter, raw json.RawMessage, at string) {
	all := d.members(raw, at)
	flags := map[string]*bool{
		"exclude_tunnel": &f.ExcludeTunnel, "exclude_bridge": &f.ExcludeBridge, "exclude_ramp": &f.ExcludeRamp,
		"exclude_toll": &f.ExcludeToll, "exclude_ferry": &f.ExcludeFerry, "exclude_closures": &f.ExcludeClosures,
	}
	classes := map[string]*string{"min_road_class": &f.MinClass, "max_road_class": &f.MaxClass}
	for _, name := range sorted(all) {
		here := at + "." + name
		switch {
		case absent(all[name]):
		case flags[name] != nil:
			*flags[name] = d.flag(all[name], here)
		case classes[name] != nil:
			*classes[name] = d.word(all[name], here, roadClasses...)
		default:
			d.warn(unknownMember, "%s is not known here and had no effect", here)
		}
	}
	if f.MinClass != "" && f.MaxClass != "" && slices.Index(roadClasses, f.MinClass) < slices.Index(roadClasses, f.MaxClass) {
		d.refuse(at+".min_road_class", all["min_road_class"], "is higher than max_road_class (%s), which leaves no road", f.MaxClass)
	}
}
