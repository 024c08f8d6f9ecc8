package progress_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/progress"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/towntest"
)

// block returns a street with a way round its middle, which no fastest route takes.
func block(t *testing.T) *towntest.Town {
	t.Helper()
	return towntest.Draw(t, `
		a---b---c---d
		    |   |
		    e---f`,
		towntest.Ways{{"abcd", "residential"}, {"befc", "residential"}}, towntest.Cell(300))
}

// newService returns the service on a town's own roads.
func newService(t *testing.T, town *towntest.Town) *progress.Service {
	t.Helper()
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return &progress.Service{Engine: e}
}

var morning = time.Date(2026, 5, 1, 10, 0, 0, 700_000_000, time.UTC)

// request returns that of a walker, with the usual options.
func request(t *testing.T, position geo.Point, plan ...geo.Point) *progress.Request {
	t.Helper()
	options, unknown, bad := costing.Parse(costing.Pedestrian, nil, "")
	if len(unknown)+len(bad) > 0 {
		t.Fatal(unknown, bad)
	}
	return &progress.Request{Costing: costing.Pedestrian, Options: options, Position: position, Line: plan, At: morning}
}

func of(t *testing.T, s *progress.Service, r *progress.Request) *progress.Progress {
	t.Helper()
	p, err := s.Of(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func points(town *towntest.Town, places string) []geo.Point {
	var list []geo.Point
	for _, p := range places {
		list = append(list, town.Point(string(p)))
	}
	return list
}

func near(got, want, within float64) bool { return math.Abs(got-want) <= within }

// walked returns the seconds that a walker takes for metres of level road.
func walked(metres float64) float64 { return metres / (5.1 / 3.6) }

// TestOnTheWay follows a walker along the street.
func TestOnTheWay(t *testing.T) {
	town := block(t)
	s := newService(t, town)
	plan := points(town, "abcd")
	whole, ab := geo.Length(plan), geo.Distance(plan[0], plan[1])
	for _, c := range []struct {
		name       string
		at         geo.Point
		behind, by float64
		index      int
		off        bool
	}{
		{"at the start", plan[0], 0, 0, 0, false},
		{"in the first stretch", town.Between("a", "b", 0.25), ab / 4, 0, 0, false},
		{"in the second stretch", town.Between("b", "c", 0.5), ab * 3 / 2, 0, 1, false},
		{"beside the road", geo.Destination(town.Between("b", "c", 0.5), 0, 40), ab * 3 / 2, 40, 1, false},
		{"off the road", geo.Destination(town.Between("b", "c", 0.5), 0, 60), ab * 3 / 2, 60, 1, true},
		{"at the end", plan[3], whole, 0, 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := of(t, s, request(t, c.at, plan...))
			if !near(p.Travelled, c.behind, 2) || !near(p.PlanLeft, whole-c.behind, 2) || !near(p.Planned, whole, 1) || !near(p.Fraction, c.behind/whole, 0.002) {
				t.Errorf("%+v, want %.0f of %.0f m behind", p, c.behind, whole)
			}
			if p.OffRoute != c.off || !near(p.OffRouteBy, c.by, 1) || p.Threshold != progress.DefaultOffRoute {
				t.Errorf("off the plan %v by %g m of %g, want %v by %g", p.OffRoute, p.OffRouteBy, p.Threshold, c.off, c.by)
			}
			if on := p.Snapped; on.ShapeIndex != c.index && !(c.index == 3 && on.ShapeIndex == 2) || !near(on.Bearing, 90, 1) || !near(on.Lat, plan[0].Lat, 1e-5) {
				t.Errorf("snapped to %+v, want on the street to the east at point %d", on, c.index)
			}
			if !near(p.Remaining, whole-c.behind, 5) || !near(p.RemainingDuration, walked(whole-c.behind), 5) {
				t.Errorf("%g m and %g s are left, want %.0f and %.0f", p.Remaining, p.RemainingDuration, whole-c.behind, walked(whole-c.behind))
			}
			if want := morning.Add(time.Duration(p.RemainingDuration * float64(time.Second))); p.At != morning || p.ETA.Nanosecond() != 0 || p.ETA.Sub(want).Abs() > time.Second || p.ETA.After(want.Add(60*time.Millisecond)) {
				t.Errorf("the ETA is %v, %g s after %v", p.ETA, p.RemainingDuration, p.At)
			}
			if noted := strings.Contains(p.Note, "off the plan"); p.FollowsPlan == c.off || noted != c.off {
				t.Errorf("follows the plan: %v, %q", p.FollowsPlan, p.Note)
			}
		})
	}
}

// TestThreshold takes the request's own bound.
func TestThreshold(t *testing.T) {
	town := block(t)
	s := newService(t, town)
	r := request(t, geo.Destination(town.Between("a", "b", 0.5), 0, 60), points(town, "abcd")...)
	for threshold, off := range map[float64]bool{0: true, 55: true, 65: false} {
		r.OffRoute = threshold
		if p := of(t, s, r); p.OffRoute != off {
			t.Errorf("60 m beside a plan with a bound of %g m: off is %v", threshold, p.OffRoute)
		}
	}
}

// TestEndsInPlaceOfALine plans the way itself.
func TestEndsInPlaceOfALine(t *testing.T) {
	town := block(t)
	r := request(t, town.Point("b"))
	r.Ends = [2]geo.Point{town.Point("a"), town.Point("d")}
	whole := geo.Length(points(town, "abcd"))
	if p := of(t, newService(t, town), r); !near(p.Planned, whole, 3) || !near(p.Travelled, whole/3, 3) || !p.FollowsPlan {
		t.Errorf("%+v, want a third of %.0f m behind", p, whole)
	}
}

// TestKeepsToThePlan has a plan go round the block, where the fastest way goes
// straight on: what is left is what the plan has left.
func TestKeepsToThePlan(t *testing.T) {
	town := block(t)
	plan := points(town, "abefcd")
	p := of(t, newService(t, town), request(t, town.Between("a", "b", 0.5), plan...))
	left := geo.Length(plan) - geo.Distance(plan[0], plan[1])/2
	if !p.FollowsPlan || !near(p.Remaining, left, 10) || !near(p.RemainingDuration, walked(left), 10) || p.Note != "" {
		t.Errorf("%+v, want %.0f m along the plan", p, left)
	}
}

// TestCannotKeepToThePlan has a plan leave the roads: what is left is the
// engine's way, and the answer says so.
func TestCannotKeepToThePlan(t *testing.T) {
	town := block(t)
	far := geo.Destination(town.Point("b"), 0, 700)
	plan := []geo.Point{town.Point("a"), town.Point("b"), far, town.Point("c"), town.Point("d")}
	p := of(t, newService(t, town), request(t, town.Between("a", "b", 0.5), plan...))
	roads := geo.Length(points(town, "abcd")) - geo.Distance(plan[0], plan[1])/2
	if p.FollowsPlan || !near(p.Remaining, roads, 10) || p.PlanLeft < roads+500 || !strings.Contains(p.Note, "not the rest of the plan") {
		t.Errorf("%+v, want %.0f m by the roads", p, roads)
	}
}

// TestAPlaceThatIsPassedTwice is decided by the heading, and by what is known to
// lie behind.
func TestAPlaceThatIsPassedTwice(t *testing.T) {
	town := block(t)
	s := newService(t, town)
	bc := geo.Distance(town.Point("b"), town.Point("c"))
	r := request(t, town.Between("b", "c", 0.25), points(town, "bcb")...)
	for _, c := range []struct {
		name    string
		heading *float64
		after   float64
		behind  float64
		by      float64 // metres to the plan
	}{
		{"nothing known", nil, 0, bc / 4, 0},
		{"going out", new(90.0), 0, bc / 4, 0},
		{"coming back", new(270.0), 0, bc * 7 / 4, 0},
		{"behind the turn", nil, bc * 1.1, bc * 7 / 4, 0},
		{"more is behind than there is", nil, 1e6, 2 * bc, bc / 4},
		{"a heading across, which neither way has", new(180.0), 0, bc / 4, 0},
	} {
		r.Heading, r.After = c.heading, c.after
		if p := of(t, s, r); !near(p.Travelled, c.behind, 2) || !near(p.OffRouteBy, c.by, 1) {
			t.Errorf("%s: %g m are behind and the plan is %g m away, want %.0f and %.0f", c.name, p.Travelled, p.OffRouteBy, c.behind, c.by)
		}
	}
}

// TestAPlanWithoutLength is wholly behind.
func TestAPlanWithoutLength(t *testing.T) {
	town := block(t)
	a := town.Point("a")
	if p := of(t, newService(t, town), request(t, a, a, a)); p.Fraction != 1 || p.Planned != 0 || p.PlanLeft != 0 {
		t.Errorf("%+v", p)
	}
}

// silent is an engine that does not say what its speeds rest on, as a remote one.
type silent struct{ engine.Engine }

func (e silent) Can() engine.Can {
	can := e.Engine.Can()
	can.SpeedSources = nil
	return can
}

// TestTraffic claims no more than the engine says.
func TestTraffic(t *testing.T) {
	town := block(t)
	s := newService(t, town)
	r := request(t, town.Point("a"), points(town, "abcd")...)
	if got := of(t, s, r).Traffic; got.Live || got.CoveredPct != 0 || !slices.Equal(got.Sources, []string{"default"}) || !strings.Contains(got.Note, "no traffic data") {
		t.Errorf("by its own speeds: %+v", got)
	}
	s.Engine = silent{s.Engine}
	if got := of(t, s, r).Traffic; got.Live || got.CoveredPct != 0 || got.Sources == nil || len(got.Sources) != 0 || !strings.Contains(got.Note, "does not say") {
		t.Errorf("by a remote engine's: %+v", got)
	}
}

// TestTimes rests the ETA on what is live now, or on what is usual at the time of the
// position: here on Mondays from 8 to 9, by the clocks there.
func TestTimes(t *testing.T) {
	town := block(t)
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	profile, hours := overlay.NewProfile(e.Edges()), [overlay.HoursOfWeek]uint8{8: 5}
	for x := range e.Edges() {
		profile.Set(graph.Edge(x), hours)
	}
	e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Speeds: slices.Repeat([]uint8{10}, e.Edges()), Profile: profile}, nil))
	inNewYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	now, monday := time.Now(), time.Date(2030, 7, 1, 8, 30, 0, 0, inNewYork)
	kmh := [...]float64{0, 10, 5} // of free traffic, once it is seen; of what is live, which fades; of what is usual
	for _, c := range []struct {
		name    string
		at      time.Time
		zone    *time.Location
		types   []string
		speed   int
		sources []string
	}{
		{"without current and predicted speeds", now, nil, []string{"freeflow"}, 0, []string{"default"}},
		{"no time", time.Time{}, nil, nil, 1, []string{"live", "predicted"}},
		{"some minutes ago", now.Add(-4 * time.Minute), inNewYork, nil, 1, []string{"live", "predicted"}},
		{"half an hour ago", now.Add(-30 * time.Minute), nil, []string{"current"}, 0, []string{"default"}},
		{"a Monday morning", monday.UTC(), inNewYork, nil, 2, []string{"profile"}},
		{"an hour before", monday.UTC().Add(-time.Hour), inNewYork, nil, 0, []string{"profile"}},
		{"a Monday morning without predicted speeds", monday.UTC(), inNewYork, []string{"current"}, 0, []string{"default"}},
		{"a Monday morning by its offset", monday, nil, nil, 2, []string{"profile"}},
		{"a Monday morning there, in UTC", monday.UTC(), nil, nil, 0, []string{"profile"}},
	} {
		r := request(t, town.Point("a"), points(town, "abcd")...)
		r.Costing, r.At, r.Conditions.SpeedTypes = costing.Auto, c.at, c.types
		var unknown []string
		if r.Options, unknown, _ = costing.Parse(costing.Auto, nil, ""); unknown != nil {
			t.Fatal(unknown)
		}
		p := of(t, &progress.Service{
			Engine: e, Known: &engine.KnownTraffic{Along: e.TrafficAlong}, Now: func() time.Time { return now }, Zone: func(geo.Point) *time.Location { return c.zone },
		}, r)
		got := p.Remaining / p.RemainingDuration * 3.6
		if kmh[0] == 0 {
			kmh[0] = got
		}
		if want := kmh[c.speed]; !near(got, want, 0.3*want) || p.Traffic.Live != (c.speed == 1) || !slices.Equal(p.Traffic.Sources, c.sources) {
			t.Errorf("%s: %g km/h by %+v, want %g by %v", c.name, got, p.Traffic, want, c.sources)
		}
		if c.at.IsZero() && p.At != now.UTC() || !c.at.IsZero() && p.At != c.at.UTC() {
			t.Errorf("%s: the position is of %v", c.name, p.At)
		}
	}
}

// TestRefusalsNameTheMember says which member of the request has no road near.
func TestRefusalsNameTheMember(t *testing.T) {
	town := block(t)
	s := newService(t, town)
	sea := geo.Point{Lon: -30, Lat: 40}
	a, d := town.Point("a"), town.Point("d")
	ends := func(from, to, at geo.Point) *progress.Request {
		r := request(t, at)
		r.Ends = [2]geo.Point{from, to}
		return r
	}
	for want, r := range map[string]*progress.Request{
		"origin":      ends(sea, d, a),
		"destination": ends(a, sea, a),
		"position":    ends(a, d, sea),
		"shape":       request(t, a, a, sea),
	} {
		_, err := s.Of(t.Context(), r)
		var refusal *fault.Error
		if engine.Code(err) != engine.CodeNoSegment || !errors.As(err, &refusal) || refusal.Fields["field"] != want || !strings.HasPrefix(refusal.Detail, want+": ") {
			t.Errorf("no road near the %s: %v", want, err)
		}
	}
}
