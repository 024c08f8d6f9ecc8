package account

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// tables are all that keep rows here.
var tables = []string{
	"identities", "keys", "links", "sessions", "salts", "issuances_client", "issuances_hour",
	"balances", "entries", "adjustments", "deliveries",
}

func TestIssue(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		app := d.application("Ann+x@Example.org")
		app.Scope = Maps
		app.AllowedOrigins = []string{"HTTPS://Example.org:443", "https://*.example.org", "https://example.org"}
		issued, err := d.Issue(t.Context(), app)
		if err != nil {
			t.Fatal(err)
		}
		origins := []string{"https://example.org", "https://*.example.org"}
		k := issued.Key
		if k.State != Provisional || k.Scope != Maps || k.MonthlyQuota != 1000 || k.RatePerMin != 60 || k.Name != "my app" || k.Source != "docs" ||
			!k.CreatedAt.Equal(start) || !k.ExpiresAt.Equal(start.Add(72*time.Hour)) || k.RevokedAt != nil || !slices.Equal(k.AllowedOrigins, origins) {
			t.Errorf("%+v", k)
		}
		if !Plausible(issued.Secret) || d.count("SELECT count(*) FROM keys WHERE id = $1 AND secret_hash = $2", k.ID, Hash(issued.Secret)) != 1 {
			t.Error("the secret does not open the key")
		}
		if got, err := d.Key(t.Context(), k.ID); err != nil || got.IdentityID != k.IdentityID || got.Scope != Maps || !got.ExpiresAt.Equal(*k.ExpiresAt) || !slices.Equal(got.AllowedOrigins, origins) {
			t.Error(got, err)
		}
		if i, _, err := identityBy(t.Context(), d.db, "id", k.IdentityID); err != nil || i.Email != "ann+x@example.org" || i.VerifiedAt != nil || i.Plan != FreePlan ||
			i.MonthlyQuota != VerifiedQuota || i.DownloadMiB != DownloadMiB || i.IncludedMAU != IncludedMAU || i.Source != "docs" {
			t.Error(i, err)
		}
		if !strings.HasPrefix(issued.ClaimURL, "https://www.example.org/console/claim#") || issued.ClaimExpiresIn != 72*time.Hour || !strings.Contains(issued.DisplayToUser, issued.ClaimURL) ||
			strings.Contains(issued.DisplayToUser, issued.Secret) || strings.Contains(issued.DisplayToUser, "ann+x") {
			t.Error(issued)
		}
		// The same person again, in other letters: the newest acceptance counts,
		// the first source.
		d.advance(time.Hour)
		app = d.application("ANN+X@example.org")
		app.Source, app.Label = "", "  "
		again, err := d.Issue(t.Context(), app)
		if err != nil || again.Key.IdentityID != k.IdentityID || again.Key.Scope != Full || again.Key.Name == "" || again.Key.AllowedOrigins == nil || len(again.Key.AllowedOrigins) != 0 || again.Secret == issued.Secret {
			t.Error(again, err)
		}
		if i, _, err := identityBy(t.Context(), d.db, "id", k.IdentityID); err != nil || i.Source != "docs" || !i.TOSAcceptedAt.Equal(start.Add(time.Hour)) || !i.CreatedAt.Equal(start) {
			t.Error(i, err)
		}
		if heard := d.heard(); !slices.Contains(heard, k.IdentityID) {
			t.Error(heard)
		}
	})
}

func TestIssueWithoutConsole(t *testing.T) {
	d := open(t, storetest.SQLite(t), func(o *Options) { o.WebsiteURL = "" })
	issued := d.issue("ann@example.org")
	if issued.ClaimURL != "" || issued.DisplayToUser != "" || d.count("SELECT count(*) FROM links WHERE kind = 'claim'") != 0 {
		t.Error(issued)
	}
	_, err := d.Claim(t.Context(), issued.Key.ID)
	wants(t, err, "console-not-enabled")
}

