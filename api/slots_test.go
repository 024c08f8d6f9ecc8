package api_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
)

// TestWorkHasSlots counts the slots that requests have without a call of an engine, and
// those whose body takes a while to read.
func TestWorkHasSlots(t *testing.T) {
	g := apitest.Start(t)
	slot := regexp.MustCompile(`waygate_calls_admitted_total\{lane="(?:tiny|small|dear)"\} (\d+)`)
	slots := func() (n int) {
		for _, found := range slot.FindAllStringSubmatch(string(g.Send("GET", "/metrics", "").Body), -1) {
			i, err := strconv.Atoi(found[1])
			if err != nil {
				t.Fatal(err)
			}
			n += i
		}
		return n
	}
	route := `{"costing":"auto","locations":[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.5,"name":"x"}]%s}`
	line := geo.EncodePolyline([]geo.Point{{Lat: 47.1, Lon: 9.5}, {Lat: 47.2, Lon: 9.5}}, 6)
	for _, c := range []struct {
		path, body string
		want       int
	}{
		{"/geodata/validate", `{"coordinates":[{"x":9.5,"y":47.5}],"declared_crs":"EPSG:4326"}`, 1},
		{"/v1/cluster", `{"locations":[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.5}],"clusters":1}`, 1},
		{"/route", fmt.Sprintf(route, ""), 0}, // another server works for this engine
		{"/route", fmt.Sprintf(route, strings.Repeat(" ", 70<<10)), 1},
		{"/v1/route/heritage", `{"geometry_polyline6":"` + line + `"}`, 2},
		{"/v1/voice/bank?voice=en-gb", "", 1},
	} {
		before, method := slots(), "POST"
		if c.body == "" {
			method = "GET"
		}
		r := g.Send(method, c.path, c.body)
		if got := slots() - before; got != c.want {
			t.Errorf("%s with %d bytes (%d %.200s): %d slots, want %d", c.path, len(c.body), r.Status, r.Body, got, c.want)
		}
	}
}
