package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// longJobs are bodies of jobs of every kind, by kind, each of which takes minutes of work.
func longJobs(t *testing.T) map[string]fields {
	t.Helper()
	all := generated().Places
	at := func(i int) fields {
		p := all[i%len(all)].Point
		return fields{"lat": p.Lat + 1e-6*float64(i/len(all)), "lon": p.Lon}
	}
	var jobs, places []fields
	for i := range 400 {
		jobs = append(jobs, fields{"id": fmt.Sprint(i), "location": at(i)})
	}
	for i := range 900 {
		places = append(places, at(i))
	}
	vehicles := []fields{{"id": "van", "start": at(0)}, {"id": "lorry", "start": at(1)}}
	return map[string]fields{
		"optimise": {"vehicles": vehicles, "jobs": jobs, "time_limit_s": 600},
		"replan":   {"vehicles": []fields{{"id": "van", "start": at(0), "steps": []fields{}}}, "changes": fields{"add_jobs": jobs}, "time_limit_s": 600},
		// With a time of day each way is looked at by itself.
		"matrix": {"sources": places, "targets": places, "costing": "auto", "date_time": fields{"type": 1, "value": "2026-03-04T08:00"}},
	}
}

// begun submits jobs of every kind and waits until all run.
func begun(t *testing.T, g *gateway, key string) (ids map[string]string) {
	t.Helper()
	ids = map[string]string{}
	for kind, body := range longJobs(t) {
		ids[kind] = reply[struct{ ID string }](t, g, http.StatusAccepted, http.MethodPost, "/v1/jobs/"+kind, key, body).ID
	}
	for kind, id := range ids {
		waittest.Until(t, "a job of kind "+kind+" runs", func() bool {
			return reply[struct{ State string }](t, g, http.StatusOK, http.MethodGet, "/v1/jobs/"+id, key, nil).State == "running"
		})
	}
	return ids
}

// TestStopWithJobs stops a gateway while jobs of every kind run: it ends well, and the next
// start takes them up.
func TestStopWithJobs(t *testing.T) {
	database := storetest.SQLite(t)
	env := accounts(database, outboxtest.SMTP(t), "SVC_JOB_WORKERS=3", "SVC_DRAIN_TIMEOUT=1s")
	g := start(t, env, "serve", "--region", countyDir(t))
	key, _ := mint(t, g, 1_000_000, unlimitedRate)
	ids := begun(t, g, key)
	if err := g.stop(); err != nil {
		t.Fatalf("it was to stop and ended with %v\n%s", err, g.log.String())
	}
	again := start(t, env, "serve", "--region", countyDir(t))
	for kind, id := range ids {
		waittest.Until(t, "a job of kind "+kind+" is taken up", func() bool {
			return reply[struct{ State string }](t, again, http.StatusOK, http.MethodGet, "/v1/jobs/"+id, key, nil).State == "running"
		})
		reply[json.RawMessage](t, again, http.StatusOK, http.MethodDelete, "/v1/jobs/"+id, key, nil)
	}
}

// TestDeletedJobsStop deletes jobs of every kind while they run, of which each would go on
// for longer than is waited here: the process comes to rest.
func TestDeletedJobsStop(t *testing.T) {
	g := start(t, accounts(storetest.SQLite(t), outboxtest.SMTP(t), "SVC_JOB_WORKERS=3"), "serve", "--region", countyDir(t))
	key, _ := mint(t, g, 1_000_000, unlimitedRate)
	m := newMeter(t, g)
	for kind, id := range begun(t, g, key) {
		reply[json.RawMessage](t, g, http.StatusOK, http.MethodDelete, "/v1/jobs/"+id, key, nil)
		t.Logf("%s is deleted", kind)
	}
	if used, idle := m.rest(waittest.Patience); !idle {
		t.Errorf("it does not come to rest, and has worked for %s", used)
	}
}
