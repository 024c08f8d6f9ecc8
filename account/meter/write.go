package meter

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"slices"

	"github.com/waygate/waygate/store"
)

// write writes a batch to the database, unless it is there already.
func (f *flusher) write(ctx context.Context, b *batch) error {
	began := f.gate.now()
	for k := range b.clients {
		if err := f.salt(ctx, k.month); err != nil {
			return fmt.Errorf("the salt of a month: %w", err)
		}
	}
	err := f.gate.options.DB.Tx(ctx, func(tx *store.Tx) error {
		fresh, err := tx.Exec(ctx, "INSERT INTO usage_batches (id, at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", b.id, b.at.UnixMilli())
		if err != nil {
			return fmt.Errorf("begin a batch of usage: %w", err)
		}
		if fresh == 0 {
			return b.found(ctx, tx)
		}
		return f.writeIn(ctx, tx, b)
	})
	if err != nil {
		return err
	}
	f.batchWritten(b, began)
	return nil
}

// found completes a batch that was committed though the answer was lost.
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

// writeIn writes all rows, each kind in an order that is the same in every replica, so
// that two seldom wait for each other in a circle.
func (f *flusher) writeIn(ctx context.Context, tx *store.Tx, b *batch) error {
	if err := writeUsage(ctx, tx, b); err != nil {
		return fmt.Errorf("write usage: %w", err)
	}
	if err := writeDemo(ctx, tx, b); err != nil {
		return fmt.Errorf("write the demo lane's usage: %w", err)
	}
	if err := f.writeClients(ctx, tx, b); err != nil {
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
		s.booked, err = f.gate.options.Ledger.SpendIn(ctx, tx, s.pool.identity, s.hold.id, s.spent, s.release, b.at)
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

func (f *flusher) writeClients(ctx context.Context, tx *store.Tx, b *batch) error {
	clients := sorted(0, func(add func(...any)) {
		for k, networks := range b.clients {
			for _, n := range networks {
				add(k.identity, k.month, pseudonym(f.salts[k.month], n))
			}
		}
	})
	return upsert{
		head: "INSERT INTO active_users (identity_id, month, client) VALUES ",
		one:  placeholders(3),
		tail: " ON CONFLICT DO NOTHING",
	}.each(ctx, tx, clients, nil)
}

// sorted returns the rows that all adds, in the order of their texts.
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

// salt makes sure that a month's salt exists and is known; it is the same in every
// replica.
func (f *flusher) salt(ctx context.Context, month string) error {
	if f.salts[month] != "" {
		return nil
	}
	scope := "mau:" + month
	if _, err := f.gate.options.DB.Exec(ctx, "INSERT INTO salts (scope, salt) VALUES ($1, $2) ON CONFLICT (scope) DO NOTHING", scope, rand.Text()); err != nil {
		return err
	}
	var salt string
	if err := f.gate.options.DB.QueryRow(ctx, "SELECT salt FROM salts WHERE scope = $1", scope).Scan(&salt); err != nil {
		return err
	}
	f.salts[month] = salt
	return nil
}
