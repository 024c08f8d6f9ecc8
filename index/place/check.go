package place

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// check holds that every number in an array is one of what it counts, so that
// nothing has to be looked at again in a search.
func (x *Index) check() error {
	texts, err := x.checkTexts()
	if err != nil {
		return err
	}
	terms, names, records, codes, pieces := len(x.postFrom)-1, len(x.nameText), len(x.records), len(x.codeKey), len(x.pieceOf)
	for _, f := range []struct {
		what string
		from []uint32
		n    int
		end  int
	}{
		{"terms", x.termFrom, terms, len(x.terms)},
		{"names of terms", x.postFrom, terms, len(x.posts)},
		{"words of names", x.wordFrom, names, len(x.words)},
		{"records of names", x.bearFrom, names, len(x.bearers)},
		{"pieces of lines", x.pieceFrom, pieces, len(x.points)},
		{"categories of lists", x.listFrom, len(x.listFrom) - 1, len(x.lists)},
		{"records of categories", x.ofFrom, len(x.kindsOf), len(x.of)},
	} {
		if f.n < 0 || len(f.from) != f.n+1 || f.from[0] != 0 || !slices.IsSorted(f.from) || int(f.from[f.n]) != f.end {
			return damaged("the %s do not fit their places", f.what)
		}
	}
	for i := range terms {
		if n := x.termFrom[i+1] - x.termFrom[i]; n == 0 || n > maxTerm || !utf8.Valid(x.term(uint32(i))) || i > 0 && string(x.term(uint32(i-1))) >= string(x.term(uint32(i))) {
			return damaged("term %d is empty, too long or out of order", i)
		}
	}
	for i := range names {
		if n := x.wordFrom[i+1] - x.wordFrom[i]; n > maxWords {
			return damaged("name %d has %d words", i, n)
		}
	}
	for i := range pieces {
		if x.pieceFrom[i+1] == x.pieceFrom[i] {
			return damaged("piece %d of a line has no point", i)
		}
	}
	lists := len(x.listFrom) - 1
	for _, f := range []struct {
		what  string
		list  []uint32
		limit int
	}{
		{"name of a term", x.posts, names},
		{"term of a name", x.words, terms},
		{"record of a name", x.bearers, records},
		{"record of an alias", x.aliasOf, records},
		{"name of an alias", x.aliasName, names},
		{"record of a detail", x.detailOf, records},
		{"record of a postcode", x.codeOf, records},
		{"postcode", x.codes, codes},
		{"record of an extent", x.extentOf, records},
		{"record of a line", x.pieceOf, records},
		{"term of a setting", x.partTerm, terms},
		{"record of a category", x.of, records},
		{"postcode of a street", x.streetsCode, codes},
		{"street of a postcode", x.streetsOf, records},
	} {
		for _, v := range f.list {
			if int(v) >= f.limit {
				return damaged("%s: number %d of %d", f.what, v, f.limit)
			}
		}
	}
	for _, list := range [][]uint32{x.nameText, x.aliasLang, x.detailKey, x.detailValue, x.partText, x.lists, x.kindsOf} {
		for _, v := range list {
			if !texts.has(v) {
				return damaged("no text is at %d", v)
			}
		}
	}
	for _, sorted := range [][]uint32{x.aliasOf, x.detailOf, x.codeOf, x.extentOf, x.pieceOf, x.streetsCode} {
		if !slices.IsSorted(sorted) {
			return damaged("a column is not in order")
		}
	}
	if len(x.aliasLang) != len(x.aliasOf) || len(x.aliasName) != len(x.aliasOf) || len(x.detailKey) != len(x.detailOf) || len(x.detailValue) != len(x.detailOf) ||
		len(x.codes) != len(x.codeOf) || len(x.extents) != len(x.extentOf) || len(x.streetsOf) != len(x.streetsCode) || len(x.partText) != len(x.partTerm) || len(x.partField) != len(x.partTerm) {
		return damaged("columns of one table differ in length")
	}
	if len(x.codeAt) != codes || len(x.codeGap) != codes || len(x.codeCountry) != codes || !slices.IsSorted(x.codeKey) {
		return damaged("the %d postcodes do not fit each other", codes)
	}
	for _, c := range x.codeCountry {
		if int(c) >= len(x.countries) {
			return damaged("country %d of %d", c, len(x.countries))
		}
	}
	if err := x.checkRecords(texts, lists); err != nil {
		return err
	}
	for _, t := range x.trees() {
		if err := t.tree.check(t.name, t.limit, t.masked); err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) checkRecords(texts starts, lists int) error {
	for i := range x.records {
		r := &x.records[i]
		if int(r.Name) >= len(x.nameText) || r.Parent != none && int(r.Parent) >= len(x.records) || int(r.Setting) >= len(x.settings) || !texts.has(r.House) ||
			r.Code != none && int(r.Code) >= len(x.codeKey) || int(r.Categories) >= lists || uint64(r.Addresses)+uint64(r.Count) > uint64(len(x.addresses)) || int(r.Kind) >= indexed || !onGlobe(r.At) {
			return damaged("record %d leaves the section", i)
		}
		for _, a := range x.addresses[r.Addresses : r.Addresses+r.Count] {
			if a.Parent != uint32(i) {
				return damaged("an address of record %d is of record %d", i, a.Parent)
			}
		}
	}
	for i := range x.addresses {
		a := &x.addresses[i]
		if int(a.Parent) >= len(x.records) || !texts.has(a.House) || !texts.has(a.Locality) || a.Code != none && int(a.Code) >= len(x.codeKey) || !onGlobe(a.At) {
			return damaged("address %d leaves the section", i)
		}
	}
	for i, s := range x.settings {
		if !texts.has(s.Locality) || !texts.has(s.State) || s.From > s.To || int(s.To) > len(x.partTerm) || s.To-s.From > maxParts {
			return damaged("setting %d leaves the section", i)
		}
	}
	for _, at := range x.codeAt {
		if !onGlobe(at) {
			return damaged("a postcode is off the globe")
		}
	}
	for _, at := range x.points {
		if !onGlobe(at) {
			return damaged("a line leaves the globe")
		}
	}
	last := uint64(0)
	for _, ref := range x.byID {
		if ref&addressBit == 0 && int(ref) >= len(x.records) || ref&addressBit != 0 && int(ref&^addressBit) >= len(x.addresses) {
			return damaged("an id is of nothing")
		}
		id := x.idOf(ref)
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

func (x *Index) checkTexts() (starts, error) {
	s := make(starts, len(x.texts)/64+1)
	for at := 0; at < len(x.texts); {
		if at+2 > len(x.texts) {
			return nil, damaged("a text is cut short")
		}
		s[at>>6] |= 1 << (at & 63)
		if at += 2 + int(binary.LittleEndian.Uint16(x.texts[at:])); at > len(x.texts) {
			return nil, damaged("a text ends after the section")
		}
	}
	return s, nil
}
