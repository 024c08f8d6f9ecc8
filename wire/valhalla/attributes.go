package valhalla

import (
	"math"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/json"
)

// WriteAttributes writes the attributes of a matched trace, as far as the request's
// filter has them, with blocks at the top. What is not known is left out.
func WriteAttributes(r *engine.MatchRequest, a *engine.AttributesAnswer, blocks ...json.Block) ([]byte, error) {
	if a.Raw != nil {
		return json.Blend(a.Raw, blocks, nil)
	}
	wants := r.Filter.Wants()
	w := &attributeWriter{
		writer: newWriter(&r.Output, r.Costing, &r.Options), wants: wants, answer: a,
		nodes: slices.ContainsFunc(nodeMembers, wants), tagged: r.Filter.Include,
	}
	w.Grow(1<<12 + 160*len(r.Trace) + 800*len(a.Edges))
	w.Open('{')
	w.String("units", units(w.out))
	w.StringIf("id", w.out.ID)
	if wants("shape") {
		w.shape(a.Line)
	}
	if wants("confidence_score") {
		w.Int("confidence_score", 1) // that of the best way found, against which others would be rated
	}
	if wants("raw_score") {
		w.Number("raw_score", a.Score, 3)
	}
	w.Open('[', "edges")
	for i := range a.Edges {
		w.Open('{')
		w.edge(i)
		w.Close('}')
	}
	w.Close(']')
	w.countries()
	w.points()
	w.Open('[', "alternate_paths")
	w.Close(']')
	w.Blocks(blocks)
	w.Close('}')
	return w.Bytes()
}

// attributeWriter writes one answer of edges.
type attributeWriter struct {
	*writer
	wants         func(name string) bool
	answer        *engine.AttributesAnswer
	nodes         bool // some member of a node is wanted
	tagged        bool // whether surfaces were tagged may be written
	elapsed, cost float64
}

// The members of an edge, each written where the filter has its name.

func (w *attributeWriter) writeNumber(name string, v float64, digits int) {
	if w.wants(name) {
		w.Number(name[len("edge."):], v, digits)
	}
}

func (w *attributeWriter) whole(name string, v int64) {
	if w.wants(name) {
		w.Key(name[len("edge."):])
		w.IntElement(v)
	}
}

func (w *attributeWriter) word(name, v string) {
	if v != "" && w.wants(name) {
		w.String(name[len("edge."):], v)
	}
}

func (w *attributeWriter) flag(name string, v bool) {
	if w.wants(name) {
		w.Bool(name[len("edge."):], v)
	}
}

func (w *attributeWriter) edge(i int) {
	e := &w.answer.Edges[i]
	if len(e.Names) > 0 && w.wants("edge.names") {
		w.Strings("names", e.Names)
	}
	if w.out.Miles {
		w.writeNumber("edge.length", json.Round(e.Metres/metresPerMile, 4), 3)
	} else {
		w.writeNumber("edge.length", e.Metres/1000, 3)
	}
	w.speeds(e)
	w.word("edge.road_class", e.Class)
	w.whole("edge.begin_heading", int64(e.BeginHeading))
	w.whole("edge.end_heading", int64(e.EndHeading))
	w.whole("edge.begin_shape_index", int64(e.FromPoint))
	w.whole("edge.end_shape_index", int64(e.ToPoint))
	w.word("edge.traversability", e.Traversal.String())
	w.word("edge.use", e.Use)
	w.road(e)
	w.slope(e.Slope)
	w.travel()
	w.whole("edge.id", int64(e.ID))
	w.whole("edge.way_id", e.Way)
	w.side(e)
	w.sign(e)
	if e.First && e.Source > 0 {
		w.writeNumber("edge.source_percent_along", e.Source, 3)
	}
	if e.Last && e.Target < 1 {
		w.writeNumber("edge.target_percent_along", e.Target, 3)
	}
	w.elapsed, w.cost = w.elapsed+e.Turn+e.Seconds, w.cost+e.Cost
	if w.nodes {
		w.node(i)
	}
}

