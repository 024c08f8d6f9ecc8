// Package valhalla writes answers in the form of Valhalla's JSON, which routes,
// traces, matrices, isochrones and located places have on our own endpoints too.
// It also reads the answers of a remote Valhalla, and types beside the writers
// describe the answers in the OpenAPI document.
package valhalla

import (
	"fmt"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/wire/country"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/osrm"
)

// WriteRoute writes the routes of an answer in the format that its request's
// output says, with blocks at the top. Of a centroid the route of the first
// location is the trip and those of the others are the alternates.
func WriteRoute(r *engine.RouteRequest, a *engine.RouteAnswer, blocks ...json.Block) ([]byte, error) {
	switch {
	case r.Format == engine.OSRM:
		return osrm.WriteRoute(r, a, blocks...)
	case a.Raw != nil:
		return blend(a, blocks)
	}
	return write(newWriter(&r.Output, r.Costing, &r.Options), a, blocks)
}

// WriteOne writes the route of an index of an answer as WriteRoute writes an answer that has no
// other.
func WriteOne(r *engine.RouteRequest, a *engine.RouteAnswer, index int) ([]byte, error) {
	q, one := *r, *a
	q.ID, one.Routes = "", a.Routes[index:index+1]
	if a.Raw != nil {
		one.Raw = only(a.Raw, r.Format, index)
	}
	return WriteRoute(&q, &one)
}

// WriteTrace writes the routes that a trace was matched to as WriteRoute does:
// the first stretch is the trip, those after gaps are the alternates.
func WriteTrace(r *engine.MatchRequest, a *engine.TraceAnswer, blocks ...json.Block) ([]byte, error) {
	switch {
	case r.Format == engine.OSRM:
		return osrm.WriteMatch(r, a, blocks...)
	case a.Raw != nil:
		return blend(&a.RouteAnswer, blocks)
	}
	return write(newWriter(&r.Output, r.Costing, &r.Options), &a.RouteAnswer, blocks)
}

// writer writes one answer.
type writer struct {
	json.Writer
	out        *engine.Output
	words      *narrate.Language
	mode, kind string // of travel
}

func newWriter(o *engine.Output, c costing.Costing, s *costing.Settings) *writer {
	w := &writer{out: o}
	w.words, _ = narrate.Find(o.Language)
	w.mode, w.kind = travel(c, s)
	return w
}

func write(w *writer, a *engine.RouteAnswer, blocks []json.Block) ([]byte, error) {
	if len(a.Routes) == 0 {
		return nil, fmt.Errorf("no route to write")
	}
	w.Grow(size(a.Routes))
	w.Open('{')
	w.Key("trip")
	w.trip(&a.Routes[0])
	if len(a.Routes) > 1 {
		w.Open('[', "alternates")
		for i := range a.Routes[1:] {
			w.Open('{')
			w.Key("trip")
			w.trip(&a.Routes[i+1])
			if via := a.Routes[i+1].Via; via != nil {
				w.Open('{', "via")
				w.Number("lat", via.Lat, 6)
				w.Number("lon", via.Lon, 6)
				w.Close('}')
			}
			w.Close('}')
		}
		w.Close(']')
	}
	w.StringIf("id", w.out.ID)
	w.Blocks(blocks)
	w.Close('}')
	return w.Bytes()
}

// size is about how long the text becomes.
func size(routes []engine.Route) int {
	n := 512
	for i := range routes {
		n += 512 + 128*len(routes[i].Waypoints)
		for j := range routes[i].Legs {
			l := &routes[i].Legs[j]
			n += 256 + 800*len(l.Manoeuvres) + 8*len(l.Line)
		}
	}
	return n
}

func (w *writer) trip(rt *engine.Route) {
	w.Open('{')
	w.Open('[', "locations")
	for i := range rt.Waypoints {
		w.location(&rt.Waypoints[i])
	}
	w.Close(']')
	w.Open('[', "legs")
	for i := range rt.Legs {
		w.leg(&rt.Legs[i])
	}
	w.Close(']')
	w.Open('{', "summary")
	w.sums(&rt.Sums)
	w.Close('}')
	w.String("status_message", "Found route between points")
	w.Int("status", 0)
	w.String("units", units(w.out))
	w.String("language", w.words.Tag())
	w.Close('}')
}

func units(o *engine.Output) string {
	if o.Miles {
		return "miles"
	}
	return "kilometers"
}

