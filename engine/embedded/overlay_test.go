package embedded_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/towntest"
)

// randomTown draws a grid of streets, some of which are open at times only, with
// turns that are forbidden at times.
func randomTown(t *testing.T, r *rand.Rand) *towntest.Town {
	t.Helper()
	return drawTown(t, r, 9, func() string {
		from := 7*60 + 40 + r.IntN(40)
		to := from + 3 + r.IntN(40)
		return fmt.Sprintf("%02d:%02d-%02d:%02d", from/60, from%60, to/60, to%60)
	})
}

// drawTown draws a town at random in which three roads of so many, and some turns, have
// hours.
func drawTown(t *testing.T, r *rand.Rand, of int, window func() string) *towntest.Town {
	t.Helper()
	const columns, rows = 6, 5
	letter := func(x, y int) string { return string("abcdefghijklmnopqrstuvwxyz0123456789"[y*columns+x]) }
	var drawing strings.Builder
	for y := range rows {
		for x := range columns {
			drawing.WriteString(letter(x, y) + "---")
		}
		drawing.WriteString("\n\n\n")
	}
	var ways towntest.Ways
	var turns towntest.Turns
	var affected []string
	for y := range rows {
		for x := range columns {
			for _, to := range [][2]int{{x + 1, y}, {x, y + 1}} {
				if to[0] == columns || to[1] == rows || r.IntN(8) == 0 {
					continue
				}
				name := letter(x, y) + letter(to[0], to[1])
				tags := []string{"primary", "secondary", "residential", "residential oneway=yes", "unclassified maxspeed=20"}[r.IntN(5)]
				switch r.IntN(of) {
				case 0:
					tags += ` motor_vehicle:conditional="no @ (` + window() + `)"`
				case 1:
					tags += ` motor_vehicle=no motor_vehicle:conditional="yes @ (` + window() + `)"`
				case 2:
					tags += ` motor_vehicle:conditional="destination @ (` + window() + `)"`
				case 3:
					if r.IntN(3) > 0 {
						break
					}
					tags = "secondary maxspeed=" + []string{"30", "80"}[r.IntN(2)] + ` maxspeed:conditional="50 @ (` + window() + `)"`
				}
				ways = append(ways, [2]string{name, tags})
				affected = append(affected, name)
			}
		}
	}
	for range 4 {
		a, b := affected[r.IntN(len(affected))], affected[r.IntN(len(affected))]
		if a != b && a[1] == b[0] {
			turns = append(turns, [4]string{a, b[:1], b, `restriction:conditional="no_straight_on @ (` + window() + `)"`})
		}
	}
	return towntest.Draw(t, drawing.String(), ways, turns)
}

// near gives places in a town.
func near(r *rand.Rand, town *towntest.Town, n int) []engine.Location {
	list := make([]engine.Location, n)
	names := town.NodePlaces()
	for i := range list {
		list[i].Point = town.Offset(string(names[r.IntN(len(names))]), 300*r.Float64()-150, 300*r.Float64()-150)
		list[i].Filter.ExcludeClosures = r.IntN(2) == 0
	}
	return list
}

// around returns a ring about a point.
func around(p geo.Point, metres float64) geo.Ring {
	return geo.Ring{geo.Destination(p, 45, metres), geo.Destination(p, 170, metres), geo.Destination(p, 280, metres)}
}

// travel is the time and the length of a route.
type travel struct{ seconds, metres float64 }

func routeOf(ctx context.Context, e *embedded.Engine, c costing.Costing, s costing.Settings, b engine.Conditions, from, to engine.Location) (travel, error) {
	route, err := engine.Best(ctx, e, &engine.RouteRequest{Costing: c, Options: s, Conditions: b, Locations: []engine.Location{from, to}})
	if err != nil {
		return travel{}, err
	}
	return travel{route.Seconds, route.Metres}, nil
}

// tallied counts what was found beside the routes.
type tallied struct{ cells, differ, bent int }