// A request that is refused for its content costs nothing and leaves nothing.
func TestIssueRefusals(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		for name, c := range map[string]struct {
			change    func(*Application)
			slug      fault.Slug
			locations string
		}{
			"no e-mail":            {func(a *Application) { a.Email = "" }, fault.InvalidEmail, ""},
			"a disposable one":     {func(a *Application) { a.Email = "ann@mailinator.com" }, fault.InvalidEmail, ""},
			"headers in it":        {func(a *Application) { a.Email = "ann@example.org\r\nBcc: bob@example.org" }, fault.InvalidEmail, ""},
			"terms not accepted":   {func(a *Application) { a.AcceptTOS = false }, fault.TOSNotAccepted, ""},
			"a long label":         {func(a *Application) { a.Label = strings.Repeat("é", 121) }, fault.BadRequest, "label"},
			"lines in the label":   {func(a *Application) { a.Label = "a\r\nBcc: b@example.org" }, fault.BadRequest, "label"},
			"a NUL in the label":   {func(a *Application) { a.Label = "a\x00b" }, fault.BadRequest, "label"},
			"a label of bytes":     {func(a *Application) { a.Label = "a\xff" }, fault.BadRequest, "label"},
			"an override in it":    {func(a *Application) { a.Label = "a\u202eb" }, fault.BadRequest, "label"},
			"a separator in it":    {func(a *Application) { a.Label = "a\u2028b" }, fault.BadRequest, "label"},
			"an unknown scope":     {func(a *Application) { a.Scope = "admin" }, fault.BadRequest, "scope"},
			"no origin":            {func(a *Application) { a.AllowedOrigins = []string{"https://example.org/path"} }, fault.BadRequest, "allowed_origins[0]"},
			"too many origins":     {func(a *Application) { a.AllowedOrigins = slices.Repeat([]string{"https://example.org"}, 21) }, fault.BadRequest, "allowed_origins"},
			"a source with spaces": {func(a *Application) { a.Source = "a b" }, fault.BadRequest, "source"},
			"a long source":        {func(a *Application) { a.Source = strings.Repeat("a", 65) }, fault.BadRequest, "source"},
			"all of it": {func(a *Application) {
				a.Source, a.Scope, a.Label = "\n", "x", "\x00"
			}, fault.BadRequest, "label source scope"},
		} {
			t.Run(name, func(t *testing.T) {
				app := d.application("ann@example.org")
				c.change(&app)
				_, err := d.Issue(t.Context(), app)
				wants(t, err, c.slug)
				if got := locations(err); got != c.locations {
					t.Errorf("complains of %q, want %q", got, c.locations)
				}
			})
		}
		if rows := storetest.Dump(t, d.db, tables...); rows != "" {
			t.Error("refused applications leave rows:\n", rows)
		}
		// Odd but harmless values are taken.
		app := d.application("ann@example.org")
		app.Label, app.UserAgent, app.Client = strings.Repeat("é", 120), "a\r\nb\x00\xff"+strings.Repeat("x", 9000), netip.Addr{}
		issued, err := d.Issue(t.Context(), app)
		if err != nil || issued.Key.Name != app.Label {
			t.Fatal(issued, err)
		}
		if v, err := d.Verification(t.Context(), d.token("ann@example.org")); err != nil || len(v.UserAgent) > userAgentMax || !strings.HasPrefix(v.UserAgent, "a b x") {
			t.Error(v, err)
		}
	})
}

// strangers returns what asks for a key from an address, each time for another
// person.
func strangers(d *fixture) func(client string) error {
	n := 0
	return func(client string) error {
		n++
		app := d.application(fmt.Sprintf("someone%d@example.org", n))
		app.Client = netip.MustParseAddr(client)
		_, err := d.Issue(d.t.Context(), app)
		return err
	}
}

