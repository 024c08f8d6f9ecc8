package traffic

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
)

func TestAnswer(t *testing.T) {
	now := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	made := now.Add(-90 * time.Second)
	a := New(true)
	a.AddRoad(LiveRoad{Line: []geo.Point{{Lon: -1.23456789, Lat: 50}, {Lon: -1, Lat: 50.5}}, Speed: 20, Free: 80, Class: "primary"})
	a.AddRoad(LiveRoad{Speed: 90, Free: 80, Class: "motorway"})
	a.AddRoad(LiveRoad{Free: 50, Closed: true, Class: "residential"})
	a.AddSource(LiveSource{Feed: &feed.Source{ID: "speeds", Licence: "CC0"}, Kind: "traffic", At: &made, OnRoads: 7, Missed: 2}, now)
	a.AddSource(LiveSource{Feed: &feed.Source{ID: "reports"}, Kind: "incidents", Stale: true}, now)
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"FeatureCollection","features":[` +
		`{"type":"Feature","geometry":{"type":"LineString","coordinates":[[-1.234568,50],[-1,50.5]]},"properties":{"speed_kph":20,"free_kph":80,"ratio":0.25,"closed":false,"class":"primary"}},` +
		`{"type":"Feature","geometry":{"type":"LineString","coordinates":[]},"properties":{"speed_kph":90,"free_kph":80,"ratio":1,"closed":false,"class":"motorway"}},` +
		`{"type":"Feature","geometry":{"type":"LineString","coordinates":[]},"properties":{"speed_kph":null,"free_kph":50,"ratio":null,"closed":true,"class":"residential"}}],` +
		`"more":true,"sources":[` +
		`{"source":"speeds","name":"speeds","kind":"traffic","updated_at":"2026-11-30T07:58:30Z","age_s":90,"stale":false,"on_roads":7,"not_on_roads":2,"licence":"CC0","attribution":null},` +
		`{"source":"reports","name":"reports","kind":"incidents","updated_at":null,"age_s":null,"stale":true,"on_roads":0,"not_on_roads":0,"licence":null,"attribution":null}],` +
		`"caveat":"A road that is not in the answer is not a clear one: nothing is known of it."}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}
