package explain

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/fleettest"
	"github.com/waygate/waygate/fleet/search"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/soaktest"
)

// TestEndsSoonAfterItsCaller has callers leave at looks all over the work: it ends within few
// looks after that, wherever it is, with the context's error.
func TestEndsSoonAfterItsCaller(t *testing.T) {
	const many = 1 << 30
	left := func(p *fleet.Problem, looks int) (*fleettest.CancelledContext, error) {
		ctx := &fleettest.CancelledContext{Context: t.Context(), Left: looks}
		plan, err := search.Solve(ctx, p, search.Options{Seed: 1, Iterations: 64})
		if err != nil {
			return ctx, err
		}
		if len(plan.Unassigned) == 0 {
			plan.Unassigned = []fleet.Task{}
		}
		_, err = Tasks(ctx, p, plan, plan.Unassigned[:min(2, len(plan.Unassigned))], Options{})
		return ctx, err
	}
	for name, p := range fleettest.Demanding() {
		if testing.Short() && name != "matrices" && name != "shipments" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			ctx, err := left(p, many)
			if err != nil {
				t.Fatal(err)
			}
			all := many - ctx.Left
			if all < 10 {
				t.Fatalf("only %d looks", all)
			}
			parts := soaktest.Cases(3, 6)
			for k := range parts {
				looks := all * k / parts
				ctx, err := left(p, looks)
				if !errors.Is(err, context.Canceled) {
					t.Errorf("left at look %d of %d: %v", looks, all, err)
				}
				if ctx.After > 20 {
					t.Errorf("left at look %d of %d, and %d looks came after", looks, all, ctx.After)
				}
			}
		})
	}
}

// TestExplainsInTime explains nothing half: what there was no time for is left out, and what
// there was time for is as it is without a limit.
func TestExplainsInTime(t *testing.T) {
	p := fleettest.Wide(60, 6, 50)
	for i := range p.Jobs[:3] {
		p.Jobs[i].Skills = []int32{int32(i)}
	}
	plan, err := search.Solve(t.Context(), p, search.Options{Seed: 1, Iterations: 200})
	if err != nil || len(plan.Unassigned) != 3 {
		t.Fatalf("%v, %v", plan, err)
	}
	all, err := Tasks(t.Context(), p, plan, plan.Unassigned, Options{})
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, first := range []int{0, 1, 2, 3, 4} {
		readings := 0
		c := limit.NewClock(0, time.Second, func() time.Duration {
			if readings++; readings > first {
				return time.Second
			}
			return 0
		}, nil)
		some, err := explain(limit.NewWatch(t.Context(), c), p, plan, plan.Unassigned, Options{})
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
	if some, err := Tasks(t.Context(), p, plan, plan.Unassigned, Options{Next: func(done int) bool {
		asked = append(asked, done)
		return done < 2
	}}); err != nil || len(some) != 2 || !slices.Equal(asked, []int{0, 1, 2}) {
		t.Errorf("%v, %v, asked %v", some, err, asked)
	}
}
