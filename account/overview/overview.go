// Package overview computes the operator's overview from the rows of accounts. It only
// reads, with a fixed number of statements for each answer however many identities
// there are.
//
// A window of rows with a time is the last 30 times 24 hours; a window of usage, which
// is stored by day, is today (UTC) and the 29 days before. Usage that is not flushed
// yet is not included.
package overview

import (
	"context"
	"time"

	"github.com/waygate/waygate/store"
)

// WindowDays is how many days the figures of a window look back.
const WindowDays = 30

// Options configure an Overview. DB is required.
type Options struct {
	DB                  *store.DB
	MaxIssuancesPerHour int
	UnitPrice           int64 // millipence
	Plans               []PlanPrice
	DemoRPM             int
	// DemoClients returns the callers without a key; nil if there is no gate.
	DemoClients func() DemoClients
	Now         func() time.Time
}

// PlanPrice is the price of a plan.
type PlanPrice struct {
	Name         string
	MonthlyPence int64
}

// Overview computes the figures. Its methods are safe for concurrent use.
type Overview struct{ options Options }

// New returns an overview.
func New(o Options) *Overview {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.DemoClients == nil {
		since := o.Now().UTC()
		o.DemoClients = func() DemoClients { return DemoClients{Since: since} }
	}
	return &Overview{o}
}

// Overview computes the answer of GET /admin/overview. The error is
// upstream-unavailable if the database does not answer.
func (o *Overview) Overview(ctx context.Context) (*Blocks, error) {
	r := o.reading()
	b := Blocks{GeneratedAt: r.now}
	for _, read := range []func(context.Context) error{
		func(ctx context.Context) error { return r.abuse(ctx, &b.Abuse) },
		func(ctx context.Context) error { return r.activation(ctx, &b.Activation) },
		func(ctx context.Context) error { return r.credit(ctx, &b.Credit) },
		func(ctx context.Context) error { return r.downloads(ctx, &b.Downloads) },
		func(ctx context.Context) error { return r.identities(ctx, &b.Identities) },
		func(ctx context.Context) (err error) { b.Plans, _, err = r.plans(ctx); return err },
		func(ctx context.Context) (err error) { b.TopEndpoints, err = r.topEndpoints(ctx, keyed); return err },
	} {
		if err := read(ctx); err != nil {
			return nil, store.Unavailable(err)
		}
	}
	return &b, nil
}

// Commercial computes the answer of GET /admin/commercial. Its errors are those of
// Overview.
func (o *Overview) Commercial(ctx context.Context) (*Commercial, error) {
	r := o.reading()
	c := Commercial{GeneratedAt: r.now}
	for _, read := range []func(context.Context) error{
		func(ctx context.Context) error { return r.revenue(ctx, &c.Revenue) },
		func(ctx context.Context) error { return r.funnel(ctx, &c.Funnel) },
		func(ctx context.Context) error { return r.usageMix(ctx, &c.UsageMix) },
		func(ctx context.Context) (err error) { c.RetentionProxy, err = r.retention(ctx); return err },
		func(ctx context.Context) error { return r.demoLane(ctx, &c.DemoLane) },
		func(ctx context.Context) error { return r.prepaid(ctx, &c.Prepaid) },
	} {
		if err := read(ctx); err != nil {
			return nil, store.Unavailable(err)
		}
	}
	return &c, nil
}

// reading is the computation of one answer: all of it looks back from one time.
type reading struct {
	options Options
	db      *store.DB
	now     time.Time // UTC, whole milliseconds
}

func (o *Overview) reading() *reading {
	return &reading{o.options, o.options.DB, o.options.Now().UTC().Truncate(time.Millisecond)}
}

// since returns the time days ago, in milliseconds.
func (r *reading) since(days int) int64 {
	return r.now.Add(-time.Duration(days) * 24 * time.Hour).UnixMilli()
}

// firstDay returns the first day of the window of usage.
func (r *reading) firstDay() string { return r.now.AddDate(0, 0, 1-WindowDays).Format(time.DateOnly) }
