package transit_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/world"
)

// now is a Monday morning in the town of the tests.
var now = time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)

// drawn returns a timetable of a bus and a tram from North to South, every hour of every day
// from the day before now to ten days after.
func drawn(t *testing.T) *timetable.Index {
	t.Helper()
	b := timetable.NewBuilder()
	f := b.AddFeed(timetable.Feed{Name: "town", Publisher: "Town Council", Link: "http://t.example", Version: "7"})
	agency, err := b.AddAgency(timetable.Agency{ID: "1", Code: "TOWN", Name: "Town Buses", Zone: "Europe/London", Feed: f})
	if err != nil {
		t.Fatal(err)
	}
	b.CountOnDemand(f, 3)
	var days []gtfs.Date
	for d := gtfs.DateOf(now) - 1; d <= gtfs.DateOf(now)+10; d++ {
		days = append(days, d)
	}
	service := b.AddService(days)
	stop := func(id, name string, lat float64) int {
		return b.AddStop(timetable.Stop{ID: id, Code: strings.ToLower(id), Name: name, NameIn: []timetable.Name{{Language: "cy", Text: "Y " + name}}, Indicator: "opp", Locality: "Town", Heading: "SW", At: geo.Point{Lon: 9.5, Lat: lat}, Parent: -1, Wheelchair: 1})
	}
	north, south := stop("N1", "North", 47.50), stop("S1", "South", 47.502)
	stop("E1", "Empty", 47.501)
	// The bus comes first: of two lines that are equally good a journey takes the earlier one.
	for _, l := range []timetable.Line{{ID: "10", Mode: timetable.Bus, Colour: 0x0055aa}, {ID: "T", Mode: timetable.Tram, Colour: timetable.None}} {
		l.ShortName, l.Agency, l.Ink = l.ID, agency, timetable.None
		line := b.AddLine(l)
		for hour := range int32(26) {
			b.AddTrip(timetable.Trip{ID: fmt.Sprint(l.ID, "-", hour), Line: line, Service: service, Direction: 2, Wheelchair: uint8(len(l.ID) % 2), Visits: []timetable.Visit{
				{Stop: int32(north), Call: timetable.Call{Arrive: hour * 3600, Depart: hour * 3600}, Rules: timetable.AskDriver},
				{Stop: int32(south), Call: timetable.Call{Arrive: hour*3600 + 300, Depart: hour*3600 + 300}},
			}})
		}
	}
	x, _ := b.Build()
	s, err := region.ReadSection(timetable.SectionName, regiontest.Written(t, x.Write))
	if err != nil {
		t.Fatal(err)
	}
	read, err := timetable.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// served starts a gateway with a timetable and feeds of vehicles; nil has none.
func served(t *testing.T, x *timetable.Index, vehicles *transit.Feeds) *apitest.Gateway {
	t.Helper()
	return servedWith(t, x, func(o *api.Options) { o.Vehicles = vehicles })
}

// servedWith starts a gateway with a timetable and changed options.
func servedWith(t *testing.T, x *timetable.Index, change func(*api.Options)) *apitest.Gateway {
	t.Helper()
	return apitest.Start(t, with(t, x, change))
}

// with returns the options of a gateway with a timetable, changed.
func with(t *testing.T, x *timetable.Index, change func(*api.Options)) func(o *api.Options) {
	return func(o *api.Options) {
		o.Now = func() time.Time { return now }
		change(o)
		o.Acquire = apitest.Changed(t, o.Acquire, func(r *world.Region) {
			if r.Timetable = x; x != nil {
				r.Journeys = transit.Network(x, nil)
			}
		})
	}
}

func TestStops(t *testing.T) {
	g := served(t, drawn(t), nil)
	r := g.Send("GET", "/v1/transit/stops?lat=47.5001&lon=9.5", "")
	list := r.At(t, "stops").([]any)
	if r.Status != 200 || len(list) != 2 || r.At(t, "coverage", "expired") != false || r.At(t, "coverage", "first_day") != "2026-03-01" || fmt.Sprint(r.At(t, "attribution")) != "[Timetable: Town Council (http://t.example)]" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if s := list[0].(apitest.Object); s["id"] != "N1" || s["name"] != "North" || s["indicator"] != "opp" || s["locality"] != "Town" || s["distance_m"] != 11.1 || s["bearing_deg"] != 180.0 ||
		fmt.Sprint(s["lines"]) != "[10]" || fmt.Sprint(s["modes"]) != "[bus tram]" || s["wheelchair"] != true || s["code"] != "n1" || s["heading"] != "SW" {
		t.Errorf("%s", r.Body)
	}
	for query, want := range map[string]int{"&modes=tram": 2, "&modes=bus,%20tram": 2, "&modes=ferry": 0, "&radius_m=100": 1, "&limit=1": 1, "&radius_m=2000": 2} {
		if r := g.Send("GET", "/v1/transit/stops?lat=47.5001&lon=9.5"+query, ""); r.Status != 200 || len(r.At(t, "stops").([]any)) != want {
			t.Errorf("%s: %d %s", query, r.Status, r.Body)
		}
	}
	for query, says := range map[string]string{
		"lon=9.5": "lat", "lat=47.5": "lon", "lat=91&lon=9": "lat", "lat=47&lon=9&radius_m=0": "radius_m", "lat=47&lon=9&radius_m=2001": "radius_m",
		"lat=47&lon=9&limit=0": "limit", "lat=47&lon=9&limit=51": "limit", "lat=47&lon=9&modes=rocket": "rocket",
	} {
		if r := g.Send("GET", "/v1/transit/stops?"+query, ""); !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %s", query, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
}

func TestDepartures(t *testing.T) {
	g := served(t, drawn(t), nil)
	r := g.Send("GET", "/v1/transit/departures?stop=N1", "")
	list := r.At(t, "departures").([]any)
	if r.Status != 200 || len(list) != 1 || r.At(t, "basis") != "timetable" || r.At(t, "label") == "" || r.At(t, "stop", "name") != "North" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if d := list[0].(apitest.Object); d["line"] != "10" || d["destination"] != "South" || d["operator"] != "TOWN" || d["scheduled_at"] != "2026-03-02T08:00:00Z" || d["trip"] != "10-8" || d["booking"] != "driver" || d["mode"] != "bus" || d["colour"] != "#0055aa" || d["text_colour"] != nil {
		t.Errorf("%s", r.Body)
	}
	for query, want := range map[string]int{
		"N1&modes=bus,tram":                            2,
		"N1&window_minutes=180":                        3,
		"N1&window_minutes=180&limit=2":                2,
		"N1&window_minutes=1":                          0,
		"N1&at=2026-03-02T08:00:00Z":                   1,
		"N1&at=2026-03-02T09:00:00%2B01:00":            1,
		"N1&at=2026-03-03T00:30:00Z":                   2, // that of yesterday's 25 o'clock and today's 1 o'clock
		"N1&at=2026-03-04T23:59:59Z":                   2,
		"S1&window_minutes=180":                        0, // where all trips end
		"E1&window_minutes=180":                        0,
		"N1&at=2026-03-02T00:00:00Z&modes=bus":         2,
		"N1&at=2026-03-02T23:30:00Z&modes=bus":         2, // tomorrow's midnight and today's 24 o'clock
		"N1&window_minutes=60&at=2026-03-02T06:59:59Z": 1,
	} {
		if r := g.Send("GET", "/v1/transit/departures?stop="+query, ""); r.Status != 200 || len(r.At(t, "departures").([]any)) != want {
			t.Errorf("%s: %d, want %d: %s", query, r.Status, want, r.Body)
		}
	}
	for query, says := range map[string]string{
		"": "stop", "stop=": "stop", "stop=" + strings.Repeat("x", 201): "stop", "stop=N1&at=tomorrow": "at", "stop=N1&at=2026-03-02T08:00:00": "at", "stop=N1&at=2026-03-02": "at",
		"stop=N1&at=2026-03-05T00:00:00Z": "2026-03-05T00:00:00Z", "stop=N1&at=2026-03-01T23:59:59Z": "service days", "stop=N1&window_minutes=0": "window_minutes", "stop=N1&window_minutes=181": "window_minutes",
		"stop=N1&limit=0": "limit", "stop=N1&limit=31": "limit", "stop=N1&modes=car": "modes",
	} {
		if r := g.Send("GET", "/v1/transit/departures?"+query, ""); !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %s", query, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
	g.Send("GET", "/v1/transit/departures?stop=none", "").Problem(t, 404, "not-found")
}

// TestLanguages checks that names are in the requested language, and local where there is none.
func TestLanguages(t *testing.T) {
	g := served(t, drawn(t), nil)
	for lang, want := range map[string]string{"": "North South", "cy": "Y North Y South", "cy-GB": "Y North Y South", "fr": "North South"} {
		stops := g.Send("GET", "/v1/transit/stops?lat=47.5001&lon=9.5&lang="+lang, "")
		board := g.Send("GET", "/v1/transit/departures?stop=N1&lang="+lang, "")
		stop, departure := stops.At(t, "stops").([]any)[0].(apitest.Object), board.At(t, "departures").([]any)[0].(apitest.Object)
		if got := fmt.Sprint(stop["name"], " ", departure["destination"]); got != want || board.At(t, "stop", "name") != stop["name"] {
			t.Errorf("lang=%s: %s, want %s", lang, got, want)
		}
		if stops.At(t, "coverage", "on_demand") != 3.0 {
			t.Errorf("%s", stops.Body)
		}
	}
	g.Send("GET", "/v1/transit/departures?stop=N1&lang="+strings.Repeat("x", 36), "").Problem(t, 400, "bad-request")
}

func TestWithoutTimetable(t *testing.T) {
	g := served(t, nil, nil)
	for _, path := range []string{"/v1/transit/stops?lat=47&lon=9", "/v1/transit/departures?stop=N1", "/v1/transit/vehicles?bbox=1,2,3,4"} {
		if p := g.Send("GET", path, "").Problem(t, 501, "transit-not-enabled"); p["capability"] != "transit" {
			t.Error(p)
		}
	}
}

func TestJourneys(t *testing.T) {
	g := apitest.Many(t, nil, with(t, drawn(t), func(*api.Options) {}))
	const ends = `"from":{"lat":47.5,"lon":9.5},"to":{"lat":47.502,"lon":9.5}`
	ask := func(more string) apitest.Reply { return g.Send("POST", "/v1/transit/journeys", "{"+ends+more+"}") }
	r := ask(`,"window_minutes":120,"max_walk_m":150`)
	if r.Status != 200 || r.At(t, "basis") != "timetable" || r.At(t, "label") == "" || r.At(t, "at") != "2026-03-02T07:30:00Z" || r.At(t, "none") != nil || fmt.Sprint(r.At(t, "attribution")) != "[Timetable: Town Council (http://t.example)]" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	list := r.At(t, "journeys").([]any)
	if len(list) != 2 {
		t.Fatalf("%s", r.Body)
	}
	for i, at := range []string{"08", "09"} {
		j := list[i].(apitest.Object)
		ride := j["legs"].([]any)[0].(apitest.Object)
		if j["depart_at"] != "2026-03-02T"+at+":00:00Z" || j["arrive_at"] != "2026-03-02T"+at+":05:00Z" || j["changes"] != 0.0 || ride["mode"] != "bus" || ride["line"] != "10" || ride["booking"] != "driver" || ride["operator"] != "TOWN" {
			t.Errorf("%s", r.Body)
		}
	}
	if r := ask(`,"window_minutes":120,"max_walk_m":150,"page":"` + r.At(t, "next").(string) + `"`); r.Status != 200 || len(r.At(t, "journeys").([]any)) != 2 || r.At(t, "journeys").([]any)[0].(apitest.Object)["depart_at"] != "2026-03-02T10:00:00Z" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := ask(`,"modes":["tram"],"max_walk_m":150,"arrive_by":true,"at":"2026-03-02T09:30:00+01:00"`); r.Status != 200 || len(r.At(t, "journeys").([]any)) != 1 || r.At(t, "journeys").([]any)[0].(apitest.Object)["arrive_at"] != "2026-03-02T08:05:00Z" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := ask(`,"modes":["ferry"]`); r.Status != 200 || r.At(t, "none", "reason") != "no_stops_near_from" || len(r.At(t, "journeys").([]any)) != 1 { // on foot
		t.Errorf("%d %s", r.Status, r.Body)
	}
	// The stops are known as accessible, and only the trams.
	if r := ask(`,"max_walk_m":150,"wheelchair":true,"modes":["bus"]`); r.Status != 200 || r.At(t, "none", "reason") != "wheelchair" || len(r.At(t, "journeys").([]any)) != 0 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := ask(`,"max_walk_m":150,"wheelchair":true`); r.Status != 200 || len(r.At(t, "journeys").([]any)) != 1 || r.At(t, "journeys").([]any)[0].(apitest.Object)["legs"].([]any)[0].(apitest.Object)["mode"] != "tram" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	for more, says := range map[string]string{
		`,"wheelchair":1`: "wheelchair", `,"at":"tomorrow"`: "at", `,"at":"2026-03-02T08:00:00"`: "at", `,"at":5`: "at",
		`,"window_minutes":-1`: "window_minutes", `,"window_minutes":181`: "window_minutes", `,"window_minutes":1.5`: "window_minutes",
		`,"limit":0`: "limit", `,"limit":11`: "limit", `,"max_changes":-1`: "max_changes", `,"max_changes":7`: "max_changes",
		`,"max_walk_m":-1`: "max_walk_m", `,"max_walk_m":5001`: "max_walk_m", `,"walking_speed":0.4`: "walking_speed", `,"walking_speed":25.5`: "walking_speed",
		`,"min_change_s":-1`: "min_change_s", `,"min_change_s":1801`: "min_change_s", `,"modes":["rocket"]`: "modes", `,"modes":"bus"`: "modes",
		`,"page":"x"`: "page", `,"page":"` + strings.Repeat("1", 101) + `"`: "page", `,"arrive_by":"yes"`: "arrive_by",
	} {
		if r := ask(more); !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %s", more, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
	for body, says := range map[string]string{
		`{"from":{"lat":47.5,"lon":9.5}}`: "to", `{"to":{"lat":47.5,"lon":9.5}}`: "from", `{"from":{"lat":91,"lon":9.5},"to":{"lat":47.5,"lon":9.5}}`: "from.lat",
		`{"from":{"lat":47.5},"to":{"lat":47.5,"lon":9.5}}`: "from.lon", `[]`: "object",
	} {
		if r := g.Send("POST", "/v1/transit/journeys", body); r.Status != 400 || !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %d %s", body, r.Status, r.Body)
		}
	}
	if r := ask(`,"colour":"red"`); r.Status != 200 || !strings.Contains(fmt.Sprint(r.At(t, "warnings")), "colour") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	served(t, drawn(t), nil).Send("POST", "/v1/transit/journeys", "{"+ends+"}").Problem(t, 501, "transit-not-enabled") // without a matrix
	apitest.Many(t, nil, with(t, nil, func(*api.Options) {})).Send("POST", "/v1/transit/journeys", "{"+ends+"}").Problem(t, 501, "transit-not-enabled")
}
