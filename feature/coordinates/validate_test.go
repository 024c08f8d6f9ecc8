package coordinates

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/fault"
)

// points reads the points of a case.
func points(t *testing.T, s string) []XY {
	t.Helper()
	p, err := ParseCoordinates(s)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return p
}

func TestValidate(t *testing.T) {
	const (
		london    = "-0.1276,51.5072;-0.0877,51.5079;-0.1419,51.5014"
		londonYX  = "51.5072,-0.1276;51.5079,-0.0877;51.5014,-0.1419"
		londonBNG = "530034,180381;532799,180530;529090,179645"
		londonWM  = "-14204,6711506;-9763,6711633;-15796,6710470"
		berlinUTM = "389000,5819000;391200,5820500;388100,5817700"
		sydneyYX  = "-33.86,151.2;-33.87,151.21"
	)
	for _, tt := range []struct {
		name, declared, in string
		verdict            string
		problem, suggests  string // a part of one; empty for none at all
	}{
		{"degrees", "EPSG:4326", london, Consistent, "", ""},
		{"degrees, worldwide", "4326", "-180,-90;180,90;0,0.1;12,55", Consistent, "", ""},
		{"degrees, one point", "4258", "10,50", Consistent, "", ""},
		{"degrees, Equator in Africa", "4326", "9.45,0.39;11.5,-0.8", Consistent, "", ""},
		{"degrees, Seychelles", "4326", "55.45,-4.62;55.75,-4.35", Consistent, "", ""},
		{"degrees, Somalia", "4326", "49.8,8;45.3,2.04", Consistent, "", ""},
		{"degrees, Antarctica", "4326", "166.67,-77.85;39.58,-69;0,-90", Consistent, "", ""},
		{"degrees across Greenwich", "4326", "-0.3,51.5;0.2,51.4;-0.1,51.45;-0.05,51.5", Consistent, "", ""},
		{"degrees across the antimeridian", "4326", "179.4,-16.5;-179.9,-16.9;179.2,-16.4;178.4,-18", Consistent, "", ""},
		{"NAD83", "4269", "-74,40.7;-73.9,40.8", Consistent, "", ""},
		{"NAD83 beyond the antimeridian", "4269", "172.9,52.9;-176.6,51.9", Consistent, "", ""},
		{"NAD83 in Europe", "4269", "10,50;11,51", Suspect, "outside the area of EPSG:4269", "EPSG:4326"},
		{"ETRS89 partly outside", "4258", "10,50;11,51;120,30", Suspect, "1 of 3 coordinates is outside", "EPSG:4326"},
		{"ETRS89 swapped", "4258", "38,-9;41,-8", Suspect, "with x and y swapped", "swap"},
		{"swapped, out of range", "4326", sydneyYX, Impossible, "beyond the 90 degrees", "swap x and y"},
		{"swapped, in range", "4326", londonYX, Suspect, "British Isles", "swap x and y"},
		{"swapped, Amsterdam", "4326", "52.37,4.9;52.09,5.12", Suspect, "North Sea", "swap x and y"},
		{"swapped, New York", "4326", "40.7,-74;40.8,-73.9", Suspect, "North America", "swap x and y"},
		{"0 to 360", "4326", "359.9,51;358,52", Suspect, "0 to 360", "subtract 360"},
		{"0 to 360, mixed", "4326", "10,51;358,52", Suspect, "0 to 360", "subtract 360"},
		{"radians", "4326", "-0.0022,0.8990;-0.0015,0.8989", Suspect, "radians", "180/π"},
		{"grid as degrees", "4326", londonBNG, Impossible, "all 3 coordinates are outside longitude", "EPSG:27700"},
		{"UTM as degrees", "4326", berlinUTM, Impossible, "outside", "UTM"},
		{"Web Mercator as degrees", "4258", londonWM, Impossible, "outside", "EPSG:3857"},
		{"seconds of arc", "4326", "-459,185425;-315,185428", Impossible, "outside", "seconds of arc"},
		{"scaled integers", "4326", "-1276000,515072000;-877000,515079000", Impossible, "outside", "1e7"},
		{"one decimal point lost", "4326", "-0.12,51.5;-0.12,515072;-0.1,51.6", Impossible, "1 of 3", "decimal point"},
		{"a sign lost", "4326", "-74,40.7;-73.9,40.8;-74.1,40.6;73.95,40.75", Suspect, "1 of 4 values of x have a positive sign", "sign of x"},

		{"null island", "4326", "0,0;-0.1,51.5;-0.2,51.4", Suspect, "1 of 3 coordinates is exactly 0,0", "remove"},
		{"nothing but null island", "32630", "0,0;0,0", Suspect, "all 2 coordinates are exactly 0,0", "remove"},
		{"null island in a zone", "32633", "0,0;" + berlinUTM, Suspect, "1 of 4", "0,0"},
		{"no data", "27700", "-9999,-9999;" + londonBNG, Suspect, "no data", "remove"},
		{"identical", "4326", "10,50;10,50;10,50", Suspect, "identical", ""},

		{"Web Mercator", "3857", londonWM, Consistent, "", ""},
		{"Web Mercator, old code", "900913", londonWM, Consistent, "", ""},
		{"Web Mercator, older code", "EPSG:3785", "-20037508.34,-20048966.1;20037508.34,20048966.1", Consistent, "", ""},
		{"degrees as Web Mercator", "3857", london, Suspect, "small enough for degrees", "EPSG:4326 (degrees"},
		{"swapped degrees as Web Mercator", "3857", sydneyYX, Suspect, "small enough for degrees", "EPSG:4326 with x and y swapped"},
		{"off the square", "3857", "-14204,6711506;-14204,21000000", Impossible, "1 of 2 coordinates is outside the Web Mercator square", ""},
		{"prefixed as Web Mercator", "3857", "32500000,5500000", Impossible, "square", "EPSG:4647"},
		{"mixed in Web Mercator", "3857", londonWM + ";-0.12,51.5", Suspect, "mixed", "one system"},

		{"UTM", "EPSG:32633", berlinUTM, Consistent, "", ""},
		{"UTM of ETRS89", "25833", berlinUTM, Consistent, "", ""},
		{"UTM in the south", "32756", "334000,6252000;335000,6251000", Consistent, "", ""},
		{"UTM in Ghana", "32630", "810000,620000;650000,740000", Consistent, "", ""},
		{"degrees as UTM", "32633", "13.4,52.5;13.5,52.4", Impossible, "small enough for degrees", "EPSG:4326"},
		{"swapped UTM", "32633", "5819000,389000;5820500,391200", Impossible, "eastings run from 5819000", "swap x and y"},
		{"kilometres", "32633", "389,5819;391.2,5820.5", Impossible, "below the 100000", "multiply by 1000"},
		{"prefixed zone", "25832", "32500000,5500000;32501000,5501000", Impossible, "far above", "32,000,000"},
		{"another prefixed zone", "25832", "33389000,5819000", Impossible, "far above", "declare zone 33"},
		{"wide easting", "32633", "50000,5819000;389000,5819000", Suspect, "1 of 2 coordinates is outside the usual eastings", "neighbouring zone"},
		{"impossible easting", "32633", "-250000,5819000;389000,5819000", Impossible, "1 of 2 coordinates is outside the eastings", ""},
		{"Web Mercator as UTM", "32633", "-1420400,6711506;-976300,6711633", Impossible, "outside the eastings", "EPSG:3857"},
		{"south of the equator in the north", "32633", "389000,-3700000", Suspect, "south of the equator", "EPSG:32733 with 10000000 added"},
		{"north of the equator in the south", "32733", "389000,10200000", Suspect, "beyond the 10000000 m of the equator", "EPSG:32633 with 10000000 subtracted"},
		{"low northing in the south", "32733", "389000,500000", Suspect, "80° S", "EPSG:32633"},
		{"beyond the north pole", "32633", "389000,9999000", Impossible, "pole", ""},
		{"beyond the south pole", "32733", "389000,-5", Impossible, "pole", "EPSG:3857"},
		{"beyond 84 N", "32633", "389000,9400000", Suspect, "84° N", "EPSG:32733"},
		{"grid as UTM of ETRS89", "25830", londonBNG, Suspect, "Europe", "EPSG:27700"},
		{"grid as UTM", "32630", londonBNG, Suspect, "Gulf of Guinea", "EPSG:27700"},

		{"grid", "EPSG:27700", londonBNG, Consistent, "", ""},
		{"degrees as grid", "27700", london, Suspect, "small enough for degrees", "EPSG:4326"},
		{"swapped degrees as grid", "27700", "-33.86,151.2", Suspect, "small enough for degrees", "swapped"},
		{"swapped grid", "27700", "1140000,440000;1141000,441000", Suspect, "far outside the area of EPSG:27700", "swap x and y"},
		{"Web Mercator as grid", "27700", londonWM, Suspect, "far outside the area of EPSG:27700", "EPSG:3857"},
		{"Dutch grid", "28992", "121000,487000", Consistent, "", ""},
		{"equal area", "3035", "4321000,3210000", Consistent, "", ""},
		{"feet", "2263", "987000,211000;1000000,200000", Consistent, "", ""},
		{"metres for feet", "2263", "300838,64313;304800,60960", Suspect, "far outside the area of EPSG:2263", "US survey feet"},
		{"unknown projected", "5070", "1700000,2100000;1710000,2090000", Consistent, "", ""},
		{"degrees in an unknown code", "4283", "151.2,-33.9", Suspect, "small enough", "nothing to change if EPSG:4283"},
		{"too far", "5070", "2e8,1", Impossible, "farther from the origin", ""},
		{"too wide", "5070", "-3e7,1;3e7,1", Impossible, "around the Earth", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := Validate(tt.declared, points(t, tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if v.Verdict != tt.verdict {
				t.Errorf("verdict %s, want %s", v.Verdict, tt.verdict)
			}
			problems, suggestions := strings.Join(v.Problems, "\n"), strings.Join(v.Suggestions, "\n")
			if !strings.Contains(problems, tt.problem) || (tt.problem == "") != (problems == "") {
				t.Errorf("problems %q, want %q", problems, tt.problem)
			}
			if !strings.Contains(suggestions, tt.suggests) || (tt.suggests == "") != (suggestions == "") {
				t.Errorf("suggestions %q, want %q", suggestions, tt.suggests)
			}
		})
	}
}

func TestInterpretedAs(t *testing.T) {
	for declared, want := range map[string]string{
		"EPSG:4326":                     "geographic degrees (x = longitude, y = latitude)",
		"epsg:4258":                     "geographic degrees (x = longitude, y = latitude)",
		" 4269 ":                        "geographic degrees (x = longitude, y = latitude)",
		"urn:ogc:def:crs:OGC:1.3:CRS84": "geographic degrees (x = longitude, y = latitude)",
		"CRS84":                         "geographic degrees (x = longitude, y = latitude)",
		"urn:ogc:def:crs:EPSG::3857":    "Web Mercator in metres",
		"http://www.opengis.net/def/crs/EPSG/0/3785": "Web Mercator in metres",
		"900913":                           "Web Mercator in metres",
		"urn:ogc:def:crs:EPSG:9.8.1:32601": "WGS 84 / UTM zone 1N in metres",
		"32760":                            "WGS 84 / UTM zone 60S in metres",
		"25838":                            "ETRS89 / UTM zone 38N in metres",
		"27700":                            "generic projected CRS in metres",
		"25839":                            "generic projected CRS in metres",
		"32661":                            "generic projected CRS in metres",
		"4277":                             "generic projected CRS in metres",
	} {
		v, err := Validate(declared, []XY{{1, 2}})
		if err != nil {
			t.Errorf("%q: %v", declared, err)
		} else if v.InterpretedAs != want {
			t.Errorf("%q is interpreted as %q, want %q", declared, v.InterpretedAs, want)
		}
	}
}

func TestValidateErrors(t *testing.T) {
	one := []XY{{1, 2}}
	for _, tt := range []struct {
		declared string
		points   []XY
		want     string
	}{
		{"", one, `declared_crs: "" is not`},
		{"WGS84", one, `declared_crs: "WGS84" is not`},
		{"EPSG:", one, `declared_crs: "EPSG:" is not`},
		{"EPSG:12", one, `declared_crs: "EPSG:12" is not`},
		{"EPSG:-4326", one, `declared_crs: "EPSG:-4326" is not`},
		{"EPSG:4326.0", one, `declared_crs: "EPSG:4326.0" is not`},
		{"ESRI:102100", one, `declared_crs: "ESRI:102100" is not`},
		{"urn:ogc:def:crs:EPSG:4326", one, "declared_crs"},
		{"urn:ogc:def:crs:EPSG:x:4326", one, "declared_crs"},
		{"4326 27700", one, "declared_crs"},
		{"99999999999999999999", one, "declared_crs"},
		{"4326", nil, "coordinates: needs at least one"},
		{"4326", []XY{{1, 2}, {math.NaN(), 2}}, "coordinates[1]: NaN,2 is not"},
		{"4326", []XY{{1, math.Inf(-1)}}, "coordinates[0]: 1,-Inf is not"},
	} {
		v, err := Validate(tt.declared, tt.points)
		if !fault.Is(err, fault.BadRequest) || !strings.Contains(explain(err), tt.want) {
			t.Errorf("Validate(%q, %v) gives %v, %v; want an error with %s", tt.declared, tt.points, v, err, tt.want)
		}
	}
}

func TestVerdictWire(t *testing.T) {
	v, err := Validate("4326", []XY{{10, 50}, {11, 49}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"verdict":"consistent","interpreted_as":"geographic degrees (x = longitude, y = latitude)",` +
		`"problems":[],"suggestions":[],"extent":{"min_x":10,"max_x":11,"min_y":49,"max_y":50}}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestTransformedIsConsistent: what Transform makes in a system's area, the
// check must find at home there.
func TestTransformedIsConsistent(t *testing.T) {
	for _, s := range table() {
		if s.code == 4277 {
			continue // degrees, which the contract has the check take for metres
		}
		a := s.area
		var in []XY
		for _, f := range []float64{0.2, 0.35, 0.5, 0.65, 0.8} {
			in = append(in, XY{wrap(a.west + f*(a.east-a.west)), a.south + f*(a.north-a.south)})
		}
		v, err := Validate(s.id(), transform(t, "4326", s.id(), in))
		if err != nil {
			t.Fatal(err)
		}
		if v.Verdict != Consistent {
			if strings.Contains(strings.Join(v.Problems, " "), "exactly 0,0") && len(v.Problems) == 1 {
				continue // the middle of the world
			}
			t.Errorf("%s: %s, %q", s.id(), v.Verdict, v.Problems)
		}
	}
}

// FuzzValidate checks that any declaration and numbers give one of the three
// verdicts, with a problem exactly when it is not consistent, and an extent
// that holds the points.
func FuzzValidate(f *testing.F) {
	f.Add("EPSG:4326", 1.0, 2.0, 3.0, 4.0)
	f.Add("urn:ogc:def:crs:EPSG::25832", 32500000.0, 5500000.0, 0.0, 0.0)
	f.Add("27700", 1e308, -1e308, -1e308, 1e308)
	f.Add("http://www.opengis.net/def/crs/EPSG/0/", 0.0, 0.0, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, declared string, x, y, z, w float64) {
		v, err := Validate(declared, []XY{{x, y}, {z, w}})
		if err != nil {
			if !fault.Is(err, fault.BadRequest) {
				t.Fatal(err)
			}
			return
		}
		if (v.Verdict == Consistent) != (len(v.Problems) == 0) {
			t.Fatalf("%s with problems %q", v.Verdict, v.Problems)
		}
		if v.Verdict != Consistent && v.Verdict != Suspect && v.Verdict != Impossible {
			t.Fatalf("verdict %q", v.Verdict)
		}
		if !v.Extent.holds(XY{x, y}) || !v.Extent.holds(XY{z, w}) {
			t.Fatalf("%v does not hold the points", v.Extent)
		}
	})
}
