package errands_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/errands"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/towntest"
)

// sites are places of a town, gone through one by one.
type sites []place.Place

// Around yields those that are near and have one of the categories.
func (s sites) Categories() []string { return nil }

func (s sites) Around(_ context.Context, at geo.Point, metres float64, categories []string, _ string, yield func(place.Near) bool) error {
	for _, p := range s {
		d := geo.Distance(at, p.At)
		if d <= metres && slices.ContainsFunc(p.Categories, func(c string) bool { return slices.Contains(categories, c) }) && !yield(place.Near{Place: p, Metres: d}) {
			break
		}
	}
	return nil
}

// town returns a long street with two side streets, and an island.
func town(t testing.TB) *towntest.Town {
	return towntest.Draw(t, `
		a---b---c---d---k     x--y
		    |       |
		    e       f`,
		towntest.Ways{{"abcdk", "residential"}, {"be", "residential"}, {"df", "residential"}, {"xy", "residential"}}, towntest.Cell(300))
}

var berlin = func() *time.Location {
	l, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	return l
}()

func site(at geo.Point, id, category, hours string) place.Place {
	p := place.Place{ID: id, Kind: place.POI, At: at, Name: strings.ToUpper(id), Categories: []string{category}}
	if hours != "" {
		p.Details = []place.Detail{{Key: "opening_hours", Value: hours}}
	}
	return p
}

type fixture struct {
	*errands.Service
	town *towntest.Town
	t    *testing.T
}

