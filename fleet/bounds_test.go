package fleet

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// wide is a problem of so many stops, in which no vehicle makes more than twice its share.
func wide(stops, vehicles, locations int) *Problem {
	r := rand.New(rand.NewPCG(7, 7))
	x, y := make([]int, locations), make([]int, locations)
	for i := range locations {
		x[i], y[i] = r.IntN(3600), r.IntN(3600)
	}
	m := Matrix{N: locations, Seconds: make([]int32, locations*locations), Metres: make([]int32, locations*locations)}
	for a := range locations {
		for b := range locations {
			d := max(x[a]-x[b], x[b]-x[a]) + max(y[a]-y[b], y[b]-y[a])
			m.Seconds[a*locations+b], m.Metres[a*locations+b] = int32(d), int32(8*d)
		}
	}
	p := &Problem{Matrices: []Matrix{m}}
	for i := range stops {
		p.Jobs = append(p.Jobs, Job{Place: Place{Location: i % locations, Service: 60}})
	}
	for range vehicles {
		p.Vehicles = append(p.Vehicles, Vehicle{PerHour: 3600, Windows: []Window{{0, 40_000}}, MaxTasks: max(1, 2*stops/vehicles)})
	}
	return p
}

// widening makes a member of a problem as large as a request may have it.
type widening func(p *Problem)

func ofVehicles(do func(i int, v *Vehicle)) widening {
	return func(p *Problem) {
		for i := range p.Vehicles {
			do(i, &p.Vehicles[i])
		}
	}
}

func ofJobs(do func(i int, j *Job)) widening {
	return func(p *Problem) {
		for i := range p.Jobs {
			do(i, &p.Jobs[i])
		}
	}
}

func upTo(n int) (list []int32) {
	for i := range n {
		list = append(list, int32(i))
	}
	return list
}

// spans are so many windows of a length, one in each span.
func spans(n int, span, length int64) (list []Window) {
	for i := range int64(n) {
		list = append(list, Window{i * span, i*span + length})
	}
	return list
}

// lists are so many lists of the first jobs.
func lists(n, jobs int) (all [][]Task) {
	var list []Task
	for i := range jobs {
		list = append(list, Task{Index: i})
	}
	return slices.Repeat([][]Task{list}, n)
}

// inParts are lists of so many jobs each.
func inParts(p *Problem, n int) (all [][]Task) {
	for part := range slices.Chunk(lists(1, len(p.Jobs))[0], n) {
		all = append(all, part)
	}
	return all
}

var (
	unlike = ofVehicles(func(i int, v *Vehicle) { v.Fixed = int64(i) })
	roomy  = ofVehicles(func(_ int, v *Vehicle) { v.MaxTasks, v.Windows = 0, nil })
	alone  = widening(func(p *Problem) { p.Vehicles = p.Vehicles[:1]; roomy(p) })
	shifts = ofVehicles(func(_ int, v *Vehicle) { v.Windows = spans(31, 86_400, 30_000) })
	breaks = ofVehicles(func(_ int, v *Vehicle) { v.Breaks = slices.Repeat([]Break{{Service: 60}}, 16) })
	rests  = ofVehicles(func(_ int, v *Vehicle) {
		v.Breaks = slices.Repeat([]Break{{Service: 60, Windows: spans(64, 600, 500)}}, 16)
	})
	windows = ofJobs(func(_ int, j *Job) { j.Windows = spans(64, 1200, 600) })
	trips   = ofVehicles(func(_ int, v *Vehicle) { v.Reloads, v.Start, v.End = &Reloads{MaxTrips: 5}, 1, 2 })
	pairs   = widening(func(p *Problem) {
		for i := 0; i+1 < len(p.Jobs); i += 2 {
			p.Shipments = append(p.Shipments, Shipment{Pickup: p.Jobs[i].Place, Delivery: p.Jobs[i+1].Place})
		}
		p.Jobs = nil
	})
	rides = widening(func(p *Problem) {
		pairs(p)
		for i := range p.Shipments {
			p.Shipments[i].MaxRide = 9000
		}
	})
	skills = widening(func(p *Problem) {
		ofVehicles(func(_ int, v *Vehicle) { v.Skills = upTo(256) })(p)
		ofJobs(func(_ int, j *Job) { j.Skills = upTo(256) })(p)
	})
	territories = widening(func(p *Problem) {
		ofVehicles(func(_ int, v *Vehicle) { v.Territories = upTo(64) })(p)
		ofJobs(func(_ int, j *Job) { j.Territories = upTo(64) })(p)
	})
	types = widening(func(p *Problem) {
		ofVehicles(func(i int, v *Vehicle) { v.Type = fmt.Sprint(i) })(p)
		ofJobs(func(i int, j *Job) { j.ServiceByType = map[string]int64{fmt.Sprint(i): 5, fmt.Sprint(i % 100): 3} })(p)
	})
	dimensions = widening(func(p *Problem) {
		ofVehicles(func(_ int, v *Vehicle) { v.Capacity = slices.Repeat([]int32{10_000}, 16) })(p)
		ofJobs(func(_ int, j *Job) { j.Delivery, j.Pickup = upTo(16), upTo(16) })(p)
	})
	speeds = ofVehicles(func(i int, v *Vehicle) { v.SpeedFactor = 1 + float64(i)/1000 })
	steps  = widening(func(p *Problem) {
		for i := range p.Jobs {
			p.Vehicles[0].Initial = append(p.Vehicles[0].Initial, Stop{AtJob, i})
		}
	})
	held = ofVehicles(func(_ int, v *Vehicle) { v.Territories = []int32{1} }) // nothing can be served
)