// compare compares a matrix under conditions with the route of each pair, on the
// engine and on one that searches the roads themselves.
func compare(t *testing.T, what string, engines []*embedded.Engine, r *engine.MatrixRequest) (sum tallied) {
	t.Helper()
	var answers []*engine.MatrixAnswer
	for _, e := range engines {
		a, err := e.Matrix(t.Context(), r)
		if engine.Code(err) == engine.CodeNoSegment {
			return sum
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		answers = append(answers, a)
	}
	for i, from := range r.Sources {
		for j, to := range r.Targets {
			want, err := routeOf(t.Context(), engines[0], r.Costing, r.Options, r.Conditions, from, to)
			for k, a := range answers {
				got := a.Cells[i][j]
				if (err == nil) != got.Reached {
					t.Fatalf("%s, engine %d: from %v to %v: %+v, and the route %v", what, k, from.Point, to.Point, got, err)
				}
				if err == nil && (math.Abs(got.Seconds-want.seconds) > 0.5 || math.Abs(got.Metres-want.metres) > 5) {
					sum.differ++
				}
			}
			sum.cells++
			straight, errStraight := routeOf(t.Context(), engines[0], r.Costing, r.Options, engine.Conditions{SpeedTypes: []string{"freeflow"}}, from, to)
			if straight != want || (err == nil) != (errStraight == nil) {
				sum.bent++
			}
		}
	}
	return sum
}

func (c *tallied) add(d tallied) {
	c.cells, c.differ, c.bent = c.cells+d.cells, c.differ+d.differ, c.bent+d.bent
}

// randomBends draws what bends the roads for a request.
func randomBends(r *rand.Rand, town *towntest.Town, timed bool) (b engine.Conditions) {
	if timed {
		b.When = &engine.When{Type: engine.TimeType(1 + r.IntN(3)), Local: time.Date(2026, 9, 1, 7, 50+r.IntN(30), 0, 0, time.UTC)}
	}
	if r.IntN(2) == 0 {
		b.ExcludePolygons = append(b.ExcludePolygons, around(near(r, town, 1)[0].Point, 40+200*r.Float64()))
	}
	if r.IntN(3) == 0 {
		b.ExcludeLocations = near(r, town, 1)
	}
	return b
}

// snapshot has the live feeds know of some roads of a town.
func snapshot(r *rand.Rand, e *embedded.Engine, town *towntest.Town) *overlay.Snapshot {
	var changes []overlay.Change
	for _, w := range town.Data().Ways {
		for _, edge := range e.EdgesOf(w.ID) {
			switch r.IntN(12) {
			case 0:
				changes = append(changes, overlay.Change{Edge: edge, Closed: true})
			case 1:
				changes = append(changes, overlay.Change{Edge: edge, Speed: uint8(3 + r.IntN(20))})
			}
		}
	}
	g, turns := e.Graph(), map[overlay.Turn]float32{}
	for range r.IntN(30) {
		from := graph.Edge(r.Uint32N(uint32(g.Base)))
		n := g.ByEdge[from].Head
		turns[overlay.Turn{From: from, To: g.FirstOut[n] + graph.Edge(r.Uint32N(uint32(g.FirstOut[n+1]-g.FirstOut[n])))}] = float32(r.IntN(120))
	}
	return overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Changes: changes, Turns: turns}, nil)
}

// TestBentMatrixIsRoutes compares matrices in random towns with random
// closures, polygons and times with the routes between their places.
func TestBentMatrixIsRoutes(t *testing.T) {
	t.Parallel()
	towns := searchtest.Cases(8)
	var sum tallied
	for seed := range uint64(towns) {
		r := rand.New(rand.NewPCG(seed, 51))
		town := randomTown(t, r)
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		if seed%2 == 0 {
			e.SetCatchments()
		}
		engines := []*embedded.Engine{e, e.WithoutHierarchy()}
		for round := range 4 {
			live := snapshot(r, e, town)
			for _, x := range engines {
				x.SetLive(live)
				settled(t, x) // until then it answers by the roads before
			}
			s, c := chosen(t, costing.Auto, ""), costing.Auto
			if r.IntN(3) == 0 {
				s = chosen(t, costing.Auto, `"use_highways": 0.3`) // without a hierarchy at first
			}
			sum.add(compare(t, fmt.Sprintf("seed %d, round %d", seed, round), engines, &engine.MatrixRequest{
				Sources: near(r, town, 3+14*r.IntN(2)), Targets: near(r, town, 5), Costing: c, Options: s, Conditions: randomBends(r, town, round%2 == 0),
			}))
		}
	}
	t.Logf("%+v", sum)
	if sum.cells < 50*towns || sum.bent < 10*towns || sum.differ > sum.cells/100 {
		t.Errorf("%+v: the cases prove too little, or differ", sum)
	}
}

