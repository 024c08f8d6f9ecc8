package transit_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
)

func (w *town) indexes() []*timetable.Index { return []*timetable.Index{w.place.Timetable} }

// at returns a time of the day of the tests.
func at(clock string, arrive bool) *engine.When {
	local, err := time.Parse(engine.TimeForm, "2026-03-02T"+clock)
	if err != nil {
		panic(err)
	}
	if arrive {
		return &engine.When{Type: engine.Arrive, Local: local}
	}
	return &engine.When{Type: engine.Depart, Local: local}
}

func rides(when *engine.When) *transit.Ride {
	return &transit.Ride{When: when, ArriveBy: when != nil && when.Type == engine.Arrive, Share: 50, MaxChanges: 4, MaxWalk: 300, MinChange: 60, Modes: timetable.All}
}

// somewhere draws places on the streets of the river, and some beside them.
func (w *town) somewhere(r *rand.Rand, n int) (list []geo.Point) {
	streets := []string{"ab", "bc", "ce", "fg", "gi", "ij", "ci"}
	for range n {
		s := streets[r.IntN(len(streets))]
		p := w.Between(s[:1], s[1:], r.Float64())
		p.Lat += (r.Float64() - 0.5) * 0.0002
		list = append(list, p)
	}
	return list
}

// TestReachMatrixIsOfJourneys compares each cell with the best journey from door to door, or
// the walk, at a time of departure and of arrival, without and with trip updates.
func TestReachMatrixIsOfJourneys(t *testing.T) {
	w, r := river(t), rand.New(rand.NewPCG(1, 2))
	w.areOfJourneys(t, r)
	now := w.service.Now()
	w.service.Updates = updates(t, siri(t, now, "one4 A 08:00 7", "one5 A 08:30 4", "two5 C 08:50 2", "two6", "one17 A 14:30 40", "two17"), now)
	w.areOfJourneys(t, r)
}

func (w *town) areOfJourneys(t *testing.T, r *rand.Rand) {
	t.Helper()
	reached, ridden := 0, 0
	for _, when := range []*engine.When{at("08:00", false), at("08:31", false), at("09:00", true), at("14:50", false)} {
		sources, targets := w.somewhere(r, 8), w.somewhere(r, 10)
		m, err := w.service.ReachMatrix(t.Context(), w.indexes(), w.place, sources, targets, rides(when))
		if err != nil {
			t.Fatal(err)
		}
		for i, from := range sources {
			for j, to := range targets {
				q := w.asks("a", "b", func(q *transit.JourneysRequest) {
					q.From, q.To, q.At, q.ArriveBy, q.Window = from, to, when.Local, when.Type == engine.Arrive, 0
				})
				best := -1.0
				for _, found := range w.find(t, q).Journeys {
					took := seconds(t, found.Arrive).Sub(when.Local).Seconds()
					if q.ArriveBy {
						took = when.Local.Sub(seconds(t, found.Depart)).Seconds()
					}
					if best < 0 || took < best {
						best = took
						if len(found.Legs) > 1 {
							ridden++
						}
					}
				}
				cell := m.Matrix.Cells[i][j]
				if cell.Reached {
					reached++
				}
				if cell.Reached != (best >= 0) || cell.Reached && cell.Seconds != best {
					t.Errorf("%v, %v to %v: %+v, the best journey takes %g s", when.Local, from, to, cell, best)
				}
			}
		}
	}
	if reached < 50 || ridden < 20 {
		t.Errorf("%d cells are reached and %d by vehicle", reached, ridden)
	}
}

