package feeds

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/sample"
)

// stretch is a way in one direction of travel.
type stretch struct {
	way       int64
	direction string // forward or backward
	road      string
	towards   string
	free      float64 // km/h
	metres    float64
	near      float64 // to a town, 0 to 1
	inbound   bool    // it leads to the town
	at        geo.Point
}

// freeSpeeds are those of kinds of roads without a limit, in km/h. Roads that are
// not listed have no traffic that anybody measures.
var freeSpeeds = map[string]float64{
	"motorway": 113, "motorway_link": 70, "trunk": 97, "trunk_link": 60, "primary": 97, "primary_link": 60, "secondary": 97, "tertiary": 97,
}

// townReach is how far from a town's centre its traffic is felt, in metres.
const townReach = 3000

// roads finds the stretches whose traffic is measured, by way and direction.
func (l *Live) roads(s *sample.Sample, places map[int64]geo.Point) {
	towns := map[string]geo.Point{}
	for i := range s.Data.Nodes {
		if n := &s.Data.Nodes[i]; n.Tags.Get("place") == "town" {
			towns[n.Tags.Get("name")] = places[n.ID]
		}
	}
	names := make([]string, 0, len(towns))
	for name := range towns {
		names = append(names, name)
	}
	slices.Sort(names)
	closing := geo.Point{}
	for _, p := range s.Places {
		if p.Name == "Hethercombe" {
			closing = p.Point
		}
	}
	nearest := math.Inf(1)
	for i := range s.Data.Ways {
		w := &s.Data.Ways[i]
		free := freeSpeeds[w.Tags.Get("highway")]
		if free == 0 || len(w.Nodes) < 2 {
			continue
		}
		if mph, err := strconv.ParseFloat(strings.TrimSuffix(w.Tags.Get("maxspeed"), " mph"), 64); err == nil {
			free = min(free, mph*1.609344)
		}
		line := make([]geo.Point, len(w.Nodes))
		for k, n := range w.Nodes {
			line[k] = places[n]
		}
		one := stretch{way: w.ID, direction: "forward", road: w.Tags.Get("ref"), free: free, metres: geo.Length(line), at: line[len(line)/2]}
		if one.road == "" {
			one.road = w.Tags.Get("name")
		}
		town := slices.MinFunc(names, func(a, b string) int {
			return cmp.Compare(geo.Distance(towns[a], one.at), geo.Distance(towns[b], one.at))
		})
		first, last := geo.Distance(towns[town], line[0]), geo.Distance(towns[town], line[len(line)-1])
		one.near = math.Exp(-geo.Distance(towns[town], one.at) / townReach)
		one.inbound, one.towards = last < first, compass(geo.Bearing(line[0], line[len(line)-1]))
		if d := geo.Distance(one.at, closing); w.Tags.Get("highway") == "motorway" && one.towards == "eastbound" && d < nearest {
			nearest, l.closing = d, len(l.stretches)
		}
		l.stretches = append(l.stretches, one)
		if w.Tags.Get("oneway") != "yes" {
			one.direction, one.inbound, one.towards = "backward", !one.inbound, compass(geo.Bearing(line[len(line)-1], line[0]))
			l.stretches = append(l.stretches, one)
		}
	}
}

// compass names a direction of travel.
func compass(bearing float64) string {
	return []string{"northbound", "eastbound", "southbound", "westbound"}[int(math.Mod(bearing+45, 360)/90)]
}

// rush returns how busy the roads to a town are, or those from it, 0 to 1: in the
// morning the ones, in the evening the others, both about noon at weekends.
func rush(inbound bool, now time.Time) float64 {
	hour := float64(now.Hour()) + float64(now.Minute())/60
	peak := func(at, width float64) float64 { return math.Exp(-math.Pow((hour-at)/width, 2)) }
	switch {
	case now.Weekday() == time.Saturday || now.Weekday() == time.Sunday:
		return 0.5 * peak(12.5, 2.5)
	case inbound:
		return max(peak(8, 1), 0.4*peak(17.25, 1.25))
	}
	return max(peak(17.25, 1.25), 0.4*peak(8, 1))
}

// Traffic writes how fast traffic moves on the main roads: slow on the way to towns
// in the morning and out of them in the evening, slower still at what has happened,
// with waves at all hours. Hours are those of now's location.
func (l *Live) Traffic(w io.Writer, now time.Time) error {
	type record struct {
		Way       int64   `json:"way"`
		Direction string  `json:"direction"`
		Kmh       float64 `json:"speed_kph"`
	}
	slowed := map[int]float64{}
	for _, h := range l.happening(now) {
		slowed[h.stretch] = h.slow
	}
	list := make([]record, len(l.stretches))
	for i := range l.stretches {
		s := &l.stretches[i]
		// A wave runs over the county from the west every ten minutes.
		wave := 0.5 + 0.5*math.Sin(2*math.Pi*(float64(now.Unix())/600-40*s.at.Lon))
		share := 1 - 0.7*rush(s.inbound, now)*s.near - 0.25*wave*s.near
		if slow, ok := slowed[i]; ok {
			share *= slow
		}
		list[i] = record{s.way, s.direction, math.Round(max(5, s.free*share))}
	}
	return json.NewEncoder(w).Encode(map[string]any{"taken": now.UTC().Truncate(time.Second), "records": list})
}

