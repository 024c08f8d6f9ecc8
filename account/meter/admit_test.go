package meter_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// TestAdmit checks the calls that a key by itself may and may not make.
func TestAdmit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		past, now, future := start.Add(-time.Hour), start, start.Add(time.Hour)
		id := w.identity()
		keys := map[string]key{
			"admin":     w.key(account.Key{State: account.Admin, MonthlyQuota: 5}),
			"verified":  w.key(account.Key{State: account.Verified, IdentityID: id}),
			"fresh":     w.key(account.Key{State: account.Provisional, IdentityID: id, MonthlyQuota: 5, ExpiresAt: &future}),
			"expired":   w.key(account.Key{State: account.Provisional, IdentityID: id, MonthlyQuota: 5, ExpiresAt: &now}),
			"revoked":   w.key(account.Key{State: account.Verified, IdentityID: id, RevokedAt: &past}),
			"maps":      w.key(account.Key{State: account.Verified, IdentityID: id, Scope: account.Maps}),
			"browser":   w.key(account.Key{State: account.Verified, IdentityID: id, AllowedOrigins: []string{"https://*.example.com"}}),
			"mapsPage":  w.key(account.Key{State: account.Verified, IdentityID: id, Scope: account.Maps, AllowedOrigins: []string{"https://example.com"}}),
			"unknown":   w.key(account.Key{State: account.Admin, MonthlyQuota: 5}),
			"malformed": {secret: "wg_nonsense"},
		}
		w.exec("DELETE FROM keys WHERE id = $1", keys["unknown"].id)
		valid := keys["admin"].secret
		last := byte('0')
		if valid[len(valid)-1] == last {
			last = '1'
		}
		keys["typo"] = key{secret: valid[:len(valid)-1] + string(last)}
		for _, c := range []struct {
			key   string
			call  meter.Call
			slug  fault.Slug
			says  string
			field map[string]any
		}{
			{key: "admin"},
			{key: "verified"},
			{key: "fresh"},
			{key: "expired", slug: fault.Unauthorized, says: "expired"},
			{key: "revoked", slug: fault.Unauthorized, says: "revoked"},
			{key: "revoked", call: meter.Call{Free: true}, slug: fault.Unauthorized, says: "revoked"},
			{key: "unknown", slug: fault.Unauthorized, says: "no such"},
			{key: "unknown", slug: fault.Unauthorized, says: "no such"},
			{key: "malformed", slug: fault.Unauthorized},
			{key: "typo", slug: fault.Unauthorized},
			{key: "maps", slug: fault.ScopeInsufficient, field: map[string]any{"scope": "maps", "required_scope": "full", "endpoint": endpoint}},
			{key: "maps", call: meter.Call{Maps: true}},
			{key: "mapsPage", slug: fault.ScopeInsufficient},
			{key: "mapsPage", call: meter.Call{Maps: true}, slug: fault.OriginNotAllowed, field: map[string]any{"origin": nil}},
			{key: "browser", slug: fault.OriginNotAllowed},
			{key: "browser", call: meter.Call{Origin: "https://a.example.com"}},
			{key: "browser", call: meter.Call{Referer: "https://a.example.com/page?x=1"}},
			{key: "browser", call: meter.Call{Origin: "null"}, slug: fault.OriginNotAllowed, field: map[string]any{"origin": "null"}},
			{key: "browser", call: meter.Call{Origin: "https://a.example.org"}, slug: fault.OriginNotAllowed, field: map[string]any{"origin": "https://a.example.org"}},
			{key: "browser", call: meter.Call{Origin: "https://evil-example.com", Free: true}, slug: fault.OriginNotAllowed},
		} {
			v := c.call
			v.Secret, v.Endpoint, v.Client = keys[c.key].secret, endpoint, client
			p, err := w.gate.Admit(t.Context(), v)
			if c.slug == "" {
				if err != nil || p.Key().ID != keys[c.key].id || p.Demo() {
					t.Errorf("%s %+v: %v", c.key, c.call, err)
				}
				continue
			}
			f := refused(t, err, c.slug)
			if !strings.Contains(f.Detail, c.says) {
				t.Errorf("%s: %q does not say %q", c.key, f.Detail, c.says)
			}
			for name, want := range c.field {
				if got, ok := f.Fields[name]; !ok || got != want {
					t.Errorf("%s: %s is %v, want %v", c.key, name, got, want)
				}
			}
		}
		// Refused calls have cost nothing, nor have calls that were only admitted.
		w.flush(w.gate)
		if n := w.queryInt("SELECT COUNT(*) FROM usage_days"); n != 0 {
			t.Errorf("%d rows of usage", n)
		}
	})
}

