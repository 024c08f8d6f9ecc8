package embedded

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// The native face: Valhalla's route answer, in Valhalla's order of fields.

type nativeAnswer struct {
	Trip       nativeTrip        `json:"trip"`
	Alternates []nativeAlternate `json:"alternates,omitempty"`
	ID         string            `json:"id,omitempty"`
}

type nativeAlternate struct {
	Trip nativeTrip `json:"trip"`
}

type nativeTrip struct {
	Locations     []nativeLocation `json:"locations"`
	Legs          []nativeLeg      `json:"legs"`
	Summary       nativeSummary    `json:"summary"`
	StatusMessage string           `json:"status_message"`
	Status        int              `json:"status"`
	Units         string           `json:"units"`
	Language      string           `json:"language"`
}

type nativeLocation struct {
	Type          engine.Stop `json:"type"`
	Lat           float64     `json:"lat"`
	Lon           float64     `json:"lon"`
	Name          string      `json:"name,omitempty"`
	Heading       *float64    `json:"heading,omitempty"`
	DateTime      string      `json:"date_time,omitempty"`
	ZoneOffset    string      `json:"time_zone_offset,omitempty"`
	ZoneName      string      `json:"time_zone_name,omitempty"`
	SideOfStreet  string      `json:"side_of_street,omitempty"`
	OriginalIndex int         `json:"original_index"`
}

type nativeLeg struct {
	Maneuvers []nativeManeuver `json:"maneuvers,omitempty"`
	Summary   nativeSummary    `json:"summary"`
	Shape     any              `json:"shape,omitempty"` // string or lineString
}

type nativeSummary struct {
	Admins              []nativeAdmin    `json:"admins,omitzero"` // of legs, where asked for
	Crossings           []nativeCrossing `json:"admin_crossings,omitempty"`
	HasTimeRestrictions bool             `json:"has_time_restrictions"`
	HasToll             bool             `json:"has_toll"`
	HasHighway          bool             `json:"has_highway"`
	HasFerry            bool             `json:"has_ferry"`
	MinLat              float64          `json:"min_lat"`
	MinLon              float64          `json:"min_lon"`
	MaxLat              float64          `json:"max_lat"`
	MaxLon              float64          `json:"max_lon"`
	Time                float64          `json:"time"`
	Length              float64          `json:"length"`
	Cost                float64          `json:"cost"`

	// Of a leg alone: points of its shape and the floors from there on.
	LevelChanges [][2]float64 `json:"level_changes,omitempty"`
}

type nativeManeuver struct {
	Type                guidance.Type `json:"type"`
	Instruction         string        `json:"instruction,omitempty"`
	Alert               string        `json:"verbal_transition_alert_instruction,omitempty"`
	Succinct            string        `json:"verbal_succinct_transition_instruction,omitempty"`
	Pre                 string        `json:"verbal_pre_transition_instruction,omitempty"`
	Post                string        `json:"verbal_post_transition_instruction,omitempty"`
	StreetNames         []string      `json:"street_names,omitempty"`
	BeginStreetNames    []string      `json:"begin_street_names,omitempty"`
	BearingBefore       *int          `json:"bearing_before,omitempty"`
	BearingAfter        *int          `json:"bearing_after,omitempty"`
	Time                float64       `json:"time"`
	Length              float64       `json:"length"`
	Cost                float64       `json:"cost"`
	BeginShapeIndex     int           `json:"begin_shape_index"`
	EndShapeIndex       int           `json:"end_shape_index"`
	Toll                bool          `json:"toll,omitempty"`
	Highway             bool          `json:"highway,omitempty"`
	Ferry               bool          `json:"ferry,omitempty"`
	Rough               bool          `json:"rough,omitempty"`
	Gate                bool          `json:"gate,omitempty"`
	HasTimeRestrictions bool          `json:"has_time_restrictions,omitempty"`
	Sign                *nativeSign   `json:"sign,omitempty"`
	RoundaboutExitCount int           `json:"roundabout_exit_count,omitempty"`
	VerbalMultiCue      bool          `json:"verbal_multi_cue,omitempty"`
	TravelMode          string        `json:"travel_mode"`
	TravelType          string        `json:"travel_type"`
	Lanes               []nativeLane  `json:"lanes,omitempty"`
}

// nativeLane is a lane before a manoeuvre, its arrows as bits. The one that is
// followed is told of lanes to be in, or of those that lead on too.
type nativeLane struct {
	Directions guidance.Directions `json:"directions"`
	Valid      guidance.Directions `json:"valid,omitempty"`
	Active     guidance.Directions `json:"active,omitempty"`
}

func nativeLanes(lanes []guidance.Lane) []nativeLane {
	out := make([]nativeLane, len(lanes))
	for i, l := range lanes {
		out[i].Directions = l.Indications
		if l.Active {
			out[i].Active = l.Take
		} else {
			out[i].Valid = l.Take
		}
	}
	return out
}

