package e2e

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/waygate/waygate/waittest"
)

func TestRunBuildsOnceAndSkipsAfterwards(t *testing.T) {
	t.Parallel()
	env := []string{"SVC_DATA_DIR=" + t.TempDir()}
	first := start(t, env, "run")
	for _, stage := range []string{"graph: done", "snap: done", "basemap: done", "seal: done", "region halvern (Isle of Halvern)", "Waygate is running: " + first.url} {
		waittest.Until(t, "the log says "+stage, func() bool { return strings.Contains(first.log.String(), stage) })
	}
	if a := first.get(t, "/health").ok(t); !strings.Contains(string(a.body), `"status":"ok"`) {
		t.Error(a)
	}
	if err := first.stop(); err != nil {
		t.Errorf("stopped in order, it ended with %v", err)
	}
	second := start(t, env, "run")
	log := second.log.String()
	for _, stage := range []string{"graph", "snap", "basemap"} {
		if !strings.Contains(log, stage+": unchanged, skipped") {
			t.Errorf("the second start does not skip %s:\n%s", stage, log)
		}
	}
	if strings.Contains(log, ": done in") {
		t.Errorf("the second start built something:\n%s", log)
	}
	second.get(t, "/explorer.json").ok(t)
	tellsOfItsRoads(t, second)
}

// tellsOfItsRoads checks that the sample county's traffic and incidents are on the
// roads of its region.
func tellsOfItsRoads(t *testing.T, g *gateway) {
	t.Helper()
	from, to := countyPlace(t, "Stannerford"), countyPlace(t, "Port Gwillan")
	journey := fmt.Sprintf(`"locations":[{"lat":%f,"lon":%f},{"lat":%f,"lon":%f}]`, from.Lat, from.Lon, to.Lat, to.Lon)
	var route struct {
		Trip struct {
			Legs []struct {
				Traffic struct {
					Shares map[string]float64
					Stale  bool
				}
			}
		}
	}
	waittest.Until(t, "half of the way across the county has live traffic", func() bool {
		g.send(t, http.MethodPost, "/route", `{`+journey+`,"costing":"auto","traffic":true,"date_time":{"type":0}}`).ok(t).into(t, &route)
		leg := route.Trip.Legs[0].Traffic
		return leg.Shares["live"] > 0.5 && !leg.Stale
	})
	var incidents struct {
		Coverage []struct {
			Source, State string
			Records       int
		}
	}
	g.send(t, http.MethodPost, "/v1/incidents/along", `{`+journey+`}`).ok(t).into(t, &incidents)
	if len(incidents.Coverage) != 1 || incidents.Coverage[0].Source != "halvern-incidents" || incidents.Coverage[0].Records == 0 {
		t.Errorf("incidents: %+v", incidents)
	}
	var seen struct {
		Features []struct{ Properties struct{ Ratio *float64 } }
	}
	g.get(t, "/v1/traffic?bbox=-7.4,49.2,-6.9,49.5").ok(t).into(t, &seen)
	slow := slices.ContainsFunc(seen.Features, func(f struct{ Properties struct{ Ratio *float64 } }) bool {
		return f.Properties.Ratio != nil && *f.Properties.Ratio < 0.9
	})
	if len(seen.Features) < 500 || !slow {
		t.Errorf("%d stretches have traffic, slow %v", len(seen.Features), slow)
	}
}

func TestService(t *testing.T) {
	t.Parallel()
	g := county(t)
	var health map[string]any
	g.get(t, "/health").ok(t).into(t, &health)
	if health["status"] != "ok" || health["backend"] != "embedded" || health["version"] == "" || health["build"] == "" || health["feeds"] == nil {
		t.Errorf("health: %v", health)
	}
	var platform map[string]any
	a := g.get(t, "/v1/platform").ok(t)
	a.into(t, &platform)
	if platform["routing_engine"] != "embedded" || platform["graph_swapped"] == nil || a.header.Get("Cache-Control") != "public, max-age=300" {
		t.Errorf("platform: %s", a)
	}
	for path, want := range map[string][]string{
		"/llms.txt": {"POST /route ", "GET /route/v1/{profile}/{coordinates}", "/openapi.json"},
		"/terms":    {"© OpenStreetMap contributors"},
		"/metrics":  {"waygate_requests_total{", "waygate_info{version="},
	} {
		a := g.get(t, path).ok(t)
		for _, w := range want {
			if !strings.Contains(string(a.body), w) {
				t.Errorf("%s does not say %q", path, w)
			}
		}
	}
}

