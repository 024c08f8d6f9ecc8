package account

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
)

func TestMint(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		issued, err := d.Mint(t.Context(), Minting{Name: "Fleet é", MonthlyQuota: figureMax, RatePerMin: rateMax, Scope: Maps})
		if err != nil || !Plausible(issued.Secret) || issued.ClaimURL != "" {
			t.Fatal(issued, err)
		}
		k, err := d.Key(t.Context(), issued.Key.ID)
		if err != nil || k.State != Admin || k.IdentityID != "" || k.Name != "Fleet é" || k.MonthlyQuota != figureMax || k.RatePerMin != rateMax || k.Scope != Maps || k.ExpiresAt != nil || !k.CreatedAt.Equal(start) {
			t.Error(k, err)
		}
		for name, c := range map[string]struct {
			m         Minting
			locations string
		}{
			"nothing":           {Minting{}, "name monthly_quota rate_per_min"},
			"no quota":          {Minting{Name: "a", RatePerMin: 1}, "monthly_quota"},
			"a negative quota":  {Minting{Name: "a", MonthlyQuota: -1, RatePerMin: 1}, "monthly_quota"},
			"too large a quota": {Minting{Name: "a", MonthlyQuota: math.MaxInt64, RatePerMin: 1}, "monthly_quota"},
			"too high a rate":   {Minting{Name: "a", MonthlyQuota: 1, RatePerMin: math.MaxInt64}, "rate_per_min"},
			"a long name":       {Minting{Name: strings.Repeat("a", 121), MonthlyQuota: 1, RatePerMin: 1}, "name"},
			"lines in the name": {Minting{Name: "a\nb", MonthlyQuota: 1, RatePerMin: 1}, "name"},
			"a scope":           {Minting{Name: "a", MonthlyQuota: 1, RatePerMin: 1, Scope: "all"}, "scope"},
		} {
			_, err := d.Mint(t.Context(), c.m)
			wants(t, err, fault.BadRequest)
			if got := locations(err); got != c.locations {
				t.Errorf("%s: complains of %q, want %q", name, got, c.locations)
			}
		}
	})
}

func TestKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		var want []string
		for n := range 5 {
			issued, err := d.Mint(t.Context(), Minting{Name: fmt.Sprint(n), MonthlyQuota: 1, RatePerMin: 1})
			if err != nil {
				t.Fatal(err)
			}
			want = append([]string{issued.Key.ID}, want...)
			d.advance(time.Millisecond)
		}
		for _, c := range []struct {
			limit, offset int
			want          []string
		}{{0, 0, want}, {2, 0, want[:2]}, {2, 2, want[2:4]}, {500, 4, want[4:]}, {1, 5, nil}} {
			keys, total, err := d.Keys(t.Context(), c.limit, c.offset)
			var got []string
			for _, k := range keys {
				got = append(got, k.ID)
			}
			if err != nil || total != 5 || !slices.Equal(got, c.want) {
				t.Errorf("limit %d, offset %d: %v of %d, %v", c.limit, c.offset, got, total, err)
			}
		}
		for _, wrong := range [][2]int{{-1, 0}, {501, 0}, {1, -1}, {1, math.MaxInt}} {
			_, _, err := d.Keys(t.Context(), wrong[0], wrong[1])
			wants(t, err, fault.BadRequest)
		}
	})
}

func TestRevoke(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		issued := d.verified("ann@example.org")
		d.heard()
		for range 2 {
			k, err := d.Revoke(t.Context(), issued.Key.ID)
			if err != nil || k.RevokedAt == nil || !k.RevokedAt.Equal(start) || k.State != Verified {
				t.Error(k, err)
			}
			d.advance(time.Hour)
		}
		if heard := d.heard(); !slices.Contains(heard, issued.Key.ID) {
			t.Error(heard)
		}
		for _, id := range []string{"", "x", "\x00", strings.Repeat("a", 1000), "00000000-0000-4000-8000-000000000000", issued.Key.ID + "0", strings.ToUpper(issued.Key.ID) + "\xff"} {
			_, err := d.Revoke(t.Context(), id)
			wants(t, err, fault.NotFound)
			_, err = d.Key(t.Context(), id)
			wants(t, err, fault.NotFound)
		}
	})
}

