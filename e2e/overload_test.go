package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"
)

// TestOverload sends more dear calls at once than can be served, with small ones
// beside them: small calls are all answered, each dear one is answered or refused at
// once when to come back, nothing is lost, and nothing stays taken.
func TestOverload(t *testing.T) {
	t.Parallel()
	g := start(t, []string{"SVC_REGION_DIR=" + countyDir(t), "SVC_REQUEST_TIMEOUT=3s", "SVC_REQUEST_MEMORY=64", "SVC_DEMO_RPM=1000000"}, "serve")
	const dear, small = 120, 60
	matrix := func(i int) string {
		var list []string
		for n := range 30 {
			list = append(list, fmt.Sprintf(`{"lat":%f,"lon":%f}`, 49.328634+float64(n%6)*0.002, -7.285326+float64((n+i)%30)*0.002))
		}
		places := strings.Join(list, ",")
		return `{"costing":"auto","sources":[` + places + `],"targets":[` + places + `],"date_time":{"type":1,"value":"2026-03-04T08:00"}}`
	}
	var mu sync.Mutex
	statuses := map[string]map[int]int{"dear": {}, "small": {}}
	note := func(kind string, a *answer) {
		mu.Lock()
		defer mu.Unlock()
		statuses[kind][a.status]++
		if a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") == "" {
			t.Errorf("a refusal without Retry-After: %s", a.body)
		}
	}
	var all sync.WaitGroup
	for i := range dear {
		all.Go(func() { note("dear", g.send(t, http.MethodPost, "/matrix", matrix(i))) })
	}
	for range small {
		all.Go(func() {
			note("small", g.send(t, http.MethodPost, "/route", `{"costing":"auto","locations":[{"lat":49.328634,"lon":-7.285326},{"lat":49.33,"lon":-7.28}]}`))
		})
	}
	all.Wait()
	t.Logf("%v", statuses)
	assert.Equal(t, statuses["small"][http.StatusOK], small)
	// A matrix that was begun may run out of time on a busy machine; no other
	// answer is possible.
	served, busy, late := statuses["dear"][http.StatusOK], statuses["dear"][http.StatusServiceUnavailable], statuses["dear"][http.StatusGatewayTimeout]
	assert.Equal(t, served+busy+late, dear)
	assert.Assert(t, served > 0, "no dear call was served")

	metrics := string(g.get(t, "/metrics").ok(t).body)
	for _, want := range []string{
		`waygate_calls_waiting{lane="dear"} 0`, `waygate_calls_waiting{lane="small"} 0`, `waygate_calls_waiting{lane="tiny"} 0`, `waygate_calls_seats_taken{lane="dear"} 0`, `waygate_calls_seats_taken{lane="small"} 0`,
		"waygate_calls_memory_bytes 0\n", "waygate_calls_memory_limit_bytes 6.7108864e+07\n",
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
}
