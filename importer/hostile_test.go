package importer_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/towntest"
)

// extract is OSM data in the making.
type extract struct{ osm.Data }

func (x *extract) node(lon, lat float64) int64 {
	id := int64(len(x.Nodes) + 1)
	x.Nodes = append(x.Nodes, osm.Node{ID: id, Lon: int32(math.Round(lon * 1e7)), Lat: int32(math.Round(lat * 1e7))})
	return id
}

func (x *extract) way(tags osm.Tags, nodes ...int64) int64 {
	id := int64(len(x.Ways) + 1)
	x.Ways = append(x.Ways, osm.Way{ID: id, Nodes: nodes, Tags: tags})
	return id
}

func (x *extract) relation(tags osm.Tags, members ...osm.Member) {
	x.Relations = append(x.Relations, osm.Relation{ID: int64(len(x.Relations) + 1), Members: members, Tags: tags})
}

func tags(pairs ...string) (t osm.Tags) {
	for i := 0; i < len(pairs); i += 2 {
		t = append(t, osm.Tag{Key: pairs[i], Value: pairs[i+1]})
	}
	return t
}

var street = tags("highway", "residential")

// grid adds streets of n by n nodes from a corner and gives them by row.
func (x *extract) grid(n int, lon, lat float64) [][]int64 {
	rows := make([][]int64, n)
	for y := range rows {
		for c := range n {
			rows[y] = append(rows[y], x.node(lon+float64(c)*0.001, lat+float64(y)*0.001))
		}
		x.way(street, rows[y]...)
	}
	for c := range n {
		var column []int64
		for y := range n {
			column = append(column, rows[y][c])
		}
		x.way(street, column...)
	}
	return rows
}

func member(kind osm.Kind, ref int64, role string) osm.Member {
	return osm.Member{Kind: kind, Ref: ref, Role: role}
}