func TestRate(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t), func(o *meter.Options) { o.Keys = nil })
	id := w.identity()
	w.exec("UPDATE identities SET plan_rate = 7 WHERE id = $1", id)
	for _, c := range []struct {
		key   account.Key
		calls int
	}{
		{account.Key{State: account.Admin, MonthlyQuota: 100, RatePerMin: 3}, 3},
		{account.Key{State: account.Verified, IdentityID: id, RatePerMin: 3}, 7},
		{account.Key{State: account.Provisional, IdentityID: id, MonthlyQuota: 100, RatePerMin: 3}, 3},
	} {
		k := w.key(c.key)
		for i := range c.calls {
			if err := w.call(w.gate, k, 1); err != nil {
				t.Errorf("%s, call %d: %v", c.key.State, i+1, err)
			}
		}
		f := refused(t, w.call(w.gate, k, 1), fault.RateLimited)
		if f.Fields["limit_per_min"] != int64(c.calls) || f.Fields["retry_after"] != int64(60) {
			t.Errorf("%s: %v", c.key.State, f.Fields)
		}
		w.standing(w.gate, k) // has no rate
	}
}

// The demo lane is open to calls without a key, by their network, and counted.
func TestDemo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address, func(o *meter.Options) { o.DemoRPM = 2 })
		call := func(from string, class meter.Class, units int64, status int, features ...string) error {
			p, err := w.gate.Admit(t.Context(), meter.Call{Endpoint: endpoint, Client: netip.MustParseAddr(from)})
			if err != nil {
				return err
			}
			if !p.Demo() || p.Key() != nil {
				t.Error("not in the demo lane")
			}
			if err := p.Reserve(t.Context(), class, units, features...); err != nil {
				t.Error(err)
			}
			p.Settle(status)
			return nil
		}
		for _, c := range []struct {
			from  string
			class meter.Class
			units int64
			code  int
			slug  fault.Slug
		}{
			{"192.0.2.1", meter.Standard, 3, 200, ""},
			{"::ffff:192.0.2.1", meter.Premium, 20, 200, ""},
			{"192.0.2.1", meter.Standard, 1, 200, fault.RateLimited},
			{"2001:db8::1", meter.Standard, 1, 400, ""},
			{"2001:db8::ffff", meter.Standard, 1, 304, ""},
			{"2001:db8::2", meter.Standard, 1, 200, fault.RateLimited},
			{"2001:db8:0:1::2", meter.Standard, 1, 200, ""},
		} {
			if err := call(c.from, c.class, c.units, c.code, "truck", "adr"); c.slug == "" && err != nil || c.slug != "" && !fault.Is(err, c.slug) {
				t.Errorf("%s: %v, want %q", c.from, err, c.slug)
			}
		}
		p := w.gate.Paid(meter.Call{Endpoint: endpoint})
		if err := p.Reserve(t.Context(), meter.Premium, 20, "truck"); err != nil || p.Charged() != 20 {
			t.Error(err, p.Charged())
		}
		p.Settle(200)
		w.flush(w.gate)
		w.flush(w.gate)
		got := storetest.Dump(t, w.db, "demo_days", "demo_features")
		var want strings.Builder
		row := func(table string, columns ...any) {
			for i := 0; i < len(columns); i += 2 {
				fmt.Fprintf(&want, "%s.%v=%v\n", table, columns[i], columns[i+1])
			}
		}
		row("demo_days", "day", "2026-11-15", "endpoint", endpoint, "class", "premium", "calls", 1, "units", 20)
		row("demo_days", "day", "2026-11-15", "endpoint", endpoint, "class", "standard", "calls", 3, "units", 5)
		row("demo_features", "day", "2026-11-15", "feature", "adr", "calls", 1, "units", 20)
		row("demo_features", "day", "2026-11-15", "feature", "truck", "calls", 1, "units", 20)
		row("demo_features", "day", "2026-11-15", "feature", "x402", "calls", 1, "units", 20)
		if got != want.String() {
			t.Errorf("got\n%swant\n%s", got, want.String())
		}
		seen := w.gate.DemoClients()
		if seen.Tracked != 3 || seen.Evicted != 0 || seen.Capacity != 65536 || !seen.Since.Equal(start) || len(seen.Top) != 3 {
			t.Fatalf("%+v", seen)
		}
		if first := seen.Top[0]; first.Address != netip.MustParseAddr("192.0.2.1") || first.Calls != 2 || first.Units != 23 {
			t.Errorf("%+v", first)
		}
		if strings.Contains(storetest.Dump(t, w.db, "salts", "active_users"), "192.0.2") {
			t.Error("an address was written")
		}
	})
}

