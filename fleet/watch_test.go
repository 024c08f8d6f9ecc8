package fleet

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// fading is a context that ends at a look at it, and counts those after that.
type fading struct {
	context.Context
	left, after int
}

func (f *fading) Err() error {
	if f.left > 0 {
		f.left--
		return nil
	}
	f.after++
	return context.Canceled
}

// wanted is problems with much work before, in and after the first step of a search.
func wanted() map[string]*Problem {
	with := func(p *Problem, all ...widening) *Problem {
		for _, w := range all {
			w(p)
		}
		return p
	}
	return map[string]*Problem{
		"matrices":  with(wide(200, 20, 600), speeds),
		"vehicles":  with(wide(500, 300, 100), unlike, skills),
		"steps":     with(wide(60, 2, 50), steps, breaks, roomy),
		"rides":     with(wide(16, 2, 20), rides, breaks),
		"together":  with(wide(100, 10, 100), together(10, 100), unlike, roomy),
		"shipments": with(wide(600, 10, 100), pairs, alone),
		"no room":   with(wide(300, 30, 100), apart(1000, 300)),
	}
}

// TestEndsSoonAfterItsCaller has callers leave at looks all over the work: it ends within few
// looks after that, wherever it is, with the context's error.
func TestEndsSoonAfterItsCaller(t *testing.T) {
	const many = 1 << 30
	left := func(p *Problem, looks int) (*fading, error) {
		ctx := &fading{Context: t.Context(), left: looks}
		plan, err := Solve(ctx, p, Options{Seed: 1, Iterations: glance})
		if err != nil {
			return ctx, err
		}
		if len(plan.Unassigned) == 0 {
			plan.Unassigned = []Task{}
		}
		_, err = Explain(ctx, p, plan, plan.Unassigned[:min(2, len(plan.Unassigned))], ExplainOptions{})
		return ctx, err
	}
	for name, p := range wanted() {
		if testing.Short() && name != "matrices" && name != "shipments" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			ctx, err := left(p, many)
			if err != nil {
				t.Fatal(err)
			}
			all := many - ctx.left
			if all < 10 {
				t.Fatalf("only %d looks", all)
			}
			for k := range 6 {
				looks := all * k / 6
				ctx, err := left(p, looks)
				if !errors.Is(err, context.Canceled) {
					t.Errorf("left at look %d of %d: %v", looks, all, err)
				}
				if ctx.after > 20 {
					t.Errorf("left at look %d of %d, and %d looks came after", looks, all, ctx.after)
				}
			}
		})
	}
}

// TestGivesWhatItHasInTime has the time run out at readings of the clock all over a search: a
// plan comes, which says so, and it ends within few readings after that.
func TestGivesWhatItHasInTime(t *testing.T) {
	const limit = time.Second
	for name, p := range wanted() {
		if testing.Short() && name != "matrices" && name != "shipments" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, first := range []int{0, 1, 2, 5, 20} {
				readings := 0
				plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 1e12, Time: limit, Walkers: 2, Elapsed: func() time.Duration {
					if readings++; readings > first {
						return limit
					}
					return 0
				}})
				if err != nil {
					t.Fatalf("%d: %v", first, err)
				}
				if !plan.DeadlineHit || readings > first+200 {
					t.Errorf("%d: deadline %t after %d readings", first, plan.DeadlineHit, readings)
				}
			}
		})
	}
}

// TestExplainsInTime explains nothing half: what there was no time for is left out, and what
// there was time for is as it is without a limit.
func TestExplainsInTime(t *testing.T) {
	p := wide(60, 6, 50)
	for i := range p.Jobs[:3] {
		p.Jobs[i].Skills = []int32{int32(i)}
	}
	plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 200})
	if err != nil || len(plan.Unassigned) != 3 {
		t.Fatalf("%v, %v", plan, err)
	}
	all, err := Explain(t.Context(), p, plan, plan.Unassigned, ExplainOptions{})
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, first := range []int{0, 1, 2, 3, 4} {
		readings := 0
		c := newClock(&Options{Time: time.Second, Elapsed: func() time.Duration {
			if readings++; readings > first {
				return time.Second
			}
			return 0
		}})
		some, err := explain(newWatch(t.Context(), c), p, plan, plan.Unassigned, ExplainOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(some) > first || !slices.EqualFunc(some, all[:len(some)], func(a, b Reason) bool {
			return a.Task == b.Task && a.Cause == b.Cause && len(a.Relaxations) == len(b.Relaxations)
		}) {
			t.Errorf("after %d readings: %v, want the first of %v", first, some, all)
		}
		if first == 4 && len(some) == 0 {
			t.Error("nothing was explained")
		}
	}
	asked := []int{}
	if some, err := Explain(t.Context(), p, plan, plan.Unassigned, ExplainOptions{Next: func(done int) bool {
		asked = append(asked, done)
		return done < 2
	}}); err != nil || len(some) != 2 || !slices.Equal(asked, []int{0, 1, 2}) {
		t.Errorf("%v, %v, asked %v", some, err, asked)
	}
}

// TestWritesNoPlanThatIsNotWanted has the caller leave at any piece of work while the plan is
// written, vehicle by vehicle, each with more stops than the one before.
func TestWritesNoPlanThatIsNotWanted(t *testing.T) {
	p := wide(40, 8, 50)
	m := compile(p, idle())
	s := newState(m)
	next := int32(0)
	for r := range m.slots {
		visits := []int32{}
		for range r + 1 {
			visits = append(visits, next)
			next++
		}
		s.fill(int32(r), visits)
	}
	s.under(newWatch(t.Context(), nil))
	if plan := s.plan(); len(plan.Routes) != 8 {
		t.Fatalf("%d vehicles drive", len(plan.Routes))
	}
	all := s.watch.work()
	for work := int64(0); work < all; work += 7 {
		w := newWatch(&fading{Context: t.Context()}, nil)
		w.left = work
		s.under(w)
		s.plan()
		if !w.over {
			t.Errorf("the caller left after %d pieces of work of %d, and was not looked at", work, all)
		}
	}
}
