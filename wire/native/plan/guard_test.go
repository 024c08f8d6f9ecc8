package plan_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native/plan"
)

// refusedAt returns where a reader refuses a body; "syntax" stands for a refusal without a place.
func refusedAt(t *testing.T, reader, body string) []string {
	t.Helper()
	err := readers[reader]([]byte(body))
	if err == nil {
		return nil
	}
	var problem *fault.Error
	if !errors.As(err, &problem) || len(problem.Violations()) == 0 {
		return []string{"syntax"}
	}
	var at []string
	for _, v := range problem.Violations() {
		at = append(at, v.Location)
	}
	slices.Sort(at)
	return at
}

func check(t *testing.T, reader, body string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := refusedAt(t, reader, body); !slices.Equal(got, want) {
		t.Errorf("%s %.300s: refused at %v, want %v", reader, body, got, want)
	}
}

const (
	place   = `{"lat":47.1,"lon":9.5}`
	vehicle = `{"id":"v","start":` + place + `,"time_window":[0,100]}`
	job     = `{"id":"j","location":` + place + `}`
)

// problem returns a problem of one vehicle and one job, with members added.
func problem(vehicles, jobs, rest string) string {
	return fmt.Sprintf(`{"vehicles":[%s],"jobs":[%s]%s}`, vehicles, jobs, rest)
}

func TestIDsOfAPlan(t *testing.T) {
	for id, ok := range map[string]bool{
		`"a"`: true, `""`: false, `7`: true, `-7`: true, `1.5`: false, `null`: false, `true`: false, `[]`: false,
		`"` + strings.Repeat("x", 128) + `"`: true, `"` + strings.Repeat("x", 129) + `"`: false,
	} {
		var want []string
		if !ok {
			want = []string{"vehicles[0].id"}
		}
		check(t, "optimise", problem(`{"id":`+id+`,"start":`+place+`}`, job, ""), want...)
	}
}

func TestPlacesOfAPlan(t *testing.T) {
	for text, want := range map[string]string{
		`[9.5,47.1]`: "", `[9.5]`: "start", `[]`: "start", `[9.5,47.1,400]`: "start", `[9.5,90]`: "", `[9.5,90.1]`: "start", `[180,0]`: "", `[-180,-90]`: "", `[180.1,0]`: "start",
		`["9.5",47.1]`: "start", `{"lat":47.1}`: "start.lon", `{"lat":91,"lon":9}`: "start.lat",
	} {
		got := refusedAt(t, "optimise", problem(`{"id":"v","start":`+text+`}`, job, ""))
		if (want == "") != (len(got) == 0) || want != "" && got[0] != "vehicles[0]."+want {
			t.Errorf("%s: refused at %v, want %q", text, got, want)
		}
	}
}

func TestWindowsOfAPlan(t *testing.T) {
	const limit = 1 << 40
	for text, want := range map[string]string{
		`[0,0]`: "", `[5,5]`: "", `[0,1]`: "", fmt.Sprintf(`[0,%d]`, limit): "", fmt.Sprintf(`[%d,%d]`, limit, limit): "",
		`[1,0]`: "-", `[]`: "-", `[1]`: "-", `[1,2,3]`: "-", `[1,"2"]`: "-", `[1,2.5]`: "-", `"1,2"`: "-", `{}`: "-", `7`: "-",
		`[-1,2]`: "[0]", fmt.Sprintf(`[0,%d]`, limit+1): "[1]", `[0,-1]`: "[1]", fmt.Sprintf(`[%d,0]`, limit+1): "[0]",
	} {
		for member, at := range map[string]string{`"time_window":` + text: "time_window", `"time_windows":[` + text + `]`: "time_windows[0]"} {
			where := []string{"vehicles[0]." + at + strings.TrimPrefix(want, "-")}
			if want == "" {
				where = nil
			}
			check(t, "optimise", problem(`{"id":"v","start":`+place+`,`+member+`}`, job, ""), where...)
		}
	}
	// Windows are sorted and apart, wherever there are lists of them.
	for list, bad := range map[string][]int{
		`[[0,1],[2,3],[4,5]]`: nil, `[[0,1],[1,3]]`: {1}, `[[2,3],[0,1]]`: {1}, `[[0,5],[2,3],[4,6]]`: {1}, `[[0,1],[2,3],[3,4]]`: {2}, `[]`: nil, `[[7,9]]`: nil,
	} {
		for at, body := range map[string]string{
			"vehicles[0].time_windows":           problem(`{"id":"v","start":`+place+`,"time_windows":`+list+`}`, job, ""),
			"vehicles[0].breaks[0].time_windows": problem(`{"id":"v","start":`+place+`,"breaks":[{"id":"b","time_windows":`+list+`}]}`, job, ""),
			"jobs[0].time_windows":               problem(vehicle, `{"id":"j","location":`+place+`,"time_windows":`+list+`}`, ""),
			"shipments[0].pickup.time_windows":   `{"vehicles":[` + vehicle + `],"shipments":[{"pickup":{"location":` + place + `,"time_windows":` + list + `},"delivery":{"location":` + place + `}}]}`,
		} {
			var want []string
			for _, i := range bad {
				want = append(want, fmt.Sprintf("%s[%d]", at, i))
			}
			check(t, "optimise", body, want...)
		}
	}
	// A delivery may end at the moment at which its pickup begins, and not before.
	for delivery, want := range map[string][]string{`[[0,99]]`: {"shipments[0].delivery.time_windows"}, `[[0,100]]`: nil, `[[0,1],[50,101]]`: nil, `[]`: nil, `[[0,1],[2,99]]`: {"shipments[0].delivery.time_windows"}} {
		check(t, "optimise", `{"vehicles":[`+vehicle+`],"shipments":[{"pickup":{"location":`+place+`,"time_windows":[[100,200],[300,400]]},"delivery":{"location":`+place+`,"time_windows":`+delivery+`}}]}`, want...)
	}
}

