package account

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
)

func TestVerify(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		issued := d.issue("Ann@Example.org")
		token := d.token("ann@example.org")
		v, err := d.Verification(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		want := Verification{
			Label: "my app", MaskedEmail: "***@example.org", RequestedAt: start, UserAgent: "curl/8.5", Source: "docs",
			ExpiresAt: start.Add(ProvisionalLife), State: Pending, KeyID: issued.Key.ID,
		}
		if *v != want {
			t.Errorf("got %+v, want %+v", *v, want)
		}
		d.advance(time.Hour)
		d.heard()
		for range 2 { // twice is agreement
			v, err = d.Verify(t.Context(), token)
			if err != nil || v.State != Confirmed || v.KeyID != issued.Key.ID {
				t.Fatal(v, err)
			}
			d.advance(time.Hour)
		}
		if heard := d.heard(); !slices.Contains(heard, issued.Key.ID) || !slices.Contains(heard, issued.Key.IdentityID) {
			t.Error("who keeps records did not hear of it:", heard)
		}
		key, err := d.Key(t.Context(), issued.Key.ID)
		if err != nil || key.State != Verified || key.ExpiresAt != nil || key.MonthlyQuota != VerifiedQuota || key.RatePerMin != RatePerMinute {
			t.Error(key, err)
		}
		i, _, err := identityBy(t.Context(), d.db, "email", "ann@example.org")
		if err != nil || i.VerifiedAt == nil || !i.VerifiedAt.Equal(start.Add(time.Hour)) {
			t.Error("the address is confirmed once, by the first:", i.VerifiedAt, err)
		}
		// Long after, the link still says what became of it, and confirming is
		// still agreement.
		d.advance(10 * 24 * time.Hour)
		if v, err = d.Verify(t.Context(), token); err != nil || v.State != Confirmed {
			t.Error(v, err)
		}
		// The holder of the address has the last word.
		for range 2 {
			if v, err = d.Deny(t.Context(), token); err != nil || v.State != Denied {
				t.Error(v, err)
			}
		}
		if key, err = d.Key(t.Context(), issued.Key.ID); err != nil || key.RevokedAt == nil || !key.RevokedAt.Equal(d.clock()) {
			t.Error(key, err)
		}
		_, err = d.Verify(t.Context(), token)
		wants(t, err, fault.Forbidden)
	})
}

// A link confirms its own key only, at the rate of the identity's plan.
func TestVerifyOneOfTwo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		first := d.issue("ann@example.org")
		token := d.token("ann@example.org")
		second := d.issue("ann@example.org")
		d.exec("UPDATE identities SET plan_rate = 600")
		if _, err := d.Verify(t.Context(), token); err != nil {
			t.Fatal(err)
		}
		if k, err := d.Key(t.Context(), first.Key.ID); err != nil || k.State != Verified || k.RatePerMin != 600 {
			t.Error(k, err)
		}
		if k, err := d.Key(t.Context(), second.Key.ID); err != nil || k.State != Provisional || k.ExpiresAt == nil {
			t.Error(k, err)
		}
	})
}

func TestVerifyRefusals(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		late := d.issue("late@example.org")
		lateToken := d.token("late@example.org")
		denied := d.issue("denied@example.org")
		deniedToken := d.token("denied@example.org")
		revoked := d.issue("revoked@example.org")
		revokedToken := d.token("revoked@example.org")
		claim := d.issue("claim@example.org").ClaimURL
		d.mail("claim@example.org") // before the next is sent: two at once come in either order
		if err := d.SignIn(t.Context(), "claim@example.org"); err != nil {
			t.Fatal(err)
		}
		signIn := d.token("claim@example.org")

		if v, err := d.Deny(t.Context(), deniedToken); err != nil || v.State != Denied {
			t.Error(v, err)
		}
		if _, err := d.Revoke(t.Context(), revoked.Key.ID); err != nil {
			t.Error(err)
		}
		d.advance(ProvisionalLife)
		for name, c := range map[string]struct {
			token string
			slug  fault.Slug
		}{
			"expired":          {lateToken, fault.Forbidden},
			"denied":           {deniedToken, fault.Forbidden},
			"revoked":          {revokedToken, fault.Forbidden},
			"a claim pointer":  {claim[len(claim)-tokenLength:], fault.NotFound},
			"a sign-in link":   {signIn, fault.NotFound},
			"a key's secret":   {late.Secret, fault.NotFound},
			"a hash":           {Hash(lateToken), fault.NotFound},
			"unknown":          {"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", fault.NotFound},
			"empty":            {"", fault.NotFound},
			"cut short":        {lateToken[:42], fault.NotFound},
			"longer":           {lateToken + "A", fault.NotFound},
			"with a NUL":       {lateToken[:42] + "\x00", fault.NotFound},
			"a line of it":     {lateToken[:42] + "\n", fault.NotFound},
			"invalid in UTF-8": {lateToken[:42] + "\xff", fault.NotFound},
			"SQL":              {"' OR '1'='1", fault.NotFound},
		} {
			t.Run(name, func(t *testing.T) {
				_, err := d.Verify(t.Context(), c.token)
				wants(t, err, c.slug)
				if c.slug == fault.NotFound {
					_, err = d.Deny(t.Context(), c.token)
					wants(t, err, c.slug)
					_, err = d.Verification(t.Context(), c.token)
					wants(t, err, c.slug)
				}
			})
		}
		if v, err := d.Verification(t.Context(), lateToken); err != nil || v.State != Expired {
			t.Error(v, err)
		}
		if n := d.count("SELECT count(*) FROM identities WHERE verified_at IS NOT NULL"); n != 0 {
			t.Error(n, "addresses are confirmed by refused links")
		}
		if k, err := d.Key(t.Context(), denied.Key.ID); err != nil || !k.RevokedAt.Equal(start) {
			t.Error("a denial lasts:", k, err)
		}

		// An expired request can still be denied, for a while.
		if v, err := d.Deny(t.Context(), lateToken); err != nil || v.State != Denied {
			t.Error(v, err)
		}
		d.advance(DenyLife)
		_, err := d.Deny(t.Context(), revokedToken)
		wants(t, err, fault.NotFound)
	})
}

// Two links of one mail opened at once, and a denial among confirmations: all
// agree, and a denied key stays denied.
func TestVerifyAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		issued := d.issue("ann@example.org")
		token := d.token("ann@example.org")
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if v, err := d.Verify(t.Context(), token); err != nil || v.State != Confirmed {
					t.Error(v, err)
				}
			})
		}
		all.Wait()

		other := d.issue("bob@example.org")
		token = d.token("bob@example.org")
		for i := range 8 {
			all.Go(func() {
				if i == 4 {
					if v, err := d.Deny(t.Context(), token); err != nil || v.State != Denied {
						t.Error(v, err)
					}
					return
				}
				if v, err := d.Verify(t.Context(), token); err == nil && v.State != Confirmed || err != nil && !fault.Is(err, fault.Forbidden) {
					t.Error(v, err)
				}
			})
		}
		all.Wait()
		if k, err := d.Key(t.Context(), issued.Key.ID); err != nil || k.State != Verified || k.RevokedAt != nil {
			t.Error(k, err)
		}
		if k, err := d.Key(t.Context(), other.Key.ID); err != nil || k.RevokedAt == nil {
			t.Error(k, err)
		}
	})
}
