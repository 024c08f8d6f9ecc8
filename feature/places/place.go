package places

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/waygate/waygate/geo"
)

// Limits of what is uploaded.
const (
	MostPlaces     = 10_000 // of one key
	MostProperties = 2_048  // bytes of one place's properties, as sent
)

// Place is one that a caller has uploaded. Its tags are the description of it
// on the wire.
type Place struct {
	ID          string   `json:"id" minLength:"1" maxLength:"256" doc:"the caller's own; each may stand once"`
	Name        string   `json:"name" minLength:"1" maxLength:"256"`
	Lat         float64  `json:"lat" minimum:"-90" maximum:"90" unit:"degrees"`
	Lon         float64  `json:"lon" minimum:"-180" maximum:"180" unit:"degrees"`
	AltNames    []string `json:"alt_names,omitempty" maxItems:"20" of:"names" maxLength:"256" doc:"other names that it is found by"`
	Categories  []string `json:"categories,omitempty" maxItems:"20" of:"categories" maxLength:"100" doc:"what it is, in words of the caller's"`
	Street      string   `json:"street,omitempty" maxLength:"256"`
	Locality    string   `json:"locality,omitempty" maxLength:"256"`
	Region      string   `json:"region,omitempty" maxLength:"256"`
	Postcode    string   `json:"postcode,omitempty" maxLength:"32"`
	CountryCode string   `json:"country_code,omitempty" maxLength:"2" doc:"ISO 3166-1 alpha-2"`
	Importance  *float64 `json:"importance,omitempty" minimum:"0" maximum:"1000000" doc:"a weight: of places that meet a search as well, the heavier come first"`

	Properties json.RawMessage `json:"properties,omitempty" doc:"an object of at most 2048 bytes, which comes back byte for byte"`
}

// Point returns where it is.
func (p *Place) Point() geo.Point { return geo.Point{Lon: p.Lon, Lat: p.Lat} }

// Problem describes one invalid field of one place of an upload.
type Problem struct {
	Index   int    `json:"index" doc:"of the place in the list, from 0"`
	ID      string `json:"id,omitempty" doc:"of the place, where it has one"`
	Field   string `json:"field" doc:"which of its members; empty where the place as a whole is wrong"`
	Value   any    `json:"value,omitempty" doc:"what was sent"`
	Message string `json:"message"`
}

// Check refuses what is wrong with a place beyond the rules of its tags.
func (p *Place) Check(add func(field string, value any, message string)) {
	if p.ID != "" && strings.TrimSpace(p.ID) == "" {
		add("id", p.ID, "is blank")
	}
	if p.Name != "" && strings.TrimSpace(p.Name) == "" {
		add("name", p.Name, "is blank")
	}
	if c := p.CountryCode; c != "" && (len(c) != 2 || !letter(c[0]) || !letter(c[1])) {
		add("country_code", c, "must be two letters, as ISO 3166-1 alpha-2 has them")
	}
}

func letter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// appendJSON writes a place with its properties as they came.
func (p *Place) appendJSON(dst []byte) ([]byte, error) {
	bare := *p
	bare.Properties = nil
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(&bare); err != nil {
		return dst, err
	}
	dst = append(dst, bytes.TrimSuffix(b.Bytes(), []byte("}\n"))...)
	if len(p.Properties) > 0 {
		dst = append(append(dst, `,"properties":`...), p.Properties...)
	}
	return append(dst, '}'), nil
}
