package embedded_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/graph"
)

var (
	manoeuvreRoutes = flag.Int("manoeuvres.routes", 12, "routes a region whose manoeuvres are compared with Valhalla's; 100 for docs/fidelity.md")
	manoeuvreReport = flag.Bool("manoeuvres.report", false, "log each manoeuvre that disagrees")
)

// narrated is a manoeuvre as either engine writes it.
type narrated struct {
	Type          int
	Instruction   string
	Names         []string `json:"street_names"`
	BeginNames    []string `json:"begin_street_names"`
	BeginShape    int      `json:"begin_shape_index"`
	Exits         int      `json:"roundabout_exit_count"`
	BearingBefore int      `json:"bearing_before"`
	BearingAfter  int      `json:"bearing_after"`
	TravelMode    string   `json:"travel_mode"`
	TravelType    string   `json:"travel_type"`
	Toll, Highway bool
	Ferry, Rough  bool
	Sign          any

	at geo.Point
}

// toldLeg reads the manoeuvres and the line of an answer of one leg.
func toldLeg(t *testing.T, body []byte) (list []narrated, line []geo.Point) {
	t.Helper()
	var got struct {
		Trip struct {
			Legs []struct {
				Maneuvers []narrated
				Shape     string
			}
		}
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	line, err := geo.DecodePolyline(got.Trip.Legs[0].Shape, 6)
	if err != nil {
		t.Fatal(err)
	}
	list = got.Trip.Legs[0].Maneuvers
	for i := range list {
		list[i].at = line[list[i].BeginShape]
	}
	return list, line
}

// sameLine reports whether every point of either line lies within metres of
// the other.
func sameLine(a, b []geo.Point, metres float64) bool {
	near := func(line, other []geo.Point) bool {
		for _, p := range line {
			best := math.Inf(1)
			for i := 1; i < len(other); i++ {
				foot, _, _ := geo.Nearest(p, other[i-1], other[i])
				best = min(best, geo.Distance(p, foot))
			}
			if best > metres {
				return false
			}
		}
		return true
	}
	return math.Abs(geo.Length(a)-geo.Length(b)) < 20+0.01*geo.Length(a) && near(a, b) && near(b, a)
}

// pairUp returns the longest common sequence of two lists, a manoeuvre equal to
// one of the same type within 30 metres.
func pairUp(a, b []narrated) [][2]int {
	same := func(x, y *narrated) bool { return x.Type == y.Type && geo.Distance(x.at, y.at) <= 30 }
	best := make([][]int, len(a)+1)
	for i := range best {
		best[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if same(&a[i], &b[j]) {
				best[i][j] = max(best[i][j], 1+best[i+1][j+1])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case same(&a[i], &b[j]) && best[i][j] == 1+best[i+1][j+1]:
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case best[i][j] == best[i+1][j]:
			i++
		default:
			j++
		}
	}
	return out
}

// accord counts manoeuvres that agree and sorts the others by what either side
// has there.
type accord struct {
	routes, other           int // other: lines differ, nothing compared
	agree, all              int
	inner, innerAll         int // without starts and destinations
	causes                  map[string]int
	names, begins, bearings int
	exits, travel, flags    int
	signs                   int
}

func (a *accord) add(t *testing.T, what string, ours, theirs []narrated) {
	pairs := pairUp(ours, theirs)
	a.routes++
	a.agree += len(pairs)
	a.all += max(len(ours), len(theirs))
	ends := 0
	for _, p := range pairs {
		x, y := &ours[p[0]], &theirs[p[1]]
		if x.Type <= 6 {
			ends++
		}
		count := func(n *int, same bool, detail string, args ...any) {
			if same {
				*n++
			} else if *manoeuvreReport {
				t.Logf("%s: DETAIL %s", what, fmt.Sprintf(detail, args...))
			}
		}
		count(&a.names, slices.Equal(x.Names, y.Names), "names at %.6f,%.6f type %d: ours %q theirs %q", y.at.Lat, y.at.Lon, x.Type, x.Names, y.Names)
		count(&a.begins, slices.Equal(x.BeginNames, y.BeginNames), "begin names at %.6f,%.6f type %d: ours %q (%q) theirs %q (%q)", y.at.Lat, y.at.Lon, x.Type, x.BeginNames, x.Names, y.BeginNames, y.Names)
		close := func(p, q int) bool { d := geo.Turn(float64(p), float64(q)); return d <= 10 || d >= 350 }
		count(&a.bearings, close(x.BearingBefore, y.BearingBefore) && close(x.BearingAfter, y.BearingAfter),
			"bearings at %.6f,%.6f type %d: ours %d>%d theirs %d>%d", y.at.Lat, y.at.Lon, x.Type, x.BearingBefore, x.BearingAfter, y.BearingBefore, y.BearingAfter)
		count(&a.exits, x.Exits == y.Exits, "exits at %.6f,%.6f: ours %d theirs %d", y.at.Lat, y.at.Lon, x.Exits, y.Exits)
		count(&a.travel, x.TravelMode == y.TravelMode && x.TravelType == y.TravelType, "travel: ours %s %s theirs %s %s", x.TravelMode, x.TravelType, y.TravelMode, y.TravelType)
		count(&a.flags, x.Toll == y.Toll && x.Highway == y.Highway && x.Ferry == y.Ferry && x.Rough == y.Rough,
			"flags at %.6f,%.6f: ours toll %v highway %v ferry %v rough %v theirs %v %v %v %v", y.at.Lat, y.at.Lon, x.Toll, x.Highway, x.Ferry, x.Rough, y.Toll, y.Highway, y.Ferry, y.Rough)
		xs, ys := fmt.Sprint(x.Sign), fmt.Sprint(y.Sign)
		count(&a.signs, xs == ys, "sign at %.6f,%.6f: ours %s theirs %s", y.at.Lat, y.at.Lon, xs, ys)
	}
	a.inner += len(pairs) - ends
	a.innerAll += max(len(ours), len(theirs)) - 2
	note := func(cause string, m *narrated) {
		a.causes[cause]++
		if *manoeuvreReport {
			t.Logf("%s: CAUSE %s at %.6f,%.6f %q", what, cause, m.at.Lat, m.at.Lon, m.Names)
		}
	}
	// The manoeuvres between two pairs disagree: ours and theirs near one another differ in
	// type, the rest only one side has.
	pairs = append(pairs, [2]int{len(ours), len(theirs)})
	i, j := 0, 0
	for _, p := range pairs {
		for ; i < p[0]; i++ {
			at := slices.IndexFunc(theirs[j:p[1]], func(m narrated) bool { return geo.Distance(m.at, ours[i].at) <= 30 })
			if at < 0 {
				note(fmt.Sprintf("%2d ours alone", ours[i].Type), &ours[i])
				continue
			}
			for range at {
				note(fmt.Sprintf("%2d theirs alone", theirs[j].Type), &theirs[j])
				j++
			}
			note(fmt.Sprintf("%2d ours, %2d theirs", ours[i].Type, theirs[j].Type), &ours[i])
			j++
		}
		for ; j < p[1]; j++ {
			note(fmt.Sprintf("%2d theirs alone", theirs[j].Type), &theirs[j])
		}
		i, j = p[0]+1, p[1]+1
	}
}

func (a *accord) String() string {
	var b strings.Builder
	part := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	fmt.Fprintf(&b, "%d routes compared, %d with other lines; %d of %d manoeuvres agree: %.1f %%, without starts and destinations %.1f %% of %d\n",
		a.routes, a.other, a.agree, a.all, part(a.agree, a.all), part(a.inner, a.innerAll), a.innerAll)
	fmt.Fprintf(&b, "of those: names %.1f %%, begin names %.1f %%, bearings %.1f %%, exits %.1f %%, travel %.1f %%, flags %.1f %%, signs %.1f %%\n", part(a.names, a.agree),
		part(a.begins, a.agree), part(a.bearings, a.agree), part(a.exits, a.agree), part(a.travel, a.agree), part(a.flags, a.agree), part(a.signs, a.agree))
	causes := make([]string, 0, len(a.causes))
	for c := range a.causes {
		causes = append(causes, c)
	}
	slices.SortFunc(causes, func(x, y string) int { return cmp.Or(a.causes[y]-a.causes[x], strings.Compare(x, y)) })
	for _, c := range causes {
		fmt.Fprintf(&b, "%5d  %s\n", a.causes[c], c)
	}
	return b.String()
}

func (a *accord) merge(o *accord) {
	a.routes, a.other = a.routes+o.routes, a.other+o.other
	a.agree, a.all = a.agree+o.agree, a.all+o.all
	a.inner, a.innerAll = a.inner+o.inner, a.innerAll+o.innerAll
	a.names, a.begins, a.bearings = a.names+o.names, a.begins+o.begins, a.bearings+o.bearings
	a.exits, a.travel, a.flags, a.signs = a.exits+o.exits, a.travel+o.travel, a.flags+o.flags, a.signs+o.signs
	for c, n := range o.causes {
		a.causes[c] += n
	}
}

// roadPair draws a pair of places on roads a few kilometres apart.
func roadPair(r *rand.Rand, g *graph.Graph, most float64) (from, to geo.Point) {
	place := func() geo.Point {
		for {
			e := graph.Edge(r.IntN(int(g.Base)))
			if g.ByEdge[e].Access&graph.Auto != 0 && g.BySegment[g.Segment(e)].Class <= graph.Residential && g.BySegment[g.Segment(e)].Use == graph.Road {
				line := g.AppendShape(nil, e)
				return line[len(line)/2]
			}
		}
	}
	for {
		from, to = place(), place()
		if d := geo.Distance(from, to); d > most/10 && d < most {
			return from, to
		}
	}
}

// TestManoeuvresAgree compares our manoeuvres with a real Valhalla's, by type
// and position within 30 metres, on routes whose lines agree. By default it
// drives a few routes of each region; docs/fidelity.md has the figures of a
// hundred each, with -manoeuvres.routes 100.
func TestManoeuvresAgree(t *testing.T) {
	t.Parallel()
	all := &accord{causes: map[string]int{}}
	for n, name := range []string{"newport-wales-20230613", "liechtenstein-bench", "andorra-20211028"} {
		t.Run(name, func(t *testing.T) {
			extract := realdata.File(t, "osm/"+name+".osm.pbf")
			peer := valhalla.New(enginetest.StartValhalla(t, extract).URL, &http.Client{})
			e := open(t, extract)
			one := &accord{causes: map[string]int{}}
			defer func() {
				if one.routes == 0 {
					t.Error("no route to compare")
				}
				all.merge(one)
			}()
			for _, c := range []struct {
				costing costing.Costing
				share   int // per cent of the routes
				most    float64
			}{{costing.Auto, 70, 25000}, {costing.Bicycle, 15, 10000}, {costing.Pedestrian, 15, 4000}} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(len(c.costing.String()))))
				kind := &accord{causes: map[string]int{}}
				for kind.routes < max(1, *manoeuvreRoutes*c.share/100) && kind.other < 5**manoeuvreRoutes {
					compareManoeuvres(t, kind, e, peer, c.costing, r, c.most)
				}
				t.Logf("%s, %s: %s", name, c.costing, kind)
				one.merge(kind)
			}
		})
	}
	if all.routes == 0 {
		return // no region was there, or it has been said what went wrong
	}
	t.Logf("all: %s", all)
	if agree := 100 * float64(all.agree) / float64(all.all); agree < 85 {
		t.Errorf("%.1f %% of manoeuvres agree, want 85", agree)
	}
}

func compareManoeuvres(t *testing.T, a *accord, e *embedded.Engine, peer *valhalla.Engine, by costing.Costing, r *rand.Rand, most float64) {
	from, to := roadPair(r, e.Graph(), most)
	req := pair{from: from, to: to}.request(t, by)
	req.Directions = engine.Manoeuvres
	ours, ourErr := written(e, req)
	theirs, theirErr := written(peer, req)
	if ourErr != nil || theirErr != nil {
		a.other++
		return
	}
	ourList, ourLine := toldLeg(t, ours)
	theirList, theirLine := toldLeg(t, theirs)
	if !sameLine(ourLine, theirLine, 10) {
		a.other++
		return
	}
	a.add(t, fmt.Sprintf("%s %v>%v", by, from, to), ourList, theirList)
}
