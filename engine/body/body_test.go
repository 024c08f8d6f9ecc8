package body_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

func TestLocation(t *testing.T) {
	r := &body.Reader{}
	l := r.Location(json.RawMessage(`{"lat":47,"lon":9,"type":"through","heading":90,"heading_tolerance":20,"radius":50,"search_cutoff":900,`+
		`"search_filter":{"exclude_tunnel":true,"exclude_closures":false,"min_road_class":"tertiary"},"preferred_side":"curb","street_side_tolerance":7,`+
		`"street_side_max_distance":70,"street_side_cutoff":"primary","name":"x","colour":"red","rank_candidates":null}`), "at")
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if l.Point != (geo.Point{Lon: 9, Lat: 47}) || l.Stop != engine.Through || *l.Heading != 90 || l.HeadingTolerance != 20 || l.Radius != 50 || l.SearchCutoff != 900 ||
		!l.Filter.ExcludeTunnel || l.Filter.ExcludeClosures || l.Filter.MinClass != "tertiary" || l.Side != engine.SameSide || *l.SideTolerance != 7 ||
		*l.SideMaxDistance != 70 || l.SideCutoff != "primary" || l.Name != "x" {
		t.Errorf("%+v", l)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Code != body.UnknownMember || !strings.Contains(r.Warnings[0].Text, "at.colour") {
		t.Errorf("%+v", r.Warnings)
	}
}

func TestLocationRefusals(t *testing.T) {
	region := geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 10, Lat: 48}}
	for members, want := range map[string]string{
		`"lat":95,"lon":9`:                "at.lat: is 95",
		`"lat":120,"lon":47`:              "at.lat: is 120",
		`"lat":47`:                        "at.lon: is missing",
		`"lat":47,"lon":9,"type":"stop"`:  "at.type: must be one of break",
		`"lat":47,"lon":9,"radius":20000`: "at.radius: is 20000",

		`"lat":47,"lon":9,"search_filter":{"exclude_toll":1}`: "at.search_filter.exclude_toll: must be true",

		`"lat":47,"lon":9,"search_filter":{"min_road_class":"primary","max_road_class":"tertiary"}`: "leaves no road",
		`"lat":47,"lon":9,"street_side_tolerance":1000`:                                             "must be smaller than street_side_max_distance (1000 m)",
		`"lat":47,"lon":9,"name":"` + strings.Repeat("x", 300) + `"`:                                "at.name: has 300 bytes",
	} {
		r := &body.Reader{Bounds: region}
		r.Location(json.RawMessage("{"+members+"}"), "at")
		var f *fault.Error
		if err := r.Err(); !errors.As(err, &f) || !strings.Contains(f.Detail, want) {
			t.Errorf("%s: %v, want %q", members, err, want)
		}
	}
}

func TestCosting(t *testing.T) {
	read := func(doc string) (*body.Reader, costing.Costing, costing.Settings) {
		var all map[string]json.RawMessage
		if err := json.Unmarshal([]byte(doc), &all); err != nil {
			t.Fatal(err)
		}
		r := &body.Reader{}
		c, s := r.Costing(all)
		return r, c, s
	}
	r, c, s := read(`{"costing":"truck","costing_options":{"truck":{"adr_tunnel_code":"b/d","height":3,"zzz":1},"auto":{"height":"ignored"},"boat":{}}}`)
	if r.Err() != nil || c != costing.Truck || s.Text(costing.ADRTunnelCode) != "B/D" || s.Of(c).Height != 3 || len(r.Warnings) != 2 {
		t.Errorf("%v %s %v %+v", r.Err(), c, s.Raw(), r.Warnings)
	}
	if r, _, _ = read(`{"costing":"auto","costing_options":{"auto":{"axle_count":3}}}`); r.Err() == nil || !strings.Contains(r.Err().Error(), "needs the costing truck") {
		t.Errorf("%v", r.Err())
	}
}

// TestWarningsEnd holds that a request of many unknown members does not make
// an answer of as many warnings.
func TestWarningsEnd(t *testing.T) {
	r := &body.Reader{}
	for range 1000 {
		r.Warn(body.UnknownMember, "%s is not known here", strings.Repeat("long ", 1000))
	}
	if len(r.Warnings) != 41 || len(r.Warnings[0].Text) > 300 || !strings.Contains(r.Warnings[40].Text, "ends here") {
		t.Errorf("%d warnings, the last %q", len(r.Warnings), r.Warnings[len(r.Warnings)-1].Text)
	}
}
