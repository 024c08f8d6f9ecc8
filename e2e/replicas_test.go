package e2e

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// TestTwoReplicas has two processes on one PostgreSQL and one Redis share what
// a key may do.
func TestTwoReplicas(t *testing.T) {
	t.Parallel()
	database, mails := storetest.PostgreSQL(t), outboxtest.SMTP(t)
	env := accounts(database, mails, "SVC_REDIS_URL="+storetest.Redis(t))
	var r pair
	for i := range r.replicas {
		r.replicas[i] = start(t, env, "serve", "--region", countyDir(t))
	}
	r.db = storetest.Open(t, database)
	t.Run("rate", r.rate)
	t.Run("quota", r.quota)
	t.Run("credit", func(t *testing.T) { r.credit(t, mails) })
	t.Run("changes", r.changes)
}

type pair struct {
	replicas [2]*gateway
	db       *store.DB
}

// hammer calls both replicas at the same time, each with three workers.
func (r *pair) hammer(key string, every time.Duration, done func([]outcome) bool) (all [2][]outcome) {
	var work sync.WaitGroup
	for i, g := range r.replicas {
		work.Go(func() { all[i] = traffic{gateway: g, key: key, workers: 3, every: every}.run(done) })
	}
	work.Wait()
	return all
}

func admitted(t *testing.T, all [2][]outcome) (n int) {
	t.Helper()
	for i, mine := range all {
		ok := counted(mine, http.StatusOK)
		if ok == 0 || counted(mine, 0) > 0 {
			t.Errorf("replica %d admitted %d of %d calls and left %d without an answer", i, ok, len(mine), counted(mine, 0))
		}
		n += ok
	}
	return n
}

// rate: of a key that may make so many calls a minute, no more get through in
// any sixty seconds.
func (r *pair) rate(t *testing.T) {
	const perMinute, long = 600, 3 * time.Second
	key, _ := mint(t, r.replicas[0], 1_000_000, perMinute)
	began := time.Now()
	limited := refusals(http.StatusTooManyRequests, 20)
	all := r.hammer(key, 2*time.Millisecond, func(mine []outcome) bool { return time.Since(began) > long && limited(mine) })
	took := time.Since(began)
	n, logs := admitted(t, all), 1
	if r.redisWasSlow() {
		// Then each counts by itself for a second.
		logs += len(r.replicas)
	}
	t.Logf("%d calls in %s", n, took)
	if most := logs * perMinute * (1 + int(took.Minutes())); n < perMinute || n > most {
		t.Errorf("%d calls were admitted in %s, want %d to %d", n, took, perMinute, most)
	}
}

func (r *pair) redisWasSlow() bool {
	for _, g := range r.replicas {
		if strings.Contains(g.log.String(), "Redis is away") {
			return true
		}
	}
	return false
}

// quota: no more is admitted than the quota and what the other replica let in since this
// one heard of it; and all that was admitted is counted.
func (r *pair) quota(t *testing.T) {
	const quota, each = 2000, 50 // calls of a worker between two times that the replicas read one another's counters
	key, id := mint(t, r.replicas[0], quota, unlimitedRate)
	n, refused, most := 0, 0, quota
	for n < quota || refused == 0 {
		all := r.hammer(key, 0, func(mine []outcome) bool { return len(mine) == each })
		served := [2]int{counted(all[0], http.StatusOK), counted(all[1], http.StatusOK)}
		if n < quota {
			most = quota + max(served[0], served[1])
		}
		n += served[0] + served[1]
		refused += counted(all[0], http.StatusTooManyRequests) + counted(all[1], http.StatusTooManyRequests)
		if len(all[0])+len(all[1]) != 6*each || t.Failed() {
			t.Fatalf("%d and %d calls", len(all[0]), len(all[1]))
		}
		for _, g := range r.replicas {
			waittest.Until(t, "a replica knows of all units", func() bool { return self(t, g, key).Used == int64(n) })
		}
	}
	t.Logf("%d calls of %d, where %d would be allowed", n, quota, most)
	if n > most {
		t.Errorf("%d calls of one unit were admitted with a quota of %d, and at most %d may be", n, quota, most)
	}
	for _, query := range []string{
		"SELECT COALESCE(SUM(units), 0) FROM usage_periods WHERE pool = $1",
		"SELECT COALESCE(SUM(units), 0) FROM usage_days WHERE key_id = $1",
		"SELECT COALESCE(SUM(calls), 0) FROM usage_days WHERE key_id = $1",
	} {
		waittest.Until(t, "all that was admitted is written", func() bool { return queryInt(t, r.db, query, id) == int64(n) })
	}
	for _, g := range r.replicas {
		if s := self(t, g, key); s.Used != int64(n) || s.Remaining != 0 {
			t.Errorf("a replica knows of %d units, want %d", s.Used, n)
		}
		a := g.send(t, http.MethodPost, "/adr/check", oneUnit, bearer(key))
		if p := a.refused(t, 429, "quota-exceeded"); p.Fields["quota"] != float64(quota) || p.Fields["used"] != float64(n) {
			t.Errorf("refused with %s", a)
		}
	}
}

