package dispatch

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/wire/native/plan"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// midnight is when the plans of the tests begin.
var midnight = time.Date(2026, 5, 4, 0, 0, 0, 0, time.FixedZone("", 7200))

// scene is a table of plans with a clock.
type scene struct {
	*Service
	*testing.T
	now  time.Time
	over []string // keys at their end
}

func newScene(t *testing.T, address string) *scene {
	t.Helper()
	s := &scene{T: t, now: midnight.Add(7 * time.Hour)}
	var err error
	if s.Service, err = New(t.Context(), storetest.Open(t, address), func(_ context.Context, keys []string) ([]string, error) {
		return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return !slices.Contains(s.over, k) }), nil
	}, func() time.Time { return s.now }, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	return s
}

// stopAt returns a stop of ten minutes.
func stopAt(id string, arrival int64, windows ...plan.FleetWindow) plan.PublishedStop {
	return plan.PublishedStop{ID: plan.FleetID(id), Name: id + "\x00ö", Arrival: arrival, Begin: arrival, End: arrival + 600, Windows: windows}
}

func request(rounds ...plan.PublishedRound) *plan.PublishRequest {
	return &plan.PublishRequest{Name: "Monday", Begins: midnight, KeepDays: 2, Rounds: rounds}
}

func round(vehicle string, stops ...plan.PublishedStop) plan.PublishedRound {
	return plan.PublishedRound{Vehicle: plan.FleetID(vehicle), Stops: stops}
}

func (s *scene) publish(key string, r *plan.PublishRequest) *Published {
	s.Helper()
	p, err := s.Publish(s.Context(), key, r)
	if err != nil {
		s.Fatal(err)
	}
	return p
}

// token returns that of a new link.
func (s *scene) token(p *Published, vehicle, stop string) string {
	s.Helper()
	for _, l := range p.Links {
		if string(l.Stop) == stop && (stop != "" || string(l.Vehicle) == vehicle) {
			return l.Token
		}
	}
	s.Fatalf("no link of %s %s among %d", vehicle, stop, len(p.Links))
	return ""
}

// shut checks that a token opens nothing, with the same words as every other that opens nothing.
func (s *scene) shut(why, token string) {
	s.Helper()
	_, err := s.Driver(s.Context(), token)
	_, err2 := s.Arrival(s.Context(), token)
	_, err3 := s.Mark(s.Context(), token, []plan.StopMark{{Stop: "a", State: done, At: s.now}})
	for _, err := range []error{err, err2, err3} {
		if !fault.Is(err, fault.NotFound) || err.Error() != closed().Error() {
			s.Errorf("%s: %v", why, err)
		}
	}
}

func (s *scene) mark(token, stop, state, note string, at time.Time) *Driven {
	s.Helper()
	d, err := s.Mark(s.Context(), token, []plan.StopMark{{Stop: plan.FleetID(stop), State: state, Note: note, At: at}})
	if err != nil {
		s.Fatal(err)
	}
	return d
}

// states returns those of the stops of rounds, in their order.
func states(rounds ...Round) string {
	var all []string
	for _, r := range rounds {
		for _, stop := range r.Stops {
			all = append(all, string(stop.ID)+" "+stop.State)
		}
	}
	return strings.Join(all, ", ")
}