func TestIssueForOneNetwork(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		try := strangers(d)
		for range 3 {
			wants(t, try("192.0.2.1"), "")
		}
		wants(t, try("192.0.2.1"), fault.IssuanceVelocity)
		wants(t, try("::ffff:192.0.2.1"), fault.IssuanceVelocity) // the same
		wants(t, try("192.0.2.2"), "")
		for _, client := range []string{"2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ffff::"} {
			wants(t, try(client), "")
		}
		err := try("2001:db8:1:2::3")
		wants(t, err, fault.IssuanceVelocity)
		var f *fault.Error
		if !errors.As(err, &f) || f.Fields["retry_after"] != int64((14*time.Hour+30*time.Minute)/time.Second) {
			t.Errorf("retry_after is %v", f.Fields)
		}
		wants(t, try("2001:db8:1:3::3"), "")
		d.advance(14*time.Hour + 30*time.Minute) // midnight
		wants(t, try("192.0.2.1"), "")
		if rows := storetest.Dump(t, d.db, tables...); strings.Contains(rows, "192.0.2") || strings.Contains(rows, "2001:db8") {
			t.Error("addresses of clients are kept")
		}
	})
}

// An operator sets how many keys a network gets, and may leave out the machine
// itself.
func TestIssueForOneNetworkAsSet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address, func(o *Options) { o.IssuancesPerDay, o.LoopbackExempt = 5, true })
		try := strangers(d)
		for range 5 {
			wants(t, try("192.0.2.1"), "")
		}
		err := try("192.0.2.1")
		wants(t, err, fault.IssuanceVelocity)
		var f *fault.Error
		if !errors.As(err, &f) || f.Fields["limit"] != 5 {
			t.Errorf("the limit is %v", f.Fields)
		}
		for range 4 {
			for _, client := range []string{"127.0.0.1", "::1", "::ffff:127.0.0.2"} {
				wants(t, try(client), "")
			}
		}
		// They are counted all the same, for the operator to see.
		if n, hour := d.count("SELECT CAST(sum(n) AS BIGINT) FROM issuances_client"), d.count("SELECT n FROM issuances_hour"); n != 5+12 || n != hour {
			t.Errorf("%d issuances are counted for networks, and %d in the hour", n, hour)
		}
	})
}

func TestIssueInAnHour(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address, func(o *Options) { o.MaxIssuancesPerHour = 2 })
		d.issue("ann@example.org")
		d.issue("bob@example.org")
		app := d.application("cat@example.org")
		for range 5 { // and none of these counts for its network
			_, err := d.Issue(t.Context(), app)
			wants(t, err, fault.IssuanceVelocity)
		}
		d.advance(30 * time.Minute)
		for range 2 {
			_, err := d.Issue(t.Context(), app)
			wants(t, err, "")
		}
	})
}

func TestSixthKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		var tokens []string
		for range 5 {
			d.issue("ann@example.org")
			tokens = append(tokens, d.token("ann@example.org"))
		}
		app := d.application("ann@example.org")
		for range 5 { // refused, and nothing counts for its network
			_, err := d.Issue(t.Context(), app)
			wants(t, err, fault.KeyCap)
		}
		// "Not mine" frees a slot at once, which is the way out for a person
		// whose address a stranger has used up.
		if _, err := d.Deny(t.Context(), tokens[0]); err != nil {
			t.Fatal(err)
		}
		sixth, err := d.Issue(t.Context(), app)
		wants(t, err, "")
		for _, token := range []string{tokens[1], d.token("ann@example.org")} {
			if _, err := d.Verify(t.Context(), token); err != nil {
				t.Error(err)
			}
		}
		_, err = d.Issue(t.Context(), app)
		wants(t, err, fault.KeyCap)
		// And so does time, for what was never confirmed.
		d.advance(ProvisionalLife)
		for range 3 {
			d.issue("ann@example.org")
		}
		_, err = d.Issue(t.Context(), d.application("ann@example.org"))
		wants(t, err, fault.KeyCap)
		if _, err := d.Revoke(t.Context(), sixth.Key.ID); err != nil {
			t.Error(err)
		}
		d.issue("ann@example.org")
	})
}

