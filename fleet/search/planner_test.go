package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/fleettest"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

// TestPlannerInTheBrowserAgrees compares two implementations of the same rules with each
// other. The route planner in the browser works out the day of a vehicle whose stops were
// moved by hand. Its times, and what it says of each limit by itself, are those of this
// package: of plans that were solved, and of such plans with some stops elsewhere.
func TestPlannerInTheBrowserAgrees(t *testing.T) {
	const most = 4 // moves
	seeds, few := uint64(120), 20
	if testing.Short() {
		seeds, few = 30, 3
	}
	var rounds []plannerRound
	for seed := range seeds {
		p := drawForPlanner(seed)
		plan, err := Solve(t.Context(), p, Options{Seed: seed, Iterations: 200})
		if refused(err) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		whole := []fleet.Matrix{wholeOf(&p.Matrices[0])}
		r := rand.New(rand.NewPCG(seed, 2))
		for n := range 1 + most {
			order := orderOf(p, plan)
			for range n {
				order.spoil(r, p)
			}
			for v, trips := range order {
				if trips = slices.DeleteFunc(trips, func(trip []fleet.Stop) bool { return len(trip) == 0 }); len(trips) > 0 {
					rounds = append(rounds, plannerRound{fmt.Sprintf("seed %d, %d moves, vehicle %d", seed, n, v), p, v, trips, whole})
				}
			}
		}
	}
	type question struct {
		round  *plannerRound
		limit  restriction
		only   *fleet.Problem
		sound  bool
		wanted plannerDay
	}
	var asked []question
	book := &plannerBook{networks: map[*int32]int{}}
	for i := range rounds {
		x := &rounds[i]
		for l := range limits {
			if x.mixed() && l != limitOfAll && l != limitOfOrder {
				continue // the order is broken whatever else is allowed
			}
			q := question{round: x, limit: l, only: x.only(l)}
			q.sound, q.wanted = x.judged(q.only, l)
			asked = append(asked, q)
			book.add(q.only, x)
		}
	}
	days := book.days(t)
	if len(days) != len(asked) {
		t.Fatalf("the planner made %d days of %d rounds", len(days), len(asked))
	}
	var broken, kept [limits]int
	for i, q := range asked {
		day := days[i]
		if sound := len(day.Broken) == 0; sound != q.sound {
			t.Errorf("%s, %v, limit of %v: the planner finds %q, and this package says that it is %t that it is kept", q.round.name, q.round.trips, q.limit, day.Broken, q.sound)
			continue
		}
		if q.sound {
			kept[q.limit]++
		} else {
			broken[q.limit]++
		}
		if !q.sound && q.limit == limitOfTime {
			if loose := q.round.widened(q.only, &day); !q.round.fits(loose) {
				t.Errorf("%s, %v: the times %+v cannot be, even if all that they are late by were allowed", q.round.name, q.round.trips, day)
			}
		}
		if day.Broken = nil; q.sound && q.limit <= limitOfTime && !reflect.DeepEqual(day, q.wanted) {
			t.Errorf("%s, %v:\nthe planner says %+v,\nand this package %+v", q.round.name, q.round.trips, day, q.wanted)
		}
	}
	for l := range limits {
		t.Logf("%v: %d rounds keep it and %d break it", l, kept[l], broken[l])
		if kept[l] < few || broken[l] < few {
			t.Errorf("%v: too few rounds keep it or break it to show anything", l)
		}
	}
}

// restriction is the constraint that a round may break.
type restriction int

const (
	limitOfAll restriction = iota
	limitOfTime
	limitOfWay
	limitOfLoad
	limitOfSkills
	limitOfArea
	limitOfOrder
	limitOfStops
	limitOfDriving
	limitOfDistance
	limits
)

func (l restriction) String() string {
	return [...]string{"all", "time", "way", "load", "skills", "area", "order", "stops", "driving", "distance"}[l]
}

