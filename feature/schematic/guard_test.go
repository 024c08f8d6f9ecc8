package schematic

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
)

// thing is a road of several places, or a landmark at one, in metres east and north of the middle.
type thing struct {
	layer  string
	tags   geojson.Properties
	places [][2]float64
}

func road(name string, places ...[2]float64) thing {
	return thing{"roads", geojson.Properties{"name": name, "kind": "minor_road"}, places}
}

// described draws some things, and returns the lines that describe them.
func described(t *testing.T, things ...thing) string {
	t.Helper()
	const z = 15
	n := math.Exp2(z)
	scale := n / (worldMetres * math.Cos(middle.Lat*math.Pi/180)) * 4096
	cx, cy := math.Round(n*0.5), math.Round(n*mercator(middle.Lat))
	tiles := Tiles{MaxZoom: z, Tile: func(_ context.Context, _, x, y int) ([]byte, error) {
		layers := map[string]*mvt.Layer{}
		for _, th := range things {
			var line orb.LineString
			for _, p := range th.places {
				line = append(line, orb.Point{math.Round(p[0]*scale + (cx-float64(x))*4096), math.Round(-p[1]*scale + (cy-float64(y))*4096)})
			}
			if layers[th.layer] == nil {
				layers[th.layer] = &mvt.Layer{Name: th.layer, Version: 2, Extent: 4096}
			}
			f := geojson.NewFeature(line)
			if len(line) == 1 {
				f = geojson.NewFeature(line[0])
			}
			f.Properties = th.tags
			layers[th.layer].Features = append(layers[th.layer].Features, f)
		}
		var all mvt.Layers
		for _, l := range layers {
			all = append(all, l)
		}
		return mvt.Marshal(all)
	}}
	a, err := Draw(t.Context(), tiles, Request{At: middle, Radius: 400, Budget: MaxBudget})
	if err != nil || a.Truncated {
		t.Fatalf("%+v %v", a, err)
	}
	if i := strings.Index(a.Schematic, "STREETS ("); i >= 0 {
		return a.Schematic[i:]
	}
	return a.Schematic[max(0, strings.Index(a.Schematic, "LANDMARKS (")):]
}

// TestMeetsWithinFourMetres ends one street at some distance from another.
func TestMeetsWithinFourMetres(t *testing.T) {
	for gap, want := range map[float64]bool{0: true, 2: true, 3.6: true, 4.4: false, 8: false} {
		text := described(t, road("Long Street", [2]float64{-200, 0}, [2]float64{200, 0}), road("Side Lane", [2]float64{60, gap}, [2]float64{60, 150}))
		if got := strings.Contains(text, "; meets "); got != want {
			t.Errorf("%g m apart: meets %v\n%s", gap, got, text)
		}
	}
	// Bridges meet what is on bridges, and rails nothing.
	for tags, want := range map[string]bool{"": true, "is_bridge": false, "is_tunnel": false, "rail": false} {
		side := road("Side Lane", [2]float64{60, 0}, [2]float64{60, 150})
		switch tags {
		case "":
		case "rail":
			side.tags["kind"] = "rail"
		default:
			side.tags[tags] = true
		}
		text := described(t, road("Long Street", [2]float64{-200, 0}, [2]float64{60, 0}, [2]float64{200, 0}), side)
		if got := strings.Contains(text, "; meets "); got != want {
			t.Errorf("%s: meets %v\n%s", tags, got, text)
		}
	}
}

// TestMeetingsAreTwoFromFortyMetres has a loop leave a street at two places.
func TestMeetingsAreTwoFromFortyMetres(t *testing.T) {
	pattern := regexp.MustCompile(`Long Street.*meets (.*)`)
	for apart, want := range map[float64]int{20: 1, 39: 1, 41: 2, 90: 2} {
		text := described(t, road("Long Street", [2]float64{-200, 0}, [2]float64{200, 0}), road("Loop", [2]float64{0, 0}, [2]float64{0, 90}, [2]float64{apart, 90}, [2]float64{apart, 0}))
		found := pattern.FindStringSubmatch(text)
		if found == nil || len(strings.Split(found[1], ", ")) != want {
			t.Errorf("%g m apart: %q\n%s", apart, found, text)
		}
	}
}

