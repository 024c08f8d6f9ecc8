// Package territory is packages for use without a network: the region of an area,
// its roads, map, places and letters, as files whose names are their hashes under a
// signed manifest. It publishes them into a store and fetches them from a server.
//
// A store holds
//
//	index.json, index.json.sig             the newest version of each territory
//	index.json.sig.next                    to mend an index whose publication ended before its signature
//	public.pem                             the key that signs
//	ID/VERSION/manifest.json, ….json.sig   what a version is made of
//	layers/SHA256                          the files of all versions
//
// A signature is one line: Ed25519 over the whole file, in base64.
package territory

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/region"
)

// Format is that of index and manifest. A reader refuses a newer one.
const Format = 1

// MaxDocument is the most bytes that an index or a manifest may have.
const MaxDocument = 4 << 20

// Kinds of layers.
const (
	KindRegion = "region" // the manifest of the region that the others are sections of
	KindGraph  = "graph"
	KindTiles  = "tiles"
	KindPlaces = "places"
	KindGlyphs = "glyphs" // a zip of glyph files by fontstack/range.pbf
)

// Layer is one file of a version.
type Layer struct {
	Kind  string `json:"kind" enum:"region,graph,tiles,places,glyphs"`
	File  string `json:"file" doc:"name to keep it under"`
	Addr  string `json:"addr" doc:"SHA-256 of the file in hexadecimal"`
	Bytes int64  `json:"bytes" minimum:"1"`
}

// Manifest is what a version is made of.
type Manifest struct {
	Format      int             `json:"format"`
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Version     int64           `json:"version" minimum:"1"`
	Built       time.Time       `json:"built"`
	Builder     string          `json:"builder" doc:"version of the gateway that built it"`
	DataUpdated *string         `json:"data_updated" doc:"ISO 8601 date of the extract, null where it is not known"`
	BBox        [4]float64      `json:"bbox" doc:"west, south, east, north"`
	Polygon     json.RawMessage `json:"polygon,omitempty" doc:"GeoJSON geometry of the area, where it is not the whole of bbox"`
	Attribution []string        `json:"attribution" doc:"whom to name"`
	Layers      []Layer         `json:"layers"`
}

// Bytes is the size of all layers.
func (m *Manifest) Bytes() (sum int64) {
	for _, l := range m.Layers {
		sum += l.Bytes
	}
	return sum
}

// Layer finds a layer by its address and file.
func (m *Manifest) Layer(addr, file string) (Layer, bool) {
	i := slices.IndexFunc(m.Layers, func(l Layer) bool { return l.Addr == addr && l.File == file })
	if i < 0 {
		return Layer{}, false
	}
	return m.Layers[i], true
}

// Entry is a territory as the index lists it, in its newest version.
type Entry struct {
	ID             string          `json:"id"`
	Name           string          `json:"name"`
	Version        int64           `json:"version" minimum:"1"`
	Built          time.Time       `json:"built"`
	DataUpdated    *string         `json:"data_updated" doc:"ISO 8601 date of the extract, null where it is not known"`
	BBox           [4]float64      `json:"bbox" doc:"west, south, east, north"`
	Polygon        json.RawMessage `json:"polygon,omitempty" doc:"GeoJSON geometry of the area, where it is not the whole of bbox"`
	Bytes          int64           `json:"bytes" doc:"of all layers"`
	Manifest       string          `json:"manifest" doc:"path of the manifest on the gateway"`
	ManifestSHA256 string          `json:"manifest_sha256"`
}

// Index lists territories.
type Index struct {
	Format      int       `json:"format"`
	Updated     time.Time `json:"updated"`
	Territories []Entry   `json:"territories" doc:"in the order of their ids"`
}

// Entry finds a territory; nil where it is not listed.
func (x *Index) Entry(id string) *Entry {
	for i := range x.Territories {
		if x.Territories[i].ID == id {
			return &x.Territories[i]
		}
	}
	return nil
}

