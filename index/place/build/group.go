package build

import (
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/tree"
)

// Distances of grouping, in metres.
const (
	streetGap   = 250  // between pieces of one street
	pointGap    = 600  // the same where a source has points of streets only
	streetReach = 1500 // of a house from its street
	aliasReach  = 120  // of a house from a street that has another name first
	placeReach  = 5000 // of a house from the locality that it is numbered in
	streetStray = 4    // of a street's thinned line from where it is mapped
)

// draft is a record that is being made.
type draft struct {
	entry
	lines      [][]geo.Fixed
	importance float64
	parent     *draft
	houses     []*house
	codes      map[uint32]int // texts of the postcodes of its houses
	cities     []uint32       // that its houses name besides the one of most
	settles    bool
	reach      uint32
	setting    uint32
	rank       uint32 // its number among the records
}

// distance returns how far a point is from a draft, at most far.
func (d *draft) distance(p geo.Fixed, far float64) float64 {
	if len(d.lines) == 0 {
		return tree.DistanceBetween(p, d.at)
	}
	least := math.Inf(1)
	for _, line := range d.lines {
		least = min(least, lineDistance(p, line, far))
	}
	return least
}

// lineDistance returns the distance of a point from a line in metres; it may be any
// number above far where it is more than that.
func lineDistance(p geo.Fixed, line []geo.Fixed, far float64) float64 {
	if len(line) == 1 {
		return tree.DistanceBetween(p, line[0])
	}
	least := math.Inf(1)
	for i := 1; i < len(line); i++ {
		ax, ay := tree.Planar(p, line[i-1])
		bx, by := tree.Planar(p, line[i])
		if min(ax, bx) > far || max(ax, bx) < -far || min(ay, by) > far || max(ay, by) < -far {
			least = min(least, far*2)
			continue
		}
		dx, dy := bx-ax, by-ay
		along := 0.0
		if l := dx*dx + dy*dy; l > 0 {
			along = max(0, min(1, -(ax*dx+ay*dy)/l))
		}
		least = min(least, math.Hypot(ax+along*dx, ay+along*dy))
	}
	return least
}

// streets joins the pieces of each street: those of one name that are near each
// other.
func (b *Builder) streets(keys *keys) []*draft {
	var all []*draft
	b.ways = byID(b.ways)
	for _, pieces := range groups(b.ways, func(e *entry) uint64 { return uint64(keys.of(e.names[0].text)) }, pointGap) {
		all = append(all, b.street(pieces))
	}
	return all
}

// byID sorts entries by their ids, each once.
func byID(list []entry) []entry {
	slices.SortStableFunc(list, func(x, y entry) int { return cmp.Compare(x.id, y.id) })
	return slices.CompactFunc(list, func(x, y entry) bool { return x.id == y.id })
}

// groups returns the entries that have a key in common and are near each other, in the order of
// the first of each. Points may be apart by gap metres, lines by streetGap.
func groups(list []entry, key func(*entry) uint64, gap float64) [][]*entry {
	byKey := map[uint64][]*entry{}
	var order []uint64
	for i := range list {
		k := key(&list[i])
		if byKey[k] == nil {
			order = append(order, k)
		}
		byKey[k] = append(byKey[k], &list[i])
	}
	var all [][]*entry
	for _, k := range order {
		all = append(all, clusters(byKey[k], gap)...)
	}
	return all
}

