package meter

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/store"
)

// errPaused is the answer while a database that failed is left alone.
var errPaused = errors.New("it failed a moment ago and is not asked again yet")

const (
	writing  = 5 * time.Second  // for one batch
	parting  = 10 * time.Second // for the last one, before the process ends
	keeping  = 24 * time.Hour   // of batch ids
	cleaning = time.Hour        // between two clearings away
)

// Run flushes counters every Options.Flush (500 ms where 0). When ctx ends it
// flushes once more, for at most 10 seconds where the database does not answer,
// gives unspent credit back, and returns.
func (g *Gate) Run(ctx context.Context) {
	tick := time.NewTicker(g.options.Flush)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			g.part(context.WithoutCancel(ctx), tick)
			return
		case <-tick.C:
			g.report(ctx, g.Flush(ctx))
		}
	}
}

// part flushes for the last time.
func (g *Gate) part(ctx context.Context, tick *time.Ticker) {
	ctx, cancel := context.WithTimeout(ctx, parting)
	defer cancel()
	for {
		err := g.flush(ctx, true)
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			g.log.Error("usage is lost: the database does not answer", "error", err)
			return
		}
	}
}

// report logs when flushing begins to fail and when it works again.
func (g *Gate) report(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
	case err != nil && !g.failing:
		g.log.ErrorContext(ctx, "usage is kept in memory: the database does not answer", "error", err)
		g.failing = true
	case err == nil && g.failing:
		g.log.InfoContext(ctx, "the database answers again, and usage is written")
		g.failing = false
	}
}

// Flush writes what has been counted to the database now, and learns what
// other replicas have counted. After an error, upstream-unavailable, all is
// kept and will be written by a later Flush, once.
func (g *Gate) Flush(ctx context.Context) error { return g.flush(ctx, false) }

func (g *Gate) flush(ctx context.Context, last bool) error {
	reached, err := g.exchange(ctx, last)
	for _, r := range reached {
		g.options.Crossed(ctx, r.identity, r.month, r.percent)
	}
	return store.Unavailable(err)
}

// exchange writes what was counted and reads what others have.
func (g *Gate) exchange(ctx context.Context, last bool) ([]threshold, error) {
	g.flushing.Lock()
	defer g.flushing.Unlock()
	ctx, cancel := context.WithTimeout(ctx, writing)
	defer cancel()
	if g.kept != nil {
		if err := g.write(ctx, g.kept); err != nil {
			return nil, err
		}
		g.kept = nil
	}
	now := g.now()
	just := g.pools.settlements.Load() + 1 // the settlement of this batch, if there is one
	if b := g.gather(now, last); !b.empty() {
		g.kept = b
		if err := g.write(ctx, b); err != nil {
			return nil, err
		}
		g.kept = nil
	}
	if last {
		return g.crossed(now), nil
	}
	if err := g.refresh(ctx, now, just); err != nil {
		return g.crossed(now), err
	}
	g.pools.sweep(now)
	return g.crossed(now), g.clean(ctx, now)
}

// write brings a batch to the database, unless it is there.
func (g *Gate) write(ctx context.Context, b *batch) error {
	began := g.now()
	for k := range b.clients {
		if err := g.salt(ctx, k.month); err != nil {
			return fmt.Errorf("the salt of a month: %w", err)
		}
	}
	err := g.options.DB.Tx(ctx, func(tx *store.Tx) error {
		fresh, err := tx.Exec(ctx, "INSERT INTO usage_batches (id, at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", b.id, b.at.UnixMilli())
		if err != nil {
			return fmt.Errorf("begin a batch of usage: %w", err)
		}
		if fresh == 0 {
			return b.found(ctx, tx)
		}
		return g.writeIn(ctx, tx, b)
	})
	if err != nil {
		return err
	}
	g.landed(b, began)
	return nil
}

// found completes a batch whose commit had arrived though its answer had not.
func (b *batch) found(ctx context.Context, tx *store.Tx) error {
	for k, d := range b.periods {
		err := tx.QueryRow(ctx, "SELECT units FROM usage_periods WHERE pool = $1 AND period = $2", k.pool, k.period).Scan(&d.total)
		if err != nil {
			return fmt.Errorf("read a period's usage: %w", err)
		}
	}
	for _, s := range b.spends {
		s.booked = s.spent
	}
	return nil
}

// writeIn writes all rows, each kind in an order that is the same in every
// replica, so that two seldom wait for each other in a circle.
func (g *Gate) writeIn(ctx context.Context, tx *store.Tx, b *batch) error {
	if err := writeUsage(ctx, tx, b); err != nil {
		return fmt.Errorf("write usage: %w", err)
	}
	if err := writeDemo(ctx, tx, b); err != nil {
		return fmt.Errorf("write the demo lane's usage: %w", err)
	}
	if err := g.writeClients(ctx, tx, b); err != nil {
		return fmt.Errorf("write active users: %w", err)
	}
	for id, at := range b.firsts {
		if _, err := tx.Exec(ctx, "UPDATE keys SET first_success_at = $2 WHERE id = $1 AND first_success_at IS NULL", id, at.UnixMilli()); err != nil {
			return fmt.Errorf("write the first success of a key: %w", err)
		}
	}
	slices.SortStableFunc(b.spends, func(a, b *spend) int { return cmp.Compare(a.pool.identity, b.pool.identity) })
	for _, s := range b.spends {
		var err error
		s.booked, err = g.options.Ledger.SpendIn(ctx, tx, s.pool.identity, s.hold.id, s.spent, s.release, b.at)
		if err != nil {
			return fmt.Errorf("book spent credit: %w", err)
		}
	}
	return nil
}