// speed returns one in the request's units.
func (w *attributeWriter) speed(kmh float64) int64 {
	if w.out.Miles {
		kmh /= 1.609344
	}
	return int64(math.Round(kmh))
}

func (w *attributeWriter) speeds(e *engine.AttributeEdge) {
	w.whole("edge.speed", w.speed(e.Speed))
	kind := "classified"
	if e.SpeedTagged {
		kind = "tagged"
	}
	w.word("edge.speed_type", kind)
	if e.SpeedLimit != 0 {
		w.whole("edge.speed_limit", w.speed(float64(e.SpeedLimit)))
	}
	if e.TruckSpeed != 0 {
		w.whole("edge.truck_speed", w.speed(float64(e.TruckSpeed)))
	}
}

func (w *attributeWriter) road(e *engine.AttributeEdge) {
	w.flag("edge.toll", e.Toll)
	w.flag("edge.unpaved", e.Unpaved)
	w.flag("edge.tunnel", e.Tunnel)
	w.flag("edge.bridge", e.Bridge)
	w.flag("edge.roundabout", e.Roundabout)
	w.flag("edge.indoor", e.Indoor)
	w.flag("edge.drive_on_right", !e.DriveOnLeft)
	w.word("edge.surface", e.Surface)
	if w.tagged {
		w.flag(engine.SurfaceTagged, e.SurfaceTagged)
	}
	w.whole("edge.sac_scale", int64(e.Hiking))
}

// slope writes how steep an edge is and how high it lies, where that is known.
func (w *attributeWriter) slope(s *engine.Slope) {
	if s == nil {
		return
	}
	w.writeNumber("edge.weighted_grade", s.Grade, 3)
	w.whole("edge.max_upward_grade", int64(s.Up))
	w.whole("edge.max_downward_grade", -int64(s.Down))
	mean := float64(s.Mean)
	if w.out.Miles {
		mean /= 0.3048
	}
	w.writeNumber("edge.mean_elevation", mean, 0)
}

func (w *attributeWriter) travel() {
	w.word("edge.travel_mode", w.mode)
	switch w.mode {
	case "drive":
		w.word("edge.vehicle_type", w.kind)
	case "bicycle":
		w.word("edge.bicycle_type", w.kind)
	case "pedestrian":
		w.word("edge.pedestrian_type", w.kind)
	}
}

// side writes what runs along the road, where OSM has it.
func (w *attributeWriter) side(e *engine.AttributeEdge) {
	w.word("edge.sidewalk", e.Sidewalk)
	w.word("edge.cycle_lane", e.CycleLane)
	if e.Lanes > 0 {
		w.whole("edge.lane_count", int64(e.Lanes))
	}
	w.flag("edge.truck_route", e.TruckRoute)
	w.flag("edge.forward", e.Forward)
	w.flag("edge.traffic_signal", e.Signal)
}

func (w *attributeWriter) sign(e *engine.AttributeEdge) {
	opened := false
	for _, x := range [...]struct {
		name string
		all  []string
	}{{"edge.sign.exit_number", e.Sign.Number}, {"edge.sign.exit_branch", e.Sign.Branch}, {"edge.sign.exit_toward", e.Sign.Toward}} {
		if len(x.all) == 0 || !w.wants(x.name) {
			continue
		}
		if !opened {
			w.Open('{', "sign")
			opened = true
		}
		w.Strings(x.name[len("edge.sign."):], x.all)
	}
	if opened {
		w.Close('}')
	}
}

// nodeMembers are the filters of a node's members.
var nodeMembers = []string{
	"node.elapsed_time", "node.elapsed_cost", "node.admin_index", "node.type", "node.traffic_signal", "node.transition_time",
	"node.intersecting_edge.begin_heading", "node.intersecting_edge.road_class", "node.intersecting_edge.use",
	"node.intersecting_edge.driveability", "node.intersecting_edge.cyclability", "node.intersecting_edge.walkability",
	"node.intersecting_edge.from_edge_name_consistency", "node.intersecting_edge.to_edge_name_consistency",
}