func TestSecondsOfAStop(t *testing.T) {
	for members, want := range map[string]string{
		`"service_s":5`: "", `"service":5`: "", `"service_s":5,"service":5`: "", `"service_s":5,"service":6`: "service", `"service_s":0,"service":1`: "service",
		`"service_s":604800`: "", `"service_s":604801`: "service_s", `"service_s":-1`: "service_s", `"setup":604800`: "", `"setup":604801`: "setup",
		`"service_per_type":{"van":604800,"bike":0}`: "", `"service_per_type":{"van":604801}`: "service_per_type.van", `"setup_per_type":{"van":-1}`: "setup_per_type.van",
		`"priority":100`: "", `"priority":101`: "priority",
	} {
		var at []string
		if want != "" {
			at = []string{"jobs[0]." + want}
		}
		check(t, "optimise", problem(vehicle, `{"id":"j","location":`+place+`,`+members+`}`, ""), at...)
	}
	five, six := int64(5), int64(6)
	for _, c := range []struct {
		first, second *int64
		want          int64
	}{{nil, nil, 0}, {&five, nil, 5}, {nil, &six, 6}, {&five, &six, 5}} {
		if got := (&plan.FleetStop{Service: c.first, VroomService: c.second}).Seconds(); got != c.want {
			t.Errorf("a stop takes %d s, want %d", got, c.want)
		}
		if got := (&plan.FleetBreak{Service: c.first, VroomService: c.second}).Seconds(); got != c.want {
			t.Errorf("a break takes %d s, want %d", got, c.want)
		}
	}
}

func TestVehiclesOfAPlan(t *testing.T) {
	for members, want := range map[string][]string{
		`"start":` + place: nil, `"end":` + place: nil, `"start":` + place + `,"end":` + place: nil, `"max_tasks":3`: {"vehicles[0].start"},
		`"start":` + place + `,"time_window":[0,1],"time_windows":[[0,1]]`:                        {"vehicles[0].time_windows"},
		`"start":` + place + `,"reloads":{"max_trips":2}`:                                         {"vehicles[0].reloads"},
		`"start":` + place + `,"time_window":[0,1],"reloads":{"max_trips":2}`:                     nil,
		`"end":` + place + `,"time_window":[0,1],"reloads":{"max_trips":2}`:                       {"vehicles[0].reloads.depot"},
		`"end":` + place + `,"time_window":[0,1],"reloads":{"max_trips":2,"depot":` + place + `}`: nil,
		`"start":` + place + `,"time_window":[0,1],"reloads":{"max_trips":1}`:                     {"vehicles[0].reloads.max_trips"},
		`"start":` + place + `,"profile":"car"`:                                                   nil,
		`"start":` + place + `,"profile":"sleigh"`:                                                {"vehicles[0].profile"},
		`"start":` + place + `,"territory_ids":["t"]`:                                             {"vehicles[0].territory_ids[0]"},
		`"start":` + place + `,"speed_factor":5`:                                                  nil,
		`"start":` + place + `,"breaks":[{"id":"b"},{"id":"b"}]`:                                  {"vehicles[0].breaks[1].id"},
		`"start":` + place + `,"breaks":[{},{}]`:                                                  nil,
		`"start":` + place + `,"capacity":[1,2],"breaks":[{"id":"b","max_load":[1]}]`:             {"vehicles[0].breaks[0].max_load"},
	} {
		check(t, "optimise", problem(`{"id":"v",`+members+`}`, job, ""), want...)
	}
	check(t, "optimise", problem(`{"id":"v","start":`+place+`,"territory_ids":["t"]}`, job, `,"territories":[{"id":"t","polygon":[[9,47],[10,47],[10,48]]}]`))
}

