// Package territory packs the region of an area for use without a network: its roads, map,
// places and glyphs, as files named by their hashes under a signed manifest. It publishes
// territories into a store and pulls them from a server.
//
// A store holds
//
//	index.json, index.json.sig             the newest version of each territory
//	index.json.sig.next                    the signature of the next index, written before it
//	public.pem                             the public key of the signatures
//	ID/VERSION/manifest.json, ….json.sig   the layers of a version
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

// Format is the newest version of the form of index and manifest. A reader refuses a higher one.
// Version 2 of manifests has layers of voices; others are of version 1, as is the index.
const (
	Format = 2
	plain  = 1
)

// MaxDocument is the largest size of an index or a manifest, in bytes.
const MaxDocument = 4 << 20

// The kinds of layers.
const (
	KindRegion = "region" // the manifest of the region
	KindGraph  = "graph"
	KindTiles  = "tiles"
	KindPlaces = "places"
	KindGlyphs = "glyphs" // a zip of glyph files by fontstack/range.pbf
	KindVoice  = "voice"  // clips of speech by phrase, as package voice/pack writes them
)

// Layer is one file of a version.
type Layer struct {
	Kind  string `json:"kind" enum:"region,graph,tiles,places,glyphs,voice"`
	File  string `json:"file" doc:"name to keep it under"`
	Addr  string `json:"addr" doc:"SHA-256 of the file in hexadecimal"`
	Bytes int64  `json:"bytes" minimum:"1"`
}

// Manifest lists the layers of a version of a territory.
type Manifest struct {
	Format      int             `json:"format"`
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Version     int64           `json:"version" minimum:"1"`
	Built       time.Time       `json:"built"`
	Builder     string          `json:"builder" doc:"version of the gateway that built it"`
	DataUpdated *string         `json:"data_updated" doc:"ISO 8601 date of the extract, null where it is not known"`
	BBox        [4]float64      `json:"bbox" doc:"west, south, east, north; the west is the larger across the antimeridian"`
	Polygon     json.RawMessage `json:"polygon,omitempty" doc:"GeoJSON geometry of the area, where it is not the whole of bbox"`
	Attribution []string        `json:"attribution" doc:"whom to name"`
	Layers      []Layer         `json:"layers"`
}

// Bytes returns the size of all layers together.
func (m *Manifest) Bytes() (sum int64) {
	for _, l := range m.Layers {
		sum += l.Bytes
	}
	return sum
}

// Layer returns the layer with an address and file name, and whether there is one.
func (m *Manifest) Layer(addr, file string) (Layer, bool) {
	i := slices.IndexFunc(m.Layers, func(l Layer) bool { return l.Addr == addr && l.File == file })
	if i < 0 {
		return Layer{}, false
	}
	return m.Layers[i], true
}

// Entry is the newest version of a territory in the index.
type Entry struct {
	ID             string          `json:"id"`
	Name           string          `json:"name"`
	Version        int64           `json:"version" minimum:"1"`
	Built          time.Time       `json:"built"`
	DataUpdated    *string         `json:"data_updated" doc:"ISO 8601 date of the extract, null where it is not known"`
	BBox           [4]float64      `json:"bbox" doc:"west, south, east, north; the west is the larger across the antimeridian"`
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

// Entry returns the entry of a territory, nil where the index does not list it.
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
	// The file of a section is named by the section and the beginning of its hash.
	validFile  = regexp.MustCompile(`^([a-z0-9][a-z0-9_-]{0,79})-([0-9a-f]{12,64})\.section$`)
	validVoice = regexp.MustCompile(`^voice-[A-Za-z0-9][A-Za-z0-9._-]{0,150}\.zip$`)
	validSum   = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// ValidID reports whether id may name a territory: 1 to 60 lower-case letters, digits and
// hyphens.
func ValidID(id string) bool { return validID.MatchString(id) }

// ReadIndex reads and checks an index.
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

// Limits of what documents list.
const (
	maxLayers      = 1000
	maxLayer       = 1 << 42 // bytes; the regions of continents have some 2^36
	maxTerritories = 10_000
)

// check returns what is wrong with a layer. Its kind decides which file name it may have:
// only the region's manifest may have that file's name, no layer may have the name of a
// file that a folder keeps beside its sections, and a section's kind must be the one it is
// published under. The hash in the name of a section keeps it from replacing a file of the
// folder with another hash.
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
	case KindVoice:
		fits = validVoice.MatchString(l.File)
	case KindGraph, KindTiles, KindPlaces:
		fits = name != "" && kindOf(name) == l.Kind
	}
	if !fits || !validSum.MatchString(l.Addr) || l.Bytes < 1 || l.Bytes > maxLayer {
		return fmt.Errorf("the manifest has a layer that is not valid: %q of kind %q with %d bytes", clip(l.File), clip(l.Kind), l.Bytes)
	}
	return nil
}

// clip cuts a text to a length that fits a message.
func clip(s string) string { return s[:min(len(s), 80)] }

// ReadManifest reads a manifest and checks that its layers name the files of a region, each
// once, and that one of them is the region's manifest.
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
	nextName  = IndexName + signed + ".next" // the signature of the next index, written before that
	keyName   = "public.pem"
	signed    = ".sig" // follows the name of the signed file
)

// SignatureName returns the name of the signature of a file.
func SignatureName(name string) string { return name + signed }

// ManifestName returns the name of a version's manifest.
func ManifestName(id string, version int64) string {
	return id + "/" + strconv.FormatInt(version, 10) + "/manifest.json"
}

// LayerName returns the name of a layer.
func LayerName(addr string) string { return "layers/" + addr }