// node writes the node at an edge's end.
func (w *attributeWriter) node(i int) {
	e := &w.answer.Edges[i]
	w.Open('{', "end_node")
	if len(e.Node.Crossings) > 0 {
		w.Open('[', "intersecting_edges")
		for k := range e.Node.Crossings {
			w.Open('{')
			w.crossing(&e.Node.Crossings[k])
			w.Close('}')
		}
		w.Close(']')
	}
	if w.wants("node.elapsed_time") {
		w.Number("elapsed_time", w.elapsed, 3)
	}
	if w.wants("node.elapsed_cost") {
		w.Number("elapsed_cost", w.cost, 3)
	}
	if e.Admin >= 0 && w.wants("node.admin_index") {
		w.Int("admin_index", e.Admin)
	}
	if w.wants("node.type") {
		w.String("type", e.Node.Type)
	}
	if w.wants("node.traffic_signal") {
		w.Bool("traffic_signal", e.Node.Signal)
	}
	if !e.Last && w.wants("node.transition_time") {
		w.Number("transition_time", w.answer.Edges[i+1].Turn, 3)
	}
	w.Close('}')
}

func (w *attributeWriter) crossing(x *engine.CrossingEdge) {
	const prefix = "node.intersecting_edge."
	word := func(name, v string) {
		if v != "" && w.wants(name) {
			w.String(name[len(prefix):], v)
		}
	}
	if w.wants(prefix + "begin_heading") {
		w.Int("begin_heading", int(x.Heading))
	}
	word(prefix+"driveability", x.Drive.String())
	word(prefix+"cyclability", x.Cycle.String())
	word(prefix+"walkability", x.Walk.String())
	word(prefix+"use", x.Use)
	word(prefix+"road_class", x.Class)
	if w.wants(prefix + "from_edge_name_consistency") {
		w.Bool("from_edge_name_consistency", x.NamedFrom)
	}
	if x.HasExit && w.wants(prefix+"to_edge_name_consistency") {
		w.Bool("to_edge_name_consistency", x.NamedTo)
	}
}

func (w *attributeWriter) countries() {
	if len(w.answer.Admins) == 0 || !w.nodes || !w.wants("admin.country_code") {
		return
	}
	w.Open('[', "admins")
	for i := range w.answer.Admins {
		w.Open('{')
		w.String("country_code", w.answer.Admins[i].CountryCode)
		w.Close('}')
	}
	w.Close(']')
}

func (w *attributeWriter) points() {
	if !slices.ContainsFunc([]string{"matched.point", "matched.type", "matched.edge_index", "matched.distance_along_edge", "matched.distance_from_trace_point"}, w.wants) {
		return
	}
	point, kind := w.wants("matched.point"), w.wants("matched.type")
	w.Open('[', "matched_points")
	for i := range w.answer.Points {
		p := &w.answer.Points[i]
		w.Open('{')
		if point {
			w.writePlace(p.At)
		}
		if kind {
			w.String("type", [...]string{"unmatched", "interpolated", "matched"}[p.Kind])
		}
		if p.Kind != engine.Unmatched {
			w.matched(p)
		}
		w.Close('}')
	}
	w.Close(']')
}

func (w *attributeWriter) writePlace(p geo.Point) {
	w.Number("lon", p.Lon, 6)
	w.Number("lat", p.Lat, 6)
}

func (w *attributeWriter) matched(p *engine.AttributePoint) {
	if w.wants("matched.edge_index") {
		w.Int("edge_index", p.Edge)
	}
	if w.wants("matched.distance_along_edge") {
		w.Number("distance_along_edge", p.Along, 6)
	}
	if w.wants("matched.distance_from_trace_point") {
		w.Number("distance_from_trace_point", p.Metres, 3)
	}
	if p.GapAfter && w.wants("matched.begin_route_discontinuity") {
		w.Bool("begin_route_discontinuity", true)
	}
	if p.GapBefore && w.wants("matched.end_route_discontinuity") {
		w.Bool("end_route_discontinuity", true)
	}
}
