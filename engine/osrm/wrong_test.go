package osrm

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/geo"
)

// TestWrongAnswers has a server answer what is no answer to the request: all are refused, as
// they are written and as values, and none is passed on.
func TestWrongAnswers(t *testing.T) {
	list := []engine.Location{at(9.52, 47.14), at(9.51, 47.16)}
	line := geo.EncodePolyline([]geo.Point{{Lon: 9.52, Lat: 47.14}, {Lon: 9.51, Lat: 47.16}}, 6)
	short := geo.EncodePolyline([]geo.Point{{Lon: 9.52, Lat: 47.14}, {Lon: 9.51, Lat: 47.16}}, 5)
	answer := func(legs, waypoints, geometry string) string {
		return `{"code":"Ok","routes":[{"distance":1,"duration":1,"geometry":"` + strings.ReplaceAll(geometry, `\\`, `\\\\`) + `","legs":[` + legs + `]}],"waypoints":[` + waypoints + `]}`
	}
	const here, there = `{"location":[9.52,47.14],"distance":0}`, `{"location":[9.51,47.16],"distance":0}`
	replies := []enginetest.Reply{
		{Name: "a right one", Body: answer(`{}`, here+","+there, line), Right: true},
		{Name: "an error with status 200", Body: `{"code":"NoRoute","message":"Impossible route between points"}`, Code: engine.CodeNoRoute},
		{Name: "no code", Body: strings.Replace(answer(`{}`, here+","+there, line), `"code":"Ok",`, "", 1)},
		{Name: "more legs", Body: answer(`{},{}`, here+","+there, line)},
		{Name: "no legs", Body: answer(``, here+","+there, line)},
		{Name: "one place", Body: answer(`{}`, here, line)},
		{Name: "three places", Body: answer(`{}`, here+","+here+","+there, line)},
		{Name: "a start 5 km away that says it is here", Body: answer(`{}`, `{"location":[9.585,47.14],"distance":0},`+there, line)},
		{Name: "a start 50 km away", Body: answer(`{}`, `{"location":[9.52,47.59],"distance":50038},`+there, line)},
		{Name: "the places exchanged", Body: answer(`{}`, there+","+here, line)},
		{Name: "a line of another precision", Body: answer(`{}`, here+","+there, short)},
		{Name: "no line", Body: answer(`{}`, here+","+there, "")},
		{Name: "no routes", Body: `{"code":"Ok","routes":[],"waypoints":[` + here + "," + there + `]}`},
		{Name: "a page", Body: `<html>welcome</html>`},
		{Name: "half an answer", Body: answer(`{}`, here+","+there, line)[:80]},
		{Name: "a proxy's page", Body: `<html>Bad Gateway</html>`, Status: 502},
		{Name: "too many requests", Body: `{"code":"TooManyRequests"}`, Status: 429},
	}
	for i := range len(replies) { // as values too, where the line is that of the steps
		if c := replies[i]; !strings.Contains(c.Name, "line") {
			c.Format = engine.NoFormat
			replies = append(replies, c)
		}
		replies[i].Format = engine.OSRM
	}
	at := func(url string) engine.Engine { return New(map[costing.Costing]string{costing.Auto: url}, nil) }
	enginetest.RunReplies(t, at, engine.RouteRequest{Costing: costing.Auto, Locations: list, Output: engine.Output{Geometries: "polyline6", Overview: "full"}}, replies)
}
