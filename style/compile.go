package style

import (
	"slices"

	"github.com/waygate/waygate/index/glyph"
)

// Document is a MapLibre style, version 8; it encodes to the same JSON each
// time.
type Document struct {
	Version  int               `json:"version"`
	Name     string            `json:"name"`
	Metadata map[string]any    `json:"metadata,omitempty"`
	Center   *[2]float64       `json:"center,omitempty"`
	Zoom     *float64          `json:"zoom,omitempty"`
	Light    *Light            `json:"light,omitempty"`
	Sprite   string            `json:"sprite"`
	Glyphs   string            `json:"glyphs"`
	Sources  map[string]Source `json:"sources"`
	Layers   []Layer           `json:"layers"`
}

// Light is how blocks of buildings are lit.
type Light struct {
	Anchor    string  `json:"anchor"`
	Color     string  `json:"color"`
	Intensity float64 `json:"intensity"`
}

// Lighting returns the light of a look: soft, so that the sides of buildings do not
// turn black; nil where there are no blocks of buildings.
func (l *ResolvedTheme) Lighting() *Light {
	if !l.show["buildings_3d"] {
		return nil
	}
	return &Light{Anchor: "viewport", Color: "#ffffff", Intensity: 0.22}
}

// Source is where a style's tiles come from, with what their TileJSON says
// spelt out, so that a map needs one request less, and none with a key.
type Source struct {
	Type        string     `json:"type"`
	Tiles       []string   `json:"tiles"`
	MinZoom     int        `json:"minzoom"`
	MaxZoom     int        `json:"maxzoom"`
	Bounds      [4]float64 `json:"bounds"` // west, south, east, north
	Attribution string     `json:"attribution"`
}

// Layer is a layer of a style.
type Layer struct {
	ID          string         `json:"id"`
	Type        string         `json:"type"`
	Source      string         `json:"source,omitempty"`
	SourceLayer string         `json:"source-layer,omitempty"`
	MinZoom     float64        `json:"minzoom,omitempty"`
	MaxZoom     float64        `json:"maxzoom,omitempty"`
	Filter      any            `json:"filter,omitempty"`
	Layout      map[string]any `json:"layout,omitempty"`
	Paint       map[string]any `json:"paint,omitempty"`

	group string // of Groups; "" is always shown
}

// of puts layers into a group.
func of(group string, layers ...Layer) []Layer {
	for i := range layers {
		layers[i].group = group
	}
	return layers
}

// list is an expression or another JSON array; props a set of properties.
type (
	list  = []any
	props = map[string]any
)

// SourceName is that of the tiles in a style.
const SourceName = "map"

// Layers compiles a look for tiles of the Protomaps v4 schema, over a map of the
// world of the same.
func Layers(l *ResolvedTheme, under Surroundings) []Layer {
	return slices.DeleteFunc(l.every(under), func(d Layer) bool { return d.group != "" && !l.show[d.group] })
}

// every returns the layers of a look, with those of groups that are not shown.
func (l *ResolvedTheme) every(under Surroundings) []Layer {
	if l.layers != nil {
		return over(l.layers, under)
	}
	sea := Layer{ID: "void", Type: "background", Paint: props{"background-color": l.palette.Water}}
	all := []Layer{sea}
	if !under.WithoutWorld {
		all = append(all, l.globe()...)
	}
	return slices.Concat(all, l.ground(), l.ways(), labelLayers{l}.labels(under))
}

// by returns an interpolation over zooms: pairs of zoom and value.
func by(pairs ...any) list {
	return append(list{"interpolate", list{"exponential", 1.5}, list{"zoom"}}, pairs...)
}

// scaled returns the same pairs with values so many times as large.
func scaled(factor float64, pairs ...any) []any {
	out := append([]any{}, pairs...)
	for i := 1; i < len(out); i += 2 {
		out[i] = factor * toFloat(out[i])
	}
	return out
}

func toFloat(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
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

func fill(id, layer string, zoom float64, filter any, paint props) Layer {
	return Layer{ID: id, Type: "fill", Source: SourceName, SourceLayer: layer, MinZoom: zoom, Filter: filter, Paint: paint}
}

func line(id, layer string, zoom float64, filter any, paint props) Layer {
	return Layer{
		ID: id, Type: "line", Source: SourceName, SourceLayer: layer, MinZoom: zoom, Filter: filter, Paint: paint,
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
