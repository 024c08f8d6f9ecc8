package overview_test

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

const price = 7

func options(db *store.DB, now time.Time) overview.Options {
	return overview.Options{
		DB: db, MaxIssuancesPerHour: 100, UnitPrice: price, DemoRPM: 600,
		Plans: []overview.PlanPrice{{Name: "team", MonthlyPence: 4900}, {Name: "unsold", MonthlyPence: 1}},
		Now:   func() time.Time { return now },
	}
}

// moments returns those where a window, a day, a month or a year has just begun or
// is about to end, in UTC and elsewhere.
func moments() []time.Time {
	return []time.Time{
		time.Date(2026, 11, 21, 9, 30, 15, 0, time.UTC),
		time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2028, 2, 29, 23, 59, 59, 999_000_000, time.UTC),
		time.Date(2027, 3, 31, 12, 0, 0, 0, time.UTC),
		time.Date(2027, 6, 1, 0, 30, 0, 0, time.FixedZone("elsewhere", 3600)), // still May
	}
}

// Every figure equals the sum over the raw rows, one by one.
func TestFigures(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		for n, now := range moments() {
			empty(t, db)
			r := random{rand.New(rand.NewPCG(uint64(n), 3)), now.UTC()}
			all := r.rows([]int{40, 1, 30, 2, 70}[n])
			all.insert(t, db)
			o := overview.New(options(db, now))
			blocks, err := o.Overview(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			same(t, now, *blocks, all.blocks(now.UTC()))
			commercial, err := o.Commercial(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want := all.commercial(now.UTC())
			want.DemoLane.Clients = overview.DemoClients{Since: now.UTC(), Top: []overview.DemoClient{}}
			same(t, now, *commercial, want)
		}
	})
}

// empty takes all rows out, for the next round.
func empty(t *testing.T, db *store.DB) {
	t.Helper()
	for _, table := range []string{
		"entries", "balances", "payments", "usage_days", "demo_days", "demo_features", "downloads",
		"issuances_hour", "issuances_client", "keys", "identities",
	} {
		if _, err := db.Exec(t.Context(), "DELETE FROM "+table); err != nil {
			t.Fatal(err)
		}
	}
}

// same compares block by block.
func same[T any](t *testing.T, now time.Time, got, want T) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		a, err := json.Marshal(g.Field(i).Interface())
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(w.Field(i).Interface())
		if err != nil {
			t.Fatal(err)
		}
		if string(a) != string(b) {
			t.Errorf("at %s, %s:\n got %s\nwant %s", now, g.Type().Field(i).Name, a, b)
		}
	}
}

// Without a single row there are zeros, nulls and empty lists.
func TestNothingYet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address, schema.Apply)
		now := moments()[0]
		o := overview.New(overview.Options{DB: db, Now: func() time.Time { return now }})
		blocks, err := o.Overview(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		exactly(t, blocks, `{"generated_at":"2026-11-21T09:30:15Z",
			"abuse":{"issuances_this_hour":0,"max_issuances_per_hour":0,"issuances_today":0,"distinct_ips_today":0},
			"activation":{"window_days":30,"signups":0,"converted":0,"conversion_rate":0,"median_ttfc_seconds":null,"p90_ttfc_seconds":null},
			"credit":{"balance_pence":0,"credited_total_pence":0,"consumed_pence":0},
			"downloads":{"month":"2026-11","used_mib":0,"allowance_mib":0},
			"identities":{"total":0,"new_7d":0,"new_30d":0,"by_source":[],"untagged":0},
			"plans":[],"top_endpoints":[]}`)
		commercial, err := o.Commercial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if months := commercial.RetentionProxy; len(months) != 12 || months[0].Month != "2025-12" || months[11].Month != "2026-11" {
			t.Errorf("months %+v", months)
		}
		commercial.RetentionProxy = commercial.RetentionProxy[11:]
		exactly(t, commercial, `{"generated_at":"2026-11-21T09:30:15Z",
			"revenue":{"window_days":30,
				"all_time":{"pence":0,"credit_pence":0,"subscription_pence":0,"payments":0,"accounts":0},
				"last_30d":{"pence":0,"credit_pence":0,"subscription_pence":0,"payments":0,"accounts":0},
				"mrr_billed_pence":0,"mrr_billed_accounts":0,"stripe_customers":0,"plans":[]},
			"funnel":{"identities":0,"with_key":0,"activated_identities":0,"activated_keys":0,"paid_identities":0,"median_activation_seconds":null},
			"usage_mix":{"window_days":30,"standard":0,"premium":0,"total":0,"top_endpoints":[]},
			"retention_proxy":[{"month":"2026-11","active":0,"retained":0,"retention_rate":null}],
			"demo_lane":{"enabled":false,"rpm_per_ip":0,"window_days":30,"calls":0,"standard":0,"premium":0,"units":0,"premium_units":0,
				"notional_millipence":0,"premium_features":[],"top_endpoints":[],
				"clients":{"since":"2026-11-21T09:30:15Z","tracked":0,"capacity":0,"evicted":0,"top":[]}},
			"prepaid":{"window_days":30,
				"all_time":{"sold_pence":0,"granted_pence":0,"consumed_pence":0,"accounts":0},
				"last_30d":{"sold_pence":0,"granted_pence":0,"consumed_pence":0,"accounts":0},
				"outstanding_pence":0}}`)
	})
}

