// Package staticmap makes images of maps: it reads the request, works out
// what the image shows, and has a page in headless Chromium draw it.
package staticmap

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Bounds of a request.
const (
	MaxQuery   = 8000    // bytes
	MaxBody    = 512_000 // bytes
	MaxSide    = 1280    // pixels
	MaxZoom    = 20
	MaxPitch   = 85 // degrees
	MaxMarkers = 50
	maxWidth   = 40 // pixels of a line
)

// The defaults of an image.
const (
	usualWidth   = 600
	usualHeight  = 400
	usualQuality = 85
	usualColour  = "#1f6feb"
	usualMarker  = "#d1344b"
	usualStroke  = 5 // pixels of a route
)

// Request is a request for an image.
type Request struct {
	Width, Height int // CSS pixels
	Ratio         int // 1, or 2 for twice the pixels on a side
	Center        *geo.Point
	Zoom          float64
	Box           *geo.Bounds // to be seen in full; Max.Lon is beyond 180 where it crosses the antimeridian
	Bearing       float64
	Pitch         float64
	Style         string // as it was sent
	Format        string // png, webp or jpeg
	Quality       int    // 1 to 100
	Satellite     bool
	Buildings     bool    // as blocks
	Language      *string // of names; "" is the local one, nil as the style has it
	POIs          *bool   // nil as the style has it
	Overlays      []Overlay
	Markers       []Marker
	Warnings      []string // of what had no effect, or another than asked for

	bySize bool // the sides were sent as size
}

// Parameters are those of a query, in the order of their documentation.
//
//nolint:gochecknoglobals // a constant table
var Parameters = []Parameter{
	{"center", "lon,lat of the middle; needs zoom"},
	{"zoom", "0 to 20, with center"},
	{"bbox", "west,south,east,north to be seen in full; east may be less than west, across the antimeridian. Without center and bbox the overlays and markers are seen in full"},
	{"size", "WxH in pixels, each at most 1280, with @2x at its end for twice the density; 600x400 by default"},
	{"width", "in place of size, with height"},
	{"height", "in place of size, with width"},
	{"retina", "2 for twice the density"},
	{"bearing", "degrees clockwise from north that are up, -360 to 360"},
	{"pitch", "degrees from straight above, from 0; 85 at the most, as which more is taken"},
	{"style", "a built-in theme, a hosted style of the key with or without @version, or an https address of a style on a host that the deployment allows; light by default"},
	{"format", "png, webp or jpeg; png by default"},
	{"quality", "of webp and jpeg, 1 to 100; 85 by default"},
	{"route", "an encoded polyline to draw"},
	{"polyline", "other name of route"},
	{"precision", "of route: 6, the default, or 5"},
	{"route_colour", "as #rrggbb, with or without #, or by its name in CSS"},
	{"route_width", "pixels, 1 to 40"},
	{"geojson", "a Feature, FeatureCollection, geometry or a list of them, painted by its simplestyle properties; may be repeated"},
	{"markers", "lon,lat[,label[,colour]], several with ; between them; may be repeated, 50 in all. A label has 1 or 2 characters"},
	{"satellite", "1 for imagery from satellites where the deployment has it"},
	{"buildings3d", "1 for buildings as blocks; best with a pitch"},
	{"lang", "of names: local, or a code of ISO 639"},
	{"pois", "0 or false without points of interest, 1 with them; else as the style has it"},
}

// Parameter is one of a query.
type Parameter struct{ Name, Doc string }

// repeatable may stand several times.
func repeatable(name string) bool { return name == "geojson" || name == "markers" }

// reader reads a request and gathers what is wrong with it.
type reader struct {
	query url.Values
	bad   []fault.Violation
}

func (r *reader) wrong(name string, value any, format string, args ...any) {
	r.bad = append(r.bad, fault.Violation{Location: name, Value: value, Message: fmt.Sprintf(format, args...)})
}