func (w *writer) location(p *engine.Waypoint) {
	w.Open('{')
	kind := p.Stop
	if kind == "" {
		kind = engine.Break
	}
	w.String("type", string(kind))
	w.Number("lat", p.Point.Lat, 6)
	w.Number("lon", p.Point.Lon, 6)
	w.StringIf("name", p.Name)
	if p.Heading != nil {
		w.Any("heading", *p.Heading)
	}
	w.time(p)
	w.StringIf("side_of_street", [...]string{"", "left", "right"}[p.Side])
	w.Int("original_index", p.Index)
	w.Close('}')
}

// time writes when one is at a place.
func (w *writer) time(p *engine.Waypoint) {
	if p.At.IsZero() {
		return
	}
	w.String("date_time", p.At.Format(engine.TimeForm))
	if p.ZoneKnown {
		w.String("time_zone_offset", p.At.Format("-07:00"))
		w.String("time_zone_name", p.At.Location().String())
	}
}

func (w *writer) leg(l *engine.Leg) {
	w.Open('{')
	if w.out.Directions != engine.NoDirections && len(l.Manoeuvres) > 0 {
		w.manoeuvres(l.Manoeuvres)
	}
	w.Open('{', "summary")
	if w.out.Admins {
		w.admins(l)
	}
	w.sums(&l.Sums)
	if len(l.Levels) > 0 {
		w.Open('[', "level_changes")
		for _, level := range l.Levels {
			w.Open('[')
			w.IntElement(int64(level.Shape))
			w.AnyElement(level.Level)
			w.Close(']')
		}
		w.Close(']')
	}
	w.Close('}')
	w.shape(l.Line)
	w.Close('}')
}

// admins writes the countries of a leg and where it crosses their borders, if it
// does. Their states are not known.
func (w *writer) admins(l *engine.Leg) {
	w.Open('[', "admins")
	for i := range l.Admins {
		a := &l.Admins[i]
		w.Open('{')
		w.String("country_code", a.CountryCode)
		w.String("country_text", country.Of(a.CountryCode).Name)
		w.String("state_code", a.StateCode)
		w.String("state_text", a.State)
		w.Close('}')
	}
	w.Close(']')
	if len(l.Borders) == 0 {
		return
	}
	w.Open('[', "admin_crossings")
	for i := range l.Borders {
		b := &l.Borders[i]
		w.Open('{')
		w.Int("from_admin_index", b.From)
		w.Int("to_admin_index", b.To)
		w.Int("begin_shape_index", b.FromPoint)
		w.Int("end_shape_index", b.ToPoint)
		w.Close('}')
	}
	w.Close(']')
}

func (w *writer) sums(s *engine.Sums) {
	w.Bool("has_time_restrictions", s.Timed)
	w.Bool("has_toll", s.Toll)
	w.Bool("has_highway", s.Highway)
	w.Bool("has_ferry", s.Ferry)
	least, most := s.Bounds.Min, s.Bounds.Max
	if s.Bounds.Empty() {
		least, most = geo.Point{}, geo.Point{}
	}
	w.Number("min_lat", least.Lat, 6)
	w.Number("min_lon", least.Lon, 6)
	w.Number("max_lat", most.Lat, 6)
	w.Number("max_lon", most.Lon, 6)
	w.Number("time", s.Seconds, 3)
	w.length(s.Metres)
	w.Number("cost", s.Cost, 3)
}

const metresPerMile = 1609.344

// length writes a length in the unit asked for.
func (w *writer) length(metres float64) {
	if w.out.Miles {
		w.Number("length", metres/metresPerMile, 4)
	} else {
		w.Number("length", metres/1000, 3)
	}
}

func (w *writer) shape(line []geo.Point) {
	if w.out.ShapeFormat == "no_shape" {
		return
	}
	w.Key("shape")
	shape(&w.Writer, line, w.out.ShapeFormat)
}

// shape writes a line as the value of a member.
func shape(w *json.Writer, line []geo.Point, format string) {
	digits := 6
	switch format {
	case "geojson":
		if len(line) == 1 { // GeoJSON asks for two
			line = []geo.Point{line[0], line[0]}
		}
		w.LineString(line)
		return
	case "polyline5":
		digits = 5
	}
	w.Polyline(line, digits)
}

func (w *writer) manoeuvres(list []guidance.Manoeuvre) {
	var texts []narrate.Text
	if w.out.Directions != engine.Manoeuvres {
		texts = w.words.Leg(list, w.out.Miles)
	}
	w.Open('[', "maneuvers")
	for i := range list {
		var text *narrate.Text
		if texts != nil {
			text = &texts[i]
		}
		w.manoeuvre(list, i, text)
	}
	w.Close(']')
}

