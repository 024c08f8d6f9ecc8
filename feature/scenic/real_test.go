package scenic

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap"
	"github.com/waygate/waygate/index/surroundings"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
)

// thing is something of an extract that is scenery, as the extract has it.
type thing struct {
	name   string
	lines  [][]geo.Point // of an area the sides of all its rings
	area   bool
	bounds geo.Bounds
}

// raw is the scenery and the roads of an extract, read without tiles.
type raw struct {
	things map[Kind][]thing
	roads  [][]geo.Point
}

func one(t osm.Tags, key string, values ...string) bool { return slices.Contains(values, t.Get(key)) }

// kindsOf returns the kinds of scenery that tags stand for.
func kindsOf(t osm.Tags, area, point bool) (list []Kind) {
	add := func(k Kind, is bool) {
		if is {
			list = append(list, k)
		}
	}
	tunnel := t.Get("tunnel")
	name := t.Get("name") != ""
	add("coast", t.Get("natural") == "coastline")
	add("protected_landscape", name && area && (one(t, "leisure", "nature_reserve") || one(t, "boundary", "national_park", "protected_area") && !one(t, "protect_class", "11", "12", "13", "14", "15", "16", "17", "18", "19", "21", "22", "23", "24", "25")))
	add("open_water", area && (t.Get("natural") == "water" && !one(t, "water", "basin", "ditch", "drain", "wastewater") || one(t, "waterway", "riverbank", "dock") || t.Get("landuse") == "reservoir"))
	add("woodland", area && (t.Get("natural") == "wood" || t.Get("landuse") == "forest"))
	add("watercourse", name && !area && one(t, "waterway", "river", "canal") && (tunnel == "" || tunnel == "no") && t.Get("covered") != "yes")
	add("park", name && area && t.Get("leisure") == "park")
	add("viewpoint", name && t.Get("tourism") == "viewpoint")
	add("mountain_pass", name && point && (t.Get("mountain_pass") == "yes" || t.Get("natural") == "saddle"))
	return list
}

func read(tb testing.TB, path string) *raw {
	tb.Helper()
	r := &raw{things: map[Kind][]thing{}}
	at, ways := map[int64]geo.Point{}, map[int64]*osm.Way{}
	var relations []osm.Relation
	add := func(t osm.Tags, lines [][]geo.Point, area, point bool) {
		bounds := geo.NoBounds()
		for _, l := range lines {
			bounds = bounds.Union(geo.BoundsOf(l))
		}
		for _, k := range kindsOf(t, area, point) {
			r.things[k] = append(r.things[k], thing{t.Get("name"), lines, area, bounds})
		}
	}
	if _, err := osm.Scan(tb.Context(), path, osm.Options{}, func(b *osm.Block) error {
		for _, n := range b.Nodes {
			p := geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
			at[n.ID] = p
			add(n.Tags, [][]geo.Point{{p, p}}, false, true)
		}
		for _, w := range b.Ways {
			w.Nodes, w.Tags = slices.Clone(w.Nodes), slices.Clone(w.Tags)
			ways[w.ID] = &w
		}
		for _, x := range b.Relations {
			x.Members, x.Tags = slices.Clone(x.Members), slices.Clone(x.Tags)
			relations = append(relations, x)
		}
		return nil
	}); err != nil {
		tb.Fatal(err)
	}
	line := func(w *osm.Way) (l []geo.Point) {
		for _, id := range w.Nodes {
			if p, ok := at[id]; ok {
				l = append(l, p)
			}
		}
		return l
	}
	var ids []int64
	for id := range ways {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		w := ways[id]
		l := line(w)
		if len(l) < 2 {
			continue
		}
		add(w.Tags, [][]geo.Point{l}, w.Nodes[0] == w.Nodes[len(w.Nodes)-1], false)
		if one(w.Tags, "highway", "motorway", "trunk", "primary", "secondary", "tertiary", "unclassified") && len(l) == len(w.Nodes) && geo.Length(l) > 300 {
			r.roads = append(r.roads, l)
		}
	}
	for _, x := range relations {
		var lines [][]geo.Point
		for _, m := range x.Members {
			if w := ways[m.Ref]; m.Kind == osm.KindWay && w != nil {
				lines = append(lines, line(w))
			}
		}
		add(x.Tags, lines, one(x.Tags, "type", "multipolygon", "boundary"), false)
	}
	return r
}

// off returns how many metres a place is from a thing, 0 within an area.
func (h *thing) off(p geo.Point, reach float64) float64 {
	best, in := math.Inf(1), false
	if !h.bounds.Intersects(geo.Around(p, reach)) {
		return best
	}
	for _, l := range h.lines {
		for i := 1; i < len(l); i++ {
			a, b := l[i-1], l[i]
			_, _, square := geo.Nearest(p, a, b)
			best = min(best, math.Sqrt(square))
			if (a.Lat > p.Lat) != (b.Lat > p.Lat) && p.Lon < a.Lon+(p.Lat-a.Lat)/(b.Lat-a.Lat)*(b.Lon-a.Lon) {
				in = !in
			}
		}
	}
	if h.area && in {
		return 0
	}
	return best
}

