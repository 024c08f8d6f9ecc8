package staticmap

import (
	"encoding/json"
	"fmt"
	"image/color"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/colornames"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Overlay is geometry of one look, as the page takes it.
type Overlay struct {
	Geometry      Geometry `json:"geometry"`
	Stroke        string   `json:"stroke"`
	StrokeWidth   float64  `json:"strokeWidth"` // pixels
	StrokeOpacity float64  `json:"strokeOpacity"`
	Fill          string   `json:"fill"`
	FillOpacity   float64  `json:"fillOpacity"`
	Rim           bool     `json:"rim"` // with a white line round it

	points []geo.Point
}

// Marker is a pin.
type Marker struct {
	At     [2]float64 `json:"at"` // lon, lat
	Label  string     `json:"label"`
	Colour string     `json:"colour"` // as #rrggbb
}

// route reads the encoded polyline.
func (r *reader) route() []Overlay {
	q, name := r.query, "route"
	text := q.Get(name)
	if other := q.Get("polyline"); other != "" {
		if text != "" {
			r.wrong("polyline", nil, "is another name of route: send one of them")
		}
		text, name = other, "polyline"
	}
	precision := 6
	switch p := q.Get("precision"); p {
	case "", "6":
	case "5":
		precision = 5
	default:
		r.wrong("precision", p, "must be 5 or 6")
	}
	o := Overlay{Stroke: r.colour("route_colour", q.Get("route_colour"), usualColour), StrokeWidth: r.readNumber("route_width", 1, maxWidth, usualStroke), StrokeOpacity: 1, Rim: true}
	o.Fill = o.Stroke
	if text == "" {
		return nil
	}
	line, err := geo.DecodePolyline(text, precision)
	switch {
	case err != nil:
		other := 11 - precision
		hint := ""
		if _, err := geo.DecodePolyline(text, other); err == nil {
			hint = fmt.Sprintf("; with precision=%d it can be read", other)
		}
		r.wrong(name, fault.Clip(text), "is no polyline of precision %d: %v%s", precision, err, hint)
		return nil
	case len(line) < 2:
		r.wrong(name, fault.Clip(text), "has %d points; a line needs 2", len(line))
		return nil
	}
	o.Geometry = Geometry{Type: "LineString", Coordinates: positions(line)}
	o.points = line
	return []Overlay{o}
}

func positions(line []geo.Point) [][2]float64 {
	out := make([][2]float64, len(line))
	for i, p := range line {
		out[i] = [2]float64{p.Lon, p.Lat}
	}
	return out
}

// markers reads all pins.
func (r *reader) markers() (list []Marker) {
	for _, value := range r.query["markers"] {
		for text := range strings.SplitSeq(value, ";") {
			if strings.TrimSpace(text) == "" {
				continue
			}
			if m, ok := r.marker(fmt.Sprintf("markers[%d]", len(list)), text); ok {
				list = append(list, m)
			} else {
				list = append(list, Marker{}) // counts
			}
		}
	}
	if len(list) > MaxMarkers {
		r.wrong("markers", len(list), "must be at most %d", MaxMarkers)
	}
	return list
}

func (r *reader) marker(at, text string) (m Marker, ok bool) {
	parts := strings.Split(text, ",")
	if len(parts) < 2 || len(parts) > 4 {
		r.wrong(at, fault.Clip(text), "must be lon,lat[,label[,colour]]")
		return m, false
	}
	n := r.numbers(at, parts[0]+","+parts[1], 2, "lon,lat[,label[,colour]]")
	if n == nil {
		return m, false
	}
	p := r.point(at, text, n[0], n[1])
	if p == nil {
		return m, false
	}
	m = Marker{At: [2]float64{p.Lon, p.Lat}, Colour: usualMarker}
	if len(parts) > 2 {
		m.Label = strings.TrimSpace(parts[2])
		if utf8.RuneCountInString(m.Label) > 2 || strings.ContainsFunc(m.Label, unicode.IsControl) {
			r.wrong(at, fault.Clip(text), "has the label %q; a label has 1 or 2 characters", fault.Clip(m.Label))
		}
	}
	if len(parts) > 3 {
		m.Colour = r.colour(at, strings.TrimSpace(parts[3]), usualMarker)
	}
	return m, true
}

// colour reads a colour into the form #rrggbb; "" is the usual one.
func (r *reader) colour(at, text, usual string) string {
	if text == "" {
		return usual
	}
	c, ok := readColour(text)
	if !ok {
		r.wrong(at, fault.Clip(text), "must be a colour: #rgb or #rrggbb, with or without #, or its name in CSS")
		return usual
	}
	return c
}

func readColour(text string) (string, bool) {
	if c, ok := colornames.Map[strings.ToLower(text)]; ok {
		return written(c), true
	}
	digits := strings.ToLower(strings.TrimPrefix(text, "#"))
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	_, err := strconv.ParseUint(digits, 16, 32)
	return "#" + digits, err == nil && len(digits) == 6
}

func written(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// paint is the simplestyle properties that are heeded.
type paint struct {
	Stroke        json.RawMessage `json:"stroke"`
	StrokeWidth   json.RawMessage `json:"stroke-width"`
	StrokeOpacity json.RawMessage `json:"stroke-opacity"`
	Fill          json.RawMessage `json:"fill"`
	FillOpacity   json.RawMessage `json:"fill-opacity"`
	MarkerColor   json.RawMessage `json:"marker-color"`
}

// painted reads a feature's properties.
func (r *reader) painted(at string, properties json.RawMessage) Overlay {
	var p paint
	if len(properties) > 0 && json.Unmarshal(properties, &p) != nil {
		r.wrong(at+".properties", nil, "must be an object")
	}
	o := Overlay{StrokeWidth: r.amount(at, "stroke-width", p.StrokeWidth, maxWidth, 3), StrokeOpacity: r.amount(at, "stroke-opacity", p.StrokeOpacity, 1, 1), FillOpacity: r.amount(at, "fill-opacity", p.FillOpacity, 1, 0.25)}
	o.Stroke = r.property(at, "stroke", p.Stroke, usualColour)
	o.Fill = r.property(at, "fill", p.Fill, r.property(at, "marker-color", p.MarkerColor, o.Stroke))
	return o
}

func (r *reader) property(at, name string, raw json.RawMessage, usual string) string {
	var text *string
	if len(raw) > 0 && json.Unmarshal(raw, &text) != nil {
		text = new(string(raw))
	}
	if text == nil {
		return usual
	}
	return r.colour(at+".properties."+name, *text, usual)
}

// amount reads a number from 0 to a limit.
func (r *reader) amount(at, name string, raw json.RawMessage, limit, usual float64) float64 {
	var v *float64
	switch err := json.Unmarshal(raw, &v); {
	case len(raw) == 0 || err == nil && v == nil:
		return usual
	case err != nil || *v < 0 || *v > limit:
		r.wrong(at+".properties."+name, raw, "must be a number from 0 to %g", limit)
		return usual
	}
	return *v
}