// Read reads a raw query and a body of GeoJSON, which may be empty. All that is
// wrong is refused at once.
func Read(raw string, body []byte) (*Request, error) {
	if len(raw) > MaxQuery {
		return nil, fault.New(fault.QueryTooLong, "the query has %d bytes; at most %d are taken. Send GeoJSON as the body of a POST", len(raw), MaxQuery).With("limit_bytes", MaxQuery)
	}
	r := &reader{}
	var err error
	if r.query, err = url.ParseQuery(strings.ReplaceAll(raw, ";", "%3B")); err != nil {
		r.wrong("query", nil, "is malformed: %v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(r.query)) {
		if n := len(r.query[name]); n > 1 && !repeatable(name) {
			r.wrong(name, nil, "stands %d times in the query", n)
		}
	}
	out := &Request{Quality: usualQuality, Format: "png", Warnings: r.unknown(), Style: r.query.Get("style")}
	r.size(out)
	r.camera(out)
	r.look(out)
	out.Overlays = append(out.Overlays, r.route()...)
	for i, text := range r.query["geojson"] {
		if text != "" {
			out.Overlays = append(out.Overlays, r.geojson(fmt.Sprintf("geojson[%d]", i), []byte(text))...)
		}
	}
	if len(strings.TrimSpace(string(body))) > 0 {
		out.Overlays = append(out.Overlays, r.geojson("body", body)...)
	}
	out.Markers = r.markers()
	if len(r.bad) == 0 && out.Center == nil && out.Box == nil && len(out.Overlays)+len(out.Markers) == 0 {
		r.wrong("center", nil, "is missing: send center and zoom, or bbox, or something to fit the map to: route, geojson or markers")
	}
	return out, fault.Invalid(r.bad...)
}

// unknown warns of parameters that are none.
func (r *reader) unknown() (warnings []string) {
	for _, name := range slices.Sorted(maps.Keys(r.query)) {
		if !slices.ContainsFunc(Parameters, func(p Parameter) bool { return p.Name == name }) && name != "api_key" {
			warnings = append(warnings, fault.Clip(name)+" is not known here and had no effect")
		}
	}
	return warnings
}

var sizePattern = regexp.MustCompile(`^(\d{1,6})[xX](\d{1,6})(@[12]x)?$`)

func (r *reader) size(out *Request) {
	out.Width, out.Height, out.Ratio = usualWidth, usualHeight, 1
	size, retina := r.query.Get("size"), r.query.Get("retina")
	switch wide, high := r.query.Get("width"), r.query.Get("height"); {
	case size != "" && wide+high != "":
		r.wrong("size", size, "stands beside width or height: send one or the other")
	case size != "":
		m := sizePattern.FindStringSubmatch(size)
		if m == nil {
			r.wrong("size", size, "must be WxH in pixels, with @2x at its end for twice the density")
			return
		}
		out.bySize = true
		out.Width, out.Height = r.side("size", m[1]), r.side("size", m[2])
		if m[3] == "@2x" {
			out.Ratio = 2
		}
	default:
		if wide != "" {
			out.Width = r.side("width", wide)
		}
		if high != "" {
			out.Height = r.side("height", high)
		}
	}
	switch retina {
	case "":
	case "2", "true":
		out.Ratio = 2
	case "0", "1", "false":
	default:
		r.wrong("retina", retina, "must be 1 or 2")
	}
}

func (r *reader) side(name, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > MaxSide {
		r.wrong(name, text, "must have 1 to %d pixels on a side", MaxSide)
	}
	return n
}

// sized returns where a side was sent.
func (r *Request) sized(side string) string {
	if r.bySize {
		return "size"
	}
	return side
}

func pixels(n int) string { return strconv.Itoa(n) + " px" }

func (r *reader) camera(out *Request) {
	q := r.query
	out.Bearing = r.readNumber("bearing", -360, 360, 0)
	if out.Pitch = r.readNumber("pitch", 0, 360, 0); out.Pitch > MaxPitch {
		out.Pitch = MaxPitch
		out.Warnings = append(out.Warnings, fmt.Sprintf("pitch %s is above the highest and was taken as %d", fault.Clip(q.Get("pitch")), MaxPitch))
	}
	out.Zoom = r.readNumber("zoom", 0, MaxZoom, 0)
	center, box := q.Get("center"), q.Get("bbox")
	switch {
	case center != "" && box != "":
		r.wrong("bbox", box, "stands beside center: send one or the other")
	case center != "":
		if n := r.numbers("center", center, 2, "lon,lat"); n != nil {
			out.Center = r.point("center", center, n[0], n[1])
		}
		if q.Get("zoom") == "" {
			r.wrong("zoom", nil, "is missing: center needs it, %d to %d", 0, MaxZoom)
		}
	case q.Get("zoom") != "":
		r.wrong("zoom", q.Get("zoom"), "needs center; without center the map is fitted to bbox, or to the overlays and markers")
	case box != "":
		n := r.numbers("bbox", box, 4, "west,south,east,north")
		if n == nil {
			return
		}
		low, high := r.point("bbox", box, n[0], n[1]), r.point("bbox", box, n[2], n[3])
		if low == nil || high == nil {
			return
		}
		if low.Lat >= high.Lat || low.Lon == high.Lon {
			r.wrong("bbox", box, "must be west,south,east,north, with south below north and some width")
			return
		}
		if high.Lon < low.Lon {
			high.Lon += 360
		}
		out.Box = &geo.Bounds{Min: *low, Max: *high}
	}
}

// look reads how the map is drawn and encoded.
func (r *reader) look(out *Request) {
	q := r.query
	out.Satellite, out.Buildings = r.flag("satellite"), r.flag("buildings3d")
	switch format := q.Get("format"); format {
	case "":
	case "png", "webp", "jpeg":
		out.Format = format
	case "jpg":
		out.Format = "jpeg"
	default:
		r.wrong("format", format, "must be png, webp or jpeg")
	}
	if text := q.Get("quality"); text != "" {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil || n < 1 || n > 100:
			r.wrong("quality", text, "must be a whole number from 1 to 100")
		case out.Format == "png":
			r.wrong("quality", text, "is of webp and jpeg; png loses nothing")
		}
		out.Quality = n
	}
	if text := q.Get("lang"); text != "" {
		tag := ""
		if text != "local" {
			base, err := language.ParseBase(text)
			if err != nil || strings.ToLower(text) != text {
				r.wrong("lang", text, "must be local or a code of ISO 639, such as cy")
			}
			tag = base.String()
		}
		out.Language = &tag
	}
	if q.Get("pois") != "" {
		shown := r.flag("pois")
		out.POIs = &shown
	}
}