func TestWholesOfAPlan(t *testing.T) {
	territory := `{"id":"t","polygon":[[9,47],[10,47],[10,48]]}`
	second := `{"id":"k","location":` + place + `}`
	for body, want := range map[string][]string{
		`{"vehicles":[` + vehicle + `]}`:                                      {"jobs"},
		problem(vehicle+","+vehicle, job, ""):                                 {"vehicles[1].id"},
		problem(vehicle, job+","+job, ""):                                     {"jobs[1].id"},
		problem(vehicle, job, `,"territories":[`+territory+`]`):               nil,
		problem(vehicle, job, `,"territories":[`+territory+`,`+territory+`]`): {"territories[1].id"},
		problem(vehicle, job+","+second, `,"together":[["j","k"]]`):           nil,
		problem(vehicle, job+","+second, `,"together":[["j"]]`):               {"together[0]"},
		problem(vehicle, job+","+second, `,"apart":[["j","j"]]`):              {"apart[0][1]"},
		problem(vehicle, job+","+second, `,"apart":[["j","k"],["j","k"]]`):    nil,
		problem(vehicle, job+","+second, `,"apart":[["j","x"]]`):              {"apart[0][1]"},
		problem(vehicle, job, `,"matrices":{}`):                               {"matrices"},
		problem(vehicle, job, `,"matrices":null`):                             nil,
		problem(vehicle, job, `,"options":{}`):                                nil,
		problem(vehicle, job, `,"adr":{"dimensions":{"height_m":4,"width_m":2,"length_m":9,"gross_weight_t":9},"hazmat":true,"tunnel_code":"D"}`): {"adr"},
		problem(vehicle, `{"id":"j","location":`+place+`,"delivery":[1]},{"id":"k","location":`+place+`,"pickup":[1,2]}`, ""):                     {"jobs[1].pickup"},
	} {
		check(t, "optimise", body, want...)
	}
}

// Names that a shipment lacks are made of those that it has.
func TestNamesOfShipments(t *testing.T) {
	for ids, want := range map[[3]string][3]plan.FleetID{
		{}:              {"shipment-1", "shipment-1/pickup", "shipment-1/delivery"},
		{"s"}:           {"s", "s/pickup", "s/delivery"},
		{"", "x", "x"}:  {"x", "x/pickup", "x/delivery"},
		{"x", "x", "x"}: {"x", "x/pickup", "x/delivery"},
		{"s", "p", "d"}: {"s", "p", "d"},
		{"", "p", "d"}:  {"shipment-1", "p", "d"},
		{"s", "p", ""}:  {"s", "p", "s/delivery"},
	} {
		id := func(s string) string {
			if s == "" {
				return ""
			}
			return `"id":"` + s + `",`
		}
		body := `{"vehicles":[` + vehicle + `],"shipments":[{` + id(ids[0]) + `"pickup":{` + id(ids[1]) + `"location":` + place + `},"delivery":{` + id(ids[2]) + `"location":` + place + `}}]}`
		r, err := decoded[plan.OptimiseRequest](body)
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Shipments[0]; [3]plan.FleetID{s.ID, s.Pickup.ID, s.Delivery.ID} != want {
			t.Errorf("%v: %v %v %v, want %v", ids, s.ID, s.Pickup.ID, s.Delivery.ID, want)
		}
		if r.Stops() != 2 || len(r.Points()) != 3 || r.Dimensions() != 0 {
			t.Errorf("%d stops, %d points, %d dimensions", r.Stops(), len(r.Points()), r.Dimensions())
		}
	}
	check(t, "optimise", `{"vehicles":[`+vehicle+`],"shipments":[{"id":"s","pickup":{"id":"x","location":`+place+`},"delivery":{"id":"x","location":`+place+`}}]}`, "shipments[0].delivery.id")
}

