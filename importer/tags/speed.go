package tags

import (
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

const kmPerMile = 1.609344

// maxSpeed is the highest speed the graph keeps, in km/h.
const maxSpeed = 252

// Speed reads a maxspeed value in km/h: a number with or without a unit
// (km/h, mph, knots), "none", "walk" or an implicit value such as
// "GB:nsl_single" or "DE:urban". It gives 0 for what it cannot read.
func Speed(v string) uint8 {
	v = strings.TrimSpace(strings.ToLower(v))
	if i := strings.IndexByte(v, ';'); i >= 0 {
		v = v[:i]
	}
	switch v {
	case "":
		return 0
	case "none":
		return 140
	case "walk", "foot":
		return 7
	}
	if s, ok := implicit[v]; ok {
		return s
	}
	if i := strings.IndexByte(v, ':'); i == 2 {
		return implicit[v[i+1:]]
	}
	n, unit := number(v)
	switch unit {
	case "", "km/h", "kmh", "kph":
	case "mph":
		n *= kmPerMile
	case "knots":
		n *= 1.852
	default:
		return 0
	}
	if !(n >= 1) {
		return 0
	}
	return uint8(math.Min(maxSpeed, math.Round(n)))
}

// implicit are the values that name a rule instead of a number. Those with a
// country come first.
var implicit = map[string]uint8{
	"gb:nsl_single": 97, "gb:nsl_dual": 113, "gb:motorway": 113, "gb:nsl_restricted": 48, "gb:urban": 48, "gb:rural": 97, "gb:trunk": 113,
	"gb:zone20": 32, "gb:zone30": 48, "gb:zone:20": 32, "gb:zone:30": 48, "gb:living_street": 32,
	"uk:nsl_single": 97, "uk:nsl_dual": 113, "uk:motorway": 113, "uk:nsl_restricted": 48, "uk:urban": 48, "uk:rural": 97,
	"uk:zone20": 32, "uk:zone30": 48, "national": 97, "gb:national": 97, "uk:national": 97, "ro:urban": 50, "de:rural": 100, "de:motorway": 140, "at:rural": 100, "at:motorway": 130,
	"ch:rural": 80, "ch:motorway": 120, "ch:trunk": 100, "fr:rural": 80, "fr:motorway": 130, "it:rural": 90, "it:motorway": 130,
	"be:urban": 50, "be:rural": 90, "es:rural": 90, "es:motorway": 120,
	"urban": 50, "rural": 90, "trunk": 100, "motorway": 120, "living_street": 20, "zone30": 30, "zone:30": 30, "zone:20": 20, "bicycle_road": 30, "walk": 7,
}

// number splits "30 mph" in 30 and "mph".
func number(v string) (float64, string) {
	end := 0
	for end < len(v) && (v[end] >= '0' && v[end] <= '9' || v[end] == '.' || v[end] == ',') {
		end++
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(v[:end], ",", "."), 64)
	if err != nil {
		return math.NaN(), ""
	}
	return n, strings.TrimSpace(v[end:])
}

func (w *Way) speeds(t osm.Tags) {
	limit := w.limit(t.Get("maxspeed"))
	if limit == 0 {
		limit = w.limit(t.Get("maxspeed:type"))
	}
	truck := Speed(t.Get("maxspeed:hgv"))
	advisory := Speed(t.Get("maxspeed:advisory"))
	practical := Speed(t.Get("maxspeed:practical"))
	for _, side := range []struct {
		s      *Side
		suffix string
	}{{&w.Forward, ":forward"}, {&w.Backward, ":backward"}} {
		s := side.s
		s.Limited, s.TruckSpeed = limit, truck
		if v := w.limit(t.Get("maxspeed" + side.suffix)); v != 0 {
			s.Limited = v
		}
		if v := Speed(t.Get("maxspeed:hgv" + side.suffix)); v != 0 {
			s.TruckSpeed = v
		}
		s.Speed = s.Limited
		for _, v := range []uint8{advisory, practical} {
			if v != 0 && (s.Speed == 0 || v < s.Speed) {
				s.Speed = v
			}
		}
	}
	if w.Forward.Speed != 0 || w.Backward.Speed != 0 {
		w.Flags |= graph.SpeedTagged
	}
}

// limit reads a maxspeed value in the light of the road it is on: the British
// national limit is 70 mph where carriageways are apart and 60 elsewhere.
func (w *Way) limit(v string) uint8 {
	s := Speed(v)
	if strings.HasSuffix(strings.ToLower(strings.TrimSpace(v)), "national") && s == implicit["gb:nsl_single"] &&
		(w.Class == graph.Motorway || w.Oneway != 0 && w.Use == graph.Road && w.Flags&graph.Roundabout == 0) {
		return implicit["gb:nsl_dual"]
	}
	return s
}

// Speeds that roads are driven at where no tag says, in km/h by class, outside
// and inside places with many roads: those Valhalla assumes.
var (
	ruralSpeed = [...]uint8{105, 90, 75, 60, 50, 40, 35, 25}
	urbanSpeed = [...]uint8{89, 73, 57, 49, 40, 35, 30, 20}
	useSpeed   = map[graph.Use]uint8{
		graph.Driveway: 10, graph.ParkingAisle: 15, graph.DriveThrough: 10, graph.Alley: 15, graph.LivingStreet: 10, graph.Track: 15,
		graph.Ferry: 25, graph.RailFerry: 60,
	}
)

// DefaultSpeed gives the speed of a direction: the tagged one or, where there
// is none, the usual one of the road's class and use.
func (w *Way) DefaultSpeed(s *Side, urban bool) uint8 {
	if s.Speed != 0 {
		return s.Speed
	}
	if v, ok := useSpeed[w.Use]; ok {
		return v
	}
	v := ruralSpeed[w.Class]
	if urban {
		v = urbanSpeed[w.Class]
	}
	if w.Flags&graph.Link != 0 && w.Class <= graph.Tertiary {
		v = uint8(float64(v) * 0.85)
	}
	if w.Surface >= graph.Dirt {
		v = min(v, 40)
	}
	if w.Flags&graph.Roundabout != 0 {
		v = min(v, uint8(float64(v)*0.6)+5)
	}
	return v
}

// longest is the longest voyage believed, thirty days in seconds.
const longest = 30 * 86400

// Duration reads a duration in seconds, at most 30 days: "HH:MM", "HH:MM:SS",
// minutes, or ISO 8601 as in "P1DT1H30M". It gives 0 for what it cannot read.
func Duration(v string) int {
	v = strings.TrimSpace(v)
	if rest, ok := strings.CutPrefix(strings.ToUpper(v), "P"); ok {
		total, n := 0, 0
		for _, c := range rest {
			switch {
			case total > longest:
				return 0
			case c >= '0' && c <= '9':
				if n = n*10 + int(c-'0'); n > longest {
					return 0
				}
			case c == 'T':
			case c == 'D':
				total, n = total+n*86400, 0
			case c == 'H':
				total, n = total+n*3600, 0
			case c == 'M':
				total, n = total+n*60, 0
			case c == 'S':
				total, n = total+n, 0
			default:
				return 0
			}
		}
		if total > longest {
			return 0
		}
		return total
	}
	parts := strings.Split(v, ":")
	if len(parts) > 3 {
		return 0
	}
	total := 0
	for _, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 || n > 1e5 || p[0] == '+' {
			return 0
		}
		total = total*60 + n
	}
	if len(parts) < 3 {
		total *= 60
	}
	if total > longest {
		return 0
	}
	return total
}