// TestMetricsListener has the metrics on a listener of their own: every caller
// there gets them and nothing else, and the public one has none.
func TestMetricsListener(t *testing.T) {
	t.Parallel()
	g := start(t, []string{"SVC_REGION_DIR=" + countyDir(t), "SVC_METRICS_LISTEN=localhost:0"}, "serve")
	found := ""
	waittest.Until(t, "the log names the listener of the metrics", func() bool {
		found = regexp.MustCompile(`http://\S+/metrics`).FindString(g.log.String())
		return found != ""
	})
	metrics, err := request(http.MethodGet, found, "", "X-Forwarded-For", "198.51.100.1")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(metrics.ok(t).body), "waygate_info{version=") {
		t.Errorf("%s", metrics.body)
	}
	for path, want := range map[string]int{strings.TrimSuffix(found, "metrics") + "health": http.StatusNotFound, g.url + "/metrics": http.StatusNotFound} {
		a, err := request(http.MethodGet, path, "")
		if err != nil {
			t.Fatal(err)
		}
		if a.status != want {
			t.Errorf("%s answers %d, want %d", path, a.status, want)
		}
	}
}

func TestDocument(t *testing.T) {
	t.Parallel()
	a := county(t).get(t, "/openapi.json").ok(t)
	doc, err := openapi3.NewLoader().LoadFromData(a.body)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Errorf("not valid: %v", err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1") || doc.Paths.Find("/route") == nil {
		t.Errorf("OpenAPI %s with %d paths", doc.OpenAPI, doc.Paths.Len())
	}
}

func TestRootForBrowsersAndOthers(t *testing.T) {
	t.Parallel()
	g := county(t)
	a := g.get(t, "/").ok(t)
	var facts struct {
		Name  string
		Links map[string]string
	}
	a.into(t, &facts)
	if facts.Name != "waygate" {
		t.Error(a)
	}
	for name, link := range facts.Links {
		if got := g.get(t, link); got.status != http.StatusOK {
			t.Errorf("link %s (%s): %d", name, link, got.status)
		}
	}
	page := g.get(t, "/", "Accept: text/html,application/xhtml+xml,*/*;q=0.8").ok(t)
	policy := page.header.Get("Content-Security-Policy")
	if !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") || !strings.Contains(string(page.body), "<title>Waygate") ||
		!strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("%s\n%v", page, page.header)
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(string(page.body), -1) {
		if strings.HasPrefix(m[1], "http") || strings.HasPrefix(m[1], "//") {
			t.Errorf("the page loads %s from elsewhere", m[1])
			continue
		}
		g.get(t, "/"+strings.TrimLeft(m[1], "./")).ok(t)
	}
}

func TestPageOfALinkToNowhere(t *testing.T) {
	t.Parallel()
	g := county(t)
	page := g.get(t, "/a/link/to/nowhere", "Accept: text/html")
	if page.status != http.StatusNotFound || !strings.Contains(string(page.body), `<base href="../../../">`) || !strings.Contains(string(page.body), "leads nowhere") {
		t.Error(page)
	}
	mark := g.get(t, "/favicon.ico").ok(t)
	if mark.header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(string(mark.body), "<svg") {
		t.Errorf("%v\n%s", mark.header, mark.body)
	}
}

