package api_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

// unitsTold reads waygate_units_total from the metrics: units by lane and class.
func unitsTold(g *apitest.Gateway, t *testing.T) map[string]int {
	t.Helper()
	expected := map[string]int{}
	for line := range strings.Lines(string(g.Send("GET", "/metrics", "").Body)) {
		var class, lane string
		var units int
		text := strings.NewReplacer(`",`, " ", `"`, "", "{", " ", "}", "", "=", " ").Replace(line)
		if n, _ := fmt.Sscanf(text, "waygate_units_total class %s lane %s %d", &class, &lane, &units); n == 3 {
			expected[lane+" "+class] = units
		}
	}
	return expected
}

// TestUnitsOfTheMetric checks that the metric counts exactly what answers were
// charged: nothing for what is refused or fails after its price was set aside,
// and no more than was computed.
func TestUnitsOfTheMetric(t *testing.T) {
	g, town := apitest.Drawn(t)
	key := apitest.Bearer(g.Minted(t, account.Minting{}).Secret)
	a, d := apitest.At(town.Point("a")), apitest.At(town.Point("d"))
	route := func(costing, more string) string {
		return `{"costing":"` + costing + `",` + more + `"locations":[` + a + `,` + d + `]}`
	}
	expected := map[string]int{}
	for _, c := range []struct {
		name, body   string
		header       []string
		status       int
		lane         string
		units, atend int
	}{
		{"a car", route("auto", ""), key, 200, "key standard", 1, 1},
		{"a lorry", route("truck", ""), key, 200, "key premium", 20, 20},
		{"another", route("truck", ""), key, 200, "key premium", 20, 40},
		{"nowhere", `{"costing":"truck","locations":[` + a + `,{"lat":1,"lon":1}]}`, key, 400, "key premium", 0, 40},
		{"no costing", route("plane", ""), key, 400, "key standard", 0, 1},
		{"four computations at most, two were needed", route("auto", `"rationale":true,"costing_options":{"auto":{"use_tolls":0,"use_highways":0}},`), key, 200, "key standard", 2, 3},
		{"without a key", route("auto", ""), nil, 200, "demo standard", 1, 1},
		{"a key that is none", route("auto", ""), apitest.Bearer("wg_" + strings.Repeat("a", 40)), 401, "key standard", 0, 3},
	} {
		r := g.Send("POST", "/route", c.body, c.header...)
		if r.Status != c.status {
			t.Fatalf("%s: %d %s", c.name, r.Status, r.Body)
		}
		if got := r.Header.Get("X-Svc-Quota-Units"); got != fmt.Sprint(c.units) && (c.units != 0 || got != "") {
			t.Errorf("%s: %q units in the header, want %d", c.name, got, c.units)
		}
		if c.atend > 0 {
			expected[c.lane] = c.atend
		}
		if got := unitsTold(g, t); !maps.Equal(got, expected) {
			t.Errorf("%s: the metric tells %v, want %v", c.name, got, expected)
		}
	}
}

// TestUnitsOfFailures has engines fail after the price was set aside.
func TestUnitsOfFailures(t *testing.T) {
	g := apitest.Start(t)
	key := apitest.Bearer(g.Minted(t, account.Minting{}).Secret)
	for name, status := range map[string]int{"panic": 500, "broken": 500, "gone": 503, "failed": 502} {
		body := `{"costing":"truck","locations":[{"lat":47.1,"lon":9.5,"name":"` + name + `"},{"lat":47.2,"lon":9.6}]}`
		if r := g.Send("POST", "/route", body, key...); r.Status != status {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	if got := unitsTold(g, t); len(got) != 0 {
		t.Errorf("the metric tells %v of what failed", got)
	}
}

// TestUnitsOfPayments counts a call that pays for itself once it is paid.
func TestUnitsOfPayments(t *testing.T) {
	m := trade(t)
	want := m.quote(m.Send("POST", "/route", truckRoute))
	m.away.Store(true)
	if r := m.Send("POST", "/route", truckRoute, "X-PAYMENT", m.pay(want)); r.Status < 400 || len(unitsTold(m.Gateway, t)) != 0 {
		t.Errorf("not paid: %d, the metric tells %v", r.Status, unitsTold(m.Gateway, t))
	}
	m.away.Store(false)
	r := m.Send("POST", "/route", truckRoute, "X-PAYMENT", m.pay(want))
	if got := unitsTold(m.Gateway, t); r.Status != 200 || !maps.Equal(got, map[string]int{"payment premium": 20}) {
		t.Errorf("paid: %d, the metric tells %v", r.Status, got)
	}
}