func begin(t *testing.T, all func(town *towntest.Town) sites) *fixture {
	drawn := town(t)
	e, err := embedded.New(drawn.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{&errands.Service{Engine: e, Places: all(drawn), Zone: func(geo.Point) *time.Location { return berlin }}, drawn, t}
}

// ask plans from a to k, leaving on a Monday at ten.
func (f *fixture) ask(minutes int, list ...errands.Errand) *errands.Answer {
	f.t.Helper()
	options, _, _ := costing.Parse(costing.Auto, nil, "")
	depart := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	r := &errands.Request{Origin: f.town.Point("a"), Destination: f.town.Point("k"), DepartAt: depart, ArriveBy: depart.Add(time.Duration(minutes) * time.Minute).In(berlin), Errands: list, MaxDetour: 12 * time.Minute, Options: options}
	a, err := f.Plan(f.t.Context(), r)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, p := range []*errands.Plan{a.Plan, a.Achievable} {
		if p != nil {
			f.sound(r, p)
		}
	}
	if a.Feasible == (a.Plan == nil) || a.Feasible == (a.Reason != nil) || a.Feasible && (a.Achievable != nil || len(a.Dropped) > 0) {
		f.t.Errorf("%+v", a)
	}
	if kept := a.Achievable; kept != nil && len(kept.Stops)+len(a.Dropped) != len(list) {
		f.t.Errorf("%d stops and %d dropped of %d", len(kept.Stops), len(a.Dropped), len(list))
	}
	return a
}

// sound checks that the times of a plan follow from one another.
func (f *fixture) sound(r *errands.Request, p *errands.Plan) {
	f.t.Helper()
	now := r.DepartAt
	at := func(text string) {
		f.t.Helper()
		if got, err := time.Parse(time.RFC3339, text); err != nil || got.Sub(now).Abs() > time.Second/2 {
			f.t.Errorf("%s, want %s: %+v", text, now, p)
		}
	}
	drive, dwell := 0.0, 0.0
	for i, l := range p.Legs {
		at(l.DepartAt)
		now = now.Add(time.Duration(l.Drive * 1e9))
		drive += l.Drive
		at(l.ArriveAt)
		line, err := geo.DecodePolyline(l.Shape, 6)
		if err != nil || geo.Length(line) < l.Distance-5 || geo.Length(line) > l.Distance+5 {
			f.t.Errorf("leg %d of %.0f m has a line of %.0f m (%v)", i, l.Distance, geo.Length(line), err)
		}
		if i < len(p.Stops) {
			at(p.Stops[i].ArriveAt)
			now = now.Add(time.Duration(p.Stops[i].Dwell) * time.Minute)
			dwell += p.Stops[i].Dwell * 60
			at(p.Stops[i].LeaveAt)
		}
	}
	at(p.ArriveAt)
	if len(p.Legs) != len(p.Stops)+1 || math.Abs(p.Drive-drive) > 1e-3 || p.Dwell != dwell || math.Abs(p.Slack-r.ArriveBy.Sub(now).Seconds()) > 1e-3 || p.Slack < 0 || drive < p.Direct-0.5 {
		f.t.Errorf("%+v", p)
	}
}

func stops(p *errands.Plan) string {
	if p == nil {
		return "none"
	}
	var list []string
	for _, s := range p.Stops {
		list = append(list, s.Errand+"="+s.ID+s.Name[:min(1, len(s.ID)*9+len(s.Name))]+":"+s.Opening.Verdict)
	}
	return strings.Join(list, " ")
}

func kind(id, category string, minutes int) errands.Errand {
	return errands.Errand{ID: id, Categories: []string{category}, Dwell: time.Duration(minutes) * time.Minute}
}

func shops(t *towntest.Town) sites {
	return sites{
		site(t.Point("c"), "bakers", "bakery", "Mo-Fr 06:00-09:30"), site(t.Point("e"), "bakere", "bakery", "Mo-Sa 06:00-18:00"),
		site(t.Point("f"), "bank", "bank", ""), site(t.Point("d"), "post", "post_office", "by the tide"),
		site(t.Point("b"), "museum", "museum", "Su 10:00-12:00"), site(t.Point("y"), "island", "zoo", ""), site(t.Point("d"), "pub", "pub", "Mo 10:10-23:00"),
	}
}

func TestPlan(t *testing.T) {
	f := begin(t, shops)
	a := f.ask(60, kind("money", "bank", 5), kind("bread", "bakery", 5), kind("parcel", "post_office", 1))
	// The baker on the way closes at half past nine.
	if got := stops(a.Plan); got != "bread=bakereB:open_on_the_tag money=bankB:unknown parcel=postP:unknown" && got != "bread=bakereB:open_on_the_tag parcel=postP:unknown money=bankB:unknown" {
		t.Errorf("%s", got)
	}
	if a.Search.Errands[1].Shut != 1 || a.Verification.Open != 1 || a.Verification.Not != 2 || a.Search.Matrices != 1 || a.Search.Routes != 2 || a.Search.Corridor == nil {
		t.Errorf("%+v %+v", a.Search, a.Verification)
	}
	if s := a.Plan.Stops[0].Opening; s.Timezone != "Europe/Berlin" || s.OpeningHours != "Mo-Sa 06:00-18:00" {
		t.Errorf("%+v", s)
	}
	if !strings.HasSuffix(a.Plan.ArriveAt, "+01:00") {
		t.Errorf("%s is not in the offset of the deadline", a.Plan.ArriveAt)
	}
}

// A place of the caller's has no tag, and needs no index.
func TestSupplied(t *testing.T) {
	f := begin(t, shops)
	f.Places = nil
	a := f.ask(60, errands.Errand{ID: "aunt", Place: &errands.Supplied{Point: f.town.Point("e"), Name: "Aunt"}, Dwell: 20 * time.Minute})
	if got := stops(a.Plan); got != "aunt=A:unknown" || a.Plan.Stops[0].Source != "supplied" || a.Search.Corridor != nil || a.Search.Routes != 1 {
		t.Errorf("%s %+v", got, a.Search)
	}
}

// A place that opens later is visited after one that is open, though it lies before it.
func TestOpenLater(t *testing.T) {
	f := begin(t, shops)
	a := f.ask(60, kind("beer", "pub", 5), kind("money", "bank", 10))
	if got := stops(a.Plan); got != "money=bankB:unknown beer=pubP:open_on_the_tag" {
		t.Errorf("%s", got)
	}
	a = f.ask(60, kind("beer", "pub", 5))
	if a.Reason == nil || a.Reason.Code != errands.AllClosed || len(a.Verification.Shut) != 1 || a.Verification.Shut[0].ID != "pub" || stops(a.Achievable) != "" || a.Reason.Blocking[0] != "beer" {
		t.Errorf("%+v %+v", a.Reason, a.Verification)
	}
	// What was dropped says why of each, and what is shut is reached after what comes before it.
	a = f.ask(60, kind("beer", "pub", 5), kind("animals", "aquarium", 1))
	if want := []errands.Dropped{{Errand: "beer", Code: errands.AllClosed}, {Errand: "animals", Code: errands.NoCandidates}}; !slices.Equal(a.Dropped, want) {
		t.Errorf("%+v are dropped, want %+v", a.Dropped, want)
	}
	var arrive [2]time.Time
	for i := range arrive {
		aunt := errands.Errand{ID: "aunt", Place: &errands.Supplied{Point: f.town.Point("b"), Name: "Aunt"}, Dwell: time.Duration(1+i) * time.Minute}
		a = f.ask(60, aunt, kind("beer", "pub", 1))
		if len(a.Verification.Shut) != 1 {
			t.Fatalf("%+v", a.Verification)
		}
		var err error
		if arrive[i], err = time.Parse(time.RFC3339, a.Verification.Shut[0].Arrive); err != nil {
			t.Fatal(err)
		}
	}
	if more := arrive[1].Sub(arrive[0]); more != time.Minute {
		t.Errorf("the pub is reached %s later after a stay of a minute more", more)
	}
}

func TestInfeasible(t *testing.T) {
	f := begin(t, shops)
	all := []errands.Errand{kind("bread", "bakery", 5), kind("money", "bank", 30), kind("parcel", "post_office", 1)}
	for _, c := range []struct {
		name       string
		minutes    int
		errands    []errands.Errand
		code       string
		blocking   string
		achievable string
	}{
		{"too little time", 20, all, errands.DeadlineMissed, "money", "bread=bakereB:open_on_the_tag parcel=postP:unknown"},
		{"no time at all", 1, all, errands.DestinationTooFar, "", "none"},
		{"shut on Mondays", 60, []errands.Errand{kind("art", "museum", 5), kind("parcel", "post_office", 1)}, errands.AllClosed, "art", "parcel=postP:unknown"},
		{"nothing of the kind", 60, []errands.Errand{kind("animals", "aquarium", 5)}, errands.NoCandidates, "animals", ""},
		{"an island", 60, []errands.Errand{kind("animals", "zoo", 5), kind("parcel", "post_office", 1)}, errands.Unroutable, "animals", "parcel=postP:unknown"},
		{"nowhere", 60, []errands.Errand{{ID: "sea", Place: &errands.Supplied{Point: geo.Point{Lon: 60, Lat: -40}}}, kind("parcel", "post_office", 1)}, errands.Unroutable, "sea", "parcel=postP:unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.t = t
			a := f.ask(c.minutes, c.errands...)
			if a.Reason == nil || a.Reason.Code != c.code || strings.Join(a.Reason.Blocking, " ") != c.blocking || stops(a.Achievable) != c.achievable {
				t.Errorf("%+v %s", a.Reason, stops(a.Achievable))
			}
			if late := a.Reason.OverBy; (late != nil) != (c.code == errands.DeadlineMissed || c.code == errands.DestinationTooFar) || late != nil && (*late <= 0 || a.Reason.WouldArrive == nil) {
				t.Errorf("%+v", a.Reason)
			}
		})
	}
}