func TestReplanRefuses(t *testing.T) {
	for rest, want := range map[string][]string{
		``:                                    {"progress"},
		`,"progress":[{"vehicle":"v"}]`:       nil,
		`,"changes":{"cancel_job_ids":["j"]}`: nil,
		`,"progress":[{"vehicle":"w"}]`:       {"progress[0].vehicle"},
		`,"progress":[{"vehicle":"v"},{"vehicle":"v"}]`:                 {"progress[1].vehicle"},
		`,"changes":{"add_jobs":[` + job + `]}`:                         {"changes.add_jobs[0].id"},
		`,"changes":{"add_jobs":[{"id":"k","location":` + place + `}]}`: nil,
	} {
		check(t, "replan", problem(vehicle, job, rest), want...)
	}
	check(t, "replan", problem(`{"id":"v","start":`+place+`,"time_window":[0,1],"reloads":{"max_trips":2}}`, job, `,"progress":[{"vehicle":"v"}]`), "vehicles[0].reloads")
}

func TestClustersRefuse(t *testing.T) {
	locations := func(members string) string {
		return `"locations":[{"lat":47.1,"lon":9.5` + members + `},{"lat":47.2,"lon":9.6}]`
	}
	for body, want := range map[string][]string{
		locations("") + `,"clusters":2`: nil, locations("") + `,"clusters":3`: {"clusters"}, locations(`,"id":"stop-2"`) + `,"clusters":1`: {"locations[1].id"},
		locations(`,"load":5`) + `,"max_cluster_load":5`: nil, locations(`,"load":5.5`) + `,"max_cluster_load":5`: {"locations[0].load"},
		locations(`,"service_s":5`) + `,"max_cluster_service_s":5`: nil, locations(`,"service_s":6`) + `,"max_cluster_service_s":5`: {"locations[0].service_s"},
		locations("") + `,"max_cluster_locations":1,"balance_by":"count"`: nil, locations("") + `,"max_cluster_locations":1,"balance_by":"load"`: {"balance_by"},
		locations("") + `,"clusters":1,"balance_by":"load"`: nil, locations("") + `,"clusters":1,"measure":"road","costing":"truck"`: {"costing"},
		locations("") + `,"clusters":1,"measure":"straight","costing":"truck"`: nil,
	} {
		check(t, "cluster", "{"+body+"}", want...)
	}
	for body, want := range map[string]string{`"clusters":1`: "count", `"clusters":1,"balance_by":"load"`: "load", `"max_cluster_load":5`: "load", `"max_cluster_service_s":5`: "service", `"max_cluster_locations":5`: "count"} {
		r, err := decoded[plan.ClusterRequest]("{" + locations("") + "," + body + "}")
		if err != nil || r.By() != want || len(r.Points()) != 2 {
			t.Errorf("%s: %v, by %s, want %s", body, err, r.By(), want)
		}
	}
}

