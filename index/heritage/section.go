package heritage

import (
	"encoding/json"
	"fmt"

	"github.com/waygate/waygate/index/strict"
	"github.com/waygate/waygate/region"
)

// The section of a region: its corridors, as the text of a JSON list of them.
const (
	SectionName    = "heritage"
	SectionVersion = 1
)

// Write writes the section. The corridors must have passed Check.
func Write(path string, all []Corpus) error {
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	var a region.Arrays
	region.Put(&a, "text", text)
	return a.WriteFile(path)
}

// Open returns the index of a region; nil if it was built without corridors.
func Open(r *region.Region) (*Index, error) {
	s, err := r.Optional(SectionName, SectionVersion, SectionVersion)
	if s == nil {
		return nil, err
	}
	return ReadSection(s)
}

// ReadSection reads the section, and checks it as the files were.
func ReadSection(s *region.Section) (*Index, error) {
	text, err := region.Array[byte](s, "text")
	if err != nil {
		return nil, err
	}
	var all []Corpus
	err = strict.Decode(text, &all)
	for i := range all {
		if err == nil {
			err = all[i].identify()
		}
	}
	if problems := Check(all); err == nil && len(problems) > 0 {
		err = fmt.Errorf("%s", problems[0])
	}
	if err != nil {
		return nil, fmt.Errorf("section %s: %w", SectionName, err)
	}
	return NewIndex(all), nil
}