func exactly(t *testing.T, got any, want string) {
	t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("got %s\nwant %s", text, want)
	}
}

// The overview takes the demo lane's callers from a function.
func TestDemoClients(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t), schema.Apply)
	now := moments()[0]
	want := overview.DemoClients{
		Since: now.Add(-time.Hour), Tracked: 2, Capacity: 10, Evicted: 3,
		Top: []overview.DemoClient{{Address: "192.0.2.1", Calls: 5, Units: 24, Last: now}},
	}
	o := options(db, now)
	o.DemoClients = func() overview.DemoClients { return want }
	c, err := overview.New(o).Commercial(t.Context())
	if err != nil || !reflect.DeepEqual(c.DemoLane.Clients, want) || !c.DemoLane.Enabled || c.DemoLane.RPMPerIP != 600 {
		t.Errorf("%+v %v", c.DemoLane, err)
	}
}

// However many tags and endpoints callers think of, lists stay short.
func TestListsAreBounded(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t), schema.Apply)
	now := moments()[0]
	err := db.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 150)
			INSERT INTO identities (id, email, created_at, tos_accepted_at, source) SELECT n, n, $1, $1, 'tag' || n FROM n`, now.UnixMilli())
		if err != nil {
			return err
		}
		_, err = tx.Exec(t.Context(), `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 150)
			INSERT INTO demo_days (day, endpoint, class, calls, units) SELECT $1, n, 'standard', n, n FROM n`, now.Format(time.DateOnly))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	o := overview.New(options(db, now))
	blocks, err := o.Overview(t.Context())
	if err != nil || len(blocks.Identities.BySource) != 100 || blocks.Identities.Total != 150 {
		t.Errorf("%d tags of %d identities: %v", len(blocks.Identities.BySource), blocks.Identities.Total, err)
	}
	commercial, err := o.Commercial(t.Context())
	if err != nil || len(commercial.DemoLane.TopEndpoints) != 20 || commercial.DemoLane.TopEndpoints[0].Count != 150 {
		t.Errorf("%+v: %v", commercial.DemoLane.TopEndpoints, err)
	}
	if !slices.IsSortedFunc(commercial.DemoLane.TopEndpoints, func(a, b overview.EndpointUsage) int { return cmp.Compare(b.Count, a.Count) }) {
		t.Error("largest first")
	}
}

// A database that is gone is a failure that an operator may try again.
func TestDatabaseAway(t *testing.T) {
	db, err := store.Open(t.Context(), storetest.SQLite(t), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	o := overview.New(overview.Options{DB: db})
	if _, err := o.Overview(t.Context()); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Error(err)
	}
	if _, err := o.Commercial(t.Context()); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Error(err)
	}
}

// Every field says in the API's description what it is.
func TestFieldsAreDescribed(t *testing.T) {
	var look func(path string, of reflect.Type)
	fields := 0
	look = func(path string, of reflect.Type) {
		switch of.Kind() {
		case reflect.Slice, reflect.Pointer:
			look(path, of.Elem())
		case reflect.Struct:
			if of == reflect.TypeFor[time.Time]() {
				return
			}
			for f := range of.Fields() {
				fields++
				if f.Tag.Get("doc") == "" || f.Tag.Get("json") == "" {
					t.Errorf("%s.%s has no description or no name", path, f.Name)
				}
				look(path+"."+f.Name, f.Type)
			}
		}
	}
	look("overview", reflect.TypeFor[overview.Blocks]())
	look("commercial", reflect.TypeFor[overview.Commercial]())
	if fields < 80 {
		t.Errorf("only %d fields", fields)
	}
}
