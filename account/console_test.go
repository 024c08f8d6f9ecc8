package account

import (
	"context"
	"encoding/base64"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
)

func TestConsole(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		older := d.verified("ann@example.org")
		d.advance(time.Hour)
		newer := d.issue("ann@example.org")
		d.verified("bob@example.org")
		if _, err := d.Revoke(t.Context(), older.Key.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := d.CreditIdentity(t.Context(), "ann@example.org", 1234, "gift"); err != nil {
			t.Fatal(err)
		}
		for _, day := range []string{"2026-10-31", "2026-11-01", "2026-11-30", "2026-12-01"} {
			d.exec("INSERT INTO usage_days (key_id, day, endpoint, class, calls, units) VALUES ($1, $2, 'POST /route', 'standard', 1, 10), ($1, $2, 'POST /route', 'premium', 1, 20)", older.Key.ID, day)
		}
		d.exec("INSERT INTO usage_periods (pool, period, units) VALUES ($1, '2026-11', 60), ($1, '2026-12', 5), ($2, 'life', 7)", older.Key.IdentityID, newer.Key.ID)
		v, err := d.Console(t.Context(), older.Key.IdentityID)
		if err != nil {
			t.Fatal(err)
		}
		if v.Identity.Email != "ann@example.org" || v.UsedThisMonth != 60 || v.Balance.Millipence != 1234 || len(v.History) != 1 || v.History[0].Reason != "gift" {
			t.Errorf("%+v", v)
		}
		if len(v.Keys) != 2 || v.Keys[0].ID != newer.Key.ID || v.Keys[1].ID != older.Key.ID || v.Keys[1].UsedThisMonth != 60 || v.Keys[1].RevokedAt == nil || v.Keys[0].UsedThisMonth != 0 {
			t.Errorf("%+v", v.Keys)
		}
		_, err = d.Console(t.Context(), "nobody")
		wants(t, err, fault.NotFound)
	})
}

func TestUsage(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		first, second := d.issue("ann@example.org"), d.issue("ann@example.org")
		other := d.issue("bob@example.org")
		row := func(k *Issued, day, endpoint, class string, calls, units int64) {
			d.exec("INSERT INTO usage_days (key_id, day, endpoint, class, calls, units) VALUES ($1, $2, $3, $4, $5, $6)", k.Key.ID, day, endpoint, class, calls, units)
		}
		row(first, "2026-10-31", "POST /route", "standard", 9, 9)
		row(first, "2026-11-01", "POST /route", "standard", 2, 2)
		row(first, "2026-11-01", "POST /route", "premium", 3, 60)
		row(second, "2026-11-01", "POST /route", "standard", 5, 5)
		row(second, "2026-11-01", "GET /geocode", "standard", 60, 60)
		row(first, "2026-11-21", "POST /matrix", "standard", 1, 1<<40)
		row(other, "2026-11-21", "POST /matrix", "standard", 7, 7)

		of := UsageOf{IdentityID: first.Key.IdentityID}
		got, err := d.Usage(t.Context(), of, "", "")
		want := &Usage{From: "2026-11-01", To: "2026-11-21", Calls: 71, Units: 127 + 1<<40, Days: []UsageDay{
			{"2026-11-01", 127, []UsageEndpoint{{"GET /geocode", "standard", 60, 60}, {"POST /route", "premium", 3, 60}, {"POST /route", "standard", 7, 7}}},
			{"2026-11-21", 1 << 40, []UsageEndpoint{{"POST /matrix", "standard", 1, 1 << 40}}},
		}}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v %v\nwant %+v", got, err, want)
		}
		if got, err = d.Usage(t.Context(), UsageOf{KeyID: first.Key.ID}, "2026-10-31", "2026-11-01"); err != nil || got.Units != 9+62 || len(got.Days) != 2 {
			t.Error(got, err)
		}
		if got, err = d.Usage(t.Context(), of, "", "2026-10-31"); err != nil || got.From != "2026-10-01" || got.Units != 9 {
			t.Error(got, err)
		}
		if got, err = d.Usage(t.Context(), of, "2026-12-01", "2026-12-01"); err != nil || got.Days == nil || len(got.Days) != 0 {
			t.Error(got, err)
		}
		_, err = d.Usage(t.Context(), UsageOf{KeyID: "00000000-0000-4000-8000-000000000000"}, "", "")
		wants(t, err, fault.NotFound)
	})
}