func writeUsage(ctx context.Context, tx *store.Tx, b *batch) error {
	usage := sorted(len(b.usage), func(add func(...any)) {
		for c, t := range b.usage {
			add(c.key, c.day, c.endpoint, string(c.class), t.calls, t.units)
		}
	})
	err := upsert{
		head: "INSERT INTO usage_days (key_id, day, endpoint, class, calls, units) VALUES ",
		one:  placeholders(6),
		tail: ` ON CONFLICT (key_id, day, endpoint, class) DO UPDATE
			SET calls = usage_days.calls + excluded.calls, units = usage_days.units + excluded.units`,
	}.each(ctx, tx, usage, nil)
	if err != nil {
		return err
	}
	periods := sorted(len(b.periods), func(add func(...any)) {
		for k, d := range b.periods {
			add(k.pool, k.period, d.units)
		}
	})
	return upsert{
		head: "INSERT INTO usage_periods (pool, period, units) VALUES ",
		one:  placeholders(3),
		tail: " ON CONFLICT (pool, period) DO UPDATE SET units = usage_periods.units + excluded.units RETURNING pool, period, units",
	}.each(ctx, tx, periods, func(rows *sql.Rows) error {
		var k poolPeriod
		var total int64
		if err := rows.Scan(&k.pool, &k.period, &total); err != nil {
			return err
		}
		b.periods[k].total = total
		return nil
	})
}

func writeDemo(ctx context.Context, tx *store.Tx, b *batch) error {
	counts := sorted(len(b.demo), func(add func(...any)) {
		for c, t := range b.demo {
			add(c.day, c.endpoint, string(c.class), t.calls, t.units)
		}
	})
	err := upsert{
		head: "INSERT INTO demo_days (day, endpoint, class, calls, units) VALUES ",
		one:  placeholders(5),
		tail: ` ON CONFLICT (day, endpoint, class) DO UPDATE
			SET calls = demo_days.calls + excluded.calls, units = demo_days.units + excluded.units`,
	}.each(ctx, tx, counts, nil)
	if err != nil {
		return err
	}
	features := sorted(len(b.features), func(add func(...any)) {
		for c, t := range b.features {
			add(c.day, c.feature, t.calls, t.units)
		}
	})
	return upsert{
		head: "INSERT INTO demo_features (day, feature, calls, units) VALUES ",
		one:  placeholders(4),
		tail: ` ON CONFLICT (day, feature) DO UPDATE
			SET calls = demo_features.calls + excluded.calls, units = demo_features.units + excluded.units`,
	}.each(ctx, tx, features, nil)
}

func (g *Gate) writeClients(ctx context.Context, tx *store.Tx, b *batch) error {
	clients := sorted(0, func(add func(...any)) {
		for k, networks := range b.clients {
			for _, n := range networks {
				add(k.identity, k.month, pseudonym(g.salts[k.month], n))
			}
		}
	})
	return upsert{
		head: "INSERT INTO active_users (identity_id, month, client) VALUES ",
		one:  placeholders(3),
		tail: " ON CONFLICT DO NOTHING",
	}.each(ctx, tx, clients, nil)
}

// sorted gives the rows that all adds, in the order of their texts.
func sorted(n int, all func(add func(...any))) [][]any {
	rows := make([][]any, 0, n)
	all(func(row ...any) { rows = append(rows, row) })
	slices.SortFunc(rows, func(a, b []any) int {
		for i := range a {
			x, ok := a[i].(string)
			if !ok {
				return 0
			}
			if n := cmp.Compare(x, b[i].(string)); n != 0 {
				return n
			}
		}
		return 0
	})
	return rows
}

// salt makes sure that a month's salt is known, the same in every replica.
func (g *Gate) salt(ctx context.Context, month string) error {
	if g.salts[month] != "" {
		return nil
	}
	scope := "mau:" + month
	if _, err := g.options.DB.Exec(ctx, "INSERT INTO salts (scope, salt) VALUES ($1, $2) ON CONFLICT (scope) DO NOTHING", scope, rand.Text()); err != nil {
		return err
	}
	var salt string
	if err := g.options.DB.QueryRow(ctx, "SELECT salt FROM salts WHERE scope = $1", scope).Scan(&salt); err != nil {
		return err
	}
	g.salts[month] = salt
	return nil
}

// clean removes, once in a while, the ids of batches that nobody tries again,
// and the salts of months that are over.
func (g *Gate) clean(ctx context.Context, now time.Time) error {
	if now.Sub(g.purged).Abs() < cleaning {
		return nil
	}
	if _, err := g.options.DB.Exec(ctx, "DELETE FROM usage_batches WHERE at < $1", now.Add(-keeping).UnixMilli()); err != nil {
		return fmt.Errorf("remove the ids of old batches: %w", err)
	}
	over := "mau:" + now.UTC().AddDate(0, -2, 0).Format("2006-01")
	if _, err := g.options.DB.Exec(ctx, "DELETE FROM salts WHERE scope LIKE 'mau:%' AND scope < $1", over); err != nil {
		return fmt.Errorf("remove old salts: %w", err)
	}
	g.purged = now
	return nil
}