func TestCredit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		issued := d.verified("ann@example.org")
		minted, err := d.Mint(t.Context(), Minting{Name: "m", MonthlyQuota: 1, RatePerMin: 1})
		if err != nil {
			t.Fatal(err)
		}
		d.heard()
		c, err := d.CreditKey(t.Context(), issued.Key.ID, 5000, "goodwill")
		if err != nil || c.IdentityID != issued.Key.IdentityID || c.Millipence != 5000 || c.Duplicate {
			t.Error(c, err)
		}
		if heard := d.heard(); !slices.Contains(heard, issued.Key.IdentityID) {
			t.Error(heard)
		}
		c, err = d.CreditIdentity(t.Context(), "ANN@example.org", 2000, "more")
		if err != nil || c.Millipence != 7000 || c.Duplicate {
			t.Error(c, err)
		}
		c, err = d.CreditIdentity(t.Context(), "ann@example.org", 9000, " goodwill ")
		if err != nil || c.Millipence != 5000 || !c.Duplicate {
			t.Error("a repeated reason:", c, err)
		}
		_, err = d.CreditKey(t.Context(), minted.Key.ID, 1, "a")
		wants(t, err, fault.NoIdentityLedger)
		_, err = d.CreditKey(t.Context(), "x", 1, "a")
		wants(t, err, fault.NotFound)
		for _, email := range []string{"bob@example.org", "", "ann@example.org\x00", "ann\xff", "ann"} {
			_, err = d.CreditIdentity(t.Context(), email, 1, "a")
			wants(t, err, fault.NotFound)
		}
		for name, wrong := range map[string]struct {
			millipence int64
			reason     string
		}{
			"nothing": {0, "a"}, "a debit": {-1, "a"}, "the least of all": {math.MinInt64, "a"}, "an overflow": {math.MaxInt64, "a"}, "too much": {figureMax + 1, "a"},
			"no reason": {1, ""}, "blanks": {1, "  "}, "lines": {1, "a\nb"}, "bytes": {1, "a\xff"}, "a NUL": {1, "a\x00"}, "a long reason": {1, strings.Repeat("a", 201)},
			"a name of the ledger's": {1, "usage 2026-11-21"},
		} {
			_, err = d.CreditIdentity(t.Context(), "ann@example.org", wrong.millipence, wrong.reason)
			if !fault.Is(err, fault.BadRequest) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if detail, err := d.Identity(t.Context(), "Ann@Example.org"); err != nil || detail.Balance.Millipence != 7000 || detail.Balance.Credited != 7000 || len(detail.History) != 2 || len(detail.Keys) != 1 {
			t.Error(detail, err)
		}
	})
}

func TestSet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		d.verified("ann@example.org")
		d.heard()
		type step struct {
			field     Field
			value     int64
			reason    string
			want      int64
			duplicate bool
		}
		for n, s := range []step{
			{MonthlyQuota, 70_000, "first", 70_000, false},
			{MonthlyQuota, 80_000, "first", 70_000, true},
			{DownloadAllowance, 0, "first", 0, false}, // a reason is a field's own
			{MonthlyQuota, 1, "second", 1, false},
			{MonthlyQuota, 70_000, "first", 1, true}, // what is in force now
			{MAUIncluded, figureMax, "third", figureMax, false},
		} {
			got, duplicate, err := d.Set(t.Context(), "ANN@example.org", s.field, s.value, s.reason)
			if err != nil || got != s.want || duplicate != s.duplicate {
				t.Errorf("step %d: %d, %v, %v", n, got, duplicate, err)
			}
		}
		if heard := d.heard(); len(heard) != 4 || heard[0] != d.identity("ann@example.org") {
			t.Error(heard)
		}
		detail, err := d.Identity(t.Context(), "ann@example.org")
		if err != nil || detail.Identity.MonthlyQuota != 1 || detail.Identity.DownloadMiB != 0 || detail.Identity.IncludedMAU != figureMax {
			t.Error(detail, err)
		}
		for name, wrong := range map[string]step{
			"no quota":       {MonthlyQuota, 0, "a", 0, false},
			"less than none": {DownloadAllowance, -1, "a", 0, false},
			"no users":       {MAUIncluded, -1, "a", 0, false},
			"too much":       {DownloadAllowance, math.MaxInt64, "a", 0, false},
			"no reason":      {MAUIncluded, 1, " ", 0, false},
		} {
			_, _, err := d.Set(t.Context(), "ann@example.org", wrong.field, wrong.value, wrong.reason)
			if !fault.Is(err, fault.BadRequest) {
				t.Errorf("%s: %v", name, err)
			}
		}
		_, _, err = d.Set(t.Context(), "bob@example.org", MonthlyQuota, 1, "a")
		wants(t, err, fault.NotFound)
		if _, _, err = d.Set(t.Context(), "ann@example.org", "plan = 'x', monthly_quota", 1, "a"); err == nil {
			t.Error("a field of one's own is set")
		}

		// Repeated at once, an order is carried out once.
		var all sync.WaitGroup
		var mu sync.Mutex
		carried := 0
		for n := range 10 {
			all.Go(func() {
				_, duplicate, err := d.Set(t.Context(), "ann@example.org", MonthlyQuota, int64(100+n), "at once")
				wants(t, err, "")
				if !duplicate {
					mu.Lock()
					defer mu.Unlock()
					carried++
				}
			})
		}
		all.Wait()
		if carried != 1 {
			t.Error("carried out", carried, "times")
		}
	})
}

