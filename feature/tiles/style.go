package tiles

import (
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/index/glyph"
)

// Theme is one of the colourings of the style.
type Theme string

// The themes.
const (
	Light Theme = "light"
	Dark  Theme = "dark"
)

// Look says how a style is to be; the zero value is the light theme with
// local names.
type Look struct {
	Theme    Theme  // empty is Light
	Language string // of the labels where the map has them, as in name:cy; empty is the local names
	HidePOIs bool
}

// Style is a MapLibre style document, version 8; it encodes to the same JSON
// each time.
type Style struct {
	Version  int               `json:"version"`
	Name     string            `json:"name"`
	Metadata map[string]any    `json:"metadata"`
	Center   [2]float64        `json:"center"`
	Zoom     float64           `json:"zoom"`
	Glyphs   string            `json:"glyphs"`
	Sources  map[string]source `json:"sources"`
	Layers   []styleLayer      `json:"layers"`
}

// source is where a style's tiles come from; its TileJSON is spelt out so that
// a map needs one request less, and none with a key.
type source struct {
	Type        string     `json:"type"`
	Tiles       []string   `json:"tiles"`
	MinZoom     int        `json:"minzoom"`
	MaxZoom     int        `json:"maxzoom"`
	Bounds      [4]float64 `json:"bounds"`
	Attribution string     `json:"attribution"`
}

// styleLayer is a layer of a style.
type styleLayer struct {
	ID          string         `json:"id"`
	Type        string         `json:"type"`
	Source      string         `json:"source,omitempty"`
	SourceLayer string         `json:"source-layer,omitempty"`
	MinZoom     float64        `json:"minzoom,omitempty"`
	MaxZoom     float64        `json:"maxzoom,omitempty"`
	Filter      any            `json:"filter,omitempty"`
	Layout      map[string]any `json:"layout,omitempty"`
	Paint       map[string]any `json:"paint,omitempty"`
}

// list is an expression or another JSON array; props a set of properties.
type (
	list  = []any
	props = map[string]any
)

const sourceName = "map"

// Style gives a territory's style. Unknown themes are BadRequest.
func (m *Maps) Style(base Base, id string, look Look) (Style, error) {
	t, err := m.territory(id)
	if err != nil {
		return Style{}, err
	}
	var p palette
	switch look.Theme {
	case Light, "":
		look.Theme = Light
		p = light()
	case Dark:
		p = dark()
	default:
		return Style{}, fault.Invalid(fault.Violation{
			Location: "query.theme", Value: string(look.Theme), Message: "expected light or dark",
		})
	}
	h, meta := t.Tiles.Header(), t.Tiles.Metadata()
	layers := append(ground(p, meta.Island), ways(p)...)
	layers = append(layers, labels(p, look)...)
	about := map[string]any{"schema": "protomaps-4", "theme": look.Theme}
	if meta.View != nil {
		about["view"] = meta.View   // west, south, east, north of what to look at first
		about["areas"] = meta.Areas // the same of each box with land and sea in it
	}
	return Style{
		Version:  8,
		Name:     t.Name + " (" + string(look.Theme) + ")",
		Metadata: about,
		Center:   [2]float64{h.Centre.Lon, h.Centre.Lat},
		Zoom:     float64(h.CentreZoom),
		Glyphs:   strings.TrimSuffix(base.URL, "/") + "/fonts/{fontstack}/{range}.pbf",
		Sources: map[string]source{sourceName: {
			Type: "vector", Tiles: []string{tileURL(base, id)},
			MinZoom: int(h.MinZoom), MaxZoom: int(h.MaxZoom),
			Bounds:      [4]float64{t.Bounds.Min.Lon, t.Bounds.Min.Lat, t.Bounds.Max.Lon, t.Bounds.Max.Lat},
			Attribution: t.Attribution,
		}},
		Layers: layers,
	}, nil
}

// by gives an interpolation over zooms: pairs of zoom and value.
func by(pairs ...any) list {
	return append(list{"interpolate", list{"exponential", 1.5}, list{"zoom"}}, pairs...)
}

func get(key string) list { return list{"get", key} }

// oneOf is true where an attribute has one of the values.
func oneOf(key string, values ...string) list {
	return list{"in", get(key), list{"literal", values}}
}

func all(conditions ...any) list { return append(list{"all"}, conditions...) }

func not(condition any) list { return list{"!", condition} }

func shape(name string) list { return list{"==", list{"geometry-type"}, name} }

// shown holds once a feature's own min_zoom, which counts one more than the
// renderer's zooms, is reached.
func shown() list {
	return list{">=", list{"+", list{"zoom"}, 1}, list{"coalesce", get("min_zoom"), 0}}
}

func fill(id, layer string, zoom float64, filter any, paint props) styleLayer {
	return styleLayer{ID: id, Type: "fill", Source: sourceName, SourceLayer: layer, MinZoom: zoom, Filter: filter, Paint: paint}
}

func line(id, layer string, zoom float64, filter any, paint props) styleLayer {
	return styleLayer{
		ID: id, Type: "line", Source: sourceName, SourceLayer: layer, MinZoom: zoom, Filter: filter, Paint: paint,
		Layout: props{"line-cap": "round", "line-join": "round"},
	}
}

// fonts names the fonts of a label.
func fonts(name string) []string {
	if name == glyph.Regular {
		return []string{name}
	}
	return []string{name, glyph.Regular}
}