// TestLandmarksOfStreets moves a pub away from the nearest of two streets.
func TestLandmarksOfStreets(t *testing.T) {
	pub := func(x, y float64) thing {
		return thing{"pois", geojson.Properties{"name": "The Red Lion", "kind": "pub"}, [][2]float64{{x, y}}}
	}
	long := road("Long Street", [2]float64{-200, 0}, [2]float64{200, 0})
	for away, want := range map[float64]bool{0: true, 30: true, 44.5: true, -44.5: true, 45.5: false, -45.5: false, 100: false} {
		text := described(t, long, pub(50, away))
		if got := strings.Contains(text, " @A"); got != want {
			t.Errorf("%g m away: on the street %v\n%s", away, got, text)
		}
	}
	near := road("Near Lane", [2]float64{-50, 40}, [2]float64{60, 40})
	for north, want := range map[float64]string{15: "Long Street", 25: "Near Lane"} {
		text := described(t, long, near, pub(50, north))
		letter := regexp.MustCompile(`(?m)^(\w) ` + want).FindStringSubmatch(text)
		if letter == nil || !strings.Contains(text, "@"+letter[1]+"\n") {
			t.Errorf("%g m north it is not on %s\n%s", north, want, text)
		}
	}
	// Railways and service roads are no streets to be on.
	for kind, want := range map[string]bool{"rail": false, "path": true} {
		way := road("Some Way", [2]float64{-200, 0}, [2]float64{200, 0})
		way.tags["kind"] = kind
		if text := described(t, way, pub(50, 10)); strings.Contains(text, " @A") != want {
			t.Errorf("%s\n%s", kind, text)
		}
	}
}

// TestWhatIsALandmark has names of places, of which neighbourhoods and localities alone count.
func TestWhatIsALandmark(t *testing.T) {
	for _, c := range []struct {
		layer, kind, name string
		want              string
	}{
		{"places", "neighbourhood", "Old Town", "1 Old Town: neighbourhood, "},
		{"places", "locality", "Ely", "1 Ely: locality, "},
		{"places", "country", "Wales", ""},
		{"places", "region", "Gwent", ""},
		{"places", "", "Nowhere", ""},
		{"pois", "place_of_worship", "St Mary", "1 St Mary: place of worship, "},
		{"pois", "pub", "", ""},
		{"pois", "pub", " \n;", ""},
		{"pois", "pub", "The\nRed; Lion", "1 The Red Lion: pub, "},
		{"water", "swimming_pool", "Lido", "1 Lido: water: swimming pool, "},
		{"pois", "", "Thing", "1 Thing: pois, "},
	} {
		text := described(t, thing{c.layer, geojson.Properties{"name": c.name, "kind": c.kind}, [][2]float64{{100, 0}}})
		if c.want == "" && strings.Contains(text, "LANDMARKS") || c.want != "" && !strings.Contains(text, c.want+"100 E\n") {
			t.Errorf("%+v:\n%s", c, text)
		}
	}
	// Beyond the square there is none, at its edge there is.
	for x, want := range map[float64]bool{399: true, -399: true, 401: false, -401: false} {
		for _, at := range [][2]float64{{x, 0}, {0, x}} {
			text := described(t, thing{"pois", geojson.Properties{"name": "Far", "kind": "pub"}, [][2]float64{at}})
			if got := strings.Contains(text, "1 Far: pub"); got != want {
				t.Errorf("at %v: %v", at, got)
			}
		}
	}
	// Two of a name and kind are one within 30 m, the nearer, and two beyond.
	for apart, want := range map[float64]int{10: 1, 29: 1, 31: 2, 100: 2} {
		twin := func(x float64) thing {
			return thing{"pois", geojson.Properties{"name": "Twin", "kind": "pub"}, [][2]float64{{x, 0}}}
		}
		for _, pair := range [][]thing{{twin(100), twin(100 + apart)}, {twin(100 + apart), twin(100)}} {
			text := described(t, pair...)
			if strings.Count(text, "Twin: pub") != want || !strings.Contains(text, "Twin: pub, 100 E") {
				t.Errorf("%g m apart:\n%s", apart, text)
			}
		}
	}
}

