package valhalla

import (
	"fmt"
	"math"
	"strconv"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/json"
)

// WriteIsochrone writes outlines as a GeoJSON FeatureCollection with Valhalla's
// properties, with blocks at the top.
func WriteIsochrone(r *engine.IsochroneRequest, a *engine.IsochroneAnswer, blocks ...json.Block) ([]byte, error) {
	if a.Raw != nil {
		return json.Blend(a.Raw, blocks, nil)
	}
	w := &featureWriter{}
	w.Grow(featureSize(a.Outlines))
	w.Open('{')
	w.Open('[', "features")
	for i := range a.Outlines {
		w.outline(i, len(a.Outlines), &a.Outlines[i], r.Polygons)
	}
	if r.ShowLocations {
		w.feature(`{"location_index":0,"type":"snapped"}`, "MultiPoint", func() { w.line([]geo.Point{a.On}) })
		w.feature(`{"location_index":0,"type":"input"}`, "Point", func() { w.point(r.Location.Point) })
	}
	w.Close(']')
	w.String("type", "FeatureCollection")
	if r.ID != "" {
		w.Safe("id", r.ID)
	}
	w.Blocks(blocks)
	w.Close('}')
	return w.Bytes()
}

// featureSize is about how long the text becomes.
func featureSize(all []engine.Outline) int {
	n := 512
	for i := range all {
		for _, p := range all[i].Polygons {
			n += 256 + 24*len(p.Outer)
			for _, h := range p.Holes {
				n += 256 + 24*len(h)
			}
		}
	}
	return n
}

// featureWriter writes GeoJSON with a decimal at the least to each angle, as
// Valhalla does.
type featureWriter struct{ json.Writer }

// feature writes one, whose properties are JSON already.
func (w *featureWriter) feature(properties, kind string, coordinates func()) {
	w.Open('{')
	w.Raw("properties", []byte(properties))
	w.Open('{', "geometry")
	w.Key("coordinates")
	coordinates()
	w.String("type", kind)
	w.Close('}')
	w.String("type", "Feature")
	w.Close('}')
}

// outline writes number i of some: as one polygon or several in one geometry, or
// as lines.
func (w *featureWriter) outline(i, of int, o *engine.Outline, polygons bool) {
	properties := style(&o.Contour, i, of)
	if !polygons {
		for _, p := range o.Polygons {
			w.feature(properties, "LineString", func() { w.line(p.Outer) })
			for _, h := range p.Holes {
				w.feature(properties, "LineString", func() { w.line(h) })
			}
		}
		return
	}
	switch len(o.Polygons) {
	case 0:
		w.feature(properties, "Polygon", func() { w.line(nil) })
	case 1:
		w.feature(properties, "Polygon", func() { w.rings(&o.Polygons[0]) })
	default:
		w.feature(properties, "MultiPolygon", func() {
			w.Open('[')
			for k := range o.Polygons {
				w.rings(&o.Polygons[k])
			}
			w.Close(']')
		})
	}
}

func (w *featureWriter) rings(p *engine.Polygon) {
	w.Open('[')
	w.line(p.Outer)
	for _, h := range p.Holes {
		w.line(h)
	}
	w.Close(']')
}

func (w *featureWriter) line(line []geo.Point) {
	w.Open('[')
	for _, p := range line {
		w.point(p)
	}
	w.Close(']')
}

func (w *featureWriter) point(p geo.Point) { w.Degrees(p, 1) }

// style returns the properties that the libraries that draw GeoJSON read, as Valhalla
// writes it.
func style(c *engine.Contour, i, of int) string {
	colour := "#" + c.Colour
	if c.Colour == "" {
		colour = hue(float64(i) * 150 / float64(of))
	}
	metric, value := "time", c.Minutes
	if c.Kilometres > 0 {
		metric, value = "distance", c.Kilometres
	}
	number := strconv.FormatFloat(value, 'f', -1, 64)
	if value == math.Trunc(value) {
		number += ".0"
	}
	return fmt.Sprintf(`{"fill-opacity":0.33,"fillColor":%[1]q,"opacity":0.33,"fill":%[1]q,"fillOpacity":0.33,"color":%[1]q,"contour":%[2]s,"metric":%[3]q}`, colour, number, metric)
}

// hue returns a colour of the wheel, in degrees below 180, half as saturated and
// light as can be.
func hue(degrees float64) string {
	part := func(x float64) int { return int(math.Round(255 * (0.25 + 0.5*math.Max(0, math.Min(1, x))))) }
	return fmt.Sprintf("#%02x%02x%02x", part((120-degrees)/60), part(degrees/60), part((degrees-120)/60))
}