// event happens at one place again and again.
type event struct {
	kind, severity, cause, description string
	every, lasts                       time.Duration
	slow                               float64 // what is left of the speed there
	lanesClosed, lanesOpen             int     // 0 and 0 if not reported
	closes                             bool
}

// events happen in the county. The roadworks are always somewhere.
var events = []event{
	{kind: "closure", severity: "highest", cause: "overturned lorry", description: "The carriageway is closed until a lorry has been put on its wheels.", every: 30 * time.Minute, lasts: 12 * time.Minute, slow: 1, closes: true},
	{kind: "roadworks", severity: "low", cause: "resurfacing", description: "One lane is closed, traffic moves by signals.", every: 24 * time.Hour, lasts: 24 * time.Hour, slow: 0.6, lanesClosed: 1, lanesOpen: 1},
	{kind: "accident", severity: "high", cause: "collision of two vehicles", description: "Two vehicles stand on the road.", every: 70 * time.Minute, lasts: 35 * time.Minute, slow: 0.3, lanesClosed: 1},
	{kind: "vehicle_breakdown", severity: "medium", cause: "a coach has broken down", description: "A coach stands in the lane.", every: 55 * time.Minute, lasts: 25 * time.Minute, slow: 0.5},
	{kind: "hazard", severity: "medium", cause: "animals on the road", description: "Sheep are on the road.", every: 40 * time.Minute, lasts: 15 * time.Minute, slow: 0.6},
	{kind: "congestion", severity: "medium", cause: "queuing traffic", description: "Traffic is queuing.", every: 25 * time.Minute, lasts: 15 * time.Minute, slow: 0.35},
	{kind: "weather", severity: "low", cause: "surface water", description: "Water stands on the road.", every: 3 * time.Hour, lasts: 80 * time.Minute, slow: 0.75},
}

// leastMetres is how long a stretch must be for anything to happen there.
const leastMetres = 150

// happened is an event at its place and time.
type happened struct {
	*event
	stretch     int
	id          string
	from, until time.Time
}

// happening lists what is so at a moment.
func (l *Live) happening(now time.Time) (list []happened) {
	for i := range events {
		e := &events[i]
		from := now.Truncate(e.every)
		if now.Sub(from) >= e.lasts {
			continue
		}
		h := happened{event: e, stretch: l.closing, id: fmt.Sprintf("halvern-%d-%d", i+1, from.Unix()), from: from, until: from.Add(e.lasts)}
		for try := 0; !e.closes; try++ {
			h.stretch = int(chance("event", h.id, try) * float64(len(l.stretches)))
			if l.stretches[h.stretch].metres >= leastMetres {
				break
			}
		}
		list = append(list, h)
	}
	return list
}

// Incidents writes what has happened on the roads.
func (l *Live) Incidents(w io.Writer, now time.Time) error {
	type record struct {
		ID          string    `json:"id"`
		Way         int64     `json:"way"`
		Direction   string    `json:"direction"`
		Closed      bool      `json:"closed"`
		From        time.Time `json:"from"`
		Until       time.Time `json:"until"`
		Updated     time.Time `json:"updated_at"`
		Kind        string    `json:"kind"`
		Severity    string    `json:"severity"`
		Cause       string    `json:"cause"`
		Description string    `json:"description"`
		Road        string    `json:"road,omitempty"`
		Towards     string    `json:"towards"`
		LanesClosed *int      `json:"lanes_closed,omitempty"`
		LanesOpen   *int      `json:"lanes_open,omitempty"`
	}
	list := []record{}
	for _, h := range l.happening(now) {
		s := &l.stretches[h.stretch]
		r := record{
			ID: h.id, Way: s.way, Direction: s.direction, Closed: h.closes, From: h.from.UTC(), Until: h.until.UTC(), Updated: h.from.UTC(),
			Kind: h.kind, Severity: h.severity, Cause: h.cause, Description: h.description, Road: s.road, Towards: s.towards,
		}
		if h.lanesClosed > 0 {
			r.LanesClosed = &h.lanesClosed
		}
		if h.lanesOpen > 0 {
			r.LanesOpen = &h.lanesOpen
		}
		list = append(list, r)
	}
	return json.NewEncoder(w).Encode(map[string]any{"taken": now.UTC().Truncate(time.Second), "records": list})
}
