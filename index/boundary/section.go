package boundary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/rings"
	"github.com/waygate/waygate/region"
)

// The section of a region.
const (
	SectionName = "boundaries"
	Version     = 1
)

// Index finds areas. It is read-only and safe for concurrent use, and valid as long as
// the region that it came from. Every border is stored once, with the list of its
// areas.
type Index struct {
	borders rings.Index
	owner   []uint32 // first in member of each owner of a border; one more than there are
	member  []uint32 // areas
	areas   []record // by level, those of a level by size
	name    []text   // of all areas: the local name, then those in languages
	text    []byte   // each a byte for the length, and so many
}

// record is an area as it is stored.
type record struct {
	Relation int64
	Size     float64
	Min, Max geo.Fixed
	ISO      [8]byte
	Name     uint32 // first in name; those of the next area end it
	Level    uint8
	Drives   Side
	Coarse   uint8
	_        uint8
}

// text is a name: the starts of its language and its text.
type text struct{ Lang, Text uint32 }

const maxText = 255

func (x *Index) fields() []region.Field {
	return []region.Field{
		region.FieldOf("corner", &x.borders.Corners),
		region.FieldOf("row", &x.borders.Rows),
		region.FieldOf("piece", &x.borders.Pieces),
		region.FieldOf("grid", &x.borders.Grid),
		region.FieldOf("owner", &x.owner),
		region.FieldOf("member", &x.member),
		region.FieldOf("area", &x.areas),
		region.FieldOf("name", &x.name),
		region.FieldOf("text", &x.text),
	}
}

// Write writes the section file.
func (x *Index) Write(path string) error {
	a := &region.Arrays{}
	for _, f := range x.fields() {
		f.Put(a)
	}
	return a.WriteFile(path)
}

// Open returns the boundaries of a region; nil if it was built without.
func Open(r *region.Region) (*Index, error) {
	s, err := r.Optional(SectionName, Version, Version)
	if s == nil {
		return nil, err
	}
	return Read(s)
}

// Read returns the boundaries in a section. It refuses arrays that do not fit each
// other, so that no later look-up leaves them.
func Read(s *region.Section) (*Index, error) {
	x := &Index{}
	for _, f := range x.fields() {
		if err := f.Get(s); err != nil {
			return nil, err
		}
	}
	if err := x.check(); err != nil {
		return nil, fmt.Errorf("section %s: %w", SectionName, err)
	}
	return x, nil
}

func (x *Index) check() error {
	if len(x.owner) == 0 || x.owner[0] != 0 || !slices.IsSorted(x.owner) || int(x.owner[len(x.owner)-1]) != len(x.member) {
		return fmt.Errorf("its lists of areas do not fit each other")
	}
	if err := x.borders.Check(len(x.owner) - 1); err != nil {
		return err
	}
	for _, area := range x.member {
		if int64(area) >= int64(len(x.areas)) {
			return fmt.Errorf("a border is that of area %d of %d", area, len(x.areas))
		}
	}
	next := 0
	for i := range x.areas {
		// Each has its local name at least.
		if a := &x.areas[i]; int64(a.Name) < int64(next) || int64(a.Name) >= int64(len(x.name)) || a.Drives > Right || i == 0 && a.Name != 0 {
			return fmt.Errorf("the names of area %d are not in it", i)
		}
		next = int(x.areas[i].Name) + 1
	}
	for _, n := range x.name {
		for _, at := range [...]uint32{n.Lang, n.Text} {
			if int64(at) >= int64(len(x.text)) || int(at)+1+int(x.text[at]) > len(x.text) {
				return fmt.Errorf("a name ends after the section")
			}
		}
	}
	return nil
}

func (x *Index) string(at uint32) string { return string(x.text[at+1 : int(at)+1+int(x.text[at])]) }

func (x *Index) area(i int) Area {
	r := &x.areas[i]
	end := uint32(len(x.name))
	if i+1 < len(x.areas) {
		end = x.areas[i+1].Name
	}
	a := Area{
		Relation: r.Relation, Level: int(r.Level), ISO: strings.TrimRight(string(r.ISO[:]), "\x00"), Name: x.string(x.name[r.Name].Text),
		Drives: r.Drives, Coarse: r.Coarse == 1, Size: r.Size, Bounds: geo.Bounds{Min: r.Min.Point(), Max: r.Max.Point()},
	}
	for _, n := range x.name[r.Name+1 : end] {
		a.Names = append(a.Names, Name{x.string(n.Lang), x.string(n.Text)})
	}
	return a
}