func (w *writer) manoeuvre(list []guidance.Manoeuvre, i int, t *narrate.Text) {
	m := &list[i]
	w.Open('{')
	w.Int("type", int(m.Type))
	if t != nil {
		w.StringIf("instruction", t.Instruction)
		w.StringIf("verbal_transition_alert_instruction", t.Alert)
		w.StringIf("verbal_succinct_transition_instruction", t.Succinct)
		w.StringIf("verbal_pre_transition_instruction", t.Pre)
		w.StringIf("verbal_post_transition_instruction", t.Post)
	}
	last := i == len(list)-1
	if !last {
		w.names("street_names", m.Names)
		w.names("begin_street_names", m.BeginNames)
	}
	if i > 0 {
		w.Int("bearing_before", m.Before)
	}
	if !last {
		w.Int("bearing_after", m.After)
	}
	w.Number("time", m.Seconds, 3)
	w.length(m.Metres)
	w.Number("cost", m.Cost, 3)
	w.Int("begin_shape_index", m.BeginShape)
	w.Int("end_shape_index", m.EndShape)
	w.BoolIf("toll", m.Toll)
	w.BoolIf("highway", m.Highway)
	w.BoolIf("ferry", m.Ferry)
	w.BoolIf("rough", m.Unpaved)
	w.BoolIf("gate", m.Gate)
	w.BoolIf("has_time_restrictions", m.Timed)
	w.sign(&m.Sign)
	if m.Type != guidance.RoundaboutExit {
		w.IntIf("roundabout_exit_count", m.Exits)
	}
	if t != nil {
		w.BoolIf("verbal_multi_cue", t.Multi)
	}
	mode, kind := w.mode, w.kind
	if m.Travel == guidance.Pushing {
		mode, kind = "pedestrian", "foot"
	}
	w.String("travel_mode", mode)
	w.String("travel_type", kind)
	if w.out.TurnLanes {
		w.lanes(m.Lanes)
	}
	if m.Landmark != nil && t != nil {
		w.Safe(landmarkInstruction, w.words.Past(t.Instruction, m.Landmark.Name, m.Landmark.Where))
	}
	w.Close('}')
}

func (w *writer) names(member string, names []guidance.Name) {
	if len(names) == 0 {
		return
	}
	w.Open('[', member)
	for i := range names {
		w.StringElement(names[i].Text)
	}
	w.Close(']')
}

func (w *writer) sign(s *guidance.Sign) {
	if s.Empty() {
		return
	}
	rows := guidance.SignCounts{}
	if s.Counts != nil {
		rows = *s.Counts
	}
	w.Open('{', "sign")
	w.elements("exit_number_elements", s.Number, rows.Number)
	w.elements("exit_branch_elements", s.Branch, rows.Branch)
	w.elements("exit_toward_elements", s.Toward, rows.Toward)
	w.elements("exit_name_elements", s.Name, rows.Name)
	w.Close('}')
}

func (w *writer) elements(member string, all []string, rows []int) {
	if len(all) == 0 {
		return
	}
	w.Open('[', member)
	for i, text := range all {
		w.Open('{')
		w.String("text", text)
		if rows != nil {
			w.IntIf("consecutive_count", rows[i])
		}
		w.Close('}')
	}
	w.Close(']')
}

// lanes writes the lanes before a manoeuvre, their arrows as bits. Of lanes
// that lead on, or that one should be in, the arrow to follow is written too.
func (w *writer) lanes(lanes []guidance.Lane) {
	if len(lanes) == 0 {
		return
	}
	w.Open('[', "lanes")
	for i := range lanes {
		l := &lanes[i]
		w.Open('{')
		w.Int("directions", int(l.Indications))
		if l.Active {
			w.IntIf("active", int(l.Take))
		} else {
			w.IntIf("valid", int(l.Take))
		}
		w.Close('}')
	}
	w.Close(']')
}

// travel gives Valhalla's words for a costing.
func travel(c costing.Costing, s *costing.Settings) (mode, kind string) {
	switch c {
	case costing.Truck, costing.Bus, costing.Motorcycle, costing.MotorScooter:
		return "drive", c.String()
	case costing.Bicycle:
		return "bicycle", bicycleTypes[s.Of(c).Bicycle]
	case costing.Pedestrian:
		return "pedestrian", s.Text(costing.WalkerKind)
	}
	return "drive", "car"
}

var bicycleTypes = [...]string{costing.RoadBicycle: "road", costing.HybridBicycle: "hybrid", costing.CrossBicycle: "cross", costing.MountainBicycle: "mountain"}
