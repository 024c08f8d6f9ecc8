package waygate

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/waygate/waygate/"

// arrows is the architecture: which packages of this module each may import.
// "bench/..." is a package with everything below it, "api/*" everything below and
// not api itself. The longest row that covers a package holds. A row uses only
// rows above it and its own folder, so there are no cycles. The table in
// ARCHITECTURE.md is written from this one by go test . -run TestArchitectureTable -update.
var arrows = [][2]string{
	{"geo", ""},
	{"geo/proj", ""},
	{"geo/corridor", "geo"},
	{"fault", ""},
	{"parallel", ""},
	{"hours", "geo"},
	{"hours/holiday", "hours"},
	{"realdata", ""},
	{"waittest", ""},
	{"soaktest", ""},
	{"web", ""},
	{"store", "fault"},
	{"store/storetest", "store"},
	{"costing", "fault"},
	{"costing/costingtest", "costing"},
	{"osm", "parallel geo"},
	{"osm/osmtest", "osm geo"},
	{"region", "geo"},
	{"region/regiontest", "region"},
	{"guidance", ""},
	{"guidance/narrate", "guidance"},
	{"road/graph", "region geo"},
	{"road/cch/order", "road/graph parallel"},
	{"road/conditional", "road/graph hours/holiday hours geo"},
	{"road/snap", "road/graph region geo"},
	{"road/overlay", "road/snap road/conditional road/graph hours geo"},
	{"road/profile", "road/overlay road/conditional road/graph costing hours parallel"},
	{"road/heap", ""},
	{"road/sparse", ""},
	{"road/search", "road/sparse road/heap road/profile road/overlay road/graph"},
	{"road/cch/searchgraph", "road/graph region"},
	{"road/cch", "road/cch/searchgraph road/search road/sparse road/profile road/overlay road/cch/order road/graph region costing parallel"},
	{"road/centroid", "road/search road/sparse road/heap road/profile road/graph"},
	{"road/contour", "geo"},
	{"road/contour/contourtest", "geo"},
	{"road/guide", "road/conditional road/graph guidance parallel geo"},
	{"road/guide/sketch", "road/graph geo"},
	{"road/island", "road/sparse road/profile road/graph region costing"},
	{"road/match", "road/heap road/profile road/snap road/graph geo"},
	{"road/openlr", "road/snap road/graph geo"},
	{"road/link", "road/openlr road/match road/profile road/snap road/graph costing geo"},
	{"road/search/searchtest", "road/search road/profile road/overlay road/conditional road/graph hours geo soaktest"},
	{"ev", ""},
	{"ev/preset", "ev"},
	{"ev/preset/generate", "ev/preset"},
	{"fleet", ""},
	{"fleet/search/limit", "fleet"},
	{"fleet/search/model", "fleet/search/limit fleet"},
	{"fleet/search", "fleet/search/model fleet/search/limit fleet parallel"},
	{"fleet/explain", "fleet/search fleet/search/model fleet/search/limit fleet"},
	{"fleet/fleettest", "fleet"},
	{"upstream", "fault parallel"},
	{"upstream/upstreamtest", ""},
	{"fleet/vroom", "upstream fleet/search fleet fault"},
	{"fleet/vroom/vroomtest", "fleet/search fleet"},
	{"index/rings", "geo"},
	{"index/boundary", "index/rings region geo"},
	{"index/category", ""},
	{"index/coverage", "region geo"},
	{"index/message", ""},
	{"index/footprint", "index/message"},
	{"index/tileset", "geo"},
	{"index/globe", "index/tileset"},
	{"index/glyph", ""},
	{"index/height/geotiff", ""},
	{"index/height", "index/height/geotiff index/tileset geo"},
	{"index/strict", ""},
	{"index/heritage", "index/strict region geo/corridor geo"},
	{"index/landmark", "region geo"},
	{"index/translit", ""},
	{"index/place/fold", "geo"},
	{"index/place/tree", "region geo"},
	{"index/place", "index/place/tree index/place/fold region geo"},
	{"index/place/build", "index/place/tree index/place/fold index/place geo"},
	{"index/place/lexicon", "index/place/fold index/place index/translit index/category"},
	{"index/place/find", "index/rings index/place/lexicon index/place/tree index/place/fold index/place index/category region geo"},
	{"index/roadside", "region geo"},
	{"index/sprite", ""},
	{"index/timezone", "index/message index/rings geo"},
	{"index/vectortile", "index/message"},
	{"index/surroundings", "index/vectortile geo"},
	{"index/zone", "index/strict region geo"},
	{"gtfs", ""},
	{"index/timetable", "gtfs region geo"},
	{"transit/journey", "index/timetable gtfs geo"},
	{"index/stopwalk", "region"},
	{"internet", ""},
	{"wire/null", ""},
	{"feed", "internet parallel geo wire/null"},
	{"feed/lenient", "feed geo"},
	{"feed/camera", "feed geo/corridor geo feed/lenient"},
	{"feed/charging", "feed geo/corridor geo feed/lenient"},
	{"feed/traffic", "feed road/link geo"},
	{"feed/plain", "feed/traffic feed road/link geo feed/lenient"},
	{"feed/cifs", "feed/plain feed/traffic feed road/link geo feed/lenient"},
	{"feed/datex2", "feed/traffic index/timezone road/link road/openlr geo feed/lenient"},
	{"feed/fuel", "feed geo/corridor geo feed/lenient"},
	{"feed/segments", "feed/traffic road/link"},
	{"feed/wzdx", "feed/plain feed/traffic feed road/link feed/lenient"},
	{"feed/roads", "feed/wzdx feed/segments feed/datex2 feed/cifs feed/plain feed/traffic feed road/link"},
	{"feed/weather", "feed parallel geo/corridor geo feed/lenient"},
	{"feed/realtime", "feed index/message"},
	{"feed/vehicle", "feed/realtime feed index/message geo"},
	{"feed/tripupdate", "feed/realtime feed gtfs index/message"},
	{"transit/overlay", "feed/tripupdate index/timetable gtfs"},
	{"style", "index/glyph"},
	{"pointcloud/las", ""},
	{"pointcloud/laz", ""},
	{"pointcloud", "pointcloud/las pointcloud/laz"},
	{"pointcloud/pointcloudtest", "pointcloud pointcloud/las pointcloud/laz"},
	{"pointcloud/copc", "pointcloud pointcloud/las pointcloud/laz"},
	{"pointcloud/epsg", ""},
	{"pointcloud/sidecar", "pointcloud pointcloud/copc pointcloud/las"},
	{"blob", "internet"},
	{"voice/audio", ""},
	{"voice/spoken", ""},
	{"voice/speech", "guidance/narrate parallel fault"},
	{"voice", "blob voice/audio voice/speech voice/spoken guidance/narrate parallel fault"},
	{"voice/pack", "region voice/audio guidance/narrate guidance road/graph road/guide"},
	{"territory", "blob index/place index/landmark index/glyph index/tileset index/boundary region"},
	{"engine", "guidance costing fault geo"},
	{"wire/json", "geo"},
	{"wire/country", ""},
	{"wire/schema", "engine fault geo"},
	{"wire/schema/schematest", "engine guidance"},
	{"wire/osrm", "wire/schema wire/country wire/json engine guidance/narrate guidance costing fault geo"},
	{"wire/nominatim", "wire/schema wire/country index/place fault geo"},
	{"wire/photon", "wire/nominatim wire/schema wire/country engine index/place fault geo"},
	{"wire/native", "wire/schema engine guidance/narrate costing fault geo wire/json"},
	{"wire/native/ahead", "costing engine geo wire/native wire/schema"},
	{"wire/native/plan", "costing engine fault geo wire/native wire/schema"},
	{"wire/native/transit", "wire/native/plan wire/native geo"},
	{"wire/valhalla", "costing engine fault geo guidance guidance/narrate wire/country wire/json wire/native wire/osrm"},
	{"engine/counted", "engine"},
	{"engine/scheduled", "engine parallel fault"},
	{"engine/chosen", "engine costing fault"},
	{"engine/pooled", "engine upstream fault"},
	{"engine/canary", "engine costing geo fault"},
	{"engine/osrm", "engine/canary wire/osrm engine upstream costing fault geo guidance guidance/narrate engine/pooled wire/json parallel"},
	{"engine/valhalla", "engine/canary wire/osrm wire/json engine upstream costing fault geo wire/valhalla engine/pooled"},
	{"engine/embedded/kernel", "road/island road/cch road/overlay road/snap road/graph region costing parallel geo"},
	{"engine/embedded/metric", "engine/embedded/kernel engine road/cch road/search road/profile road/overlay road/graph costing parallel fault"},
	{"engine/embedded/plan", "engine/embedded/metric engine/embedded/kernel engine road/match road/island road/centroid road/cch road/search road/profile road/overlay road/snap road/conditional road/graph costing geo"},
	{"engine/embedded/explain", "engine/embedded/plan engine/embedded/metric engine road/search road/profile road/overlay road/snap road/graph costing fault geo"},
	{"engine/embedded/live", "engine/embedded/plan engine/embedded/kernel engine road/link road/match road/profile road/overlay road/snap road/conditional road/graph geo"},
	{"engine/embedded/answer", "engine/embedded/plan engine/embedded/kernel engine road/guide road/profile road/conditional road/graph guidance/narrate guidance costing geo"},
	{"engine/embedded/trace", "engine/embedded/answer engine/embedded/plan engine road/match road/guide road/search road/profile road/overlay road/conditional road/graph geo"},
	{"engine/embedded/reach", "engine/embedded/answer engine/embedded/explain engine/embedded/plan engine/embedded/metric engine/embedded/kernel engine road/contour road/cch road/search road/sparse road/heap road/profile road/overlay road/graph costing geo"},
	{"engine/embedded/many", "engine/embedded/answer engine/embedded/explain engine/embedded/plan engine/embedded/metric engine/embedded/kernel engine road/centroid road/cch road/search road/sparse road/profile road/overlay road/conditional road/graph costing parallel fault geo"},
	{"engine/embedded/judge", "engine/embedded/plan engine/embedded/metric engine/embedded/kernel engine road/match road/profile road/graph costing geo"},
	{"engine/embedded/estimate", "engine/embedded/many engine/embedded/trace engine/embedded/plan engine/embedded/metric engine road/search road/overlay geo"},
	{"engine/embedded/locate", "engine/embedded/answer engine/embedded/explain engine/embedded/plan engine/embedded/kernel engine road/island road/search road/snap road/graph geo"},
	{"engine/embedded", "geo costing engine region parallel engine/embedded/locate engine/embedded/estimate engine/embedded/many engine/embedded/reach engine/embedded/trace engine/embedded/answer engine/embedded/live engine/embedded/explain engine/embedded/plan engine/embedded/kernel guidance/narrate engine/embedded/judge"},
	{"engine/audited", "engine/embedded/judge engine/embedded engine costing fault geo"},
	{"render", "parallel"},
	{"feature/adr", "costing fault"},
	{"feature/along", "engine engine/scheduled feed index/place costing fault geo/corridor geo wire/null"},
	{"feature/along/cameras", "feature/along feed/camera feed fault geo/corridor geo wire/null"},
	{"feature/along/charging", "feature/along feed/charging feed fault geo/corridor wire/null guidance/narrate geo"},
	{"feature/along/fuel", "feature/along feed/fuel feed costing fault geo/corridor wire/null guidance/narrate geo"},
	{"feature/along/incidents", "feature/along feed/traffic fault geo/corridor geo wire/null"},
	{"feature/along/weather", "feature/along feed/weather feed fault geo wire/null"},
	{"feature/boundary", "index/boundary fault geo"},
	{"feature/cluster", "engine geo"},
	{"feature/coordinates", "fault geo/proj"},
	{"clearance/artefact", "feature/coordinates"},
	{"clearance/measure", "clearance/artefact"},
	{"clearance/structures", "clearance/artefact"},
	{"clearance/scan", "clearance/measure pointcloud/las"},
	{"clearance/build", "clearance/measure clearance/structures clearance/artefact feature/coordinates pointcloud pointcloud/las road/graph"},
	{"feature/traffic", "feed geo wire/null"},
	{"feature/elevation", "engine index/height fault geo wire/null"},
	{"feature/errands", "engine index/place costing hours fault geo"},
	{"feature/evplan", "engine feed/charging ev costing fault geo/corridor geo wire/null"},
	{"feature/feedback", "store fault"},
	{"feature/geocode", "engine index/place/find index/place/fold index/place/lexicon index/place store hours parallel fault geo/proj geo"},
	{"feature/geocode/geocodetest", "index/place/find index/place/build index/place geo"},
	{"feature/geocode/geocoded", "feature/geocode wire/json geo"},
	{"feature/heritage", "engine index/heritage geo/corridor geo"},
	{"feature/inview", "engine index/place index/footprint geo wire/null"},
	{"feature/landmarks", "engine index/landmark guidance/narrate guidance geo"},
	{"feature/observations", "engine index/surroundings index/height guidance/narrate geo"},
	{"feature/progress", "engine costing parallel fault geo/corridor geo"},
	{"feature/rationale", "engine costing geo"},
	{"feature/scenic", "engine index/surroundings guidance/narrate costing wire/null geo"},
	{"feature/evidence", "store"},
	{"feature/opinion", "engine costing fault geo"},
	{"feature/reach", "engine index/place/find index/rings geo"},
	{"feature/receipt", "wire/schema engine costing"},
	{"feature/report", "engine costing geo"},
	{"feature/schematic", "index/vectortile fault geo"},
	{"feature/staticmap", "render internet fault geo"},
	{"feature/styles", "style store fault"},
	{"feature/pointclouds", "blob engine index/strict parallel fault"},
	{"feature/territories", "territory blob fault"},
	{"feature/tiles", "blob style index/sprite index/glyph index/globe index/tileset fault geo"},
	{"feature/timezone", "index/timezone fault geo"},
	{"feature/trip", "engine"},
	{"feature/verify", "engine index/place costing fault geo"},
	{"feature/watch", "costing store fault geo"},
	{"feature/dispatch", "wire/native/plan store fault"},
	{"feature/zones", "engine fault index/zone index/timezone hours geo wire/null"},
	{"idn", ""},
	{"outbox", "idn internet store parallel"},
	{"outbox/outboxtest", ""},
	{"feature/clearance", "feature/pointclouds clearance/artefact blob engine fault geo parallel"},
	{"feature/directions", "feature/zones feature/scenic feature/rationale feature/landmarks wire/native wire/json engine index/zone index/surroundings index/coverage costing geo feature/clearance wire/schema"},
	{"feature/places", "wire/schema engine store fault geo"},
	{"job", "store parallel fault"},
	{"feature/optimise", "feature/zones engine/scheduled wire/native wire/schema wire/json engine index/zone fleet/explain fleet/search fleet costing fault geo wire/native/plan"},
	{"feature/optimise/work", "feature/optimise job engine/scheduled wire/native wire/schema engine fault geo wire/valhalla wire/native/plan"},
	{"feature/transit/report", "transit/journey index/timetable index/place/find index/place gtfs fault geo wire/null"},
	{"feature/transit", "feed/vehicle feed transit/journey index/stopwalk index/timetable gtfs engine costing fault geo wire/null transit/overlay feed/tripupdate"},
	{"account/disposable", ""},
	{"account/ledger", "store fault"},
	{"account/origin", "fault"},
	{"account/signed", "fault"},
	{"account", "account/signed account/origin account/ledger account/disposable outbox idn store fault"},
	{"account/rate", ""},
	{"account/meter", "account/rate account account/signed account/origin account/ledger store parallel fault"},
	{"account/jobs", "account/meter account/ledger outbox store fault"},
	{"account/notice", "account outbox store fault"},
	{"account/overview", "account store"},
	{"account/schema", "store"},
	{"account/stripe", "account account/ledger store fault"},
	{"account/stripe/stripetest", ""},
	{"account/x402", "fault"},
	{"account/x402/x402test", "account/x402"},
	{"sample/plane", "geo"},
	{"sample/land", "geo sample/plane"},
	{"sample/network", "osm sample/land sample/plane"},
	{"sample/extract", "geo osm sample/network sample/plane"},
	{"sample", "osm geo sample/extract sample/land sample/network sample/plane"},
	{"sample/feeds", "sample geo osm"},
	{"importer/...", "importer/... engine/embedded/many engine/embedded/explain engine/embedded/plan engine/embedded/kernel engine index/stopwalk index/timetable gtfs index/zone index/timezone index/roadside index/place index/landmark index/height index/globe index/tileset index/coverage index/boundary road/island road/guide road/cch road/profile road/overlay road/snap road/conditional road/cch/order road/graph region osm costing parallel geo/proj geo index/place/build index/heritage"},
	{"importer/importertest", "sample osm realdata importer/... sample/feeds"},
	{"towntest", "importer region osm geo"},
	{"engine/enginetest", "upstream/upstreamtest towntest engine osm costing realdata fault geo wire/valhalla"},
	{"bench", "road/search road/heap road/profile road/graph osm costing parallel geo"},
	{"bench/vrp", "fleet"},
	{"world", "transit/journey feature/watch feature/transit feature/tiles feature/landmarks feature/along/incidents engine/embedded engine/scheduled engine/counted engine feed/roads feed/traffic feed/charging feed/camera feed index/zone index/roadside index/place index/landmark index/glyph index/tileset index/coverage index/boundary road/link road/overlay road/graph region parallel fault geo/corridor geo engine/embedded/live index/stopwalk index/timetable index/place/find index/heritage index/surroundings costing engine/chosen engine/audited engine/canary"},
	{"cmd/waygate/files", "blob"},
	{"cmd/waygate/progress", ""},
	{"cmd/waygate/version", ""},
	{"cmd/waygate/completion", ""},
	{"cmd/waygate/zones", "cmd/waygate/files feature/zones importer/zones index/zone"},
	{"cmd/waygate/county", "cmd/waygate/files cmd/waygate/zones cmd/waygate/version clearance/build clearance/scan feature/coordinates pointcloud pointcloud/copc pointcloud/epsg pointcloud/sidecar costing feed geo index/height index/heritage index/zone osm sample sample/feeds sample/land wire/native world"},
	{"cmd/waygate/regions", "cmd/waygate/files cmd/waygate/version fault importer parallel region world"},
	{"cmd/waygate/offline", "blob cmd/waygate/files cmd/waygate/regions cmd/waygate/version importer importer/clip index/glyph region territory world"},
	{"cmd/waygate/transit", "world feature/transit/report feature/geocode index/timetable gtfs wire/json fault geo"},
	{"cmd/waygate/clearance", "cmd/waygate/files cmd/waygate/progress clearance/build clearance/structures clearance/artefact cmd/waygate/version feature/coordinates pointcloud pointcloud/sidecar region road/graph"},
	{"cmd/waygate/pointcloud", "cmd/waygate/files cmd/waygate/progress feature/coordinates pointcloud/epsg pointcloud pointcloud/copc pointcloud/las pointcloud/sidecar"},
	{"cmd/waygate/plan", "world feature/optimise feature/zones wire/schema engine hours/holiday fault wire/native/plan"},
	{"cmd/waygate/bench", "bench bench/vrp costing fleet fleet/search region road/graph"},
	{"api/problem", "fault"},
	{"api/edge/httpfile", "fault"},
	{"api/edge/metrics", "api/problem engine engine/scheduled feed world upstream"},
	{"api/edge", "account/signed world account/x402 account/meter account/rate account engine/scheduled wire/schema wire/json engine feed parallel fault geo api/edge/httpfile api/edge/metrics api/problem upstream"},
	{"api/record", "account account/ledger wire/null"},
	{"api/account", "account/signed account/origin api/record api/edge account/stripe account/meter account job feature/feedback engine/scheduled wire/native fault"},
	{"api/admin", "wire/null api/record api/edge account/overview account/notice account account/ledger feature/styles feature/pointclouds feature/feedback wire/schema feed fault feature/clearance"},
	{"api/along", "api/edge world feature/traffic feature/places feature/watch feature/timezone feature/geocode feature/evplan feature/along/weather feature/along/incidents feature/along/fuel feature/along/charging feature/along/cameras feature/along engine/scheduled wire/native wire/schema engine feed/fuel feed/charging ev/preset ev hours/holiday fault geo wire/native/ahead feature/heritage feature/observations feature/elevation guidance/narrate voice voice/audio feature/clearance feature/pointclouds"},
	{"api/geocode", "api/edge world feature/timezone feature/geocode feature/boundary wire/native wire/photon wire/nominatim wire/schema wire/country engine hours/holiday fault geo api/problem feature/geocode/geocoded"},
	{"api/maps", "api/edge world feature/tiles feature/territories feature/pointclouds feature/styles feature/staticmap feature/schematic wire/schema engine territory style fault geo api/edge/httpfile"},
	{"api/place", "api/edge account feature/places feature/zones feature/timezone feature/inview feature/geocode feature/feedback feature/elevation feature/coordinates feature/boundary wire/native wire/schema wire/json engine fault geo"},
	{"api/plan", "api/edge world account/jobs feature/dispatch feature/optimise/work feature/optimise job outbox feature/zones feature/verify feature/timezone feature/geocode feature/errands feature/cluster engine/scheduled wire/native wire/schema engine store hours/holiday fault geo wire/native/plan api/problem"},
	{"api/route", "api/edge world feature/directions feature/transit index/timetable feature/zones feature/trip feature/timezone feature/report feature/rationale feature/scenic feature/progress feature/landmarks feature/along/incidents feature/along feature/adr engine/scheduled wire/native wire/osrm wire/schema wire/json engine costing hours/holiday fault geo wire/valhalla wire/native/ahead api/problem feature/receipt feature/opinion feature/evidence feature/clearance feature/pointclouds feature/reach"},
	{"api/site", "wire/null api/edge world account/meter account feature/optimise feed costing fault geo engine api/edge/httpfile"},
	{"api/transit", "api/edge feature/transit/report feature/transit feature/geocode wire/native/transit wire/native wire/json wire/schema index/timetable gtfs costing fault geo engine"},
	{"api/voice", "api/edge api/edge/httpfile api/problem voice voice/audio wire/native wire/schema engine fault"},
	{"api", "world feature/dispatch account/x402 account/stripe account/overview account/notice account/jobs account/meter account feature/optimise job feature/places feature/pointclouds feature/territories feature/styles feature/staticmap feature/geocode feature/feedback feature/elevation feature/boundary engine/scheduled feed api/site api/route api/plan api/place api/maps api/geocode api/along api/admin api/account api/edge api/transit feature/transit api/voice voice api/edge/metrics feature/evidence feature/clearance"},
	{"api/apitest", "api feature/dispatch api/plan api/edge world towntest feature/optimise job feature/places outbox feature/styles feature/landmarks feature/geocode feature/feedback engine/embedded engine/scheduled engine/counted wire/schema/schematest engine index/landmark fleet/vroom/vroomtest fleet/vroom costing store/storetest store fault geo account/x402 account/stripe account/schema account/overview account/notice account/jobs account/meter account account/ledger api/edge/metrics"},
	{"api/server", "parallel"},
	{"cmd/waygate/replay", "api/route feature/evidence world"},
	{"cmd/waygate", "engine/canary cmd/waygate/files cmd/waygate/version cmd/waygate/completion cmd/waygate/zones cmd/waygate/county cmd/waygate/regions cmd/waygate/offline cmd/waygate/transit cmd/waygate/plan world job outbox render territory blob region store web parallel fault geo api/... importer/... account/... feature/... engine/... feed/... index/... fleet/... voice/... cmd/waygate/bench cmd/waygate/pointcloud costing upstream cmd/waygate/replay cmd/waygate/clearance"},
	{"e2e", ""},
	{"e2e/clients", ""},
}

