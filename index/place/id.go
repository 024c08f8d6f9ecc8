package place

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place/fold"
)

// Source is the kind of thing that a place is mapped as.
type Source uint8

// The sources of places.
const (
	Node     Source = iota // a node of OpenStreetMap
	Way                    // a way
	Relation               // a relation
	Between                // between the ends of an interpolation way
	Row                    // a line of another source
)

// An id is in 64 bits: three of kind, three of source, the number of the object,
// and ten that distinguish what one object is several times, such as its house
// numbers. Between is the way's number with the house number below it.
const (
	numberBits = 44
	partBits   = 14
)

// PackID packs what the id of a place says into a number.
func PackID(k Kind, s Source, number int64, part int) uint64 {
	return uint64(k)<<61 | uint64(s)<<58 | uint64(number)&(1<<numberBits-1)<<partBits | uint64(part)&(1<<partBits-1)
}

const sourceLetters = "nwrix"

// idText writes an id: "poi.n123", "address.w7.2", the source's first letter and
// its number.
func idText(id uint64) string {
	kind, source := Kind(id>>61), int(id>>58&7)
	if int(kind) >= indexed || source >= len(sourceLetters) {
		return "unknown." + strconv.FormatUint(id, 16)
	}
	s := kind.String() + "." + sourceLetters[source:source+1] + strconv.FormatUint(id>>partBits&(1<<numberBits-1), 10)
	if part := id & (1<<partBits - 1); part != 0 {
		s += "." + strconv.FormatUint(part, 10)
	}
	return s
}

func parseID(s string) (uint64, bool) {
	name, rest, ok := strings.Cut(s, ".")
	kind, known := KindOf(name)
	if !ok || !known || len(rest) < 2 {
		return 0, false
	}
	source := strings.IndexByte(sourceLetters, rest[0])
	number, part, parted := strings.Cut(rest[1:], ".")
	n, err := strconv.ParseUint(number, 10, numberBits)
	if source < 0 || err != nil {
		return 0, false
	}
	p := uint64(0)
	if parted {
		if p, err = strconv.ParseUint(part, 10, partBits); err != nil {
			return 0, false
		}
	}
	return PackID(kind, Source(source), int64(n), int(p)), true
}

// objectOf returns the object of OpenStreetMap that an id is of. A house between the ends of an
// interpolation is mapped as the way between them.
func objectOf(id uint64) Object {
	o := Object{Source(id >> 58 & 7), int64(id >> partBits & (1<<numberBits - 1))}
	switch o.Source {
	case Node, Way, Relation:
	case Between:
		o.Source = Way
	default:
		return Object{}
	}
	return o
}

// mostOfObject is how many places Of gives.
const mostOfObject = 200

// Of returns the places that an object of OpenStreetMap is mapped as, by kinds: the addresses of a
// building, or a street for the first of its ways.
func (x *Index) Of(o Object, lang string) []Place {
	var all []Place
	below := func(kind Kind, source Source) {
		first := PackID(kind, source, o.Number, 0)
		i, _ := x.refOf(first)
		for ; i < len(x.ByID) && x.IDOf(x.ByID[i])>>partBits == first>>partBits && len(all) < mostOfObject; i++ {
			if p := x.placeOf(x.ByID[i], lang); p.Object == o {
				all = append(all, p)
			}
		}
	}
	for kind := range Kind(indexed) {
		below(kind, o.Source)
	}
	if o.Source == Way {
		below(Address, Between)
	}
	return all
}

// refOf finds the place in byID of an id, or of the next above it.
func (x *Index) refOf(id uint64) (at int, found bool) {
	return slices.BinarySearchFunc(x.ByID, id, func(ref uint32, id uint64) int { return cmp.Compare(x.IDOf(ref), id) })
}

// placeOf returns the place of a reference in full.
func (x *Index) placeOf(ref uint32, lang string) Place {
	if ref&AddressBit != 0 {
		return x.Address(ref&^AddressBit, lang)
	}
	return x.Place(ref, lang)
}

// AddressBit marks references to addresses among those to records.
const AddressBit = 1 << 31

// IDOf returns the packed id of a record or an address.
func (x *Index) IDOf(ref uint32) uint64 {
	if ref&AddressBit != 0 {
		return x.Addresses[ref&^AddressBit].ID
	}
	return x.Records[ref].ID
}

// codePrefix begins the ids of postcodes.
const codePrefix = "postcode."

// codeID returns the id of a postcode: its country and letters.
func (x *Index) codeID(code uint32) string {
	country := strings.ToLower(CountryText(x.Countries[x.CodeCountry[code]]))
	if country == "" {
		country = "xx"
	}
	return codePrefix + country + "." + strings.ToLower(fold.UnpackCode(x.CodeKey[code], 0))
}

// Find returns the place of an id, named in a language where it has such a name.
func (x *Index) Find(id, lang string) (Place, bool) {
	if rest, ok := strings.CutPrefix(id, codePrefix); ok {
		_, letters, _ := strings.Cut(rest, ".")
		packed, _, ok := fold.PackCode(letters)
		if !ok {
			return Place{}, false
		}
		for i, found := slices.BinarySearch(x.CodeKey, packed); found && i < len(x.CodeKey) && x.CodeKey[i] == packed; i++ {
			if x.codeID(uint32(i)) == id {
				return x.Postcode(uint32(i)), true
			}
		}
		return Place{}, false
	}
	packed, ok := parseID(id)
	if !ok {
		return Place{}, false
	}
	i, found := x.refOf(packed)
	if !found {
		return Place{}, false
	}
	return x.placeOf(x.ByID[i], lang), true
}

// OnGlobe reports whether a point is on the globe.
func OnGlobe(f geo.Fixed) bool {
	return f.Lon >= -180e7 && f.Lon <= 180e7 && f.Lat >= -90e7 && f.Lat <= 90e7
}

// CountryText returns the code of a country by its number, "" for none.
func CountryText(n uint16) string {
	if n == 0 {
		return ""
	}
	return string([]byte{byte(n >> 8), byte(n)})
}

// CountryNumber returns the number of the code of a country, 0 for none.
func CountryNumber(code string) uint16 {
	if len(code) != 2 {
		return 0
	}
	code = strings.ToUpper(code)
	return uint16(code[0])<<8 | uint16(code[1])
}