// TestWordsOfRoads has each kind of road, and those that are none.
func TestWordsOfRoads(t *testing.T) {
	for _, c := range []struct{ kind, detail, want string }{
		{"highway", "", "motorway"},
		{"major_road", "trunk_link", "trunk road"},
		{"major_road", "", "main road"},
		{"medium_road", "tertiary", "tertiary road"},
		{"medium_road", "", "secondary road"},
		{"minor_road", "residential", "street"},
		{"minor_road", "service", "service road"},
		{"minor_road", "track", "track road"},
		{"path", "", "path"},
		{"path", "living_street", "living street"},
		{"rail", "", "railway"},
		{"ferry", "", ""},
		{"", "", ""},
	} {
		way := road("The Way", [2]float64{-100, 0}, [2]float64{100, 0})
		way.tags["kind"], way.tags["kind_detail"] = c.kind, c.detail
		text := described(t, way)
		if c.want == "" && strings.Contains(text, "STREETS") || c.want != "" && !strings.Contains(text, "A The Way: "+c.want+", 200, W to E, at the centre\n") {
			t.Errorf("%+v:\n%s", c, text)
		}
	}
	for value, want := range map[any]bool{"yes": true, true: true, "no": false, false: false} {
		way := road("The Way", [2]float64{-100, 0}, [2]float64{100, 0})
		way.tags["oneway"] = value
		if text := described(t, way); strings.Contains(text, "one-way") != want {
			t.Errorf("oneway %v:\n%s", value, text)
		}
	}
}

// The first end of a street is the western one, or the northern one of what runs from north to
// south, and the place that is nearest to the middle is given.
func TestEndsAndPlacesOfStreets(t *testing.T) {
	for turn := range 16 {
		a := float64(turn)*math.Pi/8 + 0.05
		x, y := 150*math.Sin(a), 150*math.Cos(a)
		text := described(t, road("The Way", [2]float64{200 + x, y}, [2]float64{200 - x, -y}))
		first, _, _ := strings.Cut(text[strings.Index(text, ", 300, ")+len(", 300, "):], " to ")
		if slices.Contains([]string{"E", "NE", "SE", "S"}, first) && !(first == "SE" || first == "NE") || first == "S" {
			t.Errorf("towards %.0f°:\n%s", a*180/math.Pi, text)
		}
	}
	for i, want := range []string{"at the centre", "at the centre", "20 N", "200 E", "283 NE"} {
		at := [][2][2]float64{{{-100, 0}, {100, 0}}, {{-100, 9}, {100, 9}}, {{-100, 20}, {100, 20}}, {{200, -100}, {200, 100}}, {{200, 200}, {300, 300}}}[i]
		if text := described(t, road("The Way", at[0], at[1])); !strings.Contains(text, want+"\n") {
			t.Errorf("%v is not %s:\n%s", at, want, text)
		}
	}
}

func TestLettersOfStreets(t *testing.T) {
	seen := map[string]bool{}
	for i := range 300 {
		l := letters(i)
		if seen[l] || l == "" {
			t.Errorf("number %d is %q", i, l)
		}
		seen[l] = true
	}
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "a", 51: "z", 52: "AA", 53: "AB", 77: "AZ", 78: "BA"} {
		if got := letters(i); got != want {
			t.Errorf("number %d is %s, want %s", i, got, want)
		}
	}
}