// tolerance is by how many metres tiles of zoom 12 may differ from the data.
const tolerance = 15.0

// holds reports whether a place is within the reach of something of a kind and a name.
func (r *raw) holds(p geo.Point, k surroundings.Sight, name string, more float64) bool {
	reach := kinds[k].reach + more
	return slices.ContainsFunc(r.things[kinds[k].kind], func(h thing) bool {
		return (name == "" || h.name == name) && h.off(p, max(reach, 0)+1) <= reach
	})
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

func routeOn(line []geo.Point) *engine.Route {
	return &engine.Route{Legs: []engine.Leg{{Line: line}}}
}

// TestTruth samples 200 stretches of roads of real extracts that are claimed to be scenic, and
// checks each against the raw data. It counts too what the data have and no claim names.
func TestTruth(t *testing.T) {
	const wanted = 200
	type claim struct {
		*raw
		at   geo.Point
		k    surroundings.Sight
		name string
	}
	random := rand.New(rand.NewPCG(44, 45)) //nolint:gosec // G404: a sequence that repeats
	var claims [surroundings.Sights][]claim
	var there, found [surroundings.Sights]int
	for _, extract := range []string{"osm/andorra-20211028.osm.pbf", "osm/liechtenstein-20221215.osm.pbf", "osm/newport-wales-20230613.osm.pbf", "osm/malta-20180827.osm.pbf"} {
		extract := realdata.File(t, extract)
		r := read(t, extract)
		view := surroundings.New(archive(t, extract)).View(mostTiles)
		random.Shuffle(len(r.roads), func(i, j int) { r.roads[i], r.roads[j] = r.roads[j], r.roads[i] })
		for _, line := range r.roads[:min(400, len(r.roads))] {
			for _, s := range trackOf(routeOn(line)).samples {
				var seen [surroundings.Sights]*surroundings.Feature
				known, err := view.Scenery(t.Context(), surroundings.WorldPointOf(s.at), &reaches, &seen)
				if err != nil {
					t.Fatal(err)
				}
				for k, f := range seen {
					if f != nil && known {
						claims[k] = append(claims[k], claim{r, s.at, surroundings.Sight(k), f.Name})
					}
				}
				if known && random.IntN(20) == 0 {
					for k := range seen {
						if r.holds(s.at, surroundings.Sight(k), "", -tolerance) {
							there[k]++
							if seen[k] != nil {
								found[k]++
							}
						}
					}
				}
			}
		}
		if len(view.Damaged) > 0 {
			t.Fatal(view.Damaged)
		}
	}
	checked, held := 0, 0
	order := make([]int, len(claims)) // rare ones first, so that as many of each kind are checked as there are
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return len(claims[a]) - len(claims[b]) })
	for i, k := range order {
		list := claims[k]
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		n := min(len(list), (wanted-checked)/(len(order)-i))
		if n == 0 {
			t.Errorf("no %s was found", kinds[k].kind)
		}
		for _, c := range list[:n] {
			if checked++; c.holds(c.at, c.k, c.name, tolerance) {
				held++
			} else {
				t.Errorf("%s (%s) at %v does not hold", kinds[k].kind, c.name, c.at)
			}
		}
		t.Logf("%s: %d found, %d checked; of %d in the data %d were found", kinds[k].kind, len(list), n, there[k], found[k])
	}
	if t.Logf("%d of %d stretches hold", held, checked); checked < wanted {
		t.Errorf("%d stretches, want %d", checked, wanted)
	}
}

// BenchmarkHundredKilometres looks along 100 km of roads and along as many routes beside as there
// may be, with the tiles cached and not.
func BenchmarkHundredKilometres(b *testing.B) {
	for _, extract := range []string{"osm/andorra-20211028.osm.pbf", "osm/liechtenstein-20221215.osm.pbf", "osm/newport-wales-20230613.osm.pbf"} {
		path := realdata.File(b, extract)
		tiles := archive(b, path)
		// Roads stand where they are: what is between them is left out of the length.
		route := &engine.Route{}
		length := 0.0
		for _, l := range read(b, path).roads {
			if length += geo.Length(l); length > 100_000 {
				break
			}
			route.Legs = append(route.Legs, engine.Leg{Line: l})
		}
		for _, cold := range []bool{false, true} {
			b.Run(strings.Split(filepath.Base(extract), "-")[0]+map[bool]string{false: "/cached", true: "/cold"}[cold], func(b *testing.B) {
				ground := surroundings.New(tiles)
				before := used(b)
				for b.Loop() {
					if cold {
						ground = surroundings.New(tiles)
					}
					view := ground.View(mostTiles)
					for range 2 + alternates {
						t := trackOf(route)
						if err := t.look(b.Context(), view); err != nil || t.measured == 0 {
							b.Fatal(err, t.measured)
						}
						t.features()
						t.score()
					}
					b.ReportMetric(float64(view.Read), "tiles")
				}
				b.ReportMetric((used(b)-before).Seconds()*1000/float64(b.N), "cpu-ms/op")
			})
		}
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
