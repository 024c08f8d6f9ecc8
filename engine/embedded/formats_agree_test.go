package embedded_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

// A turn to one side in the native format has a modifier to that side in OSRM's, so that an
// app's arrow says what its voice says; both have the same manoeuvres in the same words.
func TestFormatsTurnToTheSameSide(t *testing.T) {
	e := open(t, realdata.File(t, "osm/andorra-20211028.osm.pbf"))
	sides := map[int]string{9: "right", 10: "right", 11: "right", 14: "left", 15: "left", 16: "left"}
	r := rand.New(rand.NewPCG(3, 4))
	pairs := [][2]geo.Point{{{Lon: 1.566155, Lat: 42.548655}, {Lon: 1.515929, Lat: 42.508187}}}
	for range 60 {
		from, to := roadPair(r, e.Graph(), 12_000)
		pairs = append(pairs, [2]geo.Point{from, to})
	}
	turns := 0
	for _, p := range pairs {
		req := pair{from: p[0], to: p[1]}.request(t, costing.Auto)
		native, err := written(e, req)
		if err != nil {
			continue
		}
		same := *req
		same.Format, same.Steps = engine.OSRM, true
		osrm, err := written(e, &same)
		if err != nil {
			t.Fatal(err)
		}
		var a struct {
			Trip struct {
				Legs []struct {
					Maneuvers []struct {
						Type        int
						Instruction string
					}
				}
			}
		}
		var b struct {
			Routes []struct {
				Legs []struct {
					Steps []struct {
						Maneuver struct{ Type, Modifier, Instruction string }
					}
				}
			}
		}
		if json.Unmarshal(native, &a) != nil || json.Unmarshal(osrm, &b) != nil {
			t.Fatalf("%s\n%s", native, osrm)
		}
		steps := b.Routes[0].Legs[0].Steps
		for i, m := range a.Trip.Legs[0].Maneuvers {
			if len(steps) <= i || steps[i].Maneuver.Instruction != m.Instruction {
				t.Fatalf("%v: manoeuvre %d is %q and not in step", p, i, m.Instruction)
			}
			if side := sides[m.Type]; side != "" {
				turns++
				if got := steps[i].Maneuver.Modifier; !strings.HasSuffix(got, side) {
					t.Errorf("%v: %q is of type %d and has the modifier %q", p, m.Instruction, m.Type, got)
				}
			}
		}
	}
	if turns < 100 {
		t.Errorf("only %d turns were compared", turns)
	}
}
