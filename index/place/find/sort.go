package find

import (
	"github.com/waygate/waygate/index/place"
)

// sorted remembers what an Only said of the sorts that a search met.
type sorted struct {
	x    *Index
	only place.Only
	said map[sortKey]bool
}

// sortKey is a sort by its numbers.
type sortKey struct {
	kind    place.Kind
	class   uint8
	list    uint32
	country uint16
}

func (x *Index) sorted(only place.Only) *sorted {
	if only == nil {
		return nil
	}
	return &sorted{x, only, map[sortKey]bool{}}
}

// record reports whether a record is wanted; it counts as of another kind where it stands for one
// of its addresses.
func (s *sorted) record(i uint32, kind place.Kind) bool {
	r := &s.x.Records[i]
	if kind == place.Address {
		return s.wants(sortKey{kind: kind, country: s.x.Settings[r.Setting].Country})
	}
	return s.wants(sortKey{kind, r.Class(), r.Categories, s.x.Settings[r.Setting].Country})
}

// address reports whether an address is wanted.
func (s *sorted) address(i uint32) bool { return s.record(s.x.Addresses[i].Parent, place.Address) }

// code reports whether a postcode is wanted.
func (s *sorted) code(i uint32) bool {
	return s.wants(sortKey{kind: place.Postcode, country: s.x.Countries[s.x.CodeCountry[i]]})
}

func (s *sorted) wants(k sortKey) bool {
	said, known := s.said[k]
	if !known {
		x := s.x
		sort := place.Sort{Kind: k.kind, Class: place.ClassText(k.class), CountryCode: place.CountryText(k.country)}
		if k.kind != place.Address && k.kind != place.Postcode && k.kind != place.Crossing {
			for _, c := range x.Lists[x.ListFrom[k.list]:x.ListFrom[k.list+1]] {
				sort.Categories = append(sort.Categories, x.Text(c))
			}
		}
		said = s.only(&sort)
		s.said[k] = said
	}
	return said
}
