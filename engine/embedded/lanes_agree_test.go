package embedded_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

// arrow is a lane of a native answer.
type arrow struct{ Directions, Valid, Active int }

// lanesOf returns the lanes before each manoeuvre of an answer of one leg.
func lanesOf(t *testing.T, body []byte) [][]arrow {
	t.Helper()
	var got struct {
		Trip struct {
			Legs []struct{ Maneuvers []struct{ Lanes []arrow } }
		}
	}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	var out [][]arrow
	for _, m := range got.Trip.Legs[0].Maneuvers {
		out = append(out, m.Lanes)
	}
	return out
}

func someActive(lanes []arrow) bool {
	for _, l := range lanes {
		if l.Active != 0 {
			return true
		}
	}
	return false
}

// TestLanesAgree compares the lanes before manoeuvres with a real Valhalla's
// in a city where they are mapped, on manoeuvres that agree.
func TestLanesAgree(t *testing.T) {
	extract := realdata.File(t, "osm/dusseldorf-universitaetstunnel-20210812.osm.pbf")
	peer := valhalla.New(enginetest.StartValhalla(t, extract).URL, &http.Client{})
	e := open(t, extract)
	r := rand.New(rand.NewPCG(1, 2))
	both, same, ours, theirs := 0, 0, 0, 0
	for range 15 * *manoeuvreRoutes {
		from, to := roadPair(r, e.Graph(), 8000)
		req := pair{from: from, to: to}.request(t, costing.Auto)
		req.Directions, req.TurnLanes = engine.Manoeuvres, true
		a, err := written(e, req)
		if err != nil {
			continue
		}
		b, err := written(peer, req)
		if err != nil {
			continue
		}
		ourList, _ := toldLeg(t, a)
		theirList, _ := toldLeg(t, b)
		ourLanes, theirLanes := lanesOf(t, a), lanesOf(t, b)
		for _, p := range pairUp(ourList, theirList) {
			x, y := ourLanes[p[0]], theirLanes[p[1]]
			if geo.Distance(ourList[p[0]].at, theirList[p[1]].at) > 5 || x == nil && !someActive(y) {
				continue
			}
			switch {
			case !someActive(y):
				ours++
			case x == nil:
				theirs++
			default:
				both++
				if agree(x, y) {
					same++
					continue
				}
			}
			if *manoeuvreReport {
				m := theirList[p[1]]
				t.Logf("type %d at %.6f,%.6f: ours %v theirs %v", m.Type, m.at.Lat, m.at.Lon, x, y)
			}
		}
	}
	t.Logf("%d manoeuvres with lanes on both sides, %d of them the same; %d with ours alone, %d with theirs alone", both, same, ours, theirs)
	if both == 0 || float64(same) < 0.85*float64(both) {
		t.Errorf("the lanes of %d manoeuvres of %d agree", same, both)
	}
}

// agree reports whether the same lanes lead on.
func agree(x, y []arrow) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if (x[i].Valid|x[i].Active != 0) != (y[i].Valid|y[i].Active != 0) || (x[i].Active != 0) != (y[i].Active != 0) {
			return false
		}
	}
	return true
}