// A plan's figure is above the usual, an operator's above both.
func TestQuotaInForce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		d.issue("ann@example.org")
		d.exec("UPDATE identities SET plan = 'pro', plan_quota = 123, plan_rate = 9, stripe_customer_id = 'cus_1', verified_at = $1", start.UnixMilli())
		d.exec("UPDATE keys SET state = 'verified', monthly_quota = 50000")
		detail, err := d.Identity(t.Context(), "ann@example.org")
		if err != nil || detail.Identity.MonthlyQuota != 123 || detail.Identity.Plan != "pro" || detail.Identity.StripeCustomerID != "cus_1" {
			t.Error(detail, err)
		}
		if _, _, err := d.Set(t.Context(), "ann@example.org", MonthlyQuota, 7, "less"); err != nil {
			t.Error(err)
		}
		if detail, err = d.Identity(t.Context(), "ann@example.org"); err != nil || detail.Identity.MonthlyQuota != 7 {
			t.Error(detail, err)
		}
		// Its keys show the figures in force.
		if k := detail.Keys[0]; k.MonthlyQuota != 7 || k.RatePerMin != 9 {
			t.Errorf("%+v", k)
		}
		if keys, _, err := d.Keys(t.Context(), 0, 0); err != nil || keys[0].MonthlyQuota != 7 || keys[0].RatePerMin != 9 {
			t.Errorf("%+v %v", keys, err)
		}
	})
}

// Operators see what an identity does whose address nobody confirmed: the use of
// its provisional keys, and their quota.
func TestUseBeforeVerification(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		d.issue("ann@example.org")
		d.exec("INSERT INTO usage_periods (pool, period, units) SELECT id, 'life', 700 FROM keys")
		figures := func(used, quota int64) {
			t.Helper()
			found, _, err := d.Identities(t.Context(), Search{Order: ByUsage})
			if err != nil || found[0].MonthUsed != used || found[0].MonthlyQuota != quota {
				t.Errorf("%+v, %v; want %d of %d", found, err, used, quota)
			}
			detail, err := d.Identity(t.Context(), "ann@example.org")
			if err != nil || detail.MonthUsed != used || detail.Identity.MonthlyQuota != quota {
				t.Errorf("%+v, %v; want %d of %d", detail, err, used, quota)
			}
		}
		figures(700, ProvisionalQuota)
		if _, _, err := d.Set(t.Context(), "ann@example.org", MonthlyQuota, 1e6, "more"); err != nil {
			t.Fatal(err)
		}
		figures(700, ProvisionalQuota) // it applies once the address is confirmed
		d.issue("ann@example.org")
		figures(700, 2*ProvisionalQuota)
		d.advance(ProvisionalLife)
		figures(700, 0)
		d.advance(31 * 24 * time.Hour)
		figures(0, 0)
		d.exec("UPDATE identities SET verified_at = $1", start.UnixMilli())
		figures(0, 1e6)
	})
}

