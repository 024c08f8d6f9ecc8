package geocode

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/waygate/waygate/geo"
)

// Coordinates reads one place as people type or paste it:
//   - latitude and longitude in degrees, with minutes and seconds or without, with letters of
//     the compass, signs or names ("lat: 51.58 lon: -2.99"), with decimal points or commas, in
//     brackets, with digits of any width; without letters the latitude comes first, unless it
//     cannot be one, and two whole numbers without degree signs are none, for they may be
//     anything else;
//   - geo: addresses, links of map sites, points of GeoJSON and of well-known text;
//   - references to the grid of Ordnance Survey ("ST 3087 8851");
//   - whole plus codes ("9C3RJ27H+2V").
//
// In lang an O is the east (German) or the west (French, Italian, Portuguese, Spanish). ok is false
// for everything else.
func Coordinates(text, lang string) (p geo.Point, ok bool) {
	// Unicode's compatible form of these signs is a letter and an accent.
	text = degreeSigns.Replace(text)
	text = strings.Join(strings.Fields(norm.NFKC.String(text)), " ")
	if strings.Contains(text, "://") {
		return link(text)
	}
	if p, ok := longitudeFirst(text); ok {
		return p, ok
	}
	if p, ok := gridReference(text); ok {
		return p, ok
	}
	if p, ok := plusCode(text); ok {
		return p, ok
	}
	text, labelled := strings.CutPrefix(strings.ToUpper(text), "GEO:")
	if labelled {
		if _, query, ok := strings.Cut(text, "?Q="); ok { // how Android names a point
			text, _, _ = strings.Cut(query, "(")
		}
		text, _, _ = strings.Cut(text, ";") // parameters of RFC 5870
		text, _, _ = strings.Cut(text, "?")
		text, _, _ = strings.Cut(text, "&") // some forget the question mark
	}
	if strings.HasPrefix(text, "{") {
		text = strings.ReplaceAll(text, `"`, " ") // of the names of JSON
	}
	base, _, _ := strings.Cut(lang, "-")
	list, ok := cutSymbols(marks.Replace(strings.TrimSuffix(text, ".")), letterO[strings.ToLower(base)])
	if !ok {
		return p, false
	}
	first, second, ok := halves(list)
	if !ok {
		return p, false
	}
	a, ok1 := readAngle(first)
	b, ok2 := readAngle(second)
	if !ok1 || !ok2 || !labelled && !a.certain && !b.certain || (a.axis == 0) != (b.axis == 0) || a.axis != 0 && a.axis == b.axis {
		return p, false
	}
	p = geo.Point{Lon: b.degrees, Lat: a.degrees}
	if a.axis == 'E' || a.axis == 0 && (a.degrees > 90 || a.degrees < -90) {
		p = geo.Point{Lon: a.degrees, Lat: b.degrees}
	}
	return p, p.Valid()
}

var (
	wellKnownPoint = regexp.MustCompile(`(?i)^(?:SRID=\d+; ?)?POINT ?Z? ?\( ?` + decimal + ` ` + decimal + `(?: ` + decimal + `)? ?\)$`)
	geoJSONPoint   = regexp.MustCompile(`^\{.*"coordinates" ?: ?\[ ?` + decimal + ` ?, ?` + decimal + ` ?(?:, ?` + decimal + ` ?)?\]`)
)

// longitudeFirst reads a point of well-known text or GeoJSON.
func longitudeFirst(text string) (p geo.Point, ok bool) {
	m := wellKnownPoint.FindStringSubmatch(text)
	if m == nil {
		m = geoJSONPoint.FindStringSubmatch(text)
	}
	if m == nil {
		return p, false
	}
	p.Lon, _ = strconv.ParseFloat(m[1], 64)
	p.Lat, _ = strconv.ParseFloat(m[2], 64)
	return p, p.Valid()
}

var degreeSigns = strings.NewReplacer("º", "°", "˚", "°")

// marks gives the marks that people write one form each.
var marks = strings.NewReplacer(
	"''", `"`, "’’", `"`, "′′", `"`, "’", "'", "‘", "'", "′", "'", "´", "'", "″", `"`, "”", `"`, "“", `"`, "−", "-", "–", "-",
	"(", " ", ")", " ", "[", " ", "]", " ", "{", " ", "}", " ", "=", " ", ":", " ",
)

// symbol is a word of coordinates: a number, a mark behind one, an axis, or what parts two
// angles.
type symbol struct {
	kind     rune // '0', '°', '\'', '"', 'N' of latitudes, 'E' of longitudes, ','
	text     string
	value    float64 // of a number
	compass  bool    // of an axis: it is a direction
	negative bool    // of a direction: it is south or west
}

var (
	east = symbol{kind: 'E', compass: true}
	west = symbol{kind: 'E', compass: true, negative: true}
)

// letterO is what the letter is short for, by the language.
var letterO = map[string]symbol{"de": east, "es": west, "fr": west, "it": west, "pt": west}

