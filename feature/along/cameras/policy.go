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
	Exact   = "exact"   // answers have cameras with their places
	Omitted = "omitted" // answers have no camera
)

// Nowhere is the country of a route near which no camera is known.
const Nowhere = "ZZ"

// Law is the mode of a country, and the source that it was read in.
type Law struct {
	Mode   string `json:"mode"`
	Source string `json:"source"`
}

// Policy has the laws by country (ISO 3166-1 alpha-2). Cameras are omitted in countries that
// are not in it.
type Policy map[string]Law

// Usual returns the policy where an operator has no other: answers have cameras where a public
// source says that lists of places are allowed, and nowhere else. It is a reading by engineers
// and no legal advice; docs/feeds.md lists it with where each source was read. A source that
// begins with unknown does not settle the question.
func Usual() Policy {
	return Policy{
		"GB": {Exact, "No statute forbids telling where cameras are, and they have been published since 2004; Road Safety Act 2006, s. 18 empowers rules on devices that detect or jam."},
		"NL": {Exact, "Voertuigreglement, art. 1a.7 (since 2004) forbids apparatus that receives radar, and no lists of places."},
		"BE": {Exact, "Law on traffic of 16 March 1968, art. 62bis forbids equipment that hinders or detects; the European Consumer Centre Belgium: devices that tell the places of controls are permitted."},
		"ES": {Exact, "Ley de Tráfico (RDL 6/2015), art. 13.6: systems that tell the position of surveillance are expressly excepted from the ban on detectors and jammers."},
		"IT": {Exact, "Codice della strada, art. 45(9-bis), which by the Polizia stradale and Cassazione 12150/2007 does not cover navigation devices with lists of places."},
		"SE": {Exact, "Lag (1988:15), 1 and 2 §§: forbidden is what receives waves of a radar or laser meter, or disturbs it."},
		"FI": {Omitted, "unknown: Laki 546/1998, 1 § is about devices meant or used to reveal equipment of traffic control; no source says whether a list of places is one."},
		"DE": {Omitted, "StVO § 23(1c): who drives may not operate or carry ready a device that is meant to show traffic surveillance, nor use that function of another."},
		"FR": {Omitted, "Code de la route, art. R413-15, as amended by décret 2012-3, art. 22: products that tell where controls are may not be held, carried or used; stretches of danger may be told instead, which these are not."},
		"CH": {Omitted, "SVG art. 98a: warning publicly of official traffic controls, and devices and services for it, are forbidden."},
		"LI": {Omitted, "unknown: no source was found for or against."},
		"CY": {Omitted, "unknown: Law 55(I)/2001, s. 9A is about devices that interfere; no source was found on lists of places."},
	}
}

// Of returns the mode of a country.
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
