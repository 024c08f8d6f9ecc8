package valhalla

import (
	"math"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/json"
)

// WriteLocate writes where places lie. Warnings become a member of the first
// element, for a list has no place of its own for them.
func WriteLocate(r *engine.LocateRequest, a *engine.LocateAnswer, warnings []engine.Warning) ([]byte, error) {
	if a.Raw != nil {
		return warnFirst(a.Raw, len(r.Locations), warnings)
	}
	w := &locateWriter{verbose: r.Verbose}
	w.Grow(locateSize(a.Places))
	w.Open('[')
	for i := range a.Places {
		w.Open('{')
		w.writePlace(&r.Locations[i], &a.Places[i])
		if i == 0 && len(warnings) > 0 {
			w.Safe("warnings", warnings)
		}
		w.Close('}')
	}
	w.Close(']')
	return w.Bytes()
}

// locateSize is about how long the text becomes.
func locateSize(places []engine.Located) int {
	n := 512
	for i := range places {
		n += 80 + 1000*len(places[i].Nodes)
		for j := range places[i].Edges {
			n += 140
			if d := places[i].Edges[j].Detail; d != nil {
				n += 1600 + 8*len(d.Line)
			}
		}
	}
	return n
}

// warnFirst adds warnings to the first object of a list that came from elsewhere.
func warnFirst(doc []byte, places int, warnings []engine.Warning) ([]byte, error) {
	if len(warnings) == 0 {
		return doc, nil
	}
	var all []json.Place
	json.Each(doc, []string{"*"}, func(p json.Place) { all = append(all, p) })
	if len(all) != places || doc[all[0].Begin] != '{' {
		return nil, fault.New(fault.Upstream, "the engine's answer is not a list of %d located places", places).With("upstream_status", 200)
	}
	member, err := json.Member("warnings", warnings)
	if err != nil {
		return nil, err
	}
	return json.Splice(doc, []json.Edit{json.Added(doc, all[0], member)}), nil
}

// locateWriter writes one answer of located places.
type locateWriter struct {
	json.Writer
	verbose bool
}

func (w *locateWriter) writePlace(l *engine.Location, p *engine.Located) {
	w.Number("input_lat", l.Point.Lat, 6)
	w.Number("input_lon", l.Point.Lon, 6)
	if p.Edges == nil {
		w.Null("edges")
		w.Null("nodes")
		if w.verbose {
			w.String("reason", "No data found for location")
		}
		return
	}
	w.Open('[', "edges")
	for i := range p.Edges {
		w.Open('{')
		w.edge(&p.Edges[i])
		w.Close('}')
	}
	w.Close(']')
	w.Open('[', "nodes")
	for i := range p.Nodes {
		w.Open('{')
		w.Number("lon", p.Nodes[i].At.Lon, 6)
		w.Number("lat", p.Nodes[i].At.Lat, 6)
		if d := p.Nodes[i].Detail; d != nil {
			w.node(d)
		}
		w.Close('}')
	}
	w.Close(']')
}

func (w *locateWriter) edge(e *engine.LocatedEdge) {
	if e.Detail == nil && e.Way != 0 { // else it is in edge_info
		w.whole("way_id", e.Way)
	}
	w.Number("correlated_lat", e.On.Lat, 6)
	w.Number("correlated_lon", e.On.Lon, 6)
	w.String("side_of_street", e.Side)
	w.Number("percent_along", e.Along, 5)
	d := e.Detail
	if d == nil {
		return
	}
	w.Number("distance", d.Metres, 1)
	w.Number("heading", d.Heading, 1)
	w.Int("outbound_reach", d.Outbound)
	w.Int("inbound_reach", d.Inbound)
	w.id("edge_id", d.ID)
	w.Open('{', "edge_info")
	w.whole("way_id", e.Way)
	w.Strings("names", d.Names)
	w.Key("shape")
	w.Polyline(d.Line, 6)
	w.Int("speed_limit", int(d.SpeedLimit))
	if d.Slope != nil {
		w.Int("mean_elevation", d.Slope.Mean)
	} else {
		w.Null("mean_elevation")
	}
	w.Close('}')
	w.Open('{', "edge")
	w.facts(d)
	w.Close('}')
	w.Raw("access_restrictions", []byte("[]"))
	w.Raw("live_speed", []byte("{}"))
	w.Raw("predicted_speeds", []byte("[]"))
}

