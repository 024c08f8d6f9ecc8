package outbox

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"

	"github.com/waygate/waygate/parallel"
)

const (
	attemptLimit  = 30 * time.Second // of one attempt, far below the lease
	shutdownGrace = 5 * time.Second  // for attempts that are under way when Run ends
	sweepEvery    = time.Minute
	longestPause  = 30 * time.Second // while the database is away
)

// queue delivers one kind, so that slow receivers of webhooks hold up no mail.
type queue struct {
	kind  string
	slots chan struct{} // holds a token for each attempt under way
	wake  chan struct{}
}

func newQueue(kind string, width int) *queue {
	return &queue{kind, make(chan struct{}, width), make(chan struct{}, 1)}
}

func (l *queue) wakeUp() {
	select {
	case l.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// Run delivers until ctx ends; attempts under way then have a few seconds to
// come to their end.
func (o *Outbox) Run(ctx context.Context) {
	// Attempts outlive ctx a little: what was sent should be written down.
	sending, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var work, attempts parallel.Group
	for _, l := range o.queues {
		work.Go(func() {
			parallel.Keep(ctx, func(ctx context.Context) { o.deliverQueue(ctx, sending, l, &attempts) }, o.panicked)
		})
	}
	work.Go(func() { parallel.Keep(ctx, o.deleteOldRegularly, o.panicked) })
	work.Wait()
	end := time.AfterFunc(shutdownGrace, stop)
	defer end.Stop()
	attempts.Wait()
}

// panicked tells of a defect; the outbox goes on.
func (o *Outbox) panicked(p *parallel.Panic) {
	o.options.Log.Error("panic in the outbox", "value", p.Value, "stack", string(p.Stack))
}

// deliverQueue takes what is due and delivers it beside, as many at a time as the queue has slots.
func (o *Outbox) deliverQueue(ctx, sending context.Context, l *queue, attempts *parallel.Group) {
	pause := o.options.Poll
	for {
		err := o.drain(ctx, sending, l, attempts)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			pause = min(2*pause, longestPause)
			o.options.Log.Warn("the outbox cannot read its database", "kind", l.kind, "error", err, "again_in", pause)
		} else {
			pause = o.options.Poll
		}
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-time.After(pause):
		}
	}
}

func (o *Outbox) drain(ctx, sending context.Context, l *queue, attempts *parallel.Group) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case l.slots <- struct{}{}:
		}
		d, err := o.claim(ctx, l.kind)
		if err != nil || d == nil {
			<-l.slots
			return err
		}
		attempts.Go(func() {
			defer func() { <-l.slots }()
			err := parallel.Try(func() error { o.attempt(sending, d); return nil })
			var p *parallel.Panic
			if errors.As(err, &p) {
				o.panicked(p) // its lease ends, and somebody tries again
			}
		})
	}
}

func (o *Outbox) deleteOldRegularly(ctx context.Context) {
	for {
		if err := o.deleteOld(ctx); err != nil && ctx.Err() == nil {
			o.options.Log.Warn("the outbox cannot tidy up", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepEvery/2 + rand.N(sweepEvery)): //nolint:gosec // replicas need not agree
		}
	}
}

// Deliver sends what is due now, one after the other, and returns when it is
// done: for commands and tests that do not Run.
func (o *Outbox) Deliver(ctx context.Context) error {
	for _, l := range o.queues {
		for {
			d, err := o.claim(ctx, l.kind)
			if err != nil {
				return err
			}
			if d == nil {
				break
			}
			o.attempt(ctx, d)
		}
	}
	return o.deleteOld(ctx)
}

// refusal is a failure of an attempt that says more than that it failed.
type refusal struct {
	reason string
	final  bool          // trying again would not help
	after  time.Duration // the receiver wants to be left alone for so long
}

func (r *refusal) Error() string { return r.reason }

// attempt sends once and writes down how it went. No transaction is open while
// it talks to the network.
func (o *Outbox) attempt(ctx context.Context, d *delivery) {
	limited, cancel := context.WithTimeout(ctx, attemptLimit)
	err := o.send(limited, d)
	cancel()
	if ctx.Err() != nil && err != nil {
		err = errors.New("the server that was sending it stopped")
	}
	// What happened outlives the order to stop.
	o.record(context.WithoutCancel(ctx), d, err)
}

func (o *Outbox) send(ctx context.Context, d *delivery) error {
	if d.kind == webhookKind {
		var c queuedWebhook
		if err := json.Unmarshal([]byte(d.content), &c); err != nil {
			return &refusal{reason: "the row is damaged", final: true}
		}
		return o.post(ctx, d.id, c)
	}
	var l queuedMail
	if err := json.Unmarshal([]byte(d.content), &l); err != nil {
		return &refusal{reason: "the row is damaged", final: true}
	}
	if o.relay == nil {
		o.show(l, d.expiresAt)
		return nil
	}
	return o.relay.send(ctx, d.id, o.options.Now(), l)
}

// record writes the outcome of an attempt, trying for a while: a row that was
// sent and not marked would be sent again.
func (o *Outbox) record(ctx context.Context, d *delivery, failure error) {
	for n := range 6 {
		err := o.recordOnce(ctx, d, failure)
		if err == nil {
			return
		}
		o.options.Log.Warn("the outbox cannot write down a delivery", "id", d.id, "kind", d.kind, "error", err)
		time.Sleep(time.Duration(50<<n) * time.Millisecond)
	}
}

func (o *Outbox) recordOnce(ctx context.Context, d *delivery, failure error) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if failure == nil {
		return o.delivered(ctx, d)
	}
	var r *refusal
	if !errors.As(failure, &r) {
		r = &refusal{reason: failure.Error()}
	}
	reason := short(r.reason)
	next := o.options.Now().Add(max(o.options.Backoff(d.attempt), r.after))
	log := o.options.Log.With("id", d.id, "kind", d.kind, "attempt", d.attempt, "reason", reason)
	if r.final || next.After(d.expiresAt) {
		log.Warn("a delivery is given up")
		return o.abandon(ctx, d, reason)
	}
	log.Info("a delivery will be tried again", "at", next.UTC().Format(time.RFC3339))
	return o.postpone(ctx, d, next, reason)
}

// short makes a text of somebody else's fit for the log and the table.
func short(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s)
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}

// delays are the pauses after failed attempts; the last one repeats.
var delays = [...]time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 12 * time.Hour,
}

// Backoff is the usual pause after an attempt, the first being 1: 5 s, 30 s,
// 2 min, 10 min, 30 min, 2 h, 5 h, 10 h, then 12 h, each up to a fifth longer,
// so that what failed together does not come back together.
func Backoff(attempt int) time.Duration {
	d := delays[min(max(attempt, 1), len(delays))-1]
	return d + rand.N(d/5) //nolint:gosec // it spreads load, it keeps no secret
}
