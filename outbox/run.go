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
	"github.com/waygate/waygate/store"
)

const (
	attemptLimit  = 30 * time.Second // of one attempt, far below the lease
	shutdownGrace = 5 * time.Second  // for each step of Run's end
	sweepEvery    = time.Minute
	longestPause  = 30 * time.Second // while the database is away
)

// Run delivers until ctx ends. Attempts under way then have 5 s to end, and 5 s more to be
// recorded; the others keep their lease, after which another replica sends them again. Run
// returns within 15 s of the end of ctx.
func (o *Outbox) Run(ctx context.Context) {
	// Attempts outlive ctx a little, so that what was sent is recorded.
	sending, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	writing, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	var work, attempts parallel.Group
	for _, l := range o.queues {
		work.Go(func() {
			parallel.Supervise(ctx, func(ctx context.Context) {
				o.deliverQueue(ctx, l, &attempts, func(d *delivery) { o.attempt(sending, writing, d) })
			}, o.panicked)
		})
	}
	work.Go(func() { parallel.Supervise(ctx, o.deleteOldRegularly, o.panicked) })
	<-ctx.Done()
	if !work.WaitFor(shutdownGrace) {
		// An attempt that begins now is not waited for.
		o.options.Log.Warn("the outbox stops before its database has answered")
		return
	}
	if attempts.WaitFor(shutdownGrace) {
		return
	}
	stop()
	if !attempts.WaitFor(shutdownGrace) {
		o.options.Log.Warn("deliveries did not end when the server stopped; they are sent again when their lease ends", "lease", leaseTime)
	}
}

// panicked logs a defect of the outbox itself; the goroutine is started again.
func (o *Outbox) panicked(p *parallel.Panic) {
	o.options.Log.Error("panic in the outbox", "value", p.Value, "stack", string(p.Stack))
}

// deliverQueue starts attempts for due rows, as many at a time as the queue has slots.
func (o *Outbox) deliverQueue(ctx context.Context, l *queue, attempts *parallel.Group, attempt func(*delivery)) {
	pause := o.options.Poll
	for {
		err := o.drain(ctx, l, attempts, attempt)
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

func (o *Outbox) drain(ctx context.Context, l *queue, attempts *parallel.Group, attempt func(*delivery)) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case l.slots <- struct{}{}:
		}
		d, err := o.rows.claim(ctx, l)
		if err != nil || d == nil {
			<-l.slots
			return err
		}
		leave := l.take(d)
		attempts.Go(func() {
			defer leave()
			err := parallel.Try(func() error { attempt(d); return nil })
			var p *parallel.Panic
			if errors.As(err, &p) {
				o.panicked(p) // it is tried again when its lease ends
			}
		})
	}
}

func (o *Outbox) deleteOldRegularly(ctx context.Context) {
	for {
		if err := o.rows.deleteOld(ctx); err != nil && ctx.Err() == nil {
			o.options.Log.Warn("the outbox cannot tidy up", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepEvery/2 + rand.N(sweepEvery)): //nolint:gosec // replicas need not agree
		}
	}
}

// Deliver sends all due messages, one after the other, and returns. Commands and tests use
// it in place of Run.
func (o *Outbox) Deliver(ctx context.Context) error {
	for _, l := range o.queues {
		for {
			d, err := o.rows.claim(ctx, l)
			if err != nil {
				return err
			}
			if d == nil {
				break
			}
			o.attempt(ctx, context.WithoutCancel(ctx), d)
		}
	}
	return o.rows.deleteOld(ctx)
}

// refusal is an error of an attempt with instructions for the next one.
type refusal struct {
	reason string
	status int           // of the answer of a webhook's receiver; 0 without an answer
	final  bool          // another attempt would fail as well
	after  time.Duration // the pause that the receiver asked for
}

func (r *refusal) Error() string { return r.reason }

// attempt sends a message once and records the outcome. No transaction is open while it
// uses the network.
func (o *Outbox) attempt(ctx, writing context.Context, d *delivery) {
	limited, cancel := context.WithTimeout(ctx, max(attemptLimit, o.options.Timeout))
	err := o.send(limited, d)
	cancel()
	if ctx.Err() != nil && err != nil {
		err = errStopped
	}
	o.record(writing, d, err) // the outcome is recorded even where ctx has ended
}

// errStopped is the error of an attempt that was stopped: it says nothing about its
// receiver.
var errStopped = errors.New("the server that was sending it stopped")

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

// record stores the outcome of an attempt, with several tries: a row that was sent but not
// marked would be sent again.
func (o *Outbox) record(ctx context.Context, d *delivery, failure error) {
	for n := range 6 {
		err := o.recordOnce(ctx, d, failure)
		if err == nil || ctx.Err() != nil {
			return
		}
		o.options.Log.Warn("the outbox cannot write down a delivery", "id", d.id, "kind", d.kind, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(50<<n) * time.Millisecond):
		}
	}
}

func (o *Outbox) recordOnce(ctx context.Context, d *delivery, failure error) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return o.options.DB.Tx(ctx, func(tx *store.Tx) error {
		if err := o.end(ctx, tx, d, failure); err != nil {
			return err
		}
		var r *refusal
		switch {
		case d.kind != webhookKind || d.host == "" || errors.Is(failure, errStopped) || errors.As(failure, &r) && r.status == 0:
			return nil // the receiver is not to blame
		case failure == nil || r != nil:
			return o.rows.answered(ctx, tx, d)
		}
		return o.rows.silence(ctx, tx, d)
	})
}

// end stores the outcome of a delivery in a transaction.
func (o *Outbox) end(ctx context.Context, tx *store.Tx, d *delivery, failure error) error {
	if failure == nil || errors.Is(failure, errStalled) {
		return o.rows.delivered(ctx, tx, d)
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
		return o.rows.abandon(ctx, tx, d, reason)
	}
	log.Info("a delivery will be tried again", "at", next.UTC().Format(time.RFC3339))
	return o.rows.postpone(ctx, tx, d, next, reason)
}

// short makes a text from outside fit for the log and the table.
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

// Backoff returns the default pause after an attempt, the first being 1: 5 s, 30 s, 2 min, 10
// min, 30 min, 2 h, 5 h, 10 h, then 12 h, each with up to a fifth added at random, so that
// messages which failed together are not tried together.
func Backoff(attempt int) time.Duration {
	d := delays[min(max(attempt, 1), len(delays))-1]
	return d + rand.N(d/5) //nolint:gosec // it spreads load, it keeps no secret
}