// flag reads a yes or no; no where it is not sent.
func (r *reader) flag(name string) bool {
	switch text := r.query.Get(name); text {
	case "", "0", "false":
		return false
	case "1", "true":
		return true
	default:
		r.wrong(name, text, "must be 0 or 1")
		return false
	}
}

func (r *reader) readNumber(name string, low, high, preset float64) float64 {
	text := r.query.Get(name)
	if text == "" {
		return preset
	}
	v, ok := decimal(text)
	if !ok || v < low || v > high {
		r.wrong(name, text, "must be a number from %g to %g", low, high)
		return preset
	}
	return v
}

// decimal reads a number as JSON has it, for what has no fixed form.
func decimal(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && json.Valid([]byte(text)) && !math.IsInf(v, 0)
}

// numbers reads so many numbers with commas between them; nil where they are not
// that.
func (r *reader) numbers(name, text string, count int, form string) []float64 {
	var list []float64
	for part := range strings.SplitSeq(text, ",") {
		v, ok := decimal(part)
		if !ok {
			break
		}
		list = append(list, v)
	}
	if len(list) != count || strings.Count(text, ",") != count-1 {
		r.wrong(name, text, "must be %s in degrees", form)
		return nil
	}
	return list
}

func (r *reader) point(name, text string, lon, lat float64) *geo.Point {
	p := geo.Point{Lon: lon, Lat: lat}
	if p.Valid() {
		return &p
	}
	hint := ""
	if (geo.Point{Lon: lat, Lat: lon}).Valid() {
		hint = "; are lon and lat swapped?"
	}
	r.wrong(name, text, "has the position %g,%g; lon is -180 to 180 and lat -90 to 90%s", lon, lat, hint)
	return nil
}
