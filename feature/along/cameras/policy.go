package cameras

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
)

// Modes of a jurisdiction.
const (
	Exact   = "exact"   // cameras are told where they are
	Omitted = "omitted" // none is told
)

// Nowhere is the country of a route near which no camera is known.
const Nowhere = "ZZ"

// Law is what one country has: whether cameras may be told, and by which law.
type Law struct {
	Mode   string `json:"mode"`
	Source string `json:"source"`
}

// Policy is laws by country (ISO 3166-1 alpha-2). A country that is not in it
// has cameras omitted.
type Policy map[string]Law

// Usual is the policy where an operator has no other. It is a reading of statutes
// and no legal advice; docs/feeds.md lists it.
func Usual() Policy {
	return Policy{
		"GB": {Exact, "No statute forbids telling where cameras are; Road Safety Act 2006, s. 18 (devices that detect or jam) is not in force, and does not cover lists of places."},
		"NL": {Exact, "Regeling voertuigen and the ban of 2004 cover devices that detect radar, not lists of places."},
		"BE": {Exact, "Law of 16 March 1968 on traffic, art. 62bis: devices that hinder or detect are forbidden, places that authorities publish are not."},
		"ES": {Exact, "Real Decreto Legislativo 6/2015, art. 13.6: detectors and jammers are forbidden; systems that tell the positions of surveillance are expressly excepted."},
		"IT": {Exact, "Codice della strada, art. 45(9-bis) and 142(6-bis): detectors are forbidden; positions must be signed and are published."},
		"SE": {Exact, "Lag (1988:15) forbids devices that detect; Trafikverket publishes the positions."},
		"FI": {Exact, "Tieliikennelaki 729/2018, 160 §: devices that detect are forbidden; positions are published."},
		"DE": {Omitted, "StVO § 23(1c): who drives may not operate or carry ready a device that is meant to show traffic surveillance, nor use that function of another."},
		"FR": {Omitted, "Code de la route, art. R413-15: devices that warn of the presence of speed checks are forbidden; zones of danger may be told instead, which these are not."},
		"CH": {Omitted, "SVG art. 98a: devices and services that warn of official traffic checks are forbidden."},
		"LI": {Omitted, "SVG art. 93a, as in Switzerland."},
		"CY": {Omitted, "Law 86(I)/2006 on devices that detect or tell of speed cameras."},
	}
}

// Of gives the mode of a country.
func (p Policy) Of(country string) string {
	if p[country].Mode == Exact {
		return Exact
	}
	return Omitted
}

var alpha2 = regexp.MustCompile(`^[A-Z]{2}$`)

// maxPolicy bounds a file, in bytes.
const maxPolicy = 1 << 20

// ReadPolicy reads an operator's own table, {"GB": {"mode": "exact", "source":
// "…"}}, whose countries take the place of those of the usual one.
func ReadPolicy(r io.Reader) (Policy, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxPolicy+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxPolicy {
		return nil, fmt.Errorf("it has more than %d bytes", maxPolicy)
	}
	var own Policy
	if err := json.Unmarshal(text, &own); err != nil {
		return nil, err
	}
	for country, law := range own {
		switch {
		case !alpha2.MatchString(country) || country == Nowhere:
			return nil, fmt.Errorf("%q is no country: two capital letters of ISO 3166-1", country)
		case law.Mode != Exact && law.Mode != Omitted:
			return nil, fmt.Errorf("%s: mode %q is neither exact nor omitted", country, law.Mode)
		case law.Mode == Exact && law.Source == "":
			return nil, errors.New(country + ": source is missing: name the law that allows it")
		}
	}
	p := Usual()
	maps.Copy(p, own)
	return p, nil
}
