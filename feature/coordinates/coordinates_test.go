package coordinates

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/waygate/waygate/fault"
)

func codes(list []CRS) []string {
	var c []string
	for _, s := range list {
		c = append(c, s.Code)
	}
	return c
}

func TestList(t *testing.T) {
	all := List("")
	if len(all) != 12+11+60+60 {
		t.Errorf("%d systems, want 143", len(all))
	}
	for _, tt := range []struct{ q, want string }{
		{"27700", "EPSG:27700"},
		{"epsg:277", "EPSG:27700"},
		{"new york", "EPSG:2263"},
		{" LAEA ", "EPSG:3035"},
		{"osgb36", "EPSG:4277 EPSG:27700"},
		{"utm zone 28n", "EPSG:25828 EPSG:32628"},
		{"belgian", "EPSG:3812 EPSG:31370"},
		{"atlantis", ""},
	} {
		if got := strings.Join(codes(List(tt.q)), " "); got != tt.want {
			t.Errorf("List(%q) gives %s, want %s", tt.q, got, tt.want)
		}
	}
	if List("atlantis") == nil {
		t.Error("no match gives nil, which is null in JSON")
	}
}

// TestListed checks that every code the contract names is there and states
// the error the contract says it has.
func TestListed(t *testing.T) {
	want := map[int]string{4326: "no datum-shift", 3857: "no datum-shift", 4277: "seven-parameter"}
	for _, c := range []int{4258, 3035, 2154, 3812} {
		want[c] = "zero-parameter"
	}
	for c := 25828; c <= 25838; c++ {
		want[c] = "zero-parameter"
	}
	for _, c := range []int{27700, 28992, 31370, 4269, 2263} {
		want[c] = "seven-parameter"
	}
	for z := 1; z <= 60; z++ {
		want[32600+z], want[32700+z] = "no datum-shift", "no datum-shift"
	}
	last := 0
	for _, s := range table() {
		text, ok := want[s.code]
		if !ok {
			t.Errorf("EPSG:%d is not in the contract", s.code)
		}
		delete(want, s.code)
		c := s.describe()
		if !strings.HasPrefix(c.Accuracy, text) || text == "seven-parameter" && !strings.Contains(c.Accuracy, "metre-level") {
			t.Errorf("EPSG:%d has accuracy %q, want %s", s.code, c.Accuracy, text)
		}
		if s.code <= last {
			t.Errorf("EPSG:%d follows EPSG:%d", s.code, last)
		}
		last = s.code
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

func TestDescription(t *testing.T) {
	got, err := json.Marshal(List("27700")[0])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"code":"EPSG:27700","name":"OSGB36 / British National Grid","kind":"projected","unit":"metre",` +
		`"axes":"x = easting, y = northing","accuracy":"seven-parameter datum shift to WGS 84 (EPSG:1314, no OSTN15 grid): metre-level error, 2 m by EPSG and up to 5 m in places; no datum shift between EPSG:27700 and EPSG:4277",` +
		`"proj4":"+proj=tmerc +lat_0=49 +k=0.9996012717 +lon_0=-2 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489 +units=m +no_defs +type=crs"}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for code, unit := range map[string]string{"EPSG:4326": "degree", "EPSG:2263": "US survey foot", "EPSG:3857": "metre"} {
		if c := List(code)[0]; c.Unit != unit {
			t.Errorf("%s counts in %q, want %q", code, c.Unit, unit)
		}
	}
}

// TestTransform checks published positions: EPSG GN 7-2's examples and the
// Ordnance Survey guide's, on one datum so that no shift blurs them.
func TestTransform(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		in, want XY
		within   float64
	}{
		{"4277", "27700", XY{1 + 43./60 + 4.5177/3600, 52 + 39./60 + 27.2531/3600}, XY{651409.903, 313177.270}, 0.001},
		{"EPSG:27700", "epsg:4277", XY{651409.903, 313177.270}, XY{1 + 43./60 + 4.5177/3600, 52 + 39./60 + 27.2531/3600}, 1e-8},
		{"4258", "3035", XY{5, 50}, XY{3962799.45, 2999718.85}, 0.006},
		{"4326", "3857", XY{-(100 + 20./60), 24 + 22./60 + 54.433/3600}, XY{-11169055.58, 2800000}, 0.01},
		{" 4326 ", "EPSG:3857", XY{180, 0}, XY{20037508.34279, 0}, 1e-5},
		{"3857", "4326", XY{20037508.342789244, 0}, XY{180, 0}, 1e-9},
		{"4326", "32631", XY{3, 0}, XY{500000, 0}, 0},
		{"4326", "32731", XY{3, 0}, XY{500000, 1e7}, 0},
		{"4326", "32601", XY{179, 0}, XY{55000, 0}, 1000}, // across the antimeridian: four degrees west of 177 W
		{"4326", "32660", XY{-179, 0}, XY{945000, 0}, 1000},
		{"4326", "4326", XY{1.5, -2.25}, XY{1.5, -2.25}, 0},
		{"4258", "4326", XY{10, 50}, XY{10, 50}, 0},
		{"2263", "2263", XY{984250, 200000}, XY{984250, 200000}, 0},
	} {
		got, err := Transform(tt.from, tt.to, []XY{tt.in})
		if err != nil {
			t.Errorf("%s to %s: %v", tt.from, tt.to, err)
			continue
		}
		if c := got.Coordinates[0]; math.Abs(c.X-tt.want.X) > tt.within || math.Abs(c.Y-tt.want.Y) > tt.within {
			t.Errorf("%s to %s of %v gives %v, want %v", tt.from, tt.to, tt.in, c, tt.want)
		}
	}
}

