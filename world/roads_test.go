package world

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// bypass returns a main road from a to d over b and c, and a longer one past it.
func bypass(t *testing.T) *towntest.Town {
	return towntest.Draw(t, `
		a----b----c----d
		|              |
		e--------------f`,
		towntest.Ways{{"ab", "primary"}, {"bc", "primary"}, {"cd", "primary"}, {"ae", "residential"}, {"ef", "residential"}, {"fd", "residential"}})
}

// scene is a town in service with feeds.
type scene struct {
	t     *testing.T
	town  *towntest.Town
	set   *Set
	roads *Roads
	now   time.Time
	dir   string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, town: bypass(t), now: time.Now(), dir: t.TempDir()}
	var err error
	if s.set, err = Open(Options{Dirs: []string{s.town.Region(t).Dir}, MetricMemory: 64 << 20, Log: slog.New(slog.DiscardHandler)}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.set.Close)
	s.roads = NewRoads(slog.New(slog.DiscardHandler))
	s.roads.Now = func() time.Time { return s.now }
	return s
}

// feed has a feed of a kind say something; the file can be written anew.
func (s *scene) feed(kind, name, text string) *feed.Feed[*traffic.Document] {
	s.t.Helper()
	return s.feedAs("", kind, name, text)
}

// feedAs is feed in a format that cannot be told from the text.
func (s *scene) feedAs(format, kind, name, text string) *feed.Feed[*traffic.Document] {
	s.t.Helper()
	s.write(name, text)
	if _, err := s.roads.Add(feed.Options{Now: func() time.Time { return s.now }}, feed.Source{ID: strings.TrimSuffix(name, filepath.Ext(name)), Kind: kind, Format: format, URL: filepath.Join(s.dir, name)}); err != nil {
		s.t.Fatal(err)
	}
	f := s.roads.feeds[len(s.roads.feeds)-1].Feed
	if err := f.Poll(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	return f
}

func (s *scene) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// region refreshes and gives the region.
func (s *scene) region() *Region {
	s.t.Helper()
	s.roads.refresh(s.t.Context(), s.set)
	w, done := s.set.Acquire()
	defer done()
	return w.Regions()[0]
}

// passes reports whether the way of now from a to d goes by the main road.
func (s *scene) passes(when *engine.When) bool {
	s.t.Helper()
	r := s.region()
	a, err := r.Engine.Route(s.t.Context(), &engine.RouteRequest{Costing: costing.Auto, Locations: engine.Stops([]geo.Point{s.town.Point("a"), s.town.Point("d")}), Conditions: engine.Conditions{When: when}, Want: engine.WantLine})
	if err != nil {
		s.t.Fatal(err)
	}
	return a.Routes[0].Bounds.Min.Lat > s.town.Between("a", "e", 0.9).Lat
}

func (s *scene) point(at string) string {
	p := s.town.Point(at)
	return fmt.Sprintf("[%.7f,%.7f]", p.Lon, p.Lat)
}

func (s *scene) closure(props string) string {
	return fmt.Sprintf(`{"features":[{"id":"x","geometry":{"type":"LineString","coordinates":[%s,%s]},"properties":{%s}}]}`, s.point("b"), s.point("c"), props)
}

// TestFeedsChangeRoads has feeds close and slow a road, and fall silent.
func TestFeedsChangeRoads(t *testing.T) {
	now := &engine.When{}
	for _, c := range []struct {
		name, kind, props string
		main              bool
	}{
		{"a closure of a traffic feed", "traffic", `"closed":true`, false},
		{"a closure of an incident feed", "incidents", `"closed":true,"kind":"closure"`, false},
		{"an incident", "incidents", `"kind":"accident","severity":"high"`, true},
		{"a queue", "traffic", `"speed_kph":2`, false},
		{"free flow", "traffic", `"speed_kph":90`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			s.feed(c.kind, "feed.json", s.closure(c.props))
			if got := s.passes(now); got != c.main {
				t.Errorf("by the main road: %v", got)
			}
			r := s.region().Roads()
			if r.Sources[0].OnRoads == 0 || r.Sources[0].Missed != 0 || r.Reports != nil && len(r.Reports.Incidents) != strings.Count(c.props, "kind") {
				t.Errorf("the state is %+v, %+v", r.Sources, r.Reports)
			}
			// An hour later nobody has said anything new.
			s.now = s.now.Add(time.Hour)
			if !s.passes(now) {
				t.Error("what was said an hour ago still counts")
			}
			if r := s.region().Roads(); !r.Sources[0].Stale {
				t.Error("the source is not stale")
			}
		})
	}
}

