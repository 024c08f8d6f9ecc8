package overview_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/waygate/waygate/store"
)

// The rows of the account room as far as the figures need them, made at random
// around the edges of every window.
type (
	identity struct {
		id, source, plan       string
		created                int64
		customer, subscription *string
		allowance              *int64
	}
	key struct {
		id       string
		identity *string
		first    *int64
	}
	balance struct {
		identity       string
		left, credited int64
	}
	entry struct {
		identity, kind, source string
		at, millipence         int64
	}
	payment struct {
		identity, kind string
		at, pence      int64
	}
	used struct {
		who, day, what, class string // who is "" in the demo lane
		calls, units          int64
	}
	download struct {
		identity, month string
		bytes           int64
	}
	issued struct {
		when, client string
		n            int64
	}
)

type rows struct {
	identities   []identity
	keys         []key
	balances     []balance
	entries      []entry
	payments     []payment
	used         []used
	demo         []used
	features     []used // what is the feature
	downloads    []download
	hours, today []issued
}

// random makes rows as they might be at a moment.
type random struct {
	*rand.Rand
	now time.Time
}

// ago returns a time in the past; every second one at the edge of a window.
func (r random) ago() int64 {
	if r.IntN(2) == 0 {
		days := []int{0, 7, 30}[r.IntN(3)]
		return r.now.AddDate(0, 0, -days).UnixMilli() + int64(r.IntN(3)-1)
	}
	return r.now.UnixMilli() - r.Int64N(60*24*3600*1000)
}

// day returns one of the last 14 months, often at the edge of a window or a month.
func (r random) day() string {
	t := r.now
	switch r.IntN(4) {
	case 0:
		t = t.AddDate(0, 0, -28-r.IntN(4))
	case 1:
		t = time.Date(t.Year(), t.Month()-time.Month(r.IntN(15)), 1-r.IntN(2), 0, 0, 0, 0, time.UTC)
	case 2:
		t = t.AddDate(0, 0, -r.IntN(420))
	}
	return t.Format(time.DateOnly)
}

func (r random) pick(of ...string) string { return of[r.IntN(len(of))] }

func maybe[T any](r random, v T) *T {
	if r.IntN(2) == 0 {
		return nil
	}
	return &v
}

func (r random) rows(size int) rows {
	var all rows
	for n := range size {
		i := identity{
			id: fmt.Sprintf("i%d", n), source: r.pick("", "", "docs", "mcp", "ads"), plan: r.pick("free", "free", "team", "gone"),
			created: r.ago(), allowance: maybe(r, r.Int64N(10_000)),
		}
		i.customer = maybe(r, "cus"+i.id)
		if i.plan != "free" {
			i.subscription = maybe(r, "sub"+i.id)
		}
		all.identities = append(all.identities, i)
		for k := range r.IntN(4) {
			key := key{id: fmt.Sprintf("k%d.%d", n, k), identity: &i.id}
			key.first = maybe(r, i.created-1500+r.Int64N(1<<r.IntN(32)))
			all.keys = append(all.keys, key)
		}
		if r.IntN(2) == 0 {
			credited := r.Int64N(5_000_000)
			all.balances = append(all.balances, balance{i.id, r.Int64N(credited + 1), credited})
			for range r.IntN(5) {
				e := entry{identity: i.id, kind: r.pick("credit", "usage"), at: r.ago(), millipence: r.Int64N(100_000)}
				if e.kind == "credit" {
					e.source = r.pick("stripe", "admin")
				} else {
					e.millipence = -e.millipence
				}
				all.entries = append(all.entries, e)
			}
		}
		for range r.IntN(3) {
			all.payments = append(all.payments, payment{i.id, r.pick("credit", "subscription"), r.ago(), r.Int64N(10_000)})
		}
		for range r.IntN(3) {
			all.downloads = append(all.downloads, download{i.id, r.day()[:7], r.Int64N(1 << 31)})
		}
	}
	all.keys = append(all.keys, key{id: "operator", first: maybe(r, r.ago())})
	for range size * 6 {
		k := all.keys[r.IntN(len(all.keys))]
		all.used = append(all.used, r.use(k.id, r.pick("POST /route", "POST /matrix", "GET /timezone", "POST /map-issues")))
	}
	for range size {
		all.demo = append(all.demo, r.use("", r.pick("POST /route", "GET /", "GET /tiles/{territory}/{z}/{x}/{y}.mvt")))
		all.features = append(all.features, r.use("", r.pick("truck", "adr", "x402")))
		all.hours = append(all.hours, issued{r.hour(), "", r.Int64N(9)})
		all.today = append(all.today, issued{r.hour()[:10], fmt.Sprint(r.IntN(size)), r.Int64N(4)})
	}
	return all
}