func seconds(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestReachOfAWindow compares durations of a window with those of its departures, each asked
// for by itself.
func TestReachOfAWindow(t *testing.T) {
	w := river(t)
	from, to := []geo.Point{w.Point("b")}, []geo.Point{w.Point("e"), w.Point("g"), w.Point("a")}
	for _, arrive := range []bool{false, true} {
		took := make([][]float64, len(to))
		for n := range 30 {
			clock := fmt.Sprintf("08:%02d", n)
			if arrive {
				clock = fmt.Sprintf("08:%02d", 59-n)
			}
			m, err := w.service.ReachMatrix(t.Context(), w.indexes(), w.place, from, to, rides(at(clock, arrive)))
			if err != nil {
				t.Fatal(err)
			}
			for j := range to {
				if c := m.Matrix.Cells[0][j]; c.Reached {
					took[j] = append(took[j], c.Seconds)
				}
			}
		}
		for _, share := range []int{1, 40, 50, 100} {
			clock := "08:00"
			if arrive {
				clock = "08:59"
			}
			q := rides(at(clock, arrive))
			q.Window, q.Share = 30, share
			m, err := w.service.ReachMatrix(t.Context(), w.indexes(), w.place, from, to, q)
			if err != nil {
				t.Fatal(err)
			}
			for j := range to {
				c := m.Matrix.Cells[0][j]
				within := 0
				for _, s := range took[j] {
					if s <= c.Seconds {
						within++
					}
				}
				fewer := 0
				for _, s := range took[j] {
					if s < c.Seconds {
						fewer++
					}
				}
				if !c.Reached || within*100 < share*30 || fewer*100 >= share*30 {
					t.Errorf("arrive %v, %d %%, to %d: %+v, which %d of 30 do not exceed and %d are below", arrive, share, j, c, within, fewer)
				}
			}
		}
	}
}

// contains reports whether a place is within an outline.
func contains(o *engine.Outline, p geo.Point) bool {
	inside := func(ring []geo.Point) (in bool) {
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			if (a.Lat > p.Lat) != (b.Lat > p.Lat) && p.Lon < a.Lon+(p.Lat-a.Lat)/(b.Lat-a.Lat)*(b.Lon-a.Lon) {
				in = !in
			}
		}
		return in
	}
	for _, poly := range o.Polygons {
		hole := false
		for _, h := range poly.Holes {
			hole = hole || inside(h)
		}
		if inside(poly.Outer) && !hole {
			return true
		}
	}
	return false
}

// TestReachOutlineIsOfTheMatrix compares outlines with the durations of a matrix: a place on
// a street is within a contour where it takes no longer. What takes less than 20 s of
// walking, or 28 m, more or less is not compared: an outline is drawn so far beside its
// streets.
func TestReachOutlineIsOfTheMatrix(t *testing.T) {
	const slack = 20
	w, r := river(t), rand.New(rand.NewPCG(3, 4))
	inside, outside := 0, 0
	for _, c := range []struct {
		when          *engine.When
		window, share int
	}{{at("08:24", false), 0, 0}, {at("08:50", true), 0, 0}, {at("08:59", false), 0, 0}, {at("08:00", false), 30, 50}, {at("08:00", false), 20, 100}, {at("08:59", true), 30, 40}, {at("08:12", false), 15, 1}} {
		when, from := c.when, w.somewhere(r, 1)[0]
		ride := rides(when)
		ride.Window, ride.Share = c.window, c.share
		if c.window > 0 { // from within a walk of the first stop
			from = w.Point("b")
			if ride.ArriveBy {
				from = w.Point("g")
			}
		}
		q := &engine.IsochroneRequest{Location: engine.Location{Point: from}, Contours: []engine.Contour{{Minutes: 20}, {Minutes: 40}}, Polygons: true}
		a, about, err := w.service.ReachOutline(t.Context(), w.indexes(), w.place, q, ride)
		if err != nil {
			t.Fatal(err)
		}
		if about.Window != c.window {
			t.Errorf("%+v", about)
		}
		places := w.somewhere(r, 100)
		ride.MaxWalk = 5000 // an outline has longer walks from the last stop
		sources, targets := []geo.Point{from}, places
		if ride.ArriveBy {
			sources, targets = places, []geo.Point{from}
		}
		m, err := w.service.ReachMatrix(t.Context(), w.indexes(), w.place, sources, targets, ride)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range places {
			cell := m.Matrix.Cells[0][min(i, len(m.Matrix.Cells[0])-1)]
			if ride.ArriveBy {
				cell = m.Matrix.Cells[i][0]
			}
			for n := range a.Outlines {
				limit := a.Outlines[n].Minutes * 60
				got := contains(&a.Outlines[n], p)
				switch {
				case cell.Reached && cell.Seconds < limit-slack:
					inside++
					if !got {
						t.Errorf("%v from %v: %v takes %g s and is not within %g", when.Local, from, p, cell.Seconds, limit)
					}
				case !cell.Reached || cell.Seconds > limit+slack:
					outside++
					if got {
						t.Errorf("%v from %v: %v takes %g s and is within %g", when.Local, from, p, cell.Seconds, limit)
					}
				}
			}
		}
	}
	if inside < 100 || outside < 100 {
		t.Errorf("%d places are within and %d are not", inside, outside)
	}
}

