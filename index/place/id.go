package place

import (
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
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
// and ten that tell apart what one object is several times, such as its house
// numbers. Between is the way's number with the house number below it.
const (
	numberBits = 44
	partBits   = 14
)

func packID(k Kind, s Source, number int64, part int) uint64 {
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
	return packID(kind, Source(source), int64(n), int(p)), true
}

// addressBit marks references to addresses among those to records.
const addressBit = 1 << 31

func (x *Index) idOf(ref uint32) uint64 {
	if ref&addressBit != 0 {
		return x.addresses[ref&^addressBit].ID
	}
	return x.records[ref].ID
}

// codePrefix begins the ids of postcodes.
const codePrefix = "postcode."

// codeID is the id of a postcode: its country and letters.
func (x *Index) codeID(code uint32) string {
	country := strings.ToLower(countryText(x.countries[x.codeCountry[code]]))
	if country == "" {
		country = "xx"
	}
	return codePrefix + country + "." + strings.ToLower(unpackCode(x.codeKey[code], 0))
}

// Find gives the place of an id, named in a language where it has such a name.
func (x *Index) Find(id, lang string) (Place, bool) {
	if rest, ok := strings.CutPrefix(id, codePrefix); ok {
		_, letters, _ := strings.Cut(rest, ".")
		packed, _, ok := packCode(letters)
		if !ok {
			return Place{}, false
		}
		for i, found := slices.BinarySearch(x.codeKey, packed); found && i < len(x.codeKey) && x.codeKey[i] == packed; i++ {
			if x.codeID(uint32(i)) == id {
				return x.postcode(uint32(i)), true
			}
		}
		return Place{}, false
	}
	packed, ok := parseID(id)
	if !ok {
		return Place{}, false
	}
	i, found := slices.BinarySearchFunc(x.byID, packed, func(ref uint32, id uint64) int {
		switch at := x.idOf(ref); {
		case at < id:
			return -1
		case at > id:
			return 1
		}
		return 0
	})
	if !found {
		return Place{}, false
	}
	if ref := x.byID[i]; ref&addressBit != 0 {
		return x.address(ref&^addressBit, lang), true
	}
	return x.place(x.byID[i], lang), true
}

func onGlobe(f geo.Fixed) bool {
	return f.Lon >= -180e7 && f.Lon <= 180e7 && f.Lat >= -90e7 && f.Lat <= 90e7
}

func countryText(n uint16) string {
	if n == 0 {
		return ""
	}
	return string([]byte{byte(n >> 8), byte(n)})
}

func countryNumber(code string) uint16 {
	if len(code) != 2 {
		return 0
	}
	code = strings.ToUpper(code)
	return uint16(code[0])<<8 | uint16(code[1])
}