func TestPairAccuracy(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		want     []string
	}{
		{"27700", "4277", []string{"no datum shift is applied", "OSGB36"}},
		{"4326", "3857", []string{"no datum shift is applied"}},
		{"4326", "27700", []string{"seven-parameter", "metre-level"}},
		{"27700", "4326", []string{"seven-parameter", "metre-level"}},
		{"3035", "32631", []string{"zero-parameter"}},
		{"27700", "28992", []string{"OSGB36: seven-parameter", "Amersfoort: seven-parameter"}},
	} {
		got, err := Transform(tt.from, tt.to, []XY{middle(t, tt.from)})
		if err != nil {
			t.Error(err)
			continue
		}
		for _, w := range tt.want {
			if !strings.Contains(got.Accuracy, w) {
				t.Errorf("%s to %s: accuracy %q lacks %q", tt.from, tt.to, got.Accuracy, w)
			}
		}
		if got.From != "EPSG:"+tt.from || got.To != "EPSG:"+tt.to {
			t.Errorf("codes %s, %s are not canonical", got.From, got.To)
		}
	}
}

// middle returns a point in western Europe in the units of a system.
func middle(t *testing.T, code string) XY {
	t.Helper()
	s, _ := lookup("from", code)
	p, err := s.project(2, 52)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTransformErrors(t *testing.T) {
	one := []XY{{-0.12, 51.5}}
	nan := math.NaN()
	for _, tt := range []struct {
		name, from, to string
		points         []XY
		want           []string // in the detail or the violations
	}{
		{"unknown from", "9999", "4326", one, []string{"from", `"9999"`}},
		{"unknown to", "4326", "EPSG:5070", one, []string{"to", `"EPSG:5070"`}},
		{"both unknown", "a", "b", one, []string{`"a"`, `"b"`}},
		{"no code", "", "4326", one, []string{"from", `""`}},
		{"signed code", "+4326", "4326", one, []string{"+4326"}},
		{"long code", strings.Repeat("9", 500), "4326", one, []string{"99999…"}},
		{"alias", "900913", "4326", one, []string{"900913"}},
		{"none", "4326", "3857", nil, []string{"1 to 50", "has 0"}},
		{"too many", "4326", "3857", make([]XY, 51), []string{"1 to 50", "has 51"}},
		{"NaN", "4326", "3857", []XY{{nan, 1}}, []string{"coordinates[0]", "NaN", "finite"}},
		{"infinite", "4326", "3857", []XY{{1, 1}, {1, math.Inf(1)}}, []string{"coordinates[1]", "+Inf", "finite"}},
		{"longitude", "4326", "3857", []XY{{181, 0}}, []string{"coordinates[0]", "181,0", "-180 to 180"}},
		{"swapped", "4326", "3857", []XY{{10, 100}}, []string{"10,100", "swapped"}},
		{"pole", "4326", "3857", []XY{{0, 90}}, []string{"EPSG:3857", "-85.06 to 85.06"}},
		{"off the square", "3857", "4326", []XY{{2.01e7, 0}}, []string{"20100000,0", "EPSG:3857"}},
		{"huge", "32631", "4326", []XY{{1e300, -1e300}}, []string{"1e+300", "EPSG:32631"}},
		{"degrees as grid", "27700", "4326", []XY{{-9e6, 51.5}}, []string{"EPSG:27700"}},
		{"far from Britain", "4326", "27700", []XY{{-0.1, 51.5}, {151, -33}}, []string{"coordinates[1]", "EPSG:27700", "longitude -19 to 12.01"}},
		{"far zone", "4326", "32631", []XY{{80, 0}}, []string{"EPSG:32631", "longitude -37 to 43"}},
		{"beyond the disc", "3035", "4326", []XY{{2e7, 2e7}}, []string{"EPSG:3035"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Transform(tt.from, tt.to, tt.points)
			if !fault.Is(err, fault.BadRequest) {
				t.Fatalf("got %v, error %v; want a bad request", got, err)
			}
			text := explain(err)
			for _, w := range tt.want {
				if !strings.Contains(text, w) {
					t.Errorf("error %s lacks %q", text, w)
				}
			}
		})
	}
}

// explain is all that a caller reads of an error.
func explain(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err.Error()
	}
	text := f.Detail
	violations, _ := f.Fields["errors"].([]fault.Violation)
	for _, v := range violations {
		text += "\n" + v.Location + ": " + v.Message
	}
	return text
}