func TestIdentities(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		for _, email := range []string{"cat@example.org", "a_n@example.org", "axn@example.org", "b%b@other.example.com"} {
			d.issue(email)
			d.advance(time.Minute)
		}
		d.exec("UPDATE identities SET verified_at = $1", start.UnixMilli())
		cat, axn, percent := d.identity("cat@example.org"), d.identity("axn@example.org"), d.identity("b%b@other.example.com")
		if _, err := d.CreditIdentity(t.Context(), "axn@example.org", 900, "a"); err != nil {
			t.Fatal(err)
		}
		d.exec("INSERT INTO usage_periods (pool, period, units) VALUES ($1, '2026-11', 40), ($1, '2026-10', 999), ($2, '2026-11', 50)", cat, percent)
		d.exec("INSERT INTO usage_days (key_id, day, endpoint, class, calls, units) SELECT id, '2026-11-19', 'POST /route', 'standard', 1, 1 FROM keys WHERE identity_id = $1", cat)
		d.exec("INSERT INTO usage_days (key_id, day, endpoint, class, calls, units) SELECT id, '2026-11-20', 'POST /route', 'standard', 1, 1 FROM keys WHERE identity_id = $1", axn)
		d.exec("UPDATE keys SET first_success_at = $1 WHERE identity_id = $2", start.UnixMilli(), cat)
		d.exec("INSERT INTO downloads (identity_id, month, bytes) VALUES ($1, '2026-11', $2)", cat, 1<<20+1)
		d.exec("INSERT INTO active_users (identity_id, month, client) VALUES ($1, '2026-11', 'x'), ($1, '2026-11', 'y'), ($1, '2026-10', 'z')", cat)
		d.exec("UPDATE identities SET mau_included = 1 WHERE id = $1", cat)

		for name, c := range map[string]struct {
			search Search
			want   string
			total  int64
		}{
			"all":             {Search{}, "b%b axn a_n cat", 4},
			"by address":      {Search{Order: ByEmail}, "a_n axn b%b cat", 4},
			"by usage":        {Search{Order: ByUsage, Limit: 2}, "b%b cat", 4},
			"by balance":      {Search{Order: ByBalance, Limit: 1}, "axn", 4},
			"by day":          {Search{Order: ByActive, Limit: 2}, "axn cat", 4},
			"second page":     {Search{Order: ByEmail, Limit: 2, Offset: 2}, "b%b cat", 4},
			"behind the end":  {Search{Offset: 4}, "", 4},
			"a part":          {Search{Text: "other.EXAMPLE", Order: ByEmail}, "b%b", 1},
			"a low line":      {Search{Text: "a_n"}, "a_n", 1},
			"a percent sign":  {Search{Text: "%b"}, "b%b", 1},
			"a backslash":     {Search{Text: `\`}, "", 0},
			"a quote":         {Search{Text: `' OR 1=1 --`}, "", 0},
			"nothing of such": {Search{Text: "zzz"}, "", 0},
		} {
			found, total, err := d.Identities(t.Context(), c.search)
			var got []string
			for _, s := range found {
				local, _, _ := strings.Cut(s.Email, "@")
				got = append(got, local)
			}
			if err != nil || strings.Join(got, " ") != c.want || total != c.total {
				t.Errorf("%s: %v of %d, %v; want %s of %d", name, got, total, err, c.want, c.total)
			}
		}
		found, _, err := d.Identities(t.Context(), Search{Text: "cat@"})
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		s := found[0]
		if s.MonthUsed != 40 || s.LastActive != "2026-11-19" || s.KeysEver != 1 || s.FirstSuccessAt == nil || !s.FirstSuccessAt.Equal(start) ||
			s.MAU != 2 || !s.MAUOverdrawn || s.DownloadMiB != 2 || s.Identity.DownloadMiB != DownloadMiB || s.MonthlyQuota != VerifiedQuota {
			t.Errorf("%+v", s)
		}
		detail, err := d.Identity(t.Context(), "cat@example.org")
		if err != nil || detail.MAU != 2 || !detail.MAUOverdrawn || detail.MonthUsed != 40 || detail.DownloadBytes != 1<<20+1 || detail.Keys[0].UsedThisMonth != 1 {
			t.Errorf("%+v %v", detail, err)
		}
		if found, _, err = d.Identities(t.Context(), Search{Text: "a_n"}); err != nil || found[0].LastActive != "" || found[0].FirstSuccessAt != nil || found[0].MAUOverdrawn {
			t.Errorf("%+v %v", found, err)
		}
		for name, wrong := range map[string]Search{
			"an order": {Order: "email; DROP TABLE keys"}, "a limit": {Limit: 501}, "an offset": {Offset: -1},
			"a NUL": {Text: "\x00"}, "bytes": {Text: "\xff"}, "a long text": {Text: strings.Repeat("a", 255)},
		} {
			if _, _, err := d.Identities(t.Context(), wrong); !fault.Is(err, fault.BadRequest) {
				t.Errorf("%s: %v", name, err)
			}
		}
		_, err = d.Identity(t.Context(), "nobody@example.org")
		wants(t, err, fault.NotFound)
	})
}