type nativeSign struct {
	Number []signText `json:"exit_number_elements,omitempty"`
	Branch []signText `json:"exit_branch_elements,omitempty"`
	Toward []signText `json:"exit_toward_elements,omitempty"`
	Name   []signText `json:"exit_name_elements,omitempty"`
}

type signText struct {
	Text  string `json:"text"`
	Count int    `json:"consecutive_count,omitempty"`
}

// lineString is a GeoJSON line.
type lineString struct {
	Type        string       `json:"type"`
	Coordinates [][2]float64 `json:"coordinates"`
}

// writeNative writes routes, the best first, on the native face.
func writeNative(g *graph.Graph, r *engine.RouteRequest, routes []route) ([]byte, error) {
	if len(routes) == 0 {
		return nil, fmt.Errorf("no route to write")
	}
	a := nativeAnswer{Trip: nativeTripOf(g, r, &routes[0]), ID: r.ID}
	for i := range routes[1:] {
		a.Alternates = append(a.Alternates, nativeAlternate{nativeTripOf(g, r, &routes[i+1])})
	}
	return a.json()
}

// encode writes JSON without the escapes that only HTML needs.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

func nativeTripOf(g *graph.Graph, r *engine.RouteRequest, rt *route) nativeTrip {
	legs := guideLegs(g, r, rt, r.Directions != engine.NoDirections)
	t := nativeTrip{
		Locations: nativeLocations(g, r, legs), Legs: make([]nativeLeg, len(legs)),
		StatusMessage: "Found route between points", Units: "kilometers", Language: narrated(r).Tag(),
	}
	if r.Miles {
		t.Units = "miles"
	}
	all := totals{bounds: geo.NoBounds()}
	for i := range legs {
		sum := legs[i].total(g, rt.modes)
		all.add(sum)
		t.Legs[i] = nativeLeg{
			Maneuvers: nativeManeuvers(r, &legs[i]),
			Summary:   nativeSummaryOf(r, &sum),
			Shape:     nativeShape(r, legs[i].line.Points),
		}
		if r.Admins {
			s := &t.Legs[i].Summary
			s.Admins, s.Crossings = nativeAdmins(g, legs[i].leg.path, &legs[i].line)
		}
		for _, l := range guide.Levels(g, legs[i].leg.path, legs[i].line) {
			t.Legs[i].Summary.LevelChanges = append(t.Legs[i].Summary.LevelChanges, [2]float64{float64(l.Shape), l.Level})
		}
	}
	t.Summary = nativeSummaryOf(r, &all)
	return t
}

func nativeLocations(g *graph.Graph, r *engine.RouteRequest, legs []guided) []nativeLocation {
	out := make([]nativeLocation, len(r.Locations))
	for i := range r.Locations {
		l := &r.Locations[i]
		out[i] = nativeLocation{
			Type: l.Stop, Lat: round(l.Point.Lat, 6), Lon: round(l.Point.Lon, 6),
			Name: l.Name, Heading: l.Heading, OriginalIndex: i,
		}
		if l.Stop == "" {
			out[i].Type = engine.Break
		}
	}
	side := func(w *waypoint, s guidance.Side) {
		if w.index >= 0 && w.index < len(out) {
			out[w.index].SideOfStreet = [...]string{"", "left", "right"}[s]
		}
	}
	zone := zoneOf(g, legs)
	at := func(w *waypoint) {
		if w.index < 0 || w.index >= len(out) || w.at.IsZero() {
			return
		}
		l := &out[w.index]
		l.DateTime = w.at.Format(engine.TimeForm)
		if zone != nil {
			local := time.Date(w.at.Year(), w.at.Month(), w.at.Day(), w.at.Hour(), w.at.Minute(), w.at.Second(), 0, zone)
			l.ZoneOffset, l.ZoneName = local.Format("-07:00"), zone.String()
		}
	}
	for i := range legs {
		if i == 0 {
			side(&legs[i].leg.from, legs[i].from)
			at(&legs[i].leg.from)
		}
		side(&legs[i].leg.to, legs[i].to)
		at(&legs[i].leg.to)
		for j := range legs[i].leg.via {
			at(&legs[i].leg.via[j])
		}
	}
	return out
}

func nativeSummaryOf(r *engine.RouteRequest, t *totals) nativeSummary {
	s := nativeSummary{
		HasTimeRestrictions: t.time, HasToll: t.toll, HasHighway: t.highway, HasFerry: t.ferry,
		Time: round(t.seconds, 3), Length: nativeLength(r, t.metres), Cost: round(t.cost, 3),
	}
	if !t.bounds.Empty() {
		s.MinLat, s.MinLon = round(t.bounds.Min.Lat, 6), round(t.bounds.Min.Lon, 6)
		s.MaxLat, s.MaxLon = round(t.bounds.Max.Lat, 6), round(t.bounds.Max.Lon, 6)
	}
	return s
}