func TestPolygonsOfTerritories(t *testing.T) {
	ring := func(n int) string {
		var list []string
		for i := range n {
			at := 2 * math.Pi * float64(i) / float64(n)
			list = append(list, fmt.Sprintf("[%f,%f]", 9.5+0.4*math.Cos(at), 47.5+0.4*math.Sin(at)))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	for polygon, ok := range map[string]bool{
		`[[9,47],[10,47],[10,48]]`: true, `[[[9,47],[10,47],[10,48]]]`: true, `{"type":"Polygon","coordinates":[[[9,47],[10,47],[10,48]]]}`: true,
		`{"type":"MultiPolygon","coordinates":[[[9,47],[10,47],[10,48]]]}`: false, `{}`: false, `[]`: false, `[[]]`: false, `7`: false, `[[9,47],[10,47]]`: false, `[[9,47],[10,97],[10,48]]`: false,
		ring(1000): true, ring(1001): false, "[" + ring(400) + "," + ring(600) + "]": true, "[" + ring(400) + "," + ring(601) + "]": false, ring(4000): false,
	} {
		got := refusedAt(t, "cluster", `{"locations":[`+place+`],"clusters":1,"territories":[{"id":"t","polygon":`+polygon+`}]}`)
		if ok != (len(got) == 0) {
			t.Errorf("%.80s (%d bytes): refused at %v", polygon, len(polygon), got)
		}
	}
	square := func(west, south, side float64) geo.Ring {
		return geo.Ring{{Lon: west, Lat: south}, {Lon: west + side, Lat: south}, {Lon: west + side, Lat: south + side}, {Lon: west, Lat: south + side}}
	}
	frame := plan.Polygon{square(0, 0, 4), square(1, 1, 2)}
	all := plan.Territories{{Polygon: frame}, {Polygon: plan.Polygon{square(0, 0, 2)}}, {}}
	for p, want := range map[geo.Point][]int32{{Lon: 0.5, Lat: 0.5}: {0, 1}, {Lon: 1.5, Lat: 1.5}: {1}, {Lon: 3.5, Lat: 3.5}: {0}, {Lon: 2.5, Lat: 2.5}: nil, {Lon: 5, Lat: 5}: nil} {
		if got := all.At(p); !slices.Equal(got, want) {
			t.Errorf("%v lies in %v, want %v", p, got, want)
		}
	}
}

func TestMatrixJobsRefuse(t *testing.T) {
	for body, want := range map[string][]string{
		`{"base":{"job_id":"m"}}`:                                                                            {"base"},
		`{"base":{"job_id":"m","add":[` + place + `]}}`:                                                      nil,
		`{"base":{"job_id":"m","move":[{"index":0,"lat":47.1,"lon":9.5}]}}`:                                  nil,
		`{"base":{"job_id":"m","move":[{"index":0,"lat":47.1,"lon":9.5},{"index":0,"lat":47.1,"lon":9.5}]}}`: {"base.move[1].index"},
		`{"base":{"job_id":"m","add":[` + place + `]},"sources":[` + place + `]}`:                            {"sources"},
		`{"base":{"job_id":"m","add":[` + place + `]},"targets":[` + place + `]}`:                            {"targets"},
		`{"base":{"job_id":"m","add":[` + place + `]},"locations":[` + place + `]}`:                          {"locations"},
	} {
		check(t, "matrix job", body, want...)
	}
	r, err := decoded[plan.MatrixJobRequest](`{"base":{"job_id":"m","add":[` + place + `],"move":[{"index":3,"lat":47.3,"lon":9.3}]}}`)
	if err != nil || len(r.Points()) != 2 {
		t.Errorf("%v %v", r.Points(), err)
	}
}

func TestErrandsAndClaimsRefuse(t *testing.T) {
	errands := func(list, rest string) string {
		return `{"origin":` + place + `,"destination":` + place + `,"arrive_by":"2030-01-01T12:00:00Z","errands":[` + list + `]` + rest + `}`
	}
	for body, want := range map[string][]string{
		errands(`{"category":"fuel"}`, ""): nil, errands(`{"place":`+place+`}`, ""): nil,
		errands(`{"category":"fuel"},{"category":"fuel","id":"errand-1"}`, ""): {"errands[1].id"},
		errands(`{"category":"fuel"}`, `,"depart_at":"2030-01-01T11:59:59Z"`):  nil,
		errands(`{"category":"fuel"}`, `,"depart_at":"2030-01-01T12:00:00Z"`):  {"depart_at"},
	} {
		check(t, "errands", body, want...)
	}
	if refusedAt(t, "errands", errands(`{}`, "")) == nil || refusedAt(t, "errands", errands(`{"category":"fuel","place":`+place+`}`, "")) == nil {
		t.Error("an errand with no place, or with two, is taken")
	}
	for body, want := range map[string][]string{
		`{"text":"x"}`: nil, `{"claims":[{"name":"x"},{"name":"y"}]}`: nil, `{"claims":[{"name":"x","id":"claim-2"},{"name":"y"}]}`: {"claims[1].id"},
		`{"claims":[{"name":"x","claimed_time":"2026-09-01"}]}`: {"claims[0].claimed_time"}, `{"claims":[{"name":"x","claimed_time":7}]}`: {"claims[0].claimed_time"},
	} {
		check(t, "verify", body, want...)
	}
	if refusedAt(t, "verify", `{}`) == nil || refusedAt(t, "verify", `{"text":"x","claims":[{"name":"x"}]}`) == nil {
		t.Error("nothing to verify, or twice, is taken")
	}
	for text, local := range map[string]bool{"2026-09-01T08:00": true, "2026-09-01 08:00": true, "2026-09-01T08:00:00": true, "2026-09-01 08:00:00": true, "2026-09-01T08:00Z": false, "2026-09-01T09:00:00+01:00": false} {
		r, err := decoded[plan.VerifyRequest](`{"claims":[{"name":"x","claimed_time":"` + text + `"}]}`)
		if err != nil || r.Claims[0].ClaimedTime.Local != local || r.Claims[0].ClaimedTime.Time.UTC().Hour() != 8 {
			t.Errorf("%s: %+v %v", text, r.Claims, err)
		}
	}
}

func TestUniquePlaces(t *testing.T) {
	unique, number := plan.UniquePlaces([]geo.Point{{Lon: 9, Lat: 47}, {Lon: 9, Lat: 47.1}, {Lon: 9.0000004, Lat: 46.9999996}, {Lon: 9.000002, Lat: 47}, {Lon: 9, Lat: 47.1}})
	if len(unique) != 3 || !slices.Equal(number, []int{0, 1, 0, 2, 1}) {
		t.Errorf("%v %v", unique, number)
	}
}