// Many at once, each with a reason to be refused: never one above a
// limit, and the limits are reached.
func TestIssueAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		const ceiling = 40
		crowd := 1000
		if testing.Short() {
			crowd = 200
		}
		d := open(t, address, func(o *Options) { o.MaxIssuancesPerHour = ceiling })
		other := open(t, address, func(o *Options) { o.MaxIssuancesPerHour = ceiling })
		var issued, hour, client, capped atomic.Int64
		one := netip.MustParseAddr("198.51.100.7")
		var all sync.WaitGroup
		for n := range crowd {
			app := d.application("")
			switch {
			case n < crowd/10: // one address
				app.Email = "ann@example.org"
			case n < crowd/5: // one network
				app.Email = fmt.Sprintf("someone%d@example.org", n)
				app.Client = one
			default:
				app.Email = fmt.Sprintf("else%d@example.org", n)
			}
			all.Go(func() {
				if n >= crowd/5 {
					// The crowd comes when the others have had their chance.
					for issued.Load() < 8 {
						time.Sleep(time.Millisecond)
					}
				}
				replica := d
				if n%2 == 0 {
					replica = other
				}
				_, err := replica.Issue(t.Context(), app)
				var f *fault.Error
				errors.As(err, &f)
				switch {
				case err == nil:
					issued.Add(1)
				case fault.Is(err, fault.KeyCap):
					capped.Add(1)
				case fault.Is(err, fault.IssuanceVelocity) && f.Fields["limit"] == ceiling:
					hour.Add(1)
				case fault.Is(err, fault.IssuanceVelocity):
					client.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		t.Logf("issued %d, beyond the hour %d, the network %d, the address %d", issued.Load(), hour.Load(), client.Load(), capped.Load())
		if issued.Load() != ceiling || d.count("SELECT count(*) FROM keys") != ceiling || d.count("SELECT n FROM issuances_hour") != ceiling {
			t.Error("the ceiling of the hour is not what was issued:", d.count("SELECT count(*) FROM keys"))
		}
		if n := d.count("SELECT count(*) FROM keys k JOIN identities i ON i.id = k.identity_id WHERE i.email = 'ann@example.org'"); n != KeysPerIdentity {
			t.Error(n, "keys of one address")
		}
		if n := d.count("SELECT max(n) FROM issuances_client"); n != DefaultIssuancesPerDay {
			t.Error(n, "keys of one network")
		}
		if n := d.count("SELECT CAST(sum(n) AS BIGINT) FROM issuances_client"); n != ceiling {
			t.Error(n, "issuances counted for networks")
		}
		if n := d.count("SELECT count(*) FROM deliveries"); n != ceiling {
			t.Error(n, "e-mails")
		}
	})
}

// Nothing that opens anything is in any table once the e-mails are gone.
func TestSecretsAreNotKept(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		d := open(t, address)
		issued := d.issue("ann@example.org")
		secrets := []string{issued.Secret, issued.Secret[3:], d.token("ann@example.org"), issued.ClaimURL[strings.IndexByte(issued.ClaimURL, '#')+1:]}
		if err := d.SignIn(t.Context(), "ann@example.org"); err != nil {
			t.Fatal(err)
		}
		signIn := d.token("ann@example.org")
		session, err := d.SignedIn(t.Context(), signIn)
		if err != nil {
			t.Fatal(err)
		}
		minted, err := d.Mint(t.Context(), Minting{Name: "m", MonthlyQuota: 1, RatePerMin: 1})
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, signIn, session.Token, minted.Secret)
		waittest.Until(t, "the e-mails are written down as delivered", func() bool {
			return d.count("SELECT count(*) FROM deliveries WHERE state = 'waiting'") == 0
		})
		rows := storetest.Dump(t, d.db, tables...)
		for i, s := range secrets {
			if strings.Contains(rows, s) {
				t.Errorf("secret %d is kept", i)
			}
			if i != 1 && !strings.Contains(rows, Hash(s)) {
				t.Errorf("the hash of secret %d is not kept", i)
			}
		}
	})
}
