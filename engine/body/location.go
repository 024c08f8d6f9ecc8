package body

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// roadClasses are Valhalla's, highest first.
var roadClasses = []string{"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "service_other"}

// Limits of a location, in metres.
const (
	MaxCutoff       = 35_000
	maxRadius       = 10_000
	maxSideDistance = 100_000

	defaultSideTolerance   = 5.0
	defaultSideMaxDistance = 1000.0
)

// locationMembers reads what a location may have besides its position.
var locationMembers = map[string]func(r *Reader, l *engine.Location, raw json.RawMessage, at string){
	"type": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) {
		l.Stop = engine.Stop(r.Word(raw, at, "break", "through", "via", "break_through"))
	},
	"heading": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) {
		if v, ok := r.Number(raw, at, " degrees", 0, 360); ok {
			l.Heading = &v
		}
	},
	"heading_tolerance": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) {
		l.HeadingTolerance, _ = r.Number(raw, at, " degrees", 1, 180)
	},
	"radius": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) {
		l.Radius, _ = r.Number(raw, at, " metres", 0, maxRadius)
	},
	"search_cutoff": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) {
		l.SearchCutoff, _ = r.Number(raw, at, " metres", 1, MaxCutoff)
	},
	"search_filter": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) { r.filter(&l.Filter, raw, at) },
	"preferred_side": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) {
		l.Side = sides[r.Word(raw, at, "same", "opposite", "either", "curb", "unrestricted")]
	},
	"street_side_tolerance": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) {
		if v, ok := r.Number(raw, at, " metres", 0, maxSideDistance); ok {
			l.SideTolerance = &v
		}
	},
	"street_side_max_distance": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) {
		if v, ok := r.Number(raw, at, " metres", 0, maxSideDistance); ok {
			l.SideMaxDistance = &v
		}
	},
	"street_side_cutoff": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) {
		l.SideCutoff = r.Word(raw, at, roadClasses...)
	},
	"name": func(r *Reader, l *engine.Location, raw json.RawMessage, at string) { l.Name = r.Text(raw, at) },
}

// sides are the words for a side of the road and their aliases.
var sides = map[string]engine.Side{
	"same": engine.SameSide, "curb": engine.SameSide,
	"opposite": engine.OppositeSide,
	"either":   engine.EitherSide, "unrestricted": engine.EitherSide,
}

// Between reads a list of some number of locations.
func (r *Reader) Between(raw json.RawMessage, at string, least, most int) []engine.Location {
	var list []json.RawMessage
	switch {
	case json.Unmarshal(raw, &list) != nil || Absent(raw):
		r.Refuse(at, raw, "must be a list of at least %s and at most %d objects with lat and lon", count(least), most)
	case len(list) == 0 && least == 1:
		r.Refuse(at, nil, "is empty: at least one location is needed")
	case len(list) < least:
		r.Refuse(at, nil, "has %d of at least %s locations", len(list), count(least))
	case len(list) > most:
		r.Refuse(at, nil, "has %d locations and may have %d", len(list), most)
	default:
		return r.Locations(raw, at)
	}
	return nil
}

// count words a small number.
func count(n int) string {
	switch n {
	case 1:
		return "one"
	case 2:
		return "two"
	}
	return strconv.Itoa(n)
}

// Locations reads a list of locations.
func (r *Reader) Locations(raw json.RawMessage, at string) []engine.Location {
	list := r.List(raw, at, "objects with lat and lon")
	all := make([]engine.Location, 0, len(list))
	for i, one := range list {
		all = append(all, r.Location(one, fmt.Sprintf("%s[%d]", at, i)))
	}
	return all
}

// Location reads a location.
func (r *Reader) Location(raw json.RawMessage, at string) (l engine.Location) {
	l.Filter.ExcludeClosures = true // Valhalla's default
	all := r.Members(raw, at)
	if all == nil {
		return l
	}
	l.Point = r.point(all, at)
	if len(all) == 2 {
		return l // most have a position only
	}
	for _, name := range Names(all) {
		read, known := locationMembers[name]
		switch {
		case name == "lat" || name == "lon" || Absent(all[name]):
		case !known:
			r.Warn(UnknownMember, "%s.%s is not known here and had no effect", at, name)
		default:
			read(r, &l, all[name], at+"."+name)
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
		r.Refuse(at+".street_side_tolerance", all["street_side_tolerance"],
			"street_side_tolerance (%g m) must be smaller than street_side_max_distance (%g m), or no distance is left in which a location has a side", tolerance, distance)
	}
	return l
}

// point reads lat and lon.
func (r *Reader) point(all map[string]json.RawMessage, at string) (p geo.Point) {
	for _, c := range []struct {
		name  string
		limit float64
		into  *float64
	}{{"lat", 90, &p.Lat}, {"lon", 180, &p.Lon}} {
		raw := all[c.name]
		if Absent(raw) {
			r.Refuse(at+"."+c.name, nil, "is missing: every location needs lat and lon in degrees")
			continue
		}
		before := len(r.bad)
		if v, ok := r.Number(raw, at+"."+c.name, " degrees", -c.limit, c.limit); ok {
			*c.into = v
			continue
		}
		var lat, lon float64
		if json.Unmarshal(all["lat"], &lat) == nil && json.Unmarshal(all["lon"], &lon) == nil {
			if hint := Swapped(geo.Point{Lon: lon, Lat: lat}, r.Bounds); hint != "" {
				r.bad[before].Message += "; " + hint
			}
		}
	}
	return p
}

// Swapped gives a hint where a position makes sense only with lat and lon
// exchanged: in the region, or on the globe where there is no region.
func Swapped(p geo.Point, region geo.Bounds) string {
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

// LocationMembers lists every member of a location that is known.
func LocationMembers() []string {
	all := slices.AppendSeq([]string{"lat", "lon"}, maps.Keys(locationMembers))
	slices.Sort(all)
	return all
}

func (r *Reader) filter(f *engine.SearchFilter, raw json.RawMessage, at string) {
	all := r.Members(raw, at)
	flags := map[string]*bool{
		"exclude_tunnel": &f.ExcludeTunnel, "exclude_bridge": &f.ExcludeBridge, "exclude_ramp": &f.ExcludeRamp,
		"exclude_toll": &f.ExcludeToll, "exclude_ferry": &f.ExcludeFerry, "exclude_closures": &f.ExcludeClosures,
	}
	classes := map[string]*string{"min_road_class": &f.MinClass, "max_road_class": &f.MaxClass}
	for _, name := range Names(all) {
		here := at + "." + name
		switch {
		case Absent(all[name]):
		case flags[name] != nil:
			*flags[name] = r.Flag(all[name], here)
		case classes[name] != nil:
			*classes[name] = r.Word(all[name], here, roadClasses...)
		default:
			r.Warn(UnknownMember, "%s is not known here and had no effect", here)
		}
	}
	if f.MinClass != "" && f.MaxClass != "" && slices.Index(roadClasses, f.MinClass) < slices.Index(roadClasses, f.MaxClass) {
		r.Refuse(at+".min_road_class", all["min_road_class"], "is higher than max_road_class (%s), which leaves no road", f.MaxClass)
	}
}