// drawForPlanner makes a problem with all that the planner can express, and nothing else.
func drawForPlanner(seed uint64) *fleet.Problem {
	p := fleettest.Draw(seed, 5, 3, 3)
	if seed%2 == 1 {
		p = fleettest.Odd(seed, 5, 3, 3)
	}
	p.Matrices = p.Matrices[:1]
	if seed%3 == 0 {
		m := &p.Matrices[0]
		m.Seconds[2*m.N+3], m.Seconds[4*m.N+5] = fleet.Unreachable, fleet.Unreachable
	}
	p.SameVehicle, p.Incompatible, p.Stability = nil, nil, fleet.Stability{}
	place := func(pl *fleet.Place) {
		pl.Setup, pl.ServiceByType, pl.SetupByType = 0, nil, nil
	}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		place(&j.Place)
		if j.Pickup != nil {
			j.Delivery = nil
		}
	}
	for i := range p.Shipments {
		place(&p.Shipments[i].Pickup)
		place(&p.Shipments[i].Delivery)
	}
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		v.Profile, v.SpeedFactor, v.Type = 0, 0, ""
		v.OnBoard, v.First, v.Initial = nil, nil, nil
		v.MaxTasks = max(0, v.MaxTasks)
		if v.Reloads != nil && (v.Start == fleet.None || len(v.Windows) != 1) {
			v.Reloads = nil
		}
		if v.Reloads != nil {
			v.Reloads.Depot = v.Start
		}
	}
	return p
}

// fleetOrder is the stops of each vehicle by its trips; as many trips as it may drive.
type fleetOrder [][][]fleet.Stop

func orderOf(p *fleet.Problem, plan *fleet.Plan) fleetOrder {
	o := make(fleetOrder, len(p.Vehicles))
	for v := range o {
		o[v] = make([][]fleet.Stop, 1)
		if r := p.Vehicles[v].Reloads; r != nil {
			o[v] = make([][]fleet.Stop, r.MaxTrips)
		}
	}
	for i := range plan.Routes {
		r := &plan.Routes[i]
		for _, s := range r.Steps {
			if s.Kind == fleet.StepStop {
				o[r.Vehicle][r.Trip] = append(o[r.Vehicle][r.Trip], s.Stop)
			}
		}
	}
	return o
}

// spoil moves a stop anywhere on its vehicle, or a task to any trip of any.
func (o fleetOrder) spoil(r *rand.Rand, p *fleet.Problem) {
	into := func(v int, stop fleet.Stop) {
		trip := &o[v][r.IntN(len(o[v]))]
		*trip = slices.Insert(*trip, r.IntN(len(*trip)+1), stop)
	}
	tasks := fleettest.NewExhaust(p).Tasks
	task := tasks[r.IntN(len(tasks))]
	to, stops := r.IntN(len(o)), []fleet.Stop{{Kind: fleet.AtJob, Index: task.Index}}
	if task.Shipment {
		stops = []fleet.Stop{{Kind: fleet.AtPickup, Index: task.Index}, {Kind: fleet.AtDelivery, Index: task.Index}}
	}
	for v := range o {
		for t := range o[v] {
			if at := slices.Index(o[v][t], stops[0]); at >= 0 && r.IntN(2) == 0 {
				o[v][t] = slices.Delete(o[v][t], at, at+1)
				into(v, stops[0])
				return
			}
		}
	}
	for v := range o {
		for t := range o[v] {
			o[v][t] = slices.DeleteFunc(o[v][t], func(s fleet.Stop) bool { return slices.Contains(stops, s) })
		}
	}
	trip := &o[to][r.IntN(len(o[to]))]
	*trip = slices.Insert(*trip, r.IntN(len(*trip)+1), stops...)
}

// plannerRound is the work of one vehicle in an order.
type plannerRound struct {
	name    string
	p       *fleet.Problem
	vehicle int
	trips   [][]fleet.Stop
	whole   []fleet.Matrix // the problem's, with all ways
}

// wholeOf returns a matrix in which ways that do not exist take nothing.
func wholeOf(m *fleet.Matrix) fleet.Matrix {
	w := fleet.Matrix{N: m.N, Seconds: slices.Clone(m.Seconds), Metres: slices.Clone(m.Metres)}
	for i, s := range w.Seconds {
		if s == fleet.Unreachable {
			w.Seconds[i], w.Metres[i] = 0, 0
		}
	}
	return w
}