func TestLinks(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s := newScene(t, address)
		p := s.publish("key", request(round("v1", stopAt("a", 30000), stopAt("b", 36000)), round("v2", stopAt("c", 30000))))
		if len(p.Links) != 5 || len(p.Rounds) != 2 || p.Begins != "2026-05-04T00:00:00+02:00" || p.Expires != "2026-05-07T00:00:00+02:00" || p.Stops != 3 {
			t.Fatalf("%+v", p)
		}
		driver, second, of := s.token(p, "v1", ""), s.token(p, "v2", ""), s.token(p, "", "b")
		d, err := s.Driver(t.Context(), driver)
		if err != nil || states(d.Round) != "a open, b open" || d.Stops[0].Name != "a\x00ö" || d.Link != "" || d.Stops[0].Link != "" {
			t.Errorf("%+v, %v", d, err)
		}
		if a, err := s.Arrival(t.Context(), of); err != nil || a.State != open || a.ETA != "2026-05-04T10:00:00+02:00" {
			t.Errorf("%+v, %v", a, err)
		}
		// Each link opens its own kind alone.
		if _, err := s.Arrival(t.Context(), driver); !fault.Is(err, fault.NotFound) || err.Error() != closed().Error() {
			t.Errorf("a driver's link shows an arrival: %v", err)
		}
		if _, err := s.Driver(t.Context(), of); !fault.Is(err, fault.NotFound) {
			t.Errorf("the link of an arrival shows a round: %v", err)
		}
		for _, token := range []string{"", "x", driver[1:], driver + "A", strings.ToLower(driver), p.Rounds[0].Link, hashOf(driver), driver[:31] + "%", strings.Repeat("\x00", 32), strings.Repeat("ö", 16)} {
			s.shut("token "+token, token)
		}
		// No token and no note is stored as it is.
		if dump := storetest.Dump(t, s.db, "plans", "plan_rounds", "plan_links", "plan_marks"); strings.Contains(dump, driver) || strings.Contains(dump, of) || !strings.Contains(dump, hashOf(driver)) {
			t.Error("a token is in the database")
		}

		// A stop is reported by its own driver alone.
		if d := s.mark(second, "a", done, "", s.now); !slices.Equal(d.Ignored, []plan.FleetID{"a"}) {
			t.Errorf("%+v", d)
		}
		s.mark(driver, "a", failed, "nobody\x00 there", midnight.Add(32000*time.Second))
		s.now = midnight.Add(32000 * time.Second)
		p2, err := s.Get(t.Context(), "key", p.ID)
		if err != nil || states(p2.Rounds...) != "a failed, b open, c open" || p2.Rounds[0].Stops[0].Report != "nobody\x00 there" || p2.Rounds[0].Failed != 1 {
			t.Errorf("%+v, %v", p2, err)
		}

		// A link is revoked, or another takes its place.
		if err := s.Revoke(t.Context(), "other", p.ID, p.Rounds[0].Link); !fault.Is(err, fault.NotFound) {
			t.Errorf("another key revoked a link: %v", err)
		}
		if err := s.Revoke(t.Context(), "key", p.ID, p.Rounds[0].Link); err != nil {
			t.Fatal(err)
		}
		if err := s.Revoke(t.Context(), "key", p.ID, p.Rounds[0].Link); !fault.Is(err, fault.NotFound) {
			t.Errorf("revoked twice: %v", err)
		}
		s.shut("revoked", driver)
		p3, err := s.Replace(t.Context(), "key", p.ID, request(round("v1", stopAt("c", 40000), stopAt("a", 50000)), round("v3", stopAt("d", 30000))))
		if err != nil || len(p3.Links) != 2 || states(p3.Rounds...) != "c open, a failed, d open" || p3.Rounds[0].Link != "" {
			t.Fatalf("%+v, %v", p3, err)
		}
		s.shut("revoked, and published anew", driver)
		s.shut("of a stop that is gone", of)
		s.shut("of a vehicle that is gone", second)
		if a, err := s.Arrival(t.Context(), s.token(p, "", "c")); err != nil || a.ETA != "2026-05-04T11:06:00+02:00" {
			t.Errorf("the link of a stop that changed its vehicle: %+v, %v", a, err)
		}
		l, err := s.Relink(t.Context(), "key", p.ID, &plan.LinkRequest{Vehicle: "v1"})
		if err != nil {
			t.Fatal(err)
		}
		if d, err := s.Driver(t.Context(), l.Token); err != nil || states(d.Round) != "c open, a failed" {
			t.Errorf("%+v, %v", d, err)
		}
		of = s.token(p, "", "c")
		if _, err := s.Relink(t.Context(), "key", p.ID, &plan.LinkRequest{Stop: "c"}); err != nil {
			t.Fatal(err)
		}
		s.shut("of a stop with a new link", of)
		for _, r := range []plan.LinkRequest{{Vehicle: "v9"}, {Stop: "b"}} {
			if _, err := s.Relink(t.Context(), "key", p.ID, &r); !fault.Is(err, fault.NotFound) {
				t.Errorf("%+v: %v", r, err)
			}
		}
		if _, err := s.Relink(t.Context(), "other", p.ID, &plan.LinkRequest{Vehicle: "v1"}); !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}

		// Another key sees and changes nothing.
		if _, err := s.Get(t.Context(), "other", p.ID); !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
		if _, err := s.Replace(t.Context(), "other", p.ID, request(round("v1", stopAt("a", 1)))); !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
		if err := s.Service.Delete(t.Context(), "other", p.ID); !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
		if list, err := s.List(t.Context(), "other"); err != nil || len(list.Plans) != 0 {
			t.Errorf("%+v, %v", list, err)
		}
		if list, err := s.List(t.Context(), "key"); err != nil || len(list.Plans) != 1 || list.Plans[0].Stops != 3 {
			t.Errorf("%+v, %v", list, err)
		}

		// All goes with the plan: when it is deleted, at its end, and with its key.
		if err := s.Service.Delete(t.Context(), "key", p.ID); err != nil {
			t.Fatal(err)
		}
		s.shut("deleted", l.Token)
		empty := storetest.Dump(t, s.db, "plans", "plan_rounds", "plan_links", "plan_marks")
		if strings.Contains(empty, "v1") || strings.Contains(empty, "nobody") {
			t.Errorf("left: %s", empty)
		}
		ends, of2 := s.publish("key", request(round("v1", stopAt("a", 1)))), s.publish("over", request(round("v1", stopAt("a", 1))))
		tidy := func() {
			if err := s.Tidy(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Driver(t.Context(), s.token(of2, "v1", "")); err != nil {
			t.Error(err)
		}
		s.over = []string{"over"}
		s.shut("of a key at its end", s.token(of2, "v1", "")) // at once
		tidy()
		s.over = nil
		s.shut("of a key that was at its end", s.token(of2, "v1", ""))
		if _, err := s.Driver(t.Context(), s.token(ends, "v1", "")); err != nil {
			t.Error(err)
		}
		s.now = midnight.Add(3 * day)
		s.shut("at the end of its plan", s.token(ends, "v1", ""))
		if _, err := s.Get(t.Context(), "key", ends.ID); !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
		tidy()
		if dump := storetest.Dump(t, s.db, "plans", "plan_rounds", "plan_links", "plan_marks"); dump != empty {
			t.Errorf("left: %s", dump)
		}
	})
}