// words are the words that may stand in coordinates besides numbers and marks.
var words = map[string]symbol{
	"N": {kind: 'N', compass: true}, "NORTH": {kind: 'N', compass: true}, "S": {kind: 'N', compass: true, negative: true}, "SOUTH": {kind: 'N', compass: true, negative: true},
	"E": east, "EAST": east, "W": west, "WEST": west,
	"NORD": {kind: 'N', compass: true}, "NORTE": {kind: 'N', compass: true}, "SÜD": {kind: 'N', compass: true, negative: true}, "SUD": {kind: 'N', compass: true, negative: true}, "SUR": {kind: 'N', compass: true, negative: true}, "SUL": {kind: 'N', compass: true, negative: true},
	"OST": east, "EST": east, "ESTE": east, "OUEST": west, "OESTE": west, "OVEST": west,
	"LAT": {kind: 'N'}, "LATITUDE": {kind: 'N'}, "LON": {kind: 'E'}, "LNG": {kind: 'E'}, "LONG": {kind: 'E'}, "LONGITUDE": {kind: 'E'},
	"DEG": {kind: '°'}, "DEGREE": {kind: '°'}, "DEGREES": {kind: '°'}, "MIN": {kind: '\''}, "SEC": {kind: '"'},
}

var (
	numberPattern = regexp.MustCompile(`^[+-]?\d{1,3}(?:\.\d+)?`)
	decimalComma  = regexp.MustCompile(`(\d),(\d)`)
)

// mostSymbols is more than any coordinates have.
const mostSymbols = 24

// cutSymbols cuts a text in capital letters into its parts, with what an O is; ok is false where
// anything else stands in it.
func cutSymbols(text string, o symbol) (list []symbol, ok bool) {
	if !strings.Contains(text, ".") && len(decimalComma.FindAllString(text, -1)) == 2 {
		text = decimalComma.ReplaceAllString(text, "$1.$2")
	}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		var one symbol
		switch c := []rune(text)[0]; {
		case c == '°' || c == '\'' || c == '"':
			one = symbol{kind: c, text: string(c)}
		case c == ',' || c == ';' || c == '/' || c == '|' || c == '~':
			one = symbol{kind: ',', text: string(c)}
		case c >= 'A' && c <= 'Z':
			end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
			if end < 0 {
				end = len(text)
			}
			if one, ok = words[text[:end]]; text[:end] == "O" {
				one, ok = o, o.kind != 0
			}
			if !ok {
				return nil, false
			}
			one.text = text[:end]
		default:
			one = symbol{kind: '0', text: numberPattern.FindString(text)}
			one.value, _ = strconv.ParseFloat(one.text, 64)
			if rest := text[len(one.text):]; one.text == "" || rest != "" && (rest[0] == '.' || rest[0] >= '0' && rest[0] <= '9') {
				return nil, false
			}
		}
		if list = append(list, one); len(list) > mostSymbols {
			return nil, false
		}
		text = text[len(one.text):]
	}
	return list, true
}

// halves parts two angles: where something stands between them, at the names of their axes,
// at their degree signs, or in the middle of their numbers.
func halves(list []symbol) (first, second []symbol, ok bool) {
	at := func(match func(symbol) bool) (all []int) {
		for i, p := range list {
			if match(p) {
				all = append(all, i)
			}
		}
		return all
	}
	partings := at(func(p symbol) bool { return p.kind == ',' })
	axes := at(func(p symbol) bool { return p.kind == 'N' || p.kind == 'E' })
	signs := at(func(p symbol) bool { return p.kind == '°' })
	numbers := at(func(p symbol) bool { return p.kind == '0' })
	switch {
	case len(partings) > 1 || len(axes) != 0 && len(axes) != 2 || len(numbers) < 2:
		return nil, nil, false
	case len(partings) == 1:
		return list[:partings[0]], list[partings[0]+1:], true
	case len(axes) == 2 && axes[0] == 0:
		return list[:axes[1]], list[axes[1]:], true
	case len(axes) == 2:
		return list[:axes[0]+1], list[axes[0]+1:], true
	case len(signs) == 2 && signs[1] > 0:
		return list[:signs[1]-1], list[signs[1]-1:], true
	case len(numbers)%2 == 0:
		return list[:numbers[len(numbers)/2]], list[numbers[len(numbers)/2]:], true
	}
	return nil, nil, false
}

// angle is one that was read.
type angle struct {
	degrees float64
	axis    rune // 'N' of a latitude, 'E' of a longitude, 0 where nothing says
	certain bool // it has decimals, minutes or a mark, as nothing but an angle has
}

// shares of a degree, and the marks behind them.
var (
	angleShares = [...]float64{1, 60, 3600}
	angleMarks  = [...]rune{'°', '\'', '"'}
)

// readAngle reads degrees, or degrees and minutes, or those and seconds. Only the first may
// have a sign, and only the last decimals.
func readAngle(list []symbol) (a angle, ok bool) {
	var (
		compass, negative, signed bool
		n                         int // numbers read
		last                      string
	)
	for _, p := range list {
		switch {
		case p.kind == '0':
			if n == len(angleShares) || strings.Contains(last, ".") || n > 0 && (strings.ContainsAny(p.text, "+-") || p.value >= 60) {
				return a, false
			}
			if n == 0 {
				signed = strings.ContainsAny(p.text, "+-")
				negative = negative || strings.HasPrefix(p.text, "-")
			}
			a.degrees += math.Abs(p.value) / angleShares[n]
			a.certain = a.certain || n > 0 || strings.Contains(p.text, ".")
			last = p.text
			n++
		case p.kind == 'N' || p.kind == 'E':
			if a.axis != 0 {
				return a, false
			}
			a.axis, compass = p.kind, p.compass
			negative = negative || p.negative
		case n > 0 && p.kind == angleMarks[n-1]:
			a.certain = true
		default:
			return a, false
		}
	}
	if n == 0 || compass && signed {
		return a, false
	}
	if negative {
		a.degrees = -a.degrees
	}
	return a, true
}
