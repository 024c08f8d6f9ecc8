package plan_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/waittest"
)

// places are n locations of the county.
func places(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"lat":%g,"lon":%g}`, 47.1+float64(i)*0.03, 9.1+float64(i%3)*0.1)
	}
	return list
}

// ended waits for the end of a job.
func ended(t *testing.T, g *apitest.Gateway, key *account.Issued, id string) apitest.Reply {
	t.Helper()
	var r apitest.Reply
	waittest.Until(t, "the job ends", func() bool {
		r = g.Send("GET", "/v1/jobs/"+id, "", apitest.Bearer(key.Secret)...)
		if r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		return job.State(r.At(t, "state").(string)).Ended()
	})
	return r
}

func submitted(t *testing.T, g *apitest.Gateway, key *account.Issued, path, body string, header ...string) string {
	t.Helper()
	r := g.Send("POST", path, body, append(apitest.Bearer(key.Secret), header...)...)
	if r.Status != 202 {
		t.Fatalf("%d %s\n%s", r.Status, r.Body, g.Log)
	}
	return r.At(t, "id").(string)
}

func TestMatrixJobs(t *testing.T) {
	g := apitest.Many(t, nil, func(o *api.Options) { o.MatrixCells = 30 })
	k, other := g.Minted(t, account.Minting{}), g.Minted(t, account.Minting{})
	list := places(8)
	body := func(list []string) string { return `{"locations":[` + strings.Join(list, ",") + `]}` }
	id := submitted(t, g, k, "/v1/jobs/matrix", body(list))
	if r := g.Send("GET", "/v1/jobs/"+id, "", apitest.Bearer(k.Secret)...); r.At(t, "state") != "queued" || r.At(t, "units") != 3.0 {
		t.Errorf("%s", r.Body)
	}
	g.Work(t)
	r := ended(t, g, k, id)
	if r.At(t, "state") != "succeeded" || r.At(t, "progress", "share") != 1.0 {
		t.Fatalf("%s", r.Body)
	}
	// It is what parts of it give at once.
	part := g.Send("POST", "/matrix", `{"sources":[`+strings.Join(list[3:6], ",")+`],"targets":[`+strings.Join(list, ",")+`]}`, apitest.Bearer(k.Secret)...)
	for i, row := range part.At(t, "durations").([]any) {
		for j, want := range row.([]any) {
			if got := r.At(t, "result", "durations").([]any)[i+3].([]any)[j]; got != want {
				t.Errorf("%d %d: %v, want %v", i+3, j, got, want)
			}
		}
	}
	// A delta is the matrix of what it comes to, and costs what it changes.
	moved := append(append([]string{}, list...), `{"lat":47.5,"lon":9.5}`)
	moved[2] = `{"lat":47.6,"lon":9.6}`
	delta := submitted(t, g, k, "/v1/jobs/matrix", `{"base":{"job_id":"`+id+`","move":[{"index":2,"lat":47.6,"lon":9.6}],"add":[{"lat":47.5,"lon":9.5}]}}`)
	whole := submitted(t, g, k, "/v1/jobs/matrix", body(moved))
	a, b := ended(t, g, k, delta), ended(t, g, k, whole)
	if a.At(t, "units") != 2.0 || b.At(t, "units") != 3.0 { // 32 cells and 81
		t.Errorf("%v and %v units", a.At(t, "units"), b.At(t, "units"))
	}
	if x, y := apitest.Body(a.At(t, "result")), apitest.Body(b.At(t, "result")); x != y {
		t.Errorf("%s\n%s", x, y)
	}
	// A delta of a delta.
	again := submitted(t, g, k, "/v1/jobs/matrix", `{"base":{"job_id":"`+delta+`","move":[{"index":2,"lat":`+fmt.Sprint(47.1+2*0.03)+`,"lon":9.3}]}}`)
	last := ended(t, g, k, again).At(t, "result", "durations").([]any)[0].([]any)[1]
	if first := r.At(t, "result", "durations").([]any)[0].([]any)[1]; last != first {
		t.Errorf("%v %v", last, first)
	}
	for body, field := range map[string]string{
		`{"locations":[` + strings.Join(places(11), ",") + `]}`:                                  "locations",
		`{"locations":[` + list[0] + `],"priority":10}`:                                          "priority",
		`{"locations":[` + list[0] + `],"webhook_url":"http://127.0.0.1/x"}`:                     "webhook_url",
		`{"locations":[` + list[0] + `],"webhook_url":"https://10.0.0.1/x"}`:                     "webhook_url",
		`{"locations":[` + list[0] + `],"webhook_url":"https://example.com/x"}`:                  "webhook_url", // no secret
		`{"base":{"job_id":"job_none","add":[` + list[0] + `]}}`:                                 "base.job_id",
		`{"base":{"job_id":"` + id + `"}}`:                                                       "base",
		`{"base":{"job_id":"` + id + `","move":[{"index":8,"lat":47.6,"lon":9.6}]}}`:             "base.move[0].index",
		`{"base":{"job_id":"` + id + `","add":[` + list[0] + `]},"locations":[` + list[0] + `]}`: "locations",
		`{"base":{"job_id":"` + id + `","add":[` + list[0] + `]},"costing":"bicycle"}`:           "costing",
		`{"base":{"job_id":"` + id + `","add":[` + strings.Join(places(8), ",") + `]}}`:          "base.add",
	} {
		p := g.Send("POST", "/v1/jobs/matrix", body, apitest.Bearer(k.Secret)...).Problem(t, 400, "bad-request")
		if errors, _ := p["errors"].([]any); len(errors) == 0 || errors[0].(map[string]any)["location"] != field {
			t.Errorf("%s: %v, want %s", body, p, field)
		}
	}
	// It is the key's alone.
	for _, method := range []string{"GET", "DELETE"} {
		g.Send(method, "/v1/jobs/"+id, "", apitest.Bearer(other.Secret)...).Problem(t, 404, "not-found")
		g.Send(method, "/v1/jobs/"+id, "").Problem(t, 401, "unauthorized")
	}
	g.Send("POST", "/v1/jobs/matrix", `{"base":{"job_id":"`+id+`","add":[`+list[0]+`]}}`, apitest.Bearer(other.Secret)...).Problem(t, 400, "bad-request")
	g.Send("POST", "/v1/jobs/matrix", body(list)).Problem(t, 401, "unauthorized")
	g.Send("DELETE", "/v1/jobs/"+id, "", apitest.Bearer(k.Secret)...).Problem(t, 409, "job-ended")
	if n := len(g.Send("GET", "/v1/jobs?limit=3&offset=1&state=succeeded", "", apitest.Bearer(k.Secret)...).At(t, "jobs").([]any)); n != 3 {
		t.Errorf("%d jobs are listed", n)
	}
	if n := len(g.Send("GET", "/v1/jobs", "", apitest.Bearer(other.Secret)...).At(t, "jobs").([]any)); n != 0 {
		t.Errorf("%d jobs of another key are listed", n)
	}
	if _, units := g.Units(t, k.Key.ID); units != 3+1+2+3+1 {
		t.Errorf("%d units were charged", units)
	}
}

// A delta has the price of a call of the costing that it takes over, and so has a delta
// of it.
func TestMatrixDeltasOfTrucksArePremium(t *testing.T) {
	g := apitest.Many(t, nil)
	k := g.Minted(t, account.Minting{})
	id := submitted(t, g, k, "/v1/jobs/matrix", `{"costing":"truck","locations":[`+strings.Join(places(2), ",")+`]}`)
	g.Work(t)
	for range 2 {
		ended(t, g, k, id)
		r := g.Send("POST", "/v1/jobs/matrix", `{"base":{"job_id":"`+id+`","add":[`+places(3)[2]+`]}}`, apitest.Bearer(k.Secret)...)
		if r.Status != 202 || r.Header.Get("X-Svc-Quota-Units") != "20" || r.At(t, "units") != 20.0 {
			t.Errorf("%d, %q units: %s", r.Status, r.Header.Get("X-Svc-Quota-Units"), r.Body)
		}
		id = r.At(t, "id").(string)
	}
	if _, units := g.Units(t, k.Key.ID); units != 60 {
		t.Errorf("%d units were charged", units)
	}
}

// roadless returns a matrix of a place without a road within a metre.
func roadless(at geo.Point) string {
	at.Lat += 0.0003
	return `{"locations":[` + strings.Replace(apitest.At(at), "}", `,"search_cutoff":1}`, 1) + `]}`
}

// A body that was sent before gets the job of then, also when the quota is used up; a job
// that fails is refunded.
func TestJobBilling(t *testing.T) {
	g, town := apitest.Drawn(t, func(o *api.Options) { o.UnitPrice = 0 })
	k := g.Minted(t, account.Minting{MonthlyQuota: 2})
	body := `{"locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("d")) + `]}`
	id := submitted(t, g, k, "/v1/jobs/matrix", body, "Idempotency-Key", "one")
	g.Send("POST", "/v1/jobs/matrix", `{"locations":[`+apitest.At(town.Point("b"))+`]}`, append(apitest.Bearer(k.Secret), "Idempotency-Key", "one")...).Problem(t, 409, "idempotency-conflict")
	// There is no road out there: the job fails.
	lost := submitted(t, g, k, "/v1/jobs/matrix", roadless(town.Point("a")))
	g.Send("POST", "/v1/jobs/matrix", body, apitest.Bearer(k.Secret)...).Problem(t, 429, "quota-exceeded")
	for range 2 {
		r := g.Send("POST", "/v1/jobs/matrix", body, append(apitest.Bearer(k.Secret), "Idempotency-Key", "one")...)
		if r.Status != 202 || r.At(t, "id") != id || r.Header.Get("X-Svc-Quota-Units") != "0" {
			t.Errorf("%d %s", r.Status, r.Body)
		}
	}
	waits := 0
	if r := g.Send("DELETE", "/v1/jobs/"+id, "", apitest.Bearer(k.Secret)...); r.At(t, "state") == "cancelled" && r.At(t, "refunded") == true {
		waits = 1
	}
	g.Work(t)
	r := ended(t, g, k, lost)
	if r.At(t, "state") != "failed" || r.At(t, "refunded") != true || r.At(t, "problem", "status") != 400.0 {
		t.Errorf("%s", r.Body)
	}
	if _, units := g.Units(t, k.Key.ID); waits != 1 || units != 0 {
		t.Errorf("%d units after all was refunded", units)
	}
	// There is room in the quota again.
	id = submitted(t, g, k, "/v1/jobs/matrix", body)
	if r := ended(t, g, k, id); r.At(t, "state") != "succeeded" {
		t.Errorf("%s", r.Body)
	}
}

