package tiles

import (
	"context"
	"net/url"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/tileset"
)

// TileJSON is the TileJSON 3.0 document of a territory, with the day of its
// data besides.
type TileJSON struct {
	TileJSON     string                `json:"tilejson"`
	Name         string                `json:"name"`
	Description  string                `json:"description,omitempty"`
	Attribution  string                `json:"attribution"`
	Scheme       string                `json:"scheme"`
	Tiles        []string              `json:"tiles"`
	MinZoom      int                   `json:"minzoom"`
	MaxZoom      int                   `json:"maxzoom"`
	Bounds       [4]float64            `json:"bounds"` // west, south, east, north
	Center       [3]float64            `json:"center"` // longitude, latitude, zoom
	VectorLayers []tileset.VectorLayer `json:"vector_layers"`
	DataUpdated  *string               `json:"data_updated"` // ISO 8601 date of the extract, null where unknown
}

// Base is where the gateway is, as its callers see it.
type Base struct {
	URL string // without a path: https://maps.example.org
	// Key is the caller's API key where it came in the query: tile addresses
	// then carry it too. Glyphs are public and never do.
	Key string
	// Sign, where it is not nil, returns how the address begins that opens what lies below a
	// path: tile addresses then begin so.
	Sign func(path string) string
}

// TileJSON describes a territory's tiles.
func (m *Maps) TileJSON(ctx context.Context, base Base, id string) (TileJSON, error) {
	t, err := m.territory(ctx, id)
	if err != nil {
		return TileJSON{}, err
	}
	h, meta := t.archive.Header(), t.archive.Metadata()
	doc := TileJSON{
		TileJSON: "3.0.0", Name: t.Name, Description: meta.Description, Attribution: t.Attribution, Scheme: "xyz",
		Tiles:   []string{tileURL(base, id)},
		MinZoom: int(h.MinZoom), MaxZoom: int(h.MaxZoom),
		Bounds:       corners(t.Bounds),
		Center:       [3]float64{h.Centre.Lon, h.Centre.Lat, float64(h.CentreZoom)},
		VectorLayers: meta.VectorLayers,
	}
	if doc.VectorLayers == nil {
		doc.VectorLayers = []tileset.VectorLayer{}
	}
	if !t.Updated.IsZero() {
		day := t.Updated.UTC().Format("2006-01-02")
		doc.DataUpdated = &day
	}
	return doc, nil
}

func tileURL(base Base, id string) string {
	below := "/tiles/" + id + "/"
	address := strings.TrimSuffix(base.URL, "/")
	if base.Sign != nil {
		address += base.Sign(below)
	}
	address += below + "{z}/{x}/{y}.mvt"
	if base.Key != "" {
		address += "?api_key=" + url.QueryEscape(base.Key)
	}
	return address
}

// corners are west, south, east and north: -180 and 180 of bounds across the antimeridian,
// since clients ask for no tile where the west is east of the east, and for none beyond 180.
func corners(b geo.Bounds) [4]float64 {
	if b.Crosses() {
		b.Min.Lon, b.Max.Lon = -180, 180
	}
	return [4]float64{b.Min.Lon, b.Min.Lat, b.Max.Lon, b.Max.Lat}
}
