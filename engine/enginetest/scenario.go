// Package enginetest is the one suite that every routing engine passes: towns
// drawn in ASCII and the routes through them, given by the places they pass, so
// that engines may differ in seconds and wording but not in where they drive.
//
// All towns share one extract, far enough apart that none disturbs another:
// Extract writes it, the engine under test is built from it once, and Run
// drives every scenario. StartValhalla is a real Valhalla on such an extract.
package enginetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/towntest"
)

// Scenario is a town and the trips through it.
type Scenario struct {
	Name    string
	Plan    towntest.Plan
	Germany bool // stands where traffic keeps right; by default in England
	Trips   []Trip
	Traces  []Trace // for engines that match
}

// Trip is a request and what its route must look like.
type Trip struct {
	// Stops are places separated by spaces: "a" is a node, "ab" half-way from
	// a to b, "ab.25" a quarter of the way. A sign before it makes the stop
	// ">" through, "~" via or "+" break_through; "^90" after it sets the
	// heading in degrees.
	Stops   string
	Costing costing.Costing // "" is auto
	Options string          // costing options as JSON members: `"height": 3`

	Path    string // the places the best route passes, in order: "abd"
	Streets string // the names of its streets in order, separated by commas; "" is any
	Code    int    // the error_code of a refusal; 0 is a route

	Alter   func(*towntest.Town, *engine.RouteRequest) // last changes to the request
	Check   func(*testing.T, *Route)                   // what else must hold in the native format
	Steps   func(*testing.T, *OSRMRoute)               // what else must hold in OSRM's format
	Forms   bool                                       // try every form of OSRM's format
	ADR     bool                                       // only for engines that enforce tunnel codes
	Differs string                                     // why Valhalla goes another way where we do so on purpose: only for engines other than it
}

// spacing of the towns in degrees: further apart than the 35 km within which
// an engine may look for roads.
const (
	stepLat, stepLon = 0.36, 0.6
	columns          = 4
)

// All lists the scenarios, each placed apart with identifiers of its own.
func All() []Scenario {
	all := slices.Concat(roads(), turns(), access(), limits(), costs(), stops(), guidance(), tunnels(), traces(), reaches(), conditions(), indoors(), nodes(), vehicles(), shunned())
	english, german := 0, 0
	for i := range all {
		corner, n := geo.Point{Lon: -2.4, Lat: 54.5}, &english
		if all[i].Germany {
			corner, n = geo.Point{Lon: 9, Lat: 53}, &german
		}
		all[i].Plan.At = towntest.At{
			Lon: corner.Lon + stepLon*float64(*n%columns),
			Lat: corner.Lat - stepLat*float64(*n/columns),
		}
		all[i].Plan.FirstID = towntest.FirstID(1000 * (i + 1))
		*n++
	}
	return all
}

// Extract writes the towns of all scenarios as one .osm.pbf into the test's
// temporary folder and gives its path.
func Extract(t testing.TB) string {
	t.Helper()
	all := All()
	towns := []*towntest.Town{borders(t), RefusedTown(t)}
	for i := range all {
		towns = append(towns, build(t, &all[i]))
	}
	data, err := towntest.Merge(towns...)
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/scenarios.osm.pbf"
	if err := towntest.WriteFile(path, data); err != nil {
		t.Fatal(err)
	}
	return path
}

// RefusedTown returns the town of requests that are refused: a and b are joined, x and y are a road
// without a way to them, and within 70 km there is no other road.
func RefusedTown(t testing.TB) *towntest.Town {
	t.Helper()
	return towntest.Draw(t, "a---b---c\n|   |\nd---e\n\n\nx---y", towntest.Ways{
		{"abc", "primary"}, {"ad", "primary"}, {"de", "primary"}, {"be", "primary"}, {"xy", "primary"},
	}, towntest.At{Lon: 4, Lat: 51}, towntest.FirstID(800_000))
}

func build(t testing.TB, s *Scenario) *towntest.Town {
	t.Helper()
	town, err := s.Plan.Build()
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return town
}

