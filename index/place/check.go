package place

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/tree"
)

// check verifies that every number in an array is one of what it counts, so that
// nothing has to be looked at again in a search.
func check(x *Index) error {
	texts, err := checkTexts(x)
	if err != nil {
		return err
	}
	terms, names, records, codes, pieces := len(x.PostFrom)-1, len(x.NameText), len(x.Records), len(x.CodeKey), len(x.PieceOf)
	for _, f := range []struct {
		what string
		from []uint32
		n    int
		end  int
	}{
		{"terms", x.TermFrom, terms, len(x.Terms)},
		{"names of terms", x.PostFrom, terms, len(x.Posts)},
		{"words of names", x.WordFrom, names, len(x.Words)},
		{"records of names", x.BearFrom, names, len(x.Bearers)},
		{"pieces of lines", x.PieceFrom, pieces, len(x.Points)},
		{"corners of outlines", x.OutlineFrom, len(x.OutlineOf), len(x.Corners)},
		{"categories of lists", x.ListFrom, len(x.ListFrom) - 1, len(x.Lists)},
		{"records of categories", x.OfFrom, len(x.KindsOf), len(x.OfCategory)},
	} {
		if f.n < 0 || len(f.from) != f.n+1 || f.from[0] != 0 || !slices.IsSorted(f.from) || int(f.from[f.n]) != f.end {
			return damaged("the %s do not fit their places", f.what)
		}
	}
	for i := range terms {
		if n := x.TermFrom[i+1] - x.TermFrom[i]; n == 0 || n > MaxTerm || !utf8.Valid(x.Term(uint32(i))) || i > 0 && string(x.Term(uint32(i-1))) >= string(x.Term(uint32(i))) {
			return damaged("term %d is empty, too long or out of order", i)
		}
	}
	for i := range names {
		if n := x.WordFrom[i+1] - x.WordFrom[i]; n > fold.MaxWords {
			return damaged("name %d has %d words", i, n)
		}
	}
	for i := range pieces {
		if x.PieceFrom[i+1] == x.PieceFrom[i] {
			return damaged("piece %d of a line has no point", i)
		}
	}
	for i := range x.OutlineOf {
		if n := x.OutlineFrom[i+1] - x.OutlineFrom[i]; n == 0 || n > tree.MostOutline {
			return damaged("outline %d has %d corners", i, n)
		}
	}
	lists := len(x.ListFrom) - 1
	for _, f := range []struct {
		what  string
		list  []uint32
		limit int
	}{
		{"name of a term", x.Posts, names},
		{"term of a name", x.Words, terms},
		{"record of a name", x.Bearers, records},
		{"record of an alias", x.AliasOf, records},
		{"name of an alias", x.AliasName, names},
		{"record of a detail", x.DetailOf, records},
		{"record of a postcode", x.CodeOf, records},
		{"postcode", x.Codes, codes},
		{"record of an extent", x.ExtentOf, records},
		{"record of a line", x.PieceOf, records},
		{"record of an outline", x.OutlineOf, records},
		{"term of a setting", x.PartTerm, terms},
		{"record of a category", x.OfCategory, records},
		{"postcode of a street", x.StreetsCode, codes},
		{"street of a postcode", x.StreetsOf, records},
	} {
		for _, v := range f.list {
			if int(v) >= f.limit {
				return damaged("%s: number %d of %d", f.what, v, f.limit)
			}
		}
	}
	for _, list := range [][]uint32{x.NameText, x.AliasLang, x.DetailKey, x.DetailValue, x.PartText, x.Lists, x.KindsOf} {
		for _, v := range list {
			if !texts.has(v) {
				return damaged("no text is at %d", v)
			}
		}
	}
	for _, sorted := range [][]uint32{x.AliasOf, x.DetailOf, x.CodeOf, x.ExtentOf, x.PieceOf, x.OutlineOf, x.StreetsCode} {
		if !slices.IsSorted(sorted) {
			return damaged("a column is not in order")
		}
	}
	if len(x.AliasLang) != len(x.AliasOf) || len(x.AliasName) != len(x.AliasOf) || len(x.DetailKey) != len(x.DetailOf) || len(x.DetailValue) != len(x.DetailOf) ||
		len(x.Codes) != len(x.CodeOf) || len(x.Extents) != len(x.ExtentOf) || len(x.StreetsOf) != len(x.StreetsCode) || len(x.PartText) != len(x.PartTerm) || len(x.PartField) != len(x.PartTerm) {
		return damaged("columns of one table differ in length")
	}
	if len(x.CodeAt) != codes || len(x.CodeGap) != codes || len(x.CodeCountry) != codes || !slices.IsSorted(x.CodeKey) {
		return damaged("the %d postcodes do not fit each other", codes)
	}
	for _, c := range x.CodeCountry {
		if int(c) >= len(x.Countries) {
			return damaged("country %d of %d", c, len(x.Countries))
		}
	}
	if err := checkRecords(x, texts, lists); err != nil {
		return err
	}
	for _, t := range x.trees() {
		if err := t.tree.Check(t.name, t.limit, t.masked); err != nil {
			return damaged("%v", err)
		}
	}
	return nil
}