func TestSpan(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want, wrong string }{
		"this month":     {"", "", "2026-11-01 2026-11-21", ""},
		"from":           {"2026-11-20", "", "2026-11-20 2026-11-21", ""},
		"one day":        {"2024-02-29", "2024-02-29", "2024-02-29 2024-02-29", ""},
		"366 days":       {"2024-01-01", "2024-12-31", "2024-01-01 2024-12-31", ""},
		"367 days":       {"2024-01-01", "2025-01-01", "", "from"},
		"all of time":    {"0001-01-01", "9999-12-31", "", "from"},
		"turned round":   {"2026-11-02", "2026-11-01", "", "from"},
		"in the future":  {"2026-11-22", "", "", "from"},
		"no leap year":   {"2026-02-29", "", "", "from"},
		"no such day":    {"2026-04-31", "", "", "from"},
		"a time":         {"2026-11-01T00:00:00Z", "", "", "from"},
		"short":          {"2026-1-1", "", "", "from"},
		"a blank":        {" 2026-11-01", "", "", "from"},
		"a fifth digit":  {"12026-11-01", "", "", "from"},
		"both":           {"yesterday", "\x00", "", "to from"},
		"only to":        {"", "2026-13-01", "", "to"},
		"SQL in a bound": {"", "' OR '1'='1", "", "to"},
	} {
		u, err := span(start, c.from, c.to)
		if c.wrong != "" {
			wants(t, err, fault.BadRequest)
			if got := locations(err); got != c.wrong {
				t.Errorf("%s: complains of %q, want %q", name, got, c.wrong)
			}
			continue
		}
		if err != nil || u.From+" "+u.To != c.want {
			t.Errorf("%s: %+v, %v", name, u, err)
		}
	}
}

func TestWebhookSecret(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		k := d.verified("ann@example.org").Key
		kept := func() string {
			var secret, url *string
			if err := d.db.QueryRow(t.Context(), "SELECT webhook_secret, webhook_url FROM keys WHERE id = $1", k.ID).Scan(&secret, &url); err != nil {
				t.Fatal(err)
			}
			if url == nil {
				return *secret
			}
			return *secret + " " + *url
		}
		first, err := d.WebhookSecret(t.Context(), k.ID, "")
		if err != nil || kept() != first {
			t.Error(first, err)
		}
		if raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(first, "whsec_")); err != nil || len(raw) < 24 || len(raw) > 64 {
			t.Error(first, err)
		}
		second, err := d.WebhookSecret(t.Context(), k.ID, "https://hooks.example.org/w?x=1")
		if err != nil || second == first || kept() != second+" https://hooks.example.org/w?x=1" {
			t.Error(kept(), err)
		}
		third, err := d.WebhookSecret(t.Context(), k.ID, "")
		if err != nil || kept() != third+" https://hooks.example.org/w?x=1" {
			t.Error("rotating keeps the address:", kept(), err)
		}
		_, err = d.WebhookSecret(t.Context(), k.ID, "http://hooks.example.org/")
		wants(t, err, fault.BadRequest)
		if kept() != third+" https://hooks.example.org/w?x=1" {
			t.Error("a refusal changes the secret")
		}
		_, err = d.WebhookSecret(t.Context(), "x", "")
		wants(t, err, fault.NotFound)
		if _, err := d.Revoke(t.Context(), k.ID); err != nil {
			t.Error(err)
		}
		_, err = d.WebhookSecret(t.Context(), k.ID, "")
		wants(t, err, fault.Forbidden)
	})
}

