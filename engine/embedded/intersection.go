package embedded

import (
	"math"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// arm is a road at an intersection.
type arm struct {
	bearing int // leaving it, in whole degrees
	edge    uint32
	entry   bool
}

// intersections lists the nodes from a manoeuvre's place up to the next, as
// OSRM describes them: the bearings of their roads in order, which may be
// entered, and the ones travelled. The places where a leg begins and ends count
// too, with the one road there. Each but the last tells what it takes to the
// next, which adds up to what the step takes. The lanes are those before the
// next manoeuvre.
func (w *compatibleWriter) intersections(d *guided, i int) {
	m := &d.list[i]
	path := d.leg.path
	if m.Begin == m.End { // the destination
		back := (m.Before + 180) % 360
		w.arms = append(w.arms[:0], arm{bearing: back, entry: true})
		w.intersection(d, m.BeginShape, 0, -1)
		w.admin(path[len(path)-1].Edge)
		w.put(`}`)
		return
	}
	for k := m.Begin; k < m.End; {
		in, out := 0, 0
		switch {
		case k > 0 && joins(path, k):
			in, out = w.crossing(path[k-1].Edge, path[k].Edge)
		case k == 0:
			in = -1
			w.arms = append(w.arms[:0], arm{bearing: m.After, entry: true})
		default: // turned round within an edge
			in, out = 1, 0
			back := (m.Before + 180) % 360
			w.arms = append(w.arms[:0], arm{bearing: m.After, entry: true}, arm{bearing: back})
			if back < m.After {
				in, out = 0, 1
				w.arms[0], w.arms[1] = w.arms[1], w.arms[0]
			}
		}
		// What lies before the next node: more than one step where a location is
		// passed within an edge.
		next := k + 1
		for next < m.End && !joins(path, next) {
			next++
		}
		w.comma(k - m.Begin)
		w.intersection(d, d.line.Step[k], in, out)
		w.took(path[k:next])
		w.stands(path, k, in >= 0)
		w.classes(path[k].Edge)
		if k == m.Begin && i+1 < len(d.list) {
			w.lanes(&d.list[i+1])
		}
		w.put(`}`)
		k = next
	}
}

// joins reports whether a step of a path begins at the node where the one
// before it ends.
func joins(path graph.Path, k int) bool { return path[k-1].End >= 1-1e-9 && path[k].Begin <= 1e-9 }

// took writes the time and the weight from an intersection to the next, and
// what of them is lost at it.
func (w *compatibleWriter) took(steps graph.Path) {
	seconds, cost := 0.0, 0.0
	for i := range steps {
		seconds += steps[i].Seconds + steps[i].Turn
		cost += steps[i].Cost
	}
	w.number(`,"duration":`, seconds, 3)
	w.number(`,"weight":`, cost, 3)
	if s := &steps[0]; s.Turn > 0 {
		w.number(`,"turn_duration":`, s.Turn, 3)
	}
	if s := &steps[0]; s.TurnCost > 0 {
		w.number(`,"turn_weight":`, s.TurnCost, 3)
	}
}

// stands writes what is at an intersection, where step k of a path begins: the
// country, and what the traveller who came there along the step before meets.
func (w *compatibleWriter) stands(path graph.Path, k int, came bool) {
	g, e := w.g, path[k].Edge
	w.admin(e)
	if s := g.Segment(e); g.SegFlags[s]&graph.Tunnel != 0 {
		w.optional(`,"tunnel_name":`, g.Attribute(g.Name[s], "tunnel:name"))
	}
	if w.r.Urban {
		w.put(`,"is_urban":`)
		w.flag(g.SegFlags[g.Segment(e)].Density() > graph.MaxRural)
	}
	if !came || k == 0 || !joins(path, k) {
		return
	}
	node, edge := g.NodeFlags[g.Tail[e]], g.EdgeFlags[path[k-1].Edge]
	switch {
	case node&graph.TollGantry != 0:
		w.put(`,"toll_collection":{"type":"toll_gantry"}`)
	case node&graph.TollBooth != 0:
		w.put(`,"toll_collection":{"type":"toll_booth"}`)
	}
	if node&graph.Signal != 0 || edge&graph.HeadSignal != 0 {
		w.put(`,"traffic_signal":true`)
	}
	if node&graph.StopSign != 0 || edge&graph.HeadStop != 0 {
		w.put(`,"stop_sign":true`)
	}
	if node&graph.GiveWay != 0 || edge&graph.HeadGiveWay != 0 {
		w.put(`,"yield_sign":true`)
	}
	if node&graph.LevelCrossing != 0 {
		w.put(`,"railway_crossing":true`)
	}
}

// intersection opens an object with what all have: the arms collected, and
// which of them are travelled; below 0 is none.
func (w *compatibleWriter) intersection(d *guided, point, in, out int) {
	w.position(`{"location":`, d.line.Points[point])
	w.put(`,"bearings":[`)
	for i := range w.arms {
		w.comma(i)
		w.whole(``, w.arms[i].bearing)
	}
	w.put(`],"entry":[`)
	for i := range w.arms {
		w.comma(i)
		w.flag(w.arms[i].entry)
	}
	w.put(`]`)
	if in >= 0 {
		w.whole(`,"in":`, in)
	}
	if out >= 0 {
		w.whole(`,"out":`, out)
	}
	w.whole(`,"geometry_index":`, point)
}

// crossing collects the arms of the node between two edges of a path and tells
// which of them are travelled.
func (w *compatibleWriter) crossing(p, c uint32) (in, out int) {
	g := w.g
	node := g.Tail[c]
	back, on := g.Opposite[p], g.Original(c)
	w.arms = w.arms[:0]
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		if e != back && e != on && (g.Access[e]|g.Access[g.Opposite[e]])&w.modes == 0 {
			continue
		}
		a := arm{bearing: int(math.Round(g.Course(e))) % 360, edge: e}
		a.entry = e == on || e != back && guide.MayEnter(g, p, e, w.modes)
		at := len(w.arms)
		w.arms = append(w.arms, a)
		for at > 0 && w.arms[at-1].bearing > a.bearing {
			w.arms[at] = w.arms[at-1]
			at--
		}
		w.arms[at] = a
	}
	in, out = -1, -1
	for i := range w.arms {
		if w.arms[i].edge == back {
			in = i
		}
		if w.arms[i].edge == on {
			out = i
		}
	}
	return in, out
}