// TestSteadyWithinAMinute reads a round that is late: nothing of it changes within a minute.
func TestSteadyWithinAMinute(t *testing.T) {
	s := newScene(t, storetest.SQLite(t))
	token := s.token(s.publish("key", request(round("v", stopAt("a", 20000), stopAt("b", 30000)))), "v", "")
	read := func() string {
		d, err := s.Driver(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%+v", *d)
	}
	first := read()
	s.now = s.now.Add(59 * time.Second)
	if then := read(); then != first {
		t.Errorf("%s\nand 59 s later\n%s", first, then)
	}
	s.now = s.now.Add(time.Second)
	if read() == first {
		t.Error("it is the same a minute later")
	}
}

// TestLastReportCounts sends reports in every order, some twice: what counts is the latest.
func TestLastReportCounts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s := newScene(t, address)
		draw := rand.New(rand.NewPCG(7, 7))
		for n := range 20 {
			p := s.publish("key", request(round("v", stopAt("a", 30000))))
			token := s.token(p, "v", "")
			list := make([]plan.StopMark, 6)
			for i := range list {
				list[i] = plan.StopMark{Stop: "a", State: []string{done, failed, open}[draw.IntN(3)], Note: fmt.Sprint(i), At: midnight.Add(time.Duration(i) * time.Minute)}
			}
			last := list[5]
			sent := append(slices.Clone(list), list[draw.IntN(6)], list[draw.IntN(6)])
			draw.Shuffle(len(sent), func(i, k int) { sent[i], sent[k] = sent[k], sent[i] })
			cut := draw.IntN(len(sent))
			for _, some := range [][]plan.StopMark{sent[:cut], sent[cut:]} {
				if _, err := s.Mark(t.Context(), token, some); err != nil {
					t.Fatal(err)
				}
			}
			d, err := s.Driver(t.Context(), token)
			if err != nil || d.Stops[0].State != last.State || last.State != open && d.Stops[0].Report != "5" {
				t.Errorf("%d: %+v, %v; the last is %+v", n, d.Stops, err, last)
			}
			if err := s.Service.Delete(t.Context(), "key", p.ID); err != nil {
				t.Fatal(err)
			}
		}
		// A clock that is ahead cannot shut out later reports.
		p := s.publish("key", request(round("v", stopAt("a", 30000))))
		token := s.token(p, "v", "")
		s.mark(token, "a", done, "", s.now.Add(time.Hour))
		s.now = s.now.Add(time.Minute)
		if d := s.mark(token, "a", open, "", s.now); states(d.Round) != "a open" {
			t.Error(states(d.Round))
		}
		// Nor can one that is far behind: the report counts as of now.
		s.now = s.now.Add(time.Minute)
		if d := s.mark(token, "a", failed, "", time.Unix(0, 0)); states(d.Round) != "a failed" || d.Stops[0].ETA != "2026-05-04T07:02:00+02:00" {
			t.Error(d.Stops)
		}
	})
}

