package evplan

import (
	"context"
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/ev"
	"github.com/waygate/waygate/geo"
)

// driven is a way whose energy was worked out piece by piece.
type driven struct {
	ev.Leg
	line     []geo.Point
	arcs     []float64 // metres up to each point
	energies []float64 // up to each point
	heights  []float64 // of each point; nil where none are known
}

// joined returns ways one after the other as one.
func joined(parts []*driven, capacity float64) *driven {
	if len(parts) == 1 {
		return parts[0]
	}
	all, known := &driven{}, true
	all.Most = capacity
	metres, energy := 0.0, 0.0
	for _, d := range parts {
		all.Metres, all.Seconds, all.Cost = all.Metres+d.Metres, all.Seconds+d.Seconds, all.Cost+d.Cost
		all.line = append(all.line, d.line...)
		for i := range d.line {
			all.arcs, all.energies = append(all.arcs, metres+d.arcs[i]), append(all.energies, energy+d.energies[i])
		}
		metres, energy = metres+d.arcs[len(d.arcs)-1], energy+d.Cost
		known = known && d.heights != nil
		all.heights = append(all.heights, d.heights...)
	}
	if !known {
		all.heights = nil
	}
	return all
}

// height returns the height of a point of the line, by its index; NaN where not known.
func (d *driven) height(i int) float64 {
	if d.heights == nil {
		return math.NaN()
	}
	return d.heights[i]
}

// climb returns how much higher the end is than the beginning; 0 where not known.
func (d *driven) climb() float64 {
	if d.heights == nil {
		return 0
	}
	return d.heights[len(d.heights)-1] - d.heights[0]
}

// spacing is how far apart, in metres, heights are looked up along a way. Each is averaged
// with its neighbours: satellites err by metres from cell to cell.
const spacing = 100.0

// route measures the way between two places.
func (s *Service) route(ctx context.Context, r *Request, from, to geo.Point) (*driven, error) {
	best, err := engine.Best(ctx, s.Engine, &engine.RouteRequest{
		Costing: costing.Auto, Options: r.Options, Conditions: r.Conditions, Locations: engine.Stops([]geo.Point{from, to}), Want: engine.WantPieces,
	})
	if err != nil {
		return nil, err
	}
	d := &driven{line: best.Line()}
	d.Metres, d.Seconds = best.Metres, best.Seconds
	if len(d.line) < 2 {
		d.line = []geo.Point{from, to}
	}
	return d, engine.Work(ctx, driveEffort(len(d.line), d.Metres), func(ctx context.Context) (err error) {
		d.arcs = make([]float64, len(d.line))
		for i := 1; i < len(d.line); i++ {
			d.arcs[i] = d.arcs[i-1] + geo.Distance(d.line[i-1], d.line[i])
		}
		if d.heights, err = s.climbs(ctx, d.line, d.arcs); err != nil {
			return err
		}
		d.drive(r, best)
		return ctx.Err()
	})
}

// drive works out the energy of each piece of a route.
func (d *driven) drive(r *Request, route *engine.Route) {
	var pieces []engine.Piece
	for i := range route.Legs {
		pieces = append(pieces, route.Legs[i].Pieces...)
	}
	whole := len(pieces) == len(d.line)-1
	moving := 0.0
	for i := range pieces {
		moving += pieces[i].Seconds
	}
	d.energies = make([]float64, len(d.line))
	list := make([]float64, 0, len(d.line))
	before := 0.0
	length := d.arcs[len(d.arcs)-1]
	for i := 1; i < len(d.line); i++ {
		p := ev.Piece{Metres: d.arcs[i] - d.arcs[i-1]}
		// Time lost at junctions is spread over the pieces: it takes only the energy of heating
		// and the like.
		idle := 0.0
		if whole {
			p.Seconds = pieces[i-1].Seconds
			if moving > 0 {
				idle = max(0, route.Seconds-moving) * p.Seconds / moving
			}
		} else if length > 0 {
			p.Seconds = route.Seconds * p.Metres / length
		}
		if d.heights != nil {
			p.Climb = d.heights[i] - d.heights[i-1]
		}
		e := r.Vehicle.Energy(p, before, r.Weather) + r.Vehicle.Energy(ev.Piece{Seconds: idle}, 0, r.Weather)
		if p.Seconds > 0 && p.Metres > 0 {
			before = p.Metres / p.Seconds
		}
		list = append(list, e)
		d.energies[i] = d.energies[i-1] + e
	}
	leg := ev.LegOf(list, r.Battery.Capacity)
	d.Need, d.Cost, d.Most = leg.Need, leg.Cost, leg.Most
}

// climbs returns the smoothed heights of a line's points; nil where some are not known.
func (s *Service) climbs(ctx context.Context, line []geo.Point, arcs []float64) ([]float64, error) {
	if s.Heights == nil {
		return nil, nil
	}
	ruler := geo.NewRuler(line)
	length := ruler.Length()
	n := max(1, int(math.Ceil(length/spacing)))
	places := make([]geo.Point, n+1)
	for i := range places {
		places[i] = ruler.At(length * float64(i) / float64(n)).Point
	}
	metres, _, err := s.Heights(ctx, places)
	if err != nil {
		return nil, err
	}
	smooth := make([]float64, len(metres))
	for i := range metres {
		if math.IsNaN(metres[i]) {
			return nil, nil
		}
		a, b := max(0, i-1), min(len(metres)-1, i+1)
		smooth[i] = (metres[a] + metres[i] + metres[b]) / 3
	}
	heights := make([]float64, len(line))
	for i, arc := range arcs {
		heights[i] = between(smooth, arc/max(length, 1e-9)*float64(n))
	}
	return heights, nil
}

// between interpolates a list at a place between two indexes.
func between(values []float64, at float64) float64 {
	i := min(max(int(at), 0), len(values)-1)
	if i+1 >= len(values) {
		return values[i]
	}
	return values[i] + (values[i+1]-values[i])*(at-float64(i))
}

// guess estimates the energy of a way that was not measured, by its length, its time and the
// heights of its ends: that of steady driving, which is the least for that length and time,
// times dearer, by which the direct route exceeds its own steady driving.
func guess(r *Request, metres, seconds, climb, dearer float64) ev.Leg {
	e := r.Vehicle.Energy(ev.Piece{Metres: metres, Seconds: seconds, Climb: climb}, 0, r.Weather)
	if e > 0 {
		e *= dearer
	}
	return ev.LegOf([]float64{e}, r.Battery.Capacity).With(metres, seconds)
}
