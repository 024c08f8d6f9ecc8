package timetable

import (
	"cmp"
	"container/heap"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// Modes of pathways, as pathway_mode of GTFS.
const (
	walkway   = 1
	stairs    = 2
	escalator = 4
	elevator  = 5
	exitGate  = 7
)

// The time that a way in a station takes where its feed gives none.
const (
	walking       = 4.8 / 3.6 // metres a second on the level, on moving walkways too
	stairSeconds  = 0.6       // of one step
	stairsOfLevel = 24        // steps between levels where the feed does not count them
	levelSeconds  = 20        // of an escalator for each level
	elevatorWait  = 30        // until an elevator comes
	elevatorLevel = 10        // seconds for each level
)

const (
	longestWay   = 4 * 3600 // seconds of a way within a station
	mostWays     = 200      // stops and entrances to which the ways from one are kept
	mostReached  = 5000     // places of a station that are looked at from one
	longestPath  = 20_000   // metres of one pathway
	mostStairs   = 5000
	steepest     = 1.0 / 12 // of a way by wheelchair
	narrowest    = 0.75     // metres of it
	highestLevel = 100
)

// stationNode is a stop, an entrance or a node of a station.
type stationNode struct {
	stop   int // none where it is no stop of the timetable
	kind   uint8
	at     geo.Point
	placed bool
	level  string
	parent string
	ways   []way
}

// way is a pathway in one of its directions.
type way struct {
	to      *stationNode
	seconds float64
	metres  float64
	barrier bool // a wheelchair cannot pass
}

// readPathways reads the ways within stations and adds those between stops and entrances as
// walks.
func (r *reader) readPathways(ctx context.Context) error {
	if !r.Has("pathways.txt") {
		return nil
	}
	levels := map[string]float64{}
	err := r.Read(ctx, "levels.txt", []string{"level_id", "level_index"}, func(row *gtfs.Row) {
		if index, ok := gtfs.Degrees(row.Bytes(1), highestLevel); ok {
			levels[row.Text(0)] = index
		} else {
			r.Faults.Add("levels.txt: a level_index that is none", row.Text(0))
		}
	})
	if err != nil {
		return err
	}
	columns := []string{"from_stop_id", "to_stop_id", "pathway_mode", "is_bidirectional", "traversal_time", "length", "stair_count", "pathway_id", "max_slope", "min_width"}
	err = r.Read(ctx, "pathways.txt", columns, func(row *gtfs.Row) {
		from, to := r.places[string(row.Bytes(0))], r.places[string(row.Bytes(1))]
		mode, ok := row.Int(2, exitGate, 0)
		if from == nil || to == nil || from == to || !ok || mode < walkway {
			r.Faults.Add("pathways.txt: a pathway of no mode, or not between two stops", row.Text(7))
			return
		}
		w := pathway(r, row, mode, from, to, levels)
		w.to, w.barrier = to, barrier(row, mode)
		from.ways = append(from.ways, w)
		if string(row.Bytes(3)) == "1" && mode != exitGate {
			w.to = from
			to.ways = append(to.ways, w)
		}
	})
	if err != nil {
		return err
	}
	ids := slices.Sorted(maps.Keys(r.places))
	for _, id := range ids { // a boarding area is at its platform
		p := r.places[id]
		if platform := r.places[p.parent]; p.kind == timetable.KindArea && platform != nil {
			p.ways = append(p.ways, way{to: platform})
			platform.ways = append(platform.ways, way{to: p})
		}
	}
	for _, id := range ids {
		if p := r.places[id]; p.ends() && len(p.ways) > 0 && ctx.Err() == nil {
			fastest(r, p, false, func(to reached) {
				r.AddWalk(p.stop, to.stop, int(math.Ceil(to.seconds)), int(math.Ceil(to.metres)))
			})
			fastest(r, p, true, func(to reached) { r.AddStepFree(p.stop, to.stop, int(math.Ceil(to.seconds))) })
		}
	}
	return ctx.Err()
}

// ends reports whether walks begin and end at a place.
func (p *stationNode) ends() bool {
	return p.stop != none && (p.kind == timetable.KindStop || p.kind == timetable.KindEntrance)
}

// pathway works out what a pathway takes.
func pathway(r *reader, row *gtfs.Row, mode int, from, to *stationNode, levels map[string]float64) (w way) {
	seconds, ok := row.Int(4, longestWay, 0)
	metres, err := strconv.ParseFloat(string(row.Bytes(5)), 64)
	if hasLength := len(row.Bytes(5)) > 0; !ok || hasLength && !(err == nil && metres >= 0 && metres <= longestPath) {
		r.Faults.Add("pathways.txt: a time or a length that is none", row.Text(7))
		metres = 0
	}
	if metres == 0 && from.placed && to.placed {
		metres = min(geo.Distance(from.at, to.at), longestPath)
	}
	w = way{metres: metres, seconds: float64(seconds)}
	if seconds > 0 {
		w.metres = cmp.Or(metres, w.seconds*walking)
		return w
	}
	between := 1.0 // levels
	if a, there := levels[from.level]; there {
		if b, there := levels[to.level]; there {
			between = math.Abs(a - b)
		}
	}
	level := metres / walking
	switch mode {
	case stairs:
		steps, err := strconv.Atoi(string(row.Bytes(6)))
		if err != nil || steps == 0 || max(steps, -steps) > mostStairs {
			steps = int(between * stairsOfLevel)
		}
		w.seconds = max(level, float64(max(steps, -steps))*stairSeconds)
	case escalator:
		w.seconds = max(level, between*levelSeconds)
	case elevator:
		w.seconds = elevatorWait + between*elevatorLevel
	default:
		w.seconds = level
	}
	return w
}

// barrier reports whether a pathway is none for a wheelchair.
func barrier(row *gtfs.Row, mode int) bool {
	slope, err := strconv.ParseFloat(string(row.Bytes(8)), 64)
	steep := err == nil && math.Abs(slope) > steepest
	width, err := strconv.ParseFloat(string(row.Bytes(9)), 64)
	narrow := err == nil && width > 0 && width < narrowest
	return mode == stairs || mode == escalator || steep || narrow
}

// reached is a place on the fastest way from another.
type reached struct {
	*stationNode
	seconds, metres float64
}

type queue []reached

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].seconds < q[j].seconds }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(v any)        { *q = append(*q, v.(reached)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// fastest finds the fastest ways from a stop or an entrance to others, or the fastest that are
// step-free: the search of Dijkstra.
func fastest(r *reader, from *stationNode, stepFree bool, add func(to reached)) {
	done := map[*stationNode]bool{}
	found := 0
	count := func(fault string) {
		if !stepFree {
			r.Faults.Add(fault, r.stops[from.stop].ID)
		}
	}
	for q := (queue{{stationNode: from}}); len(q) > 0; {
		at := heap.Pop(&q).(reached)
		if done[at.stationNode] {
			continue
		}
		done[at.stationNode] = true
		if at.ends() && at.stop != from.stop {
			add(at)
			if found++; found == mostWays {
				count("pathways.txt: a station of so many stops that only the nearest are reached")
				return
			}
		}
		if len(done) == mostReached {
			count("pathways.txt: a station of so many places that only the nearest are reached")
			return
		}
		for _, w := range at.ways {
			if next := at.seconds + w.seconds; next <= longestWay && !done[w.to] && !(stepFree && w.barrier) {
				heap.Push(&q, reached{w.to, next, at.metres + w.metres})
			}
		}
	}
}