// clusters cuts the pieces of one name in those that belong together.
func clusters(pieces []*entry, widest float64) [][]*entry {
	if len(pieces) == 1 {
		return [][]*entry{pieces}
	}
	boxes := make([]tree.Box, len(pieces))
	for i, w := range pieces {
		boxes[i] = tree.BoxOf(pointsOf(w)[0])
		for _, q := range w.line {
			boxes[i] = boxes[i].With(tree.BoxOf(q))
		}
	}
	gap := int64(math.Ceil(widest / tree.MetresPerDegree * 1e7))
	const leastCosine = 0.05
	// A place by the antimeridian is there twice, so that it is met from both sides.
	type reach struct {
		i          int
		west, east int64
	}
	byWest := make([]reach, 0, len(pieces))
	for i := range pieces {
		west, east := int64(boxes[i].West), int64(boxes[i].East)
		byWest = append(byWest, reach{i, west, east})
		if west < -tree.Globe/2+int64(float64(gap)/leastCosine) {
			byWest = append(byWest, reach{i, west + tree.Globe, east + tree.Globe})
		}
	}
	slices.SortFunc(byWest, func(a, b reach) int { return cmp.Or(cmp.Compare(a.west, b.west), cmp.Compare(a.i, b.i)) })
	root := make([]int, len(pieces))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for n, left := range byWest {
		i := left.i
		wide := int64(float64(gap) / max(leastCosine, math.Cos(float64(boxes[i].North)/1e7*math.Pi/180)))
		for _, right := range byWest[n+1:] {
			j := right.i
			if right.west > left.east+wide {
				break
			}
			if int64(boxes[j].South) > int64(boxes[i].North)+gap || int64(boxes[i].South) > int64(boxes[j].North)+gap || find(i) == find(j) {
				continue
			}
			if near(pieces[i], pieces[j], widest) {
				x, y := find(i), find(j)
				root[max(x, y)] = min(x, y)
			}
		}
	}
	var all [][]*entry
	at := map[int]int{}
	for i, p := range pieces {
		r := find(i)
		if _, ok := at[r]; !ok {
			at[r] = len(all)
			all = append(all, nil)
		}
		all[at[r]] = append(all[at[r]], p)
	}
	return all
}

// near reports whether two pieces are near each other.
func near(x, y *entry, gap float64) bool {
	if len(x.line) > 1 && len(y.line) > 1 && x.kind == place.Street {
		gap = streetGap
	}
	for _, p := range pointsOf(x) {
		if lineDistance(p, pointsOf(y), gap) <= gap {
			return true
		}
	}
	for _, p := range pointsOf(y) {
		if lineDistance(p, pointsOf(x), gap) <= gap {
			return true
		}
	}
	return false
}

func pointsOf(e *entry) []geo.Fixed {
	if len(e.line) == 0 {
		return []geo.Fixed{e.at}
	}
	return e.line
}

// joined makes one of its pieces, which are in the order of their ids: with the names and the
// lines of all, thinned out, and in the middle of the longest. Whole is their length in metres.
func joined(pieces []*entry, stray float64, middle func(line []geo.Fixed, length float64) geo.Fixed) (d *draft, whole float64) {
	d = &draft{entry: *pieces[0]}
	d.line, d.names = nil, nil
	names := map[nameOf]bool{}
	most := -1.0
	d.extent = tree.BoxOf(pieces[0].at)
	for _, w := range pieces {
		line := pointsOf(w)
		length := 0.0
		if w.extent != (tree.Box{}) {
			d.extent = d.extent.Taking(geo.Fixed{Lon: w.extent.West, Lat: w.extent.South}).Taking(geo.Fixed{Lon: w.extent.East, Lat: w.extent.North})
		}
		for i, q := range line {
			d.extent = d.extent.Taking(q)
			if i > 0 {
				length += tree.DistanceBetween(line[i-1], q)
			}
		}
		if length > most {
			most = length
			if d.at = w.at; w.extent == (tree.Box{}) {
				d.at = middle(line, length)
			}
		}
		whole += length
		for _, part := range geo.CutAtAntimeridian(line) {
			d.lines = append(d.lines, thin(part, stray))
		}
		for _, n := range w.names {
			if !names[n] && len(d.names) < mostNames {
				names[n] = true
				d.names = append(d.names, n)
			}
		}
		d.city, d.suburb, d.place, d.postcode = first(d.city, w.city), first(d.suburb, w.suburb), first(d.place, w.place), first(d.postcode, w.postcode)
	}
	return d, whole
}

// street makes one of its pieces.
func (b *Builder) street(pieces []*entry) *draft {
	d, length := joined(pieces, streetStray, middle)
	for _, w := range pieces {
		d.importance = max(d.importance, place.StreetWeights[b.texts[w.class]])
	}
	d.importance += 0.02 * min(1, length/3000)
	return d
}

func first(a, b uint32) uint32 {
	if a != 0 {
		return a
	}
	return b
}

// middle returns the point half way along a line.
func middle(line []geo.Fixed, length float64) geo.Fixed {
	left := length / 2
	for i := 1; i < len(line); i++ {
		step := tree.DistanceBetween(line[i-1], line[i])
		if step >= left && step > 0 {
			share := left / step
			return geo.Fixed{
				Lon: tree.WrapLongitude(int64(line[i-1].Lon) + int64(share*float64(tree.UnwrapNear(line[i], line[i-1])-int64(line[i-1].Lon)))),
				Lat: line[i-1].Lat + int32(share*float64(int64(line[i].Lat)-int64(line[i-1].Lat))),
			}
		}
		left -= step
	}
	return line[len(line)/2]
}

