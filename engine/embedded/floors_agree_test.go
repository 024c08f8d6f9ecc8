package embedded_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/graph"
)

// TestFloorsAgree compares lifts, stairs and floors between places on stairs and indoors with
// those of a real Valhalla, where the lines agree. Buildings are not compared: Valhalla finds
// them by their entrances alone.
func TestFloorsAgree(t *testing.T) {
	extract := realdata.File(t, "osm/london-westminster-20200720.osm.pbf")
	peer := valhalla.New(enginetest.StartValhalla(t, extract).URL, &http.Client{})
	e := open(t, extract)
	g := e.Graph()
	var places []geo.Point
	for s := range graph.Segment(g.Segments()) {
		vertical := g.BySegment[s].Use == graph.Steps || g.BySegment[s].Use == graph.Escalator || g.BySegment[s].Use == graph.Elevator
		if (vertical || g.BySegment[s].Flags&(graph.HasLevels|graph.Indoor) != 0) && g.ByEdge[g.Forward[s]].Access&graph.Pedestrian != 0 {
			// The middle of a piece: at a node several ways are equally near.
			line := g.AppendShape(nil, g.Forward[s])
			k := len(line) / 2
			places = append(places, geo.Point{Lon: (line[k-1].Lon + line[k].Lon) / 2, Lat: (line[k-1].Lat + line[k].Lat) / 2})
		}
	}
	r := rand.New(rand.NewPCG(91, 92))
	count := map[int][3]int{} // by type: alike, ours alone, theirs alone
	routes, floors := 0, 0
	for range 400 {
		from, to := places[r.IntN(len(places))], places[r.IntN(len(places))]
		if d := geo.Distance(from, to); d < 30 || d > 700 {
			continue
		}
		req := pair{from: from, to: to}.request(t, costing.Pedestrian)
		ours, ourErr := written(e, req)
		theirs, theirErr := written(peer, req)
		if ourErr != nil || theirErr != nil {
			continue
		}
		ourList, ourLine := toldLeg(t, ours)
		theirList, theirLine := toldLeg(t, theirs)
		if !sameLine(ourLine, theirLine, 5) {
			continue
		}
		routes++
		// Floors at the ends are those of the edges there, which may differ.
		if got, want := floorsOf(t, ours), floorsOf(t, theirs); len(want) > 2 && !containsRun(got, want[1:len(want)-1]) {
			t.Errorf("%v>%v: the floors %v, theirs %v", from, to, got, want)
		} else if len(want) > 2 {
			floors++
		}
		note := func(m *narrated, which int) {
			// Valhalla begins and ends at a node that is 5 m away or less.
			if min(geo.Distance(m.at, theirLine[0]), geo.Distance(m.at, theirLine[len(theirLine)-1])) < 10 {
				return
			}
			c := count[m.Type]
			c[which]++
			count[m.Type] = c
			if which > 0 && *manoeuvreReport {
				t.Logf("%v>%v: %v alone: %d at %.6f,%.6f", from, to, []string{"", "ours", "theirs"}[which], m.Type, m.at.Lat, m.at.Lon)
			}
		}
		i, j := 0, 0
		for _, p := range append(pairUp(ourList, theirList), [2]int{len(ourList), len(theirList)}) {
			for ; i < p[0]; i++ {
				note(&ourList[i], 1)
			}
			for ; j < p[1]; j++ {
				note(&theirList[j], 2)
			}
			if i < len(ourList) {
				note(&ourList[i], 0)
				if floor := floorIn(theirList[j].Instruction); ourList[i].Type >= int(guidance.Elevator) && i+2 < len(ourList) && j+2 < len(theirList) && !sameFloor(floorIn(ourList[i].Instruction), floor) {
					t.Errorf("%v>%v: %q, theirs %q", from, to, ourList[i].Instruction, theirList[j].Instruction)
				}
			}
			i, j = p[0]+1, p[1]+1
		}
	}
	if floors == 0 {
		t.Error("no leg lies on a floor")
	}
	alike, all := 0, 0
	for _, k := range []guidance.Type{guidance.Elevator, guidance.Steps, guidance.Escalator, guidance.EnterBuilding, guidance.LeaveBuilding, guidance.LevelChange} {
		c := count[int(k)]
		t.Logf("type %d: %d alike, %d ours alone, %d theirs alone", k, c[0], c[1], c[2])
		if k != guidance.EnterBuilding && k != guidance.LeaveBuilding {
			alike, all = alike+c[0], all+c[0]+c[1]+c[2]
		}
	}
	t.Logf("%d of %d alike on %d routes, %d of them over floors", alike, all, routes, floors)
	if routes == 0 || alike*100 < all*90 {
		t.Errorf("%d of %d are alike on %d routes, want 90 in 100", alike, all, routes)
	}
}

// sameFloor reports whether two floors are one. Parts of a floor count as it: ours leave stairs
// onto the area of a platform, at -4, where Valhalla has a line beside it, at -4.2.
func sameFloor(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return a == b || err1 == nil && err2 == nil && math.Abs(x-y) < 0.5
}

// floorIn returns the floor that an instruction leads to: "Take the stairs to level
// 3." leads to 3.
func floorIn(instruction string) string {
	m := toFloor.FindStringSubmatch(strings.ToLower(instruction))
	if m == nil {
		return ""
	}
	if v, err := strconv.ParseFloat(m[1], 32); err == nil { // theirs has "-0.5000000000"
		return strconv.FormatFloat(v, 'f', -1, 32)
	}
	return m[1]
}

var toFloor = regexp.MustCompile(` to (?:level )?(.+)\.$`)

// floorsOf lists the floors of the first leg, one after the other.
func floorsOf(t *testing.T, body []byte) (list []float64) {
	t.Helper()
	var got struct {
		Trip struct {
			Legs []struct {
				Summary struct {
					Changes [][2]float64 `json:"level_changes"`
				}
			}
		}
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Trip.Legs[0].Summary.Changes {
		if c[1] < 1000 { // theirs has 3.4e38 where it does not know
			list = append(list, math.Round(c[1]*1000)/1000)
		}
	}
	return list
}

// containsRun reports whether a list has another as a part without gaps.
func containsRun(list, part []float64) bool {
	for i := range len(list) - len(part) + 1 {
		if slices.Equal(list[i:i+len(part)], part) {
			return true
		}
	}
	return false
}