// TestReachAtNight outlines what is within reach once no vehicle goes: it is what is within
// reach on foot.
func TestReachAtNight(t *testing.T) {
	w, none := river(t), 0.0
	q := &engine.IsochroneRequest{Location: engine.Location{Point: w.Point("b")}, Contours: []engine.Contour{{Minutes: 30}}, Polygons: true, Denoise: &none}
	night, _, err := w.service.ReachOutline(t.Context(), w.indexes(), w.place, q, rides(at("20:00", false)))
	if err != nil {
		t.Fatal(err)
	}
	day, _, err := w.service.ReachOutline(t.Context(), w.indexes(), w.place, q, rides(at("08:25", false)))
	if err != nil {
		t.Fatal(err)
	}
	foot := *q
	foot.Costing, foot.Options = costing.Pedestrian, w.asks("a", "b", nil).Walking
	walked, err := w.place.Engine.Isochrone(t.Context(), &foot)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(night.Outlines, walked.Outlines) || reflect.DeepEqual(day.Outlines, walked.Outlines) {
		t.Errorf("at night %v, by day %v, on foot %v", night.Outlines, day.Outlines, walked.Outlines)
	}
}

// TestReachWithUpdates asks what trip updates change: a bus that is late, one that is cancelled,
// a change that is missed, a day that has none. The answer says so where it counts.
func TestReachWithUpdates(t *testing.T) {
	w := river(t)
	now := w.service.Now()
	away := at("08:00", false)
	away.Local = away.Local.AddDate(0, 0, 1)
	for _, c := range []struct {
		name, updates string // the bus of eight o'clock, or the next one from C at 08:20
		when          *engine.When
		to            string
		seconds       float64
		basis         string
	}{
		{"nothing", "one9", at("08:00", false), "e", 600, "timetable"},
		{"late", "one4 A 08:00 7", at("08:00", false), "e", 1020, "live"},
		{"late, and not ridden", "one5 A 08:30 7", at("08:00", false), "e", 600, "timetable"},
		{"late, and the change is reached", "one4 A 08:00 5", at("08:00", false), "f", 1740, "live"},
		{"late, and the change is missed", "one4 A 08:00 15", at("08:00", false), "f", 3540, "live"},
		{"late into what is asked", "one4 A 08:00 5", at("08:03", false), "e", 720, "live"},
		{"cancelled", "one4", at("08:00", false), "e", 2400, "timetable"},
		{"on another day", "one4 A 08:00 7", away, "e", 600, "timetable"},
		{"to be there", "one4 A 08:00 7", at("08:16", true), "e", 2760, "timetable"}, // by the bus before
		{"to be there, later", "one4 A 08:00 7", at("08:20", true), "e", 780, "live"},
		{"on foot", "one4 A 08:00 7", at("08:00", false), "b", 142, "timetable"},
	} {
		w.service.Updates = updates(t, siri(t, now, c.updates), now)
		from := w.Point("a")
		m, err := w.service.ReachMatrix(t.Context(), w.indexes(), w.place, []geo.Point{from}, []geo.Point{w.Point(c.to)}, rides(c.when))
		if err != nil {
			t.Fatal(err)
		}
		if cell := m.Matrix.Cells[0][0]; !cell.Reached || cell.Seconds != c.seconds || m.Basis != c.basis || m.Updates == nil || m.Updates.Joined != 1 || !slices.Contains(m.Attribution, "Updates by Town") {
			t.Errorf("%s: %+v, want %g, %+v", c.name, cell, c.seconds, m.Reach)
		}
		if c.when.Type == engine.Arrive {
			continue
		}
		q := &engine.IsochroneRequest{Location: engine.Location{Point: from}, Contours: []engine.Contour{{Minutes: c.seconds/60 - 2}, {Minutes: c.seconds/60 + 1}}, Polygons: true}
		a, about, err := w.service.ReachOutline(t.Context(), w.indexes(), w.place, q, rides(c.when))
		if err != nil {
			t.Fatal(err)
		}
		for n := range a.Outlines {
			if within := a.Outlines[n].Minutes*60 > c.seconds; contains(&a.Outlines[n], w.Point(c.to)) != within {
				t.Errorf("%s: within %g minutes: %v", c.name, a.Outlines[n].Minutes, !within)
			}
		}
		if c.basis == "live" && about.Basis != "live" || about.Updates == nil {
			t.Errorf("%s: %+v", c.name, about)
		}
	}
}
