package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/jobs"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/account/rate"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/api/plan"
	"github.com/waygate/waygate/cmd/waygate/version"
	"github.com/waygate/waygate/feature/dispatch"
	"github.com/waygate/waygate/feature/evidence"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/places"
	"github.com/waygate/waygate/feature/styles"
	"github.com/waygate/waygate/feature/watch"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/store"
)

// accounts is everything that works on accounts: admission, charging, mails and
// webhooks.
type accounts struct {
	db       *store.DB
	redis    *goredis.Client // nil counts rates in this process
	rates    *rate.Redis     // those in it
	outbox   *outbox.Outbox
	ledger   *ledger.Ledger
	gate     *meter.Gate
	accounts *account.Accounts
	notices  *notice.Notices
	overview *overview.Overview
	billing  *stripe.Billing
	payments *x402.Payments
	feedback *feedback.Service
	styles   *styles.Service
	places   *places.Service
	picked   *geocode.Selections
	dispatch *dispatch.Service
	queue    *job.Queue
	watches  *watch.Service
	signer   *evidence.Signer
	jobs     *jobs.Jobs
	log      *slog.Logger
}

// accountsOptions say where and how accounts are kept.
type accountsOptions struct {
	dir  string            // of the database where none is set
	base string            // public address, for links
	show func(outbox.Mail) // called with mails if there is no relay
	log  *slog.Logger
}

// openAccounts opens the database, migrates its tables and builds everything that works
// on it.
func openAccounts(ctx context.Context, s settings, o accountsOptions) (_ *accounts, err error) {
	address, err := s.database(o.dir)
	if err != nil {
		return nil, err
	}
	a := &accounts{log: o.log}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close())
		}
	}()
	if a.db, err = store.Open(ctx, address, store.Options{Log: o.log}); err != nil {
		return nil, fmt.Errorf("SVC_DATABASE_URL: %w", err)
	}
	if err := schema.Apply(ctx, a.db, o.log); err != nil {
		return nil, err
	}
	if a.feedback, err = feedback.New(ctx, a.db, nil, o.log); err != nil {
		return nil, err
	}
	if a.styles, err = styles.New(ctx, a.db, nil, o.log); err != nil {
		return nil, err
	}
	if a.picked, err = geocode.NewSelections(ctx, a.db, nil, o.log); err != nil {
		return nil, err
	}
	if a.places, err = places.New(ctx, a.db, nil, o.log); err != nil {
		return nil, err
	}
	a.outbox, err = outbox.New(ctx, outbox.Options{DB: a.db, SMTP: s.SMTPURL, From: s.MailFrom, Private: s.WebhooksPrivate, Show: o.show, Log: o.log})
	if err != nil {
		return nil, fmt.Errorf("SVC_SMTP_URL: %w", err)
	}
	limiter, err := a.limiter(s)
	if err != nil {
		return nil, err
	}
	website := s.WebsiteURL
	if website == "" {
		website = o.base
	}
	if a.rates != nil {
		a.rates.Probe(ctx)
	}
	a.ledger = ledger.New(a.db, nil)
	a.notices = notice.New(notice.Options{DB: a.db, Outbox: a.outbox, WebsiteURL: website, UnitPrice: s.UnitPrice, Log: o.log})
	upgrade := ""
	if s.StripeKey != "" {
		upgrade = website + "/console"
	}
	a.gate = meter.New(meter.Options{
		DB: a.db, Ledger: a.ledger, Keys: limiter, Demo: limiter, DemoRPM: s.DemoRPM, UnitPrice: s.UnitPrice, Upgrade: upgrade, Log: o.log,
		Crossed: func(ctx context.Context, identityID, month string, percent int) {
			if err := a.notices.Crossed(ctx, identityID, month, percent); err != nil {
				o.log.Error("a quota notice could not be queued", "identity", identityID, "percent", percent, "error", err)
			}
		},
	})
	a.accounts = account.New(account.Options{
		DB: a.db, Ledger: a.ledger, Outbox: a.outbox, BaseURL: o.base, WebsiteURL: website,
		MaxIssuancesPerHour: s.MaxIssuancesPerHour, IssuancesPerDay: s.KeysPerIPDay, LoopbackExempt: s.KeysLoopbackExempt, Changed: a.gate.Invalidate, Log: o.log,
	})
	if a.dispatch, err = dispatch.New(ctx, a.db, a.accounts.Ended, nil, o.log); err != nil {
		return nil, err
	}
	a.billing = stripe.New(stripe.Options{
		DB: a.db, Ledger: a.ledger, Key: s.StripeKey, WebhookSecret: s.StripeWebhookSecret, API: s.StripeAPI, WebsiteURL: website,
		Plans: s.Plans, Changed: a.gate.Invalidate, Log: o.log,
	})
	a.jobs = &jobs.Jobs{DB: a.db, Ledger: a.ledger, Outbox: a.outbox, Log: o.log}
	if a.queue, err = plan.OpenQueue(ctx, a.jobs, job.Options{Workers: s.JobWorkers, Retention: s.JobKeep, Room: int64(s.JobStorage) << 20, Lease: s.JobLease}); err != nil {
		return nil, err
	}
	if a.signer, err = s.signer(ctx, a.db, o.log); err != nil {
		return nil, err
	}
	a.watches, err = watch.New(ctx, watch.Options{
		DB: a.db, Hook: a.jobs.Hook, Log: o.log,
		Tell: func(ctx context.Context, tx *store.Tx, key string, e watch.Event) error {
			return a.jobs.Notify(ctx, tx, key, outbox.Webhook{URL: e.URL, Type: e.Type, Data: e.Data})
		},
	})
	if err != nil {
		return nil, err
	}
	var prices []overview.PlanPrice
	for _, plan := range s.Plans {
		prices = append(prices, overview.PlanPrice{Name: plan.Name, MonthlyPence: plan.MonthlyPence})
	}
	a.overview = overview.New(overview.Options{
		DB: a.db, MaxIssuancesPerHour: s.MaxIssuancesPerHour, UnitPrice: s.UnitPrice, Plans: prices, DemoRPM: s.DemoRPM, DemoClients: a.demoClients,
	})
	payment := x402.Options{
		Facilitator: s.X402Facilitator, Network: s.X402Network, Asset: s.X402Asset, AssetName: s.X402AssetName, AssetVer: s.X402AssetVersion,
		PayTo: s.X402PayTo, UnitPrice: s.X402UnitPrice,
	}
	if err := payment.Check(); err != nil {
		return nil, fmt.Errorf("the settings SVC_X402_…: %w", err)
	}
	a.payments = x402.New(payment)
	return a, nil
}