// hostile are extracts that ask more of an import than a map does, each with
// the counts of what was left out of it, or the error that refuses it.
var hostile = map[string]struct {
	draw   func(x *extract)
	counts map[string]int64
	names  map[string]string
	err    string
	noMap  bool
}{
	"a thousand parallel ways": {
		draw: func(x *extract) {
			a, b := x.node(9.5, 47), x.node(9.51, 47)
			for i := range 1000 {
				x.way(street, a, x.node(9.505, 47+float64(i)*1e-5), b)
			}
		},
		counts: map[string]int64{"dropped_pieces_at_crowded_nodes": 936},
		names:  map[string]string{"dropped_pieces_at_crowded_nodes": "node 1"},
	},
	"a star of five hundred ways": {
		draw: func(x *extract) {
			a := x.node(9.5, 47)
			for i := range 500 {
				sin, cos := math.Sincos(float64(i) * 2 * math.Pi / 500)
				x.way(street, a, x.node(9.5+0.01*sin, 47+0.01*cos))
			}
		},
		counts: map[string]int64{"dropped_pieces_at_crowded_nodes": 436},
	},
	"two ways of the same nodes": {
		draw: func(x *extract) {
			var line []int64
			for i := range 5000 {
				line = append(line, x.node(9.5+float64(i)*1e-5, 47))
			}
			x.way(street, line...)
			x.way(tags("highway", "motorway_link", "oneway", "yes"), line...)
		},
	},
	"everything joined with everything": {
		draw: func(x *extract) {
			r := rand.New(rand.NewPCG(1, 2))
			for range 2000 {
				x.node(9+r.Float64(), 47+r.Float64())
			}
			for range 10_000 {
				x.way(street, 1+r.Int64N(2000), 1+r.Int64N(2000))
			}
		},
		err: "stage hierarchy: the roads are joined so densely that their hierarchy cannot be built: ",
	},
	"restrictions at one node": {
		draw: func(x *extract) {
			rows := x.grid(5, 9.5, 47)
			x.way(street, x.node(9.4, 47), rows[2][0])
			x.way(street, rows[2][4], x.node(9.6, 47))
			for range 2000 {
				x.relation(tags("type", "restriction", "restriction", "only_straight_on"), member(osm.KindWay, 3, "from"), member(osm.KindNode, rows[2][2], "via"), member(osm.KindWay, 8, "to"))
				x.relation(tags("type", "restriction", "restriction", "no_left_turn"), member(osm.KindWay, 11, "from"), member(osm.KindWay, 3, "via"), member(osm.KindWay, 12, "to"))
			}
		},
		counts: map[string]int64{"restrictions": 200, "dropped_restrictions_beyond_limits": 1800, "dropped_restrictions_ambiguous": 2000},
	},
	"restrictions over many ways": {
		draw: func(x *extract) {
			rows := x.grid(9, 9.5, 47)
			members := []osm.Member{member(osm.KindWay, 1, "from"), member(osm.KindWay, 9, "to")}
			for i := range 400 {
				members = append(members, member(osm.KindWay, int64(1+i%18), "via"))
			}
			x.relation(tags("type", "restriction", "restriction", "no_u_turn"), members...)
			members = nil
			for i := range 100 {
				members = append(members, member(osm.KindWay, int64(1+i%18), "from"))
			}
			members = append(members, member(osm.KindWay, 9, "to"))
			x.relation(tags("type", "restriction", "restriction", "no_entry"), append(members, member(osm.KindNode, rows[3][3], "via"))...)
		},
		counts: map[string]int64{"dropped_restrictions_beyond_limits": 1, "dropped_restrictions_unconnected": 1},
		names:  map[string]string{"dropped_restrictions_beyond_limits": "relation 2"},
	},
	"relations of many members and of one another": {
		draw: func(x *extract) {
			x.grid(5, 9.5, 47)
			var many []osm.Member
			for i := range int64(100_000) {
				many = append(many, member(osm.KindWay, i, "outer"), member(osm.KindRelation, i, ""))
			}
			x.relation(tags("type", "multipolygon", "natural", "water"), many...)
			x.relation(tags("type", "route", "route", "bicycle"), many...)
			x.relation(tags("type", "multipolygon", "natural", "water"), member(osm.KindRelation, 4, "outer"))
			x.relation(tags("type", "multipolygon", "natural", "water"), member(osm.KindRelation, 3, "outer"), member(osm.KindRelation, 4, "outer"))
		},
		counts: map[string]int64{"map_broken_areas": 2, "map_missing_members": 99_990},
	},
	"ways of nodes that are not there": {
		draw: func(x *extract) {
			x.grid(5, 9.5, 47)
			for i := range int64(1000) {
				x.way(street, 1_000_000+i, 1, 2_000_000+i, math.MaxInt64-i, math.MinInt64+i)
			}
		},
		counts: map[string]int64{"missing_nodes": 4000},
	},
	"ids at the bounds": {
		draw: func(x *extract) {
			for i, id := range []int64{math.MinInt64, math.MaxInt64, 0, -1} {
				x.Nodes = append(x.Nodes, osm.Node{ID: id, Lon: 95_000_000 + int32(i)*1000, Lat: 470_000_000})
			}
			for _, id := range []int64{math.MinInt64, math.MaxInt64, 0} {
				x.Ways = append(x.Ways, osm.Way{ID: id, Nodes: []int64{math.MinInt64, math.MaxInt64, 0, -1}, Tags: street})
				x.Relations = append(x.Relations, osm.Relation{ID: id, Tags: tags("type", "restriction", "restriction", "no_u_turn"), Members: []osm.Member{
					member(osm.KindWay, math.MinInt64, "from"), member(osm.KindNode, math.MaxInt64, "via"), member(osm.KindWay, math.MaxInt64, "to"),
				}})
			}
		},
		counts: map[string]int64{"ways": 3, "nodes": 4},
	},
	"all in one place": {
		draw: func(x *extract) {
			var line []int64
			for range 3000 {
				line = append(line, x.node(9.5, 47))
			}
			x.way(street, line...)
			for i := range 2000 {
				x.way(tags("highway", "service", "building", "yes", "name", "A"), line[i], line[i+1], line[i+2], line[i])
			}
			x.way(street, line[0], x.node(9.51, 47))
		},
	},
	"rings that cross themselves": {
		draw: func(x *extract) {
			x.grid(5, 9.5, 47)
			r := rand.New(rand.NewPCG(3, 4))
			var line []int64
			for range 1500 {
				line = append(line, x.node(9.5+0.01*r.Float64(), 47+0.01*r.Float64()))
			}
			var members []osm.Member
			for range 200 {
				var ring []int64
				for range 40 {
					ring = append(ring, line[r.IntN(len(line))])
				}
				members = append(members, member(osm.KindWay, x.way(nil, append(ring, ring[0])...), "outer"))
			}
			x.relation(tags("type", "multipolygon", "landuse", "forest", "name", "F"), members...)
		},
	},
	"a border of many rings": {
		draw: func(x *extract) {
			x.grid(5, 9.5, 47)
			var members []osm.Member
			for i := range 3000 {
				west, south := 9.5+float64(i%60)*1e-4, 47+float64(i/60)*1e-4
				a, b, c := x.node(west, south), x.node(west+5e-5, south), x.node(west, south+5e-5)
				members = append(members, member(osm.KindWay, x.way(tags("admin_level", "2", "boundary", "administrative"), a, b, c, a), "outer"))
			}
			// And lines from one end of the globe to the other.
			for i := range 20 {
				a, b := x.node(-180+float64(i)*0.01, -90), x.node(180-float64(i)*0.01, 90)
				members = append(members, member(osm.KindWay, x.way(tags("admin_level", "2", "boundary", "administrative"), a, b, a), "outer"))
			}
			x.relation(tags("type", "boundary", "boundary", "administrative", "admin_level", "2", "ISO3166-1", "AT"), members...)
		},
		noMap: true,
	},
	"absurd tags": {
		draw: func(x *extract) {
			x.grid(5, 9.5, 47)
			x.Ways[2].Tags = tags("highway", "residential", "opening_hours", strings.Repeat("Mo-Su 00:00-24:00; ", 100_000), "access:conditional", strings.Repeat("no @ (", 160))
			x.Ways[3].Tags = append(tags("highway", "residential"), make(osm.Tags, 20_000)...)
			x.Nodes[7].Tags = tags(strings.Repeat("k", 1021), "v", "highway", "traffic_signals")
		},
		counts: map[string]int64{"skipped_long_tags": 2, "skipped_tags_of_many": 1},
		names:  map[string]string{"skipped_long_tags": "way 3, node 8", "skipped_tags_of_many": "way 4"},
	},
	"coasts in pieces": {
		draw: func(x *extract) {
			x.grid(5, 9.5, 47)
			r := rand.New(rand.NewPCG(5, 6))
			centre := x.node(9.502, 47.002)
			for range 300 {
				x.way(tags("natural", "coastline"), x.node(9.49+0.02*r.Float64(), 46.99+0.02*r.Float64()), x.node(9.49+0.02*r.Float64(), 46.99+0.02*r.Float64()))
				x.way(tags("natural", "coastline"), centre, x.node(9.49+0.02*r.Float64(), 46.99+0.02*r.Float64()))
			}
		},
	},
}