// thin leaves out the points of a line that hardly matter.
func thin(line []geo.Fixed, stray float64) []geo.Fixed {
	if len(line) < 3 {
		return slices.Clone(line)
	}
	points := make([]geo.Point, len(line))
	for i, p := range line {
		points[i] = p.Point()
	}
	var out []geo.Fixed
	for _, p := range geo.Simplify(points, stray) {
		out = append(out, p.Fix())
	}
	return out
}

// keys gives texts that mean the same one number.
type keys struct {
	b      *Builder
	byText map[uint32]uint32
	byKey  map[string]uint32
}

func (k *keys) of(text uint32) uint32 {
	if n, ok := k.byText[text]; ok {
		return n
	}
	s := fold.Key(k.b.texts[text])
	n, ok := k.byKey[s]
	if !ok {
		n = uint32(len(k.byKey) + 1)
		k.byKey[s] = n
	}
	k.byText[text] = n
	return n
}

// localities makes the localities and areas, each once although it may be mapped
// as a point and as an outline.
func (b *Builder) localities(keys *keys) []*draft {
	var all []*draft
	byKey := map[uint32][]*draft{}
	var grounds []*entry
	for i := range b.entries {
		e := &b.entries[i]
		if e.kind != place.Locality && e.kind != place.Area {
			continue
		}
		if b.texts[e.class] == place.Ground {
			grounds = append(grounds, e)
			continue
		}
		d := &draft{entry: *e}
		c := place.Classes[b.texts[e.class]]
		people := e.population
		if people <= 0 {
			people = c.Population
		}
		d.population = people
		d.settles = c.Settled && e.kind == place.Locality
		d.importance = place.ByPopulation(people) + 0.02*e.known
		if b.texts[e.class] != place.Administrative {
			d.reach = place.Reach(people)
		}
		k := keys.of(e.names[0].text)
		same := slices.IndexFunc(byKey[k], func(o *draft) bool { return o.same(d) })
		if same < 0 {
			byKey[k] = append(byKey[k], d)
			all = append(all, d)
			continue
		}
		byKey[k][same].merge(d)
	}
	for _, g := range grounds {
		d := &draft{entry: *g}
		for _, o := range byKey[keys.of(g.names[0].text)] {
			if o.kind == place.Locality && o.same(d) {
				o.takeOutline(d)
				break
			}
		}
	}
	return all
}

// takeOutline takes the outline of another mapping where it is the larger one.
func (d *draft) takeOutline(o *draft) {
	if tree.Width(o.outline) > tree.Width(d.outline) {
		d.outline = o.outline
	}
}

// same reports whether two of one name are the same place.
func (d *draft) same(o *draft) bool {
	if d.extent != (tree.Box{}) && d.extent.Contains(o.at) || o.extent != (tree.Box{}) && o.extent.Contains(d.at) {
		return true
	}
	return tree.DistanceBetween(d.at, o.at) < float64(max(1500, min(d.reach, o.reach)))
}

// merge takes into d the facts of another mapping of it. A node says best where the middle of
// a settlement is, and what it is.
func (d *draft) merge(o *draft) {
	better := rankOf(o) > rankOf(d)
	was := *d
	if better {
		*d = *o
		o = &was
	}
	if d.extent == (tree.Box{}) {
		d.extent = o.extent
	}
	d.takeOutline(o)
	d.importance = max(d.importance, o.importance)
	d.known = max(d.known, o.known)
	for _, n := range o.names {
		if !slices.Contains(d.names, n) && len(d.names) < mostNames {
			d.names = append(d.names, n)
		}
	}
	d.categories = first2(d.categories, o.categories)
	d.details = first2(d.details, o.details)
	if o.kind == place.Locality {
		d.reach = max(d.reach, o.reach)
	}
}

func first2(a, b []uint32) []uint32 {
	if len(a) > 0 {
		return a
	}
	return b
}

// rankOf orders mappings of one place by how much they say.
func rankOf(d *draft) int {
	rank := 0
	if d.kind == place.Locality {
		rank += 4
	}
	if d.settles {
		rank += 2
	}
	if place.Source(d.id>>58&7) == place.Node {
		rank++
	}
	return rank
}