// TestBentIsochroneContains compares outlines with the times of a matrix on the
// same conditions: places well within the limit are inside.
func TestBentIsochroneContains(t *testing.T) {
	towns := searchtest.Cases(8)
	inside, outside, beside := 0, 0, 0
	for seed := range uint64(towns) {
		r := rand.New(rand.NewPCG(seed, 52))
		town := randomTown(t, r)
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		e.SetLive(snapshot(r, e, town))
		for round := range 6 {
			b := randomBends(r, town, round%2 == 0)
			reverse := r.IntN(2) == 0
			if b.When != nil && b.When.Type != engine.Invariant {
				b.When.Type = engine.Depart
				if reverse {
					b.When.Type = engine.Arrive
				}
			}
			place, others := near(r, town, 1), near(r, town, 60)
			for i := range others {
				others[i].Filter.ExcludeClosures = true // an outline is of roads that are open
			}
			m := engine.MatrixRequest{Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Conditions: b}
			list, ok := passages(t, e, m, place, others, reverse)
			if !ok {
				continue
			}
			none, minutes := 0.0, 0.5+2*r.Float64()
			asked := &engine.IsochroneRequest{
				Location: place[0], Costing: costing.Auto, Options: m.Options, Contours: []engine.Contour{{Minutes: minutes}}, Polygons: true, Reverse: reverse, Denoise: &none, Conditions: b,
			}
			a, err := e.Isochrone(t.Context(), asked)
			if err != nil {
				t.Fatal(err)
			}
			area := enginetest.ReadArea(t, asked, a)[0]
			for _, j := range list {
				cell, at := j.cell, j.at
				in := area.Contains(at.Point)
				switch {
				case at.Miss != "":
				case cell.Reached && cell.Seconds < minutes*60-10:
					if excused(b, at.Point) || b.When != nil && b.When.Type == engine.Arrive {
						continue // and who arrives early is not within reach of the end of the time
					}
					inside++
					if !in {
						t.Errorf("seed %d, round %d, reverse %v: %v takes %.0f s of %g min and is outside", seed, round, reverse, at.Point, cell.Seconds, minutes)
					}
				case !cell.Reached || cell.Seconds > minutes*60+10:
					outside++
					if in {
						beside++
					}
				}
			}
		}
	}
	t.Logf("%d inside, %d outside, %d of them beside a road within reach", inside, outside, beside)
	if inside < 10*towns || outside < 50*towns || beside > outside/8 {
		t.Errorf("%d inside, %d outside, %d of them beside a road within reach", inside, outside, beside)
	}
}

// excused reports whether a place lies on a road that something excluded cuts:
// such a road is within reach as far as the cut, which an outline leaves out.
func excused(b engine.Conditions, p geo.Point) bool {
	for _, ring := range b.ExcludePolygons {
		for _, corner := range ring {
			if geo.Distance(corner, p) < 650 {
				return true
			}
		}
	}
	return len(b.ExcludeLocations) > 0
}

// TestBentStops checks that no work is done for a caller who has gone.
func TestBentStops(t *testing.T) {
	side := searchtest.Cases(300)
	e, places := county(t)
	for name, b := range map[string]engine.Conditions{
		"at a time":        {When: &engine.When{Type: engine.Depart, Local: time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)}},
		"arriving":         {When: &engine.When{Type: engine.Arrive, Local: time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)}},
		"past a polygon":   {ExcludePolygons: []geo.Ring{around(places(1)[0].Point, 300)}},
		"polygon and time": {ExcludePolygons: []geo.Ring{around(places(1)[0].Point, 300)}, When: &engine.When{Type: engine.Invariant, Local: time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)}},
	} {
		big := &engine.MatrixRequest{Sources: places(side), Targets: places(side), Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Conditions: b}
		goneHalfWay(t, name, func(ctx context.Context) error {
			_, err := e.Matrix(ctx, big)
			return err
		})
	}
	settled(t, e) // nothing is held for those who have gone
}