// TestTurnPenalties has a file of turn penalties slow a turn, for as long as its source
// speaks.
func TestTurnPenalties(t *testing.T) {
	s := newScene(t)
	id := s.town.NodeID
	line := func(from, via, to, seconds int64) string { return fmt.Sprintf("%d,%d,%d,%d\n", from, via, to, seconds) }
	f := s.feedAs("turns", "traffic", "turns.csv", line(id("a"), id("b"), id("c"), 900)+line(id("a"), id("b"), id("f"), 900)+line(id("a"), id("b"), id("c"), -5))
	now := &engine.When{}
	if s.passes(now) || !s.passes(nil) {
		t.Error("the turn is not slow now, or is without a time")
	}
	x := s.region().Roads().Sources[0]
	if x.Records != 2 || x.OnRoads != 1 || x.Missed != 1 || x.Rejected != 1 || f.Status().Rejects[0].Reason != "penalty out of range" {
		t.Errorf("the state is %+v, %+v", x, f.Status().Rejects)
	}
	s.now = s.now.Add(time.Hour)
	if !s.passes(now) {
		t.Error("what was said an hour ago still counts")
	}
}

// TestFeedsGo checks that the state of a feed no longer counts once it is removed.
func TestFeedsGo(t *testing.T) {
	s := newScene(t)
	f := s.feed("traffic", "feed.json", s.closure(`"closed":true`))
	if s.passes(&engine.When{}) {
		t.Fatal("the road is not closed")
	}
	s.roads.Remove("none")
	s.roads.Remove(f.Source().ID)
	if !s.passes(&engine.When{}) || len(s.region().Roads().Sources) != 0 {
		t.Error("the state of a removed feed still counts")
	}
}

