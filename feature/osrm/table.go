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
	from, to             []int   // coordinates; nil is all
	Durations, Distances bool    // that are told
	SkipWaypoints        bool    // sources and destinations are left out
	fallback             float64 // metres a second in a straight line; 0 is none
	asked                bool    // from where it was asked, rather than from the road
	scale                float64
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
			t.Durations, t.Distances = false, false
			for word := range strings.SplitSeq(value, ",") {
				switch word {
				case "duration":
					t.Durations = true
				case "distance":
					t.Distances = true
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
	t := &Table{Durations: true, asked: true, scale: 1}
	q, err := compatible.Read(profile, coordinates, query, compatible.Limits{Least: 2, Most: MaxPlaces, Bounds: s.Bounds}, t.parameters(), compatible.Places, compatible.Vehicle)
	if err != nil {
		return nil, err
	}
	t.SkipWaypoints = q.SkipWaypoints
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

// Filled is a matrix with its durations scaled and, where that was asked for, an
// estimate in each cell without a way.
type Filled struct {
	*engine.MatrixAnswer
	Cells [][2]int // estimated, by source and target; nil where none may be
}

// Answer works a table out.
func (s *Tables) Answer(ctx context.Context, t *Table) (*Filled, error) {
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
	out := &Filled{MatrixAnswer: a}
	if t.fallback > 0 {
		out.Cells = [][2]int{}
	}
	for i := range a.Cells {
		for j := range a.Cells[i] {
			c := &a.Cells[i][j]
			if !c.Reached && t.fallback > 0 {
				metres := t.crow(a, i, j)
				*c = engine.MatrixCell{Seconds: metres / t.fallback, Metres: metres, Reached: true}
				out.Cells = append(out.Cells, [2]int{i, j})
			}
			c.Seconds *= t.scale
		}
	}
	return out, nil
}

// crow is the length of the straight line of a cell without a way.
func (t *Table) crow(a *engine.MatrixAnswer, i, j int) float64 {
	if t.asked {
		return geo.Distance(t.Matrix.Sources[i].Point, t.Matrix.Targets[j].Point)
	}
	return geo.Distance(a.Sources[i].Point, a.Targets[j].Point)
}
