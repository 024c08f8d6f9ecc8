package geocode_test

import (
	"math"
	"testing"

	"github.com/waygate/waygate/feature/geocode"
)

func TestCoordinates(t *testing.T) {
	const lat, lon = 51.58, -2.99
	for text, want := range map[string][2]float64{
		"51.58,-2.99": {lat, lon}, " 51.58 , -2.99 ": {lat, lon}, "51.58 -2.99": {lat, lon}, "51.58;-2.99": {lat, lon}, "51.58/-2.99": {lat, lon}, "geo:51.58,-2.99": {lat, lon}, "geo:51,-3": {51, -3},
		"51.58N 2.99W": {lat, lon}, "51.58°N, 2.99°W": {lat, lon}, "N51.58 W2.99": {lat, lon}, "2.99W 51.58N": {lat, lon}, "51.58 n, 2.99 w": {lat, lon}, "33.9S 151.2E": {-33.9, 151.2},
		`51°34'48"N 2°59'24"W`: {lat, lon}, "51°34′48″N, 2°59′24″W": {lat, lon}, "51°34'48''N2°59'24''W": {lat, lon}, "51°34.8'N 2°59.4'W": {lat, lon}, "51° 34' 48\" N 2° 59' 24\" W": {lat, lon},
		"N 51° 34.8' W 002° 59.4'": {lat, lon}, "N 51° 34.8 W 002° 59.4": {lat, lon}, "N51 34.8 W2 59.4": {lat, lon}, "51 34 48 N 2 59 24 W": {lat, lon}, "51 34.8, -2 59.4": {lat, lon}, "51 34 48, -2 59 24": {lat, lon},
		"51,58 -2,99": {lat, lon}, "51,58; -2,99": {lat, lon}, "51,58, -2,99": {lat, lon}, "51°34,8'N 2°59,4'W": {lat, lon}, "(51.58, -2.99)": {lat, lon}, "[51.58,-2.99]": {lat, lon}, "51.58\t-2.99": {lat, lon},
		"lat: 51.58, lon: -2.99": {lat, lon}, "lat=51.58 lng=-2.99": {lat, lon}, "Latitude 51.58 Longitude -2.99": {lat, lon}, "longitude: -2.99 latitude: 51.58": {lat, lon}, "lat 51.58 long -2.99": {lat, lon},
		"５１．５８，−２．９９": {lat, lon}, "51.58 deg N 2.99 deg W": {lat, lon}, "51.58 North, 2.99 West": {lat, lon}, "51deg 34min 48sec N, 2deg 59min 24sec W": {lat, lon}, "-0°30', 0°15'": {-0.5, 0.25},
		"geo:51.58,-2.99;u=35": {lat, lon}, "geo:51.58,-2.99?z=15": {lat, lon}, "geo:0,0?q=51.58,-2.99(Newport)": {lat, lon}, "geo:0,0?q=51.58,-2.99": {lat, lon}, "geo:51.58,-2.99&z=12": {lat, lon}, "geo:51.58,-2.99?z=9.0&q=51.58,-2.99(Newport)": {lat, lon}, "N 51º 34.8 / W 2º 59.4": {lat, lon},
		"51º34'48\"N 2º59'24\"W": {lat, lon}, "51˚34'48\"N 2˚59'24\"W": {lat, lon}, "51,58º -2,99º": {lat, lon}, "51.58° Nord, 2.99° Ouest": {lat, lon}, "51,58° Norte 2,99° Oeste": {lat, lon}, "33.9° Süd, 151.2° Ost": {-33.9, 151.2},
		"POINT(-2.99 51.58)": {lat, lon}, "SRID=4326;POINT Z (-2.99 51.58 12)": {lat, lon}, `{"type":"Point","coordinates":[-2.99,51.58]}`: {lat, lon}, `{ "type": "Point", "coordinates": [ -2.99, 51.58, 12 ] }`: {lat, lon}, `{"lat":51.58,"lon":-2.99}`: {lat, lon}, "51.58, -2.99.": {lat, lon}, "51.58|-2.99": {lat, lon}, "+51.58 -2.99": {lat, lon},
		"−33.9, 151.2": {-33.9, 151.2}, "151.2, -33.9": {-33.9, 151.2}, "-51°30', -2°30'": {-51.5, -2.5}, "0.0,0.0": {0, 0},
	} {
		p, ok := geocode.Coordinates(text, "")
		if !ok || math.Abs(p.Lat-want[0]) > 1e-9 || math.Abs(p.Lon-want[1]) > 1e-9 {
			t.Errorf("%q: %v %v, want %v", text, p, ok, want)
		}
	}
	for _, text := range []string{
		"", "51.58", "12 34", "12,34", "51.58,-2.99,3", "95.1,-200.2", "95.5, 95.5", "51.58N 2.99N", "51.58N 2.99", "51°70'N 2°0'W", "NP20 1AA", "High Street 12, 5.5", "-51.5N 2.5W", "N51.5N W2.5",
		"1.5e3, 2", "NaN,NaN", "51.58, W", "5 High St", "M4 J26", "A48.5 B3", "E12 S5", "W 42 N 3", "N1 W2", "51,58", "12,34 56,78,9", "lat 51.58 lat 2.99", "51.5°' 2.5°", "1 2 3.5", "lat lon", "°, °", "51.58° N, 2.99° O", "POINT(51.58)", "POINT(-200.5 51.58)", `{"type":"LineString","coordinates":[[1.5,2.5],[3.5,4.5]]}`, "N, W", "51 34 48 12 N 2 W", "100.5, 200.5", "1.2.3, 4",
	} {
		if p, ok := geocode.Coordinates(text, ""); ok {
			t.Errorf("%q are coordinates: %v", text, p)
		}
	}
}