func TestTidy(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address, func(o *Options) { o.MaxIssuancesPerHour = 100 })
		d.issue("ann@example.org")
		verify := d.token("ann@example.org")
		if err := d.SignIn(t.Context(), "ann@example.org"); err != nil {
			t.Fatal(err)
		}
		if _, err := d.SignedIn(t.Context(), d.token("ann@example.org")); err != nil {
			t.Fatal(err)
		}
		d.exec("INSERT INTO salts (scope, salt) VALUES ('mau:2026-11', 'x'), ('mau:2026-12', 'y')")
		d.exec("INSERT INTO processor_events (id, at) VALUES ('evt_1', $1), ('subscription:sub_1', 7)", start.UnixMilli())
		d.exec("INSERT INTO active_users (identity_id, month, client) VALUES ('i', '2026-10', 'x'), ('i', '2026-11', 'x'), ('i', '2026-12', 'x')")
		rows := func() map[string]int64 {
			n := map[string]int64{}
			for _, table := range []string{"links", "sessions", "salts", "issuances_client", "issuances_hour", "processor_events", "active_users"} {
				n[table] = d.count("SELECT count(*) FROM " + table)
			}
			return n
		}
		for _, step := range []struct {
			pass time.Duration
			want map[string]int64
		}{
			{0, map[string]int64{"links": 3, "sessions": 1, "salts": 3, "issuances_client": 2, "issuances_hour": 1, "processor_events": 2, "active_users": 2}},
			{SignInLife, map[string]int64{"links": 2, "sessions": 1, "salts": 3, "issuances_client": 2, "issuances_hour": 1, "processor_events": 2, "active_users": 2}},
			{SessionLife, map[string]int64{"links": 2, "sessions": 0, "salts": 3, "issuances_client": 1, "issuances_hour": 1, "processor_events": 2, "active_users": 2}},
			{24 * time.Hour, map[string]int64{"links": 2, "sessions": 0, "salts": 3, "issuances_client": 1, "issuances_hour": 1, "processor_events": 2, "active_users": 2}},
			{24 * time.Hour, map[string]int64{"links": 2, "sessions": 0, "salts": 2, "issuances_client": 0, "issuances_hour": 0, "processor_events": 2, "active_users": 2}},
			{24 * time.Hour, map[string]int64{"links": 1, "sessions": 0, "salts": 2, "issuances_client": 0, "issuances_hour": 0, "processor_events": 2, "active_users": 2}},
			{20 * 24 * time.Hour, map[string]int64{"links": 1, "sessions": 0, "salts": 1, "issuances_client": 0, "issuances_hour": 0, "processor_events": 2, "active_users": 1}},
			{10 * 24 * time.Hour, map[string]int64{"links": 0, "sessions": 0, "salts": 1, "issuances_client": 0, "issuances_hour": 0, "processor_events": 2, "active_users": 1}},
			{10 * 24 * time.Hour, map[string]int64{"links": 0, "sessions": 0, "salts": 0, "issuances_client": 0, "issuances_hour": 0, "processor_events": 1, "active_users": 0}},
		} {
			d.advance(step.pass)
			if err := d.Tidy(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := rows(); !reflect.DeepEqual(got, step.want) {
				t.Errorf("on %s: %v, want %v", d.clock(), got, step.want)
			}
		}
		_, err := d.Verification(t.Context(), verify)
		wants(t, err, fault.NotFound)
		if n := d.count("SELECT count(*) FROM keys"); n != 1 {
			t.Error("a key's record is gone")
		}
	})
}

// A database that does not answer is reported as such, without internals.
func TestUnavailable(t *testing.T) {
	d := open(t, storetest.SQLite(t))
	key := d.verified("ann@example.org").Key
	_, token := newToken()
	token = token[:tokenLength-1] + "A"
	away, cancel := context.WithCancel(t.Context())
	cancel()
	for name, do := range map[string]func() error{
		"Issue":          func() error { _, err := d.Issue(away, d.application("bob@example.org")); return err },
		"Verification":   func() error { _, err := d.Verification(away, token); return err },
		"Verify":         func() error { _, err := d.Verify(away, token); return err },
		"Deny":           func() error { _, err := d.Deny(away, token); return err },
		"Claim":          func() error { _, err := d.Claim(away, key.ID); return err },
		"Resolve":        func() error { _, err := d.Resolve(away, token); return err },
		"SignInByClaim":  func() error { return d.SignInByClaim(away, token) },
		"SignIn":         func() error { return d.SignIn(away, "ann@example.org") },
		"SignedIn":       func() error { _, err := d.SignedIn(away, token); return err },
		"Session":        func() error { _, err := d.Session(away, token); return err },
		"SignOut":        func() error { return d.SignOut(away, token) },
		"Console":        func() error { _, err := d.Console(away, key.IdentityID); return err },
		"Usage":          func() error { _, err := d.Usage(away, UsageOf{KeyID: key.ID}, "", ""); return err },
		"WebhookSecret":  func() error { _, err := d.WebhookSecret(away, key.ID, ""); return err },
		"Mint":           func() error { _, err := d.Mint(away, Minting{Name: "m", MonthlyQuota: 1, RatePerMin: 1}); return err },
		"Keys":           func() error { _, _, err := d.Keys(away, 1, 0); return err },
		"Key":            func() error { _, err := d.Key(away, key.ID); return err },
		"Revoke":         func() error { _, err := d.Revoke(away, key.ID); return err },
		"CreditKey":      func() error { _, err := d.CreditKey(away, key.ID, 1, "a"); return err },
		"CreditIdentity": func() error { _, err := d.CreditIdentity(away, "ann@example.org", 1, "a"); return err },
		"Identities":     func() error { _, _, err := d.Identities(away, Search{}); return err },
		"Identity":       func() error { _, err := d.Identity(away, "ann@example.org"); return err },
		"Set":            func() error { _, _, err := d.Set(away, "ann@example.org", MonthlyQuota, 1, "a"); return err },
		"Tidy":           func() error { return d.Tidy(away) },
	} {
		if err := do(); !fault.Is(err, fault.UpstreamUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