func (r random) use(who, what string) used {
	u := used{who: who, day: r.day(), what: what, class: r.pick("standard", "premium"), calls: r.Int64N(30)}
	u.units = u.calls + r.Int64N(600)
	return u
}

func (r random) hour() string {
	return r.now.Add(-time.Duration(r.IntN(30)) * time.Hour).Format("2006-01-02T15")
}

// insert writes the rows; of two with one primary key the first stays, in all
// too.
func (all *rows) insert(t *testing.T, db *store.DB) {
	t.Helper()
	err := db.Tx(t.Context(), func(tx *store.Tx) error {
		put := func(query string, args ...any) bool {
			n, err := tx.Exec(t.Context(), "INSERT INTO "+query+" ON CONFLICT DO NOTHING", args...)
			if err != nil {
				t.Fatal(query, err)
			}
			return n == 1
		}
		for _, i := range all.identities {
			put(`identities (id, email, created_at, tos_accepted_at, source, plan, stripe_customer_id, stripe_subscription_id, download_allowance_mib)
				VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8)`, i.id, i.id+"@example.org", i.created, i.source, i.plan, i.customer, i.subscription, i.allowance)
		}
		for _, k := range all.keys {
			put(`keys (id, identity_id, name, secret_hash, state, created_at, first_success_at, monthly_quota, rate_per_min)
				VALUES ($1, $2, 'n', $3, 'verified', 0, $4, 1, 1)`, k.id, k.identity, k.id, k.first)
		}
		for _, b := range all.balances {
			put("balances (identity_id, millipence, credited) VALUES ($1, $2, $3)", b.identity, b.left, b.credited)
		}
		for n, e := range all.entries {
			put("entries (seq, identity_id, at, kind, millipence, balance_after, reason, source) VALUES ($1, $2, $3, $4, $5, 0, $6, $7)",
				n, e.identity, e.at, e.kind, e.millipence, fmt.Sprint(n), e.source)
		}
		for n, p := range all.payments {
			put("payments (id, identity_id, at, kind, pence) VALUES ($1, $2, $3, $4, $5)", fmt.Sprint(n), p.identity, p.at, p.kind, p.pence)
		}
		all.used = kept(all.used, func(u used) bool {
			return put("usage_days (key_id, day, endpoint, class, calls, units) VALUES ($1, $2, $3, $4, $5, $6)", u.who, u.day, u.what, u.class, u.calls, u.units)
		})
		all.demo = kept(all.demo, func(u used) bool {
			return put("demo_days (day, endpoint, class, calls, units) VALUES ($1, $2, $3, $4, $5)", u.day, u.what, u.class, u.calls, u.units)
		})
		all.features = kept(all.features, func(u used) bool {
			return put("demo_features (day, feature, calls, units) VALUES ($1, $2, $3, $4)", u.day, u.what, u.calls, u.units)
		})
		all.downloads = kept(all.downloads, func(d download) bool {
			return put("downloads (identity_id, month, bytes) VALUES ($1, $2, $3)", d.identity, d.month, d.bytes)
		})
		all.hours = kept(all.hours, func(i issued) bool {
			return put("issuances_hour (hour, n) VALUES ($1, $2)", i.when, i.n)
		})
		all.today = kept(all.today, func(i issued) bool {
			return put("issuances_client (day, client, n) VALUES ($1, $2, $3)", i.when, i.client, i.n)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func kept[T any](all []T, put func(T) bool) []T {
	var stay []T
	for _, v := range all {
		if put(v) {
			stay = append(stay, v)
		}
	}
	return stay
}
