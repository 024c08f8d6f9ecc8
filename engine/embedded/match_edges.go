package embedded

import (
	"math"
	"slices"
	"strconv"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// edge writes one edge of a matched path, whose line begins at a point of the
// whole shape.
func (a *attributes) edge(i, k int, line *guide.Line, base int) {
	g, path := a.e.g, a.result.Matches[i].Path
	step := &path[k]
	e := g.Original(step.Edge)
	s := g.Segment(e)
	begin, end := line.Step[k], line.Step[k+1]
	a.open('{')
	if a.wants("edge.names") {
		if names := a.namesOf(e); len(names) > 0 {
			a.texts("names", names)
		}
	}
	a.decimal("edge.length", nativeLength(a.r, g.EdgeLength(e)*(step.End-step.Begin)), 3)
	a.speeds(e, s)
	a.word("edge.road_class", g.Class[s].String())
	a.heading("edge.begin_heading", line.Points, begin, begin+1, g.Course(e))
	a.heading("edge.end_heading", line.Points, end-1, end, g.Arrival(e))
	a.decimal("edge.begin_shape_index", float64(base+begin), 0)
	a.decimal("edge.end_shape_index", float64(base+end), 0)
	a.word("edge.traversability", directions(g, e, a.costing.Mode()))
	a.word("edge.use", g.Use[s].String())
	a.segment(s)
	a.slope(e)
	a.travel()
	a.decimal("edge.id", float64(e), 0)
	a.decimal("edge.way_id", float64(g.WayID[s]), 0)
	a.side(e)
	a.sign(e)
	if k == 0 && step.Begin > 0 {
		a.decimal("edge.source_percent_along", step.Begin, 3)
	}
	if k == len(path)-1 && step.End < 1 {
		a.decimal("edge.target_percent_along", step.End, 3)
	}
	a.elapsed, a.cost = a.elapsed+step.Turn+step.Seconds, a.cost+step.Cost
	a.node(i, k)
	a.close('}')
}

func (a *attributes) decimal(name string, v float64, digits int) {
	if a.wants(name) {
		a.key(name[len("edge."):])
		a.number(v, digits)
	}
}

// word writes a word, unless there is none.
func (a *attributes) word(name, v string) {
	if v != "" && a.wants(name) {
		a.key(name[len("edge."):])
		a.text(v)
	}
}

func (a *attributes) boolean(name string, v bool) {
	if a.wants(name) {
		a.flag(name[len("edge."):], v)
	}
}

// speed is one in the request's units.
func (a *attributes) speed(kmh float64) float64 {
	if a.r.Miles {
		kmh /= 1.609344
	}
	return math.Round(kmh)
}

func (a *attributes) speeds(e graph.Edge, s graph.Segment) {
	g := a.e.g
	a.decimal("edge.speed", a.speed(a.costing.Speed(e)), 0)
	if g.SegFlags[s]&graph.SpeedTagged != 0 {
		a.word("edge.speed_type", "tagged")
	} else {
		a.word("edge.speed_type", "classified")
	}
	if v := g.Limited[e]; v != 0 {
		a.decimal("edge.speed_limit", a.speed(float64(v)), 0)
	}
	if v := g.TruckSpeed[e]; v != 0 {
		a.decimal("edge.truck_speed", a.speed(float64(v)), 0)
	}
}

// heading writes the course between two points of the line, or, where the part
// travelled has no length, the edge's own.
func (a *attributes) heading(name string, line []geo.Point, from, to int, own float64) {
	if from >= 0 && to < len(line) && line[from] != line[to] {
		own = geo.Bearing(line[from], line[to])
	}
	a.decimal(name, float64(int(math.Round(own))%360), 0)
}

func (a *attributes) segment(s graph.Segment) {
	g := a.e.g
	flags := g.SegFlags[s]
	for _, f := range [...]struct {
		name string
		flag graph.SegFlags
	}{
		{"edge.toll", graph.Toll},
		{"edge.unpaved", graph.Unpaved},
		{"edge.tunnel", graph.Tunnel},
		{"edge.bridge", graph.Bridge},
		{"edge.roundabout", graph.Roundabout},
		{"edge.indoor", graph.Indoor},
	} {
		a.boolean(f.name, flags&f.flag != 0)
	}
	a.boolean("edge.drive_on_right", flags&graph.DriveOnLeft == 0)
	a.word("edge.surface", g.Surface[s].String())
	if a.r.Filter.Include {
		a.boolean(engine.SurfaceTagged, flags&graph.SurfaceTagged != 0)
	}
	a.decimal("edge.sac_scale", float64(g.Hiking[s]), 0)
}

// slope writes how steep an edge is and how high it lies, where that is known.
func (a *attributes) slope(e graph.Edge) {
	slope, ok := a.e.g.SlopeOf(e)
	if !ok {
		return
	}
	a.decimal("edge.weighted_grade", weightedGrade(slope), 3)
	a.decimal("edge.max_upward_grade", float64(slope.Up), 0)
	a.decimal("edge.max_downward_grade", -float64(slope.Down), 0)
	mean := float64(slope.Mean)
	if a.r.Miles {
		mean /= 0.3048
	}
	a.decimal("edge.mean_elevation", math.Round(mean), 0)
}

func (a *attributes) travel() {
	mode, kind := nativeTravel(a.r)
	a.word("edge.travel_mode", mode)
	switch mode {
	case "drive":
		a.word("edge.vehicle_type", kind)
	case "bicycle":
		a.word("edge.bicycle_type", kind)
	case "pedestrian":
		a.word("edge.pedestrian_type", kind)
	}
}

// side writes what runs along one side of the road, where OSM tells.
func (a *attributes) side(e graph.Edge) {
	g := a.e.g
	flags := g.EdgeFlags[e]
	switch flags & (graph.SidewalkLeft | graph.SidewalkRight) {
	case graph.SidewalkLeft:
		a.word("edge.sidewalk", "left")
	case graph.SidewalkRight:
		a.word("edge.sidewalk", "right")
	case graph.SidewalkLeft | graph.SidewalkRight:
		a.word("edge.sidewalk", "both")
	}
	switch {
	case flags&graph.BikeTrack != 0:
		a.word("edge.cycle_lane", "separated")
	case flags&graph.BikeLane != 0:
		a.word("edge.cycle_lane", "dedicated")
	case flags&graph.BikeShared != 0:
		a.word("edge.cycle_lane", "shared")
	}
	if g.EdgeAttributes[e] != 0 {
		if lanes, err := strconv.Atoi(g.EdgeAttribute(e, "lanes")); err == nil && lanes > 0 {
			a.decimal("edge.lane_count", float64(lanes), 0)
		}
	}
	a.boolean("edge.truck_route", flags&graph.TruckRoute != 0)
	a.boolean("edge.forward", !g.Backward(e))
	a.boolean("edge.traffic_signal", flags&graph.HeadSignal != 0)
}

func (a *attributes) sign(e graph.Edge) {
	g := a.e.g
	if g.EdgeAttributes[e] == 0 {
		return
	}
	opened := false
	for _, x := range [...]struct{ name, key string }{
		{"edge.sign.exit_number", "junction:ref"}, {"edge.sign.exit_branch", "destination:ref"}, {"edge.sign.exit_toward", "destination"},
	} {
		all := values(g.EdgeAttribute(e, x.key))
		if len(all) == 0 || !a.wants(x.name) {
			continue
		}
		if !opened {
			a.key("sign")
			a.open('{')
			opened = true
		}
		a.texts(x.name[len("edge.sign."):], all)
	}
	if opened {
		a.close('}')
	}
}

// directions says which ways along an edge some traveller may go; "" for none.
func directions(g *graph.Graph, e graph.Edge, mode graph.Modes) string {
	on, back := g.Access[e]&mode != 0, g.Access[g.Opposite[e]]&mode != 0
	switch {
	case on && back:
		return "both"
	case on:
		return "forward"
	case back:
		return "backward"
	}
	return ""
}

// nodeMembers are the filters of a node's members.
var nodeMembers = []string{
	"node.elapsed_time", "node.elapsed_cost", "node.admin_index", "node.type", "node.traffic_signal", "node.transition_time",
	"node.intersecting_edge.begin_heading", "node.intersecting_edge.road_class", "node.intersecting_edge.use",
	"node.intersecting_edge.driveability", "node.intersecting_edge.cyclability", "node.intersecting_edge.walkability",
	"node.intersecting_edge.from_edge_name_consistency", "node.intersecting_edge.to_edge_name_consistency",
}

// node writes the node at an edge's end.
func (a *attributes) node(i, k int) {
	if !slices.ContainsFunc(nodeMembers, a.wants) {
		return
	}
	g, path := a.e.g, a.result.Matches[i].Path
	step := &path[k]
	n, flags := g.Head[step.Edge], g.NodeFlags[g.Head[step.Edge]]
	a.key("end_node")
	a.open('{')
	last := k == len(path)-1
	if step.End >= 1 {
		next := graph.Edge(graph.None)
		if !last {
			next = g.Original(path[k+1].Edge)
		}
		a.crossings(n, g.Original(step.Edge), next)
	}
	if a.wants("node.elapsed_time") {
		a.key("elapsed_time")
		a.number(a.elapsed, 3)
	}
	if a.wants("node.elapsed_cost") {
		a.key("elapsed_cost")
		a.number(a.cost, 3)
	}
	if index, ok := a.admin(g.Segment(step.Edge)); ok && a.wants("node.admin_index") {
		a.key("admin_index")
		a.whole(index)
	}
	if a.wants("node.type") {
		a.key("type")
		a.text(nodeType(flags))
	}
	if a.wants("node.traffic_signal") {
		a.flag("traffic_signal", flags&graph.Signal != 0)
	}
	if !last && a.wants("node.transition_time") {
		a.key("transition_time")
		a.number(path[k+1].Turn, 3)
	}
	a.close('}')
}

func nodeType(f graph.NodeFlags) string {
	for _, t := range [...]struct {
		flag graph.NodeFlags
		name string
	}{
		{graph.Gate, "gate"},
		{graph.Bollard, "bollard"},
		{graph.TollBooth, "toll_booth"},
		{graph.BorderControl, "border_control"},
		{graph.MotorwayJunction, "motor_way_junction"},
		{graph.Lift, "elevator"},
	} {
		if f&t.flag != 0 {
			return t.name
		}
	}
	return "street_intersection"
}

// crossings lists the other roads at a node.
func (a *attributes) crossings(n graph.Node, from, to graph.Edge) {
	g := a.e.g
	opened := false
	for e := g.FirstOut[n]; e < g.FirstOut[n+1]; e++ {
		if e == to || e == g.Opposite[from] {
			continue
		}
		if !opened {
			a.key("intersecting_edges")
			a.open('[')
			opened = true
		}
		a.crossing(e, from, to)
	}
	if opened {
		a.close(']')
	}
}

func (a *attributes) crossing(e, from, to graph.Edge) {
	g := a.e.g
	s := g.Segment(e)
	wants := func(name string) bool {
		if !a.wants(name) {
			return false
		}
		a.key(name[len("node.intersecting_edge."):])
		return true
	}
	a.open('{')
	if wants("node.intersecting_edge.begin_heading") {
		a.whole(int(math.Round(g.Course(e))) % 360)
	}
	for _, m := range [...]struct {
		name string
		mode graph.Modes
	}{{"node.intersecting_edge.driveability", graph.Auto}, {"node.intersecting_edge.cyclability", graph.Bicycle}, {"node.intersecting_edge.walkability", graph.Pedestrian}} {
		if d := directions(g, e, m.mode); d != "" && wants(m.name) {
			a.text(d)
		}
	}
	if wants("node.intersecting_edge.use") {
		a.text(g.Use[s].String())
	}
	if wants("node.intersecting_edge.road_class") {
		a.text(g.Class[s].String())
	}
	same := func(x graph.Edge) bool {
		name := g.Value(g.Name[s], graph.NameKey)
		return name != 0 && name == g.Value(g.Name[g.Segment(x)], graph.NameKey)
	}
	if a.wants("node.intersecting_edge.from_edge_name_consistency") {
		a.flag("from_edge_name_consistency", same(from))
	}
	if to != graph.None && a.wants("node.intersecting_edge.to_edge_name_consistency") {
		a.flag("to_edge_name_consistency", same(to))
	}
	a.close('}')
}
