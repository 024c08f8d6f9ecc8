package zone

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/waygate/waygate/region"
)

// The section of a region: the zones that its map has, as the text of a Dataset.
const (
	SectionName    = "zones"
	SectionVersion = 1
)

// Write writes the section.
func Write(path string, zones []Zone) error {
	if zones == nil {
		zones = []Zone{}
	}
	text, err := json.Marshal(Dataset{Format: Format, Version: Version, Zones: zones})
	if err != nil {
		return err
	}
	var a region.Arrays
	region.Put(&a, "text", text)
	return a.WriteFile(path)
}

// Open returns the zones of a region; none if it was built without.
func Open(r *region.Region) ([]Zone, error) {
	s, err := r.Optional(SectionName, SectionVersion, SectionVersion)
	if s == nil {
		return nil, err
	}
	return ReadSection(s)
}

// ReadSection reads the section.
func ReadSection(s *region.Section) ([]Zone, error) {
	text, err := region.Array[byte](s, "text")
	if err != nil {
		return nil, err
	}
	d, err := Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("section %s: %w", SectionName, err)
	}
	for i := range d.Zones {
		if d.Zones[i].Boundary.Geometry == nil {
			return nil, fmt.Errorf("section %s: zone %q has no boundary", SectionName, d.Zones[i].ID)
		}
	}
	return d.Zones, nil
}
