package osrm

import (
	"context"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Limits of the services.
const (
	MaxPlaces    = 1000 // coordinates of a table
	DefaultCells = 250_000
	MaxNearest   = 100 // roads of one answer
	MaxTrip      = 50  // coordinates of a trip
	MaxTrace     = 1000
)

// Tables works out tables with one engine, which is required.
type Tables struct {
	Engine engine.Engine
	Bounds geo.Bounds // of the region, for hints
	Cells  int        // most that one request may ask for; 0 is DefaultCells
}

// Table is a checked request for one.
type Table struct {
	Matrix               engine.MatrixRequest
	from, to             []int // coordinates; nil is all
	durations, distances bool
	fallback             float64 // metres a second in a straight line; 0 is none
	asked                bool    // from where it was asked, rather than from the road
	scale                float64
	silent               bool // sources and destinations are left out
}

// Costing is the way of travel.
func (t *Table) Costing() costing.Costing { return t.Matrix.Costing }

// Points are where its coordinates are.
func (t *Table) Points() []geo.Point { return t.Matrix.Points() }

func (t *Table) parameters() map[string]compatible.Reader {
	return map[string]compatible.Reader{
		"sources":      compatible.Indices(func(_ *compatible.Query, list []int) { t.from = list }),
		"destinations": compatible.Indices(func(_ *compatible.Query, list []int) { t.to = list }),
		"annotations": func(_ *compatible.Query, name, value string) error {
			t.durations, t.distances = false, false
			for word := range strings.SplitSeq(value, ",") {
				switch word {
				case "duration":
					t.durations = true
				case "distance":
					t.distances = true
				default:
					return compatible.Refuse(compatible.InvalidValue, "%s has %q and takes duration and distance", name, fault.Clip(word))
				}
			}
			return nil
		},
		"fallback_speed":      compatible.Number(func(_ *compatible.Query, v float64) { t.fallback = v }, 0.001, 1000),
		"fallback_coordinate": compatible.Word(func(_ *compatible.Query, v string) { t.asked = v == "input" }, "input", "snapped"),
		"scale_factor":        compatible.Number(func(_ *compatible.Query, v float64) { t.scale = v }, 1e-6, 1e6),
	}
}

// TableParameters lists every parameter of a table.
func TableParameters() []string {
	return names(new(Table).parameters(), compatible.Places, compatible.Vehicle)
}

// pick gives the places of a list; all where there is none.
func pick(all []engine.Location, list []int) []engine.Location {
	if list == nil {
		return all
	}
	out := make([]engine.Location, len(list))
	for i, at := range list {
		out[i] = all[at]
	}
	return out
}

// Read checks a request.
func (s *Tables) Read(profile, coordinates, query string) (*Table, error) {
	t := &Table{durations: true, asked: true, scale: 1}
	q, err := compatible.Read(profile, coordinates, query, compatible.Limits{Least: 2, Most: MaxPlaces, Bounds: s.Bounds}, t.parameters(), compatible.Places, compatible.Vehicle)
	if err != nil {
		return nil, err
	}
	t.silent = q.SkipWaypoints
	m := &t.Matrix
	m.Costing, m.Options = q.Route.Costing, q.Route.Options
	m.Sources, m.Targets = pick(q.Route.Locations, t.from), pick(q.Route.Locations, t.to)
	most := s.Cells
	if most == 0 {
		most = DefaultCells
	}
	if cells := len(m.Sources) * len(m.Targets); cells > most {
		return nil, compatible.Refuse(compatible.TooBig, "%d sources and %d destinations make %d cells, and one request may have %d", len(m.Sources), len(m.Targets), cells, most)
	}
	return t, nil
}

// Answer works a table out.
func (s *Tables) Answer(ctx context.Context, t *Table) ([]byte, error) {
	a, err := s.Engine.Matrix(ctx, &t.Matrix)
	if err != nil {
		return nil, hinted(err, t.Matrix.Sources, t.from, s.Bounds)
	}
	if err := missing(a.Sources, t.Matrix.Sources, t.from, s.Bounds); err != nil {
		return nil, err
	}
	if err := missing(a.Targets, t.Matrix.Targets, t.to, s.Bounds); err != nil {
		return nil, err
	}
	return t.write(a), nil
}

func (t *Table) write(a *engine.MatrixAnswer) []byte {
	dst := make([]byte, 0, 256+20*len(a.Sources)*len(a.Targets))
	dst = append(dst, `{"code":"Ok"`...)
	if t.durations {
		dst = t.rows(append(dst, `,"durations":`...), a, func(i, j int) (float64, bool) {
			c := &a.Cells[i][j]
			if c.Reached {
				return c.Seconds * t.scale, true
			}
			return t.crow(a, i, j) / t.fallback * t.scale, t.fallback > 0
		})
	}
	if t.distances {
		dst = t.rows(append(dst, `,"distances":`...), a, func(i, j int) (float64, bool) {
			c := &a.Cells[i][j]
			if c.Reached {
				return c.Metres, true
			}
			return t.crow(a, i, j), t.fallback > 0
		})
	}
	if t.fallback > 0 {
		dst = append(dst, `,"fallback_speed_cells":[`...)
		for i, row := range a.Cells {
			for j := range row {
				if row[j].Reached {
					continue
				}
				if dst[len(dst)-1] != '[' {
					dst = append(dst, ',')
				}
				dst = number(append(dst, '['), float64(i), 0)
				dst = append(number(append(dst, ','), float64(j), 0), ']')
			}
		}
		dst = append(dst, ']')
	}
	if t.silent {
		return append(dst, '}')
	}
	dst = places(append(dst, `,"sources":`...), a.Sources, t.Matrix.Sources)
	dst = places(append(dst, `,"destinations":`...), a.Targets, t.Matrix.Targets)
	return append(dst, '}')
}

// crow is the length of the straight line of a cell without a way.
func (t *Table) crow(a *engine.MatrixAnswer, i, j int) float64 {
	if t.asked {
		return geo.Distance(t.Matrix.Sources[i].Point, t.Matrix.Targets[j].Point)
	}
	return geo.Distance(a.Sources[i].Point, a.Targets[j].Point)
}

// rows writes a value for each cell; null where there is none.
func (t *Table) rows(dst []byte, a *engine.MatrixAnswer, value func(i, j int) (float64, bool)) []byte {
	dst = append(dst, '[')
	for i := range a.Cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		for j := range a.Cells[i] {
			if j > 0 {
				dst = append(dst, ',')
			}
			if v, ok := value(i, j); ok {
				dst = number(dst, v, 1)
			} else {
				dst = append(dst, `null`...)
			}
		}
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

func places(dst []byte, on []engine.Snapped, asked []engine.Location) []byte {
	dst = append(dst, '[')
	for i := range on {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(waypoint(dst, on[i].Point, asked[i].Point), '}')
	}
	return append(dst, ']')
}