func apart(n, jobs int) widening    { return func(p *Problem) { p.Apart = lists(n, jobs) } }
func together(n, jobs int) widening { return func(p *Problem) { p.Together = lists(n, jobs) } }
func parts(n int) widening          { return func(p *Problem) { p.Together = inParts(p, n) } }

// TestWidestProblems takes each list-valued member at its bound, and those together that
// multiply, and holds the work that was counted and the memory against the estimate.
func TestWidestProblems(t *testing.T) {
	full, few := [3]int{1000, 100, 200}, [3]int{120, 12, 100}
	for name, c := range map[string]struct {
		size [3]int
		wide []widening
	}{
		"nothing":                         {full, nil},
		"one vehicle":                     {full, []widening{alone}},
		"shipments":                       {full, []widening{pairs}},
		"shipments, one vehicle":          {full, []widening{pairs, alone}},
		"limits on rides":                 {few, []widening{rides}},
		"limits on rides, breaks":         {[3]int{16, 2, 20}, []widening{rides, breaks}},
		"vehicles":                        {[3]int{1000, 1000, 200}, []widening{unlike}},
		"speeds":                          {full, []widening{speeds}},
		"apart":                           {full, []widening{apart(150, 990)}},
		"apart, lists":                    {full, []widening{apart(1000, 50)}},
		"apart, lists, vehicles":          {[3]int{1000, 1000, 200}, []widening{apart(1000, 1000), unlike}},
		"together":                        {full, []widening{together(1, 990)}},
		"together, lists":                 {full, []widening{together(1000, 1000)}},
		"together, lists, vehicles":       {[3]int{150, 50, 100}, []widening{together(1000, 150), unlike, roomy}},
		"together by tens":                {full, []widening{parts(10)}},
		"together by twenties, breaks":    {[3]int{60, 6, 50}, []widening{parts(20), breaks}},
		"together, apart":                 {full, []widening{parts(10), apart(1000, 1000)}},
		"skills, vehicles":                {full, []widening{unlike, skills}},
		"territories, vehicles":           {full, []widening{unlike, territories}},
		"types":                           {full, []widening{types}},
		"windows":                         {full, []widening{windows}},
		"shifts":                          {full, []widening{shifts}},
		"shifts, windows":                 {full, []widening{shifts, windows}},
		"breaks":                          {full, []widening{breaks}},
		"breaks, windows":                 {full, []widening{rests, windows}},
		"breaks, shifts, windows":         {[3]int{60, 6, 50}, []widening{rests, shifts, windows}},
		"trips":                           {full, []widening{trips}},
		"trips, dimensions":               {full, []widening{trips, dimensions}},
		"trips, breaks":                   {[3]int{60, 6, 50}, []widening{trips, breaks}},
		"dimensions":                      {full, []widening{dimensions}},
		"steps":                           {full, []widening{steps}},
		"steps, dimensions":               {full, []widening{dimensions, steps}},
		"steps, breaks":                   {[3]int{60, 6, 50}, []widening{steps, breaks, roomy}},
		"steps, trips":                    {few, []widening{steps, trips}},
		"steps, together":                 {full, []widening{steps, parts(10)}},
		"skills, territories, no vehicle": {full, []widening{skills, held}},
	} {
		if testing.Short() && name != "nothing" && name != "apart, lists" && name != "steps, trips" {
			continue
		}
		p := wide(c.size[0], c.size[1], c.size[2])
		for _, w := range c.wide {
			w(p)
		}
		o := Options{Seed: 1, Iterations: glance, Walkers: 2}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		plan, work, err := solve(t.Context(), p, o)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		taken := float64(after.TotalAlloc - before.TotalAlloc)
		want := Estimate(p, o)
		counted := float64(work * workTime)
		t.Logf("%-32s counted %6.0f ms, estimated %6d ms, %.2f; %5.1f MB, estimated %5.1f MB, %.2f; %d left", name, counted/1e6, want.Processor.Milliseconds(), counted/float64(want.Processor), taken/1e6, float64(want.Bytes)/1e6, taken/float64(want.Bytes), len(plan.Unassigned))
		if counted > 10*float64(want.Processor) || float64(want.Processor) > 20*counted {
			t.Errorf("%s: work of %.0f ms was counted, and %v estimated", name, counted/1e6, want.Processor)
		}
		if taken > 4*float64(want.Bytes) || float64(want.Bytes) > 10*taken {
			t.Errorf("%s: %.1f MB were taken, and %.1f estimated", name, taken/1e6, float64(want.Bytes)/1e6)
		}
	}
}

