package timetable

import (
	"cmp"
	"context"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
)

// mostPoints bounds the points of a shape that are read.
const mostPoints = 500_000

// point is one of a shape.
type point struct {
	at    geo.Fixed
	order int32
}

// readShapes reads the lines on the map of the trips that were read.
func (r *reader) readShapes(ctx context.Context) error {
	all := map[string]*[]point{}
	var ids []string
	for _, id := range r.shapeOf {
		if id != "" && all[id] == nil {
			all[id] = &[]point{}
			ids = append(ids, id)
		}
	}
	var last *[]point
	lastID := ""
	err := r.Read(ctx, "shapes.txt", []string{"shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"}, func(row *gtfs.Row) {
		if last == nil || string(row.Bytes(0)) != lastID {
			lastID = string(row.Bytes(0))
			last = all[lastID]
		}
		if last == nil {
			return
		}
		at, placed := position(row.Bytes(1), row.Bytes(2))
		order, ok := row.Int(3, 1<<30, 0)
		if !placed || !ok || len(*last) == mostPoints {
			r.Faults.Add("shapes.txt: a point that is none, or is one of too many", lastID)
			return
		}
		*last = append(*last, point{at.Fix(), int32(order)})
	})
	shapes := map[string]int{}
	for _, id := range ids {
		points := *all[id]
		all[id] = nil
		slices.SortStableFunc(points, func(p, q point) int { return cmp.Compare(p.order, q.order) })
		line := make([]geo.Point, len(points))
		for i, p := range points {
			line[i] = p.at.Point()
		}
		if n, ok := r.AddShape(line); ok {
			shapes[id] = n
		} else {
			r.Faults.Add("shapes.txt: a shape without two points", id)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	for n, id := range r.shapeOf {
		r.list[n].Shape = shapes[id]
	}
	r.shapeOf = nil
	return err
}
