// Package charging reads where electric vehicles can be charged: OCPI, Open
// Charge Map, DATEX II as AFIR has it, the registers of the United Kingdom and of
// Germany, OICP, and tables of our own. Stations and the state of their charging
// points may come from different sources: they are joined by the points' ids.
package charging

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
)

// Standard is a kind of connector.
type Standard string

// The standards.
const (
	Type1    Standard = "type1"    // SAE J1772
	Type2    Standard = "type2"    // IEC 62196-2
	Type3    Standard = "type3"    // Scame
	CCS1     Standard = "ccs1"     // Combo 1
	CCS2     Standard = "ccs2"     // Combo 2
	CHAdeMO  Standard = "chademo"  //
	NACS     Standard = "nacs"     // SAE J3400
	Tesla    Standard = "tesla"    // of Tesla in Europe before Combo 2
	GBTAC    Standard = "gbt_ac"   //
	GBTDC    Standard = "gbt_dc"   //
	Schuko   Standard = "schuko"   // CEE 7/4
	BS1363   Standard = "bs1363"   // British 13 A socket
	Domestic Standard = "domestic" // other sockets of houses
	CEEBlue  Standard = "cee_blue" // IEC 60309, one phase
	CEERed   Standard = "cee_red"  // IEC 60309, three phases
	MCS      Standard = "mcs"      // for lorries
	Other    Standard = "other"
)

// DC reports whether a standard charges with direct current.
func (s Standard) DC() bool {
	return slices.Contains([]Standard{CCS1, CCS2, CHAdeMO, GBTDC, MCS}, s)
}

// Connector is one kind of connector at a charging point, or several alike.
type Connector struct {
	Standard  Standard
	KW        float64 // most power; 0 where it is not known
	Estimated bool    // KW was worked out from volts and amperes
	Count     int     // how many of them; 0 where it is not known
	Cable     bool    // with a cable of its own
}

// Status is the state of a charging point.
type Status string

// The states. The zero value is not known.
const (
	Available  Status = "available"
	Occupied   Status = "occupied" // charging, blocked or reserved
	OutOfOrder Status = "out_of_order"
)

// Point is a charging point for one vehicle (EVSE).
type Point struct {
	ID         string // such as DE*SLB*E001; "" where the source has none
	Status     Status
	StatusAt   time.Time // when it was so; zero where that is not said
	Connectors []Connector
}

// Station is a place with charging points.
type Station struct {
	ID       string // in its source
	Name     string
	Operator string
	Address  string
	Postcode string
	Country  string // ISO 3166-1 alpha-2; "" where it is not known
	At       geo.Point
	Always   bool   // open at all hours
	Hours    string // as OSM writes opening hours; "" where it is not known
	Private  bool   // not for everybody
	Points   []Point
	Updated  time.Time // when the source last changed it
}

// MostKW returns the most power of a connector that fits; 0 where none does, or its
// power is not known. No standards fit all.
func (s *Station) MostKW(standards ...Standard) float64 {
	most := 0.0
	for i := range s.Points {
		for _, c := range s.Points[i].Connectors {
			if len(standards) == 0 || slices.Contains(standards, c.Standard) {
				most = max(most, c.KW)
			}
		}
	}
	return most
}

// Fits reports whether a connector fits and is known to have so much power.
func (s *Station) Fits(leastKW float64, standards ...Standard) bool {
	for i := range s.Points {
		for _, c := range s.Points[i].Connectors {
			if (len(standards) == 0 || slices.Contains(standards, c.Standard)) && c.KW >= leastKW {
				return true
			}
		}
	}
	return leastKW == 0 && len(standards) == 0
}

// Document has the contents of a source: stations, states of charging points, or both.
type Document struct {
	Stations []Station
	States   map[string]State // by the id of the point
}

// State is that of a charging point.
type State struct {
	Status Status
	At     time.Time
}

// Formats are the formats that a source may have.
const (
	OCPI          = "ocpi" // locations of 2.1.1 and 2.2.1, followed by their Link
	OpenChargeMap = "openchargemap"
	DATEX         = "datex2" // AFIR, JSON or XML, stations or states
	OICP          = "oicp"   // EVSEData or EVSEStatuses
	UKRegistry    = "uk-registry"
	BNetzA        = "bnetza"
	CSV           = "csv"
	JSON          = "json"
)

// Kind describes feeds of charging points.
func Kind() feed.Kind[*Document] {
	return feed.Kind[*Document]{
		Read: read, Every: 5 * time.Minute, StaleAfter: 24 * time.Hour,
		Check: func(s *feed.Source) error {
			if all := []string{"", OCPI, OpenChargeMap, DATEX, OICP, UKRegistry, BNetzA, CSV, JSON}; !slices.Contains(all, s.Format) {
				return fmt.Errorf("format %q is none of %s", s.Format, strings.Join(all[1:], ", "))
			}
			return nil
		},
	}
}

// power returns the power of a connector in kilowatts. The figure of its record
// comes first; volts and amperes say more than DC can give, so it is only
// estimated there. Three phases are counted as the volts are given: between the
// lines above 300, else to neutral.
func power(watts, volts, amperes float64, phases int) (kw float64, estimated bool) {
	switch {
	case watts > 0:
		return watts / 1000, false
	case volts <= 0 || amperes <= 0:
		return 0, false
	case phases == 3 && volts > 300:
		return volts * amperes * math.Sqrt(3) / 1000, true
	case phases == 3:
		return volts * amperes * 3 / 1000, true
	}
	return volts * amperes / 1000, true
}

// mostKW is more than any connector gives: megawatt charging has 3,750.
const mostKW = 4000
