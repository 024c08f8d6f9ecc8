// Package zone has clean-air and low-emission zones: which schemes there are, whom they
// charge or ban and when, the source of each fact, and their boundaries. It reads the
// file of zones and locates them; feature/zones decides what a rule means for a
// vehicle.
package zone

import (
	"fmt"
	"io"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/strict"
)

// Format and Version identify a file of zones.
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
	Website  string   `json:"website,omitempty"`  // information for drivers
	Country  string   `json:"country,omitempty"`  // ISO 3166-1 alpha-2
	TimeZone string   `json:"time_zone"`          // IANA; of the hours
	Replaces []string `json:"replaces,omitempty"` // ids of other zones that this one stands for, such as osm:r123
	Rules    []Rule   `json:"rules"`              // the first that is for a vehicle at a time counts; none is a zone whose rules are not known
	Charges  *Source  `json:"charges,omitempty"`  // of the rules; nil where there are none
	Boundary Boundary `json:"boundary"`
}

// Rule is the effect of a scheme on some vehicles.
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

// Source is the source of a fact.
type Source struct {
	Publisher string `json:"publisher"`
	URL       string `json:"url"`
	Licence   string `json:"licence"`
	Checked   string `json:"checked"` // the day on which it was compared, YYYY-MM-DD
}

// Boundary is the area of a zone, and its source.
type Boundary struct {
	Source
	File     string    `json:"file,omitempty"`     // GeoJSON beside the file of zones, in place of geometry
	Geometry *Geometry `json:"geometry,omitempty"` // absent where File is
}

// Geometry is a GeoJSON Polygon or MultiPolygon, in degrees.
type Geometry struct {
	Polygons []geo.Polygon // rings without their last corner
}

// MostBytes is the most bytes of a file of zones, or of a boundary.
const MostBytes = 256 << 20

// Read reads a file of zones. An unknown member is an error: a misspelt one would
// change the charge.
func Read(r io.Reader) (*Dataset, error) {
	data, err := io.ReadAll(io.LimitReader(r, MostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MostBytes {
		return nil, fmt.Errorf("longer than %d bytes", MostBytes)
	}
	d := &Dataset{}
	if err := strict.Decode(data, d); err != nil {
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
