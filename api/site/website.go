package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/edge/httpfile"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// pagePolicy lets a page load only what this server has. The map draws in workers and
// on images that it makes itself, and clips of speech are fetched with a key, hence blob: and data:. Pages at deeper addresses have
// the root as their base.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; media-src blob:; worker-src 'self' blob:; manifest-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"

var rootDoc = edge.Doc{
	Summary: "The map explorer, or what this is", Tags: []string{"service"},
	Description: "A browser gets the map explorer; others get a JSON object with addresses.",
	Headers:     map[string]string{"Vary": "Accept", "Cache-Control": "no-cache, of the page"},
	Answers:     []edge.Answer{{Type: reflect.TypeFor[Welcome]()}, {Media: "text/html"}},
}

// Welcome introduces the service.
type Welcome struct {
	Links   Links  `json:"links"`
	Name    string `json:"name" enum:"waygate"`
	Version string `json:"version" doc:"of the gateway"`
}

// Links are addresses to read next.
type Links struct {
	Agents   string `json:"agents" doc:"orientation for agents"`
	Console  string `json:"console"`
	Health   string `json:"health"`
	Keys     string `json:"keys" doc:"where one gets a key"`
	OpenAPI  string `json:"openapi"`
	Platform string `json:"platform"`
	Terms    string `json:"terms"`
	Website  string `json:"website"`
}

// root serves the address itself.
type root struct {
	website
	baseURL, websiteURL string
	images              bool // maps are drawn as images
}

func (o root) open(w http.ResponseWriter, r *http.Request, _ *struct{}) error {
	w.Header().Add("Vary", "Accept")
	if !wantsPage(r) {
		base := o.baseURL
		return edge.WriteJSON(w, http.StatusOK, Welcome{
			Links: Links{
				Agents: base + "/llms.txt", Console: o.websiteURL + "/console", Health: base + "/health", Keys: o.websiteURL + "/keys",
				OpenAPI: base + "/openapi.json", Platform: base + "/v1/platform", Terms: base + "/terms", Website: o.websiteURL + "/",
			},
			Name: "waygate", Version: o.version,
		})
	}
	w.Header().Set("Cache-Control", edge.NoCache)
	page, err := o.read("index.html", 0)
	if err != nil {
		return err
	}
	asPage(w.Header())
	_, err = w.Write(withCard(page, o.card(r.URL.RawQuery)))
	return err
}

// wantsPage reports whether a request is for the explorer: a browser's, or one for a state that
// somebody shared, which the programs that make previews ask for with any Accept.
func wantsPage(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	query := r.URL.Query()
	shared := (query.Has("p") || query.Has("here")) && !strings.Contains(accept, "json")
	return strings.Contains(accept, "text/html") || shared
}

// brotliEnding ends the names of files that are packed with Brotli.
const brotliEnding = ".br"

type assetIn struct {
	File string `path:"file"`
}

