package observations

import (
	"archive/zip"
	"cmp"
	"container/heap"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/importer/basemap"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/index/surroundings"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
)

// raw is an extract as it is, without tiles.
type raw struct {
	at        map[int64]geo.Point
	ways      map[int64]*osm.Way
	relations []osm.Relation
	places    []osm.Node
	next      map[int64][]edge // by roads, from nodes
	names     []int64          // nodes of next, in order
}

// edge is a piece of road to a node. Small roads cost more than large ones.
type edge struct {
	to   int64
	cost float64
}

// factors are the costs of a metre of road.
var factors = map[string]float64{
	"motorway": 1, "trunk": 1.1, "primary": 1.2, "secondary": 1.4, "tertiary": 1.7, "unclassified": 2, "residential": 3, "service": 4, "track": 4, "cycleway": 4, "path": 4,
}

func read(tb testing.TB, path string) *raw {
	tb.Helper()
	r := &raw{at: map[int64]geo.Point{}, ways: map[int64]*osm.Way{}, next: map[int64][]edge{}}
	_, err := osm.Scan(tb.Context(), path, osm.Options{}, func(b *osm.Block) error {
		for _, n := range b.Nodes {
			r.at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
			if n.Tags.Has("place") {
				n.Tags = slices.Clone(n.Tags)
				r.places = append(r.places, n)
			}
		}
		for _, w := range b.Ways {
			w.Nodes, w.Tags = slices.Clone(w.Nodes), slices.Clone(w.Tags)
			r.ways[w.ID] = &w
		}
		for _, x := range b.Relations {
			x.Members, x.Tags = slices.Clone(x.Members), slices.Clone(x.Tags)
			r.relations = append(r.relations, x)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	for _, w := range r.ways {
		factor := factors[strings.TrimSuffix(w.Tags.Get("highway"), "_link")]
		line := r.line(w)
		for i := 1; i < len(line) && factor > 0; i++ {
			a, b, cost := w.Nodes[i-1], w.Nodes[i], factor*geo.Distance(line[i-1], line[i])
			r.next[a], r.next[b] = append(r.next[a], edge{b, cost}), append(r.next[b], edge{a, cost})
		}
	}
	for id := range r.next {
		slices.SortFunc(r.next[id], func(a, b edge) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.cost, b.cost)) })
		r.names = append(r.names, id)
	}
	slices.Sort(r.names)
	return r
}

// line returns the way's positions, none if the extract lacks one of them.
func (r *raw) line(w *osm.Way) (line []geo.Point) {
	for _, id := range w.Nodes {
		p, ok := r.at[id]
		if !ok {
			return nil
		}
		line = append(line, p)
	}
	return line
}

type queue []reached

type reached struct {
	cost float64
	node int64
}

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].cost < q[j].cost }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(reached)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// journey returns the shortest way between two nodes, nil where there is none.
func (r *raw) journey(from, to int64) (line []geo.Point) {
	cost, before := map[int64]float64{from: 0}, map[int64]int64{}
	for q := (queue{{0, from}}); len(q) > 0; {
		top := heap.Pop(&q).(reached)
		if top.node == to {
			for n := to; ; n = before[n] {
				line = append(line, r.at[n])
				if n == from {
					slices.Reverse(line)
					return line
				}
			}
		}
		if top.cost > cost[top.node] {
			continue
		}
		for _, e := range r.next[top.node] {
			c := top.cost + e.cost
			if old, ok := cost[e.to]; !ok || c < old {
				cost[e.to], before[e.to] = c, top.node
				heap.Push(&q, reached{c, e.to})
			}
		}
	}
	return nil
}

// plane is metres east and north of a place.
func plane(o, p geo.Point) (x, y float64) {
	const degree = geo.EarthRadius * math.Pi / 180
	return (p.Lon - o.Lon) * degree * math.Cos(o.Lat*math.Pi/180), (p.Lat - o.Lat) * degree
}

// off returns how many metres a place is from a line.
func off(p geo.Point, line []geo.Point) float64 {
	best := math.Inf(1)
	for i := 1; i < len(line); i++ {
		_, _, square := geo.Nearest(p, line[i-1], line[i])
		best = min(best, math.Sqrt(square))
	}
	return best
}

