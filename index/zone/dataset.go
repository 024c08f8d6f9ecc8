// Package zone holds clean-air and low-emission zones: which schemes there are,
// whom they charge or ban and when, where that is known from, and their
// boundaries. It knows the file they are kept in and where they lie; what a rule
// means for a vehicle is decided in feature/zones.
package zone

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/waygate/waygate/geo"
)

// Format and Version are what a file of zones says of itself.
const (
	Format  = "waygate-zones"
	Version = 1
)

// Dataset is a file of zones.
type Dataset struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Zones   []Zone `json:"zones"`
}

// Zone is one scheme with its boundary.
type Zone struct {
	ID       string   `json:"id"`                 // lower-case letters, digits, hyphens and a colon
	Name     string   `json:"name"`               // for people
	Scheme   string   `json:"scheme,omitempty"`   // what kind it is called: ULEZ, CAZ, Umweltzone
	Website  string   `json:"website,omitempty"`  // where drivers are told
	Country  string   `json:"country,omitempty"`  // ISO 3166-1 alpha-2
	TimeZone string   `json:"time_zone"`          // IANA; of the hours
	Replaces []string `json:"replaces,omitempty"` // ids of other zones that this one stands for, such as osm:r123
	Rules    []Rule   `json:"rules"`              // the first that is for a vehicle at a time counts; none is a zone whose rules are not known
	Charges  *Source  `json:"charges,omitempty"`  // of the rules; nil where there are none
	Boundary Boundary `json:"boundary"`
}

// Rule is what a scheme does to some vehicles.
type Rule struct {
	Effect      string         `json:"effect"`                 // charge, ban or free
	Vehicles    []string       `json:"vehicles"`               // categories
	Fuels       []string       `json:"fuels,omitempty"`        // none is all
	MinimumEuro map[string]int `json:"minimum_euro,omitempty"` // by fuel: from this standard on the rule is not for a vehicle
	Hours       string         `json:"hours,omitempty"`        // in the syntax of opening_hours; "" is always
	From        string         `json:"from,omitempty"`         // first day, YYYY-MM-DD
	Until       string         `json:"until,omitempty"`        // last day
	Amount      *float64       `json:"amount,omitempty"`       // of a charge
	Currency    string         `json:"currency,omitempty"`     // ISO 4217
	Per         string         `json:"per,omitempty"`          // day, entry, hour
	Note        string         `json:"note,omitempty"`
}

// Source is where something is known from.
type Source struct {
	Publisher string `json:"publisher"`
	URL       string `json:"url"`
	Licence   string `json:"licence"`
	Checked   string `json:"checked"` // the day on which somebody compared it, YYYY-MM-DD
}

// Boundary is where a zone lies, and where that is known from.
type Boundary struct {
	Source
	File     string    `json:"file,omitempty"`     // GeoJSON beside the file of zones, in place of geometry
	Geometry *Geometry `json:"geometry,omitempty"` // absent where File is
}

// Geometry is a GeoJSON Polygon or MultiPolygon, in degrees.
type Geometry struct {
	Polygons []geo.Polygon // rings without their last corner
}

// MostBytes is how long a file of zones, or of a boundary, may be.
const MostBytes = 256 << 20

// Read reads a file of zones. A member that is not known is an error: one that is
// misspelt would change what somebody is charged.
func Read(r io.Reader) (*Dataset, error) {
	data, err := io.ReadAll(io.LimitReader(r, MostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MostBytes {
		return nil, fmt.Errorf("longer than %d bytes", MostBytes)
	}
	d := &Dataset{}
	if err := strictly(data, d); err != nil {
		return nil, err
	}
	switch {
	case d.Format != Format:
		return nil, fmt.Errorf("format is %q and not %q: this is no file of zones", d.Format, Format)
	case d.Version < 1 || d.Version > Version:
		return nil, fmt.Errorf("version is %d and this build reads 1 to %d", d.Version, Version)
	}
	return d, nil
}

func strictly(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("more follows after the object")
	}
	return nil
}
