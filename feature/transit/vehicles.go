package transit

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/vehicle"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/wire/null"
)

// Feeds are those of vehicles.
type Feeds = feed.Group[[]vehicle.Vehicle, *Fleet]

// NewFeeds makes the group of them.
func NewFeeds() *Feeds { return feed.NewGroup(vehicle.Kind(), JoinFleet) }

// Fleet is the vehicles of all feeds, along a curve on which neighbours are near each
// other, so that every n-th of them is spread evenly. It never changes.
type Fleet struct {
	vehicles []located
	sources  []*feed.Source
	newest   time.Time // position of all
	named    atomic.Pointer[namedFleet]
}

// located is a vehicle and the feed that it is of.
type located struct {
	vehicle.Vehicle
	name   string // operator:vehicle
	source *feed.Source
	colour *string // of the line
	trip   *atomic.Pointer[identified]
}

// namedFleet is a fleet whose lines and operators are those of timetables.
type namedFleet struct {
	timetables []*timetable.Index
	vehicles   []located
	byLine     map[string][]int // indices of vehicles by their lines in small letters
}

// JoinFleet makes the fleet of the snapshots in force.
func JoinFleet(all []*feed.Snapshot[[]vehicle.Vehicle]) *Fleet {
	f := &Fleet{}
	for _, s := range all {
		f.sources = append(f.sources, s.Source)
		for _, v := range s.Value {
			f.vehicles = append(f.vehicles, located{Vehicle: v, source: s.Source})
			if v.Seen.After(f.newest) {
				f.newest = v.Seen
			}
		}
	}
	slices.SortStableFunc(f.vehicles, func(a, b located) int {
		return cmp.Or(cmp.Compare(geo.Hilbert(a.At.Fix()), geo.Hilbert(b.At.Fix())), cmp.Compare(a.ID, b.ID))
	})
	return f
}

// with gives vehicles the lines and operators that timetables have for what their feed
// names, and a name that is the same in every poll. Of two vehicles of one name, as where
// two feeds have it, the newer position counts.
func (f *Fleet) with(timetables []*timetable.Index) *namedFleet {
	if n := f.named.Load(); n != nil && slices.Equal(n.timetables, timetables) {
		return n
	}
	list := slices.Clone(f.vehicles)
	at := map[string]int{}
	for i := range list {
		v := &list[i]
		v.trip = &atomic.Pointer[identified]{}
		nameLine(v, timetables)
		for _, x := range timetables {
			if lines := linesOf(x, v); len(lines) > 0 {
				v.colour = colour(x.Line(lines[0]).Colour)
				break
			}
		}
		operator := v.Operator
		if operator == "" { // ids of vehicles repeat between operators
			operator = strings.Trim(v.source.ID+"/"+v.Route, "/")
		}
		v.name = operator + ":" + v.ID
		if n, there := at[v.name]; there && !v.Seen.After(list[n].Seen) {
			v.name = ""
		} else if there {
			list[n].name = ""
		}
		if v.name != "" {
			at[v.name] = i
		}
	}
	list = slices.DeleteFunc(list, func(v located) bool { return v.name == "" })
	n := &namedFleet{slices.Clone(timetables), list, map[string][]int{}}
	for i, v := range list {
		line := strings.ToLower(v.Line)
		n.byLine[line] = append(n.byLine[line], i)
	}
	f.named.Store(n)
	return n
}

// nameLine names the line and the operator of a vehicle whose feed has a route alone.
func nameLine(v *located, timetables []*timetable.Index) {
	if v.Line != "" && v.Operator != "" || v.Route == "" {
		return
	}
	for _, x := range timetables {
		lines := x.LineByID(v.Route)
		if len(lines) == 0 || v.Trip != "" && !x.HasTrip(v.Trip) {
			continue
		}
		v.Line = cmp.Or(v.Line, x.LineName(lines[0]))
		v.Operator = cmp.Or(v.Operator, x.Agency(x.Line(lines[0]).Agency).Code)
		return
	}
}

// VehiclesRequest asks for the vehicles in a box.
type VehiclesRequest struct {
	Box      geo.Bounds
	Operator string // code; "" is all
	Line     string // "" is all
	Limit    int
}

// Vehicles is where vehicles were, as GeoJSON.
type Vehicles struct {
	Type        string        `json:"type" enum:"FeatureCollection"`
	Features    []Vehicle     `json:"features" nullable:"false"`
	Truncated   bool          `json:"truncated" doc:"there are more than limit; those that are here are spread evenly over the box"`
	Feed        FeedState     `json:"feed"`
	Coverage    FleetCoverage `json:"coverage"`
	Attribution []string      `json:"attribution" nullable:"false" doc:"to be shown with the vehicles, word by word"`
}

