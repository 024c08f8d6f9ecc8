package watch

import (
	"context"
	"math"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/store"
)

// Now is the state of a route at the moment.
type Now struct {
	Seconds  float64     // along it; unset where it is closed
	Closures []geo.Point // where it is closed at the time of arrival there, setting out now
	// Alternative is the best way between its ends at the moment; nil where there is none.
	Alternative *Alternative
}

// Alternative is another way between the ends of a route.
type Alternative struct {
	Duration float64 `json:"duration_s"`
	Distance float64 `json:"distance_m"`
	Shape    string  `json:"shape"`
}

// Look finds the state of a watched route. ok is false where it is not known, as of a route in
// no region in service.
type Look func(ctx context.Context, w *Watch) (now Now, ok bool, err error)

// Change is the payload's data of a webhook of the type watch.changed.
type Change struct {
	Watch       string       `json:"watch_id"`
	Reason      string       `json:"reason"` // closure, reopened, time
	At          time.Time    `json:"at"`
	Old         *float64     `json:"old_duration_s"` // null where it was closed
	New         *float64     `json:"new_duration_s"` // null where it is closed
	Closures    []Closure    `json:"closures"`
	Alternative *Alternative `json:"alternative"`
	Expires     time.Time    `json:"expires_at"`
	Ended       bool         `json:"ended"` // it was the last webhook of the watch
}

// Closure is where a route is closed.
type Closure struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

// Sweep looks at all watches in force, and queues a webhook for each change. A watch that
// cannot be looked at is left for the next time. Where several replicas see the same change,
// one of them queues the webhook.
func (s *Service) Sweep(ctx context.Context, look Look) error {
	if _, err := s.o.DB.Exec(ctx, "DELETE FROM watches WHERE expires_at <= $1", s.o.Now().UnixMilli()); err != nil {
		return err
	}
	list, err := s.all(ctx, columns+"WHERE expires_at > $1 ORDER BY created_at", s.o.Now().UnixMilli())
	if err != nil {
		return err
	}
	for _, w := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		now, ok, err := look(ctx, w)
		if err != nil {
			s.o.Log.Warn("a watched route could not be looked at", "watch", w.ID, "error", err)
			continue
		}
		if reason := w.changed(&now); ok && reason != "" {
			if err := s.notify(ctx, w, &now, reason); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed returns the reason for a webhook: what has changed on a route since the last one;
// "" where nothing has.
func (w *Watch) changed(now *Now) string {
	switch closed := len(now.Closures) > 0; {
	case closed && !w.Closed:
		return "closure"
	case closed:
		return ""
	case w.Closed:
		return "reopened"
	case math.Abs(now.Seconds-w.Duration) > w.Threshold:
		return "time"
	}
	return ""
}

// notify queues a webhook and counts it, in one transaction.
func (s *Service) notify(ctx context.Context, w *Watch, now *Now, reason string) error {
	at := s.o.Now()
	c := Change{Watch: w.ID, Reason: reason, At: at.UTC().Truncate(time.Second), Closures: []Closure{}, Alternative: now.Alternative, Expires: w.Expires, Ended: w.Notifications+1 >= MaxNotifications}
	for _, p := range now.Closures {
		c.Closures = append(c.Closures, Closure{Lat: p.Lat, Lon: p.Lon})
	}
	duration := w.Duration
	if !w.Closed {
		c.Old = rounded(w.Duration)
	}
	if len(now.Closures) == 0 {
		c.New, duration = rounded(now.Seconds), now.Seconds
	}
	return s.o.DB.Tx(ctx, func(tx *store.Tx) error {
		n, err := tx.Exec(ctx, "UPDATE watches SET told = told + 1, duration_s = $3, closed = $4, expires_at = $5 WHERE id = $1 AND told = $2",
			w.ID, w.Notifications, duration, flag(len(now.Closures) > 0), s.end(w, c.Ended).UnixMilli())
		if err != nil || n == 0 {
			return err // another replica was first, or the watch was deleted
		}
		return s.o.Tell(ctx, tx, w.Key, Event{URL: w.WebhookURL, Type: "watch.changed", Data: c})
	})
}

// end returns when a watch ends.
func (s *Service) end(w *Watch, ended bool) time.Time {
	if ended {
		return s.o.Now()
	}
	return w.Expires
}

func rounded(seconds float64) *float64 {
	v := math.Round(seconds*10) / 10
	return &v
}
