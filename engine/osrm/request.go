package osrm

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// query is the parameters of a request, in order: names and values in turn.
type query []string

func (q *query) add(name, value string) { *q = append(*q, name, value) }

// encode returns the query with its question mark; "" where it is empty.
func (q query) encode() string {
	var text strings.Builder
	for i := 0; i < len(q); i += 2 {
		text.WriteByte("?&"[min(i, 1)])
		text.WriteString(q[i] + "=" + q[i+1])
	}
	return text.String()
}

// coordinates writes places in the shortest form that a server reads.
func coordinates(places []geo.Point) string {
	if len(places) > 3 {
		return "polyline6(" + url.PathEscape(geo.EncodePolyline(places, 6)) + ")"
	}
	list := make([]string, len(places))
	for i, p := range places {
		list[i] = formatFloat(p.Lon) + "," + formatFloat(p.Lat)
	}
	return strings.Join(list, ";")
}

func formatFloat(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64) }

// locate adds to a query what locations want of the roads that they lie on.
func (q *query) locate(list []engine.Location) {
	radiuses := make([]string, len(list))
	for i := range list {
		radiuses[i] = formatFloat(list[i].Cutoff())
	}
	q.add("radiuses", strings.Join(radiuses, ";"))
	q.headed(list)
}

// headed adds the directions in which locations are left or come to.
func (q *query) headed(list []engine.Location) {
	bearings, approaches := make([]string, len(list)), make([]string, len(list))
	for i := range list {
		l := &list[i]
		if l.Heading != nil {
			bearings[i] = bearing(*l.Heading, l.HeadingTolerance)
		}
		approaches[i] = map[engine.Side]string{engine.SameSide: "curb", engine.OppositeSide: "opposite"}[l.Side]
	}
	if slices.ContainsFunc(bearings, given) {
		q.add("bearings", strings.Join(bearings, ";"))
	}
	if slices.ContainsFunc(approaches, given) {
		q.add("approaches", strings.Join(approaches, ";"))
	}
}

// bearing writes a heading and how far a road may differ from it, in degrees; a tolerance of
// 0 is the usual one.
func bearing(heading, tolerance float64) string {
	if tolerance == 0 {
		tolerance = engine.UsualHeadingTolerance
	}
	return fmt.Sprintf("%d,%d", int(math.Round(heading))%360, int(min(180, math.Round(tolerance))))
}

func given(text string) bool { return text != "" }

// excludable are the options that a server may have a class of roads for, in its stock
// profiles' names.
var excludable = map[costing.Option]string{costing.ExcludeTolls: "toll", costing.ExcludeHighways: "motorway", costing.ExcludeFerries: "ferry"}

// exclude adds the classes of roads that options exclude.
func (q *query) exclude(s *costing.Settings) {
	var classes []string
	for o, class := range excludable {
		if s.On(o) {
			classes = append(classes, class)
		}
	}
	if slices.Sort(classes); len(classes) > 0 {
		q.add("exclude", strings.Join(classes, ","))
	}
}

// stock are the costings that OSRM has a profile for.
var stock = map[costing.Costing]bool{costing.Auto: true, costing.Bicycle: true, costing.Pedestrian: true}

// ignored lists what of a request a server with a fixed profile cannot heed, as warnings.
// An option that excludes roads which no profile has a class for is refused, as a road of
// that kind would be in the answer without a word.
func ignored(c costing.Costing, s *costing.Settings, b *engine.Conditions, places []engine.Location) ([]engine.Warning, error) {
	var list []engine.Warning
	for _, o := range costing.Of(c) {
		at := "costing_options." + c.String() + "." + o.String()
		switch {
		case !s.Given(o) || excludable[o] != "":
		case !strings.HasPrefix(o.String(), "exclude_"):
			list = append(list, engine.Warning{Code: engine.WarnOption, Of: at, Text: at + " had no effect: the routing engine here has one fixed profile"})
		case s.On(o):
			return nil, fault.NotEnabled(o.String(), "%s is not enabled on this deployment: its routing engine cannot exclude these roads", o).With("field", at)
		}
	}
	if !stock[c] {
		list = append(list, engine.Warning{Code: engine.WarnIgnored, Of: "costing", Text: "roads closed to a " + c.String() + " may be travelled: which are open is a matter of the profile of the routing engine here, which may be that of cars"})
	}
	if b.When != nil {
		list = append(list, engine.Warning{Code: engine.WarnIgnored, Of: "date_time", Text: "date_time had no effect on the way: the routing engine here knows no times, and what is closed then may be travelled"})
	}
	if slices.ContainsFunc(places, func(l engine.Location) bool {
		l.Filter.ExcludeClosures = false // a server knows of none
		return l.Filter != (engine.SearchFilter{})
	}) {
		list = append(list, engine.Warning{Code: engine.WarnOption, Of: "locations[].search_filter", Text: "search_filter had no effect: the routing engine here cannot filter roads"})
	}
	for _, x := range [...]struct {
		name string
		set  func(engine.Location) bool
	}{
		{"radius", func(l engine.Location) bool { return l.Radius > 0 }},
		{"street_side_tolerance", func(l engine.Location) bool { return differs(l.SideTolerance, engine.UsualSideTolerance) }},
		{"street_side_max_distance", func(l engine.Location) bool { return differs(l.SideMaxDistance, engine.UsualSideMaxDistance) }},
		{"street_side_cutoff", func(l engine.Location) bool { return l.SideCutoff != "" && l.SideCutoff != "service_other" }},
	} {
		if slices.ContainsFunc(places, x.set) {
			list = append(list, engine.Warning{Code: engine.WarnOption, Of: "locations[]." + x.name, Text: x.name + " had no effect: the routing engine here takes the nearest road, and the side that it lies on"})
		}
	}
	return list, nil
}

func differs(given *float64, usual float64) bool { return given != nil && *given != usual }

// unexcluded refuses areas and places to keep out of, which a route through them would
// deny.
func unexcluded(b *engine.Conditions) error {
	for _, x := range []struct {
		name string
		some bool
	}{{"exclude_polygons", len(b.ExcludePolygons)+len(b.ExcludeAreas) > 0}, {"exclude_locations", len(b.ExcludeLocations) > 0}} {
		if x.some {
			return fault.NotEnabled(x.name, "%s is not enabled on this deployment: its routing engine cannot keep a route out of an area", x.name).With("field", x.name)
		}
	}
	return nil
}

// passing warns that areas to keep out of are not heeded, where the contract ignores them.
func passing(b *engine.Conditions) []engine.Warning {
	if unexcluded(b) == nil {
		return nil
	}
	return []engine.Warning{{Code: engine.WarnIgnored, Of: "exclude_polygons,exclude_locations,avoid_polygons,avoid_locations", Text: "exclude_polygons and exclude_locations had no effect: the routing engine here cannot keep out of an area"}}
}

func points(list []engine.Location) []geo.Point {
	out := make([]geo.Point, len(list))
	for i := range list {
		out[i] = list[i].Point
	}
	return out
}
