package transit

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/transit/journey"
)

// entry is how one comes from the street to a stop, or the other way: by the entrance of a
// station, or at the stop itself, which is its own door then.
type entry struct {
	stop, door uint32
	street     int   // of entries.streets
	seconds    int32 // between the door and the stop
	metres     float64
}

// entries are those of stops, with each door once.
type entries struct {
	streets []engine.Location
	list    []entry
}

// mostDoors bounds the doors of entries beyond the first one.
const mostDoors = 2 * mostTried

// entries lists those of stops, or with alight those of who leaves a vehicle there.
func (p *Place) entries(stops []uint32, alight bool, r *JourneysRequest) (e entries) {
	known := map[uint32]int{}
	for _, s := range stops {
		for _, w := range p.Timetable.Doors(s, !alight, r.Wheelchair) {
			n, there := known[w.To]
			if !there && len(e.streets) > mostDoors {
				continue
			}
			if !there {
				n = len(e.streets)
				known[w.To] = n
				e.streets = append(e.streets, atStop(p.Timetable.Stop(w.To).At))
			}
			e.list = append(e.list, entry{s, w.To, n, r.slowed(int32(w.Seconds)), float64(w.Metres)})
		}
	}
	return e
}

// accesses lists the stops that are walked to, each by its fastest entry, and these entries. The
// walk between the place and a door is a cell of a matrix.
func (e *entries) accesses(within float64, cell func(street int) engine.MatrixCell) ([]journey.Access, map[uint32]entry) {
	by, took := map[uint32]entry{}, map[uint32]int32{}
	for _, w := range e.list {
		c := cell(w.street)
		if !c.Reached || c.Metres+w.metres > within {
			continue
		}
		if at, known := took[w.stop]; !known || seconds(c)+w.seconds < at {
			by[w.stop], took[w.stop] = w, seconds(c)+w.seconds
		}
	}
	list := make([]journey.Access, 0, len(took))
	for s, at := range took {
		list = append(list, journey.Access{Stop: s, Seconds: at})
	}
	slices.SortFunc(list, func(a, b journey.Access) int {
		return cmp.Or(cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.Stop, b.Stop))
	})
	return list[:min(len(list), mostStops)], by
}

// seconds returns those of a walk, in whole ones that are enough.
func seconds(c engine.MatrixCell) int32 { return int32(math.Ceil(c.Seconds)) }

// between finds by which doors one walks over the streets from a stop to another. There are some:
// no network has a change where there are none.
func (w *ways) between(ctx context.Context, from, to uint32) (out, in entry, err error) {
	a, b := w.entries([]uint32{from}, true, w.r), w.entries([]uint32{to}, false, w.r)
	out, in = a.list[0], b.list[0]
	if len(a.list)*len(b.list) == 1 {
		return out, in, nil
	}
	m, err := w.Engine.Matrix(ctx, &engine.MatrixRequest{Sources: a.streets, Targets: b.streets, Costing: costing.Pedestrian, Options: w.r.Walking})
	if err != nil {
		if engine.Code(err) != 0 {
			err = nil // the walk is drawn without a way over the streets
		}
		return out, in, err
	}
	best := int32(-1)
	for _, f := range a.list {
		for _, t := range b.list {
			c := m.Cells[f.street][t.street]
			if took := f.seconds + seconds(c) + t.seconds; c.Reached && (best < 0 || took < best) {
				best, out, in = took, f, t
			}
		}
	}
	return out, in, nil
}

// door returns a door as an answer has it; nil where it is the stop.
func (d drawing) door(e entry) *JourneyPlace {
	if e.stop == e.door || e.door == timetable.None {
		return nil
	}
	p := d.end(e.door, d.r.From)
	return &p
}