func TestMap(t *testing.T) {
	t.Parallel()
	g := county(t)
	var facts struct {
		Territory string
		Bounds    []float64
		Costings  []string
		Examples  []any
	}
	g.get(t, "/explorer.json").ok(t).into(t, &facts)
	if facts.Territory != "halvern" || len(facts.Bounds) != 4 || len(facts.Costings) != 7 || len(facts.Examples) < 8 {
		t.Fatalf("%+v", facts)
	}
	var tiles struct {
		TileJSON         string
		Tiles            []string
		MinZoom, MaxZoom int
		Bounds, Center   []float64
		DataUpdated      *string `json:"data_updated"`
	}
	g.get(t, "/tiles/halvern/tiles.json").ok(t).into(t, &tiles)
	if tiles.TileJSON != "3.0.0" || len(tiles.Tiles) != 1 || !strings.HasPrefix(tiles.Tiles[0], g.url) {
		t.Fatalf("%+v", tiles)
	}
	full := 0
	for z := tiles.MinZoom; z <= tiles.MaxZoom; z++ {
		for _, lonlat := range [][2]float64{{tiles.Center[0], tiles.Center[1]}, {facts.Bounds[0], facts.Bounds[1]}, {facts.Bounds[2], facts.Bounds[3]}, {100, 10}} {
			n := math.Exp2(float64(z))
			x := math.Floor((lonlat[0] + 180) / 360 * n)
			y := math.Floor((1 - math.Asinh(math.Tan(lonlat[1]*math.Pi/180))/math.Pi) / 2 * n)
			address := strings.NewReplacer("{z}", fmt.Sprint(z), "{x}", fmt.Sprint(x), "{y}", fmt.Sprint(y)).Replace(tiles.Tiles[0])
			a, err := request(http.MethodGet, address, "")
			switch {
			case err != nil:
				t.Fatal(err)
			case a.status == http.StatusOK && len(a.body) > 0:
				full++
			case a.status != http.StatusNoContent || len(a.body) > 0:
				t.Errorf("%s: %s", address, a)
			}
		}
	}
	if full < 3*(tiles.MaxZoom-tiles.MinZoom) {
		t.Errorf("%d tiles with content", full)
	}

	var style struct {
		Version int
		Sources map[string]struct {
			URL   string
			Tiles []string
		}
		Glyphs string
		Layers []struct{ Layout map[string]any }
	}
	for _, theme := range []string{"light", "dark"} {
		g.get(t, "/tiles/halvern/style.json?theme="+theme).ok(t).into(t, &style)
		if style.Version != 8 || len(style.Layers) < 20 || len(style.Sources) == 0 {
			t.Fatalf("style %s has %d layers and %d sources", theme, len(style.Layers), len(style.Sources))
		}
	}
	for name, s := range style.Sources {
		if !strings.HasPrefix(s.URL, g.url) && (len(s.Tiles) == 0 || !strings.HasPrefix(s.Tiles[0], g.url)) {
			t.Errorf("source %s is from elsewhere: %+v", name, s)
		}
	}
	var fonts []string
	for _, l := range style.Layers {
		if list, ok := l.Layout["text-font"].([]any); ok {
			for _, f := range list {
				if name, ok := f.(string); ok && !slices.Contains(fonts, name) && name != "literal" {
					fonts = append(fonts, name)
				}
			}
		}
	}
	if len(fonts) == 0 {
		t.Fatal("the style has no fonts")
	}
	for _, font := range fonts {
		address := strings.NewReplacer("{fontstack}", url.PathEscape(font), "{range}", "0-255").Replace(style.Glyphs)
		if a, err := request(http.MethodGet, address, ""); err != nil || a.status != http.StatusOK || len(a.body) < 1000 {
			t.Errorf("%s: %v %v", address, a, err)
		}
	}
}

func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	g := county(t)
	a := g.send(t, http.MethodOptions, "/route", "", "Origin: https://example.org", "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type,authorization")
	if a.status != http.StatusNoContent || a.header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(a.header.Get("Access-Control-Allow-Headers"), "Content-Type") || !strings.Contains(a.header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("%d %v", a.status, a.header)
	}
}
