package world

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/waygate/waygate/road/link"
	"github.com/waygate/waygate/road/overlay"
)

// week is the speed of traffic in each hour of a week, from Monday 0:00, in km/h; 0 where
// it is unknown.
type week [overlay.HoursOfWeek]uint8

// weekLine is a line of Valhalla's tables of historic speeds: a place, the speed of
// the empty road, that of the day, and the speeds of the week as weekSpeeds reads
// them, which may be missing. Its own places, level/tile/edge, are of graphs that it
// alone can make; here they are way/ID/DIRECTION or nodes/FROM/TO, of OSM.
type weekLine struct {
	segment link.Segment // where the place is two nodes
	way     link.Way     // where it is a way
	week    week
}

// errForeign is the error of a line about an edge of Valhalla's own graph.
var errForeign = errors.New("level/tile/edge is of Valhalla's own graph")

var errLine = errors.New("not a line of speeds")

// readWeekLine reads a line with a slash in its place.
func readWeekLine(line string) (l weekLine, err error) {
	fields := strings.Split(line, ",")
	place := strings.Split(strings.TrimSpace(fields[0]), "/")
	if len(place) != 3 || len(fields) < 3 || len(fields) > 4 {
		return l, errLine
	}
	if len(place[0]) == 1 && place[0][0] <= '2' && place[0][0] >= '0' {
		return l, errForeign
	}
	id, err := strconv.ParseInt(place[1], 10, 64)
	if err != nil || id <= 0 {
		return l, errLine
	}
	switch place[0] {
	case "way":
		dir, ok := directions[place[2]]
		if !ok {
			return l, errLine
		}
		l.way = link.Way{ID: id, Dir: dir, Kmh: 1}
	case "nodes":
		to, err := strconv.ParseInt(place[2], 10, 64)
		if err != nil || to <= 0 {
			return l, errLine
		}
		l.segment = link.Segment{From: id, To: to}
	default:
		return l, errLine
	}
	if len(fields) == 4 && strings.TrimSpace(fields[3]) != "" {
		l.week, err = weekSpeeds(strings.TrimSpace(fields[3]))
	} else {
		l.week, err = dayAndNight(strings.TrimSpace(fields[1]), strings.TrimSpace(fields[2]))
	}
	if err == nil && l.week == (week{}) {
		err = errLine
	}
	return l, err
}

var directions = map[string]link.Direction{"forward": link.Forwards, "backward": link.Backwards, "both": link.Both}

// The day of a line with only two speeds lasts from dayBegins to dayEnds, as in Valhalla.
const (
	dayBegins = 7
	dayEnds   = 19
)

// dayAndNight returns a week of two speeds, in km/h; one that is empty or 0 is not known.
func dayAndNight(night, day string) (w week, err error) {
	var speeds [2]uint8
	for i, text := range []string{night, day} {
		if text == "" {
			continue
		}
		kmh, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return w, errLine
		}
		speeds[i] = knownKmh(kmh)
	}
	for hour := range w {
		w[hour] = speeds[0]
		if h := hour % 24; h >= dayBegins && h < dayEnds {
			w[hour] = speeds[1]
		}
	}
	return w, nil
}

// knownKmh rounds a speed to whole km/h; it returns 0 for one that traffic cannot have.
func knownKmh(kmh float64) uint8 {
	if !(kmh >= 1 && kmh <= 250) {
		return 0
	}
	return uint8(kmh + 0.5)
}

// Valhalla keeps the speeds of a week in 2,016 buckets of five minutes from Sunday
// 0:00 as the first coefficients of their discrete cosine transform (the second,
// orthonormal): 200 integers of 16 bits, the high byte first, in base64.
const (
	coefficients  = 200
	bucketsOfHour = 12
	bucketsOfWeek = overlay.HoursOfWeek * bucketsOfHour
	fromMonday    = 6 * 24 // the hour from Monday at which Sunday begins
)

// hourCosines has for each hour of the first half of the week what a coefficient adds
// to its mean speed. The second half mirrors the first: coefficients with odd
// numbers add the opposite there.
var hourCosines = sync.OnceValue(func() *[overlay.HoursOfWeek / 2][coefficients]float64 {
	var table [overlay.HoursOfWeek / 2][coefficients]float64
	for hour := range table {
		for k := range coefficients {
			sum := 0.0
			for b := range bucketsOfHour {
				sum += math.Cos(math.Pi / bucketsOfWeek * (float64(hour*bucketsOfHour+b) + 0.5) * float64(k))
			}
			table[hour][k] = sum / bucketsOfHour * math.Sqrt(2.0/bucketsOfWeek)
		}
		table[hour][0] /= math.Sqrt2
	}
	return &table
})

// weekMeans returns the mean speed of each hour from Sunday 0:00, in km/h.
func weekMeans(text string) (means [overlay.HoursOfWeek]float64, err error) {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil || len(raw) != 2*coefficients {
		return means, errLine
	}
	var c [coefficients]float64
	for k := range c {
		c[k] = float64(int16(binary.BigEndian.Uint16(raw[2*k:])))
	}
	for hour, row := range hourCosines() {
		even, odd := 0.0, 0.0
		for k := 0; k < coefficients; k += 2 {
			even += c[k] * row[k]
			odd += c[k+1] * row[k+1]
		}
		means[hour] = even + odd
		means[len(means)-1-hour] = even - odd
	}
	return means, nil
}

// weekSpeeds reads the speeds of a week.
func weekSpeeds(text string) (w week, err error) {
	means, err := weekMeans(text)
	for hour, kmh := range means {
		w[(hour+fromMonday)%len(w)] = knownKmh(kmh)
	}
	return w, err
}