// What an O is short for depends on the language.
func TestCoordinatesWithLetterO(t *testing.T) {
	for lang, want := range map[string]float64{"de": 2.99, "de-AT": 2.99, "fr": -2.99, "es": -2.99, "it": -2.99, "pt": -2.99} {
		for _, text := range []string{"51.58N 2.99O", `51° 34′ 48″ N, 2° 59′ 24″ O`, "51,58° N; 2,99° O"} {
			p, ok := geocode.Coordinates(text, lang)
			if !ok || math.Abs(p.Lat-51.58) > 1e-9 || math.Abs(p.Lon-want) > 1e-9 {
				t.Errorf("%q in %s: %v %v, want the longitude %v", text, lang, p, ok, want)
			}
		}
	}
}

func TestLinks(t *testing.T) {
	for text, want := range map[string][2]float64{
		"https://www.openstreetmap.org/#map=15/51.5800/-2.9900":                                                         {51.58, -2.99},
		"https://www.openstreetmap.org/?mlat=51.58&mlon=-2.99#map=12/51.0/-3.0":                                         {51.58, -2.99},
		"https://www.google.com/maps/@51.58,-2.99,15z":                                                                  {51.58, -2.99},
		"https://www.google.com/maps/place/Newport/@51.0,-3.0,17z/data=!3m1!4b1!4m6!3m5!8m2!3d51.58!4d-2.99":            {51.58, -2.99},
		"https://www.google.com/maps?q=51.58,-2.99":                                                                     {51.58, -2.99},
		"https://maps.google.com/?q=loc:51.58,-2.99":                                                                    {51.58, -2.99},
		"https://www.google.com/maps/search/?api=1&query=51.58%2C-2.99":                                                 {51.58, -2.99},
		"https://www.google.com/maps/dir//51.58,-2.99/@51.0,-3.0,12z":                                                   {51.58, -2.99},
		"https://maps.apple.com/?ll=51.58,-2.99&q=Dropped%20Pin":                                                        {51.58, -2.99},
		"https://www.bing.com/maps?cp=51.58~-2.99&lvl=15":                                                               {51.58, -2.99},
		"https://waze.com/ul?ll=51.58,-2.99&navigate=yes":                                                               {51.58, -2.99},
		"https://wego.here.com/?map=51.58,-2.99,15,normal":                                                              {51.58, -2.99},
		"https://yandex.com/maps/?ll=-2.99%2C51.58&z=12":                                                                {51.58, -2.99},
		"https://mapy.com/en/zakladni?x=-2.99&y=51.58&z=15":                                                             {51.58, -2.99},
		"https://2gis.ru/moscow?m=37.62%2C55.75%2F11":                                                                   {55.75, 37.62},
		"https://osmand.net/go?lat=51.58&lon=-2.99&z=15":                                                                {51.58, -2.99},
		"https://www.openstreetmap.org/directions?engine=fossgis_osrm_car&route=51.0,-3.0;51.58,-2.99#map=12/51.3/-3.0": {51.58, -2.99},
		"https://graphhopper.com/maps/?point=51.0%2C-3.0&point=51.58%2C-2.99&profile=car":                               {51.58, -2.99},
		"https://maps.example.org/#here=-2.99,51.58&map=11.20/51.00000/-3.00000":                                        {51.58, -2.99},
		"https://maps.example.org/#p=-3,51;-2.99,51.58&by=truck&map=11.20/51.30000/-3.00000":                            {51.58, -2.99},
		"https://maps.example.org/#14.5/51.58/-2.99":                                                                    {51.58, -2.99},
	} {
		p, ok := geocode.Coordinates(text, "")
		if !ok || math.Abs(p.Lat-want[0]) > 1e-9 || math.Abs(p.Lon-want[1]) > 1e-9 {
			t.Errorf("%s: %v %v, want %v", text, p, ok, want)
		}
	}
	for _, text := range []string{"https://www.google.com/maps/place/Newport", "https://example.org/12/34", "https://goo.gl/maps/abc", "http://", "https://maps.example.org/?ll=abc,def", "https://www.google.com/maps?q=Newport+51,+High+Street", "https://example.org/?ll=95.1,195.2"} {
		if p, ok := geocode.Coordinates(text, ""); ok {
			t.Errorf("%s is the place %v", text, p)
		}
	}
}

