package importer_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// realRegion imports a real extract and opens what came of it.
func realRegion(t testing.TB, path string) (*region.Region, *graph.Graph, *snap.Tree) {
	t.Helper()
	r := regiontest.Open(t, importertest.Region(t, path))
	g, err := graph.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := snap.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	return r, g, tree
}

// TestRealExtracts imports real places.
func TestRealExtracts(t *testing.T) {
	if testing.Short() {
		t.Skip("imports real extracts")
	}
	for _, c := range []struct {
		file     string
		segments [2]int64 // at least, at most
		rules    int64    // restrictions at least
		left     bool
		country  string // of most segments
		kmPerWay [2]float64
	}{
		{"newport-wales-20230613.osm.pbf", [2]int64{15_000, 40_000}, 80, true, "GB", [2]float64{0.05, 1}},
		{"liechtenstein-20130803.osm.bz2", [2]int64{3_000, 12_000}, 1, false, "LI", [2]float64{0.05, 1}},
		{"dreieich-20221016.osm.gz", [2]int64{500, 3_000}, 1, false, "DE", [2]float64{0.05, 1}},
		{"malta-20180827.osm.pbf", [2]int64{30_000, 80_000}, 200, true, "MT", [2]float64{0.03, 1}},
		{"andorra-20211028.osm.pbf", [2]int64{6_000, 20_000}, 50, false, "AD", [2]float64{0.05, 1}},
		{"london-westminster-20200720.osm.pbf", [2]int64{4_000, 20_000}, 50, true, "GB", [2]float64{0.01, 1}},
		{"delaware", [2]int64{30_000, 200_000}, 100, false, "US", [2]float64{0.05, 1}},
	} {
		t.Run(c.file, func(t *testing.T) {
			path := ""
			if c.file == "delaware" {
				path = realdata.Delaware(t)
			} else {
				path = filepath.Join(realdata.File(t, "osm"), c.file)
			}
			r, g, tree := realRegion(t, path)
			if err := g.Verify(); err != nil {
				t.Error(err)
			}
			if err := tree.Verify(g); err != nil {
				t.Error(err)
			}
			n := r.Manifest.Counts
			t.Logf("counts %v", n)
			if n["segments"] < c.segments[0] || n["segments"] > c.segments[1] || n["edges"] < 2*n["segments"] || n["restrictions"] < c.rules {
				t.Errorf("counts %v", n)
			}
			if n["missing_nodes"] != 0 { // these extracts keep their ways whole
				t.Errorf("%d missing nodes", n["missing_nodes"])
			}
			if bad := n["dropped_restrictions_unconnected"] + n["dropped_restrictions_incomplete"]; bad > n["restrictions"]/2+5 {
				t.Errorf("%d restrictions were dropped and %d kept", bad, n["restrictions"])
			}
			metres, left, there, open := 0.0, 0, 0, 0
			for s := range g.BySegment {
				metres += float64(g.BySegment[s].Length)
				if g.BySegment[s].Flags&graph.DriveOnLeft != 0 {
					left++
				}
				if string([]byte{byte(g.Country[s] >> 8), byte(g.Country[s])}) == c.country {
					there++
				}
				if e := g.Forward[s]; g.ByEdge[e].Access|g.ByEdge[g.ByEdge[e].Opposite].Access != 0 || g.BySegment[s].Use == graph.Construction {
					open++
				}
			}
			if perWay := metres / 1000 / float64(n["ways"]); perWay < c.kmPerWay[0] || perWay > c.kmPerWay[1] {
				t.Errorf("%.3f km a way", perWay)
			}
			all := g.Segments()
			if there < all*8/10 || open < all || (left > all/2) != c.left {
				t.Errorf("of %d segments %d are in %s, %d drive on the left and %d are open", all, there, c.country, left, open)
			}
		})
	}
}

// TestSnapOnARealNetwork compares the index with a look at every segment.
func TestSnapOnARealNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("imports a real extract")
	}
	r, g, tree := realRegion(t, filepath.Join(realdata.File(t, "osm"), "liechtenstein-bench.osm.pbf"))
	q := snap.NewQuery(g, tree)
	b := r.Manifest.Bounds
	random := rand.New(rand.NewPCG(61, 62))
	for range 40 {
		p := geo.Point{Lon: b.Min.Lon + random.Float64()*(b.Max.Lon-b.Min.Lon), Lat: b.Min.Lat + random.Float64()*(b.Max.Lat-b.Min.Lat)}
		const cutoff = 2000
		var want []float64
		for s := range graph.Segment(g.Segments()) {
			best := math.Inf(1)
			shape := g.SegmentShape(s)
			for i := 1; i < len(shape); i++ {
				_, _, square := geo.Nearest(p, shape[i-1].Point(), shape[i].Point())
				best = math.Min(best, square)
			}
			if metres := math.Sqrt(best); metres <= cutoff {
				want = append(want, metres)
			}
		}
		slices.Sort(want)
		var got []float64
		seen := map[graph.Segment]bool{}
		q.Nearest(p, cutoff, func(c snap.Candidate) bool {
			if seen[c.Segment] {
				t.Errorf("segment %d comes twice", c.Segment)
			}
			seen[c.Segment] = true
			got = append(got, c.Metres)
			return true
		})
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-3 }) {
			t.Fatalf("%v: %d segments, want %d", p, len(got), len(want))
		}
	}
}
