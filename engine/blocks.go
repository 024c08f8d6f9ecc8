package engine

import (
	"context"
	"slices"
)

// MatrixBlocks requests a large matrix in parts of its rows, each of at most so many
// cells, and hands on what came: first is the place of the part's first source. No
// part of it keeps a slot for long. A part whose sources all lack a road has empty
// rows; where that is so of all, the refusal is the first one's.
//
// With a time, parts are those of Parts, and put together to whole rows.
func MatrixBlocks(ctx context.Context, e Engine, r *MatrixRequest, cells int, take func(first int, a *MatrixAnswer) error) error {
	n := len(r.Sources)
	rows := max(1, cells/max(1, len(r.Targets)))
	down, across := (n+rows-1)/rows, 1
	if r.When != nil || r.Times != nil {
		down, across = Parts(n, len(r.Targets), cells)
	}
	var refused error
	some := false
	for i := range down {
		first, last := n*i/down, n*(i+1)/down
		ask := *r
		ask.Sources = r.Sources[first:last]
		if r.Times != nil && !r.Arrives() {
			ask.Times = r.Times[first:last]
		}
		a, err := wholeRows(ctx, e, &ask, across)
		switch {
		case Code(err) == CodeNoSegment:
			if refused == nil {
				refused = err
			}
			a = unreached(&ask)
			a.Targets = nil // which may have roads
		case err != nil:
			return err
		default:
			some = true
		}
		if err := take(first, a); err != nil {
			return err
		}
	}
	if !some {
		return refused
	}
	return nil
}

// wholeRows requests some rows in parts of their columns.
func wholeRows(ctx context.Context, e Engine, r *MatrixRequest, across int) (*MatrixAnswer, error) {
	if across == 1 {
		return e.Matrix(ctx, r)
	}
	all := &MatrixAnswer{Cells: make([][]MatrixCell, len(r.Sources)), Arrives: r.Arrives()}
	var refused error
	for j := range across {
		from, to := len(r.Targets)*j/across, len(r.Targets)*(j+1)/across
		ask := *r
		ask.Targets = r.Targets[from:to]
		if r.Times != nil && r.Arrives() {
			ask.Times = r.Times[from:to]
		}
		a, err := e.Matrix(ctx, &ask)
		switch {
		case Code(err) == CodeNoSegment:
			refused, a = err, unreached(&ask)
		case err != nil:
			return nil, err
		default:
			all.Sources = a.Sources
			if !all.Arrives {
				all.Begin = a.Begin
			}
		}
		if all.Arrives {
			all.Begin = append(all.Begin, a.Begin...)
		}
		for i := range all.Cells {
			all.Cells[i] = append(all.Cells[i], a.Cells[i]...)
		}
		all.Targets = append(all.Targets, a.Targets...)
		all.addWarnings(a.Warnings)
	}
	if all.Sources == nil {
		return nil, refused
	}
	return all, nil
}

// unreached returns the answer to a request that was refused as a place has no road.
func unreached(r *MatrixRequest) *MatrixAnswer {
	a := &MatrixAnswer{Cells: make([][]MatrixCell, len(r.Sources))}
	for i := range a.Cells {
		a.Cells[i] = make([]MatrixCell, len(r.Targets))
	}
	none := Snapped{Miss: "no usable road is near"}
	a.Sources, a.Targets = slices.Repeat([]Snapped{none}, len(r.Sources)), slices.Repeat([]Snapped{none}, len(r.Targets))
	return a
}

func (a *MatrixAnswer) addWarnings(list []Warning) {
	for _, w := range list {
		if !slices.Contains(a.Warnings, w) {
			a.Warnings = append(a.Warnings, w)
		}
	}
}

// MatrixInBlocks is MatrixBlocks with the parts put together, without the times of Begin.
func MatrixInBlocks(ctx context.Context, e Engine, r *MatrixRequest, cells int, progress func(share float64)) (*MatrixAnswer, error) {
	all := &MatrixAnswer{}
	err := MatrixBlocks(ctx, e, r, cells, func(_ int, a *MatrixAnswer) error {
		all.Cells, all.Sources = append(all.Cells, a.Cells...), append(all.Sources, a.Sources...)
		if len(all.Targets) == 0 {
			all.Targets = a.Targets
		}
		all.addWarnings(a.Warnings)
		progress(float64(len(all.Cells)) / float64(len(r.Sources)))
		return nil
	})
	return all, err
}

// Parts is into how many parts, each of at most so many cells, the rows and the columns of a
// matrix are divided, about equal ones. Valhalla heeds a time of departure where there are no
// more sources than targets, and one of arrival where there are more, so that all parts are
// like the whole in that.
func Parts(rows, columns, cells int) (down, across int) {
	if rows > columns {
		across, down = split(columns, rows, cells, 1)
		return down, across
	}
	return split(rows, columns, cells, 0)
}

// split divides a short and a long side into the fewest blocks, of which each is the shorter on
// the short side by so many at the least.
func split(short, long, cells, least int) (ofShort, ofLong int) {
	for n := 1; n <= long && (ofLong == 0 || n < ofShort*ofLong); n++ {
		most := min(cells/((long+n-1)/n), long/n-least)
		if most < 1 {
			continue
		}
		if parts := (short + most - 1) / most; ofLong == 0 || parts*n < ofShort*ofLong {
			ofShort, ofLong = parts, n
		}
	}
	if ofLong == 0 { // there are too few cells for that
		return short, long
	}
	return ofShort, ofLong
}