// Asked what it would cost, a job is checked in full and not taken: nothing is charged,
// and its Idempotency-Key is free still.
func TestJobEstimates(t *testing.T) {
	g := apitest.Many(t, nil)
	k := g.Minted(t, account.Minting{})
	d := day{g, k}
	list := strings.Join(places(3), ",")
	ask := func(path, body string, header ...string) apitest.Reply {
		return g.Send("POST", path, body, append(apitest.Bearer(k.Secret), header...)...)
	}
	total := int64(0)
	for i, c := range []struct {
		path, body, class string
		units             float64
	}{
		{"/v1/jobs/matrix", `{"costing":"truck","locations":[` + list + `]}`, "premium", 20},
		{"/v1/jobs/optimise", d.body(`"time_limit_s":0.1`), "standard", 1},
		{"/v1/jobs/replan", d.body(`"time_limit_s":0.1,"changes":{"cancel_job_ids":["a"]}`), "standard", 1},
		{"/v1/jobs/replan", d.body(`"progress":[{"vehicle":"v","unavailable":true},{"vehicle":"w","unavailable":true}]`), "standard", 0},
	} {
		before, _ := g.Units(t, k.Key.ID)
		r := ask(c.path+"?estimate=1", c.body, "Idempotency-Key", fmt.Sprint(i))
		if r.Status != 200 || r.Header.Get("Content-Type") != edge.EstimateMedia || r.At(t, "units") != c.units || r.At(t, "class") != c.class || r.Header.Get("X-Svc-Quota-Units") != "" {
			t.Errorf("%s: %d %v %s", c.path, r.Status, r.Header, r.Body)
		}
		if calls, _ := g.Units(t, k.Key.ID); calls != before {
			t.Errorf("%s: %d calls are counted, and %d were before", c.path, calls, before)
		}
		if n := len(g.Send("GET", "/v1/jobs", "", apitest.Bearer(k.Secret)...).At(t, "jobs").([]any)); n != i {
			t.Errorf("%s: %d jobs, want %d", c.path, n, i)
		}
		if r := ask(c.path, c.body, "Idempotency-Key", fmt.Sprint(i)); r.Status != 202 || r.Header.Get("X-Svc-Quota-Units") != fmt.Sprint(c.units) {
			t.Errorf("%s: %d %v %s", c.path, r.Status, r.Header, r.Body)
		}
		if r := ask(c.path+"?estimate=1", c.body, "Idempotency-Key", fmt.Sprint(i)); r.Status != 200 || r.At(t, "units") != 0.0 {
			t.Errorf("%s, sent before: %d %s", c.path, r.Status, r.Body)
		}
		total += int64(c.units)
	}
	for _, more := range []string{`"priority":10`, `"webhook_url":"https://10.0.0.1/x"`} {
		ask("/v1/jobs/matrix?estimate=1", `{"locations":[`+list+`],`+more+`}`).Problem(t, 400, "bad-request")
	}
	if calls, units := g.Units(t, k.Key.ID); calls != 4 || units != total {
		t.Errorf("%d calls of %d units were charged, want 4 of %d", calls, units, total)
	}
}