// assets serves the website's files. Their names contain a hash of their content, so
// they may be cached for ever. The build packs the large ones with Brotli beside the plain ones.
func (s website) assets(w http.ResponseWriter, r *http.Request, in *assetIn) error {
	name := "assets/" + in.File
	if s.files == nil || !fs.ValidPath(name) {
		return fault.New(fault.NotFound, "there is no %s here", edge.ShownPath(r))
	}
	info, err := fs.Stat(s.files, name)
	if err != nil || info.IsDir() {
		return fault.New(fault.NotFound, "there is no %s here", edge.ShownPath(r))
	}
	file := name
	if packed, err := fs.Stat(s.files, name+brotliEnding); err == nil && !packed.IsDir() {
		if httpfile.AcceptsBrotli(r) {
			w.Header().Set("Content-Encoding", "br")
			file += brotliEnding
		}
	}
	data, err := fs.ReadFile(s.files, file)
	if err != nil {
		return err
	}
	if strings.HasSuffix(name, ".webmanifest") { // which no table of media types need have
		w.Header().Set("Content-Type", "application/manifest+json")
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
	return nil
}

// favicon serves the icon for documents and pages that name none. Browsers go by its
// media type.
func (s website) favicon(w http.ResponseWriter, r *http.Request, _ *struct{}) error {
	if s.files == nil {
		return fault.New(fault.NotFound, "there is no %s here", edge.ShownPath(r))
	}
	marks, err := fs.Glob(s.files, "assets/mark-*.svg")
	if err != nil || len(marks) == 0 {
		return fault.New(fault.NotFound, "there is no %s here", edge.ShownPath(r))
	}
	data, err := fs.ReadFile(s.files, marks[0])
	if err != nil {
		return err
	}
	http.ServeContent(w, r, marks[0], time.Time{}, bytes.NewReader(data))
	return nil
}

// driverWorkerFile is the service worker of the driver's page. It lies at the root, because a
// worker serves no page above its own folder.
const driverWorkerFile = "driver-worker.js"

// driverWorker serves the service worker of the driver's page, which may only ask this server.
func (s website) driverWorker(w http.ResponseWriter, r *http.Request, _ *struct{}) error {
	if s.files == nil {
		return fault.New(fault.NotFound, "there is no %s here", edge.ShownPath(r))
	}
	data, err := fs.ReadFile(s.files, driverWorkerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, "there is no %s here", edge.ShownPath(r))
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; connect-src 'self'")
	http.ServeContent(w, r, driverWorkerFile, time.Time{}, bytes.NewReader(data))
	return nil
}

// Voice is a voice that the gateway speaks with.
type Voice struct {
	ID       string `json:"id"`
	Language string `json:"language"` // BCP 47 tag; * is every language
}

// explorerFacts has the facts of a deployment that the explorer needs.
type explorerFacts struct {
	Territory   string            `json:"territory"`
	Name        string            `json:"name"`
	Bounds      *[4]float64       `json:"bounds"` // west, south, east, north, the east beyond 180 where the region lies across the antimeridian; null without a region
	Center      [3]float64        `json:"center"` // lon, lat, zoom
	Attribution string            `json:"attribution"`
	Heights     bool              `json:"heights"` // POST /elevation/along answers
	Voices      []Voice           `json:"voices"`  // of GET /v1/voice/speech, the preferred first
	Costings    []costing.Costing `json:"costings"`
	Version     string            `json:"version"`
	Examples    json.RawMessage   `json:"examples"`
}

func (s website) explorer(w http.ResponseWriter, r *http.Request, _ *struct{}) error {
	current, err := edge.WorldOf(r.Context())
	if err != nil {
		return err
	}
	t := current.Regions()[0] // the explorer draws one map
	facts := explorerFacts{
		Territory: t.ID, Name: t.Name, Center: [3]float64{0, 20, 1}, Attribution: strings.Join(t.Attribution, " · "), Heights: s.heights, Voices: append([]Voice{}, s.voices...),
		Costings: costing.All[:], Version: s.version, Examples: t.Examples,
	}
	if facts.Examples == nil {
		facts.Examples = json.RawMessage("[]")
	}
	if t.ID != "" && !t.Bounds.Empty() {
		b := t.Bounds.Unwrapped()
		facts.Bounds = &[4]float64{b.Min.Lon, b.Min.Lat, b.Max.Lon, b.Max.Lat}
		middle := t.Bounds.Centre()
		facts.Center = [3]float64{middle.Lon, middle.Lat, fitting(t.Bounds)}
	}
	return edge.WriteJSON(w, http.StatusOK, facts)
}

// fitting returns the zoom at which bounds fill a map of about 1024 by 768 points, in
// half steps between 1 and 15. At zoom 0 the world is 512 points wide.
func fitting(b geo.Bounds) float64 {
	mercator := func(lat float64) float64 {
		s := math.Sin(max(-85, min(85, lat)) * math.Pi / 180)
		return math.Log((1+s)/(1-s)) / (4 * math.Pi)
	}
	wide := max(b.Width()/360, 1e-9)
	high := max(mercator(b.Max.Lat)-mercator(b.Min.Lat), 1e-9)
	zoom := math.Log2(min(1024/512/wide, 768.0/512/high))
	return max(1, min(15, math.Floor(zoom*2)/2))
}