// credit: two replicas spend one balance to the last millipence and no further.
func (r *pair) credit(t *testing.T, mails *outboxtest.Server) {
	const pence = 10
	who := join(t, r.replicas[0], mails, "twins@waygate-test.org")
	subscribe(t, r.replicas[0], who)
	credit(t, r.replicas[0], who, pence, "pocket money")
	for _, g := range r.replicas {
		waittest.Until(t, "the credit and the plan are known", func() bool {
			s := self(t, g, who.key)
			return s.MonthlyQuota == 1 && s.Credits == pence*1000
		})
	}
	// The unit of the quota; both read it.
	traffic{gateway: r.replicas[0], key: who.key}.once()
	for _, g := range r.replicas {
		waittest.Until(t, "the quota is used up", func() bool { return self(t, g, who.key).Used == 1 })
	}
	all := r.hammer(who.key, 5*time.Millisecond, refusals(http.StatusPaymentRequired, 20))
	n := int64(admitted(t, all))
	// Credit that a replica holds and does not spend goes back after three seconds, to any
	// other.
	const units = pence * 1000 / unitPrice
	waittest.Until(t, "all credit is spent", func() bool {
		for _, g := range r.replicas {
			if (traffic{gateway: g, key: who.key}).once().status == http.StatusOK {
				n++
			}
		}
		return n >= units
	})
	more := r.hammer(who.key, 0, func(mine []outcome) bool { return len(mine) > 10 })
	if extra := counted(more[0], http.StatusOK) + counted(more[1], http.StatusOK); extra > 0 || n != units {
		t.Errorf("%d calls were admitted that %d units of credit pay for", n+int64(extra), units)
	}
	waittest.Until(t, "all that was spent is booked", func() bool {
		return queryInt(t, r.db, "SELECT millipence FROM balances WHERE identity_id = $1", who.identity) == pence*1000-units*unitPrice
	})
	d := identityOf(t, r.replicas[1], who.email)
	if _, used := adds(t, d.History, pence*1000-units*unitPrice); used != units*unitPrice || d.MonthUsed != units+1 {
		t.Errorf("%d millipence used for %d units: %+v", used, d.MonthUsed, d.History)
	}
}

// changes: what is published and reported on one replica is there on the other; a link that was
// revoked, and those of an ended key, open nothing on either.
func (r *pair) changes(t *testing.T) {
	a, b := r.replicas[0], r.replicas[1]
	key, id := mint(t, a, 1000, unlimitedRate)
	self(t, b, key)
	type link struct{ ID, Stop, Token string }
	stop := func(id string, at int) fields {
		return fields{"id": id, "lat": 49.39, "lon": -7.14, "arrival_s": at, "begin_s": at, "end_s": at + 300}
	}
	plan := reply[struct {
		ID    string
		Links []link
	}](t, a, 201, http.MethodPost, "/v1/plans", key, fields{"name": "Monday", "rounds": []fields{{"vehicle": "v", "stops": []fields{stop("a", 30000), stop("b", 31000)}}}})
	links := map[string]link{}
	for _, l := range plan.Links {
		links[l.Stop] = l
	}
	mark := fields{"marks": []fields{{"stop": "a", "state": "done", "at": time.Now().UTC().Format(time.RFC3339)}}}
	reply[fields](t, b, 200, http.MethodPost, "/v1/driver/marks", links[""].Token, mark)
	followed := reply[struct{ Rounds []struct{ Done int } }](t, a, 200, http.MethodGet, "/v1/plans/"+plan.ID, key, nil)
	if len(followed.Rounds) != 1 || followed.Rounds[0].Done != 1 {
		t.Errorf("%+v", followed)
	}
	reply[fields](t, b, 200, http.MethodGet, "/v1/arrival", links["b"].Token, nil)
	reply[fields](t, a, 200, http.MethodDelete, "/v1/plans/"+plan.ID+"/links/"+links["b"].ID, key, nil)
	reply[fields](t, b, 404, http.MethodGet, "/v1/arrival", links["b"].Token, nil)

	reply[fields](t, a, 200, http.MethodDelete, "/admin/keys/"+id, adminToken, nil)
	for _, g := range r.replicas {
		reply[fields](t, g, 404, http.MethodGet, "/v1/driver", links[""].Token, nil)
	}
	reply[fields](t, a, 401, http.MethodGet, "/v1/keys/self", key, nil)
	waittest.Until(t, "the other replica refuses the key", func() bool {
		return b.get(t, "/v1/keys/self", bearer(key)).status == http.StatusUnauthorized
	})
}
