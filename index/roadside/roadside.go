// Package roadside has what the map of a region has beside its roads: cameras that
// enforce rules, and charging stations.
package roadside

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// The section of a region.
const (
	SectionName = "roadside"
	Version     = 1
)

// Index has all cameras and chargers, in the order of ids.
type Index struct {
	Cameras  []Camera  `json:"cameras"`
	Chargers []Charger `json:"chargers"`
}

// Camera enforces a rule at a place, or over a section of road.
type Camera struct {
	ID      string    `json:"id"` // of the node or relation of OSM: n1, r2
	At      geo.Fixed `json:"at"` // where a section begins
	To      geo.Fixed `json:"to"` // where it ends; zero for a place
	Kind    string    `json:"kind"`
	Limit   int       `json:"limit,omitempty"`   // km/h; 0 where it is not known
	OfRoad  bool      `json:"of_road,omitempty"` // the limit is that of the road, not of the camera
	Travel  *int      `json:"travel,omitempty"`  // direction of travel that is watched, in degrees; nil where it is not known
	Country string    `json:"country,omitempty"` // ISO 3166-1 alpha-2
}

// Kinds of cameras.
const (
	Fixed    = "fixed"
	Average  = "average"
	RedLight = "redlight"
	Unknown  = "unknown"
)

// Charger is a charging station.
type Charger struct {
	ID       string    `json:"id"`
	At       geo.Fixed `json:"at"`
	Name     string    `json:"name,omitempty"`
	Operator string    `json:"operator,omitempty"`
	Hours    string    `json:"hours,omitempty"`
	Private  bool      `json:"private,omitempty"`
	Country  string    `json:"country,omitempty"`
	Capacity int       `json:"capacity,omitempty"` // vehicles at a time; 0 where it is not known
	Sockets  []Socket  `json:"sockets,omitempty"`
}

// Socket is one kind of connector.
type Socket struct {
	Kind  string  `json:"kind"` // as the key of OSM has it: type2_combo
	Count int     `json:"count,omitempty"`
	KW    float64 `json:"kw,omitempty"`
}

// Write writes the section file.
func (x *Index) Write(path string) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	a := &region.Arrays{}
	region.Put(a, "text", text)
	return a.WriteFile(path)
}

// Open returns the roadside index of a region; nil if it was built without.
func Open(r *region.Region) (*Index, error) {
	s, err := r.Optional(SectionName, Version, Version)
	if s == nil {
		return nil, err
	}
	return Read(s)
}

// Read reads the section.
func Read(s *region.Section) (*Index, error) {
	text, err := region.Array[byte](s, "text")
	if err != nil {
		return nil, err
	}
	x := &Index{}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(x); err != nil {
		return nil, fmt.Errorf("section %s: %w", SectionName, err)
	}
	for i := range x.Cameras {
		c := &x.Cameras[i]
		if !c.At.Point().Valid() || !c.To.Point().Valid() || c.Limit < 0 || c.Travel != nil && (*c.Travel < 0 || *c.Travel >= 360) {
			return nil, fmt.Errorf("section %s: camera %s cannot be", SectionName, c.ID)
		}
	}
	for i := range x.Chargers {
		if !x.Chargers[i].At.Point().Valid() {
			return nil, fmt.Errorf("section %s: charging station %s is nowhere", SectionName, x.Chargers[i].ID)
		}
	}
	return x, nil
}
