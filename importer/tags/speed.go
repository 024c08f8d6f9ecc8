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

// unlimited stands for no limit at all.
const unlimited = 140

// walk is walking pace.
const walk = 5

// Speed reads a maxspeed value in km/h: a number with or without a unit (km/h, mph,
// knots), "none", "walk" or an implicit value such as "GB:nsl_single" or "DE:urban". It
// returns 0 for unreadable values.
func Speed(v string) uint8 {
	v = strings.TrimSpace(strings.ToLower(v))
	if i := strings.IndexByte(v, ';'); i >= 0 {
		v = v[:i]
	}
	switch v {
	case "":
		return 0
	case "none":
		return unlimited
	case "walk", "foot":
		return walk
	}
	if s, ok := implicit[v]; ok {
		return s
	}
	if i := strings.IndexByte(v, ':'); i == 2 {
		return implicit[v[i+1:]]
	}
	n, unit := splitUnit(v)
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
	"urban": 50, "rural": 90, "trunk": 100, "motorway": 120, "living_street": 20, "zone30": 30, "zone:30": 30, "zone:20": 20, "bicycle_road": 30, "walk": walk,
}

// splitUnit splits "30 mph" in 30 and "mph".
func splitUnit(v string) (float64, string) {
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
	truck := Speed(t.Get("maxspeed:hgv"))
	bus := Speed(t.Get("maxspeed:psv"))
	if v := Speed(t.Get("maxspeed:bus")); v != 0 {
		bus = v
	}
	advisory := Speed(t.Get("maxspeed:advisory"))
	practical := Speed(t.Get("maxspeed:practical"))
	for _, side := range []struct {
		s      *Side
		suffix string
	}{{&w.Forward, ":forward"}, {&w.Backward, ":backward"}} {
		s := side.s
		s.Limited, s.TruckSpeed, s.Limits.BusSpeed = limit, truck, bus
		if v := w.limit(t.Get("maxspeed" + side.suffix)); v != 0 {
			s.Limited = v
		}
		if v := Speed(t.Get("maxspeed:hgv" + side.suffix)); v != 0 {
			s.TruckSpeed = v
		}
		for _, key := range []string{"maxspeed", "maxspeed:hgv"} {
			for _, c := range append(clauses(t.Get(key+":conditional")), clauses(t.Get(key+side.suffix+":conditional"))...) {
				v := Speed(c.value)
				if v == 0 || !math.IsInf(c.upTo, 1) {
					continue
				}
				if c.modes&graph.Truck != 0 && (s.TruckSpeed == 0 || v < s.TruckSpeed) {
					s.TruckSpeed = v
				}
				if bus := &s.Limits.BusSpeed; key == "maxspeed" && c.modes&graph.Bus != 0 && (*bus == 0 || v < *bus) {
					*bus = v
				}
			}
		}
	}
	if f, b := &w.Forward, &w.Backward; w.Oneway == 0 { // a limit of one direction probably holds for the other
		if f.Limited == 0 {
			f.Limited = b.Limited
		} else if b.Limited == 0 {
			b.Limited = f.Limited
		}
	}
	// A limit by law for all roads of a kind says less about the driven speed than the
	// kind of road does.
	byLaw := w.limit(t.Get("maxspeed:type"))
	for _, s := range []*Side{&w.Forward, &w.Backward} {
		switch {
		case practical != 0:
			s.Speed = practical
		case advisory != 0:
			s.Speed = advisory
		case s.Limited == unlimited && w.Class == graph.Motorway:
			s.Speed = ruralSpeed[w.Class] // few drive faster, and no limit keeps them from driving so fast
		case s.Limited >= leastKept:
			s.Speed = s.Limited
		}
		if s.Limited == 0 {
			s.Limited = byLaw
		}
	}
	if w.Forward.Speed != 0 || w.Backward.Speed != 0 {
		w.Flags |= graph.SpeedTagged
	}
}

// limit reads a maxspeed value for the road it is on: the British national limit is 70
// mph on dual carriageways and 60 elsewhere.
func (w *Way) limit(v string) uint8 {
	s := Speed(v)
	if strings.HasSuffix(strings.ToLower(strings.TrimSpace(v)), "national") && s == implicit["gb:nsl_single"] &&
		(w.Class == graph.Motorway || w.Oneway != 0 && w.Use == graph.Road && w.Flags&graph.Roundabout == 0) {
		return implicit["gb:nsl_dual"]
	}
	return s
}

// The driven speeds of untagged roads, in km/h by class, outside and inside of towns:
// Valhalla's assumptions.
var (
	ruralSpeed = [...]uint8{105, 90, 75, 60, 50, 40, 35, 25}
	urbanSpeed = [...]uint8{89, 73, 57, 49, 40, 35, 30, 20}
	useSpeed   = map[graph.Use]uint8{graph.Driveway: 10, graph.ParkingAisle: 15, graph.DriveThrough: 10}
	trackSpeed = map[string]uint8{"grade1": 20, "grade2": 15, "grade3": 12, "grade4": 10}
)

// slowest is the lowest driven speed of a road without a tagged limit, in km/h: walking
// pace. Rough ground halves the speed of a track that is slow anyway.
const slowest = 5

