package match_test

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/snap"
)

// rows reads a file of numbers, a row a line.
func rows(t *testing.T, path string) [][]float64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() // read only
	var all [][]float64
	for s := bufio.NewScanner(f); s.Scan(); {
		var row []float64
		for field := range strings.FieldsSeq(s.Text()) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			row = append(row, v)
		}
		all = append(all, row)
	}
	return all
}

// beijing puts the set's kilometres east and north somewhere on the globe.
func beijing(x, y float64) geo.Point {
	const perDegree = geo.EarthRadius * math.Pi / 180
	lat := 39.5 + (y-100)*1000/perDegree
	return geo.Point{Lon: 116 + (x-30)*1000/perDegree/math.Cos(40*math.Pi/180), Lat: lat}
}

// beijingRoads builds the set's road network: straight edges between vertices.
func beijingRoads(t *testing.T, dir string) *graph.Graph {
	t.Helper()
	b := graph.NewBuilder()
	for _, v := range rows(t, filepath.Join(dir, "map", "vertexMap.txt")) {
		b.AddNode(graph.NodeFacts{OSM: int64(v[1]), Access: graph.AllModes, Position: beijing(v[2], v[3]).Fix()})
	}
	ways := map[[2]graph.AddedNode]bool{}
	for _, e := range rows(t, filepath.Join(dir, "map", "adjacentList.txt")) {
		if len(e) == 3 && e[0] != e[1] {
			ways[[2]graph.AddedNode{graph.AddedNode(e[0]), graph.AddedNode(e[1])}] = true
		}
	}
	for w := range ways {
		back := ways[[2]graph.AddedNode{w[1], w[0]}]
		if back && w[0] > w[1] {
			continue // the other direction brings it
		}
		s := graph.SegmentFacts{From: w[0], To: w[1], Class: graph.Primary, Forward: graph.Direction{Access: graph.AllModes, Speed: 80}}
		if back {
			s.Backward = s.Forward
		}
		b.AddSegment(s, []geo.Fixed{b.Node(w[0]).Position, b.Node(w[1]).Position})
	}
	return b.Build()
}

// journeys reads the set's lists: a head of three whole numbers, whose count
// is not to be relied upon, and points up to the next.
func journeys(t *testing.T, path string) [][][]float64 {
	t.Helper()
	var list [][][]float64
	for _, row := range rows(t, path)[1:] {
		switch {
		case len(row) != 3:
		case row[1] == math.Trunc(row[1]) && row[2] == math.Trunc(row[2]):
			list = append(list, nil)
		default:
			list[len(list)-1] = append(list[len(list)-1], row)
		}
	}
	return list
}

// covered returns how much of a line lies within metres of another, and its whole
// length.
func covered(line, by []geo.Point, metres float64) (near, whole float64) {
	for i := 1; i < len(line); i++ {
		length := geo.Distance(line[i-1], line[i])
		pieces := 1 + int(length/20)
		for k := range pieces {
			t := (float64(k) + 0.5) / float64(pieces)
			p := geo.Point{Lon: line[i-1].Lon + (line[i].Lon-line[i-1].Lon)*t, Lat: line[i-1].Lat + (line[i].Lat-line[i-1].Lat)*t}
			whole += length / float64(pieces)
			for j := 1; j < len(by); j++ {
				if _, _, square := geo.Nearest(p, by[j-1], by[j]); square <= metres*metres {
					near += length / float64(pieces)
					break
				}
			}
		}
	}
	return near, whole
}

// TestBeijing scores taxi journeys that were matched by hand: positions one to
// several minutes apart, on roads drawn as straight lines between junctions. A
// place is found where the answer comes within 20 m of it.
func TestBeijing(t *testing.T) {
	dir := filepath.Dir(realdata.File(t, "gps/beijing-sparsetaxi/FORMAT.txt"))
	g := beijingRoads(t, dir)
	q := match.NewQuery(g, snap.Build(g))
	car := profile.New(g, costing.Default(costing.Auto))
	for _, c := range []struct {
		set          string
		found, right float64 // shares of the truth that must be found, and of the answer that must be right
	}{{"set60", 0.82, 0.84}, {"set120", 0.8, 0.81}, {"set300", 0.81, 0.84}, {"setOther", 0.73, 0.74}, {"sparse", 0.67, 0.71}} {
		truths := journeys(t, filepath.Join(dir, "manual_matched", "beijing_"+c.set+".coor.txt"))
		traces := journeys(t, filepath.Join(dir, "sparse_trajectories", "heavyTraj_"+c.set+".coor.txt"))
		var near, truth, right, answer float64
		for i := range min(len(truths), len(traces)) {
			if len(truths[i]) < 2 {
				continue
			}
			var trace []match.Point
			for _, p := range traces[i] {
				trace = append(trace, match.Point{At: beijing(p[1], p[2]), Time: p[0]})
			}
			o := match.ForAccuracy(20)
			o.Breakage = 20_000
			found, err := q.Match(t.Context(), car, trace, o)
			if err != nil {
				t.Fatal(err)
			}
			var line, way []geo.Point
			for _, p := range truths[i] {
				line = append(line, beijing(p[1], p[2]))
			}
			for _, m := range found.Matches {
				way = append(way, guide.Shape(g, m.Path).Points...)
			}
			n, l := covered(line, way, 20)
			r, a := covered(way, line, 20)
			near, truth, right, answer = near+n, truth+l, right+r, answer+a
		}
		t.Logf("%s: %.1f km, found %.1f %%; of the answer %.1f %% is right", c.set, truth/1000, 100*near/truth, 100*right/answer)
		if near < c.found*truth || right < c.right*answer {
			t.Errorf("%s: found %.3f of the truth and %.3f of the answer is right, want %g and %g", c.set, near/truth, right/answer, c.found, c.right)
		}
	}
}
