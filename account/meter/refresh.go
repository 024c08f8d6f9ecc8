package meter

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
)

// refreshFor is how long after its last call a pool is refreshed with other replicas'
// figures. It is longer than the life of a record, whose load refreshes a pool too.
const refreshFor = time.Minute

// poolCounts are the numbers of pools in one query: few different ones, since the
// database keeps each statement prepared.
var poolCounts = [...]int{8, 64, 512}

// periodsAsked is how many periods one query reads: the month, the life of provisional
// keys, a day's allowances, and those before or after a change of the clock.
const periodsAsked = 8

// refresh reads what all replicas have used of the pools in use. Nothing is being
// written meanwhile. What the settlement just brought is up to date.
func (f *flusher) refresh(ctx context.Context, now time.Time, just uint64) error {
	byID := map[string]*pool{}
	names := make([]string, 0, periodsAsked)
	month, day := f.gate.dateOf(now).month, f.gate.dateOf(now).day
	for _, p := range f.gate.pools.list() {
		p.mu.Lock()
		recent := now.Sub(p.touched).Abs() < refreshFor
		for name, in := range p.periods {
			due := !in.known || recent && (name == month || name == life || strings.HasPrefix(name, allowanceMark) && strings.HasSuffix(name, day)) && in.acked != just
			if !due || len(names) == periodsAsked && !slices.Contains(names, name) {
				continue
			}
			byID[p.id] = p
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		p.mu.Unlock()
	}
	ids := make([]string, 0, len(byID))
	for id := range byID {
		ids = append(ids, id)
	}
	for some := range slices.Chunk(ids, poolCounts[len(poolCounts)-1]) {
		if err := f.refreshSome(ctx, byID, some, names); err != nil {
			return fmt.Errorf("read what was used: %w", err)
		}
	}
	return nil
}

func (f *flusher) refreshSome(ctx context.Context, byID map[string]*pool, ids, names []string) error {
	n := poolCounts[slices.IndexFunc(poolCounts[:], func(n int) bool { return n >= len(ids) })]
	statement := "SELECT pool, period, units FROM usage_periods WHERE period IN " + placeholders(periodsAsked)(1) +
		" AND pool IN " + placeholders(n)(periodsAsked+1)
	args := make([]any, periodsAsked+n)
	for i := range args {
		switch {
		case i < len(names):
			args[i] = names[i]
		case i >= periodsAsked && i < periodsAsked+len(ids):
			args[i] = ids[i-periodsAsked]
		default:
			args[i] = ""
		}
	}
	rows, err := f.gate.options.DB.Query(ctx, statement, args...)
	if err != nil {
		return err
	}
	totals := map[poolPeriod]int64{}
	err = scan(rows, func(rows *sql.Rows) error {
		var k poolPeriod
		var units int64
		err := rows.Scan(&k.pool, &k.period, &units)
		totals[k] = units
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		p := byID[id]
		p.mu.Lock()
		for _, name := range names {
			if in, ok := p.periods[name]; ok {
				in.read(totals[poolPeriod{id, name}])
			}
		}
		p.mu.Unlock()
	}
	return nil
}

// threshold is a percentage of a quota that an identity's month has reached.
type threshold struct {
	identity, month string
	percent         int
}

// thresholds are the percentages that Crossed is called for.
var thresholds = [...]int{50, 80, 100}

// crossed returns the thresholds that were newly reached here, one for each identity:
// the highest.
func (f *flusher) crossed(now time.Time) (reached []threshold) {
	if f.gate.options.Crossed == nil {
		return nil
	}
	month := f.gate.dateOf(now).month
	for _, p := range f.gate.pools.list() {
		p.mu.Lock()
		if percent := p.crosses(month); percent > 0 {
			reached = append(reached, threshold{p.identity, month, percent})
		}
		p.mu.Unlock()
	}
	return reached
}

// crosses returns the threshold that a pool has newly reached, else 0.
func (p *pool) crosses(month string) int {
	in, ok := p.periods[month]
	if !ok || p.identity == "" || p.quota <= 0 {
		return 0
	}
	if p.notified.month != month {
		p.notified = notice{month: month}
	}
	// Only what is in the database counts: Crossed reads it there.
	for i := len(thresholds) - 1; i >= 0 && thresholds[i] > p.notified.percent; i-- {
		if float64(in.base) >= float64(p.quota)*float64(thresholds[i])/100 {
			p.notified.percent = thresholds[i]
			return thresholds[i]
		}
	}
	return 0
}
