package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/account/rate"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
)

// office is all that keeps accounts: who may call, what it costs, what they
// are told.
type office struct {
	db       *store.DB
	redis    *goredis.Client // nil counts rates in this process
	outbox   *outbox.Outbox
	ledger   *ledger.Ledger
	gate     *meter.Gate
	accounts *account.Accounts
	notices  *notice.Notices
	overview *overview.Overview
	billing  *stripe.Billing
	payments *x402.Payments
	feedback *feedback.Service
	log      *slog.Logger
}

// premises is where an office opens.
type premises struct {
	dir  string            // of the database where none is set
	base string            // public address, for links
	show func(outbox.Mail) // hears mails where there is no relay
	log  *slog.Logger
}

// openOffice opens the database, brings its tables up to date and builds all
// that works on it.
func openOffice(ctx context.Context, s settings, p premises) (_ *office, err error) {
	address, err := s.database(p.dir)
	if err != nil {
		return nil, err
	}
	o := &office{log: p.log}
	defer func() {
		if err != nil {
			err = errors.Join(err, o.close())
		}
	}()
	if o.db, err = store.Open(ctx, address); err != nil {
		return nil, fmt.Errorf("SVC_DATABASE_URL: %w", err)
	}
	if err := schema.Apply(ctx, o.db, p.log); err != nil {
		return nil, err
	}
	if o.feedback, err = feedback.New(ctx, o.db, nil, p.log); err != nil {
		return nil, err
	}
	o.outbox, err = outbox.New(ctx, outbox.Options{DB: o.db, SMTP: s.SMTPURL, From: s.MailFrom, Private: s.WebhooksPrivate, Show: p.show, Log: p.log})
	if err != nil {
		return nil, fmt.Errorf("SVC_SMTP_URL: %w", err)
	}
	limiter, err := o.limiter(s)
	if err != nil {
		return nil, err
	}
	website := s.WebsiteURL
	if website == "" {
		website = p.base
	}
	o.ledger = ledger.New(o.db, nil)
	o.notices = notice.New(notice.Options{DB: o.db, Outbox: o.outbox, WebsiteURL: website, UnitPrice: s.UnitPrice, Log: p.log})
	o.gate = meter.New(meter.Options{
		DB: o.db, Ledger: o.ledger, Keys: limiter, Demo: limiter, DemoRPM: s.DemoRPM, UnitPrice: s.UnitPrice, Upgrade: website + "/console", Log: p.log,
		Crossed: func(ctx context.Context, identityID, month string, percent int) {
			if err := o.notices.Crossed(ctx, identityID, month, percent); err != nil {
				p.log.Error("a notice of a quota could not be queued", "identity", identityID, "percent", percent, "error", err)
			}
		},
	})
	o.accounts = account.New(account.Options{
		DB: o.db, Ledger: o.ledger, Outbox: o.outbox, BaseURL: p.base, WebsiteURL: website,
		MaxIssuancesPerHour: s.MaxIssuancesPerHour, PrivateWebhooks: s.WebhooksPrivate, Changed: o.gate.Forget, Log: p.log,
	})
	o.billing = stripe.New(stripe.Options{
		DB: o.db, Ledger: o.ledger, Key: s.StripeKey, WebhookSecret: s.StripeWebhookSecret, API: s.StripeAPI, WebsiteURL: website,
		Plans: s.Plans, Changed: o.gate.Forget, Log: p.log,
	})
	var prices []overview.PlanPrice
	for _, plan := range s.Plans {
		prices = append(prices, overview.PlanPrice{Name: plan.Name, MonthlyPence: plan.MonthlyPence})
	}
	o.overview = overview.New(overview.Options{
		DB: o.db, MaxIssuancesPerHour: s.MaxIssuancesPerHour, UnitPrice: s.UnitPrice, Plans: prices, DemoRPM: s.DemoRPM, DemoClients: o.demoClients,
	})
	payment := x402.Options{
		Facilitator: s.X402Facilitator, Network: s.X402Network, Asset: s.X402Asset, AssetName: s.X402AssetName, AssetVer: s.X402AssetVersion,
		PayTo: s.X402PayTo, UnitPrice: s.X402UnitPrice,
	}
	if err := payment.Check(); err != nil {
		return nil, fmt.Errorf("the settings SVC_X402_…: %w", err)
	}
	o.payments = x402.New(payment)
	return o, nil
}

// demoClients are the demo lane's callers, for the operator's figures.
func (o *office) demoClients() overview.DemoClients {
	seen := o.gate.DemoClients()
	out := overview.DemoClients{Since: seen.Since, Tracked: seen.Tracked, Capacity: seen.Capacity, Evicted: seen.Evicted}
	for _, c := range seen.Top {
		out.Top = append(out.Top, overview.DemoClient{Address: c.Address.String(), Calls: c.Calls, Units: c.Units, Last: c.Last})
	}
	return out
}

// limiter makes that of keys and of the demo lane: in Redis where one is set.
func (o *office) limiter(s settings) (rate.Limiter, error) {
	here := rate.New()
	if s.RedisURL == "" {
		return here, nil
	}
	client, err := rate.Dial(s.RedisURL)
	if err != nil {
		return nil, fmt.Errorf("SVC_REDIS_URL: %w", err)
	}
	o.redis = client
	return rate.NewRedis(o.redis, here, o.log), nil
}

// tidyEvery is how often what is past is thrown away, and reapEvery how often
// expired holds of credit fall back.
const (
	tidyEvery = time.Hour
	reapEvery = 10 * time.Second
)

// run works in the background until ctx ends; what was counted is in the
// database when it returns.
func (o *office) run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() { o.gate.Run(ctx) })
	work.Go(func() { o.outbox.Run(ctx) })
	work.Go(func() {
		o.every(ctx, reapEvery, "give expired holds back", func(ctx context.Context) error {
			_, err := o.ledger.Reap(ctx)
			return err
		})
	})
	work.Go(func() { o.every(ctx, tidyEvery, "tidy accounts", o.accounts.Tidy) })
}

// every does a chore until ctx ends.
func (o *office) every(ctx context.Context, period time.Duration, chore string, do func(context.Context) error) {
	t := time.NewTicker(period)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if err := do(ctx); err != nil && ctx.Err() == nil {
				o.log.Error(chore, "error", err)
			}
		}
	}
}

func (o *office) close() error {
	var err error
	if o.redis != nil {
		err = o.redis.Close()
	}
	if o.db != nil {
		err = errors.Join(err, o.db.Close())
	}
	return err
}
