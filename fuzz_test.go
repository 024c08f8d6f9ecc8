package waygate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// parsers are the packages that read bytes from outside, with what they read:
// requests, extracts, files of a region, settings, what other servers answer.
var parsers = map[string]string{
	"account":                "keys and e-mail addresses",
	"account/signed":         "tokens of signed addresses",
	"idn":                    "international names",
	"account/origin":         "origins of browser keys",
	"account/stripe":         "events of Stripe",
	"account/x402":           "payments with a call",
	"api/edge":               "keys of requests, addresses of callers",
	"api/route":              "bodies",
	"api/site":               "addresses of shared states",
	"bench":                  "sets of requests",
	"cmd/waygate":            "settings",
	"costing":                "tunnel codes",
	"engine/osrm":            "a remote engine's answers",
	"engine/valhalla":        "a remote engine's answers",
	"feature/coordinates":    "coordinates",
	"feature/places":         "places of callers",
	"feature/evidence":       "signed answers",
	"feature/geocode":        "coordinates as people type them, a proxy's answers",
	"feed":                   "tables and lists of records, lists of feeds",
	"feed/camera":            "cameras",
	"feed/charging":          "charging points",
	"feed/cifs":              "closures and incidents",
	"feed/datex2":            "situations and measurements",
	"feed/fuel":              "prices of fuel",
	"feed/lenient":           "numbers, words and times of feeds",
	"feed/plain":             "tables of traffic and incidents",
	"feed/segments":          "speeds of road segments",
	"feed/tripupdate":        "trip updates",
	"feed/vehicle":           "positions of vehicles",
	"feed/weather":           "forecasts",
	"feed/wzdx":              "work zones",
	"geo":                    "polylines",
	"feature/along/cameras":  "tables of countries",
	"gtfs":                   "tables of timetables",
	"hours":                  "opening hours",
	"importer":               "the state of an import",
	"importer/clip":          "polygons of areas",
	"importer/basemap":       "features put aside while drawing",
	"importer/basemap/shore": "coasts of extracts",
	"importer/multipolygon":  "rings of extracts",
	"importer/network":       "connections of lanes of extracts",
	"importer/places":        "tables of places",
	"importer/roadside":      "directions and powers of extracts",
	"importer/zones":         "the collection of German Umweltzonen, tables of controlled zones",
	"importer/timetable":     "feeds of timetables",
	"importer/tags":          "tags of extracts",
	"index/glyph":            "fonts",
	"index/boundary":         "the section of boundaries",
	"index/footprint":        "vector tiles",
	"index/height/geotiff":   "GeoTIFF files",
	"index/height":           "tiles of heights, packed or not",
	"index/landmark":         "the section of landmarks",
	"index/place/find":       "the section of places, what people search for, ids",
	"index/place/lexicon":    "phrases for kinds of places",
	"index/heritage":         "files of heritage corridors, the section of heritage",
	"index/vectortile":       "vector tiles",
	"feature/pointclouds":    "manifests of datasets",
	"clearance/artefact":     "clearance artefacts",
	"clearance/structures":   "tables of structures",
	"pointcloud":             "LAS and LAZ files",
	"pointcloud/copc":        "octrees of COPC files",
	"pointcloud/las":         "headers, records and reference systems of LAS files",
	"pointcloud/laz":         "compressed points",
	"pointcloud/sidecar":     "sidecars of point clouds",
	"voice/audio":            "WAV files",
	"voice/pack":             "packs of clips",
	"voice/spoken":           "texts to speak",
	"territory":              "indexes, manifests and keys",
	"ev/preset":              "files of electric vehicles",
	"index/coverage":         "the section of coverage",
	"index/zone":             "files of zones, boundaries, the section of zones",
	"index/roadside":         "the section of cameras and chargers",
	"index/timetable":        "the section of timetables",
	"index/stopwalk":         "the section of walks between stops",
	"index/tileset":          "archives of tiles",
	"osm":                    "PBF and XML, packed or not, and downloads",
	"outbox":                 "addresses of relays and webhooks, their answers, signatures",
	"region":                 "manifests and sections",
	"road/cch":               "the sections of the hierarchy",
	"road/graph":             "the sections of the graph, levels",
	"road/conditional":       "conditional tags",
	"road/openlr":            "references to lines",
	"road/snap":              "the section of the index of segments",
	"style":                  "themes",
	"wire/json":              "documents that pass",
	"wire/native":            "requests",
	"wire/native/plan":       "requests of plans",
	"wire/osrm":              "requests",
	"wire/schema":            "requests",
	"wire/valhalla":          "a remote engine's answers",
	"world":                  "tables of usual speeds",
	"engine/canary":          "canary questions",
}

// TestParsersAreFuzzed checks that every package that reads bytes from outside
// has a fuzz target.
func TestParsersAreFuzzed(t *testing.T) {
	for pkg, reads := range parsers {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(pkg), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range source.Decls {
				f, ok := d.(*ast.FuncDecl)
				found = found || ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz")
			}
		}
		if !found {
			t.Errorf("%s reads %s and has no fuzz target", pkg, reads)
		}
	}
}