// folders hold no Go packages of the architecture.
var folders = []string{"docs", "deploy", "scripts", "bin", "data", "dist", "shared"}

// covers reports whether a row, or a use in one, is for a package.
func covers(rule, pkg string) bool {
	if room, ok := strings.CutSuffix(rule, "/*"); ok {
		return strings.HasPrefix(pkg, room+"/")
	}
	room, all := strings.CutSuffix(rule, "/...")
	return pkg == room || all && strings.HasPrefix(pkg, room+"/")
}

// rule finds the row for a package.
func rule(pkg string) (name, uses string, ok bool) {
	for _, row := range arrows {
		if covers(row[0], pkg) && len(row[0]) >= len(name) {
			name, uses, ok = row[0], row[1], true
		}
	}
	return name, uses, ok
}

// allowed returns the use of a row that lets a package import another, "" if none does.
func allowed(uses, pkg, imported string) string {
	for use := range strings.FieldsSeq(uses) {
		if covers(use, imported) {
			return use
		}
	}
	if imported == "waittest" && strings.HasSuffix(pkg, "test") {
		return imported // every package for tests may wait
	}
	return ""
}

func TestRowsUseRowsAbove(t *testing.T) {
	for i, row := range arrows {
		for use := range strings.FieldsSeq(row[1]) {
			room := strings.TrimRight(use, "/.*")
			found := slices.ContainsFunc(arrows[:i+1], func(above [2]string) bool {
				return covers(above[0], room) || strings.HasPrefix(above[0], room+"/")
			})
			if !found {
				t.Errorf("%s uses %s, which is not above it", row[0], use)
			}
		}
	}
}