// TestRevokedElsewhere revokes a key as another replica or a command does: however long it was quiet,
// its first call after Fresh is refused. A busy key is read anew before that, while it is used.
func TestRevokedElsewhere(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t))
	_, quiet := w.verified(1000)
	_, busy := w.verified(1000)
	revoke := func(k key) { w.exec("UPDATE keys SET revoked_at = $2 WHERE id = $1", k.id, w.clock.now().UnixMilli()) }
	w.must(quiet, 1)
	w.must(busy, 1)
	revoke(quiet)
	w.clock.add(meter.Fresh - 1500*time.Millisecond)
	w.must(quiet, 1) // as documented
	revoke(busy)
	w.clock.add(time.Second)
	waittest.Until(t, "the busy key is refused within its time", func() bool { return fault.Is(w.call(w.gate, busy, 1), fault.Unauthorized) })
	w.clock.add(500 * time.Millisecond)
	refused(t, w.call(w.gate, quiet, 1), fault.Unauthorized)

	// In the same process it is at once.
	_, here := w.verified(1000)
	w.must(here, 1)
	revoke(here)
	w.gate.Invalidate(here.id)
	refused(t, w.call(w.gate, here, 1), fault.Unauthorized)
}

func TestDemoCloses(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t), func(o *meter.Options) { o.DemoRPM = 0 })
	for _, v := range []meter.Call{{Endpoint: endpoint, Client: client}, {Endpoint: endpoint, Client: client, Free: true}} {
		_, err := w.gate.Admit(t.Context(), v)
		refused(t, err, fault.Unauthorized)
	}
	_, err := w.open().Admit(t.Context(), meter.Call{Endpoint: endpoint, Client: client, Free: true})
	refused(t, err, fault.Unauthorized)
}

// However many call, their memory is bounded, and what was forgotten is counted.
func TestDemoClientsBounded(t *testing.T) {
	w := newWorld(t, storetest.SQLite(t))
	base := netip.MustParseAddr("2001:db8::").As16()
	const callers = 65536 + 1000
	for i := range callers {
		base[4], base[5], base[6] = byte(i>>16), byte(i>>8), byte(i)
		if _, err := w.gate.Admit(background, meter.Call{Endpoint: endpoint, Client: netip.AddrFrom16(base)}); err != nil {
			t.Fatal(err)
		}
	}
	if d := w.gate.DemoClients(); d.Tracked != d.Capacity || d.Evicted != callers-65536 || len(d.Top) != 20 {
		t.Errorf("%d tracked, %d evicted", d.Tracked, d.Evicted)
	}
}
