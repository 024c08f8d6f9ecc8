package report

import (
	"encoding/csv"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// CSV writes a row for each stop: what it is, then its measures, then what can be reached
// from it. Columns are the same in every report of the same sets; what is not known is empty.
// A text that a spreadsheet would run as a formula has an apostrophe before it.
func (r *Report) CSV(out io.Writer) error {
	w := csv.NewWriter(out)
	columns := r.columns()
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	if err := w.Write(names); err != nil {
		return err
	}
	row := make([]string, len(columns))
	for i := range r.Stops {
		for n, c := range columns {
			row[n] = c.text(&r.Stops[i])
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// Features is stops as GeoJSON, whose properties are the columns of CSV.
type Features struct {
	Type     string    `json:"type" enum:"FeatureCollection"`
	Features []Feature `json:"features" nullable:"false"`
}

// Feature is one of them.
type Feature struct {
	Type       string         `json:"type" enum:"Feature"`
	Geometry   Geometry       `json:"geometry"`
	Properties map[string]any `json:"properties"`
}

// Geometry is a GeoJSON Point.
type Geometry struct {
	Type        string     `json:"type" enum:"Point"`
	Coordinates [2]float64 `json:"coordinates"`
}

// GeoJSON returns the stops with their measures.
func (r *Report) GeoJSON() *Features {
	columns := r.columns()
	out := &Features{Type: "FeatureCollection", Features: make([]Feature, len(r.Stops))}
	for i := range r.Stops {
		s := &r.Stops[i]
		properties := map[string]any{}
		for _, c := range columns {
			if c.name != "lat" && c.name != "lon" {
				properties[c.name] = c.of(s)
			}
		}
		out.Features[i] = Feature{"Feature", Geometry{"Point", [2]float64{s.Lon, s.Lat}}, properties}
	}
	return out
}

// column is one measure of a stop. Its value is a string, a number or nil.
type column struct {
	name string
	of   func(s *Stop) any
}

// formula matches the beginning of what a spreadsheet would run: of a text, or of a part behind
// a character that separates cells elsewhere.
var formula = regexp.MustCompile(`(^|[;\t\r\n])(\s*)('*[=+\-@＝＋－＠])`)

func (c column) text(s *Stop) string {
	switch v := c.of(s).(type) {
	case string:
		return formula.ReplaceAllString(v, "$1$2'$3")
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// value returns the value of a pointer, nil where it is nil. Numbers have two decimals.
func value[T any](p *T) any {
	if p == nil {
		return nil
	}
	if v, ok := any(*p).(float64); ok {
		return math.Round(v*100) / 100
	}
	return *p
}

func (r *Report) columns() []column {
	list := []column{
		{"id", func(s *Stop) any { return s.ID }},
		{"name", func(s *Stop) any { return s.Name }},
		{"indicator", func(s *Stop) any { return value(s.Indicator) }},
		{"locality", func(s *Stop) any { return value(s.Locality) }},
		{"lat", func(s *Stop) any { return s.Lat }},
		{"lon", func(s *Stop) any { return s.Lon }},
		{"lines", func(s *Stop) any { return strings.Join(s.Lines, " ") }},
	}
	for _, day := range []struct {
		name string
		of   func(s *Stop) *Service
	}{
		{"weekday", func(s *Stop) *Service { return &s.Weekday }},
		{"saturday", func(s *Stop) *Service { return &s.Saturday }},
		{"sunday", func(s *Stop) *Service { return &s.Sunday }},
	} {
		list = append(
			list,
			column{day.name + "_departures", func(s *Stop) any { return day.of(s).Departures }},
			column{day.name + "_first", func(s *Stop) any { return value(day.of(s).First) }},
			column{day.name + "_last", func(s *Stop) any { return value(day.of(s).Last) }},
			column{day.name + "_longest_gap_min", func(s *Stop) any { return value(day.of(s).LongestGap) }},
			column{day.name + "_per_hour", func(s *Stop) any { return value(&day.of(s).PerHour.AllDay) }},
			column{day.name + "_evening_per_hour", func(s *Stop) any { return value(&day.of(s).PerHour.Evening) }},
			column{day.name + "_night_per_hour", func(s *Stop) any { return value(&day.of(s).PerHour.Night) }},
		)
	}
	list = append(
		list,
		column{"weekday_early_per_hour", func(s *Stop) any { return value(s.Weekday.PerHour.Early) }},
		column{"weekday_morning_peak_per_hour", func(s *Stop) any { return value(s.Weekday.PerHour.Morning) }},
		column{"weekday_midday_per_hour", func(s *Stop) any { return value(s.Weekday.PerHour.Midday) }},
		column{"weekday_afternoon_peak_per_hour", func(s *Stop) any { return value(s.Weekday.PerHour.Afternoon) }},
	)
	for _, c := range r.Area.Catchments {
		near := func(s *Stop) (*Near, bool) { n, ok := s.Reached[c.Of]; return n, ok }
		of := func(get func(*Near) any) func(s *Stop) any {
			return func(s *Stop) any {
				n, ok := near(s)
				if !ok {
					return nil
				}
				return get(n)
			}
		}
		list = append(
			list,
			column{c.Of + "_nearest_min", of(func(n *Near) any { return value(n.Nearest) })},
			column{c.Of + "_30_min", of(func(n *Near) any { return value(&n.Within.M30) })},
			column{c.Of + "_45_min", of(func(n *Near) any { return value(&n.Within.M45) })},
			column{c.Of + "_60_min", of(func(n *Near) any { return value(&n.Within.M60) })},
		)
	}
	return list
}
