// Package stopwalks works out the walks between the stops of a timetable.
//
// They lead over the streets of the region, by the usual costing of those who walk.
package stopwalks

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/explain"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/many"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/stopwalk"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region"
)

// together is how many stops near one another are sources of one matrix.
const together = 32

// Options has the data that walks are worked out from.
type Options struct {
	Region    *region.Region // with its road network
	Timetable *timetable.Index
	Bounds    geo.Bounds // of the roads: stops far outside have no walks
	Out       string
	Progress  func(done, size int64) // nil is quiet
}

// Build writes the section of the walks between stops at which vehicles call, and counts them.
func Build(ctx context.Context, o Options) (walks int, err error) {
	d, err := kernel.Open(o.Region)
	if err != nil {
		return 0, err
	}
	b := builder{o, many.New(plan.NewBase(d), &explain.RefusalCache{}), make([][]stopwalk.Walk, o.Timetable.Stops())}
	stops := b.stops()
	for n, group := range groups(stops) {
		if err := b.walksFrom(ctx, group); err != nil {
			return 0, err
		}
		if o.Progress != nil {
			o.Progress(int64(min(len(stops), (n+1)*together)), int64(len(stops)))
		}
	}
	x := stopwalk.New(b.walks)
	return x.Walks(), x.Write(o.Out)
}

type builder struct {
	Options
	engine *many.Service
	walks  [][]stopwalk.Walk
}

// stops lists the stops that walks lead between, near ones near one another.
func (b *builder) stops() (list []uint32) {
	for s := range uint32(b.Timetable.Stops()) {
		if b.Timetable.ServedBy(s, timetable.All) && b.Bounds.Intersects(geo.Around(b.Timetable.Stop(s).At, stopwalk.Street)) {
			list = append(list, s)
		}
	}
	along := map[uint32]uint64{}
	for _, s := range list {
		along[s] = geo.Hilbert(b.Timetable.Stop(s).At.Fix())
	}
	slices.SortFunc(list, func(a, b uint32) int { return cmp.Or(cmp.Compare(along[a], along[b]), cmp.Compare(a, b)) })
	return list
}

func groups(stops []uint32) [][]uint32 { return slices.Collect(slices.Chunk(stops, together)) }

// walksFrom works out the walks from some stops.
func (b *builder) walksFrom(ctx context.Context, from []uint32) error {
	column := map[uint32]int{} // of the stops that one may walk to
	var to []uint32
	near := make([][]uint32, len(from))
	for i, s := range from {
		b.Timetable.Near(b.Timetable.Stop(s).At, stopwalk.Farthest, func(t uint32, _ float64) {
			if t == s || !b.Timetable.ServedBy(t, timetable.All) {
				return
			}
			near[i] = append(near[i], t)
			if _, known := column[t]; !known {
				column[t] = len(to)
				to = append(to, t)
			}
		})
	}
	if len(to) == 0 {
		return nil
	}
	out, in := b.ends(from, false), b.ends(to, true)
	a, err := b.engine.Matrix(ctx, &engine.MatrixRequest{Sources: out.places, Targets: in.places, Costing: costing.Pedestrian})
	if engine.Code(err) == engine.CodeNoSegment {
		return nil // no stop has a street near it
	}
	if err != nil {
		return err
	}
	for i, s := range from {
		list := make([]stopwalk.Walk, 0, len(near[i]))
		for _, t := range near[i] {
			if seconds, ok := shortest(a, out.of[i], in.of[column[t]]); ok {
				list = append(list, stopwalk.Walk{To: t, Seconds: seconds})
			}
		}
		slices.SortFunc(list, func(a, b stopwalk.Walk) int {
			return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.To, b.To))
		})
		b.walks[s] = list[:min(len(list), stopwalk.Most)]
	}
	return nil
}

// ends are where walks from stops begin on the streets, or with in those to them end.
type ends struct {
	places []engine.Location
	of     [][]end // by stop
}

// end is one of the places, with the way within the station between it and the stop.
type end struct {
	place   int
	seconds int32
	metres  float64
}

// ends lists the places of stops: themselves, or the entrances of their stations.
func (b *builder) ends(stops []uint32, in bool) (e ends) {
	known := map[uint32]int{}
	place := func(s uint32) int {
		n, there := known[s]
		if !there {
			n = len(e.places)
			known[s] = n
			e.places = append(e.places, engine.Location{Point: b.Timetable.Stop(s).At, SearchCutoff: stopwalk.Street})
		}
		return n
	}
	for _, s := range stops {
		var list []end
		for _, w := range b.Timetable.Doors(s, in, false) {
			list = append(list, end{place(w.To), int32(w.Seconds), float64(w.Metres)})
		}
		e.of = append(e.of, list)
	}
	return e
}

// shortest returns the walk of the least time by any of the places at both ends.
func shortest(a *engine.MatrixAnswer, from, to []end) (seconds int32, ok bool) {
	for _, f := range from {
		for _, t := range to {
			c := a.Cells[f.place][t.place]
			took := f.seconds + int32(math.Ceil(c.Seconds)) + t.seconds
			if c.Reached && f.metres+c.Metres+t.metres <= stopwalk.Farthest && (!ok || took < seconds) {
				seconds, ok = took, true
			}
		}
	}
	return seconds, ok
}

// Key identifies all of a timetable that walks are worked out from: where its stops are, at
// which vehicles call, and the ways within stations.
func Key(x *timetable.Index) string {
	h := sha256.New()
	var row [9]byte
	for s := range uint32(x.Stops()) {
		at := x.Stop(s).At.Fix()
		binary.LittleEndian.PutUint32(row[:], uint32(at.Lon))
		binary.LittleEndian.PutUint32(row[4:], uint32(at.Lat))
		row[8] = 0
		if x.ServedBy(s, timetable.All) {
			row[8] = 1
		}
		h.Write(row[:])
		for _, w := range x.Walks(s) {
			binary.LittleEndian.PutUint32(row[:], w.To)
			binary.LittleEndian.PutUint16(row[4:], w.Seconds)
			binary.LittleEndian.PutUint16(row[6:], w.Metres)
			h.Write(row[:8])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