// only returns the problem of a round's vehicle with one limit, and no other.
func (x *plannerRound) only(l restriction) *fleet.Problem {
	p, v := *x.p, x.p.Vehicles[x.vehicle]
	p.Vehicles, p.Jobs, p.Shipments = []fleet.Vehicle{v}, slices.Clone(p.Jobs), slices.Clone(p.Shipments)
	if l == limitOfAll {
		return &p
	}
	b := &p.Vehicles[0]
	if l != limitOfWay {
		p.Matrices = x.whole
	}
	if l != limitOfTime {
		b.Windows, b.Breaks = nil, nil
	}
	if l != limitOfLoad {
		b.Capacity = slices.Repeat([]int32{fleet.MostAmount}, len(b.Capacity))
	}
	if l != limitOfArea {
		b.Territories = nil
	}
	if l != limitOfStops {
		b.MaxTasks = 0
	}
	if l != limitOfDriving {
		b.MaxTravelTime = 0
	}
	if l != limitOfDistance {
		b.MaxDistance = 0
	}
	task := func(skills *[]int32, places ...*fleet.Place) {
		if l != limitOfSkills {
			*skills = nil
		}
		for _, pl := range places {
			if l != limitOfTime {
				pl.Windows = nil
			}
		}
	}
	for i := range p.Jobs {
		task(&p.Jobs[i].Skills, &p.Jobs[i].Place)
	}
	for i := range p.Shipments {
		s := &p.Shipments[i]
		task(&s.Skills, &s.Pickup, &s.Delivery)
		if l != limitOfTime {
			s.MaxRide = 0
		}
	}
	return &p
}

// ordered reports whether a shipment is picked up on a trip and delivered later on it.
func (x *plannerRound) ordered(shipment int) bool {
	return slices.ContainsFunc(x.trips, func(trip []fleet.Stop) bool {
		from := slices.Index(trip, fleet.Stop{Kind: fleet.AtPickup, Index: shipment})
		return from >= 0 && slices.Contains(trip[from:], fleet.Stop{Kind: fleet.AtDelivery, Index: shipment})
	})
}

// mixed reports whether a shipment is not.
func (x *plannerRound) mixed() bool {
	return slices.ContainsFunc(slices.Concat(x.trips...), func(s fleet.Stop) bool { return s.Kind != fleet.AtJob && !x.ordered(s.Index) })
}

// state returns the round as the search has it.
func (x *plannerRound) state(p *fleet.Problem) *state {
	q := *p
	q.Shipments = slices.Clone(p.Shipments)
	plan := &fleet.Plan{}
	for n, trip := range x.trips {
		r := fleet.Route{Trip: n}
		for _, s := range trip {
			r.Steps = append(r.Steps, fleet.Step{Kind: fleet.StepStop, Stop: s})
			if s.Kind == fleet.AtPickup && !x.ordered(s.Index) {
				q.Shipments[s.Index].MaxRide = 0 // there is no ride
			}
		}
		plan.Routes = append(plan.Routes, r)
	}
	s := newState(model.Compile(&q, limit.Unlimited()))
	s.drive(plan)
	return s
}

func (x *plannerRound) fits(p *fleet.Problem) bool { return x.state(p).sound(0) }

// judged is whether a round keeps the limits of a problem of which there is one, or all, and
// its day if it does.
func (x *plannerRound) judged(p *fleet.Problem, l restriction) (bool, plannerDay) {
	s, v := x.state(p), &p.Vehicles[0]
	ok := s.sound(0)
	for _, stop := range slices.Concat(x.trips...) {
		ok = ok && fleet.HasSkills(v, p.SkillsOf(stop.Task())) && fleet.MayStop(v, p.PlaceOf(stop))
	}
	if !ok || x.mixed() {
		return false, plannerDay{}
	}
	return true, dayOf(s.plan(), p)
}

// widened returns a problem in which a day is in time.
func (x *plannerRound) widened(p *fleet.Problem, day *plannerDay) *fleet.Problem {
	q := *p
	q.Vehicles, q.Jobs, q.Shipments = slices.Clone(p.Vehicles), slices.Clone(p.Jobs), slices.Clone(p.Shipments)
	until := func(ws []fleet.Window, t int64) []fleet.Window {
		if len(ws) == 0 {
			return nil
		}
		ws = slices.Clone(ws)
		last := &ws[len(ws)-1]
		last.End = max(last.End, t)
		return ws
	}
	v := &q.Vehicles[0]
	v.Windows, v.Breaks = until(v.Windows, day.Finish), slices.Clone(v.Breaks)
	for _, rest := range day.Rests {
		if n, err := strconv.Atoi(rest.Name); err == nil {
			b := &v.Breaks[n-1]
			b.Windows, b.MaxLoad = until(b.Windows, rest.Begin), nil
		}
	}
	ended := map[int]int64{}
	for i, s := range slices.Concat(x.trips...) {
		pl := q.PlaceOf(s)
		pl.Windows = until(pl.Windows, day.Visits[i].Begin)
		switch sh := &q.Shipments; s.Kind {
		case fleet.AtPickup:
			ended[s.Index] = day.Visits[i].End
		case fleet.AtDelivery:
			if from, ok := ended[s.Index]; ok && (*sh)[s.Index].MaxRide > 0 {
				(*sh)[s.Index].MaxRide = max((*sh)[s.Index].MaxRide, day.Visits[i].Begin-from)
			}
		}
	}
	return &q
}