// demoClients returns the callers without a key, for the operator's figures.
func (a *accounts) demoClients() overview.DemoClients {
	seen := a.gate.DemoClients()
	out := overview.DemoClients{Since: seen.Since, Tracked: seen.Tracked, Capacity: seen.Capacity, Evicted: seen.Evicted}
	for _, c := range seen.Top {
		out.Top = append(out.Top, overview.DemoClient{Address: c.Address.String(), Calls: c.Calls, Units: c.Units, Last: c.Last})
	}
	return out
}

// limiter makes the limiter of keys and of the demo lane: in Redis if one is set.
func (a *accounts) limiter(s settings) (rate.Limiter, error) {
	here := rate.New()
	if s.RedisURL == "" {
		return here, nil
	}
	client, err := rate.Dial(s.RedisURL)
	if err != nil {
		return nil, fmt.Errorf("SVC_REDIS_URL: %w", err)
	}
	a.redis = client
	a.rates = rate.NewRedis(a.redis, here, a.log)
	return a.rates, nil
}

// redisWorks returns a function that reports whether Redis answers; nil if rates are
// counted here.
func (a *accounts) redisWorks() func() bool {
	if a.rates == nil {
		return nil
	}
	return a.rates.Works
}

// tidyEvery is how often expired rows are deleted, and reapEvery how often expired
// holds of credit are released.
const (
	tidyEvery = time.Hour
	reapEvery = 10 * time.Second
	// countEvery is how often the picked suggestions are written.
	countEvery = time.Minute
	lastCount  = 5 * time.Second // that this may take when the process stops
)

// run works in the background until ctx ends; all counts are in the database when it
// returns.
func (a *accounts) run(ctx context.Context) {
	var work parallel.Group
	defer work.Wait()
	work.Go(func() { supervise(ctx, a.log, a.gate.Run) })
	work.Go(func() { supervise(ctx, a.log, a.outbox.Run) })
	work.Go(func() {
		supervise(ctx, a.log, a.periodically(reapEvery, "give expired holds back", func(ctx context.Context) error {
			_, err := a.ledger.ReleaseExpired(ctx)
			return err
		}))
	})
	work.Go(func() { supervise(ctx, a.log, a.periodically(tidyEvery, "tidy accounts", a.accounts.Tidy)) })
	work.Go(func() {
		supervise(ctx, a.log, a.periodically(countEvery, "write which suggestions were picked", a.picked.Flush))
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastCount)
		defer cancel()
		if err := a.picked.Flush(last); err != nil {
			a.log.Error("the record of picked suggestions is lost", "error", err)
		}
	})
	work.Go(func() {
		supervise(ctx, a.log, a.periodically(tidyEvery, "tidy places and plans", func(ctx context.Context) error {
			return errors.Join(a.dispatch.Tidy(ctx), a.places.Tidy(ctx, a.accounts.Ended), a.picked.Tidy(ctx, a.accounts.Ended))
		}))
	})
}

// supervise runs f until ctx ends, and logs its panics.
func supervise(ctx context.Context, log *slog.Logger, f func(context.Context)) {
	parallel.Supervise(ctx, f, func(p *parallel.Panic) {
		log.Error("panic in the background", "value", p.Value, "stack", string(p.Stack))
	})
}

// periodically does a chore until ctx ends.
func (a *accounts) periodically(period time.Duration, chore string, do func(context.Context) error) func(context.Context) {
	return func(ctx context.Context) {
		t := time.NewTicker(period)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				if err := do(ctx); err != nil && ctx.Err() == nil {
					a.log.Error(chore, "error", err)
				}
			}
		}
	}
}

func (a *accounts) close() error {
	var err error
	if a.redis != nil {
		err = a.redis.Close()
	}
	if a.db != nil {
		err = errors.Join(err, a.db.Close())
	}
	return err
}

// signer returns what signs answers, by the key of the settings or that in the database.
func (s *settings) signer(ctx context.Context, db *store.DB, log *slog.Logger) (*evidence.Signer, error) {
	if s.SigningKey == "" {
		return evidence.StoredSigner(ctx, db, version.Number, nil, log)
	}
	signer, err := evidence.NewSigner(s.SigningKey, version.Number, nil)
	if err != nil {
		return nil, fmt.Errorf("SVC_SIGNING_KEY: %w", err)
	}
	return signer, nil
}