// nativeLength is a length in the request's unit.
func nativeLength(r *engine.RouteRequest, metres float64) float64 {
	const mile = 1609.344
	if r.Miles {
		return round(metres/mile, 4)
	}
	return round(metres/1000, 3)
}

func nativeShape(r *engine.RouteRequest, line []geo.Point) any {
	switch r.ShapeFormat {
	case "no_shape":
		return nil
	case "geojson":
		return lineStringOf(line)
	case "polyline5":
		return geo.EncodePolyline(line, 5)
	}
	return geo.EncodePolyline(line, 6)
}

// lineStringOf writes a line with the two positions GeoJSON asks for at the
// least.
func lineStringOf(line []geo.Point) lineString {
	l := lineString{Type: "LineString", Coordinates: make([][2]float64, 0, max(2, len(line)))}
	for _, p := range line {
		l.Coordinates = append(l.Coordinates, position(p))
	}
	if len(line) == 1 {
		l.Coordinates = append(l.Coordinates, l.Coordinates[0])
	}
	return l
}

func position(p geo.Point) [2]float64 { return [2]float64{round(p.Lon, 6), round(p.Lat, 6)} }

func nativeManeuvers(r *engine.RouteRequest, d *guided) []nativeManeuver {
	if len(d.list) == 0 {
		return nil
	}
	var texts []narrate.Text
	if r.Directions != engine.Manoeuvres {
		texts = narrated(r).Leg(d.list, r.Miles)
	}
	mode, kind := nativeTravel(r)
	out := make([]nativeManeuver, len(d.list))
	for i := range d.list {
		m := &d.list[i]
		n := nativeManeuver{
			Type: m.Type, Time: round(m.Seconds, 3), Length: nativeLength(r, m.Metres), Cost: round(m.Cost, 3),
			BeginShapeIndex: m.BeginShape, EndShapeIndex: m.EndShape,
			Toll: m.Toll, Highway: m.Highway, Ferry: m.Ferry, Rough: m.Rough, Gate: m.Gate, HasTimeRestrictions: m.Timed,
			Sign: nativeSignOf(&m.Sign), TravelMode: mode, TravelType: kind,
		}
		if i+1 < len(d.list) {
			n.StreetNames, n.BeginStreetNames = texted(m.Names), texted(m.BeginNames)
			n.BearingAfter = &m.After
		}
		if i > 0 {
			n.BearingBefore = &m.Before
		}
		if m.Type != guidance.RoundaboutExit {
			n.RoundaboutExitCount = m.Exits
		}
		if r.TurnLanes && m.Lanes != nil {
			n.Lanes = nativeLanes(m.Lanes)
		}
		if m.Travel == guidance.Pushing {
			n.TravelMode, n.TravelType = "pedestrian", "foot"
		}
		if texts != nil {
			t := &texts[i]
			n.Instruction, n.Alert, n.Succinct, n.Pre, n.Post = t.Instruction, t.Alert, t.Succinct, t.Pre, t.Post
			n.VerbalMultiCue = t.Multi
		}
		out[i] = n
	}
	return out
}

// nativeTravel gives Valhalla's words for a costing.
func nativeTravel(r *engine.RouteRequest) (mode, kind string) {
	switch r.Costing {
	case costing.Truck, costing.Bus, costing.Motorcycle, costing.MotorScooter:
		return "drive", r.Costing.String()
	case costing.Bicycle:
		return "bicycle", bicycleTypes[r.Options.Of(r.Costing).Bicycle]
	case costing.Pedestrian:
		return "pedestrian", r.Options.Text(costing.WalkerKind)
	}
	return "drive", "car"
}

var bicycleTypes = [...]string{costing.RoadBicycle: "road", costing.HybridBicycle: "hybrid", costing.CrossBicycle: "cross", costing.MountainBicycle: "mountain"}

func nativeSignOf(s *guidance.Sign) *nativeSign {
	if s.Empty() {
		return nil
	}
	texts := func(all []string, rows []int) []signText {
		out := make([]signText, len(all))
		for i, t := range all {
			out[i].Text = t
			if rows != nil {
				out[i].Count = rows[i]
			}
		}
		return out
	}
	rows := guidance.Rows{}
	if s.Rows != nil {
		rows = *s.Rows
	}
	return &nativeSign{texts(s.Number, rows.Number), texts(s.Branch, rows.Branch), texts(s.Toward, rows.Toward), texts(s.Name, rows.Name)}
}

func texted(names []guidance.Name) []string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		out = append(out, n.Text)
	}
	return out
}

// round keeps so many decimals, at most 6.
func round(v float64, digits int) float64 {
	scale := [...]float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}[digits]
	return math.Round(v*scale) / scale
}