// plannerDay is a day as the planner has it (web/src/dispatch/day/schedule.ts).
type plannerDay struct {
	Visits    []plannerVisit `json:"visits"`
	Rests     []plannerRest  `json:"rests"`
	Departure int64          `json:"departure"`
	Finish    int64          `json:"finish"`
	Driving   int64          `json:"driving"`
	Distance  int64          `json:"distance"`
	Broken    []string       `json:"broken"`
}

// plannerVisit is a stop with its times.
type plannerVisit struct {
	Stop    string `json:"stop"`
	Trip    int    `json:"trip"`
	Arrival int64  `json:"arrival"`
	Begin   int64  `json:"begin"`
	End     int64  `json:"end"`
}

// plannerRest is a break by its number from 1, or a call at the depot, without a name here.
type plannerRest struct {
	Name  string `json:"name"`
	Begin int64  `json:"begin"`
	End   int64  `json:"end"`
}

// dayOf returns the day of the one vehicle of a plan.
func dayOf(plan *fleet.Plan, p *fleet.Problem) plannerDay {
	day := plannerDay{Visits: []plannerVisit{}, Rests: []plannerRest{}}
	for i := range plan.Routes {
		r := &plan.Routes[i]
		first, last := r.Steps[0].Arrival, r.Steps[len(r.Steps)-1].Ends()
		if i > 0 {
			day.Rests = append(day.Rests, plannerRest{"", day.Finish, first})
		} else {
			day.Departure = first
		}
		day.Finish = last
		day.Driving += r.Travel
		day.Distance += r.Distance
		for _, s := range r.Steps {
			switch s.Kind {
			case fleet.StepStop:
				day.Visits = append(day.Visits, plannerVisit{stopID(s.Stop), i, s.Arrival, s.Begins(), s.Ends()})
			case fleet.StepBreak:
				day.Rests = append(day.Rests, plannerRest{strconv.Itoa(s.Break + 1), s.Begins(), s.Ends()})
			}
		}
	}
	return day
}

// stopID returns the id of a stop in the planner.
func stopID(s fleet.Stop) string { return fmt.Sprintf("%d/%d", s.Kind, s.Index) }

// plannerBook is the request that is sent to the planner.
type plannerBook struct {
	Ways     []map[string]any `json:"ways"`
	Rounds   []map[string]any `json:"rounds"`
	networks map[*int32]int   // by the first cell of a matrix
}

// add asks for a round's day under a problem of one vehicle.
func (b *plannerBook) add(p *fleet.Problem, x *plannerRound) {
	m := &p.Matrices[0]
	network, known := b.networks[&m.Seconds[0]]
	if !known {
		network = len(b.Ways)
		b.networks[&m.Seconds[0]] = network
		rows := func(of []int32) (rows [][]*int32) {
			for a := range m.N {
				row := make([]*int32, m.N)
				for to := range row {
					if m.Seconds[a*m.N+to] != fleet.Unreachable {
						row[to] = &of[a*m.N+to]
					}
				}
				rows = append(rows, row)
			}
			return rows
		}
		b.Ways = append(b.Ways, map[string]any{"durations": rows(m.Seconds), "distances": rows(m.Metres)})
	}
	places := map[string]int{}
	var calls []map[string]any
	for n, trip := range x.trips {
		for _, s := range trip {
			places[stopID(s)] = p.PlaceOf(s).Location
			calls = append(calls, map[string]any{"trip": n, "stop": plannerStop(p, s)})
		}
	}
	v := &p.Vehicles[0]
	loads, areas := []string{}, []map[string]any{}
	for d := range v.Capacity {
		loads = append(loads, strconv.Itoa(d))
	}
	for t := range 2 {
		x := 10 * float64(t+1)
		ring := [][2]float64{{x - 1, -1}, {x + 1, -1}, {x + 1, 1}, {x - 1, 1}, {x - 1, -1}}
		areas = append(areas, map[string]any{"name": strconv.Itoa(t), "polygons": [][][][2]float64{{ring}}})
	}
	b.Rounds = append(b.Rounds, map[string]any{
		"network": network, "places": places, "start": v.Start, "end": v.End,
		"vehicle": plannerVehicle(v), "calls": calls, "loads": loads, "areas": areas,
	})
}

