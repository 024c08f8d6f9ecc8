package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
)

// TestAtOnce has many do the same at the same time.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, address string) {
		t.Parallel()
		mails := outboxtest.SMTP(t)
		c := crowd{mails: mails, gateway: start(t, accounts(address, mails, "SVC_TRUSTED_PROXIES=127.0.0.0/8", "SVC_MAX_ISSUANCES_PER_HOUR=50"), "serve", "--region", countyDir(t))}
		t.Run("verify", c.verify)
		t.Run("verify and deny", c.verifyAndDeny)
		t.Run("sign in", func(t *testing.T) { c.signIn(t, address) })
		t.Run("keys of one address", c.sixthKey)
		t.Run("a thousand keys", func(t *testing.T) {
			for !c.thousand(t) {
				t.Log("the hour ended meanwhile; once more")
			}
		})
	})
}

type crowd struct {
	*gateway
	mails *outboxtest.Server
}

// together makes calls at the same time, each from an address of its own, and
// counts the answers by status.
func (c crowd) together(t *testing.T, n int, method, path string, body func(i int) string) map[int]int {
	t.Helper()
	var work sync.WaitGroup
	var mu sync.Mutex
	statuses, begin := map[int]int{}, make(chan struct{})
	for i := range n {
		work.Go(func() {
			<-begin
			a, err := request(method, c.url+path, body(i), "Content-Type: application/json", fmt.Sprintf("X-Forwarded-For: 198.18.%d.%d", i/250, 1+i%250))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
				return
			}
			statuses[a.status]++
		})
	}
	close(begin)
	work.Wait()
	return statuses
}

func same(body string) func(int) string { return func(int) string { return body } }

// asked gets a key and gives it with the token that verifies it.
func (c crowd) asked(t *testing.T, email string) (key, token string) {
	t.Helper()
	k := reply[issued](t, c.gateway, 201, http.MethodPost, "/v1/keys", "", fields{"email": email, "accept_tos": true})
	return k.Key, linkToken(t, mailTo(t, c.mails, email).Link())
}

func (c crowd) verify(t *testing.T) {
	key, token := c.asked(t, "two@waygate-test.org")
	if got := c.together(t, 8, http.MethodPost, "/v1/keys/verify", same(`{"token":"`+token+`"}`)); got[200] != 8 {
		t.Errorf("answers by status: %v", got)
	}
	if s := self(t, c.gateway, key); s.State != "verified" || s.ExpiresAt != nil {
		t.Errorf("%+v", s)
	}
}

// verifyAndDeny: whichever comes first, the denial holds.
func (c crowd) verifyAndDeny(t *testing.T) {
	key, token := c.asked(t, "torn@waygate-test.org")
	var work sync.WaitGroup
	for _, what := range []string{"", "", "/deny", ""} {
		work.Go(func() {
			a, err := request(http.MethodPost, c.url+"/v1/keys/verify"+what, `{"token":"`+token+`"}`, "Content-Type: application/json")
			if err != nil || a.status != 200 && (a.status != 403 || what != "") {
				t.Errorf("%q: %v %v", what, a, err)
			}
		})
	}
	work.Wait()
	c.get(t, "/v1/keys/self", bearer(key)).refused(t, 401, "unauthorized")
	c.send(t, http.MethodPost, "/v1/keys/verify", `{"token":"`+token+`"}`, "Content-Type: application/json").refused(t, 403, "forbidden")
}

// signIn: a link that is clicked twenty times opens one session.
func (c crowd) signIn(t *testing.T, database string) {
	const email = "two@waygate-test.org"
	reply[fields](t, c.gateway, 202, http.MethodPost, "/v1/console/signin", "", fields{"email": email})
	token := linkToken(t, mailTo(t, c.mails, email).Link())
	if got := c.together(t, 20, http.MethodPost, "/v1/console/session", same(`{"token":"`+token+`"}`)); got[201] != 1 || got[401] != 19 {
		t.Errorf("answers by status: %v", got)
	}
	if n := queryInt(t, storetest.Open(t, database), "SELECT COUNT(*) FROM sessions"); n != 1 {
		t.Errorf("%d sessions", n)
	}
}

func (c crowd) sixthKey(t *testing.T) {
	got := c.together(t, 12, http.MethodPost, "/v1/keys", same(`{"email":"greedy@waygate-test.org","accept_tos":true}`))
	if got[201] != 5 || got[409] != 7 {
		t.Errorf("answers by status: %v", got)
	}
}

// thousand asks for keys until the hour's ceiling and far beyond. It gives
// false where the hour ended meanwhile.
func (c crowd) thousand(t *testing.T) bool {
	thisHour := func() string { return time.Now().UTC().Format("2006-01-02T15") }
	issued := func() int {
		n, _ := dig(reply[any](t, c.gateway, 200, http.MethodGet, "/admin/overview", adminToken, nil), "abuse.issuances_this_hour").(float64)
		return int(n)
	}
	hour, before := thisHour(), issued()
	got := c.together(t, 1000, http.MethodPost, "/v1/keys", func(i int) string {
		return fmt.Sprintf(`{"email":"n%d-%s@waygate-test.org","accept_tos":true}`, i, hour[len(hour)-2:])
	})
	after := issued()
	if hour != thisHour() {
		return false
	}
	if want := map[int]int{201: 50 - before, 429: 950 + before}; !maps.Equal(got, want) || after != 50 {
		t.Errorf("answers by status %v, want %v; %d keys in this hour", got, want, after)
	}
	return true
}