// TestRoundTrip takes points of every system's domain to the plane and back.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, s := range table() {
		d := s.domain
		for range 200 {
			lon, lat := d.west+r.Float64()*(d.east-d.west), d.south+r.Float64()*(d.north-d.south)
			lat = math.Max(-89.99, math.Min(89.99, lat))
			lon = wrap(lon)
			p, err := s.project(lon, lat)
			if err != nil {
				t.Fatalf("EPSG:%d: %v", s.code, err)
			}
			l, f, err := s.unproject(p)
			if err != nil {
				t.Fatalf("EPSG:%d: %v %v gives %v, and back: %v", s.code, lon, lat, p, err)
			}
			if math.Abs(math.Remainder(l-lon, 360))*math.Cos(lat/degrees) > 1e-11 || math.Abs(f-lat) > 1e-11 {
				t.Fatalf("EPSG:%d: %.13f %.13f comes back as %.13f %.13f", s.code, lon, lat, l, f)
			}
		}
	}
}

// TestShiftRoundTrip bounds what a shift there and back loses: as in PROJ,
// the height is dropped and the rotation transposed.
func TestShiftRoundTrip(t *testing.T) {
	for _, code := range []string{"27700", "28992", "31370"} {
		s, _ := lookup("from", code)
		r := rand.New(rand.NewPCG(7, 8))
		for range 200 {
			lon, lat := s.area.west+r.Float64()*(s.area.east-s.area.west), s.area.south+r.Float64()*(s.area.north-s.area.south)
			there, err := Transform("4326", code, []XY{{lon, lat}})
			if err != nil {
				t.Fatal(err)
			}
			back, err := Transform(code, "4326", there.Coordinates)
			if err != nil {
				t.Fatal(err)
			}
			if b := back.Coordinates[0]; math.Hypot((b.X-lon)*math.Cos(lat/degrees), b.Y-lat)*111320 > 0.002 {
				t.Fatalf("EPSG:%s: %.10f %.10f comes back as %v", code, lon, lat, b)
			}
		}
	}
}

