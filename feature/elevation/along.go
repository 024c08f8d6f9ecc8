package elevation

import (
	"context"
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/null"
)

const (
	// ShortestInterval is how close samples may be, in metres: heights of a
	// second of arc show nothing finer than some thirty metres.
	ShortestInterval = 10.0
	usualInterval    = 30.0
	// window is the length of line over which heights are averaged, half on
	// either side, before anything is summed up.
	window = 150.0
	// threshold is how far the averaged line must turn back before an ascent or
	// descent ends. Satellite heights err by some metres from cell to cell, and
	// summed up as they are they would make a hill of every plain.
	threshold = 5.0
)

// Profile is the ups and downs of a line.
type Profile struct {
	Length    float64   `json:"length_m" unit:"metres"`
	Interval  float64   `json:"interval_m" unit:"metres" doc:"between samples, but for the last"`
	Samples   []Sample  `json:"samples" nullable:"false"`
	Ascent    *float64  `json:"ascent_m" unit:"metres" doc:"all climbs together, of the smoothed line; null where no height is known"`
	Descent   *float64  `json:"descent_m" unit:"metres" doc:"likewise"`
	Lowest    *float64  `json:"min_elevation_m" unit:"metres"`
	Highest   *float64  `json:"max_elevation_m" unit:"metres"`
	Known     float64   `json:"coverage" minimum:"0" maximum:"1" doc:"share of the samples whose height is known; ascent and descent are of these alone"`
	Smoothing Smoothing `json:"smoothing"`
	Dataset   string    `json:"dataset" doc:"what the heights are"`
	Caveat    string    `json:"caveat"`
}

// Sample is a place on the line.
type Sample struct {
	Distance float64 `json:"distance_m" unit:"metres" doc:"from the line's start"`
	Point
	Grade *float64 `json:"grade_percent" unit:"percent" doc:"of the smoothed line here, positive uphill; null where it is not known"`
}

// Smoothing is how ascents, descents and grades were made of the heights.
type Smoothing struct {
	Window    float64 `json:"window_m" unit:"metres" doc:"length of line over which heights are averaged"`
	Threshold float64 `json:"threshold_m" unit:"metres" doc:"ups and downs below this do not count"`
}

const caveat = "Heights are of the ground: bridges, tunnels and cuttings are not in them."

// Interval returns the distance between samples of a line of a length, in metres:
// what was asked for, or where that is 0 the least that MostPlaces allow. least
// is above what was asked for where that makes too many samples.
func Interval(length, asked float64) (metres, least float64) {
	least = length / (MostPlaces - 1)
	if asked == 0 {
		asked = max(usualInterval, math.Ceil(least))
	}
	return asked, least
}

// Along returns the ups and downs of a line of at least two positions, sampled so
// many metres apart.
func (s *Service) Along(ctx context.Context, line []geo.Point, interval float64) (*Profile, []error, error) {
	ruler := geo.NewRuler(line)
	var places []geo.Point
	var arcs []float64
	steps := max(1, min(MostPlaces-1, int(math.Ceil(ruler.Length()/interval-0.01))))
	for i := range steps + 1 {
		arc := float64(i) * interval
		if i == steps {
			arc = ruler.Length()
		}
		arcs, places = append(arcs, arc), append(places, ruler.At(arc).Point)
	}
	heights, damaged, err := s.of(ctx, places)
	if err != nil {
		return nil, nil, err
	}
	p := &Profile{Length: decimetres(ruler.Length()), Interval: interval, Smoothing: Smoothing{window, threshold}, Dataset: s.Dataset, Caveat: caveat}
	smooth := smoothed(arcs, heights)
	low, high, n := math.Inf(1), math.Inf(-1), 0
	for i, h := range heights {
		p.Samples = append(p.Samples, Sample{
			Distance: decimetres(arcs[i]), Point: at(places[i], h), Grade: null.IfNaN(decimetres(grade(arcs, smooth, i))),
		})
		if !math.IsNaN(h) {
			low, high, n = min(low, h), max(high, h), n+1
		}
	}
	if p.Known = float64(n) / float64(len(heights)); n > 0 {
		up, down := climbs(smooth)
		p.Ascent, p.Descent, p.Lowest, p.Highest = null.IfNaN(decimetres(up)), null.IfNaN(decimetres(down)), null.IfNaN(decimetres(low)), null.IfNaN(decimetres(high))
	}
	return p, damaged, nil
}

func decimetres(v float64) float64 { return math.Round(v*10) / 10 }

// smoothed averages the known heights within half a window of each place.
func smoothed(arcs, heights []float64) []float64 {
	out := make([]float64, len(heights))
	for i, arc := range arcs {
		// As far before as after, or a slope would level out at the ends.
		half := min(window/2, arc, arcs[len(arcs)-1]-arc)
		first, end := i, i+1
		for first > 0 && arcs[first-1] >= arc-half {
			first--
		}
		for end < len(arcs) && arcs[end] <= arc+half {
			end++
		}
		out[i] = math.NaN()
		if math.IsNaN(heights[i]) {
			continue
		}
		sum, n := 0.0, 0.0
		for j := first; j < end; j++ {
			if !math.IsNaN(heights[j]) {
				sum, n = sum+heights[j], n+1
			}
		}
		out[i] = sum / n
	}
	return out
}

// grade returns the slope in percent between the places before and after one, NaN
// where the height of either is not known or they are one.
func grade(arcs, heights []float64, i int) float64 {
	a, b := max(0, i-1), min(len(arcs)-1, i+1)
	if arcs[b] <= arcs[a] {
		return math.NaN()
	}
	return 100 * (heights[b] - heights[a]) / (arcs[b] - arcs[a])
}

// climbs sums up the ascents and descents of a line of heights between the
// points where it turns back by at least the threshold. What lies between them
// may wiggle by less. Where heights are not known, nothing is climbed.
func climbs(heights []float64) (up, down float64) {
	from := math.NaN() // where the ascent or descent began
	turn := 0.0        // how far it has got
	way := 0.0         // 1 uphill, -1 downhill, 0 not known yet
	end := func() {
		switch way {
		case 1:
			up += turn - from
		case -1:
			down += from - turn
		}
	}
	for _, h := range heights {
		switch {
		case math.IsNaN(h):
			end()
			from, way = math.NaN(), 0
		case math.IsNaN(from):
			from, turn = h, h
		case way == 0:
			if math.Abs(h-from) >= threshold {
				way, turn = math.Copysign(1, h-from), h
			}
		case way*(h-turn) > 0:
			turn = h
		case way*(turn-h) >= threshold:
			end()
			from, turn, way = turn, h, -way
		}
	}
	end()
	return up, down
}
