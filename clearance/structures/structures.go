// Package structures has tables of structures.
//
// It reads and writes tables of surveyed structures above roads, as road authorities keep
// them, and finds the structures of a clearance artefact.
package structures

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// Structure is a row of a table: what is above a lane, or above all lanes.
type Structure struct {
	Name        string
	Lane        int     // from the left, from 1; 0 for all lanes
	Clearance   float64 // the least, in metres
	Lat, Lon    float64 // degrees of WGS 84
	Date        string  // of the survey, ISO 8601
	Uncertainty float64 // standard, in metres
	Length      float64 // diameter in metres of the place that it concerns
	Kind        string  // what it is; for information
}

// columns are the names of the columns as they are written.
var columns = []string{"structure", "lane", "min_clearance_m", "lat", "lon", "date", "uncertainty_m", "length_m", "kind"}

const (
	// MostRows bounds a table.
	MostRows = 1_000_000
	// DefaultLength is used where a table has no length_m.
	DefaultLength = 12.0
	mostLength    = 500
	mostClearance = 60
	mostName      = 200
)

// Read reads a table: CSV with a heading. The columns lane, length_m and kind may be
// missing, and others are ignored. Errors name the line, the column, the value and its limit.
func Read(r io.Reader) ([]Structure, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	heading, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("table is empty; it needs a heading with " + strings.Join(columns[:7], ", "))
	}
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, name := range heading {
		at[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))] = i
	}
	for _, name := range []string{"structure", "min_clearance_m", "lat", "lon", "date", "uncertainty_m"} {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("heading has no column %q; it needs %s", name, strings.Join(columns[:7], ", "))
		}
	}
	var all []Structure
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if len(all) >= MostRows {
			return nil, fmt.Errorf("table has more than %d rows", MostRows)
		}
		s, err := read(fields, at)
		if err != nil {
			line, _ := in.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		all = append(all, s)
	}
}

// read reads a row.
func read(fields []string, at map[string]int) (s Structure, err error) {
	field := func(name string) string {
		if i, ok := at[name]; ok && i < len(fields) {
			return strings.TrimSpace(fields[i])
		}
		return ""
	}
	number := func(name string, low, high float64, standard string) float64 {
		text := field(name)
		if text == "" {
			text = standard
		}
		v, wrong := strconv.ParseFloat(text, 64)
		if err == nil && (wrong != nil || !(v >= low && v <= high)) {
			err = fmt.Errorf("%s is %.40q; it must be a number from %v to %v", name, text, low, high)
		}
		return v
	}
	s = Structure{
		Name: field("structure"), Kind: field("kind"), Date: field("date"),
		Lat: number("lat", -90, 90, ""), Lon: number("lon", -180, 180, ""),
		Clearance: number("min_clearance_m", 0.1, mostClearance, ""), Uncertainty: number("uncertainty_m", 0, 5, ""),
		Length: number("length_m", 0.5, mostLength, strconv.FormatFloat(DefaultLength, 'f', -1, 64)),
	}
	lane := number("lane", 0, 255, "0")
	if err != nil {
		return s, err
	}
	s.Lane = int(lane)
	if float64(s.Lane) != lane {
		return s, fmt.Errorf("lane is %v; it must be a whole number", lane)
	}
	if s.Name == "" || len(s.Name) > mostName {
		return s, fmt.Errorf("structure has %d bytes; it must have 1 to %d", len(s.Name), mostName)
	}
	if _, wrong := time.Parse(time.DateOnly, s.Date); wrong != nil {
		return s, fmt.Errorf("date is %.40q; it must be a day such as 2025-03-31", s.Date)
	}
	return s, nil
}

// Write writes a table.
func Write(w io.Writer, all []Structure) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for _, s := range all {
		n := func(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }
		// A clearance is rounded down, and what is not known of it up.
		err := out.Write([]string{
			s.Name, strconv.Itoa(s.Lane), n(math.Floor(s.Clearance*1000+1e-6)/1000, 3), n(s.Lat, 7), n(s.Lon, 7), s.Date,
			n(math.Ceil(s.Uncertainty*1000-1e-6)/1000, 3), n(s.Length, 1), s.Kind,
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Days returns the first and the last day of a table.
func Days(all []Structure) (from, to string) {
	for _, s := range all {
		if from == "" || s.Date < from {
			from = s.Date
		}
		to = max(to, s.Date)
	}
	return from, to
}