// TestGridReferences compares with places whose grid references Ordnance Survey publishes.
func TestGridReferences(t *testing.T) {
	for text, want := range map[string][2]float64{
		"TG 51409 13177": {52.657977, 1.716038}, // the worked example of Ordnance Survey's guide, in WGS84
		"TG5140913177":   {52.657977, 1.716038},
		"tg 514 131":     {52.6574, 1.7160},
		"NT 2515 7349":   {55.9486, -3.2008},   // Edinburgh Castle
		"NN 1667 7128":   {56.79685, -5.00361}, // Ben Nevis
	} {
		p, ok := geocode.Coordinates(text, "")
		if !ok || math.Abs(p.Lat-want[0]) > 0.001 || math.Abs(p.Lon-want[1]) > 0.0015 {
			t.Errorf("%s: %v %v, want %v", text, p, ok, want)
		}
	}
	for _, text := range []string{"TG 514 1317", "IG 514 131", "TG 5 1", "NP20 1AA", "SE1 7EH", "TG 514131 77", "TG51409 13", "ZZ 123 456"} {
		if p, ok := geocode.Coordinates(text, ""); ok {
			t.Errorf("%s is the place %v", text, p)
		}
	}
}

// TestPlusCodes compares with the examples of the specification of Open Location Code.
func TestPlusCodes(t *testing.T) {
	for text, want := range map[string][2]float64{
		"7FG49QCJ+2V":  {20.3700625, 2.7821875},
		"7fg49qcj+2vx": {20.3701125, 2.782234375},
		"8FVC2222+22":  {47.0000625, 8.0000625},
		"4VCPPQGP+Q9":  {-41.2730625, 174.7859375},
	} {
		p, ok := geocode.Coordinates(text, "")
		if !ok || math.Abs(p.Lat-want[0]) > 1e-7 || math.Abs(p.Lon-want[1]) > 1e-7 {
			t.Errorf("%s: %v %v, want %v", text, p, ok, want)
		}
	}
	for _, text := range []string{"7FG49QCJ+2", "7FG49QCJ2V", "7FG49QCJ+2VA", "AFG49QCJ+2V", "+2V", "XXXXXXXX+XX", "9QCJ+2VX"} {
		if p, ok := geocode.Coordinates(text, ""); ok {
			t.Errorf("%s is the place %v", text, p)
		}
	}
}