func TestParseCoordinates(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []XY
	}{
		{"1,2", []XY{{1, 2}}},
		{"-0.12,51.5;1e3, +4 ", []XY{{-0.12, 51.5}, {1000, 4}}},
		{".5,5.", []XY{{0.5, 5}}},
	} {
		got, err := ParseCoordinates(tt.in)
		if err != nil || len(got) != len(tt.want) {
			t.Errorf("ParseCoordinates(%q) gives %v, %v", tt.in, got, err)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("ParseCoordinates(%q)[%d] is %v, want %v", tt.in, i, got[i], tt.want[i])
			}
		}
	}
	for _, tt := range []struct{ in, want string }{
		{"", "coordinates[0]"},
		{"1,2;", "coordinates[1]"},
		{"1,2;3", "coordinates[1]"},
		{"1,2;3,4,5", "coordinates[1]"},
		{"1,2;x,4", `"x" for x`},
		{"1,", `"" for y`},
		{"1,NaN", `"NaN" for y`},
		{"Infinity,1", "Infinity"},
		{"0x1p4,1", "0x1p4"},
		{"1e999,1", "1e999"},
		{"1 2", "coordinates[0]"},
		{strings.Repeat("1,2;", 50) + "1,2", "has 51"},
	} {
		got, err := ParseCoordinates(tt.in)
		if !fault.Is(err, fault.BadRequest) || !strings.Contains(explain(err), tt.want) {
			t.Errorf("ParseCoordinates(%q) gives %v, %v; want an error with %s", tt.in, got, err, tt.want)
		}
	}
}

func FuzzParseCoordinates(f *testing.F) {
	for _, s := range []string{"1,2", "-0.12,51.5;1e3,+4", "1,2;", ",", "NaN,1", "1e999,0x1", "٣,1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		points, err := ParseCoordinates(s)
		if err != nil {
			if !fault.Is(err, fault.BadRequest) {
				t.Fatalf("%q: %v is not a bad request", s, err)
			}
			return
		}
		if len(points) != strings.Count(s, ";")+1 || len(points) > Limit {
			t.Fatalf("%q gives %d points", s, len(points))
		}
		var again []string
		for _, p := range points {
			if !p.finite() {
				t.Fatalf("%q gives %v", s, p)
			}
			again = append(again, p.String())
		}
		back, err := ParseCoordinates(strings.Join(again, ";"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range back {
			if back[i] != points[i] {
				t.Fatalf("%q: %v reads back as %v", s, points[i], back[i])
			}
		}
	})
}

// FuzzTransform checks that any numbers in any pair of systems give finite
// numbers or a bad request.
func FuzzTransform(f *testing.F) {
	f.Add(uint8(0), uint8(1), 400000.0, 300000.0)
	f.Add(uint8(8), uint8(4), 0.0, 90.0)
	f.Add(uint8(60), uint8(9), 1e308, -1e308)
	f.Add(uint8(2), uint8(8), 2e7, 2e7)
	rows := table()
	f.Fuzz(func(t *testing.T, a, b uint8, x, y float64) {
		from, to := rows[int(a)%len(rows)].id(), rows[int(b)%len(rows)].id()
		got, err := Transform(from, to, []XY{{x, y}})
		if err != nil {
			if !fault.Is(err, fault.BadRequest) {
				t.Fatal(err)
			}
			return
		}
		if !got.Coordinates[0].finite() {
			t.Fatalf("%s to %s of %v,%v gives %v", from, to, x, y, got.Coordinates[0])
		}
	})
}
