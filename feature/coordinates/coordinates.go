// Package coordinates lists coordinate reference systems, transforms
// coordinates between them, and judges whether coordinates can be what they
// are declared to be.
//
// In every system x is the longitude or easting and y the latitude or
// northing, whatever axis order an authority prints.
package coordinates

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/fault"
)

// Limit is the most coordinates one transformation takes.
const Limit = 50

// XY is a position in the units of its system: degrees, metres or feet.
type XY struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// CRS describes one supported system.
type CRS struct {
	Code     string `json:"code"` // "EPSG:27700", as from and to take it
	Name     string `json:"name"` // in the EPSG dataset
	Kind     string `json:"kind" enum:"geographic,projected"`
	Unit     string `json:"unit" enum:"degree,metre,US survey foot"`
	Axes     string `json:"axes"`     // what x and y are
	Accuracy string `json:"accuracy"` // error of the shift between its datum and WGS 84
	Proj4    string `json:"proj4"`    // the definition in use, for PROJ
}

// List returns the supported systems whose code ("EPSG:27700") or name contains
// q, upper and lower case alike, in ascending order of code; all for an empty
// q. Never nil.
func List(q string) []CRS {
	q = strings.ToLower(strings.TrimSpace(q))
	found := []CRS{}
	rows := table()
	for i := range rows {
		if rows[i].matches(q) {
			found = append(found, rows[i].describe())
		}
	}
	return found
}

// Transformed is the answer of a transformation, in the order asked.
type Transformed struct {
	From        string `json:"from"` // canonical code, "EPSG:4326"
	To          string `json:"to"`
	Coordinates []XY   `json:"coordinates"`
	Accuracy    string `json:"accuracy"` // error of the datum shift between the two
}

// Transform takes 1 to Limit points from one system to another. Codes are
// EPSG codes with or without "EPSG:". Answers are rounded to 1e-10 degrees or
// 1e-5 of the target's unit of length. A code outside the table, too many
// points, a value that is not finite and a point outside the usable domain of
// either system are a fault.BadRequest that names each.
func Transform(from, to string, points []XY) (Transformed, error) {
	var wrong []fault.Violation
	source, bad := lookup("from", from)
	wrong = append(wrong, bad...)
	target, bad := lookup("to", to)
	wrong = append(wrong, bad...)
	if n := len(points); n == 0 || n > Limit {
		wrong = append(wrong, fault.Violation{
			Location: "coordinates", Value: n,
			Message: fmt.Sprintf("needs 1 to %d coordinates, has %d", Limit, n),
		})
	}
	if len(wrong) > 0 {
		return Transformed{}, fault.Invalid(wrong...)
	}
	t := Transformed{
		From: source.id(), To: target.id(), Coordinates: make([]XY, len(points)),
		Accuracy: pairAccuracy(source.datum, target.datum),
	}
	for i, p := range points {
		out, err := convert(source, target, p)
		if err != nil {
			wrong = append(wrong, fault.Violation{
				Location: fmt.Sprintf("coordinates[%d]", i),
				Value:    p.String(), Message: fmt.Sprintf("%s %v", p, err),
			})
			continue
		}
		t.Coordinates[i] = target.round(out)
	}
	if len(wrong) > 0 {
		return Transformed{}, fault.Invalid(wrong...)
	}
	return t, nil
}

func convert(source, target *system, p XY) (XY, error) {
	if !p.finite() {
		return XY{}, errors.New("is not a pair of finite numbers")
	}
	lon, lat, err := source.unproject(p)
	if err != nil {
		return XY{}, err
	}
	if source.code == target.code {
		return p, nil
	}
	lon, lat = shift(source.datum, target.datum, lon, lat)
	return target.project(lon, lat)
}

// lookup finds the system of a code in either spelling.
func lookup(field, code string) (*system, []fault.Violation) {
	digits := strings.TrimSpace(code)
	if len(digits) >= 5 && strings.EqualFold(digits[:5], "EPSG:") {
		digits = digits[5:]
	}
	if n, err := strconv.ParseUint(digits, 10, 31); err == nil {
		if s := find(int(n)); s != nil {
			return s, nil
		}
	}
	return nil, []fault.Violation{{
		Location: field, Value: clip(code),
		Message: fmt.Sprintf("%q is not the EPSG code of a supported system (GET /coordinates/crs lists them)", clip(code)),
	}}
}

// clip keeps what a message quotes short.
func clip(s string) string {
	const longest = 60
	if len(s) > longest {
		return strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}

func (p XY) finite() bool {
	return !math.IsNaN(p.X) && !math.IsInf(p.X, 0) && !math.IsNaN(p.Y) && !math.IsInf(p.Y, 0)
}

func (p XY) String() string { return plain(p.X) + "," + plain(p.Y) }

// plain writes a number without an exponent as long as that stays readable.
func plain(v float64) string {
	if math.Abs(v) >= 1e15 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return decimal(v)
}

// round drops digits far below a thousandth of a millimetre that only show
// the noise of floating point; degrees at the edge of the globe stay on it.
func (s *system) round(p XY) XY {
	scale := 1e5
	if s.geographic() {
		scale = 1e10
		p = XY{math.Max(-180, math.Min(180, p.X)), math.Max(-90, math.Min(90, p.Y))}
	}
	return XY{math.Round(p.X*scale)/scale + 0, math.Round(p.Y*scale)/scale + 0}
}

// ParseCoordinates reads "x,y;x,y…", 1 to Limit pairs of finite decimal
// numbers; blanks around a number are allowed. The error names the index of
// every bad pair.
func ParseCoordinates(s string) ([]XY, error) {
	if n := strings.Count(s, ";") + 1; n > Limit {
		return nil, fault.Invalid(fault.Violation{
			Location: "coordinates", Value: n,
			Message: fmt.Sprintf("needs 1 to %d coordinates, has %d", Limit, n),
		})
	}
	var points []XY
	var wrong []fault.Violation
	for i, pair := range strings.Split(s, ";") {
		p, err := parsePair(pair)
		if err != nil {
			wrong = append(wrong, fault.Violation{Location: fmt.Sprintf("coordinates[%d]", i), Value: clip(pair), Message: err.Error()})
			continue
		}
		points = append(points, p)
	}
	if len(wrong) > 0 {
		return nil, fault.Invalid(wrong...)
	}
	return points, nil
}

func parsePair(pair string) (XY, error) {
	numbers := strings.Split(pair, ",")
	if len(numbers) != 2 {
		return XY{}, fmt.Errorf("%q is not a pair x,y (pairs are separated by a semicolon, decimals by a point)", clip(pair))
	}
	var v [2]float64
	for i, text := range numbers {
		text = strings.TrimSpace(text)
		n, err := strconv.ParseFloat(text, 64)
		// ParseFloat also reads hexadecimal numbers, infinities and NaN.
		if err != nil || strings.Trim(text, "0123456789+-.eE") != "" {
			return XY{}, fmt.Errorf("%q has %q for %c, which is not a finite decimal number", clip(pair), clip(text), "xy"[i])
		}
		v[i] = n
	}
	return XY{v[0], v[1]}, nil
}