// borders are two countries as an engine without borders of its own reads them
// from the extract: boxes, but with the real names.
func borders(t testing.TB) *towntest.Town {
	t.Helper()
	data := &osm.Data{}
	for i, c := range []struct {
		name, code string
		box        geo.Bounds
	}{
		{"United Kingdom", "GB", geo.Bounds{Min: geo.Point{Lon: -6, Lat: 50}, Max: geo.Point{Lon: 1.5, Lat: 56}}},
		{"Deutschland", "DE", geo.Bounds{Min: geo.Point{Lon: 6, Lat: 48}, Max: geo.Point{Lon: 15, Lat: 55}}},
	} {
		first := int64(900_000 + 10*i)
		ring := osm.Way{ID: first, Version: 1}
		for j, p := range []geo.Point{c.box.Min, {Lon: c.box.Max.Lon, Lat: c.box.Min.Lat}, c.box.Max, {Lon: c.box.Min.Lon, Lat: c.box.Max.Lat}} {
			f := p.Fix()
			data.Nodes = append(data.Nodes, osm.Node{ID: first + int64(j), Version: 1, Lon: f.Lon, Lat: f.Lat})
			ring.Nodes = append(ring.Nodes, first+int64(j))
		}
		ring.Nodes = append(ring.Nodes, first)
		data.Ways = append(data.Ways, ring)
		data.Relations = append(data.Relations, osm.Relation{
			ID: first, Version: 1,
			Members: []osm.Member{{Kind: osm.KindWay, Ref: first, Role: "outer"}},
			Tags: osm.Tags{
				{Key: "type", Value: "boundary"},
				{Key: "boundary", Value: "administrative"},
				{Key: "admin_level", Value: "2"},
				{Key: "name", Value: c.name},
				{Key: "ISO3166-1:alpha2", Value: c.code},
			},
		})
	}
	return towntest.Of(data)
}

// request makes the native request of a trip.
func (trip *Trip) request(town *towntest.Town) (*engine.RouteRequest, error) {
	r := &engine.RouteRequest{Costing: trip.Costing, Want: engine.WantTunnels, Output: engine.Output{Format: engine.Native, ShapeFormat: "polyline6"}}
	if !r.Costing.Valid() {
		r.Costing = costing.Auto
	}
	for stop := range strings.FieldsSeq(trip.Stops) {
		l, err := location(town, stop)
		if err != nil {
			return nil, fmt.Errorf("stop %q: %w", stop, err)
		}
		r.Locations = append(r.Locations, l)
	}
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte("{"+trip.Options+"}"), &raw); err != nil {
		return nil, fmt.Errorf("options %s: %w", trip.Options, err)
	}
	settings, unknown, bad := costing.Parse(r.Costing, raw, "options")
	if len(unknown) > 0 || len(bad) > 0 {
		return nil, fmt.Errorf("options %s: unknown %q, bad %+v", trip.Options, unknown, bad)
	}
	r.Options = settings
	if trip.Alter != nil {
		trip.Alter(town, r)
	}
	return r, nil
}

var stopSigns = map[byte]engine.Stop{'>': engine.Through, '~': engine.Via, '+': engine.BreakThrough}

func location(town *towntest.Town, stop string) (l engine.Location, err error) {
	l.Stop = engine.Break
	if sign, ok := stopSigns[stop[0]]; ok {
		l.Stop, stop = sign, stop[1:]
	}
	stop, heading, turned := strings.Cut(stop, "^")
	if turned {
		degrees, err := strconv.ParseFloat(heading, 64)
		if err != nil {
			return l, err
		}
		l.Heading = &degrees
	}
	places, share, _ := strings.Cut(stop, ".")
	switch len(places) {
	case 1:
		l.Point = town.Point(places)
	case 2:
		along := 0.5
		if share != "" {
			if along, err = strconv.ParseFloat("0."+share, 64); err != nil {
				return l, err
			}
		}
		l.Point = town.Between(places[:1], places[1:], along)
	default:
		return l, fmt.Errorf("want one place or two")
	}
	return l, nil
}
