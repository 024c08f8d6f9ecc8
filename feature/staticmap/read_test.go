package staticmap

import (
	"encoding/json"
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// ask makes a query of names and values.
func ask(pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Add(pairs[i], pairs[i+1])
	}
	return q.Encode()
}

func mustRead(t *testing.T, query, body string) *Request {
	t.Helper()
	r, err := Read(query, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRead(t *testing.T) {
	if r := mustRead(t, "center=1,2&zoom=3&pitch=86", ""); r.Pitch != MaxPitch || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "85") {
		t.Errorf("a pitch above the highest: %g, %q", r.Pitch, r.Warnings)
	}
	r := mustRead(t, "center=-3,51.6&zoom=12.5&size=320x200@2x&bearing=-45&pitch=85&style=dark&format=jpg&quality=70&lang=cy&pois=0&buildings3d=1&utm=x", "")
	if *r.Center != (geo.Point{Lon: -3, Lat: 51.6}) || r.Zoom != 12.5 || r.Width != 320 || r.Height != 200 || r.Ratio != 2 || r.Bearing != -45 || r.Pitch != 85 || r.Style != "dark" || r.Format != "jpeg" || r.Quality != 70 || *r.Language != "cy" || *r.POIs || !r.Buildings || len(r.Warnings) != 1 || r.Warnings[0] != "utm is not known here and had no effect" {
		t.Errorf("%+v", r)
	}
	if r := mustRead(t, "bbox=179,-20,-179,-15&retina=2&lang=local", ""); r.Box.Max.Lon != 181 || r.Ratio != 2 || *r.Language != "" || r.Width != usualWidth || r.Format != "png" || r.POIs != nil {
		t.Errorf("%+v", r)
	}
}

func TestReadMarkers(t *testing.T) {
	r := mustRead(t, "markers=-3,51;-3.1,51.2,A;-3.2,51.3,12,teal&markers=-3,50,é,0af", "")
	want := []Marker{{[2]float64{-3, 51}, "", usualMarker}, {[2]float64{-3.1, 51.2}, "A", usualMarker}, {[2]float64{-3.2, 51.3}, "12", "#008080"}, {[2]float64{-3, 50}, "é", "#00aaff"}}
	if len(r.Markers) != len(want) {
		t.Fatalf("%+v", r.Markers)
	}
	for i, m := range r.Markers {
		if m != want[i] {
			t.Errorf("%+v", m)
		}
	}
	mustRead(t, "markers="+strings.Repeat("1,2;", MaxMarkers), "")
	_, err := Read("markers="+strings.Repeat("1,2;", MaxMarkers+1), nil)
	wantProblem(t, err, "51", "at most 50")
}

func wantProblem(t *testing.T, err error, words ...string) {
	t.Helper()
	if !fault.Is(err, fault.BadRequest) {
		t.Errorf("%v, want bad-request with %q", err, words)
		return
	}
	text, _ := json.Marshal(err)
	for _, word := range words {
		if !strings.Contains(err.Error()+string(text), word) {
			t.Errorf("%v\nlacks %q", err, word)
		}
	}
}

func TestRefused(t *testing.T) {
	line := []geo.Point{{Lon: -3, Lat: 51}, {Lon: -3.1, Lat: 51.2}}
	six := geo.EncodePolyline(line, 6)
	for _, c := range []struct {
		query, body string
		words       []string
	}{
		{"", "", []string{"center", "is missing"}},
		{"center=1,2", "", []string{"zoom", "missing"}},
		{"zoom=3", "", []string{"needs center"}},
		{"center=1,2&zoom=21", "", []string{"from 0 to 20"}},
		{"center=1,2&zoom=-1", "", []string{"from 0 to 20"}},
		{"center=1,2&zoom=NaN", "", []string{"zoom"}},
		{"center=51,-181&zoom=3", "", []string{"lon is -180 to 180"}},
		{"center=51.5,-100&zoom=3", "", []string{"are lon and lat swapped?"}},
		{"center=1;2&zoom=3", "", []string{"lon,lat"}},
		{"center=1,2&zoom=3&bbox=1,2,3,4", "", []string{"bbox", "beside center"}},
		{"bbox=1,2,3", "", []string{"west,south,east,north"}},
		{"bbox=1,5,3,4", "", []string{"south below north"}},
		{"center=1,2&zoom=3&pitch=361", "", []string{"from 0 to 360"}},
		{"center=1,2&zoom=3&pitch=-1", "", []string{"from 0 to 360"}},
		{"center=1,2&zoom=3&size=1281x5", "", []string{"1 to 1280"}},
		{"center=1,2&zoom=3&size=0x5", "", []string{"1 to 1280"}},
		{"center=1,2&zoom=3&size=5", "", []string{"WxH"}},
		{"center=1,2&zoom=3&size=50x50&width=3", "", []string{"beside width"}},
		{"center=1,2&zoom=3&retina=3", "", []string{"retina"}},
		{"center=1,2&zoom=3&format=gif", "", []string{"png, webp or jpeg"}},
		{"center=1,2&zoom=3&format=webp&quality=101", "", []string{"1 to 100"}},
		{"center=1,2&zoom=3&quality=50", "", []string{"png loses nothing"}},
		{"center=1,2&zoom=3&lang=english", "", []string{"ISO 639"}},
		{"center=1,2&zoom=3&pois=perhaps", "", []string{"pois"}},
		{"center=1,2&zoom=3&zoom=4", "", []string{"stands 2 times"}},
		{"center=%zz", "", []string{"malformed"}},
		{"markers=1,2,abc", "", []string{"1 or 2 characters"}},
		{"markers=1", "", []string{"lon,lat[,label[,colour]]"}},
		{"markers=1,2,a,greenish", "", []string{"colour"}},
		{ask("route", six, "precision", "4"), "", []string{"5 or 6"}},
		{ask("route", six, "precision", "5"), "", []string{"with precision=6 it can be read"}},
		{ask("route", six, "polyline", six), "", []string{"another name of route"}},
		{ask("route", "??"), "", []string{"a line needs 2"}},
		{ask("route", six, "route_width", "41"), "", []string{"1 to 40"}},
		{"", `{"geojson":{"type":"Point","coordinates":[1,2]}}`, []string{"no usable coordinates"}},
		{"", `{"type":"FeatureCollection","features":[]}`, []string{"no usable coordinates"}},
		{"", `[]`, []string{"0 values"}},
		{"", `7`, []string{"not GeoJSON"}},
		{"", `{"type":"Point","coordinates":[1,91]}`, []string{"off the globe"}},
		{"", `{"type":"Point","coordinates":[[1,2]]}`, []string{"not those of a Point"}},
		{"", `{"type":"LineString","coordinates":[[1,2]]}`, []string{"a line needs 2"}},
		{"", `{"type":"Polygon","coordinates":[[[1,2],[2,3],[3,4]]]}`, []string{"no ring"}},
		{"", `{"type":"Feature","properties":{"stroke":"nice","stroke-width":99},"geometry":{"type":"Point","coordinates":[1,2]}}`, []string{"properties.stroke", "0 to 40"}},
		{"", strings.Repeat(`{"type":"GeometryCollection","geometries":[`, 6) + strings.Repeat(`]}`, 6), []string{"more than 4 deep"}},
	} {
		_, err := Read(c.query, []byte(c.body))
		wantProblem(t, err, c.words...)
	}
	if _, err := Read("center="+strings.Repeat("1", MaxQuery-7), nil); !fault.Is(err, fault.BadRequest) {
		t.Errorf("8,000 bytes: %v", err)
	}
	if _, err := Read("center="+strings.Repeat("1", MaxQuery-6), nil); !fault.Is(err, fault.QueryTooLong) {
		t.Errorf("8,001 bytes: %v", err)
	}
}

// A polyline of five digits read as six is another place, and no failure.
func TestWrongPrecision(t *testing.T) {
	line := []geo.Point{{Lon: -3, Lat: 51}, {Lon: -3.1, Lat: 51.2}}
	r := mustRead(t, ask("route", geo.EncodePolyline(line, 5)), "")
	if got := r.Overlays[0].points[0]; math.Abs(got.Lat-5.1) > 1e-6 {
		t.Errorf("%v", got)
	}
	r = mustRead(t, ask("polyline", geo.EncodePolyline(line, 5), "precision", "5", "route_colour", "f00", "route_width", "8"), "")
	if o := r.Overlays[0]; o.points[0] != line[0] || o.Stroke != "#ff0000" || o.StrokeWidth != 8 {
		t.Errorf("%+v", o)
	}
}

// Each value is an overlay of its own look; a collection has that of its first
// feature.
func TestOverlays(t *testing.T) {
	feature := func(stroke string) string {
		return `{"type":"Feature","properties":{"stroke":"` + stroke + `","stroke-width":2,"fill-opacity":0.5},"geometry":{"type":"LineString","coordinates":[[1,2,9],[2,3]]}}`
	}
	if all := mustRead(t, "", "["+feature("red")+","+feature("#0f0")+"]").Overlays; len(all) != 2 || all[0].Stroke != "#ff0000" || all[1].Stroke != "#00ff00" || all[1].StrokeWidth != 2 || all[1].FillOpacity != 0.5 {
		t.Errorf("%+v", all)
	}
	all := mustRead(t, ask("geojson", feature("blue"), "geojson", `{"type":"Point","coordinates":[1,2]}`), `{"type":"FeatureCollection","features":[`+feature("red")+","+feature("#0f0")+`]}`).Overlays
	if len(all) != 3 || all[0].Stroke != "#0000ff" || all[1].Stroke != usualColour || all[2].Stroke != "#ff0000" || len(all[2].points) != 4 || len(all[2].Geometry.Geometries) != 2 {
		t.Errorf("%+v", all)
	}
}

// A bow tie becomes two triangles, which the renderer does not take for nothing.
func TestBowTie(t *testing.T) {
	r := mustRead(t, "", `{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}`)
	text, err := json.Marshal(r.Overlays[0].Geometry)
	if want := `{"type":"MultiPolygon","coordinates":[[[[1,1],[0,2],[0,0],[1,1]]],[[[1,1],[2,2],[2,0],[1,1]]]]}`; err != nil || string(text) != want {
		t.Errorf("%s, %v\nwant %s", text, err, want)
	}
}

// What is to be seen is on the image, whatever the bearing.
func TestCameraFits(t *testing.T) {
	for _, query := range []string{"bbox=-3.1,51.4,-2.9,51.7&size=320x200", "bbox=170,-20,-170,20", "markers=-3,51;-3.2,51.5&size=137x60", "markers=179,10;-179,11", "markers=5,60", "bbox=-180,-85,180,85&size=1280x1280"} {
		for _, bearing := range []string{"0", "30", "-200"} {
			r := mustRead(t, query+"&bearing="+bearing, "")
			c := r.Camera()
			middle := project(c.Center.Lon, c.Center.Lat)
			places := r.drawn()
			if r.Box != nil {
				low, high := project(r.Box.Min.Lon, r.Box.Min.Lat), project(r.Box.Max.Lon, r.Box.Max.Lat)
				places = []flat{low, high, {low.x, high.y}, {high.x, low.y}}
			}
			for _, p := range places {
				off := flat{p.x - middle.x, p.y - middle.y}
				off.x -= math.Round(off.x)
				if r.Box != nil && math.Abs(off.x) == 0.5 {
					continue // either edge of the world
				}
				off = off.rotated(c.Bearing)
				scale := world * math.Exp2(c.Zoom)
				if x, y := off.x*scale, off.y*scale; c.Zoom > 0 && (math.Abs(x) > float64(r.Width)/2+0.01 || math.Abs(y) > float64(r.Height)/2+0.01) {
					t.Errorf("%s at %s: a place is %.1f, %.1f pixels off the middle at zoom %.2f", query, bearing, x, y, c.Zoom)
				}
			}
		}
	}
	if c := mustRead(t, "markers=5,60", "").Camera(); c.Zoom != onePlace || math.Abs(c.Center.Lon-5) > 1e-9 || c.Center.Lat <= 60 {
		t.Errorf("%+v: a single place is in the middle, below its pin", c)
	}
}

func TestView(t *testing.T) {
	v := mustRead(t, "center=-3,51.6&zoom=12", "").Camera().View(600, 400)
	if !v.Contains(geo.Point{Lon: -3, Lat: 51.6}) || math.Abs((v.Max.Lon-v.Min.Lon)-600.0/512/4096*360) > 1e-9 {
		t.Errorf("%+v", v)
	}
}

func TestNotice(t *testing.T) {
	full, err := NoticeOf(`<a href="x">© OpenStreetMap contributors</a> · Heights: NASA &amp; NGA`, 1280)
	if err != nil || full.Text != "Waygate · © OpenStreetMap contributors · Heights: NASA & NGA" {
		t.Errorf("%+v, %v", full, err)
	}
	short, err := NoticeOf("© OpenStreetMap contributors", 150)
	if err != nil || short.Text != "Waygate · © OpenStreetMap" || short.Width >= full.Width {
		t.Errorf("%+v, %v", short, err)
	}
	s := &Service{}
	for query, least := range map[string]string{"size=100x100": "minimum width is 137 px", "size=252x100&style=outdoor": "minimum width is 253 px", "width=283&satellite=1": "minimum width is 284 px", "width=388&satellite=1&style=outdoor": "minimum width is 389 px", "size=600x15": "minimum height is 16 px"} {
		_, err := s.Picture(mustRead(t, "center=1,2&zoom=3&"+query, ""), Map{Attribution: "© OpenStreetMap contributors"})
		wantProblem(t, err, least)
	}
	for _, query := range []string{"size=137x16", "size=253x100&style=outdoor"} {
		if _, err := s.Picture(mustRead(t, "center=1,2&zoom=3&"+query, ""), Map{Attribution: "© OpenStreetMap contributors"}); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	if _, err := s.Picture(mustRead(t, "center=1,2&zoom=3&size=389x100&style=outdoor&satellite=1", ""), Map{}); !fault.Is(err, "satellite-not-enabled") {
		t.Error(err)
	}
}