// leastKept is the lowest limit in km/h that counts as the driven speed: a lower one,
// such as walking pace in a car park, says little about the time needed to pass
// through.
const leastKept = 10

// poorestTrack is the speed of a track without a tracktype, in km/h.
const poorestTrack = 5

// Place is the position of a stretch of a way and what it is part of.
type Place struct {
	Urban  bool
	Metres float64     // its length; of ferries only
	Class  graph.Class // of slip roads: that of the lesser road they join
	Use    graph.Use   // a slip road may be found to be a turn channel
}

// DefaultSpeed returns the driven speed of a direction of a stretch: by its tags or,
// without any, by the road's class and use, and slower on bad ground. The rules and
// numbers are Valhalla's.
func (w *Way) DefaultSpeed(s *Side, p Place) uint8 {
	link := w.Use == graph.Ramp
	switch {
	case s.Speed != 0 && link, s.Speed != 0 && w.Ferry:
		return s.Speed
	case s.Speed != 0:
		return w.slowed(s.Speed)
	case s.Limited >= leastKept:
		return min(s.Limited, w.usualSpeed(p))
	}
	return w.usualSpeed(p)
}

// usualSpeed returns the speed of a stretch without a tagged one.
func (w *Way) usualSpeed(p Place) uint8 {
	link := w.Use == graph.Ramp
	switch {
	case w.Use == graph.RailFerry:
		return 65
	case w.Ferry:
		return ferrySpeed(p.Metres)
	case link:
		return w.linkSpeed(p)
	}
	v := ruralSpeed[w.Class]
	if w.Track != 0 {
		v = w.Track
	}
	if p.Urban {
		v = urbanSpeed[w.Class]
	}
	if w.Flags&graph.Roundabout != 0 {
		v = (v + 1) / 2
	}
	if u, ok := useSpeed[w.Use]; ok {
		v = u
	}
	if w.Surface >= graph.PavedRough {
		v /= 2
	}
	return max(slowest, v)
}

// slowed reduces a tagged speed for rough ground.
func (w *Way) slowed(v uint8) uint8 {
	switch {
	case w.Surface < graph.PavedRough:
	case v >= 50:
		v -= 10
	case v > 15:
		v -= 5
	}
	return v
}

// ferrySpeed returns the speed of a ferry without a tagged duration: longer crossings
// have faster ships.
func ferrySpeed(metres float64) uint8 {
	switch {
	case metres < 2000:
		return 10
	case metres < 8000:
		return 20
	}
	return 30
}

// linkSpeed returns the speed of slip roads.
func (w *Way) linkSpeed(p Place) uint8 {
	part := 0.85
	switch {
	case p.Use == graph.TurnChannel:
		part = 1.25
	case p.Urban && p.Class <= graph.Primary:
		part = 0.8
	}
	return uint8(float64(ruralSpeed[w.Class])*part + 0.5)
}

// longest is the longest credible voyage, thirty days in seconds.
const longest = 30 * 86400

// Duration reads a duration in seconds, at most 30 days: "HH:MM", "HH:MM:SS", minutes,
// or ISO 8601 as in "P1DT1H30M". It returns 0 for unreadable values.
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

// bicycles notes lanes and tracks for bicycles, and pavements for walkers, by the side
// they are on: a direction's own lane is on the side it drives on.
func (w *Way) bicycles(t osm.Tags) {
	if w.Class == graph.ServiceOther && (w.Use == graph.Cycleway || w.Use == graph.Footway || w.Use == graph.Trail) {
		separation := w.separation(t)
		w.Forward.Flags |= separation
		w.Backward.Flags |= separation
	} else {
		w.lanes(t)
	}
	if v := t.Get("bicycle"); v == "use_sidepath" {
		w.Forward.Flags |= graph.Sidepath
		w.Backward.Flags |= graph.Sidepath
	}
	w.pavements(t)
}

// separation returns the flag for how far a way off the road separates bicycles from
// walkers.
func (w *Way) separation(t osm.Tags) graph.EdgeFlags {
	if (w.Forward.Access|w.Backward.Access)&graph.Bicycle == 0 {
		return 0
	}
	switch segregated := t.Get("segregated"); {
	case w.Forward.Access&graph.Pedestrian == 0:
		return graph.BikeTrack
	case segregated == "yes", segregated != "no" && w.Use == graph.Cycleway:
		return graph.BikeLane
	}
	return graph.BikeShared
}

// cycleLane reads the value of a cycleway key for a side of a road.
func cycleLane(v string) graph.EdgeFlags {
	switch v {
	case "lane", "opposite_lane", "buffered_lane", "exclusive", "advisory":
		return graph.BikeLane
	case "track", "opposite_track":
		return graph.BikeTrack
	case "shared_lane", "shared", "share_busway":
		return graph.BikeShared
	}
	return 0
}

func (w *Way) lanes(t osm.Tags) {
	both := cycleLane(t.Get("cycleway")) | cycleLane(t.Get("cycleway:both"))
	left, right := cycleLane(t.Get("cycleway:left")), cycleLane(t.Get("cycleway:right"))
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
}

func (w *Way) pavements(t osm.Tags) {
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
