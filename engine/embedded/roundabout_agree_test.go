package embedded_test

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
)

// TestRoundaboutsAgree drives through the roundabouts of real places, from each arm to
// each other, and compares the numbers of exits with those that a driver counts, read
// from the extract by itself: roads on the outer side that he may enter, in the order in
// which he passes them, but no driveways, aisles of car parks and private ways, and not
// the road that he comes on.
func TestRoundaboutsAgree(t *testing.T) {
	t.Parallel()
	for _, place := range []struct {
		extract string
		left    bool
	}{
		{"malta-20180827", true},
		{"newport-wales-20230613", true},
		{"rutland-england-20220720", true},
		{"andorra-20211028", false},
		{"liechtenstein-20221215", false},
		{"dusseldorf-universitaetstunnel-20210812", false},
	} {
		t.Run(place.extract, func(t *testing.T) {
			t.Parallel()
			extract := realdata.File(t, "osm/"+place.extract+".osm.pbf")
			d := readDriven(t, extract, place.left)
			e := open(t, extract)
			passed, different := 0, 0
			for _, trip := range d.trips() {
				for _, p := range d.passages(t, e, trip) {
					passed++
					if p.want != p.got {
						different++
						t.Errorf("from %v to %v: the exit is number %d, a driver counts %d, from node %d to %d", trip[0], trip[1], p.got, p.want, p.from, p.to)
					}
				}
			}
			if passed < 10 || different > 0 {
				t.Errorf("%d of %d passages differ", different, passed)
			}
		})
	}
}

// driven are the roads of an extract as a driver sees them.
type driven struct {
	left  bool
	at    map[int64]geo.Point
	out   map[int64][]road // by node
	in    map[int64][]road // by node, with to being where the road comes from
	rings map[int64]bool   // the nodes of roundabouts
}

type road struct {
	to             int64
	ring, one, own bool // own: a way that nobody takes for an exit
	name           string
}