func TestArrows(t *testing.T) {
	used := map[[2]string]bool{} // by a row's name and its use; "" is the row itself
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(t, file, d.Name())
		}
		pkg := filepath.ToSlash(filepath.Dir(file))
		if !strings.HasSuffix(file, ".go") || pkg == "." {
			return nil
		}
		name, uses, ok := rule(pkg)
		if !ok {
			t.Errorf("%s: no such room; add it to arrows and ARCHITECTURE.md", pkg)
			return nil
		}
		used[[2]string{name, ""}] = true
		if strings.HasSuffix(file, "_test.go") {
			return nil
		}
		imports, err := ours(file)
		for _, imported := range imports {
			use := allowed(uses, pkg, imported)
			if use == "" {
				t.Errorf("%s may not import %s (%s may use: %s)", file, imported, name, uses)
			}
			used[[2]string{name, use}] = true
			if strings.HasSuffix(imported, "test") && !strings.HasSuffix(pkg, "test") {
				t.Errorf("%s imports %s, which is for tests", file, imported)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range arrows {
		if !used[[2]string{row[0], ""}] {
			t.Errorf("arrows has a row for %s, and there is no such package", row[0])
		}
		for use := range strings.FieldsSeq(row[1]) {
			if !used[[2]string{row[0], use}] {
				t.Errorf("arrows lets %s use %s, which it does not import; take it out", row[0], use)
			}
		}
	}
}

// enter skips what is no part of the architecture and reports folders that
// no row names.
func enter(t *testing.T, path, name string) error {
	switch {
	case path == ".":
		return nil
	case strings.HasPrefix(name, "."), name == "testdata", name == "node_modules", slices.Contains(folders, path):
		return filepath.SkipDir
	case !strings.ContainsRune(filepath.ToSlash(path), '/') && !known(name):
		t.Errorf("%s: no such room; add it to arrows and ARCHITECTURE.md", name)
	}
	return nil
}

func known(room string) bool {
	return slices.ContainsFunc(arrows, func(row [2]string) bool { return row[0] == room || strings.HasPrefix(row[0], room+"/") })
}

// ours lists the packages of this module that a file imports.
func ours(file string) ([]string, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if imported, is := strings.CutPrefix(path, module); is {
			all = append(all, imported)
		}
	}
	return all, nil
}