// staysNear reports whether all places of a line between two arcs are within some metres of one
// of the lines, at every 10 m.
func staysNear(ruler *geo.Ruler, from, to, metres float64, lines [][]geo.Point) bool {
	for arc := from; arc <= to; arc += 10 {
		p := ruler.At(arc).Point
		if !slices.ContainsFunc(lines, func(l []geo.Point) bool {
			return geo.BoundsOf(l).Intersects(geo.Around(p, metres)) && off(p, l) <= metres
		}) {
			return false
		}
	}
	return true
}

// water returns the lines of watercourses of a name that are not below the ground.
func (r *raw) water(name string) (lines [][]geo.Point) {
	for _, w := range r.ways {
		tunnel := w.Tags.Get("tunnel")
		if w.Tags.Get("name") == name && w.Tags.Has("waterway") && (tunnel == "" || tunnel == "no") && w.Tags.Get("covered") != "yes" {
			if l := r.line(w); l != nil {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// tolerance is by how many metres tiles of zoom 14 may differ from the data.
const tolerance = 3.0

// crossed reports whether a line crosses one of others around an arc.
func crossed(line []geo.Point, ruler *geo.Ruler, arc float64, others [][]geo.Point) bool {
	o := ruler.At(arc).Point
	for i := 1; i < len(line); i++ {
		if _, _, square := geo.Nearest(o, line[i-1], line[i]); square > 30*30 {
			continue
		}
		ax, ay := plane(o, line[i-1])
		bx, by := plane(o, line[i])
		for _, l := range others {
			for j := 1; j < len(l); j++ {
				px, py := plane(o, l[j-1])
				qx, qy := plane(o, l[j])
				d := (bx-ax)*(qy-py) - (by-ay)*(qx-px)
				if d == 0 {
					continue
				}
				t := ((px-ax)*(qy-py) - (py-ay)*(qx-px)) / d
				u := ((px-ax)*(by-ay) - (py-ay)*(bx-ax)) / d
				if t >= 0 && t <= 1 && u >= 0 && u <= 1 && math.Hypot(ax+t*(bx-ax), ay+t*(by-ay)) < 30 {
					return true
				}
			}
		}
	}
	return false
}

// parks returns the areas of a name, each by the sides of all its rings.
func (r *raw) parks(name string) (areas [][][]geo.Point) {
	park := func(t osm.Tags) bool {
		return t.Get("name") == name && (t.Get("leisure") == "park" || t.Get("leisure") == "nature_reserve" || t.Get("boundary") == "national_park" || t.Get("boundary") == "protected_area")
	}
	for _, w := range r.ways {
		if park(w.Tags) {
			areas = append(areas, [][]geo.Point{r.line(w)})
		}
	}
	for _, x := range r.relations {
		if !park(x.Tags) {
			continue
		}
		var sides [][]geo.Point
		for _, m := range x.Members {
			if w := r.ways[m.Ref]; m.Kind == osm.KindWay && w != nil {
				sides = append(sides, r.line(w))
			}
		}
		areas = append(areas, sides)
	}
	return areas
}

// inside counts how often a line eastwards from a place meets the sides.
func inside(p geo.Point, sides [][]geo.Point) bool {
	in := false
	for _, l := range sides {
		for i := 1; i < len(l); i++ {
			a, b := l[i-1], l[i]
			if (a.Lat > p.Lat) != (b.Lat > p.Lat) && p.Lon < a.Lon+(p.Lat-a.Lat)/(b.Lat-a.Lat)*(b.Lon-a.Lon) {
				in = !in
			}
		}
	}
	return in
}

// onRoad reports whether the line is on the ways of a number between two arcs: the nearest
// way has it, but for what is as near.
func (r *raw) onRoad(ruler *geo.Ruler, number string, from, to float64) bool {
	var with, without [][]geo.Point
	around := geo.NoBounds()
	for arc := from; arc <= to; arc += 10 {
		around = around.Union(geo.Around(ruler.At(arc).Point, roadReach))
	}
	for _, w := range r.ways {
		highway := w.Tags.Get("highway")
		if highway == "" || highway == "proposed" || highway == "construction" || highway == "platform" {
			continue
		}
		has := false
		for _, one := range strings.Split(w.Tags.Get("ref"), ";") {
			has = has || strings.TrimSpace(one) == number
		}
		switch l := r.line(w); {
		case l == nil || !geo.BoundsOf(l).Intersects(around):
		case has && !strings.HasSuffix(highway, "_link"):
			with = append(with, l)
		default:
			without = append(without, l)
		}
	}
	for arc := from; arc <= to; arc += 10 {
		p := ruler.At(arc).Point
		nearest := func(lines [][]geo.Point) float64 {
			best := math.Inf(1)
			for _, l := range lines {
				if geo.BoundsOf(l).Intersects(geo.Around(p, roadReach)) {
					best = min(best, off(p, l))
				}
			}
			return best
		}
		if own := nearest(with); own > roadReach || own > nearest(without)+tolerance {
			return false
		}
	}
	return true
}

// grid is an SRTM tile of three seconds of arc.
type grid struct {
	corner geo.Point
	data   []byte
}

func (g *grid) height(p geo.Point) float64 {
	y, x := (g.corner.Lat+1-p.Lat)*1200, (p.Lon-g.corner.Lon)*1200
	row, col := int(y), int(x)
	at := func(row, col int) float64 { return float64(int16(binary.BigEndian.Uint16(g.data[2*(row*1201+col):]))) }
	north := at(row, col) + (x-float64(col))*(at(row, col+1)-at(row, col))
	south := at(row+1, col) + (x-float64(col))*(at(row+1, col+1)-at(row+1, col))
	return north + (y-float64(row))*(south-north)
}

// climbed reports whether the ground rises before an arc by about as much as is said, has the
// height there and falls after it.
func (g *grid) climbed(ruler *geo.Ruler, arc, top float64) bool {
	const nearly = 25 // between the nearest points of the grid and heights between them, on a slope
	if math.Abs(g.height(ruler.At(arc).Point)-top) > nearly {
		return false
	}
	low, fell := top, false
	for a := arc; a >= 0 && g.height(ruler.At(a).Point) <= top+nearly; a -= 20 {
		low = min(low, g.height(ruler.At(a).Point))
	}
	for a := arc; a <= ruler.Length() && g.height(ruler.At(a).Point) <= top+nearly; a += 20 {
		fell = fell || g.height(ruler.At(a).Point) < top-fall/2
	}
	return fell && top-low >= climbLeast-nearly
}

// holds reports whether an observation is true of the raw data.
func (r *raw) holds(line []geo.Point, ruler *geo.Ruler, o *Observation, g *grid) bool {
	switch o.Kind {
	case Crossing:
		return crossed(line, ruler, o.At, r.water(o.Subject))
	case Watercourse:
		return staysNear(ruler, o.At, o.At+waterLeast, waterReach+tolerance, r.water(o.Subject))
	case Landscape:
		return slices.ContainsFunc(r.parks(o.Subject), func(sides [][]geo.Point) bool {
			for arc := o.At; arc <= o.At+landLeast; arc += 10 {
				if p := ruler.At(arc).Point; !inside(p, sides) && !slices.ContainsFunc(sides, func(l []geo.Point) bool { return off(p, l) < tolerance }) {
					return false
				}
			}
			return true
		})
	case Settlement:
		return slices.ContainsFunc(r.places, func(n osm.Node) bool {
			if n.Tags.Get("name") != o.Subject || radii[n.Tags.Get("place")] < *o.Offset {
				return false
			}
			p := r.at[n.ID]
			return math.Abs(off(p, line)-*o.Offset) < tolerance && geo.Distance(p, ruler.At(o.At).Point) < *o.Offset+5
		})
	case Road:
		return *o.Run >= roadLeast && r.onRoad(ruler, o.Subject, o.At, o.At+*o.Run)
	case Climb:
		return g != nil && g.climbed(ruler, o.At, *o.Elevation)
	}
	return false
}

// archive returns the map of an extract.
func archive(tb testing.TB, extract string) *tileset.Reader {
	tb.Helper()
	key := realdata.Code(tb, "github.com/waygate/waygate/importer/basemap") + realdata.Sum(tb, extract)
	dir := realdata.Cached(tb, "map-"+strings.Split(filepath.Base(extract), "-")[0], key, func(dir string) error {
		_, err := basemap.Build(tb.Context(), basemap.Options{Sources: []string{extract}, Out: filepath.Join(dir, "map.pmtiles"), Progress: func(string, int64, int64) {}})
		return err
	})
	r, err := tileset.Open(filepath.Join(dir, "map.pmtiles"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = r.Close() }) // read only
	return r
}

// TestTruth samples 200 observations of journeys over real extracts, and checks each against
// the raw data.
func TestTruth(t *testing.T) {
	const wanted = 200
	type claim struct {
		*raw
		line []geo.Point
		o    Observation
		g    *grid
	}
	english, _ := narrate.Find("")
	random := rand.New(rand.NewPCG(44, 44)) //nolint:gosec // G404: a sequence that repeats
	byKind := map[Kind][]claim{}
	for _, x := range []struct {
		extract  string
		heights  string
		journeys int
	}{{"osm/andorra-20211028.osm.pbf", "elevation/N42E001.hgt.zip", 12}, {"osm/newport-wales-20230613.osm.pbf", "", 12}, {"osm/liechtenstein-20221215.osm.pbf", "", 12}} {
		extract := realdata.File(t, x.extract)
		r := read(t, extract)
		s := Service{Ground: surroundings.New(archive(t, extract))}
		var g *grid
		if x.heights != "" {
			path := realdata.File(t, x.heights)
			set, err := height.Find(path)
			if err != nil {
				t.Fatal(err)
			}
			s.Heights, g = height.NewShared(set), &grid{geo.Point{Lon: 1, Lat: 42}, unzipped(t, path)}
		}
		for range x.journeys {
			line := r.journey(r.names[random.IntN(len(r.names))], r.names[random.IntN(len(r.names))])
			if geo.Length(line) < 5000 {
				continue
			}
			a, damaged, err := s.Observe(t.Context(), &Request{Line: line, Miles: true, Most: 200, Language: english})
			if err != nil || len(damaged) > 0 {
				t.Fatal(err, damaged)
			}
			for _, o := range a.Observations {
				byKind[o.Kind] = append(byKind[o.Kind], claim{r, line, o, g})
			}
		}
	}
	// As many of each kind as there are, so that rare ones are checked too.
	checked, held := 0, 0
	kinds := []Kind{Climb, Landscape, Watercourse, Road, Settlement, Crossing}
	for i, kind := range kinds {
		list := byKind[kind]
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		n := min(len(list), (wanted-checked)/(len(kinds)-i))
		if n == 0 {
			t.Errorf("no %s was found", kind)
		}
		for _, c := range list[:n] {
			checked++
			if ruler := geo.NewRuler(c.line); c.holds(c.line, ruler, &c.o, c.g) {
				held++
			} else {
				t.Errorf("%+v at %v does not hold", c.o, ruler.At(c.o.At).Point)
			}
		}
		t.Logf("%s: %d found, %d checked", kind, len(list), n)
	}
	if t.Logf("%d of %d observations hold", held, checked); checked < wanted {
		t.Errorf("%d observations, want %d", checked, wanted)
	}
}

func unzipped(tb testing.TB, path string) []byte {
	tb.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	f, err := z.File[0].Open()
	if err != nil {
		tb.Fatal(err)
	}
	data, err := io.ReadAll(f)
	if err != nil || len(data) != 2*1201*1201 {
		tb.Fatal(len(data), err)
	}
	return data
}

// hundred returns a line of 100 km over Andorra.
func hundred(tb testing.TB, r *raw) (line []geo.Point) {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // G404: a sequence that repeats
	at, length := r.names[0], 0.0
	for length < 100_000 {
		to := r.names[random.IntN(len(r.names))]
		if more := r.journey(at, to); more != nil {
			at, length, line = to, length+geo.Length(more), append(line, more...)
		}
	}
	for geo.Length(line) > 101_000 {
		line = line[:len(line)-10]
	}
	return line
}

// BenchmarkHundredKilometres observes a line of 100 km, with the tiles cached and not.
func BenchmarkHundredKilometres(b *testing.B) {
	extract := realdata.File(b, "osm/andorra-20211028.osm.pbf")
	set, err := height.Find(realdata.File(b, "elevation/N42E001.hgt.zip"))
	if err != nil {
		b.Fatal(err)
	}
	english, _ := narrate.Find("")
	tiles := archive(b, extract)
	s := Service{Ground: surroundings.New(tiles), Heights: height.NewShared(set)}
	q := &Request{Line: hundred(b, read(b, extract)), Miles: true, Gap: 2000, Most: 40, Language: english}
	for _, cold := range []bool{false, true} {
		b.Run(map[bool]string{false: "cached", true: "cold"}[cold], func(b *testing.B) {
			before := used(b)
			for b.Loop() {
				if cold {
					s.Ground = surroundings.New(tiles)
				}
				a, _, err := s.Observe(b.Context(), q)
				if err != nil || len(a.Observations) == 0 {
					b.Fatal(err, len(a.Observations))
				}
				b.ReportMetric(float64(a.Coverage.Read), "tiles")
				b.ReportMetric(float64(a.Coverage.LeftOut), "left-out")
			}
			b.ReportMetric((used(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// used returns the processor time that the process has used.
func used(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