// Every hostile extract ends as a region or with a clear word, and none allocates
// more than some thousand bytes for each object of it.
func TestHostileExtracts(t *testing.T) {
	for name, c := range hostile {
		t.Run(name, func(t *testing.T) {
			var x extract
			c.draw(&x)
			source := filepath.Join(t.TempDir(), "hostile.osm.pbf")
			if err := towntest.WriteFile(source, &x.Data); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			took := allocated(func() {
				s, err := importer.Run(t.Context(), importer.Options{Dir: dir, Sources: []string{source}, NoMap: c.noMap})
				if c.err != "" {
					if err == nil || !strings.HasPrefix(err.Error(), c.err) {
						t.Errorf("error %v, want %q", err, c.err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				for count, want := range c.counts {
					if got := s.Manifest.Counts[count]; got != want {
						t.Errorf("%s: %d, want %d", count, got, want)
					}
				}
				for count, want := range c.names {
					if got := s.Manifest.Facts[count]; got != want {
						t.Errorf("%s: %q, want %q", count, got, want)
					}
				}
				checkProportions(t, dir)
			})
			objects := len(x.Nodes) + len(x.Ways) + len(x.Relations)
			t.Logf("%d objects, %d MB", objects, took>>20)
			if most := uint64(150<<20 + objects*15_000); took > most {
				t.Errorf("%d MB allocated for %d objects, want at most %d", took>>20, objects, most>>20)
			}
		})
	}
}

// checkProportions checks that the sizes that the work on a region grows with are in proportion to its
// edges.
func checkProportions(t *testing.T, dir string) {
	t.Helper()
	r := regiontest.Open(t, dir)
	g, err := graph.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	topology, err := cch.OpenTopology(r)
	if err != nil {
		t.Fatal(err)
	}
	for n := range g.Nodes() {
		if degree := g.FirstOut[n+1] - g.FirstOut[n]; degree > 64 {
			t.Errorf("%d edges leave node %d", degree, g.NodeID[n])
		}
	}
	if turns, edges := len(topology.TurnArc), g.Edges(); turns > 64*edges {
		t.Errorf("%d turns of %d edges", turns, edges)
	}
	if err := errors.Join(g.Verify(), topology.Verify(g)); err != nil {
		t.Error(err)
	}
}

// allocated returns the bytes that are allocated while work runs, which is more
// than are ever in use at once.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// stages returns the stages that an import reports having begun, in order.
func stages(t *testing.T, o importer.Options) (names []string) {
	t.Helper()
	o.Dir = t.TempDir()
	o.Report = func(p importer.Progress) {
		if !p.Finished && (len(names) == 0 || names[len(names)-1] != p.Stage) {
			names = append(names, p.Stage)
		}
	}
	if _, err := importer.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return names
}

// An import that is interrupted at any moment of any stage ends with its
// context's error, soon, and leaves nothing that the next one stumbles on.
func TestInterrupted(t *testing.T) {
	var x extract
	x.grid(15, 9.5, 47)
	source := filepath.Join(t.TempDir(), "grid.osm.pbf")
	if err := towntest.WriteFile(source, &x.Data); err != nil {
		t.Fatal(err)
	}
	corner := height.Corner{Lat: 47, Lon: 9}
	tile := filepath.Join(t.TempDir(), corner.String()+".hgt")
	data := height.Draw(corner, height.ThreeArcSeconds, func(geo.Point) (float64, bool) { return 100, true })
	if err := os.WriteFile(tile, data, 0o644); err != nil {
		t.Fatal(err)
	}
	o := importer.Options{Sources: []string{source}, Heights: []string{tile}}
	began := stages(t, o)
	interrupted := 0
	for i, stage := range began {
		o.Dir = t.TempDir()
		for round := range 2 {
			ctx, cancel := context.WithCancel(t.Context())
			var late *time.Timer
			o.Report = func(p importer.Progress) {
				switch {
				case p.Stage != stage || p.Finished || late != nil:
				case round == 0:
					cancel()
				default:
					late = time.AfterFunc(time.Duration(1+i)*time.Millisecond, cancel)
				}
			}
			_, err := importer.Run(ctx, o)
			cancel()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", stage, err)
			}
			if err != nil {
				interrupted++
			}
		}
	}
	if interrupted < len(began) { // all that are cancelled as a stage begins
		t.Errorf("%d imports were interrupted in %d stages", interrupted, len(began))
	}
	o.Report = nil
	if _, err := importer.Run(t.Context(), o); err != nil {
		t.Errorf("the import after those that were interrupted: %v", err)
	}
}
