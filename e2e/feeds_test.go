package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/waittest"
)

// goodFeeds are a document of each kind, with data of the sample county at
// a time.
var goodFeeds = map[string]func(at time.Time) string{
	"fuel": func(at time.Time) string {
		return `{"last_updated":"` + at.Format(time.RFC3339) + `","stations":[{"id":"f1","brand":"Test","lat":49.3266,"lon":-7.2674,"currency":"GBP","prices":{"e10":139.9,"b7":145.9}}]}`
	},
	"charging": func(at time.Time) string {
		return `{"stations":[{"id":"c1","name":"Test","lat":49.3266,"lon":-7.2674,"updated_at":"` + at.Format(time.RFC3339) + `","connectors":[{"standard":"ccs2","power_kw":150,"count":2}]}]}`
	},
	"cameras": func(time.Time) string {
		return "id,lat,lon,kind,limit_mph\nk1,49.3250,-7.2600,fixed,30\n"
	},
	"weather": func(at time.Time) string {
		return "lat,lon,time,temperature_c,wind_ms,wind_from_deg,made_at\n49.33,-7.26," + at.Truncate(time.Hour).Format(time.RFC3339) + ",9,5,200," + at.Format(time.RFC3339) + "\n"
	},
	"traffic": func(at time.Time) string {
		return `{"taken":"` + at.Format(time.RFC3339) + `","records":[{"way":43,"direction":"both","speed_kph":20}]}`
	},
	"incidents": func(at time.Time) string {
		return `{"taken":"` + at.Format(time.RFC3339) + `","records":[{"id":"i1","way":47,"direction":"both","kind":"roadworks","severity":"low"}]}`
	},
	"datex2": func(at time.Time) string { return datex(at, datexRecord("d1", "49.326 -7.266 49.325 -7.262")) },
	"turns":  func(time.Time) string { return "# from,via,to,seconds\n1001,1002,1003,30\n" },
}

// kindOf returns the kind of feeds that a document of goodFeeds is of.
func kindOf(name string) string {
	if name == "datex2" || name == "turns" {
		return "traffic"
	}
	return name
}

// datex returns a publication of DATEX II made at a time.
func datex(at time.Time, records string) string {
	return `<d2LogicalModel xmlns="http://datex2.eu/schema/2/2_0" modelBaseVersion="2"><payloadPublication><publicationTime>` + at.Format(time.RFC3339) + `</publicationTime><situation id="s">` + records + `</situation></payloadPublication></d2LogicalModel>`
}

// datexRecord returns an accident along a list of positions, latitude first.
func datexRecord(id, positions string) string {
	return `<situationRecord xsi:type="Accident" id="` + id + `"><groupOfLocations><gmlLineString><posList>` + positions + `</posList></gmlLineString></groupOfLocations></situationRecord>`
}

// faults are failures of a server, with the error that is then reported.
var faults = map[string]struct {
	serve func(w http.ResponseWriter, r *http.Request, kind string)
	error string // part of the error
}{
	"down":     {func(http.ResponseWriter, *http.Request, string) { panic(http.ErrAbortHandler) }, "connection"},
	"refusing": {func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusServiceUnavailable) }, "the server answers 503"},
	"late":     {func(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() }, "not answered within 5s"},
	"half": {func(w http.ResponseWriter, _ *http.Request, kind string) {
		text := goodFeeds[kind](time.Now())
		_, _ = w.Write([]byte(text[:len(text)/2]))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}, "it broke off"},
	"page": {func(w http.ResponseWriter, _ *http.Request, _ string) {
		_, _ = w.Write([]byte("<!DOCTYPE html><html><body>We are down for maintenance.</body></html>"))
	}, "it is a web page and no data"},
	"bomb": {func(w http.ResponseWriter, _ *http.Request, kind string) {
		w.Header().Set("Content-Type", "application/gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(strings.TrimSuffix(goodFeeds[kind](time.Now()), "\n")))
		_, _ = z.Write(bytes.Repeat([]byte("\n"), 8<<20))
		_ = z.Close()
	}, "it unpacks to more than"},
	"empty":    {func(http.ResponseWriter, *http.Request, string) {}, "it is empty"},
	"entities": {func(w http.ResponseWriter, _ *http.Request, _ string) { _, _ = w.Write([]byte(entityBomb)) }, ""},
	"backwards": {func(w http.ResponseWriter, _ *http.Request, kind string) {
		_, _ = w.Write([]byte(goodFeeds[kind](time.Now().UTC().Add(-time.Hour))))
	}, "before the one in force"},
}