// A driver without a connection does what another vehicle is given meanwhile.
func TestMovedStopIsDone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s := newScene(t, address)
		before := request(round("v1", stopAt("a", 30000), stopAt("b", 36000), stopAt("c", 40000)), round("v2", stopAt("d", 30000)))
		p := s.publish("key", before)
		first, second := s.token(p, "v1", ""), s.token(p, "v2", "")
		after := request(round("v1", stopAt("a", 30000)), round("v2", stopAt("d", 30000), stopAt("b", 36000), stopAt("c", 40000)))
		for range 2 { // what was moved is kept when the plan is sent again
			if _, err := s.Replace(t.Context(), "key", p.ID, after); err != nil {
				t.Fatal(err)
			}
		}
		list := []plan.StopMark{{Stop: "b", State: done, At: s.now}, {Stop: "c", State: failed, At: s.now}, {Stop: "d", State: done, At: s.now}}
		d, err := s.Mark(t.Context(), first, list)
		if err != nil || !slices.Equal(d.Ignored, []plan.FleetID{"c", "d"}) || states(d.Round) != "a open" {
			t.Errorf("%+v, %v", d, err)
		}
		if d, err := s.Driver(t.Context(), second); err != nil || states(d.Round) != "d open, b done, c open" {
			t.Errorf("%+v, %v", d, err)
		}
		// The driver who has it now can report anything of it, and of no other stop of the plan.
		if _, err := s.Replace(t.Context(), "key", p.ID, before); err != nil {
			t.Fatal(err)
		}
		if d := s.mark(first, "c", failed, "", s.now); d.Ignored != nil {
			t.Errorf("%+v", d.Ignored)
		}
		if d := s.mark(second, "a", done, "", s.now); !slices.Equal(d.Ignored, []plan.FleetID{"a"}) {
			t.Errorf("%+v", d.Ignored)
		}
	})
}

func TestBounds(t *testing.T) {
	s := newScene(t, storetest.SQLite(t))
	for range MaxPerKey {
		s.publish("key", request(round("v", stopAt("a", 1))))
	}
	if _, err := s.Publish(t.Context(), "key", request(round("v", stopAt("a", 1)))); !fault.Is(err, fault.PlansTooMany) {
		t.Error(err)
	}
	s.publish("other", request(round("v", stopAt("a", 1))))
	for _, off := range []time.Duration{-3 * day, 61 * day} {
		r := request(round("v", stopAt("a", 1)))
		r.Begins = midnight.Add(off)
		if _, err := s.Publish(t.Context(), "third", r); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%v: %v", off, err)
		}
	}
}

func TestExpected(t *testing.T) {
	// Stops of ten minutes, half an hour apart; c has a window, before which the plan waits.
	stops := []plan.PublishedStop{stopAt("a", 30000), stopAt("b", 32400), stopAt("c", 34800), stopAt("d", 40200)}
	stops[2].Windows, stops[2].Begin, stops[2].End = []plan.FleetWindow{{37800, 39000}}, 37800, 38400
	none := report{}
	for _, c := range []struct {
		name     string
		reported [4]report
		now      int64
		begins   [4]int64
		delay    int64
	}{
		{"before the day", [4]report{}, 0, [4]int64{30000, 32400, 37800, 40200}, 0},
		{"nobody has reported", [4]report{}, 30600, [4]int64{30600, 33000, 37800, 40200}, 600},
		{"in time", [4]report{{true, 30600}}, 30600, [4]int64{30600, 32400, 37800, 40200}, 0},
		{"late within the wait", [4]report{{true, 31800}}, 31800, [4]int64{31800, 33600, 37800, 40200}, 1200},
		{"late beyond it", [4]report{{true, 36000}}, 36000, [4]int64{36000, 37800, 40200, 42600}, 5400},
		{"early", [4]report{{true, 29400}}, 29400, [4]int64{29400, 31200, 37800, 40200}, -1200},
		{"overdue", [4]report{{true, 30600}}, 33000, [4]int64{30600, 33000, 37800, 40200}, 600},
		{"out of order", [4]report{none, {true, 33000}, none, none}, 33000, [4]int64{33000, 33000, 37800, 40200}, 3000},
		{"all reported", [4]report{{true, 30600}, {true, 33000}, {true, 38400}, {true, 41100}}, 50000, [4]int64{30600, 33000, 38400, 41100}, 300},
	} {
		begins, delay := expected(stops, c.reported[:], c.now)
		for i := range c.begins {
			c.begins[i] = floor(c.begins[i])
		}
		if !slices.Equal(begins, c.begins[:]) || delay != c.delay {
			t.Errorf("%s: %v, %d; want %v, %d", c.name, begins, delay, c.begins, c.delay)
		}
	}
	if floor(-1) != -60 || floor(60) != 60 || floor(119) != 60 {
		t.Error("minutes are not rounded down")
	}
}