func (w *locateWriter) whole(name string, v int64) {
	w.Key(name)
	w.IntElement(v)
}

// id writes the number of an edge or a node. Valhalla's has a level and a tile;
// here there is one number.
func (w *locateWriter) id(name string, n uint32) {
	w.Open('{', name)
	w.Int("level", 0)
	w.Int("tile_id", 0)
	w.Int("id", int(n))
	w.Int("value", int(n))
	w.Close('}')
}

var sacScales = [...]string{
	"none", "hiking", "mountain_hiking", "demanding_mountain_hiking", "alpine_hiking", "demanding_alpine_hiking", "difficult_alpine_hiking",
}

func (w *locateWriter) facts(d *engine.EdgeDetail) {
	w.id("end_node", d.EndNode)
	w.Open('{', "speeds")
	w.Int("default", int(d.Speed))
	if d.SpeedTagged {
		w.String("type", "tagged")
	} else {
		w.String("type", "classified")
	}
	w.Int("free_flow", 0)
	w.Int("constrained_flow", 0)
	w.Bool("predicted", false)
	w.Close('}')
	w.Bool("access_restriction", d.Bounded)
	w.Bool("has_sign", d.Signed)
	w.Bool("toll", d.Toll)
	w.Bool("destination_only", d.DestinationOnly)
	w.Bool("destination_only_hgv", d.DestinationOnlyTruck)
	w.Bool("tunnel", d.Tunnel)
	w.Bool("bridge", d.Bridge)
	w.Bool("round_about", d.Roundabout)
	w.Bool("traffic_signal", d.Signal)
	w.Bool("forward", d.Forward)
	w.Bool("stop_sign", d.StopSign)
	w.Bool("yield_sign", d.GiveWay)
	if d.CycleLane != "" {
		w.String("cycle_lane", d.CycleLane)
	} else {
		w.String("cycle_lane", "none")
	}
	w.Bool("bike_network", d.BikeNetwork)
	w.Bool("truck_route", d.TruckRoute)
	w.Bool("country_crossing", d.BorderControl)
	w.Bool("sidewalk_left", d.SidewalkLeft)
	w.Bool("sidewalk_right", d.SidewalkRight)
	w.String("sac_scale", sacScales[d.Hiking])
	w.Bool("deadend", d.DeadEnd)
	w.Open('{', "geo_attributes")
	w.Int("length", int(math.Round(d.Length)))
	if s := d.Slope; s != nil {
		w.Number("weighted_grade", s.Grade, 2)
		w.Int("max_up_slope", s.Up)
		w.Int("max_down_slope", -s.Down)
	}
	w.Close('}')
	w.access(&d.Access)
	w.Open('{', "classification")
	w.String("classification", d.Class)
	w.String("use", d.Use)
	w.String("surface", d.Surface)
	w.Bool("link", d.Link)
	w.Close('}')
}

func (w *locateWriter) access(a *engine.Access) {
	w.Open('{', "access")
	w.Bool("bicycle", a.Bicycle)
	w.Bool("bus", a.Bus)
	w.Bool("car", a.Car)
	w.Bool("emergency", a.Emergency)
	w.Bool("HOV", a.HOV)
	w.Bool("pedestrian", a.Pedestrian)
	w.Bool("taxi", a.Taxi)
	w.Bool("truck", a.Truck)
	w.Bool("wheelchair", a.Wheelchair)
	w.Bool("moped", a.Moped)
	w.Bool("motorcycle", a.Motorcycle)
	w.Close('}')
}

// node writes what is known of a node. A region keeps the heights of edges, and
// nothing of states.
func (w *locateWriter) node(d *engine.NodeDetail) {
	w.Null("elevation")
	w.Int("edge_count", d.Edges)
	w.access(&d.Access)
	if d.Edges == 1 {
		w.String("intersection_type", "dead-end")
	} else {
		w.String("intersection_type", "regular")
	}
	w.Open('{', "administrative")
	if d.Country != "" {
		w.String("iso_3166-1", d.Country)
	} else {
		w.Null("iso_3166-1")
	}
	w.Null("iso_3166-2")
	w.Close('}')
	w.Bool("drive_on_right", !d.DriveOnLeft && !d.Lonely)
	w.Bool("private_access", d.PrivateAccess)
	w.Bool("traffic_signal", d.Signal)
	w.String("type", d.Type)
	w.id("node_id", d.ID)
	w.whole("osm_node_id", d.OSM)
}
