package place

import (
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Distances of grouping, in metres.
const (
	streetGap   = 250  // between pieces of one street
	pointGap    = 600  // the same where a source knows points of streets only
	streetReach = 1500 // of a house from its street
	aliasReach  = 120  // of a house from a street that has another name first
	placeReach  = 5000 // of a house from the locality that it is numbered in
	simplified  = 4    // how far a street's line may stray
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

// distance is how far a point is from a draft, at most far.
func (d *draft) distance(p geo.Fixed, far float64) float64 {
	if len(d.lines) == 0 {
		return apart(p, d.at)
	}
	least := math.Inf(1)
	for _, line := range d.lines {
		least = min(least, lineDistance(p, line, far))
	}
	return least
}

// lineDistance is the distance of a point from a line in metres; it may be any
// number above far where it is more than that.
func lineDistance(p geo.Fixed, line []geo.Fixed, far float64) float64 {
	if len(line) == 1 {
		return apart(p, line[0])
	}
	least := math.Inf(1)
	for i := 1; i < len(line); i++ {
		ax, ay := planar(p, line[i-1])
		bx, by := planar(p, line[i])
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
	slices.SortStableFunc(b.ways, func(x, y entry) int { return cmp.Compare(x.id, y.id) })
	b.ways = slices.CompactFunc(b.ways, func(x, y entry) bool { return x.id == y.id })
	groups := map[uint32][]int{}
	var order []uint32
	for i := range b.ways {
		k := keys.of(b.ways[i].names[0].text)
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], i)
	}
	var all []*draft
	for _, k := range order {
		for _, pieces := range b.clusters(groups[k]) {
			all = append(all, b.street(pieces))
		}
	}
	return all
}

// clusters cuts the pieces of one name in those that belong together.
func (b *Builder) clusters(pieces []int) [][]int {
	if len(pieces) == 1 {
		return [][]int{pieces}
	}
	boxes := make([]box, len(pieces))
	for i, p := range pieces {
		w := &b.ways[p]
		boxes[i] = boxOf(w.at)
		if len(w.line) > 0 {
			boxes[i] = boxOf(w.line[0])
		}
		for _, q := range w.line {
			boxes[i] = boxes[i].with(boxOf(q))
		}
	}
	gap := int64(math.Ceil(pointGap / metresPerDegree * 1e7))
	const leastCosine = 0.05
	// What lies by the antimeridian is there twice, so that it is met from both sides.
	type reach struct {
		i          int
		west, east int64
	}
	byWest := make([]reach, 0, len(pieces))
	for i := range pieces {
		west, east := int64(boxes[i].west), int64(boxes[i].east)
		byWest = append(byWest, reach{i, west, east})
		if west < -globe/2+int64(float64(gap)/leastCosine) {
			byWest = append(byWest, reach{i, west + globe, east + globe})
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
		wide := int64(float64(gap) / max(leastCosine, math.Cos(float64(boxes[i].north)/1e7*math.Pi/180)))
		for _, right := range byWest[n+1:] {
			j := right.i
			if right.west > left.east+wide {
				break
			}
			if int64(boxes[j].south) > int64(boxes[i].north)+gap || int64(boxes[i].south) > int64(boxes[j].north)+gap || find(i) == find(j) {
				continue
			}
			if b.near(&b.ways[pieces[i]], &b.ways[pieces[j]]) {
				x, y := find(i), find(j)
				root[max(x, y)] = min(x, y)
			}
		}
	}
	var all [][]int
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

func (b *Builder) near(x, y *entry) bool {
	gap := float64(streetGap)
	if len(x.line) < 2 || len(y.line) < 2 {
		gap = pointGap
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

// street makes one of its pieces, which are in the order of their ids.
func (b *Builder) street(pieces []int) *draft {
	d := &draft{entry: b.ways[pieces[0]]}
	d.line = nil
	names := map[nameOf]bool{}
	d.names = nil
	total, most := 0.0, -1.0
	d.extent = boxOf(b.ways[pieces[0]].at)
	for _, p := range pieces {
		w := &b.ways[p]
		line := pointsOf(w)
		length := 0.0
		for i, q := range line {
			d.extent = d.extent.taking(q)
			if i > 0 {
				length += apart(line[i-1], q)
			}
		}
		if length > most {
			most = length
			d.at = middle(line, length)
		}
		total += length
		d.lines = append(d.lines, thin(line))
		d.importance = max(d.importance, streetWeights[b.texts[w.class]])
		for _, n := range w.names {
			if !names[n] && len(d.names) < mostNames {
				names[n] = true
				d.names = append(d.names, n)
			}
		}
		d.city, d.suburb, d.place, d.postcode = first(d.city, w.city), first(d.suburb, w.suburb), first(d.place, w.place), first(d.postcode, w.postcode)
	}
	d.importance += 0.02 * min(1, total/3000)
	return d
}

func first(a, b uint32) uint32 {
	if a != 0 {
		return a
	}
	return b
}

// middle is the point half way along a line.
func middle(line []geo.Fixed, length float64) geo.Fixed {
	left := length / 2
	for i := 1; i < len(line); i++ {
		step := apart(line[i-1], line[i])
		if step >= left && step > 0 {
			share := left / step
			return geo.Fixed{
				Lon: turned(int64(line[i-1].Lon) + int64(share*float64(beside(line[i], line[i-1])-int64(line[i-1].Lon)))),
				Lat: line[i-1].Lat + int32(share*float64(int64(line[i].Lat)-int64(line[i-1].Lat))),
			}
		}
		left -= step
	}
	return line[len(line)/2]
}

// thin leaves out the points of a line that hardly matter.
func thin(line []geo.Fixed) []geo.Fixed {
	if len(line) < 3 {
		return slices.Clone(line)
	}
	points := make([]geo.Point, len(line))
	for i, p := range line {
		points[i] = p.Point()
	}
	var out []geo.Fixed
	for _, p := range geo.Simplify(points, simplified) {
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
	s := key(k.b.texts[text])
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
	for i := range b.entries {
		e := &b.entries[i]
		if e.kind != Locality && e.kind != Area {
			continue
		}
		d := &draft{entry: *e}
		c := classes[b.texts[e.class]]
		people := e.population
		if people <= 0 {
			people = c.population
		}
		d.population = people
		d.settles = c.settled && e.kind == Locality
		d.importance = byPopulation(people) + 0.02*e.known
		d.reach = reach(people)
		k := keys.of(e.names[0].text)
		same := slices.IndexFunc(byKey[k], func(o *draft) bool { return o.same(d) })
		if same < 0 {
			byKey[k] = append(byKey[k], d)
			all = append(all, d)
			continue
		}
		byKey[k][same].merge(d)
	}
	return all
}

// same reports whether two of one name are the same place.
func (d *draft) same(o *draft) bool {
	if d.extent != (box{}) && d.extent.holds(o.at) || o.extent != (box{}) && o.extent.holds(d.at) {
		return true
	}
	return apart(d.at, o.at) < float64(max(1500, min(d.reach, o.reach)))
}

func (b box) holds(p geo.Fixed) bool {
	return b.spans(p.Lon) && p.Lat >= b.south && p.Lat <= b.north
}

// merge takes into d what another mapping of it knows. A node says best where
// the middle of a settlement is, and what it is.
func (d *draft) merge(o *draft) {
	better := rankOf(o) > rankOf(d)
	was := *d
	if better {
		*d = *o
		o = &was
	}
	if d.extent == (box{}) {
		d.extent = o.extent
	}
	d.importance = max(d.importance, o.importance)
	d.known = max(d.known, o.known)
	for _, n := range o.names {
		if !slices.Contains(d.names, n) && len(d.names) < mostNames {
			d.names = append(d.names, n)
		}
	}
	d.categories = first2(d.categories, o.categories)
	d.details = first2(d.details, o.details)
	if o.kind == Locality {
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
	if d.kind == Locality {
		rank += 4
	}
	if d.settles {
		rank += 2
	}
	if Source(d.id>>58&7) == Node {
		rank++
	}
	return rank
}
