package osrm

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/osrm"
)

// A table asks for at most so many cells, which a server takes with its default limit of a
// hundred places, and names at most so many places, whose address has room in the 8 kB
// that a server reads of a request.
const (
	mostCells  = 100 * 100
	mostPlaces = 300
)

// Matrix asks for tables, each of some sources and targets. A location farther from all
// roads than its cut-off has no ways. Areas and places to keep out of are not heeded, with
// a warning, as the contract has it.
func (e *Engine) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	warnings, err := ignored(r.Costing, &r.Options, &r.Conditions, slices.Concat(r.Sources, r.Targets))
	if err != nil {
		return nil, err
	}
	a := &engine.MatrixAnswer{Cells: make([][]engine.MatrixCell, len(r.Sources)), Sources: make([]engine.Snapped, len(r.Sources)), Targets: make([]engine.Snapped, len(r.Targets)), Warnings: append(warnings, passing(&r.Conditions)...)}
	for i := range a.Cells {
		a.Cells[i] = make([]engine.MatrixCell, len(r.Targets))
	}
	columns := min(len(r.Targets), mostPlaces/2)
	rows := min(len(r.Sources), mostPlaces-columns, mostCells/columns)
	for i := 0; i < len(r.Sources); i += rows {
		for j := 0; j < len(r.Targets); j += columns {
			if err := e.cells(ctx, r, a, span{i, min(i+rows, len(r.Sources))}, span{j, min(j+columns, len(r.Targets))}); err != nil {
				return nil, err
			}
		}
	}
	if missing(a.Sources) || missing(a.Targets) {
		return nil, engine.Refused(engine.CodeNoSegment, "no source or no target has a road usable by %s near it", r.Costing)
	}
	return a, nil
}

// span is the places of a list from one up to another.
type span struct{ from, to int }

func missing(list []engine.Snapped) bool {
	for i := range list {
		if list[i].Miss == "" {
			return false
		}
	}
	return true
}

// cells fills in some rows and columns of a matrix.
func (e *Engine) cells(ctx context.Context, r *engine.MatrixRequest, a *engine.MatrixAnswer, rows, columns span) error {
	sources, targets := r.Sources[rows.from:rows.to], r.Targets[columns.from:columns.to]
	t, err := e.table(ctx, r, slices.Concat(sources, targets), len(sources))
	if err != nil {
		return err
	}
	snap(a.Sources[rows.from:rows.to], sources, t.Sources)
	snap(a.Targets[columns.from:columns.to], targets, t.Targets)
	for i := range sources {
		for j := range targets {
			s, m := t.Durations[i][j], t.Distances[i][j]
			if s != nil && m != nil && a.Sources[rows.from+i].Miss == "" && a.Targets[columns.from+j].Miss == "" {
				a.Cells[rows.from+i][columns.from+j] = engine.MatrixCell{Seconds: *s, Metres: *m, Reached: true}
			}
		}
	}
	return nil
}

// snap notes where locations lie on the roads.
func snap(into []engine.Snapped, list []engine.Location, places []*osrm.Place) {
	for i := range list {
		if metres := geo.Distance(list[i].Point, places[i].On); metres > list[i].Cutoff() {
			into[i].Miss, into[i].RoadM = "no suitable edges near location", metres
			continue
		}
		into[i].Point = places[i].On
	}
}

// table asks for the ways from the first so many places to the others.
func (e *Engine) table(ctx context.Context, r *engine.MatrixRequest, places []engine.Location, sources int) (*osrm.Served, error) {
	var q query
	q.add("generate_hints", "false")
	q.add("annotations", "duration,distance")
	q.add("sources", counted(0, sources))
	q.add("destinations", counted(sources, len(places)))
	q.exclude(&r.Options)
	q.headed(places)
	body, err := e.ask(ctx, r.Costing, "table", coordinates(points(places)), q)
	if err != nil {
		return nil, err
	}
	t, err := osrm.ReadServed(body, &valueOutput)
	if err != nil {
		return nil, err
	}
	if !sized(t, sources, len(places)-sources) {
		return nil, fault.New(fault.Upstream, "the routing engine's answer is not a table of %d by %d", sources, len(places)-sources).With("upstream_status", 200)
	}
	return t, nil
}

func sized(t *osrm.Served, rows, columns int) bool {
	if len(t.Sources) != rows || len(t.Targets) != columns || len(t.Durations) != rows || len(t.Distances) != rows {
		return false
	}
	for i := range rows {
		if t.Sources[i] == nil || len(t.Durations[i]) != columns || len(t.Distances[i]) != columns {
			return false
		}
	}
	for _, p := range t.Targets {
		if p == nil {
			return false
		}
	}
	return true
}

// counted lists the numbers from one up to another.
func counted(from, to int) string {
	list := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		list = append(list, strconv.Itoa(i))
	}
	return strings.Join(list, ";")
}