var (
	validID = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$`)
	// A section is called by its name and the beginning of its hash.
	validFile = regexp.MustCompile(`^([a-z0-9][a-z0-9_-]{0,79})-([0-9a-f]{12,64})\.section$`)
	validSum  = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// ValidID reports whether a territory may have the id: 1 to 60 lower-case letters,
// digits and hyphens.
func ValidID(id string) bool { return validID.MatchString(id) }

// ReadIndex reads an index and checks it.
func ReadIndex(data []byte) (*Index, error) {
	x := &Index{}
	if err := json.Unmarshal(data, x); err != nil {
		return nil, fmt.Errorf("the index of territories is not readable: %w", err)
	}
	if err := newer("the index of territories", x.Format); err != nil {
		return nil, err
	}
	if len(x.Territories) > maxTerritories {
		return nil, fmt.Errorf("the index of territories has %d, the limit is %d", len(x.Territories), maxTerritories)
	}
	seen := map[string]bool{}
	for i, e := range x.Territories {
		if seen[e.ID] {
			return nil, fmt.Errorf("the index of territories has %s twice", e.ID)
		}
		seen[e.ID] = true
		if !ValidID(e.ID) || e.Version < 1 || !validSum.MatchString(e.ManifestSHA256) {
			return nil, fmt.Errorf("the index of territories is not valid at territory %d", i)
		}
	}
	return x, nil
}

// Bounds of what documents list.
const (
	maxLayers      = 1000
	maxLayer       = 1 << 42 // bytes; the regions of continents have some 2^36
	maxTerritories = 10_000
)

// check says what is wrong with a layer. Its kind says which file it may be: nothing
// but the manifest of the region may be called as that is, nothing at all as what a
// folder has beside its sections, and a section is of the kind that it is published
// as. Its hash in its name has it stand beside what a folder holds under other hashes,
// and never in its place.
func (l *Layer) check() error {
	var name string
	if m := validFile.FindStringSubmatch(l.File); m != nil && strings.HasPrefix(l.Addr, m[2]) {
		name = m[1]
	}
	fits := false
	switch l.Kind {
	case KindRegion:
		fits = l.File == region.ManifestName && l.Bytes <= region.MaxManifest
	case KindGlyphs:
		fits = l.File == GlyphsFile
	case KindGraph, KindTiles, KindPlaces:
		fits = name != "" && kindOf(name) == l.Kind
	}
	if !fits || !validSum.MatchString(l.Addr) || l.Bytes < 1 || l.Bytes > maxLayer {
		return fmt.Errorf("the manifest has a layer that is not valid: %q of kind %q with %d bytes", clip(l.File), clip(l.Kind), l.Bytes)
	}
	return nil
}

// clip cuts a text to what a message can hold.
func clip(s string) string { return s[:min(len(s), 80)] }

// ReadManifest reads a manifest and checks that its layers name the files of a region,
// each once, and where one of these is the manifest of the region.
func ReadManifest(data []byte) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("the manifest is not readable: %w", err)
	}
	if err := newer("the manifest", m.Format); err != nil {
		return nil, err
	}
	if !ValidID(m.ID) || m.Version < 1 {
		return nil, fmt.Errorf("the manifest has the id %q and version %d", m.ID, m.Version)
	}
	if len(m.Layers) > maxLayers {
		return nil, fmt.Errorf("the manifest has %d layers, the limit is %d", len(m.Layers), maxLayers)
	}
	seen := map[string]bool{}
	for _, l := range m.Layers {
		if err := l.check(); err != nil {
			return nil, err
		}
		if seen[l.File] {
			return nil, fmt.Errorf("the manifest has the layer %q twice", l.File)
		}
		seen[l.File] = true
	}
	if !seen[region.ManifestName] {
		return nil, fmt.Errorf("the manifest has no layer %s of kind %s", region.ManifestName, KindRegion)
	}
	return m, nil
}

func newer(what string, format int) error {
	if format < 1 || format > Format {
		return fmt.Errorf("%s has format %d and this build reads up to %d: upgrade waygate", what, format, Format)
	}
	return nil
}

// The names of a store's files.
const (
	IndexName = "index.json"
	nextName  = IndexName + signed + ".next" // the signature of the index, written before it
	keyName   = "public.pem"
	signed    = ".sig" // after the name of what it is the signature of
)

// SignatureName is where the signature of a file is.
func SignatureName(name string) string { return name + signed }

// ManifestName is where a version's manifest is.
func ManifestName(id string, version int64) string {
	return id + "/" + strconv.FormatInt(version, 10) + "/manifest.json"
}

// LayerName is where a layer is.
func LayerName(addr string) string { return "layers/" + addr }
