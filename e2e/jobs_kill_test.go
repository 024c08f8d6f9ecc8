package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// TestKillJobs kills whole gateways under a load of jobs: one on SQLite, and two on
// one PostgreSQL. Every job that was asked for comes to its end; each is begun twice at
// the most; its webhook comes, under one id alone and with how it ended; what was
// charged and not given back is what has succeeded. WAYGATE_JOB_KILLS says how often.
func TestKillJobs(t *testing.T) {
	t.Parallel()
	for name, replicas := range map[string]int{"sqlite": 1, "postgres": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database := storetest.SQLite
			if replicas > 1 {
				database = storetest.PostgreSQL
			}
			k := newJobKilling(t, database(t), replicas)
			kills := times(t, "WAYGATE_JOB_KILLS", 5)
			for i := range kills {
				k.submit(4)
				time.Sleep(50*time.Millisecond + rand.N(450*time.Millisecond))
				k.kill(rand.N(replicas))
				if (i+1)%100 == 0 && i+1 < kills {
					k.settle()
					k.add(i + 1)
				}
			}
			k.settle()
			k.add(kills)
		})
	}
}

// jobKilling has gateways that are killed, and what their caller was answered about its jobs.
type jobKilling struct {
	t        *testing.T
	env      []string
	database string
	replicas []*gateway
	db       *store.DB
	who      *member
	webhooks *webhooks
	asked    int               // jobs, by their number
	unsure   map[string]string // bodies without an answer, by idempotency key
	known    map[string]bool   // ids of jobs that were taken
}

// manyPence of credit are enough for any run: a job of these tests is one unit.
const manyPence = 1_000_000

func newJobKilling(t *testing.T, database string, replicas int) *jobKilling {
	mails := outboxtest.SMTP(t)
	k := &jobKilling{
		t: t, database: database, db: storetest.Open(t, database), webhooks: hear(t), unsure: map[string]string{}, known: map[string]bool{},
		env: accounts(database, mails, "SVC_WEBHOOKS_PRIVATE=true", "SVC_JOB_LEASE=2s", "SVC_JOB_WORKERS=2"),
	}
	for range replicas {
		k.replicas = append(k.replicas, nil)
		k.launch(len(k.replicas) - 1)
	}
	t.Cleanup(func() {
		for _, g := range k.replicas {
			g.kill()
		}
	})
	g := k.replicas[0]
	k.who = join(t, g, mails, "bob@waygate-test.org")
	subscribe(t, g, k.who)
	credit(t, g, k.who, manyPence, "for jobs")
	secret := reply[struct{ Secret string }](t, g, 200, http.MethodPost, "/v1/keys/self/webhook-secret", k.who.key, fields{}).Secret
	k.webhooks.ears.secret = secret
	for _, g := range k.replicas {
		waittest.Until(t, "the credit is known", func() bool { return self(t, g, k.who.key).Credits > 0 })
	}
	return k
}

func (k *jobKilling) launch(i int) {
	k.t.Helper()
	g, err := launch(k.env, "serve", "--region", countyDir(k.t))
	if err != nil {
		k.t.Fatal(err)
	}
	k.replicas[i] = g
}

// kill ends a gateway at once, while its caller asks it for more, and starts another.
func (k *jobKilling) kill(i int) {
	var caller sync.WaitGroup
	caller.Go(func() { k.submit(2) })
	k.replicas[i].kill()
	caller.Wait()
	k.launch(i)
	for key, body := range k.unsure {
		k.ask(key, body)
	}
}

// submit asks any replica for so many jobs.
func (k *jobKilling) submit(n int) {
	for range n {
		k.asked++
		k.ask(fmt.Sprintf("job-%d", k.asked), k.body(k.asked))
	}
}

// body returns that of a job: some plans take a while, and some turn out to be impossible only in
// the search.
func (k *jobKilling) body(n int) string {
	countyPlace := generated().Places
	at := func(i int) fields {
		return fields{"lat": countyPlace[i%len(countyPlace)].Point.Lat, "lon": countyPlace[i%len(countyPlace)].Point.Lon}
	}
	vehicle := fields{"id": "van", "start": at(0), "time_window": [2]int{0, 86_400}}
	var jobs []fields
	for i := range 30 {
		jobs = append(jobs, fields{"id": i, "location": at(n + i)})
	}
	if n%5 == 0 {
		vehicle["first_stop_ids"] = []int{0, 1}
		jobs[0]["service_s"], jobs[1]["time_windows"] = 600, [][2]int{{0, 10}}
	}
	limit := 0.1
	if n%3 == 0 {
		limit = 0.6
	}
	body, err := json.Marshal(fields{"vehicles": []fields{vehicle}, "jobs": jobs, "time_limit_s": limit, "webhook_url": k.webhooks.url})
	if err != nil {
		k.t.Error(err)
	}
	return string(body)
}

// ask submits a job; where no answer comes it may have been taken or not, and is submitted
// again later.
func (k *jobKilling) ask(key, body string) {
	g := k.replicas[rand.N(len(k.replicas))]
	a, err := request(http.MethodPost, g.url+"/v1/jobs/optimise", body, "Content-Type: application/json", "Idempotency-Key: "+key, bearer(k.who.key))
	if err != nil {
		k.unsure[key] = body
		return
	}
	var taken struct{ ID string }
	switch {
	case a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable:
		k.unsure[key] = body // too many wait, or credit is still promised to one that was killed
	case a.status != http.StatusAccepted || json.Unmarshal(a.body, &taken) != nil:
		k.t.Errorf("%s: %s", key, a)
	default:
		delete(k.unsure, key)
		k.known[taken.ID] = true
	}
}