// Without a way to the destination there is no plan, and that is an answer.
func TestUnroutable(t *testing.T) {
	f := begin(t, shops)
	options, _, _ := costing.Parse(costing.Auto, nil, "")
	for name, to := range map[string]geo.Point{"the island": f.town.Point("y"), "the sea": {Lon: 60, Lat: -40}} {
		now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
		for _, e := range []errands.Errand{kind("bread", "bakery", 5), {ID: "aunt", Place: &errands.Supplied{Point: f.town.Point("e")}}} {
			a, err := f.Plan(t.Context(), &errands.Request{Origin: f.town.Point("a"), Destination: to, DepartAt: now, ArriveBy: now.Add(time.Hour), Errands: []errands.Errand{e}, MaxDetour: time.Minute, Options: options})
			if err != nil || a.Feasible || a.Reason.Code != errands.Unroutable || a.Achievable != nil || len(a.Dropped) != 1 {
				t.Errorf("%s: %+v %v", name, a, err)
			}
		}
	}
}

// A dozen places of a kind are more than are measured.
func TestCaps(t *testing.T) {
	f := begin(t, func(t *towntest.Town) (all sites) {
		for i := range 40 {
			for _, c := range []string{"u", "v", "w", "x", "y"} {
				all = append(all, site(t.Between("a", "k", float64(i)/40), c+string(rune('A'+i)), c, ""))
			}
		}
		return all
	})
	var list []errands.Errand
	for _, c := range []string{"u", "v", "w", "x", "y"} {
		list = append(list, kind(c, c, 1))
	}
	for n := 1; n <= 5; n++ {
		a := f.ask(60, list[:n]...)
		sum := 0
		for _, s := range a.Search.Errands {
			if sum += s.Considered; s.Considered > errands.MostPerErrand || s.Found != 40 {
				t.Errorf("%+v", s)
			}
		}
		if want := min(n*errands.MostPerErrand, errands.MostCandidates); sum != want || !a.Feasible {
			t.Errorf("%d candidates of %d errands, want %d; %+v", sum, n, want, a.Reason)
		}
	}
}