func checkRecords(x *Index, texts starts, lists int) error {
	for i := range x.Records {
		r := &x.Records[i]
		if int(r.Name) >= len(x.NameText) || r.Parent != None && int(r.Parent) >= len(x.Records) || int(r.Setting) >= len(x.Settings) || !texts.has(r.House) ||
			r.Code != None && int(r.Code) >= len(x.CodeKey) || int(r.Categories) >= lists || uint64(r.Addresses)+uint64(r.Count) > uint64(len(x.Addresses)) || int(r.Kind) >= indexed || !OnGlobe(r.At) {
			return damaged("record %d leaves the section", i)
		}
		for _, a := range x.Addresses[r.Addresses : r.Addresses+r.Count] {
			if a.Parent != uint32(i) {
				return damaged("an address of record %d is of record %d", i, a.Parent)
			}
		}
	}
	for i := range x.Addresses {
		a := &x.Addresses[i]
		if int(a.Parent) >= len(x.Records) || !texts.has(a.House) || int(a.Setting) >= len(x.Settings) || a.Code != None && int(a.Code) >= len(x.CodeKey) || !OnGlobe(a.At) {
			return damaged("address %d leaves the section", i)
		}
	}
	for i, s := range x.Settings {
		if !texts.has(s.Locality) || !texts.has(s.State) || s.From > s.To || int(s.To) > len(x.PartTerm) || s.To-s.From > MaxParts {
			return damaged("setting %d leaves the section", i)
		}
	}
	for _, at := range x.CodeAt {
		if !OnGlobe(at) {
			return damaged("a postcode is off the globe")
		}
	}
	for _, at := range x.Points {
		if !OnGlobe(at) {
			return damaged("a line leaves the globe")
		}
	}
	for _, at := range x.Corners {
		if !OnGlobe(at) {
			return damaged("an outline leaves the globe")
		}
	}
	last := uint64(0)
	for _, ref := range x.ByID {
		if ref&AddressBit == 0 && int(ref) >= len(x.Records) || ref&AddressBit != 0 && int(ref&^AddressBit) >= len(x.Addresses) {
			return damaged("an id is of nothing")
		}
		id := x.IDOf(ref)
		if id < last {
			return damaged("the ids are not in order")
		}
		last = id
	}
	return nil
}

// starts marks where texts begin.
type starts []uint64

func (s starts) has(at uint32) bool { return int(at>>6) < len(s) && s[at>>6]>>(at&63)&1 == 1 }

func checkTexts(x *Index) (starts, error) {
	s := make(starts, len(x.Texts)/64+1)
	for at := 0; at < len(x.Texts); {
		if at+2 > len(x.Texts) {
			return nil, damaged("a text is cut short")
		}
		s[at>>6] |= 1 << (at & 63)
		if at += 2 + int(binary.LittleEndian.Uint16(x.Texts[at:])); at > len(x.Texts) {
			return nil, damaged("a text ends after the section")
		}
	}
	return s, nil
}
