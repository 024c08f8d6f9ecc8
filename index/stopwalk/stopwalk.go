// Package stopwalk is the index of walks over the streets between stops.
package stopwalk

import (
	"errors"
	"fmt"

	"github.com/waygate/waygate/region"
)

// The section of a region.
const (
	SectionName = "stopwalks"
	Version     = 1
)

// Bounds of what is listed of a stop.
const (
	Farthest = 600 // metres on foot
	Most     = 64  // the nearest by time
	Street   = 300 // metres within which a stop has a street, or nobody walks to it or from it
)

// Walk is a walk from one stop to another. It may take longer back.
type Walk struct {
	To      uint32
	Seconds int32
}

// Index has the walks from each stop of a region's timetable. It is read-only and safe for
// concurrent use, and lives as long as the region that it came from.
type Index struct {
	first []uint32 // of the walks from each stop, in walks; one more than there are stops
	walks []Walk
}

// New makes an index of the walks from each stop.
func New(from [][]Walk) *Index {
	x := &Index{first: make([]uint32, 1, len(from)+1)}
	for _, list := range from {
		x.walks = append(x.walks, list...)
		x.first = append(x.first, uint32(len(x.walks)))
	}
	return x
}

// Stops returns how many stops the timetable had of which the walks are.
func (x *Index) Stops() int { return len(x.first) - 1 }

// Walks returns how many walks there are.
func (x *Index) Walks() int { return len(x.walks) }

// From lists the walks from a stop, the shortest time first. The list must not be changed.
func (x *Index) From(stop uint32) []Walk { return x.walks[x.first[stop]:x.first[stop+1]] }

// Write writes the section file.
func (x *Index) Write(path string) error {
	var a region.Arrays
	region.Put(&a, "first", x.first)
	region.Put(&a, "walks", x.walks)
	return a.WriteFile(path)
}

// Open returns the walks of a region; nil where it was built without.
func Open(r *region.Region) (*Index, error) {
	s, err := r.Optional(SectionName, Version, Version)
	if s == nil {
		return nil, err
	}
	return Read(s)
}

// Read returns the walks of a section. It refuses lists that no later look-up could follow.
func Read(s *region.Section) (*Index, error) {
	x := &Index{}
	var err error
	if x.first, err = region.Array[uint32](s, "first"); err != nil {
		return nil, err
	}
	if x.walks, err = region.Array[Walk](s, "walks"); err != nil {
		return nil, err
	}
	if err := x.check(); err != nil {
		return nil, fmt.Errorf("section %s: %w", SectionName, err)
	}
	return x, nil
}

func (x *Index) check() error {
	if len(x.first) == 0 || x.first[0] != 0 || int(x.first[len(x.first)-1]) != len(x.walks) {
		return errors.New("its lists are not those of its walks")
	}
	for i := range x.Stops() {
		if x.first[i] > x.first[i+1] {
			return errors.New("its lists are not those of its walks")
		}
	}
	for _, w := range x.walks {
		if int(w.To) >= x.Stops() || w.Seconds < 0 {
			return errors.New("a walk leads to no stop, or back in time")
		}
	}
	return nil
}
