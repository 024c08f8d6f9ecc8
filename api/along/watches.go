package along

import (
	"context"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feature/watch"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native/ahead"
)

var watchDoc = edge.Doc{
	Summary: "Watch a route", Tags: []string{"analysis"},
	Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"webhook_url":"https://hooks.example.org/waygate","threshold_s":300}`,
	Description: "When a closure appears on the route, it opens again, or its time changes by more than threshold_s, one signed webhook (Standard Webhooks, type watch.changed) has the old and the new time, the closures, and the best way of then. " +
		"From then on changes are counted from what was sent last. A watch ends by itself: at its time, or when 20 webhooks were sent. A key may have 20 in force (429 watches-too-many). Needs a key with a webhook secret. 501 without traffic and incidents.",
	Fails: []int{429},
}

var (
	watchesDoc  = edge.Doc{Summary: "The key's watches in force", Tags: []string{"analysis"}, Description: "Those that have not ended, the newest first, with what was sent last. Free of charge."}
	oneWatchDoc = edge.Doc{Summary: "A watch in force", Tags: []string{"analysis"}, Description: "What is watched and what was sent last. A watch of another key, or one that has ended, is a 404. Free of charge."}
	endWatchDoc = edge.Doc{Summary: "End a watch", Tags: []string{"analysis"}, Description: "No more webhooks are sent. One that has ended already, or never was, is a 404. Free of charge."}
)

// watchFor is how long a route is watched where the request does not say.
const watchFor = 4 * time.Hour

// WatchRecord is the state of a watch.
type WatchRecord struct {
	ID            string  `json:"id"`
	WebhookURL    string  `json:"webhook_url"`
	Costing       string  `json:"costing"`
	Shape         string  `json:"shape" doc:"the route that is watched, an encoded polyline of six digits"`
	Threshold     float64 `json:"threshold_s"`
	Duration      float64 `json:"duration_s" decimals:"1" doc:"the route's time that changes are counted from"`
	Closed        bool    `json:"closed" doc:"whether the route was closed when that was sent"`
	Notifications int     `json:"told" doc:"webhooks that were queued"`
	Created       string  `json:"created_at" format:"date-time"`
	Expires       string  `json:"expires_at" format:"date-time"`
}

// WatchList is the watches of a key.
type WatchList struct {
	Watches []WatchRecord `json:"watches" nullable:"false" doc:"the newest first"`
}

func recordOf(w *watch.Watch) *WatchRecord {
	return &WatchRecord{
		ID: w.ID, WebhookURL: w.WebhookURL, Costing: w.Costing.String(), Shape: geo.EncodePolyline(w.Line, 6), Threshold: w.Threshold,
		Duration: w.Duration, Closed: w.Closed, Notifications: w.Notifications, Created: w.Created.UTC().Format(time.RFC3339), Expires: w.Expires.UTC().Format(time.RFC3339),
	}
}

// owner returns the key of a call; it fails where there is none.
func (d Deps) owner(ctx context.Context) (string, error) {
	if d.Live.Watches == nil {
		return "", fault.NotEnabled("watches", "watches are not enabled here")
	}
	key := edge.CallOf(ctx).Key()
	if key == nil {
		return "", fault.New(fault.Unauthorized, "watches are a key's own; send it as Authorization: Bearer KEY or as the query parameter api_key")
	}
	return key.ID, nil
}

func (d Deps) watch(ctx context.Context, in *asked[ahead.WatchRequest]) (*WatchRecord, error) {
	b := &in.Body
	key, err := d.owner(ctx)
	if err != nil {
		return nil, err
	}
	if s := in.Region.Roads(); s == nil || !s.Traffic && s.Reports == nil {
		return nil, fault.NotEnabled("watches", "watches are not enabled here: the deployment has no feed of traffic or incidents for its own routing engine (SVC_TRAFFIC, SVC_INCIDENTS)")
	}
	now := d.Now()
	w := &watch.Watch{Key: key, WebhookURL: b.WebhookURL, Costing: b.Costing, Options: b.Settings(), Threshold: b.ThresholdS, Expires: now.Add(watchFor)}
	if b.Until != nil {
		w.Expires = b.Until.UTC()
	}
	if left := w.Expires.Sub(now); left <= 0 || left > watch.MaxDuration {
		return nil, fault.Invalid(fault.Violation{Location: "until", Value: w.Expires.Format(time.RFC3339), Message: "must be a time to come, at most 24 hours from now"})
	}
	if w.Line = b.Line(); w.Line == nil {
		way, err := (&along.Service{Engine: in.Region.Engine}).Way(ctx, along.Ahead{Stops: b.Stops(), Costing: b.Costing, Options: b.Settings(), Depart: now}, along.Search{})
		if err != nil {
			return nil, err
		}
		w.Line = way.Line()
	}
	if scheduled.RequestOf(ctx).EstimateOnly {
		return nil, scheduled.ErrEstimated
	}
	t, err := in.Region.Kernel().Travel(ctx, &engine.RouteRequest{Costing: w.Costing, Options: w.Options}, w.Line)
	if err != nil {
		return nil, err
	}
	w.Duration, w.Closed = t.Seconds, len(t.Closures) > 0
	if err := d.Live.Watches.Create(ctx, w); err != nil {
		return nil, err
	}
	return recordOf(w), nil
}

func (d Deps) watches(ctx context.Context, _ *struct{}) (*WatchList, error) {
	key, err := d.owner(ctx)
	if err != nil {
		return nil, err
	}
	list, err := d.Live.Watches.List(ctx, key)
	if err != nil {
		return nil, err
	}
	out := &WatchList{Watches: []WatchRecord{}}
	for _, w := range list {
		out.Watches = append(out.Watches, *recordOf(w))
	}
	return out, nil
}

type watchIn struct {
	ID string `path:"id" doc:"of the watch"`
}

func (d Deps) oneWatch(ctx context.Context, in *watchIn) (*WatchRecord, error) {
	key, err := d.owner(ctx)
	if err != nil {
		return nil, err
	}
	w, err := d.Live.Watches.Get(ctx, key, in.ID)
	if err != nil {
		return nil, err
	}
	return recordOf(w), nil
}

// Ended is the answer to ending a watch.
type Ended struct {
	ID    string `json:"id"`
	Ended bool   `json:"ended"`
}

func (d Deps) endWatch(ctx context.Context, in *watchIn) (*Ended, error) {
	key, err := d.owner(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.Live.Watches.Delete(ctx, key, in.ID); err != nil {
		return nil, err
	}
	return &Ended{in.ID, true}, nil
}