func plannerStop(p *fleet.Problem, s fleet.Stop) map[string]any {
	pl := p.PlaceOf(s)
	out := map[string]any{
		"id": stopID(s), "name": stopID(s), "address": "", "at": [2]float64{0, 0}, "service": pl.Service, "windows": plannerWindows(pl.Windows),
		"shipment": "", "ride": 0, "priority": 0, "skills": []string{}, "amounts": []int32{}, "collects": s.Kind == fleet.AtPickup,
	}
	if len(pl.Territories) > 0 {
		out["at"] = [2]float64{10 * float64(pl.Territories[0]+1), 0}
	}
	// The load and the needs of a shipment are said at one of its stops, or at both.
	says := s.Kind == fleet.AtJob || s.Kind == fleet.AtPickup && s.Index != 1 || s.Kind == fleet.AtDelivery && s.Index != 2
	if says {
		out["skills"] = texts(p.SkillsOf(s.Task()))
	}
	switch {
	case s.Kind != fleet.AtJob:
		sh := &p.Shipments[s.Index]
		out["shipment"] = strconv.Itoa(s.Index)
		if says {
			out["amounts"], out["ride"] = list(sh.Amount), sh.MaxRide
		}
	case p.Jobs[s.Index].Pickup != nil:
		out["amounts"], out["collects"] = list(p.Jobs[s.Index].Pickup), true
	default:
		out["amounts"] = list(p.Jobs[s.Index].Delivery)
	}
	return out
}

func plannerVehicle(v *fleet.Vehicle) map[string]any {
	capacities, breaks := make([]*int32, len(v.Capacity)), []map[string]any{} // nil has no bound
	for d, n := range v.Capacity {
		if n != fleet.MostAmount {
			capacities[d] = &n
		}
	}
	for _, b := range v.Breaks {
		breaks = append(breaks, map[string]any{"windows": plannerWindows(b.Windows), "lasts": b.Service, "loads": list(b.MaxLoad)})
	}
	trips, reload := 1, int64(0)
	if v.Reloads != nil {
		trips, reload = v.Reloads.MaxTrips, v.Reloads.Seconds
	}
	return map[string]any{
		"id": "v", "name": "v", "start": nil, "end": nil, "shifts": plannerWindows(v.Windows), "capacities": capacities, "skills": texts(v.Skills), "breaks": breaks,
		"trips": trips, "reload": reload, "areas": texts(v.Territories),
		"mostStops": v.MaxTasks, "mostDriving": v.MaxTravelTime, "mostMetres": v.MaxDistance,
		"perTrip": 0, "perHour": 3600, "perKilometre": 0,
	}
}

func plannerWindows(ws []fleet.Window) [][2]int64 {
	out := [][2]int64{}
	for _, w := range ws {
		out = append(out, [2]int64{w.Start, w.End})
	}
	return out
}

func texts(numbers []int32) []string {
	out := []string{}
	for _, n := range numbers {
		out = append(out, strconv.Itoa(int(n)))
	}
	return out
}

func list(numbers []int32) []int32 { return append([]int32{}, numbers...) }

// days has the planner answer all that was asked, in one process.
func (b *plannerBook) days(t *testing.T) (days []plannerDay) {
	t.Helper()
	_, err := os.Stat("../../web/node_modules/vite")
	if err == nil {
		_, err = exec.LookPath("node")
	}
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatalf("the planner's scheduler needs Node and the website's packages: %v", err)
	default:
		t.Skipf("the planner's scheduler needs Node and the website's packages (make web): %v", err)
	}
	// The files that Node reads are part of this test: Go does not take its last result for
	// this one's where a file has changed in a folder that the test itself has looked into.
	for _, folder := range []string{"../../web/src/dispatch/day", "../../web/src/dispatch/problem", "../../web/src/geo", "../../web/src/call", "../../web/test"} {
		if _, err := os.ReadDir(folder); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "test/schedule.mjs")
	cmd.Dir, cmd.Stdin, cmd.Stderr = "../../web", bytes.NewReader(text), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &days); err != nil {
		t.Fatal(err)
	}
	for i := range days {
		for k := range days[i].Rests {
			rest := &days[i].Rests[k]
			_, rest.Name, _ = strings.Cut(rest.Name, " ") // "Break 1", or "Loading"
		}
	}
	return days
}
