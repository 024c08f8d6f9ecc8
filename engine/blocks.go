package engine

import (
	"context"
	"slices"
)

// MatrixBlocks requests a large matrix in parts of its rows, each of at most so many
// cells, and hands on what came: first is the place of the part's first source. No
// part of it keeps a slot for long. A part whose sources all lack a road has empty
// rows; where that is so of all, the refusal is the first one's.
func MatrixBlocks(ctx context.Context, e Engine, r *MatrixRequest, cells int, take func(first int, a *MatrixAnswer) error) error {
	rows := max(1, cells/max(1, len(r.Targets)))
	var refused error
	some := false
	first := 0
	for part := range slices.Chunk(r.Sources, rows) {
		ask := *r
		ask.Sources = part
		a, err := e.Matrix(ctx, &ask)
		switch {
		case Code(err) == CodeNoSegment:
			if refused == nil {
				refused = err
			}
			a = &MatrixAnswer{Cells: make([][]MatrixCell, len(part)), Sources: make([]Snapped, len(part))}
			for i := range part {
				a.Cells[i], a.Sources[i] = make([]MatrixCell, len(r.Targets)), Snapped{Miss: "no usable road is near"}
			}
		case err != nil:
			return err
		default:
			some = true
		}
		if err := take(first, a); err != nil {
			return err
		}
		first += len(part)
	}
	if !some {
		return refused
	}
	return nil
}

// MatrixInBlocks is MatrixBlocks with the parts put together.
func MatrixInBlocks(ctx context.Context, e Engine, r *MatrixRequest, cells int, progress func(share float64)) (*MatrixAnswer, error) {
	all := &MatrixAnswer{}
	err := MatrixBlocks(ctx, e, r, cells, func(_ int, a *MatrixAnswer) error {
		all.Cells, all.Sources = append(all.Cells, a.Cells...), append(all.Sources, a.Sources...)
		if len(all.Targets) == 0 {
			all.Targets, all.Warnings = a.Targets, a.Warnings
		}
		progress(float64(len(all.Cells)) / float64(len(r.Sources)))
		return nil
	})
	return all, err
}