const entityBomb = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<d2LogicalModel><situation id="&c;"><situationRecord id="&c;"/></situation></d2LogicalModel>`

// misbehaving serves each feed as it should, and its fault once spoilt.
func misbehaving(t *testing.T) (s *httptest.Server, spoilt *atomic.Bool) {
	spoilt = &atomic.Bool{}
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, fault, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "-")
		if !spoilt.Load() {
			_, _ = w.Write([]byte(goodFeeds[kind](time.Now().UTC())))
			return
		}
		faults[fault].serve(w, r, kind)
	}))
	t.Cleanup(s.Close)
	return s, spoilt
}

// toldFeed is a feed as GET /admin/feeds has it.
type toldFeed struct {
	ID, Kind, State, Error string
	Records, Rejected      int
	Rejects                []struct {
		Reason string
		Count  int
	}
}

func (g *gateway) feeds(t *testing.T) map[string]toldFeed {
	t.Helper()
	var list struct{ Feeds []toldFeed }
	g.get(t, "/admin/feeds", bearer(adminToken)).ok(t).into(t, &list)
	out := map[string]toldFeed{}
	for _, f := range list.Feeds {
		out[f.ID] = f
	}
	return out
}

// withFeeds starts a gateway on the sample county with feeds.
func withFeeds(t *testing.T, list []map[string]any) *gateway {
	t.Helper()
	text, err := json.Marshal(map[string]any{"feeds": list})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "feeds.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return start(t, []string{"SVC_REGION_DIR=" + countyDir(t), "SVC_ADMIN_TOKEN=" + adminToken, "SVC_FEEDS=" + file, "SVC_DATA_DIR=" + t.TempDir()}, "serve")
}

// aheadOf are calls that answer from feeds of each kind.
var aheadOf = map[string]string{
	"fuel": "/v1/fuel/along", "charging": "/v1/charging/along", "weather": "/v1/weather/along", "incidents": "/v1/incidents/along",
}

const aheadJourney = `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}]`

// TestFeedsMisbehave checks for sources of every kind that, however they fail, what they
// reported before stays in force, the failure is reported everywhere, and nothing else
// suffers.
func TestFeedsMisbehave(t *testing.T) {
	t.Parallel()
	server, spoilt := misbehaving(t)
	var list []map[string]any
	for kind := range goodFeeds {
		for fault := range faults {
			if fault == "backwards" && (kind == "cameras" || kind == "charging" || kind == "turns") {
				continue // whose documents have no time
			}
			list = append(list, map[string]any{
				"id": kind + "-" + fault, "kind": kindOf(kind), "url": server.URL + "/" + kind + "-" + fault,
				"every": "1s", "timeout": map[bool]string{true: "5s", false: "10m"}[fault == "late"], "stale_after": "6h", "max_bytes": 1 << 20, "licence": "CC0-1.0",
			})
		}
	}
	g := withFeeds(t, list)
	var all map[string]toldFeed
	become := func(state string) {
		waittest.Until(t, "every feed is "+state, func() bool {
			all = g.feeds(t)
			for _, f := range all {
				if f.State != state {
					return false
				}
			}
			return true
		})
	}
	become("ok")
	spoilt.Store(true)
	become("failing")
	if len(all) != len(list) {
		t.Errorf("%d feeds of %d are reported", len(all), len(list))
	}
	for id, f := range all {
		_, fault, _ := strings.Cut(id, "-")
		if !strings.Contains(f.Error, faults[fault].error) || f.Error == "" || f.Records != 1 {
			t.Errorf("%s: %d records, error %q", id, f.Records, f.Error)
		}
		if fault != "down" && strings.Contains(f.Error, "127.0.0.1") { // the system's own words have it
			t.Errorf("%s tells an address: %s", id, f.Error)
		}
	}
	var health struct {
		Status string
		Feeds  []struct{ ID, State string }
	}
	g.get(t, "/health").ok(t).into(t, &health)
	if health.Status != "ok" || len(health.Feeds) != len(list) || health.Feeds[0].State != "failing" {
		t.Errorf("health: %+v", health)
	}
	metrics := string(g.get(t, "/metrics").ok(t).body)
	for _, want := range []string{`waygate_feed_state{`, `feed="fuel-bomb"`, `waygate_feed_failures{`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("the metrics have no %s", want)
		}
	}
	for kind, path := range aheadOf {
		more := map[string]string{"fuel": `,"fuel":"diesel"`}[kind]
		var answer struct {
			Coverage []struct{ Source, State string }
		}
		g.send(t, http.MethodPost, path, aheadJourney+more+`}`).ok(t).into(t, &answer)
		failing := 0
		for _, c := range answer.Coverage {
			if c.State == "failing" {
				failing++
			}
		}
		if failing == 0 {
			t.Errorf("%s does not tell that its sources fail: %+v", path, answer.Coverage)
		}
	}
}

// TestFeedsTellNonsense checks that wrong records of every kind are counted by their
// reason, and the good ones beside them are taken.
func TestFeedsTellNonsense(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC().Truncate(time.Hour).Format(time.RFC3339)
	documents := map[string]struct {
		text     string
		records  int
		rejected int
	}{
		"fuel": {`{"new":{"a":1},"stations":[
			{"id":"good","lat":51.5,"lon":-1.5,"country":"GB","prices":{"e10":139.9},"new":[1]},
			{"id":"good","lat":51.5,"lon":-1.5,"country":"GB","prices":{"e10":139.9}},
			{"id":"swapped","lat":-1.5,"lon":51.5,"country":"GB","prices":{"e10":139.9}},
			{"id":"nothing","lat":51.5,"lon":-1.6,"country":"GB","prices":{"e10":0}},
			{"id":"dear","lat":51.5,"lon":-1.7,"country":"GB","prices":{"e10":9999}}]}`, 3, 4},
		"charging": {`{"new":1,"stations":[
			{"id":"good","lat":51.5,"lon":-1.5,"country":"GB","new":{},"connectors":[{"standard":"ccs2","power_kw":150,"count":2}]},
			{"id":"good","lat":51.5,"lon":-1.5,"country":"GB","connectors":[{"standard":"ccs2","power_kw":150,"count":2}]},
			{"id":"swapped","lat":-1.5,"lon":51.5,"country":"GB","connectors":[{"standard":"ccs2","power_kw":150,"count":2}]}]}`, 1, 2},
		"cameras": {"id,lat,lon,kind,limit_kph,country,new\ngood,51.5,-1.5,fixed,50,GB,x\ngood,51.5,-1.5,fixed,50,GB,x\nswapped,-1.5,51.5,fixed,50,GB,x\n", 1, 2},
		"weather": {"lat,lon,time,temperature_c,new\n49.33,-7.26," + now + ",9,x\n49.33,-7.26," + now + ",9,x\n149,-7.26," + now + ",9,x\n", 1, 1},
		"traffic": {`{"taken":"` + now + `","new":{"a":[1]},"records":[
			{"way":43,"direction":"both","speed_kph":20,"new":1},
			{"way":44,"speed_kph":9999},{"way":45,"speed_kph":-1},
			{"id":"off","lat":149,"lon":-7,"speed_kph":20}]}`, 1, 3},
		"incidents": {`{"taken":"` + now + `","records":[
			{"id":"good","way":47,"direction":"both","kind":"roadworks","new":1},
			{"id":"good","way":47,"direction":"both","kind":"roadworks"},
			{"id":"nowhere","kind":"closure","closed":true}]}`, 1, 2},
		"datex2": {datex(time.Now().UTC(), datexRecord("good", "49.326 -7.266 49.325 -7.262")+
			strings.Replace(datexRecord("good", "49.326 -7.266 49.325 -7.262"), "<groupOfLocations>", "<newField new='1'><deep/></newField><groupOfLocations>", 1)+
			datexRecord("off", "149.326 -7.266 149.325 -7.262")+datexRecord("swapped", "-7.266 49.326 -7.262 49.325")+
			`<situationRecord xsi:type="NewRecord" id="new"/>`), 2, 3},
		"segments": {"1,2,50\n1,2,30\n2,3,9999\n3,4,-1\nx,4,10\n", 2, 3},
		"turns":    {"1001,1002,1003,30\n1001,1002,1003,20,new\n1001,1002,1003,9999\n1002,1003,1004,-1\n1002,1003,1004\n", 2, 3},
		"wzdx": {`{"feed_info":{"update_date":"` + now + `","new":1},"features":[
			{"id":"good","new":1,"geometry":{"type":"LineString","coordinates":[[-7.266,49.326],[-7.262,49.325]]},"properties":{"core_details":{"event_type":"work-zone"}}},
			{"id":"good","geometry":{"type":"LineString","coordinates":[[-7.266,49.326],[-7.262,49.325]]},"properties":{"core_details":{"event_type":"work-zone"}}},
			{"id":"off","geometry":{"type":"LineString","coordinates":[[49.326,-97.266],[49.325,-97.262]]},"properties":{"core_details":{"event_type":"work-zone"}}}]}`, 1, 2},
		"cifs": {`{"incidents":[{"id":"good","type":"ACCIDENT","polyline":"49.326 -7.266","new":1},{"id":"good","type":"ACCIDENT","polyline":"49.326 -7.266"},
			{"id":"off","type":"ACCIDENT","polyline":"149.3 -7.266"},{"id":"kind","type":"POLICE","polyline":"49.326 -7.266"}]}`, 1, 3},
	}
	traffic := map[string]string{"datex2": "datex2", "segments": "segments", "turns": "turns", "wzdx": "wzdx", "cifs": "cifs"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(documents[strings.TrimPrefix(r.URL.Path, "/")].text))
	}))
	t.Cleanup(server.Close)
	// Every road of the county is closed by one feed.
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, "way,direction,speed_kph\n")
		for way := range 4000 {
			_, _ = fmt.Fprintf(w, "%d,both,0\n", way+1)
		}
	}))
	t.Cleanup(closed.Close)
	list := []map[string]any{{"id": "closed", "kind": "traffic", "url": closed.URL, "every": "1h"}}
	for kind := range documents {
		source := map[string]any{"id": kind, "kind": kind, "url": server.URL + "/" + kind, "every": "1h", "stale_after": "24h"}
		if format := traffic[kind]; format != "" {
			source["kind"], source["format"] = "traffic", format
		}
		list = append(list, source)
	}
	g := withFeeds(t, list)
	var all map[string]toldFeed
	waittest.Until(t, "every feed was read", func() bool {
		all = g.feeds(t)
		for _, f := range all {
			if f.State == "waiting" {
				return false
			}
		}
		return true
	})
	for kind, want := range documents {
		if f := all[kind]; f.State != "ok" || f.Records != want.records || f.Rejected != want.rejected {
			t.Errorf("%s: %+v, want %d records and %d left out", kind, f, want.records, want.rejected)
		}
	}
	if f := all["closed"]; f.State != "ok" || f.Records != 4000 {
		t.Errorf("the closures: %+v", f)
	}
	// A feed that closes a whole county closes none of it, once it is on the roads.
	waittest.Until(t, "incidents are on the roads", func() bool {
		return strings.Contains(string(g.send(t, http.MethodPost, "/v1/incidents/along", aheadJourney+"}").ok(t).body), `"good"`)
	})
	// A line in another ocean is on no road, and its source says so.
	var answer struct {
		Sources []struct {
			Source     string
			OnRoads    int `json:"on_roads"`
			NotOnRoads int `json:"not_on_roads"`
		}
	}
	waittest.Until(t, "every source is looked for on the roads", func() bool { // each when it was read
		answer.Sources = nil
		g.get(t, "/v1/traffic?bbox=-7.3,49.3,-7.2,49.35").ok(t).into(t, &answer)
		looked := 0
		for _, s := range answer.Sources {
			if s.OnRoads+s.NotOnRoads > 0 && (s.Source == "datex2" || s.Source == "incidents") {
				looked++
			}
		}
		return looked == 2
	})
	for _, s := range answer.Sources {
		if s.Source == "datex2" && s.NotOnRoads == 0 || s.Source == "incidents" && (s.OnRoads != 1 || s.NotOnRoads != 0) {
			t.Errorf("%+v", s)
		}
	}
	if len(answer.Sources) != 8 {
		t.Errorf("%d sources of traffic and incidents", len(answer.Sources))
	}
	waittest.Until(t, "the log says that a feed closes the county", func() bool { return strings.Contains(g.log.String(), "closes so many roads") })
	g.send(t, http.MethodPost, "/route", aheadJourney+`,"costing":"auto"}`).ok(t)
}
