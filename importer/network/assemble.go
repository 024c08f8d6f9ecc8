package network

import (
	"context"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/importer/tags"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// assembler turns the collected ways into the builder's nodes and segments.
type assembler struct {
	c          *collector
	b          *graph.Builder
	borders    *country.Borders
	nodeOf     map[nodeNumber]graph.AddedNode
	pieces     map[int64][]piece                    // by way, for the ways that restrictions and connections name
	arrive     map[wayEnd][]graph.DirectedSegment   // edges of those pieces by their way and the node they end at
	heads      map[graph.DirectedSegment]nodeNumber // of those edges
	ends       []uint8                              // by node: pieces of way that end there
	conditions map[graph.Set]bool                   // of records of limits
	facts      []wayFacts
	line       []geo.Fixed
	members    []nodeNumber // nodes of the line
	between    []int64      // OSM ids of the members but the ends
	density    *densityGrid
	slips      *slipRoads
	needed     map[int64]bool
	gates      map[nodeNumber][]graph.DirectedSegment // edges that arrive at barriers that are closed at times
	tolls      map[nodeNumber]graph.Limits            // who pays at booths, see booths
	closed     map[graph.DirectedSegment]bool         // directions of those pieces that motor traffic may not use
}

// wayFacts is a way with the facts of its tags.
type wayFacts struct {
	way  *way
	tags tags.Way
}

// wayEnd is a way with one of the nodes at which its pieces end.
type wayEnd struct {
	way  int64
	node nodeNumber
}

// piece is one segment of a way with the nodes of its ends.
type piece struct {
	segment  graph.Segment
	from, to nodeNumber
}

func newAssembler(c *collector, borders *country.Borders) *assembler {
	a := &assembler{
		c: c, b: graph.NewBuilder(), borders: borders, nodeOf: map[nodeNumber]graph.AddedNode{}, ends: make([]uint8, len(c.nodes.ids)),
		gates: map[nodeNumber][]graph.DirectedSegment{}, pieces: map[int64][]piece{}, arrive: map[wayEnd][]graph.DirectedSegment{}, heads: map[graph.DirectedSegment]nodeNumber{},
		tolls: map[nodeNumber]graph.Limits{}, conditions: map[graph.Set]bool{},
		needed: map[int64]bool{}, closed: map[graph.DirectedSegment]bool{},
	}
	for i := range c.rules {
		for _, list := range [][]int64{c.rules[i].from, c.rules[i].viaWays, c.rules[i].to} {
			for _, id := range list {
				a.needed[id] = true
			}
		}
	}
	for i := range c.connections {
		x := &c.connections[i]
		a.needed[x.from], a.needed[x.to] = true, true
		for _, id := range x.viaWays {
			a.needed[id] = true
		}
	}
	return a
}

func (a *assembler) assemble(ctx context.Context) error {
	a.density, a.slips = newDensityGrid(), newSlipRoads(a.c.barriers)
	for i := range a.c.ways {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a.read(&a.c.ways[i])
	}
	ground := grounds{a: a}
	if err := ground.walk(ctx); err != nil {
		return err
	}
	for i := range a.facts {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a.measurePieces(a.facts[i].way, &a.facts[i].tags)
	}
	if err := a.density.finish(ctx); err != nil {
		return err
	}
	if err := a.slips.finish(ctx); err != nil {
		return err
	}
	for i := range a.facts {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		a.split(&a.facts[i])
	}
	ground.build()
	if err := a.closeGates(ctx); err != nil {
		return err
	}
	t := turnPaths{a: a, turning: map[nodeNumber]int{}, passing: map[graph.DirectedSegment]int{}}
	if err := t.turns(ctx); err != nil {
		return err
	}
	return t.lanes(ctx)
}

// read reads the facts of a way's tags.
func (a *assembler) read(w *way) {
	where := country.Country{}
	refs := a.c.refs[w.first : w.first+w.count]
	for _, n := range refs {
		if a.c.known[n] {
			where = *a.borders.At(a.c.at[n].Point())
			break
		}
	}
	f, ok := tags.Read(w.tags, &where)
	if !ok {
		a.c.counts["dropped_ways_without_access"]++
		return
	}
	if a.c.cycling[w.id] {
		f.Flags |= graph.BikeNetwork
	}
	a.booths(w, &f)
	a.facts = append(a.facts, wayFacts{w, f})
}

// measurePieces visits the pieces of a way between the places where it meets others: it
// adds their length to the density there and notes which are slip roads.
func (a *assembler) measurePieces(w *way, f *tags.Way) {
	refs := a.c.refs[w.first : w.first+w.count]
	share := 0.0 // share of its length that counts as road
	switch f.Use {
	case graph.Road, graph.ServiceRoad, graph.Ramp, graph.Alley, graph.EmergencyAccess:
		share = 1
	}
	from, metres := 0, 0.0
	for i := 1; i < len(refs); i++ {
		if a.c.known[refs[i-1]] && a.c.known[refs[i]] {
			metres += geo.Distance(a.c.at[refs[i-1]].Point(), a.c.at[refs[i]].Point())
		}
		if i == len(refs)-1 || a.breaks(refs[i]) {
			if metres > 0 {
				a.density.add(a.c.at[refs[from]], a.c.at[refs[i]], metres*share)
				a.slips.add(slip{way: w.id, from: refs[from], to: refs[i], metres: metres}, f)
			}
			from, metres = i, 0
		}
	}
}

// split cuts a way where it meets others, at barriers, and where nodes are
// missing from the extracts.
func (a *assembler) split(f *wayFacts) {
	c := a.c
	refs := c.refs[f.way.first : f.way.first+f.way.count]
	metres := 0.0
	if f.tags.Ferry && f.tags.Duration > 0 {
		metres = a.length(refs)
	}
	a.line, a.members = a.line[:0], a.members[:0]
	for i, n := range refs {
		if !c.known[n] {
			c.counts["missing_nodes"]++
			a.flush(f, metres)
			continue
		}
		if k := len(a.members); k > 0 && a.members[k-1] == n {
			continue // the same node twice in a row
		}
		a.line, a.members = append(a.line, c.at[n]), append(a.members, n)
		if len(a.members) > 1 && i < len(refs)-1 && a.breaks(n) {
			a.flush(f, metres)
			a.line, a.members = append(a.line, c.at[n]), append(a.members, n)
		}
	}
	a.flush(f, metres)
}

func (a *assembler) length(refs []nodeNumber) float64 {
	sum := 0.0
	for i := 1; i < len(refs); i++ {
		if a.c.known[refs[i-1]] && a.c.known[refs[i]] {
			sum += geo.Distance(a.c.at[refs[i-1]].Point(), a.c.at[refs[i]].Point())
		}
	}
	return sum
}

// breaks reports whether a way ends its segment at a node: where ways meet, where
// something may stop the traveller, and where a restriction turns.
func (a *assembler) breaks(n nodeNumber) bool {
	if a.c.uses[n] > 1 || a.c.vias[n] {
		return true
	}
	barrier, ok := a.c.barriers[n]
	return ok && barrier.Breaks()
}

// flush makes a segment of the collected line. A ring is cut in two, so that
// no segment begins where it ends.
func (a *assembler) flush(f *wayFacts, ferryMetres float64) {
	n := len(a.members)
	if n < 2 {
		a.line, a.members = a.line[:0], a.members[:0]
		return
	}
	if a.members[0] == a.members[n-1] {
		if n < 4 {
			a.c.counts["dropped_degenerate_rings"]++
		} else {
			a.segment(f, a.line[:n/2+1], a.members[:n/2+1], ferryMetres)
			a.segment(f, a.line[n/2:], a.members[n/2:], ferryMetres)
		}
	} else {
		a.segment(f, a.line, a.members, ferryMetres)
	}
	a.line, a.members = a.line[:0], a.members[:0]
}

func (a *assembler) segment(f *wayFacts, line []geo.Fixed, members []nodeNumber, ferryMetres float64) {
	if !a.fits(members[0], members[len(members)-1]) {
		return
	}
	w := &f.tags
	s := graph.SegmentFacts{
		From: a.node(members[0]), To: a.node(members[len(members)-1]), Way: f.way.id,
		Class: w.Class, Use: w.Use, Surface: w.Surface, Flags: w.Flags, Hiking: w.Hiking, Country: a.country(line),
		Name: a.b.Set(w.Names...),
	}
	from, to := a.density.at(line[0]), a.density.at(line[len(line)-1])
	s.Flags = s.Flags.WithDensity((from + to) / 2)
	place := tags.Place{Urban: from > graph.MaxRural, Class: w.Class, Use: w.Use}
	if w.Use == graph.Ramp {
		place.Class, place.Use = a.slips.of(f.way.id, members[0], members[len(members)-1], w)
		s.Class, s.Use = place.Class, place.Use
	}
	forward, backward := w.Forward, w.Backward
	if w.Use == graph.Ramp {
		forward.Attributes = a.exitSign(forward.Attributes, members[0])
		backward.Attributes = a.exitSign(backward.Attributes, members[len(members)-1])
	}
	if w.Ferry {
		place.Metres = a.length(members)
	}
	s.Forward = a.direction(w, &forward, false, place)
	place.Urban = to > graph.MaxRural
	s.Backward = a.direction(w, &backward, true, place)
	if ferryMetres > 0 {
		speed := ferryMetres / float64(w.Duration) * 3.6
		s.Forward.Speed = uint8(max(1, min(252, speed+0.5)))
		s.Backward.Speed = s.Forward.Speed
	}
	a.stops(&s, members)
	a.between = a.between[:0]
	for _, n := range members[1 : len(members)-1] {
		a.between = append(a.between, a.c.nodes.ids[n])
	}
	s.InnerNodes = a.between
	id := a.b.AddSegment(s, line)
	a.gate(members[0], id.Backwards())
	a.gate(members[len(members)-1], id.Forwards())
	if a.needed[f.way.id] {
		a.note(f.way.id, piece{id, members[0], members[len(members)-1]})
		if s.Forward.Access&graph.Motor == 0 {
			a.closed[id.Forwards()] = true
		}
		if s.Backward.Access&graph.Motor == 0 {
			a.closed[id.Backwards()] = true
		}
	}
}

// note records a piece of a way that a restriction or a connection names.
func (a *assembler) note(way int64, p piece) {
	a.pieces[way] = append(a.pieces[way], p)
	for _, end := range []struct {
		edge graph.DirectedSegment
		head nodeNumber
	}{{p.segment.Forwards(), p.to}, {p.segment.Backwards(), p.from}} {
		at := wayEnd{way, end.head}
		a.arrive[at] = append(a.arrive[at], end.edge)
		a.heads[end.edge] = end.head
	}
}

// country returns the country of the middle of a line: a way may cross a border.
func (a *assembler) country(line []geo.Fixed) uint16 {
	// About half-way along: the middle of the piece in the middle.
	p, q := line[(len(line)-1)/2].Point(), line[len(line)/2].Point()
	return a.borders.At(geo.Between(p, q, 0.5)).Number()
}

// exitSign adds to the signs of a slip road the number and name of the junction at
// which it leaves the motorway, which OSM has on the node.
func (a *assembler) exitSign(sign []string, from nodeNumber) []string {
	if a.c.barriers[from].Flags&graph.MotorwayJunction == 0 || slices.Contains(sign, "junction:ref") {
		return sign
	}
	sign = slices.Clone(sign)
	for _, k := range [][2]string{{"ref", "junction:ref"}, {"name", "junction:name"}} {
		if v := a.c.signs[from].Get(k[0]); v != "" {
			sign = append(sign, k[1], v)
		}
	}
	if slices.ContainsFunc([]string{"destination", "destination:ref", "destination:street"}, func(k string) bool { return slices.Contains(sign, k) }) {
		return sign
	}
	branch, toward := exitTo(a.c.signs[from].Get("exit_to"))
	for _, k := range [][2]string{{"destination:ref", branch}, {"destination", toward}} {
		if k[1] != "" {
			sign = append(sign, k[0], k[1])
		}
	}
	return sign
}

// exitTo splits the destination on the node of an exit, as in "I 95 to I
// 695;Baltimore", into the road that it leads onto and the places in that direction.
// This is how signs were mapped before slip roads had them.
func exitTo(value string) (branch, toward string) {
	var onto, far []string
	for part := range strings.SplitSeq(value, ";") {
		part = strings.TrimSpace(part)
		lower := strings.ToLower(part)
		found := false
		for _, word := range []string{"to ", "toward "} {
			if rest, ok := strings.CutPrefix(lower, word); ok {
				far, found = append(far, part[len(part)-len(rest):]), true
				break
			}
			if before, _, ok := strings.Cut(lower, " "+word); ok {
				onto, far, found = append(onto, part[:len(before)]), append(far, part[len(before)+1+len(word):]), true
				break
			}
		}
		if !found && part != "" {
			far = append(far, part)
		}
	}
	return strings.Join(onto, ";"), strings.Join(far, ";")
}

func (a *assembler) direction(w *tags.Way, s *tags.Side, backward bool, place tags.Place) graph.Direction {
	return graph.Direction{
		Access: s.Access, Destination: s.Destination & s.Access, Private: s.Private & s.Access, Speed: w.DefaultSpeed(s, place), Limited: s.Limited, TruckSpeed: s.TruckSpeed,
		Flags: s.Flags, Limits: a.limits(s.Limits, s.Strict, s.Conditions, backward), Attributes: a.b.Set(s.Attributes...),
	}
}

// limits returns the builder's number of a record of limits with conditions. If there
// were too many different conditions before, the strict limits replace them, and the
// other conditions are left out.
func (a *assembler) limits(l, strict graph.Limits, conditions []string, backward bool) uint32 {
	if len(conditions) == 0 {
		return a.b.Limits(l)
	}
	set := a.b.Set(conditions...)
	if !a.conditions[set] && len(a.conditions) >= maxConditions {
		a.c.counts["dropped_conditions_beyond_limits"]++
		strict = strict.WithTolls(l)
		l.Car, l.Lorry, l.Bus, l.Axles = strict.Car, strict.Lorry, strict.Bus, strict.Axles
		return a.b.Limits(l)
	}
	a.conditions[set] = true
	if l.Conditions = set; backward {
		l.Backward = 1
	}
	return a.b.Limits(l)
}

// node returns the builder's number of a node, adding it if it is new.
func (a *assembler) node(n nodeNumber) graph.AddedNode {
	if k, ok := a.nodeOf[n]; ok {
		return k
	}
	facts := graph.NodeFacts{Position: a.c.at[n], OSM: a.c.nodes.ids[n], Access: graph.AllModes}
	if barrier, ok := a.c.barriers[n]; ok {
		facts.Flags, facts.Access = barrier.Flags, barrier.Access
		facts.Limits = a.limits(a.atBooth(n, barrier.Limits), barrier.Strict, barrier.Conditions, false)
	}
	facts.Flags = facts.Flags.WithDensity(a.density.at(a.c.at[n]))
	k := a.b.AddNode(facts)
	a.nodeOf[n] = k
	return k
}

// stops notes signals and signs within a segment or at its very end, for the directions
// that they face.
func (a *assembler) stops(s *graph.SegmentFacts, members []nodeNumber) {
	for i, n := range members {
		barrier, ok := a.c.barriers[n]
		if !ok || barrier.Flags&(graph.Signal|graph.StopSign|graph.GiveWay) == 0 {
			continue
		}
		if i == 0 || i == len(members)-1 {
			continue // a sign at a node counts for all who come to it
		}
		var flags graph.EdgeFlags
		if barrier.Flags&graph.Signal != 0 {
			flags |= graph.HeadSignal
		}
		if barrier.Flags&graph.StopSign != 0 {
			flags |= graph.HeadStop
		}
		if barrier.Flags&graph.GiveWay != 0 {
			flags |= graph.HeadGiveWay
		}
		forward, backward := facing(a.c.signs[n])
		if !forward && !backward { // not tagged: a sign near an end of the way faces that end
			forward, backward = true, true
			if barrier.Flags&graph.Signal == 0 {
				forward = i >= len(members)/2
				backward = !forward
			}
		}
		if forward {
			s.Forward.Flags |= flags
		}
		if backward {
			s.Backward.Flags |= flags
		}
	}
}

// facing returns the directions of the way that a sign or signal is for.
func facing(t osm.Tags) (forward, backward bool) {
	for _, k := range []string{"traffic_signals:direction", "direction", "stop:direction", "give_way:direction"} {
		switch strings.ToLower(t.Get(k)) {
		case "forward":
			return true, false
		case "backward":
			return false, true
		case "both":
			return true, true
		}
	}
	return false, false
}
