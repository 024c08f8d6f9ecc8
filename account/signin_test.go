package account

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestSignIn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		issued := d.issue("ann@example.org")
		verify := d.token("ann@example.org")
		if err := d.SignIn(t.Context(), "Ann@EXAMPLE.org"); err != nil {
			t.Fatal(err)
		}
		token := d.token("ann@example.org")
		for _, wrong := range []string{"", verify, issued.Secret, Hash(token), token[:42] + "\x00", token + "="} {
			_, err := d.SignedIn(t.Context(), wrong)
			wants(t, err, fault.Unauthorized)
		}
		d.advance(SignInLife - time.Second)
		s, err := d.SignedIn(t.Context(), token)
		if err != nil || !s.ExpiresAt.Equal(d.clock().Add(SessionLife)) {
			t.Fatal(s, err)
		}
		_, err = d.SignedIn(t.Context(), token)
		wants(t, err, fault.Unauthorized)

		i, err := d.Session(t.Context(), s.Token)
		if err != nil || i.Email != "ann@example.org" || i.VerifiedAt == nil {
			t.Error("who reads the mail of an address has confirmed it:", i, err)
		}
		if k, err := d.Key(t.Context(), issued.Key.ID); err != nil || k.State != Provisional {
			t.Error("a key is confirmed by its own link only:", k, err)
		}
		for _, wrong := range []string{"", token, s.Token[:42], s.Token + "A", Hash(s.Token), "'; DROP TABLE sessions; --"} {
			_, err := d.Session(t.Context(), wrong)
			wants(t, err, fault.Unauthorized)
			wants(t, d.SignOut(t.Context(), wrong), "")
		}
		d.advance(SessionLife - time.Second)
		_, err = d.Session(t.Context(), s.Token)
		wants(t, err, "")
		d.advance(time.Second)
		_, err = d.Session(t.Context(), s.Token)
		wants(t, err, fault.Unauthorized)
	})
}

func TestSignOut(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		d.verified("ann@example.org")
		var sessions []*Session
		for range 2 {
			if err := d.SignIn(t.Context(), "ann@example.org"); err != nil {
				t.Fatal(err)
			}
			s, err := d.SignedIn(t.Context(), d.token("ann@example.org"))
			if err != nil {
				t.Fatal(err)
			}
			sessions = append(sessions, s)
		}
		for range 2 {
			wants(t, d.SignOut(t.Context(), sessions[0].Token), "")
		}
		_, err := d.Session(t.Context(), sessions[0].Token)
		wants(t, err, fault.Unauthorized)
		_, err = d.Session(t.Context(), sessions[1].Token)
		wants(t, err, "")
	})
}

func TestSignInExpires(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		d.issue("ann@example.org")
		d.mail("ann@example.org")
		if err := d.SignIn(t.Context(), "ann@example.org"); err != nil {
			t.Fatal(err)
		}
		token := d.token("ann@example.org")
		d.advance(SignInLife)
		_, err := d.SignedIn(t.Context(), token)
		wants(t, err, fault.Unauthorized)
	})
}

// One link, many clicks: one session.
func TestSignedInAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		d.issue("ann@example.org")
		d.mail("ann@example.org")
		if err := d.SignIn(t.Context(), "ann@example.org"); err != nil {
			t.Fatal(err)
		}
		token := d.token("ann@example.org")
		var won atomic.Int64
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				_, err := d.SignedIn(t.Context(), token)
				if err == nil {
					won.Add(1)
				} else if !fault.Is(err, fault.Unauthorized) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 || d.count("SELECT count(*) FROM sessions") != 1 {
			t.Error(won.Load(), "sessions")
		}
	})
}

// No mailbox is flooded, by whichever way, and the answer stays the same.
func TestSignInIsBoundedAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		issued := d.issue("ann@example.org")
		d.mail("ann@example.org")
		claim := issued.ClaimURL[len(issued.ClaimURL)-tokenLength:]
		var all sync.WaitGroup
		for n := range 20 {
			all.Go(func() {
				if n%2 == 0 {
					wants(t, d.SignIn(t.Context(), "ann@example.org"), "")
				} else {
					wants(t, d.SignInByClaim(t.Context(), claim), "")
				}
			})
		}
		all.Wait()
		if n := d.count("SELECT count(*) FROM links WHERE kind = 'signin'"); n != signInsPerWindow {
			t.Error(n, "links")
		}
		for range signInsPerWindow {
			d.mail("ann@example.org")
		}
		if n := d.count("SELECT count(*) FROM deliveries"); n != 1+signInsPerWindow {
			t.Error(n, "e-mails")
		}
		d.advance(signInWindow)
		wants(t, d.SignIn(t.Context(), "ann@example.org"), "")
		d.mail("ann@example.org")
	})
}

func TestSignInTellsNothingOfWhatIsNoAddress(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		for _, wrong := range []string{"", "ann", "ann@example.org\r\nBcc: bob@example.org", `"a"@example.org`} {
			wants(t, d.SignIn(t.Context(), wrong), "")
		}
		// A disposable address may have had an account before it was listed.
		wants(t, d.SignIn(t.Context(), "ann@mailinator.com"), "")
		if n := d.count("SELECT count(*) FROM deliveries"); n != 0 {
			t.Error(n, "e-mails to nobody")
		}
	})
}

