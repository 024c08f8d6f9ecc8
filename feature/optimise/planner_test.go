package optimise

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

// asked reads a request, in which P and a number stand for a place along a street.
func asked[T any](t *testing.T, text string) *T {
	t.Helper()
	var places []string
	for i := range 30 {
		places = append(places, fmt.Sprintf("P%02d", i), fmt.Sprintf("[%g,51.5]", -1+float64(i)/1000))
	}
	r := new(T)
	if _, err := schema.Of[T]().Read(t.Context(), []byte(strings.NewReplacer(places...).Replace(text)), r, schema.Options{}); err != nil {
		t.Fatal(err)
	}
	return r
}

// measures is an engine of which only matrices are known.
type measures struct{ engine.Unimplemented }

// Can names its one call.
func (measures) Can() engine.Can { return engine.Can{Calls: []engine.Call{engine.CallMatrix}} }

// TestCheckRefuses checks each limit of a problem: what reaches it is taken, what is one beyond
// it is refused, and what an operator switched off plans nothing.
func TestCheckRefuses(t *testing.T) {
	r := asked[plan.OptimiseRequest](t, `{"vehicles":[{"id":"a","start":P00},{"id":"b","start":P00,"speed_factor":2}],
		"jobs":[{"id":1,"location":P01},{"id":2,"location":P02}],"shipments":[{"id":"s","pickup":{"location":P03},"delivery":{"location":P04}}],"time_limit_s":7}`)
	limits := func(change func(*Limits)) Limits {
		l := Limits{locations: 5, stops: 4, cells: 2 * 5 * 5, seconds: 7, instead: "; ask elsewhere"}
		change(&l)
		return l
	}
	here := &Region{Engine: measures{}}
	p := &Planner{Solver: Embedded{}}
	if err := p.Check(here, r, limits(func(*Limits) {})); err != nil {
		t.Errorf("at every limit: %v", err)
	}
	for says, l := range map[string]Limits{
		"have 4; ask elsewhere": limits(func(l *Limits) { l.locations = 4 }),
		"make 4 stops":          limits(func(l *Limits) { l.stops = 3 }),
		"2 different pairs":     limits(func(l *Limits) { l.cells-- }),
		"at most 6.5 seconds":   limits(func(l *Limits) { l.seconds = 6.5 }),
		"there may be 1 pairs":  limits(func(l *Limits) { l.cells = 1 }),
	} {
		if err := p.Check(here, r, l); !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if err := p.Check(&Region{Engine: engine.Unimplemented{}}, r, CallLimits()); !fault.IsNotEnabled(err) {
		t.Errorf("an engine without matrices: %v", err)
	}
	off := &Planner{}
	if err := off.Check(here, r, CallLimits()); !fault.Is(err, fault.NoOptimiser) {
		t.Errorf("without a solver: %v", err)
	}
	if _, err := off.RemainingOf(&plan.ReplanRequest{OptimiseRequest: *r}); !fault.Is(err, fault.NoOptimiser) {
		t.Errorf("the rest, without a solver: %v", err)
	}
}

// TestMatrixWarnings checks that what a matrix says of a place names what lies there, once.
func TestMatrixWarnings(t *testing.T) {
	r := asked[plan.OptimiseRequest](t, `{"vehicles":[{"id":"van","start":P00}],"jobs":[{"id":"mill","location":P01}]}`)
	b, err := newBuilder(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	var given []engine.Warning
	for _, text := range []string{"sources[0] was moved", "sources[1]: x", "targets[0] was moved", "targets[1]: x", "else"} {
		given = append(given, engine.Warning{Code: engine.WarnMoved, Text: text})
	}
	var texts []string
	for _, w := range b.named(given) {
		texts = append(texts, w.Text)
	}
	if got := strings.Join(texts, "; "); got != "van was moved; mill: x; else" {
		t.Error(got)
	}
}

// TestBudget checks what time a search has.
func TestBudget(t *testing.T) {
	two := 2.0
	for name, c := range map[string]struct {
		limits      Limits
		stops       int
		asked       *float64
		request     time.Duration
		work, limit time.Duration
	}{
		"a small call":              {CallLimits(), 5, nil, 0, 300 * time.Millisecond, 20 * time.Second},
		"a call of many stops":      {CallLimits(), 700, nil, 0, 7 * time.Second, 20 * time.Second},
		"a call of the most stops":  {CallLimits(), 5000, nil, 0, 10 * time.Second, 20 * time.Second},
		"a call in a short request": {CallLimits(), 5, nil, 10 * time.Second, 300 * time.Millisecond, 9 * time.Second},
		"a call in a long request":  {CallLimits(), 5, nil, time.Hour, 300 * time.Millisecond, 20 * time.Second},
		"a call with a limit":       {CallLimits(), 700, &two, time.Hour, 2 * time.Second, 2 * time.Second},
		"a small job":               {JobLimits(), 5, nil, 0, 300 * time.Millisecond, 45 * time.Second},
		"a job of many stops":       {JobLimits(), 5000, nil, 0, 50 * time.Second, 100 * time.Second},
		"a job with a limit":        {JobLimits(), 5000, &two, 0, 2 * time.Second, 2 * time.Second},
	} {
		r := &plan.OptimiseRequest{Jobs: make([]plan.FleetJob, c.stops), Seed: 7, TimeLimit: c.asked}
		if got := c.limits.budget(r, c.request); got != (Search{Seed: 7, Work: c.work, Limit: c.limit}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestRestOfTrips checks how many stops a vehicle may still make after those that it has made,
// and what it brings where it may make none.
func TestRestOfTrips(t *testing.T) {
	const body = `{"vehicles":[{"id":"v","start":P00,"max_tasks":%d,"first_stop_ids":["c","s"]}],
		"jobs":[{"id":"a","location":P01},{"id":"b","location":P02},{"id":"c","location":P03}],
		"shipments":[{"id":"s","pickup":{"id":"take","location":P04},"delivery":{"id":"bring","location":P05}}],
		"progress":[{"vehicle":"v","completed_stop_ids":[%s]}]}`
	for _, c := range []struct {
		most int
		done string
		left int
	}{
		{0, `"a","b"`, 0}, {3, `"a"`, 2}, {3, `"a","b"`, 1}, {2, `"a","b"`, fleet.None}, {3, `"a","take"`, fleet.None}, {4, `"a","take"`, 2},
	} {
		r, err := (&Planner{Solver: Embedded{}}).RemainingOf(asked[plan.ReplanRequest](t, fmt.Sprintf(body, c.most, c.done)))
		if err != nil {
			t.Fatal(err)
		}
		v := r.Request().Vehicles[0]
		said := strings.Contains(fmt.Sprint(r.block.Notes), "takes nothing more on")
		if v.MaxTasks != c.left || said != (c.left == fleet.None) {
			t.Errorf("of %d after %s: %d, %v", c.most, c.done, v.MaxTasks, r.block.Notes)
		}
		if c.left == fleet.None && strings.Contains(fmt.Sprint(v.First), "c") {
			t.Errorf("of %d after %s it begins with %v", c.most, c.done, v.First)
		}
	}
}

// TestRestSaysWhatIsNotKnown notes limits of a vehicle of which it is not known how much is used up.
func TestRestSaysWhatIsNotKnown(t *testing.T) {
	for limit, noted := range map[string]bool{``: false, `,"max_travel_time":1`: true, `,"max_distance":1`: true} {
		r, err := (&Planner{Solver: Embedded{}}).RemainingOf(asked[plan.ReplanRequest](t, `{"vehicles":[{"id":"v","start":P00`+limit+`}],"jobs":[{"id":"a","location":P01},{"id":"b","location":P02}],"progress":[{"vehicle":"v","completed_stop_ids":["a"]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(fmt.Sprint(r.block.Notes), "is not known here"); got != noted {
			t.Errorf("with %q it notes %q", limit, r.block.Notes)
		}
	}
}

// TestReloadsInTheAnswer has the trips of the vehicles in the answer that may be loaded again.
func TestReloadsInTheAnswer(t *testing.T) {
	r := asked[plan.OptimiseRequest](t, `{"vehicles":[{"id":"once","start":P00},{"id":"often","start":P01,"time_window":[0,5000],"reloads":{"max_trips":3}}],"jobs":[{"id":1,"location":P02}]}`)
	b, err := newBuilder(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	trip := func(from int64) fleet.Route {
		return fleet.Route{Vehicle: 1, Steps: []fleet.Step{{Kind: fleet.StepStart, Arrival: from}, {Kind: fleet.StepEnd, Arrival: from + 100}}}
	}
	a := b.answer(&Outcome{Problem: &b.problem, Plan: &fleet.Plan{Routes: []fleet.Route{trip(10), trip(300)}}})
	if len(a.Reloads) != 1 || a.Reloads[0].Vehicle != "often" || a.Reloads[0].Trips != 2 || fmt.Sprint(a.Reloads[0].Windows) != "[[10 110] [300 400]]" {
		t.Errorf("%+v", a.Reloads)
	}
}