// textless are the packages without a format of their own: they return values, and
// other packages write them.
var textless = []string{"guidance/...", "road/...", "fleet", "fleet/search/...", "fleet/explain", "engine/counted", "engine/scheduled", "engine/embedded/..."}

func TestOnlyWireKnowsText(t *testing.T) {
	files := 0
	for _, room := range textless {
		top, whole := strings.CutSuffix(room, "/...")
		err := filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && file != top && !whole {
				return filepath.SkipDir
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			files++
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, spec := range f.Imports {
				if spec.Path.Value == `"encoding/json"` {
					t.Errorf("%s imports encoding/json; text is read and written in wire", file)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Fatalf("looked at %d files only", files)
	}
}

// TestRowsOfFeatures checks the reading of rows: a feature uses what its own row
// names, and no other feature, engine or endpoint.
func TestRowsOfFeatures(t *testing.T) {
	for imported, want := range map[string]bool{"geo/proj": true, "geo": false, "feature/adr": false, "engine/embedded": false, "api": false} {
		_, uses, _ := rule("feature/coordinates")
		if got := allowed(uses, "feature/coordinates", imported) != ""; got != want {
			t.Errorf("feature/coordinates importing %s: %v", imported, got)
		}
	}
	for _, row := range arrows {
		if strings.HasPrefix(row[0], "feature/") {
			for _, imported := range []string{"api", "api/edge", "world", "cmd/waygate", "engine/embedded", "engine/osrm", "engine/valhalla"} {
				if allowed(row[1], row[0], imported) != "" {
					t.Errorf("%s may use %s: a feature knows neither endpoints nor which engine answers", row[0], imported)
				}
			}
		}
	}
}