func readDriven(t *testing.T, extract string, left bool) *driven {
	t.Helper()
	d := &driven{left, map[int64]geo.Point{}, map[int64][]road{}, map[int64][]road{}, map[int64]bool{}}
	_, err := osm.Scan(t.Context(), extract, osm.Options{SkipRelations: true}, func(b *osm.Block) error {
		for _, n := range b.Nodes {
			d.at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
		}
		for _, w := range b.Ways {
			d.way(&w)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *driven) way(w *osm.Way) {
	switch w.Tags.Get("highway") {
	case "motorway", "trunk", "primary", "secondary", "tertiary", "motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link",
		"unclassified", "residential", "living_street", "service", "road", "track":
	default:
		return
	}
	r := road{name: w.Tags.Get("name") + "/" + w.Tags.Get("ref")}
	access := ""
	for _, key := range []string{"access", "vehicle", "motor_vehicle", "motorcar"} {
		if v := w.Tags.Get(key); v != "" {
			access = v
		}
	}
	switch access {
	case "no", "agricultural", "forestry", "military", "emergency", "bus", "psv":
		return
	}
	service := w.Tags.Get("service")
	r.own = access == "private" || service == "driveway" || service == "parking_aisle"
	junction := w.Tags.Get("junction")
	r.ring = junction == "roundabout" || junction == "circular"
	along, against := true, true
	switch w.Tags.Get("oneway") {
	case "yes", "true", "1":
		against = false
	case "-1", "reverse":
		along = false
	case "":
		against = !r.ring && w.Tags.Get("highway") != "motorway"
	}
	r.one = along != against
	for i := 1; i < len(w.Nodes); i++ {
		a, b := w.Nodes[i-1], w.Nodes[i]
		if along {
			d.add(a, b, r)
		}
		if against {
			d.add(b, a, r)
		}
		if r.ring {
			d.rings[a], d.rings[b] = true, true
		}
	}
}

func (d *driven) add(a, b int64, r road) {
	r.to = b
	d.out[a] = append(d.out[a], r)
	r.to = a
	d.in[b] = append(d.in[b], r)
}

// trips are journeys from the arms of each roundabout to its other arms.
func (d *driven) trips() (list [][2]geo.Point) {
	const most = 60 // roundabouts
	seen, rings := map[int64]bool{}, 0
	for _, n := range slices.Sorted(maps.Keys(d.rings)) {
		if seen[n] || rings == most {
			continue
		}
		var from, to []int64
		ring := []int64{n}
		for seen[n] = true; len(ring) > 0; ring = ring[1:] {
			for _, r := range slices.Concat(d.out[ring[0]], d.in[ring[0]]) {
				if r.ring && !seen[r.to] {
					seen[r.to] = true
					ring = append(ring, r.to)
				}
			}
			for _, r := range d.in[ring[0]] {
				if !r.ring {
					from = append(from, d.further(ring[0], r.to, d.in))
				}
			}
			for _, r := range d.out[ring[0]] {
				if !r.ring {
					to = append(to, d.further(ring[0], r.to, d.out))
				}
			}
		}
		rings++
		for _, a := range from {
			for _, b := range to {
				if a != b && !d.rings[a] && !d.rings[b] {
					list = append(list, [2]geo.Point{d.at[a], d.at[b]})
				}
			}
		}
	}
	return list
}

// further returns a node some way off a roundabout along an arm that begins with two nodes.
func (d *driven) further(a, b int64, roads map[int64][]road) int64 {
	begin := d.at[a]
	for range 5 {
		if geo.Distance(begin, d.at[b]) > 25 || len(roads[b]) > 2 {
			break
		}
		next := int64(0)
		for _, r := range roads[b] {
			if r.to != a && !r.ring {
				next = r.to
			}
		}
		if next == 0 {
			break
		}
		a, b = b, next
	}
	return b
}

// circled is a way through a roundabout, between nodes of it.
type circled struct {
	from, to  int64
	want, got int // number of the exit
}

// passages returns those of a journey by car, none where the lists of both sides differ.
func (d *driven) passages(t *testing.T, e *embedded.Engine, trip [2]geo.Point) (list []circled) {
	t.Helper()
	r := &engine.RouteRequest{
		Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Locations: []engine.Location{{Point: trip[0]}, {Point: trip[1]}},
		Output: engine.Output{Format: engine.OSRM, Geometries: "geojson", Overview: "full", Annotations: engine.AnnotateNodes, Steps: true},
	}
	text, err := written(e, r)
	if err != nil {
		return nil
	}
	var got struct {
		Routes []struct {
			Legs []struct {
				Steps []struct {
					Maneuver struct {
						Type string
						Exit int
					}
				}
				Annotation struct{ Nodes []*int64 }
			}
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	leg := &got.Routes[0].Legs[0]
	var nodes []int64
	for _, n := range leg.Annotation.Nodes {
		if n != nil {
			nodes = append(nodes, *n)
		}
	}
	for i := 1; i+1 < len(nodes); i++ {
		if d.onRing(nodes[i-1], nodes[i]) || !d.onRing(nodes[i], nodes[i+1]) {
			continue
		}
		j := i + 1
		for j+1 < len(nodes) && d.onRing(nodes[j], nodes[j+1]) {
			j++
		}
		if j+1 < len(nodes) {
			list = append(list, circled{from: nodes[i], to: nodes[j], want: d.count(nodes, i, j)})
		}
	}
	n := 0
	for _, s := range leg.Steps {
		if s.Maneuver.Type != "roundabout" && s.Maneuver.Type != "rotary" {
			continue
		}
		if n == len(list) {
			return nil
		}
		list[n].got = s.Maneuver.Exit
		n++
	}
	return list[:n]
}

func (d *driven) onRing(a, b int64) bool {
	return slices.ContainsFunc(d.out[a], func(r road) bool { return r.to == b && r.ring })
}

// count returns the number of the exit that a driver takes who enters a roundabout at node i
// of a path and leaves it at node j.
func (d *driven) count(nodes []int64, i, j int) int {
	at := slices.IndexFunc(d.out[nodes[i]], func(r road) bool { return r.to == nodes[i+1] && r.ring })
	all, exits := d.out[nodes[i]][at].own, 1
	for k := i; k <= j; k++ {
		n, back, on := nodes[k], nodes[k-1], nodes[k+1]
		for _, r := range d.out[n] {
			if r.ring || r.own && !all || r.to == back || r.to == on || !d.outer(n, back, on, r.to) || k == i && d.sameArm(back, n, r) {
				continue
			}
			exits++
		}
	}
	return exits
}

// outer reports whether a road from a node to x lies on the outer side of a path.
func (d *driven) outer(n, back, on, x int64) bool {
	bearing := func(to int64) float64 { return geo.Bearing(d.at[n], d.at[to]) }
	turn := func(to int64) float64 { return math.Mod(bearing(to)-bearing(on)+720, 360) } // clockwise from the way on
	if d.left {
		return turn(x) > turn(back)
	}
	return turn(x) < turn(back)
}

// sameArm reports whether a road leads off a roundabout beside the one-way road from back
// to n, with its name or to where that comes from.
func (d *driven) sameArm(back, n int64, r road) bool {
	i := slices.IndexFunc(d.in[n], func(in road) bool { return in.to == back })
	if i < 0 || !d.in[n][i].one || !r.one {
		return false
	}
	apart := math.Abs(math.Mod(geo.Bearing(d.at[n], d.at[back])-geo.Bearing(d.at[n], d.at[r.to])+540, 360) - 180)
	if apart <= 90 && d.in[n][i].name == r.name {
		return true
	}
	a, b := d.along(n, back, d.in), d.along(n, r.to, d.out)
	return slices.ContainsFunc(a, func(n int64) bool { return slices.Contains(b, n) })
}

// along lists the nodes of 200 m of road.
func (d *driven) along(a, b int64, roads map[int64][]road) (nodes []int64) {
	for metres := geo.Distance(d.at[a], d.at[b]); metres <= 200; metres += geo.Distance(d.at[a], d.at[b]) {
		nodes = append(nodes, b)
		next, straightest := int64(0), 61.0
		for _, r := range roads[b] {
			turn := math.Abs(math.Mod(geo.Bearing(d.at[b], d.at[r.to])-geo.Bearing(d.at[a], d.at[b])+540, 360) - 180)
			if r.to != a && !r.ring && turn < straightest {
				next, straightest = r.to, turn
			}
		}
		if next == 0 {
			break
		}
		a, b = b, next
	}
	return nodes
}
