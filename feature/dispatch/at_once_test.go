package dispatch

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/wire/native/plan"
)

// TestBoundsAtOnce publishes plans of a key from many sides: no more are taken than it may have.
func TestBoundsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s := newScene(t, address)
		for range MaxPerKey - 2 {
			s.publish("key", request(round("v", stopAt("a", 1))))
		}
		for range 4 {
			var taken [24]*Published
			var group parallel.Group
			for i := range taken {
				group.Go(func() {
					p, err := s.Publish(t.Context(), "key", request(round("v", stopAt("a", 1))))
					if err != nil && !fault.Is(err, fault.PlansTooMany) {
						t.Error(err)
					}
					taken[i] = p
				})
			}
			group.Wait()
			n := 0
			for _, p := range taken {
				if p == nil {
					continue
				}
				n++
				if err := s.Service.Delete(t.Context(), "key", p.ID); err != nil {
					t.Error(err)
				}
			}
			if n != 2 {
				t.Errorf("%d plans were taken, where there was room for 2", n)
			}
		}
	})
}

// TestRevokedAtOnce revokes and renews links while their plan is published anew: what was ended
// opens nothing, and each target has one link.
func TestRevokedAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s := newScene(t, address)
		for range 12 {
			p := s.publish("key", request(round("v", stopAt("a", 1)), round("w", stopAt("b", 1))))
			var renewed [2]*NewLink
			var group parallel.Group
			failing := func(f func(ctx context.Context) error) {
				group.Go(func() {
					if err := f(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			for range 3 {
				failing(func(ctx context.Context) error {
					_, err := s.Replace(ctx, "key", p.ID, request(round("v", stopAt("a", 1)), round("w", stopAt("b", 1))))
					return err
				})
			}
			failing(func(ctx context.Context) error { return s.Revoke(ctx, "key", p.ID, p.Rounds[0].Link) })
			for i := range renewed {
				failing(func(ctx context.Context) (err error) {
					renewed[i], err = s.Relink(ctx, "key", p.ID, &plan.LinkRequest{Vehicle: "w"})
					return err
				})
			}
			group.Wait()
			if t.Failed() {
				return
			}
			s.shut("revoked while the plan was published anew", s.token(p, "v", ""))
			s.shut("renewed while the plan was published anew", s.token(p, "w", ""))
			working := 0
			for _, l := range renewed {
				if _, err := s.Driver(t.Context(), l.Token); err == nil {
					working++
				}
			}
			if working != 1 {
				t.Errorf("%d links of two that were made at once open the round, want the later one", working)
			}
			if err := s.Service.Delete(t.Context(), "key", p.ID); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestReportedAtOnce has drivers report stops while the plan loses these stops: no report of a stop
// stays that the plan does not have.
func TestReportedAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s := newScene(t, address)
		many := make([]plan.PublishedStop, 40)
		marks := make([]plan.StopMark, len(many))
		for i := range many {
			many[i] = stopAt(fmt.Sprint("s", i), 1)
			marks[i] = plan.StopMark{Stop: many[i].ID, State: done, At: s.now}
		}
		for range 8 {
			p := s.publish("key", request(round("v", many...)))
			token := s.token(p, "v", "")
			var group parallel.Group
			for range 3 {
				group.Go(func() {
					if _, err := s.Mark(t.Context(), token, append([]plan.StopMark(nil), marks...)); err != nil {
						t.Error(err)
					}
				})
			}
			group.Go(func() {
				if _, err := s.Replace(t.Context(), "key", p.ID, request(round("v", stopAt("z", 1)))); err != nil {
					t.Error(err)
				}
			})
			group.Wait()
			if dump := storetest.Dump(t, s.db, "plan_marks"); strings.Contains(dump, p.ID) {
				t.Errorf("reports are left of stops that the plan does not have: %.300s", dump)
			}
			if err := s.Service.Delete(t.Context(), "key", p.ID); err != nil {
				t.Fatal(err)
			}
		}
	})
}