// Vehicle is a feature of GeoJSON.
type Vehicle struct {
	Type       string            `json:"type" enum:"Feature"`
	ID         string            `json:"id" doc:"operator:vehicle, the same in every answer"`
	Geometry   Point             `json:"geometry"`
	Properties VehicleProperties `json:"properties"`
}

// Point is a geometry of GeoJSON.
type Point struct {
	Type        string     `json:"type" enum:"Point"`
	Coordinates [2]float64 `json:"coordinates" doc:"longitude, latitude"`
}

// VehicleProperties has the known facts of a vehicle.
type VehicleProperties struct {
	ID          string  `json:"id"`
	Line        *string `json:"line" doc:"null where the feed has none and no timetable has its route"`
	Colour      *string `json:"colour,omitempty" doc:"of the line, #rrggbb; absent where no timetable has one"`
	Operator    *string `json:"operator" doc:"code"`
	Direction   *string `json:"direction" enum:"outbound,inbound"`
	Origin      *string `json:"origin"`
	Destination *string `json:"destination"`
	Bearing     *int    `json:"bearing" doc:"degrees clockwise from north; null where it is not known"`
	Recorded    string  `json:"recorded_at" doc:"when the vehicle was there, RFC 3339"`
	Age         float64 `json:"age_s" decimals:"0" doc:"seconds since then"`
}

// FeedState is how far the positions can be relied on.
type FeedState struct {
	Status   string   `json:"status" enum:"ok,stale,unknown" doc:"stale: the newest position is more than 180 seconds old or the feed has stopped; unknown: no position has come yet"`
	Recorded *string  `json:"recorded_at" doc:"of the newest position"`
	Age      *float64 `json:"age_s" decimals:"0" doc:"seconds since then"`
}

// FleetCoverage counts the contents of the feeds.
type FleetCoverage struct {
	Vehicles int      `json:"vehicles" doc:"of all feeds, wherever they are"`
	Sources  []string `json:"sources" nullable:"false"`
}

var errNoVehicles = fault.NotEnabled("transit", "positions of vehicles are not enabled here: the deployment has no feed of them (SVC_VEHICLES)")

// Vehicles returns the vehicles in a box. A stale feed still has some.
func (s *Service) Vehicles(indexes []*timetable.Index, r VehiclesRequest) (*Vehicles, error) {
	if len(s.Feeds.Feeds()) == 0 {
		return nil, errNoVehicles
	}
	out := &Vehicles{Type: "FeatureCollection", Features: []Vehicle{}, Feed: FeedState{Status: "unknown"}, Coverage: FleetCoverage{Sources: []string{}}, Attribution: []string{}}
	fleet, ok := s.Feeds.View()
	if !ok {
		return out, nil
	}
	now := s.Now()
	list := fleet.with(indexes).vehicles
	out.Coverage.Vehicles = len(list)
	for _, source := range fleet.sources {
		out.Coverage.Sources = append(out.Coverage.Sources, source.ID)
		if source.Attribution != "" && !slices.Contains(out.Attribution, source.Attribution) {
			out.Attribution = append(out.Attribution, source.Attribution)
		}
	}
	out.Feed = s.feedState(fleet, now)
	var found []*located
	for i := range list {
		if v := &list[i]; r.Box.Contains(v.At) && (r.Operator == "" || strings.EqualFold(r.Operator, v.Operator)) && (r.Line == "" || strings.EqualFold(r.Line, v.Line)) {
			found = append(found, v)
		}
	}
	out.Truncated = len(found) > r.Limit
	for _, v := range evenly(found, r.Limit) {
		out.Features = append(out.Features, featureOf(v, now))
	}
	return out, nil
}

// feedState judges feeds by their newest position, and by whether they have stopped.
func (s *Service) feedState(fleet *Fleet, now time.Time) FeedState {
	if fleet.newest.IsZero() {
		return FeedState{Status: "unknown"}
	}
	age := math.Max(0, now.Sub(fleet.newest).Seconds())
	state := FeedState{Status: "ok", Recorded: null.IfZero(fleet.newest.UTC().Format(time.RFC3339)), Age: &age}
	if age > vehicle.StaleAfter.Seconds() {
		state.Status = "stale"
	}
	return state
}

// evenly takes so many of a list, each as far from the next.
func evenly[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

func featureOf(v *located, now time.Time) Vehicle {
	p := VehicleProperties{
		ID: v.name, Line: null.IfZero(v.Line), Colour: v.colour, Operator: null.IfZero(v.Operator), Direction: null.IfZero(v.Direction), Origin: null.IfZero(v.Origin), Destination: null.IfZero(v.Destination),
		Recorded: v.Seen.UTC().Format(time.RFC3339), Age: math.Max(0, now.Sub(v.Seen).Seconds()),
	}
	if v.Bearing >= 0 {
		p.Bearing = &v.Bearing
	}
	return Vehicle{Type: "Feature", ID: v.name, Geometry: Point{"Point", [2]float64{v.At.Lon, v.At.Lat}}, Properties: p}
}