// classes writes OSRM's classes of an edge, where it is of any.
func (w *compatibleWriter) classes(e uint32) {
	g := w.g
	s := g.Segment(e)
	n := 0
	add := func(on bool, class string) {
		if !on {
			return
		}
		if n == 0 {
			w.put(`,"classes":[`)
		}
		w.comma(n)
		w.text(``, class)
		n++
	}
	add(g.SegFlags[s]&graph.Toll != 0, "toll")
	add(g.Class[s] == graph.Motorway, "motorway")
	add(g.Use[s] == graph.Ferry || g.Use[s] == graph.RailFerry, "ferry")
	add(g.SegFlags[s]&graph.Tunnel != 0, "tunnel")
	add(g.Destination[e]&w.modes != 0, "restricted")
	if n > 0 {
		w.put(`]`)
	}
}

// lanes writes the lanes before a manoeuvre, from left to right.
func (w *compatibleWriter) lanes(m *guidance.Manoeuvre) {
	if len(m.Lanes) == 0 {
		return
	}
	w.put(`,"lanes":[`)
	for i := range m.Lanes {
		l := &m.Lanes[i]
		w.comma(i)
		w.put(`{"indications":[`)
		w.indications(l.Indications, m.DriveOnLeft)
		w.put(`],"valid":`)
		w.flag(l.Valid)
		w.put(`,"active":`)
		w.flag(l.Active)
		if l.Take != 0 {
			w.text(`,"valid_indication":`, indication(l.Take))
		}
		w.put(`}`)
	}
	w.put(`]`)
}

// indications writes a lane's arrows from left to right; "none" for a lane
// without. To turn round is on the left, or where traffic keeps left, on the
// right.
func (w *compatibleWriter) indications(d guidance.Directions, onLeft bool) {
	n := 0
	put := func(word string) {
		w.comma(n)
		w.text(``, word)
		n++
	}
	if d&guidance.Reverse != 0 && !onLeft {
		put("uturn")
	}
	for _, x := range arrowWords {
		if d&x.direction&^guidance.Reverse != 0 {
			put(x.word)
		}
	}
	if d&guidance.Reverse != 0 && onLeft {
		put("uturn")
	}
	if n == 0 {
		w.put(`"none"`)
	}
}

func indication(d guidance.Directions) string {
	for _, x := range arrowWords {
		if d&x.direction != 0 {
			return x.word
		}
	}
	return "none"
}

// arrowWords are OSRM's words for arrows, from left to right. Lanes that merge
// have no word of their own there.
var arrowWords = [...]struct {
	direction guidance.Directions
	word      string
}{
	{guidance.Reverse, "uturn"},
	{guidance.LaneSharpLeft, "sharp left"},
	{guidance.LaneLeft, "left"},
	{guidance.LaneSlightLeft | guidance.MergeToLeft, "slight left"},
	{guidance.Through, "straight"},
	{guidance.LaneSlightRight | guidance.MergeToRight, "slight right"},
	{guidance.LaneRight, "right"},
	{guidance.LaneSharpRight, "sharp right"},
}