// An address without an account writes as many rows as one with: the counter,
// and two more.
func TestSignInWritesAlike(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		d.issue("ann@example.org")
		d.mail("ann@example.org")
		written := func(email string) (n int64) {
			sum := func() int64 {
				return d.count("SELECT count(*) FROM links") + d.count("SELECT count(*) FROM deliveries") + d.count("SELECT CAST(COALESCE(sum(n), 0) AS BIGINT) FROM issuances_client")
			}
			before := sum()
			wants(t, d.SignIn(t.Context(), email), "")
			return sum() - before
		}
		for n := range signInsPerWindow + 2 {
			with, without := written("ann@example.org"), written("nobody@example.org")
			want := int64(3)
			if n >= signInsPerWindow {
				want = 0
			}
			if with != want || without != want {
				t.Errorf("sign-in %d writes %d rows with an account, %d without; want %d", n, with, without, want)
			}
		}
	})
}

// A sign-in runs as many statements with an account and without, up to the limit of an
// address and beyond it: its time does not reveal who has one.
func TestSignInWorksAlike(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		var run []string
		heard := func(statement string) {
			verb, _, _ := strings.Cut(statement, " ")
			run = append(run, verb)
		}
		own := storetest.OpenWith(t, address, store.Options{Heard: heard}, schema.Apply) // the outbox has another
		d := open(t, address, func(o *Options) { o.DB = own })
		d.issue("ann@example.org")
		worked := func(email string) string {
			run = nil
			wants(t, d.SignIn(t.Context(), email), "")
			return strings.Join(run, " ")
		}
		worked("first@example.org") // makes the salt of the day
		for n := range signInsPerWindow + 2 {
			with, without := worked("ann@example.org"), worked("nobody@example.org")
			if with != without || with == "" {
				t.Errorf("sign-in %d runs %q with an account and %q without", n, with, without)
			}
		}
	})
}

func TestClaim(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		issued := d.issue("someone@example.org")
		verify := d.token("someone@example.org")
		first := issued.ClaimURL[len(issued.ClaimURL)-tokenLength:]
		c, err := d.Claim(t.Context(), issued.Key.ID)
		if err != nil || c.ExpiresIn != ClaimLife {
			t.Fatal(c, err)
		}
		second := c.URL[len(c.URL)-tokenLength:]
		if first == second {
			t.Error("a fresh pointer is the old one")
		}
		for range 3 { // nothing is consumed
			for _, token := range []string{first, second} {
				if got, err := d.Resolve(t.Context(), token); err != nil || got != "s***e@example.org" {
					t.Error(got, err)
				}
			}
		}
		wants(t, d.SignInByClaim(t.Context(), second), "")
		if _, err := d.SignedIn(t.Context(), d.token("someone@example.org")); err != nil {
			t.Error(err)
		}
		for _, wrong := range []string{"", verify, issued.Secret, Hash(first), first[:42] + "\x00"} {
			_, err := d.Resolve(t.Context(), wrong)
			wants(t, err, fault.NotFound)
			wants(t, d.SignInByClaim(t.Context(), wrong), fault.NotFound)
		}
		_, err = d.SignedIn(t.Context(), second)
		wants(t, err, fault.Unauthorized)

		// A pointer ends with its key.
		if _, err := d.Deny(t.Context(), verify); err != nil {
			t.Error(err)
		}
		_, err = d.Resolve(t.Context(), second)
		wants(t, err, fault.NotFound)
		wants(t, d.SignInByClaim(t.Context(), second), fault.NotFound)
		_, err = d.Claim(t.Context(), issued.Key.ID)
		wants(t, err, fault.Forbidden)
	})
}

func TestClaimBounds(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		minted, err := d.Mint(t.Context(), Minting{Name: "m", MonthlyQuota: 1, RatePerMin: 1})
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Claim(t.Context(), minted.Key.ID)
		wants(t, err, fault.Forbidden)
		_, err = d.Claim(t.Context(), "no key")
		wants(t, err, fault.NotFound)

		issued := d.verified("ann@example.org")
		var tokens []string
		for range openClaims + 5 {
			d.advance(time.Second)
			c, err := d.Claim(t.Context(), issued.Key.ID)
			if err != nil {
				t.Fatal(err)
			}
			tokens = append(tokens, c.URL[len(c.URL)-tokenLength:])
		}
		if n := d.count("SELECT count(*) FROM links WHERE kind = 'claim'"); n != openClaims {
			t.Error(n, "pointers are open")
		}
		_, err = d.Resolve(t.Context(), tokens[0])
		wants(t, err, fault.NotFound)
		last := tokens[len(tokens)-1]
		d.advance(ClaimLife - time.Second)
		_, err = d.Resolve(t.Context(), last)
		wants(t, err, "")
		d.advance(time.Second)
		_, err = d.Resolve(t.Context(), last)
		wants(t, err, fault.NotFound)

		late := d.issue("late@example.org")
		d.advance(ProvisionalLife)
		_, err = d.Claim(t.Context(), late.Key.ID)
		wants(t, err, fault.Forbidden)
	})
}