// slots admits all work and counts it by kind. What is done in it has admitted in its context.
type slots struct{ kinds map[string]int }

type admitted struct{}

func (s *slots) Work(ctx context.Context, e engine.Estimate) (context.Context, func(bool), error) {
	s.kinds[e.Kind]++
	return context.WithValue(ctx, admitted{}, true), func(bool) {}, nil
}

// watched are places that are looked for in a slot alone.
type watched struct {
	sites
	t *testing.T
}

func (w watched) Around(ctx context.Context, at geo.Point, metres float64, categories []string, lang string, yield func(place.Near) bool) error {
	if ctx.Value(admitted{}) == nil {
		w.t.Error("places are looked for without a slot")
	}
	return w.sites.Around(ctx, at, metres, categories, lang, yield)
}

// TestSlots checks that every long part of a plan is done in a slot: the search for places,
// once for each errand, their choice, and the search for a plan.
func TestSlots(t *testing.T) {
	f := begin(t, shops)
	f.Places = watched{f.Places.(sites), t}
	s := &slots{map[string]int{}}
	options, _, _ := costing.Parse(costing.Auto, nil, "")
	depart := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	a, err := f.Plan(engine.WithAdmission(t.Context(), s), &errands.Request{
		Origin: f.town.Point("a"), Destination: f.town.Point("k"), DepartAt: depart, ArriveBy: depart.Add(time.Hour),
		Errands: []errands.Errand{kind("1", "bakery", 5), kind("2", "bank", 5)}, MaxDetour: 12 * time.Minute, Options: options,
	})
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]int{"errands line": 1, "errands around": 2, "errands choose": 2, "errands solve": 1} {
		if s.kinds[kind] != want {
			t.Errorf("%s: %d slots, want %d (%+v)", kind, s.kinds[kind], want, a.Reason)
		}
	}
}

// TestEstimateOfErrands checks that an errand whose place is to be found is estimated above one
// that brings its place by the search for it.
func TestEstimateOfErrands(t *testing.T) {
	f := begin(t, shops)
	estimate := func(e errands.Errand) time.Duration {
		return f.Estimate(&errands.Request{Origin: f.town.Point("a"), Destination: f.town.Point("k"), Errands: []errands.Errand{e}, MaxDetour: 12 * time.Minute}).Work
	}
	sought, brought := kind("1", "bakery", 5), kind("1", "", 5)
	brought.Place = &errands.Supplied{Point: f.town.Point("b")}
	if s, b := estimate(sought), estimate(brought); s < b+time.Millisecond {
		t.Errorf("%s to find a place, %s with one", s, b)
	}
}