// settle waits until all jobs were taken and have ended, and their webhooks have come.
// What a gateway that was killed was about to deliver is left to it for two minutes,
// which are not waited for.
func (k *jobKilling) settle() {
	t := k.t
	t.Helper()
	waittest.Until(t, "all jobs are taken", func() bool {
		for key, body := range k.unsure {
			k.ask(key, body)
		}
		return len(k.unsure) == 0
	})
	waittest.Until(t, "all jobs end", func() bool {
		return queryInt(t, k.db, "SELECT COUNT(*) FROM jobs WHERE state IN ('queued', 'running')") == 0
	})
	if _, err := k.db.Exec(t.Context(), "UPDATE deliveries SET lease_until = 0 WHERE state = 'waiting'"); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "all webhooks are delivered", func() bool {
		return queryInt(t, k.db, "SELECT COUNT(*) FROM deliveries WHERE state = 'waiting'") == 0
	})
}

// add compares the accounts with what the caller was answered.
func (k *jobKilling) add(kills int) {
	t := k.t
	count := func(query string, args ...any) int64 { t.Helper(); return queryInt(t, k.db, query, args...) }
	succeeded, failed := count("SELECT COUNT(*) FROM jobs WHERE state = 'succeeded'"), count("SELECT COUNT(*) FROM jobs WHERE state = 'failed'")
	again := count("SELECT COUNT(*) FROM jobs WHERE attempts = 2")
	lost := count("SELECT COUNT(*) FROM jobs WHERE problem LIKE '%job-lost%'")
	if n := int64(k.asked); n != int64(len(k.known)) || n != succeeded+failed {
		t.Errorf("%d jobs were asked for, %d are known, %d succeeded and %d failed", n, len(k.known), succeeded, failed)
	}
	if most := count("SELECT MAX(attempts) FROM jobs"); most > 2 {
		t.Errorf("a job was begun %d times", most)
	}
	if results := count("SELECT COUNT(*) FROM job_results"); results != succeeded {
		t.Errorf("%d results of %d jobs that succeeded", results, succeeded)
	}
	if succeeded == 0 || failed == 0 {
		t.Errorf("%d jobs succeeded and %d failed: the test tests nothing", succeeded, failed)
	}
	repeated := k.webhooks.compare(t, k.db, k.known)
	units := count("SELECT units FROM usage_periods WHERE pool = $1", k.who.identity)
	rows := count("SELECT SUM(units) FROM usage_days WHERE key_id = $1", k.who.keyID)
	charged := -count("SELECT COALESCE(SUM(millipence), 0) FROM entries WHERE identity_id = $1 AND kind = 'usage'", k.who.identity)
	balance := count("SELECT millipence FROM balances WHERE identity_id = $1", k.who.identity)
	if units != succeeded || rows != succeeded {
		t.Errorf("%d units of the month and %d of the day for %d jobs that succeeded", units, rows, succeeded)
	}
	// The quota pays for one unit at a time: that of a job that failed is there again.
	if charged > succeeded*unitPrice || charged < (succeeded-1-failed)*unitPrice || charged%unitPrice != 0 {
		t.Errorf("%d millipence are charged for %d jobs that succeeded", charged, succeeded)
	}
	if balance != manyPence*1000-charged {
		t.Errorf("the balance is %d of %d millipence, of which %d were charged", balance, manyPence*1000, charged)
	}
	t.Logf("%d kills: %d jobs, %d succeeded, %d failed, %d begun twice, %d of them lost twice; %d webhooks repeated under their id", kills, k.asked, succeeded, failed, again, lost, repeated)
}

// webhooks receives the webhooks of jobs.
type webhooks struct {
	*ears
	mu   sync.Mutex
	came []heard
}

func hear(t *testing.T) *webhooks {
	x := &webhooks{ears: &ears{}}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		h := heardOf(r)
		x.mu.Lock()
		defer x.mu.Unlock()
		x.came = append(x.came, h)
	}))
	t.Cleanup(server.Close)
	x.url = server.URL
	return x
}

// compare compares the webhooks with the jobs that there are, and counts those that
// came again.
func (x *webhooks) compare(t *testing.T, db *store.DB, known map[string]bool) (repeated int) {
	t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	jobs, messages := map[string]string{}, map[string]string{} // each the other's id
	for _, h := range x.came {
		h.signed(t, x.secret)
		var n struct {
			Type string
			Data struct{ ID, State string }
		}
		if err := json.Unmarshal(h.body, &n); err != nil || n.Type != "job."+n.Data.State || !known[n.Data.ID] {
			t.Errorf("a webhook says %s: %v", h.body, err)
			continue
		}
		if jobs[h.id] == n.Data.ID {
			repeated++
			continue
		}
		if jobs[h.id] != "" || messages[n.Data.ID] != "" {
			t.Errorf("the webhook %s reports job %s, which %q report, and it reports %q", h.id, n.Data.ID, messages[n.Data.ID], jobs[h.id])
		}
		jobs[h.id], messages[n.Data.ID] = n.Data.ID, h.id
		if got := queryInt(t, db, "SELECT COUNT(*) FROM jobs WHERE id = $1 AND state = $2", n.Data.ID, n.Data.State); got != 1 {
			t.Errorf("job %s was reported as %s", n.Data.ID, n.Data.State)
		}
	}
	if len(messages) != len(known) {
		t.Errorf("%d of %d jobs were reported", len(messages), len(known))
	}
	return repeated
}