// bicycles notes lanes and tracks for bicycles, and pavements for walkers, by
// the side they are on: a direction's own lane is on the side it drives on.
func (w *Way) bicycles(t osm.Tags) {
	lane := func(v string) graph.EdgeFlags {
		switch v {
		case "lane", "opposite_lane", "exclusive", "advisory", "share_busway":
			return graph.BikeLane
		case "track", "opposite_track", "separate":
			return graph.BikeTrack
		case "shared_lane", "shared":
			return graph.BikeShared
		}
		return 0
	}
	both := lane(t.Get("cycleway")) | lane(t.Get("cycleway:both"))
	left, right := lane(t.Get("cycleway:left")), lane(t.Get("cycleway:right"))
	if w.Flags&graph.DriveOnLeft != 0 {
		left, right = right, left
	}
	w.Forward.Flags |= both | right
	w.Backward.Flags |= both | left
	switch w.Oneway { // both sides are on the way
	case 1:
		w.Forward.Flags |= left
	case -1:
		w.Backward.Flags |= right
	}
	pavement := t.Get("sidewalk")
	each := yes(t.Get("sidewalk:both"))
	if pavement == "both" || pavement == "yes" || pavement == "left" || each || yes(t.Get("sidewalk:left")) {
		w.Forward.Flags |= graph.SidewalkLeft
		w.Backward.Flags |= graph.SidewalkRight
	}
	if pavement == "both" || pavement == "yes" || pavement == "right" || each || yes(t.Get("sidewalk:right")) {
		w.Forward.Flags |= graph.SidewalkRight
		w.Backward.Flags |= graph.SidewalkLeft
	}
}
