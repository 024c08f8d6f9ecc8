package native

import (
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// Position is a place in degrees.
type Position struct {
	Lat float64 `json:"lat" minimum:"-90" maximum:"90" unit:"degrees"`
	Lon float64 `json:"lon" minimum:"-180" maximum:"180" unit:"degrees"`
}

// Point returns the place.
func (p *Position) Point() geo.Point { return geo.Point{Lon: p.Lon, Lat: p.Lat} }

// Hint returns where lat and lon look swapped.
func (p *Position) Hint(c *schema.Context, member string) string {
	if member != "lat" && member != "lon" {
		return ""
	}
	return engine.SwappedHint(p.Point(), c.Bounds)
}

// Points returns the places of a list.
func Points(list []Position) []geo.Point {
	if list == nil {
		return nil
	}
	all := make([]geo.Point, len(list))
	for i := range list {
		all[i] = list[i].Point()
	}
	return all
}

// RouteLocation is a place that a route goes through.
type RouteLocation struct {
	Position
	Type                  string       `json:"type,omitempty" enum:"break,through,via,break_through" default:"break" doc:"break begins a leg and may turn round, through does neither, via may turn round, break_through begins a leg without turning round"`
	Heading               *float64     `json:"heading,omitempty" minimum:"0" maximum:"360" unit:"degrees" doc:"degrees clockwise from north"`
	HeadingTolerance      float64      `json:"heading_tolerance,omitempty" minimum:"1" maximum:"180" default:"60" unit:"degrees" doc:"degrees"`
	Radius                float64      `json:"radius,omitempty" minimum:"0" maximum:"10000" unit:"metres" doc:"metres within which every road is as good as the nearest, of the nearest 256; all locations of a request have 2,048 together"`
	SearchCutoff          *float64     `json:"search_cutoff,omitempty" minimum:"1" maximum:"35000" default:"35000" unit:"metres" doc:"metres beyond which no road counts"`
	SearchFilter          SearchFilter `json:"search_filter,omitzero"`
	PreferredSide         string       `json:"preferred_side,omitempty" enum:"same,opposite,either,curb,unrestricted" default:"either" doc:"curb is same, unrestricted is either"`
	StreetSideTolerance   *float64     `json:"street_side_tolerance,omitempty" minimum:"0" maximum:"100000" default:"5" unit:"metres" doc:"metres from the centre line below which there is no side"`
	StreetSideMaxDistance *float64     `json:"street_side_max_distance,omitempty" minimum:"0" maximum:"100000" default:"1000" unit:"metres" doc:"metres beyond which there is no side; above the tolerance"`
	StreetSideCutoff      string       `json:"street_side_cutoff,omitempty" enum:"motorway,trunk,primary,secondary,tertiary,unclassified,residential,service_other" default:"service_other" doc:"class of road below which the side is ignored"`
	Name                  string       `json:"name,omitempty" maxLength:"256"`
}

// SearchFilter narrows the roads a location may snap to.
type SearchFilter struct {
	ExcludeTunnel   bool   `json:"exclude_tunnel,omitempty"`
	ExcludeBridge   bool   `json:"exclude_bridge,omitempty"`
	ExcludeRamp     bool   `json:"exclude_ramp,omitempty"`
	ExcludeToll     bool   `json:"exclude_toll,omitempty"`
	ExcludeFerry    bool   `json:"exclude_ferry,omitempty"`
	ExcludeClosures bool   `json:"exclude_closures,omitempty" default:"true"`
	MinRoadClass    string `json:"min_road_class,omitempty" enum:"motorway,trunk,primary,secondary,tertiary,unclassified,residential,service_other"`
	MaxRoadClass    string `json:"max_road_class,omitempty" enum:"motorway,trunk,primary,secondary,tertiary,unclassified,residential,service_other"`
}

// roadClasses are Valhalla's, highest first.
var roadClasses = []string{"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "service_other"}

// Check refuses classes that leave no road.
func (f *SearchFilter) Check(c *schema.Context) {
	if f.MinRoadClass != "" && f.MaxRoadClass != "" && slices.Index(roadClasses, f.MinRoadClass) < slices.Index(roadClasses, f.MaxRoadClass) {
		c.Refuse("min_road_class", f.MinRoadClass, "is higher than max_road_class (%s), which leaves no road", f.MaxRoadClass)
	}
}

// Check refuses distances that leave none at which the location has a side.
func (l *RouteLocation) Check(c *schema.Context) {
	tolerance, distance := float64(engine.UsualSideTolerance), float64(engine.UsualSideMaxDistance)
	if l.StreetSideTolerance != nil {
		tolerance = *l.StreetSideTolerance
	}
	if l.StreetSideMaxDistance != nil {
		distance = *l.StreetSideMaxDistance
	}
	if tolerance >= distance {
		c.Refuse("street_side_tolerance", tolerance,
			"street_side_tolerance (%g m) must be smaller than street_side_max_distance (%g m), or no distance is left in which a location has a side", tolerance, distance)
	}
}

// unless returns a value where it is another than the usual one, which an engine
// takes where the request says nothing.
func unless[T comparable](v, usual T) T {
	if v == usual {
		var nothing T
		return nothing
	}
	return v
}

// sides are the words for a side of the road and their aliases.
var sides = map[string]engine.Side{"same": engine.SameSide, "curb": engine.SameSide, "opposite": engine.OppositeSide}

// engine returns the place as an engine takes it.
func (l *RouteLocation) engine() engine.Location {
	f := &l.SearchFilter
	e := engine.Location{
		Point: l.Point(), Stop: engine.Stop(unless(l.Type, "break")), Heading: l.Heading, HeadingTolerance: unless(l.HeadingTolerance, engine.UsualHeadingTolerance), Radius: l.Radius,
		Side: sides[l.PreferredSide], SideTolerance: l.StreetSideTolerance, SideMaxDistance: l.StreetSideMaxDistance, SideCutoff: unless(l.StreetSideCutoff, "service_other"),
		Filter: engine.SearchFilter{
			ExcludeTunnel: f.ExcludeTunnel, ExcludeBridge: f.ExcludeBridge, ExcludeRamp: f.ExcludeRamp, ExcludeToll: f.ExcludeToll, ExcludeFerry: f.ExcludeFerry,
			ExcludeClosures: f.ExcludeClosures, MinClass: f.MinRoadClass, MaxClass: f.MaxRoadClass,
		},
		Name: l.Name,
	}
	if l.SearchCutoff != nil {
		e.SearchCutoff = *l.SearchCutoff
	}
	return e
}

func locations(list []RouteLocation) []engine.Location {
	all := make([]engine.Location, len(list))
	for i := range list {
		all[i] = list[i].engine()
	}
	return all
}

// PointsOf returns the places of some lists.
func PointsOf(lists ...[]RouteLocation) []geo.Point {
	var all []geo.Point
	for _, list := range lists {
		for i := range list {
			all = append(all, list[i].Point())
		}
	}
	return all
}