// TestWidestExplanations does so for the explanation of a task.
func TestWidestExplanations(t *testing.T) {
	few := [3]int{200, 20, 100}
	for name, c := range map[string]struct {
		size [3]int
		wide []widening
	}{
		"nothing":     {few, nil},
		"vehicles":    {[3]int{200, 400, 100}, []widening{unlike}},
		"shipments":   {few, []widening{pairs}},
		"together":    {few, []widening{together(1000, 100)}},
		"apart":       {few, []widening{apart(1000, 200)}},
		"skills":      {few, []widening{unlike, skills}},
		"windows":     {few, []widening{windows}},
		"dimensions":  {few, []widening{dimensions}},
		"trips":       {few, []widening{trips}},
		"territories": {few, []widening{territories}},
	} {
		if testing.Short() && name != "nothing" {
			continue
		}
		p := wide(c.size[0], c.size[1], c.size[2])
		for _, w := range c.wide {
			w(p)
		}
		last := Task{Index: len(p.Jobs) - 1}
		if len(p.Jobs) == 0 {
			last = Task{true, len(p.Shipments) - 1}
			p.Shipments[last.Index].Delivery.Windows, p.Shipments[last.Index].Skills = []Window{{1, 2}}, []int32{-5}
		} else {
			p.Jobs[last.Index].Windows, p.Jobs[last.Index].Skills = []Window{{1, 2}}, []int32{-5}
		}
		plan, _, err := solve(t.Context(), p, Options{Seed: 1, Iterations: glance})
		if err != nil || !slices.Contains(plan.Unassigned, last) {
			t.Fatalf("%s: %v", name, err)
		}
		w := newWatch(t.Context(), nil)
		reasons, err := explain(w, p, plan, []Task{last}, ExplainOptions{})
		if err != nil {
			t.Fatal(err)
		}
		counted, want := float64(w.work()*workTime), EstimateExplain(p, 1)
		t.Logf("%-12s counted %6.0f ms, estimated %6d ms, %.2f; %s, %d ways", name, counted/1e6, want.Processor.Milliseconds(), counted/float64(want.Processor), reasons[0].Cause, len(reasons[0].Relaxations))
		if counted > 10*float64(want.Processor) {
			t.Errorf("%s: work of %.0f ms was counted, and %v estimated", name, counted/1e6, want.Processor)
		}
	}
}
