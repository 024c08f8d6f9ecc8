package basemap

import (
	"math"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/osm"

	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/importer/multipolygon"
)

// layer is a layer of the tiles; the numbers are the order in a tile.
type layer uint8

const (
	earth layer = iota
	landcover
	landuse
	water
	buildings
	roads
	boundaries
	pois
	places
	hillshade
	contours
	layerCount
)

func (l layer) String() string {
	return [...]string{"earth", "landcover", "landuse", "water", "buildings", "roads", "boundaries", "pois", "places", "hillshade", "contours"}[l]
}

// value is an attribute's value: a string, a number or true.
type value struct {
	text   string
	number float64
	kind   valueKind
}

type valueKind uint8

const (
	isText valueKind = iota
	isNumber
	isTrue
)

func text(s string) value         { return value{text: s} }
func numberValue(n float64) value { return value{number: n, kind: isNumber} }
func integer(n int) value         { return numberValue(float64(n)) }
func truth() value                { return value{kind: isTrue} }
func decimal(s string) float64    { return leadingNumber(s) }

// attr is an attribute that a feature has from a zoom on.
type attr struct {
	key   string
	value value
	from  uint8
}

// feature is an object to draw, in world coordinates: x and y from 0 to 1 across the
// Web Mercator square, y growing southwards. Exactly one of points, lines and areas is
// set.
type feature struct {
	of               object
	layer            layer
	minZoom, maxZoom uint8
	order            int32 // within the layer: smaller is drawn first
	attrs            []attr
	point            *orb.Point
	lines            orb.MultiLineString
	areas            orb.MultiPolygon
	bound            orb.Bound
	onward           bool    // drawn however far beyond the ground of the map
	size             float64 // area or length in world units: what decides whether it is worth drawing
	minPixels        float64 // the least extent, in pixels of a 256-pixel tile, below the deepest zoom
	directed         bool    // a line whose direction means something
	base             bool    // earth or ocean: never dropped to save bytes
	most             bool    // the largest of either: drawn however small it is
}

// object identifies the OSM object that a feature came from, and numbers its features;
// together they are the drawing order.
type object struct {
	kind   objectKind
	number uint8
	id     int64
}

type objectKind uint8

const (
	ofRelation objectKind = iota
	ofWay
	ofNode
	ofCoast
)

func (f *feature) add(key string, v value, from int) {
	if v.kind == isText && v.text == "" {
		return
	}
	f.attrs = append(f.attrs, attr{key, v, uint8(from)})
}

func pointFeature(l layer, p orb.Point) feature {
	return feature{layer: l, point: &p, bound: orb.Bound{Min: p, Max: p}, maxZoom: 255}
}

func lineFeature(l layer, lines orb.MultiLineString) feature {
	f := feature{layer: l, lines: lines, bound: lines.Bound(), maxZoom: 255}
	for _, line := range lines {
		f.size += plane.Length(line)
	}
	return f
}

func areaFeature(l layer, areas orb.MultiPolygon) feature {
	return feature{layer: l, areas: areas, bound: areas.Bound(), maxZoom: 255, size: multipolygon.Area(areas)}
}

// addNames adds the name and its translations. Translations equal to the name are left
// out, because readers fall back on the name.
func (f *feature) addNames(tags osm.Tags, from int) {
	name := tags.Get("name")
	f.add("name", text(name), from)
	for _, t := range tags {
		if lang, ok := languageOf(t.Key); ok && t.Value != name {
			f.add("name:"+lang, text(t.Value), from)
		}
	}
}

// languageOf returns the language of a key like name:cy or name:zh-Hans.
func languageOf(key string) (string, bool) {
	if len(key) < 7 || len(key) > 12 || key[:5] != "name:" {
		return "", false
	}
	lang := key[5:]
	for i, c := range []byte(lang) {
		switch {
		case c >= 'a' && c <= 'z':
		case i >= 2 && i <= 3 && c == '-' && len(lang) > i+1:
			return lang, true
		default:
			return "", false
		}
	}
	return lang, len(lang) <= 3
}

// leadingNumber reads the number a value like "12.5 m" starts with; 0 where
// there is none.
func leadingNumber(s string) float64 {
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' || end == 0 && s[end] == '-') {
		end++
	}
	n, err := strconv.ParseFloat(s[:end], 64)
	if err != nil || math.IsInf(n, 0) {
		return 0
	}
	return n
}