// A key has so many jobs that wait: one more is refused and costs nothing, until there
// is room. What was taken before is still given, and other keys do not notice.
func TestTooManyJobs(t *testing.T) {
	g, town := apitest.Drawn(t)
	k, other := g.Minted(t, account.Minting{}), g.Minted(t, account.Minting{})
	body := `{"locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("d")) + `],"priority":9}`
	var first string
	for i := range job.MostQueued {
		id := submitted(t, g, k, "/v1/jobs/matrix", body, "Idempotency-Key", fmt.Sprint(i))
		if i == 0 {
			first = id
		}
	}
	more := func(header ...string) apitest.Reply {
		return g.Send("POST", "/v1/jobs/matrix", body, append(apitest.Bearer(k.Secret), header...)...)
	}
	charged := func(want int64) {
		t.Helper()
		if _, units := g.Units(t, k.Key.ID); units != want {
			t.Errorf("%d units were charged, want %d", units, want)
		}
	}
	r := more("Idempotency-Key", "more")
	if p := r.Problem(t, 429, "jobs-too-many"); p["limit"] != float64(job.MostQueued) || r.Header.Get("Retry-After") == "" {
		t.Errorf("%v %s", r.Header, r.Body)
	}
	if r := more("Idempotency-Key", "0"); r.Status != 202 || r.At(t, "id") != first {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	charged(job.MostQueued)
	submitted(t, g, other, "/v1/jobs/matrix", body)
	if r := g.Send("DELETE", "/v1/jobs/"+first, "", apitest.Bearer(k.Secret)...); r.At(t, "state") != "cancelled" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	submitted(t, g, k, "/v1/jobs/matrix", body, "Idempotency-Key", "more")
	more().Problem(t, 429, "jobs-too-many")
	charged(job.MostQueued)
}

// A webhook reports how a job ended, once, signed.
func TestJobWebhooks(t *testing.T) {
	g, town := apitest.Drawn(t, apitest.PrivateHooks)
	var mu sync.Mutex
	var heard []string
	secret := ""
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if err := outbox.Verify(secret, r.Header, body, time.Now()); err != nil {
			t.Error(err)
		}
		heard = append(heard, string(body))
	}))
	t.Cleanup(hook.Close)
	k := g.Minted(t, account.Minting{})
	secret = g.Send("POST", "/v1/keys/self/webhook-secret", `{}`, apitest.Bearer(k.Secret)...).At(t, "secret").(string)
	ids := []string{
		submitted(t, g, k, "/v1/jobs/matrix", `{"locations":[`+apitest.At(town.Point("a"))+`],"webhook_url":"`+hook.URL+`"}`),
		submitted(t, g, k, "/v1/jobs/matrix", strings.Replace(roadless(town.Point("a")), "{", `{"webhook_url":"`+hook.URL+`",`, 1)),
	}
	g.Work(t)
	for i, id := range ids {
		kind := []string{"succeeded", "failed"}[i]
		ended(t, g, k, id)
		waittest.Until(t, "the webhook comes", func() bool {
			mu.Lock()
			defer mu.Unlock()
			n := 0
			for _, h := range heard {
				if strings.Contains(h, `"type":"job.`+kind+`"`) && strings.Contains(h, `"id":"`+id+`"`) {
					n++
				}
			}
			return n == 1
		})
	}
	if len(heard) != 2 {
		t.Errorf("%d webhooks", len(heard))
	}
}
