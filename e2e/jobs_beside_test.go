package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// TestRoutesBesideJobs has more plans worked on than there are cores, each for far
// longer than the test takes, and asks for routes: all are answered while every one of
// the jobs still runs, so that none waits for one.
func TestRoutesBesideJobs(t *testing.T) {
	t.Parallel()
	const workers = 4
	g := start(t, accounts(storetest.SQLite(t), outboxtest.SMTP(t), fmt.Sprintf("SVC_JOB_WORKERS=%d", workers), "GOMAXPROCS=2"), "serve", "--region", countyDir(t))
	key, _ := mint(t, g, 1_000_000, unlimitedRate)
	at := func(p geo.Point) fields { return fields{"lat": p.Lat, "lon": p.Lon} }
	all, town := generated().Places, towns(t)
	centre := func(i int) fields { return at(countyPlace(t, town[i%len(town)])) }
	var jobs []fields
	for i := range 300 {
		jobs = append(jobs, fields{"id": i, "location": at(all[i%len(all)].Point)})
	}
	var ids []string
	for range workers {
		body := fields{"vehicles": []fields{{"id": "van", "start": centre(0)}}, "jobs": jobs, "time_limit_s": 600}
		ids = append(ids, reply[struct{ ID string }](t, g, http.StatusAccepted, http.MethodPost, "/v1/jobs/optimise", key, body).ID)
	}
	type job struct {
		State    string
		Progress struct{ Stage string }
	}
	look := func(id string) job { return reply[job](t, g, http.StatusOK, http.MethodGet, "/v1/jobs/"+id, key, nil) }
	running := func() (n int) {
		for _, id := range ids {
			if look(id).State == "running" {
				n++
			}
		}
		return n
	}
	waittest.Until(t, "all jobs run and one searches", func() bool {
		searches := false
		for _, id := range ids {
			searches = searches || look(id).Progress.Stage == "search"
		}
		return searches && running() == workers
	})
	for i := range 100 {
		body, err := json.Marshal(fields{"locations": []fields{centre(i), centre(i + 1)}, "costing": "auto"})
		if err != nil {
			t.Fatal(err)
		}
		a := g.send(t, http.MethodPost, "/route", string(body), "Content-Type: application/json", bearer(key))
		if a.status != http.StatusOK {
			t.Fatalf("route %d: %s", i, a)
		}
	}
	if n := running(); n != workers {
		t.Errorf("%d of %d jobs still run after 100 routes: routes waited for them", n, workers)
	}
	for _, id := range ids {
		reply[job](t, g, http.StatusOK, http.MethodDelete, "/v1/jobs/"+id, key, nil)
	}
}
