package signed_test

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/fault"
)

var now = time.Date(2026, 11, 30, 12, 0, 1, 5e8, time.UTC)

func signer() *signed.Signer {
	s := &signed.Signer{}
	s.ID, s.Secret = signed.New()
	return s
}

// token cuts the token out of how an address begins.
func token(t *testing.T, begin string) string {
	t.Helper()
	tok, ok := strings.CutPrefix(begin, signed.Prefix)
	assert.Assert(t, ok, begin)
	return tok
}

func TestWhatAnAddressOpens(t *testing.T) {
	s := signer()
	grant := signed.Grant{Expires: now.Add(time.Hour), Origin: "https://maps.example.org"}
	for _, c := range []struct {
		signed, query string
		asked, with   string
		opens         bool
	}{
		{"/styles/light", "", "/styles/light", "", true},
		{"/styles/light", "", "/styles/light", "territory=x", false},
		{"/styles/light", "", "/styles/dark", "", false},
		{"/styles/light", "", "/styles/light/theme", "", false},
		{"/styles/light", "", "/styles/light/", "", false},
		{"/v1/static-map", "center=1,2&zoom=3", "/v1/static-map", "center=1%2C2&zoom=3", true},
		{"/v1/static-map", "marker=a b|c", "/v1/static-map", "marker=a+b%7cc", true},
		{"/v1/static-map", "center=1,2&zoom=3", "/v1/static-map", "center=1,2&zoom=4", false},
		{"/v1/static-map", "center=1,2&zoom=3", "/v1/static-map", "center=1,2&zoom=3&width=1000", false},
		{"/v1/static-map", "center=1,2&zoom=3", "/v1/static-map", "zoom=3&center=1,2", false},
		{"/v1/static-map", "a=b%26c=d", "/v1/static-map", "a=b&c=d", false},
		{"/tiles/", "", "/tiles/county/1/2/3.mvt", "", true},
		{"/tiles/", "", "/tiles", "", false},
		{"/tiles/county/", "", "/tiles/county/1/2/3.mvt", "v=7", true},
		{"/tiles/county/", "", "/tiles/county/", "", true},
		{"/tiles/county/", "", "/tiles/county", "", false},
		{"/tiles/county/", "", "/tiles/county2/1/2/3.mvt", "", false},
		{"/tiles/county/", "", "/tiles/world/1/2/3.mvt", "", false},
		{"/tiles/county/12/", "", "/tiles/county/11/2/3.mvt", "", false},
		{"/tiles/county", "", "/tiles/county/1/2/3.mvt", "", false},
	} {
		a, err := signed.Read(token(t, s.Sign(c.signed, c.query, grant)), c.asked, c.with)
		assert.NilError(t, err)
		assert.Equal(t, a.ID, s.ID)
		assert.Equal(t, a.Grant.Origin, grant.Origin)
		err = a.Check(s, now)
		if c.opens != (err == nil) || err != nil && err.Error() != signed.Mismatch().Error() {
			t.Errorf("%s?%s for %s?%s: %v", c.signed, c.query, c.asked, c.with, err)
		}
		assert.ErrorContains(t, a.Check(signer(), now), "not valid")
	}
}

func TestAddressesExpire(t *testing.T) {
	s := signer()
	until := now.Add(time.Minute).Truncate(time.Second)
	a, err := signed.Read(token(t, s.Sign("/tiles/", "", signed.Grant{Expires: until})), "/tiles/a/1/2/3.mvt", "")
	assert.NilError(t, err)
	assert.NilError(t, a.Check(s, until.Add(-time.Nanosecond)))
	err = a.Check(s, until)
	assert.ErrorContains(t, err, "expired at 2026-11-30T12:01:01Z")
	assert.Assert(t, fault.Is(err, fault.Unauthorized))
}

// TestChangedTokens changes every bit of a token, and makes it shorter and longer.
func TestChangedTokens(t *testing.T) {
	s := signer()
	whole := token(t, s.Sign("/tiles/", "", signed.Grant{Expires: now.Add(time.Hour), Origin: "https://a.example"}))
	data, err := base64.RawURLEncoding.DecodeString(whole)
	assert.NilError(t, err)
	refused := func(text string) {
		t.Helper()
		a, err := signed.Read(text, "/tiles/a/1/2/3.mvt", "")
		if err == nil {
			err = a.Check(s, now)
		}
		assert.ErrorContains(t, err, "not valid", "%q", text)
	}
	for i := range 8 * len(data) {
		data[i/8] ^= 1 << (i % 8)
		refused(base64.RawURLEncoding.EncodeToString(data))
		data[i/8] ^= 1 << (i % 8)
	}
	for i := range whole {
		refused(whole[:i])
	}
	for _, more := range []string{"A", "AA", "=", "\n", "%00", strings.Repeat("A", 1<<16)} {
		refused(whole + more)
	}
	refused(strings.ToUpper(whole))
}

// TestExpiry checks that addresses last at least as long as was requested and little longer,
// and that most calls in a row return the same.
func TestExpiry(t *testing.T) {
	random := rand.New(rand.NewPCG(45, 1))
	for range 10_000 {
		life := signed.Shortest + time.Duration(random.Int64N(int64(signed.Longest-signed.Shortest))).Truncate(time.Second)
		at := now.Add(time.Duration(random.Int64N(1e15)))
		until := signed.Expiry(at, life)
		more := until.Sub(at) - life
		assert.Assert(t, more >= 0 && more < min(life/4, 15*time.Minute), "%v: %v more", life, more)
		assert.Equal(t, until.Nanosecond(), 0)
	}
	different := map[time.Time]bool{}
	for i := range 3600 {
		different[signed.Expiry(now.Add(time.Duration(i)*time.Second), time.Hour)] = true
	}
	assert.Assert(t, len(different) <= 5, "%d in an hour", len(different))
}

func FuzzRead(f *testing.F) {
	s := &signed.Signer{}
	f.Add(strings.TrimPrefix(s.Sign("/tiles/a/", "", signed.Grant{Expires: now}), signed.Prefix), "/tiles/a/1/2/3.mvt", "")
	f.Add(strings.TrimPrefix(s.Sign("/v1/static-map", "a=b", signed.Grant{Expires: now, Origin: "https://a.example"}), signed.Prefix), "/v1/static-map", "a=b")
	f.Fuzz(func(t *testing.T, text, path, query string) {
		a, err := signed.Read(text, path, query)
		if err != nil || a.Check(s, now.Add(-time.Hour)) != nil {
			return
		}
		// A valid address is one that Sign returns, in the same text.
		opened := path
		if n := a.Grant.Segments; n > 0 {
			opened = strings.Join(strings.SplitAfter(path, "/")[:n+1], "")
			query = ""
		}
		if again := s.Sign(opened, query, a.Grant); again != signed.Prefix+text {
			t.Errorf("%q opens %s?%s, and is signed %q", text, path, query, again)
		}
	})
}
