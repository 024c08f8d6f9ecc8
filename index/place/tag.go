package place

import (
	"slices"
)

// Tag is one of OpenStreetMap's tags.
type Tag struct{ Key, Value string }

// tagKeys are the keys whose values are categories, in the order in which categories have them. What
// stands behind the last of them, and before building, is what a kitchen makes.
var tagKeys = []string{
	"amenity", "shop", "tourism", "leisure", "historic", "healthcare", "office", "craft", "club", "railway", "aeroway", "public_transport", "highway", "natural", "mountain_pass", "man_made", "landuse", "boundary", "emergency",
	"waterway", "barrier", "power",
}

// TagKeys returns the keys that Tags finds in the categories of points of interest, in their order.
func TagKeys() []string { return slices.Clone(tagKeys) }

// Sort returns the sort of a place.
func (p *Place) Sort() Sort { return Sort{p.Kind, p.Class, p.Categories, p.CountryCode} }

// unknownRoad is the value of highway=* for roads of an unknown kind.
const unknownRoad = "road"

// Tags returns the tags that make places of a sort what they are, the one that says most first, at
// least one. Houses, postcodes and crossings have those that they would be mapped by.
func (s *Sort) Tags() []Tag {
	switch s.Kind {
	case Address:
		return []Tag{{"place", "house"}}
	case Postcode:
		return []Tag{{"place", "postcode"}}
	case Crossing:
		return []Tag{{"junction", "yes"}}
	case Street:
		if s.Class == "" {
			return []Tag{{"highway", unknownRoad}}
		}
		return []Tag{{"highway", s.Class}}
	case Area:
		if above[s.Class] {
			return []Tag{{"place", s.Class}}
		}
		return []Tag{{"boundary", "administrative"}}
	case Locality:
		if s.Class == "" {
			return []Tag{{"place", "locality"}}
		}
		if s.Class == Administrative {
			return []Tag{{"boundary", "administrative"}}
		}
		return []Tag{{"place", s.Class}}
	}
	return tagsOf(s.Categories)
}

// tagsOf parts categories, which are values followed by their key. A key alone has the value yes.
func tagsOf(categories []string) (all []Tag) {
	var values []string
	last := -1 // key, by its place in tagKeys
	for i, word := range categories {
		key := slices.Index(tagKeys, word)
		switch {
		case word == "building" && i == len(categories)-1:
			all = append(all, Tag{"building", "yes"})
		case key <= last || i+1 < len(categories) && slices.Index(tagKeys, categories[i+1]) > last && slices.Index(tagKeys, categories[i+1]) < key:
			values = append(values, word) // keys are in order: this is a value that is called as a key is
		default:
			if len(values) == 0 {
				values = []string{"yes"}
			}
			for _, v := range values {
				all = append(all, Tag{word, v})
			}
			values, last = nil, key
		}
	}
	switch {
	case len(all) > 0:
	case len(values) == 2: // what is found by its name alone may be of any key
		all = []Tag{{values[1], values[0]}}
	case len(values) == 1:
		all = []Tag{{values[0], "yes"}}
	default:
		all = []Tag{{"place", "yes"}}
	}
	return all
}
