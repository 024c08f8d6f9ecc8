package watch

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// scene is a table of watches with two replicas on it.
type scene struct {
	t        *testing.T
	now      time.Time
	replicas [2]*Service
	sent     []Change
}

func newScene(t *testing.T, db *store.DB) *scene {
	t.Helper()
	s := &scene{t: t, now: time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC)}
	for i := range s.replicas {
		var err error
		s.replicas[i], err = New(t.Context(), Options{
			DB: db, Now: func() time.Time { return s.now }, Log: slog.New(slog.DiscardHandler),
			Hook: func(_ context.Context, _, at, address string) error {
				if !strings.HasPrefix(address, "https:") {
					return fault.Invalid(fault.Violation{Location: at, Value: address, Message: "must be https"})
				}
				return nil
			},
			Tell: func(_ context.Context, _ *store.Tx, _ string, e Event) error {
				s.sent = append(s.sent, e.Data.(Change))
				return nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *scene) create(key string) *Watch {
	s.t.Helper()
	settings, _, bad := costing.Parse(costing.Truck, map[string]json.RawMessage{"height": json.RawMessage("4")}, "")
	if bad != nil {
		s.t.Fatal(bad)
	}
	w := &Watch{Key: key, WebhookURL: "https://hooks.example.org/", Line: []geo.Point{{Lon: 7, Lat: 50}, {Lon: 7.1, Lat: 50}}, Costing: costing.Truck, Options: settings, Threshold: 60, Duration: 600, Expires: s.now.Add(time.Hour)}
	if err := s.replicas[0].Create(s.t.Context(), w); err != nil {
		s.t.Fatal(err)
	}
	return w
}

// sweep has both replicas look at the same time, independently of each other.
func (s *scene) sweep(now Now) []Change {
	s.t.Helper()
	s.sent = nil
	look := func(_ context.Context, w *Watch) (Now, bool, error) { return now, true, nil }
	first := func(ctx context.Context, w *Watch) (Now, bool, error) {
		// The other replica is through before this one reports.
		if err := s.replicas[1].Sweep(ctx, look); err != nil {
			s.t.Fatal(err)
		}
		return now, true, nil
	}
	if err := s.replicas[0].Sweep(s.t.Context(), first); err != nil {
		s.t.Fatal(err)
	}
	return s.sent
}

func TestWatch(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s := newScene(t, storetest.Open(t, address))
		w := s.create("key")
		got, err := s.replicas[1].Get(t.Context(), "key", w.ID)
		if err != nil || got.Costing != costing.Truck || got.Options.Of(costing.Truck).Height != 4 || len(got.Line) != 2 || got.Duration != 600 {
			t.Fatalf("it is kept as %+v, %v", got, err)
		}
		for i, c := range []struct {
			now    Now
			reason string
			old    float64 // -1 is null
			new    float64
		}{
			{Now{Seconds: 630}, "", 0, 0},
			{Now{Seconds: 661}, "time", 600, 661},
			{Now{Seconds: 661}, "", 0, 0},
			{Now{Seconds: 600}, "time", 661, 600},
			{Now{Closures: []geo.Point{{Lon: 7.05, Lat: 50}}, Alternative: &Alternative{Duration: 900}}, "closure", 600, -1},
			{Now{Closures: []geo.Point{{Lon: 7.05, Lat: 50}}}, "", 0, 0},
			{Now{Seconds: 605}, "reopened", -1, 605},
			{Now{Seconds: 605}, "", 0, 0},
		} {
			sent := s.sweep(c.now)
			if c.reason == "" {
				if len(sent) != 0 {
					t.Errorf("step %d: sent %+v", i, sent)
				}
				continue
			}
			if len(sent) != 1 || sent[0].Reason != c.reason || value(sent[0].Old) != c.old || value(sent[0].New) != c.new || len(sent[0].Closures) != len(c.now.Closures) {
				t.Errorf("step %d: sent %+v, want %+v", i, sent, c)
			}
		}
		s.now = s.now.Add(time.Hour)
		if sent := s.sweep(Now{Seconds: 9000}); len(sent) != 0 {
			t.Errorf("after its end it sent %+v", sent)
		}
		if _, err := s.replicas[0].Get(t.Context(), "key", w.ID); err == nil {
			t.Error("it is there after its end")
		}
	})
}

func value(v *float64) float64 {
	if v == nil {
		return -1
	}
	return *v
}

// TestBoundsAtOnce creates watches of a key by two replicas at once: no more are taken than it may have.
func TestBoundsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s := newScene(t, storetest.Open(t, address))
		for range MaxPerKey - 2 {
			s.create("key")
		}
		like := *s.create("other")
		for range 4 {
			var taken [24]string
			var group parallel.Group
			for i := range taken {
				group.Go(func() {
					w := like
					w.Key = "key"
					err := s.replicas[i%2].Create(t.Context(), &w)
					if err == nil {
						taken[i] = w.ID
					} else if !isSlug(err, fault.WatchesTooMany) {
						t.Error(err)
					}
				})
			}
			group.Wait()
			n := 0
			for _, id := range taken {
				if id == "" {
					continue
				}
				n++
				if err := s.replicas[0].Delete(t.Context(), "key", id); err != nil {
					t.Error(err)
				}
			}
			if n != 2 {
				t.Errorf("%d watches were taken, where there was room for 2", n)
			}
		}
	})
}

func TestBounds(t *testing.T) {
	s := newScene(t, storetest.Open(t, storetest.SQLite(t)))
	var last *Watch
	for range MaxPerKey {
		last = s.create("key")
	}
	again := *last
	if err := s.replicas[0].Create(t.Context(), &again); !isSlug(err, fault.WatchesTooMany) {
		t.Errorf("one watch too many: %v", err)
	}
	if err := s.replicas[0].Delete(t.Context(), "other", last.ID); !isSlug(err, fault.NotFound) {
		t.Errorf("another key ended it: %v", err)
	}
	if err := s.replicas[1].Delete(t.Context(), "key", last.ID); err != nil {
		t.Error(err)
	}
	if list, err := s.replicas[0].List(t.Context(), "key"); err != nil || len(list) != MaxPerKey-1 {
		t.Errorf("%d are left, %v", len(list), err)
	}
	again.WebhookURL = "http://10.0.0.1/"
	if err := s.replicas[0].Create(t.Context(), &again); err == nil {
		t.Error("an address that is not permitted was taken")
	}
	// A watch ends after MaxNotifications webhooks.
	one := newScene(t, storetest.Open(t, storetest.SQLite(t)))
	one.create("key")
	n := 0
	for i := range 2 * MaxNotifications {
		for _, c := range one.sweep(Now{Seconds: float64(600 + 1000*(i+1))}) {
			n++
			if c.Ended != (n == MaxNotifications) {
				t.Errorf("call %d says ended %v", n, c.Ended)
			}
		}
	}
	if n != MaxNotifications {
		t.Errorf("%d webhooks were queued", n)
	}
}

func isSlug(err error, slug fault.Slug) bool {
	e := &fault.Error{}
	return err != nil && errors.As(err, &e) && e.Slug == slug
}