// TestKnownTraffic checks what is reported of traffic along a way.
func TestKnownTraffic(t *testing.T) {
	s := newScene(t)
	if s.region().KnownTraffic() != nil {
		t.Error("traffic is known without a source")
	}
	s.feed("traffic", "feed.json", s.closure(`"speed_kph":30`))
	line := []geo.Point{s.town.Point("a"), s.town.Point("d")}
	shares := func(c engine.Conditions, after float64) engine.Shares {
		t.Helper()
		got, err := s.region().KnownTraffic().Shares(t.Context(), costing.Auto, &c, engine.Stretch{Line: line, Seconds: 60, After: after})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	third := func(v float64) bool { return v > 0.25 && v < 0.42 }
	now := engine.Conditions{When: &engine.When{}}
	if got := shares(now, 0); !third(got.Covered) || !third(got.Live) || got.Usual != 0 {
		t.Errorf("now: %+v", got)
	}
	if got := shares(now, 3600); !third(got.Covered) || got.Live != 0 {
		t.Errorf("in an hour: %+v", got)
	}
	for name, c := range map[string]engine.Conditions{
		"no time": {}, "later": {When: &engine.When{Type: engine.Depart, Local: s.now}}, "without current": {When: &engine.When{}, SpeedTypes: []string{"predicted"}},
	} {
		if got := shares(c, 0); !third(got.Covered) || got.Live != 0 || got.Default != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	line = []geo.Point{s.town.Point("d"), s.town.Point("a")} // nothing is known of the other direction
	if got := shares(now, 0); got.Covered != 0 || got.Live != 0 {
		t.Errorf("the other way: %+v", got)
	}
	line = []geo.Point{s.town.Point("a"), s.town.Point("d")}
	s.now = s.now.Add(6 * time.Minute)
	if got, k := shares(now, 0), s.region().KnownTraffic(); got.Live != 0 || !third(got.Covered) || !k.Stale {
		t.Errorf("after six minutes: %+v, stale %v", got, k.Stale)
	}
}

// TestOldMeasurements has a source speak on and on of speeds that were measured once:
// they are too old after five minutes, and not before.
func TestOldMeasurements(t *testing.T) {
	s := newScene(t)
	measured := s.now.Truncate(time.Second)
	text := s.closure(`"speed_kph":30,"measured_at":"` + measured.UTC().Format(time.RFC3339) + `"`)
	f := s.feed("traffic", "feed.json", text)
	for _, c := range []struct {
		after time.Duration
		old   bool
	}{{0, false}, {4*time.Minute + 50*time.Second, false}, {5*time.Minute + 2*time.Second, true}, {8 * time.Minute, true}} {
		s.now = measured.Add(c.after)
		if err := f.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		k := s.region().KnownTraffic()
		got, err := k.Shares(t.Context(), costing.Auto, &engine.Conditions{When: &engine.When{}}, engine.Stretch{Line: []geo.Point{s.town.Point("b"), s.town.Point("c")}})
		if err != nil || k.Stale != c.old || (got.Live > 0) == c.old || got.Covered == 0 {
			t.Errorf("after %s: %+v, stale %v, %v", c.after, got, k.Stale, err)
		}
		if at := s.region().Roads().Sources[0].At; !at.Equal(measured) || !strings.Contains(k.Note, measured.UTC().Format(time.RFC3339)) {
			t.Errorf("after %s: of %v, %q", c.after, at, k.Note)
		}
	}
	// One that does not say when it was measured is as old as its source.
	s.write("feed.json", s.closure(`"speed_kph":30`))
	if err := f.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if k := s.region().KnownTraffic(); k.Stale {
		t.Error("what was reported just now is old")
	}
}

// TestOneOldMeasurement has one of two roads be measured no more: a way by it is stale, and
// one by the other is not.
func TestOneOldMeasurement(t *testing.T) {
	s := newScene(t)
	record := func(from, to string, at time.Time) string {
		return fmt.Sprintf(`{"geometry":{"type":"LineString","coordinates":[%s,%s]},"properties":{"id":"%s%s","speed_kph":30,"measured_at":"%s"}}`, s.point(from), s.point(to), from, to, at.UTC().Format(time.RFC3339))
	}
	s.feed("traffic", "feed.json", `{"features":[`+record("a", "b", s.now)+`,`+record("c", "d", s.now.Add(-6*time.Minute))+`]}`)
	k := s.region().KnownTraffic()
	for ends, want := range map[string]bool{"ab": false, "cd": true, "ad": false, "ef": false} {
		shares, err := k.Shares(t.Context(), costing.Auto, &engine.Conditions{When: &engine.When{}}, engine.Stretch{Line: []geo.Point{s.town.Point(ends[:1]), s.town.Point(ends[1:])}})
		if err != nil || k.StaleFor(shares) != want {
			t.Errorf("%s: %+v, stale %v, want %v (%v)", ends, shares, !want, want, err)
		}
	}
}

// TestWholeRegionClosed checks that a feed that closes everything is not believed.
func TestWholeRegionClosed(t *testing.T) {
	if float64(leastClosed) < 100 || mostClosed > 0.5 {
		t.Fatal("the bounds are too wide")
	}
	s := newScene(t)
	s.feed("traffic", "feed.json", `{"records":[{"shape":"_izlhA~rlgdF_{geC~ywl@","closed":true}]}`)
	if !s.passes(&engine.When{}) || s.region().Roads().Sources[0].Missed != 1 {
		t.Error("a line across the world closes a road")
	}
}

func TestReadProfile(t *testing.T) {
	p, rejected, err := ReadProfile(strings.NewReader("from_node,to_node,hour,speed_kph\n1,2,8,20\n1,2,10,20\n1,2,9,0\n1,2,168,20\n1,2,x,20\n2,3,167,30.4\n"))
	if err != nil || rejected != 2+1 || len(p.hours[8]) != 1 || p.hours[167][0].Kmh != 30 {
		t.Errorf("read %v, %d rejected, %v", p, rejected, err)
	}
	for _, text := range []string{"", "<html>", "a,b\n"} {
		if _, _, err := ReadProfile(strings.NewReader(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func FuzzReadProfile(f *testing.F) {
	f.Add("1,2,8,20\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, _, err := ReadProfile(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, list := range p.hours {
			for _, s := range list {
				if s.Kmh == 0 || s.Kmh > 250 {
					t.Fatalf("read %v", s)
				}
			}
		}
	})
}

// TestLearn has a server keep what is live for an hour in each of two weeks, and
// learns usual speeds from it.
func TestLearn(t *testing.T) {
	s := newScene(t)
	s.roads.History = t.TempDir()
	s.now = time.Date(2026, 5, 4, 8, 5, 0, 0, time.UTC) // a Monday; 9:05 by the roads' clocks
	f := s.feed("traffic", "feed.json", s.closure(`"speed_kph":20`))
	var zone *time.Location
	for _, kmh := range []string{"20", "30"} {
		s.write("feed.json", s.closure(`"speed_kph":`+kmh))
		later := s.now.Add(time.Second)
		if err := os.Chtimes(filepath.Join(s.dir, "feed.json"), later, later); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := f.Poll(t.Context()); err != nil {
				t.Fatal(err)
			}
			zone = s.region().Kernel().Zone()
			s.now = s.now.Add(7 * time.Minute)
		}
		s.now = s.now.Add(7*24*time.Hour - 21*time.Minute)
	}
	dir := filepath.Join(s.roads.History, s.region().ID)
	var out strings.Builder
	learned, err := Learn(dir, 2, &out)
	if err != nil || learned.Files != 2 || learned.Speeds == 0 {
		t.Fatalf("learned %+v, %v", learned, err)
	}
	p, rejected, err := ReadProfile(strings.NewReader(out.String()))
	if err != nil || rejected != 0 {
		t.Fatal(err, rejected)
	}
	hour := time.Date(2026, 5, 4, 8, 5, 0, 0, time.UTC).In(zone).Hour()
	if list := p.hours[hour]; len(list) != learned.Speeds || list[0].Kmh != 25 {
		t.Errorf("on Monday at %d the speeds are %v", hour, list)
	}
	s.roads.SetProfile(p)
	if r := s.region().Roads(); r.Live.Profile.Edges() != learned.Speeds {
		t.Errorf("%d edges have usual speeds, of %d", r.Live.Profile.Edges(), learned.Speeds)
	}
	if _, err := Learn(t.TempDir(), 1, &out); err == nil {
		t.Error("an empty folder taught something")
	}
}

// TestNoRoomForAMetric checks that the log says that a setting is too small for a region.
func TestNoRoomForAMetric(t *testing.T) {
	for memory, warned := range map[int64]bool{0: false, 1: true, 64 << 20: false, EnoughMemory: false} {
		var log strings.Builder
		set, err := Open(Options{Dirs: []string{bypass(t).Region(t).Dir}, MetricMemory: memory, Log: slog.New(slog.NewJSONHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		set.Close()
		if got := strings.Contains(log.String(), "SVC_METRIC_MEMORY"); got != warned {
			t.Errorf("with %d bytes: %s", memory, log.String())
		}
	}
}
