package place

import (
	"fmt"
	"slices"
	"sync"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// The section of a region.
const (
	SectionName = "places"
	Version     = 2
)

// none is the number of what is not there.
const none = ^uint32(0)

// Index finds places. It is read-only and safe for concurrent use, and lives as
// long as the region it came from.
//
// Records are all places but addresses and postcodes, the most important first.
// A record's names are numbers of names: a name that many places have is there
// once, with its folded words (terms) and the records that have it; names, too,
// are in the order of the most important that has them. Terms are in
// alphabetical order, so that those with a common beginning are a range.
// Addresses lie below the record that they count as part of, a street or a
// locality, in the order of their numbers.
type Index struct {
	texts []byte // each two bytes of length, then so many bytes

	terms    []byte
	termFrom []uint32 // where a term begins in terms; one more than there are
	postFrom []uint32 // where a term's names begin in posts
	posts    []uint32 // names

	nameText []uint32
	wordFrom []uint32 // where a name's terms begin in words
	words    []uint32 // terms
	bearFrom []uint32 // where a name's records begin in bearers
	bearers  []uint32 // records

	records   []record
	addresses []address

	// Of some records, by record.
	aliasOf, aliasLang, aliasName    []uint32
	detailOf, detailKey, detailValue []uint32
	codeOf, codes                    []uint32 // postcodes of streets
	extentOf                         []uint32
	extents                          []box
	pieceOf, pieceFrom               []uint32 // pieces of lines; where their points begin, one more than there are
	points                           []geo.Fixed

	settings  []setting // where records lie: the localities and areas around them
	partTerm  []uint32
	partText  []uint32
	partField []uint8

	listFrom []uint32 // where a list of categories begins in lists; one more than there are
	lists    []uint32 // texts of categories
	kindsOf  []uint32 // texts of all categories, sorted by their letters
	ofFrom   []uint32 // where the records of each of those begin in of
	of       []uint32 // records, the most important first

	codeKey     []uint64 // postcodes, in their order
	codeAt      []geo.Fixed
	codeGap     []int8
	codeCountry []uint8
	countries   []uint16
	streetsCode []uint32 // postcodes that streets have, with the streets
	streetsOf   []uint32

	byID []uint32 // records, and addresses plus 1<<31, in the order of their ids

	addressTree, pieceTree, localityTree, poiTree, codeTree tree

	// Worked out when the index is opened.
	weights    []float32           // of terms
	foremostOf []uint32            // tree of the most important names of terms
	categories map[string][]uint32 // texts of categories by the folded words that people say for them
	pool       sync.Pool
}

// record is a place that is no address and no postcode.
type record struct {
	ID         uint64
	At         geo.Fixed
	Name       uint32 // name
	Parent     uint32 // the street that it lies at, none where unknown
	Setting    uint32
	House      uint32 // text
	Code       uint32 // postcode, none
	Categories uint32 // list
	Addresses  uint32 // its first address
	Count      uint32 // of its addresses
	Reach      uint32 // metres around a locality within which things belong to it
	Importance uint16 // of 65535
	Kind       uint8
	Class      uint8
}

// address is a house below a record.
type address struct {
	ID       uint64
	At       geo.Fixed
	Parent   uint32 // record
	House    uint32 // text
	Code     uint32 // postcode, none
	Locality uint32 // text where it is another than its parent's, 0
	Number   uint32 // what the house number begins with
	_        uint32
}

// setting is what lies around a record.
type setting struct {
	Locality uint32 // text
	State    uint32 // text
	From, To uint32 // its parts: terms, with the text and the field they come from
	Country  uint16
	_        uint16
}

func (x *Index) fields() []region.Field {
	list := []region.Field{
		region.FieldOf("texts", &x.texts), region.FieldOf("terms", &x.terms), region.FieldOf("term_from", &x.termFrom), region.FieldOf("post_from", &x.postFrom), region.FieldOf("posts", &x.posts),
		region.FieldOf("name_text", &x.nameText), region.FieldOf("word_from", &x.wordFrom), region.FieldOf("words", &x.words), region.FieldOf("bear_from", &x.bearFrom), region.FieldOf("bearers", &x.bearers),
		region.FieldOf("records", &x.records), region.FieldOf("addresses", &x.addresses),
		region.FieldOf("alias_of", &x.aliasOf), region.FieldOf("alias_lang", &x.aliasLang), region.FieldOf("alias_name", &x.aliasName),
		region.FieldOf("detail_of", &x.detailOf), region.FieldOf("detail_key", &x.detailKey), region.FieldOf("detail_value", &x.detailValue),
		region.FieldOf("code_of", &x.codeOf), region.FieldOf("codes", &x.codes), region.FieldOf("extent_of", &x.extentOf), region.FieldOf("extents", &x.extents),
		region.FieldOf("piece_of", &x.pieceOf), region.FieldOf("piece_from", &x.pieceFrom), region.FieldOf("points", &x.points),
		region.FieldOf("settings", &x.settings), region.FieldOf("part_term", &x.partTerm), region.FieldOf("part_text", &x.partText), region.FieldOf("part_field", &x.partField),
		region.FieldOf("list_from", &x.listFrom), region.FieldOf("lists", &x.lists), region.FieldOf("kinds_of", &x.kindsOf), region.FieldOf("of_from", &x.ofFrom), region.FieldOf("of", &x.of),
		region.FieldOf("code_key", &x.codeKey), region.FieldOf("code_at", &x.codeAt), region.FieldOf("code_gap", &x.codeGap), region.FieldOf("code_country", &x.codeCountry), region.FieldOf("countries", &x.countries),
		region.FieldOf("streets_code", &x.streetsCode), region.FieldOf("streets_of", &x.streetsOf), region.FieldOf("by_id", &x.byID),
	}
	for _, t := range x.trees() {
		list = append(list, t.tree.fields(t.name)...)
	}
	return list
}

type namedTree struct {
	name   string
	tree   *tree
	limit  int
	masked bool
}

func (x *Index) trees() []namedTree {
	return []namedTree{
		{"address_tree", &x.addressTree, len(x.addresses), false},
		{"piece_tree", &x.pieceTree, len(x.pieceOf), false},
		{"locality_tree", &x.localityTree, len(x.records), false},
		{"poi_tree", &x.poiTree, len(x.records), true},
		{"code_tree", &x.codeTree, len(x.codeKey), false},
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

// Open gives the places of a region; nil where it was built without.
func Open(r *region.Region) (*Index, error) {
	s, err := r.Optional(SectionName, Version, Version)
	if s == nil {
		return nil, err
	}
	return Read(s)
}

// Read gives the places in a section. It refuses arrays that do not fit each
// other, so that no later look-up leaves them.
func Read(s *region.Section) (*Index, error) {
	x := &Index{}
	for _, f := range x.fields() {
		if err := f.Get(s); err != nil {
			return nil, err
		}
	}
	if err := x.check(); err != nil {
		return nil, err
	}
	x.prepare()
	return x, nil
}

// prepare works out what is not written.
func (x *Index) prepare() {
	x.weights = make([]float32, x.termCount())
	for i := range x.weights {
		x.weights[i] = float32(x.weigh(uint32(i)))
	}
	x.foremostOf = leastOf(x.firsts())
	x.nameKinds()
}

// Counts tells how many places of each kind there are.
func (x *Index) Counts() map[Kind]int {
	counts := map[Kind]int{Address: len(x.addresses), Postcode: len(x.codeKey)}
	for i := range x.records {
		counts[Kind(x.records[i].Kind)]++
	}
	return counts
}

// Categories are all that the index has places of, sorted.
func (x *Index) Categories() []string {
	all := make([]string, 0, len(x.kindsOf))
	for _, c := range x.kindsOf {
		all = append(all, x.text(c))
	}
	return all
}

func (x *Index) text(at uint32) string {
	n := uint32(x.texts[at]) | uint32(x.texts[at+1])<<8
	return string(x.texts[at+2 : at+2+n])
}

func (x *Index) term(i uint32) []byte { return x.terms[x.termFrom[i]:x.termFrom[i+1]] }

func (x *Index) nameString(name uint32) string { return x.text(x.nameText[name]) }

// rows gives the elements of a sorted column that are of one record.
func rows(column []uint32, of uint32) (from, to int) {
	from, _ = slices.BinarySearch(column, of)
	to = from
	for to < len(column) && column[to] == of {
		to++
	}
	return from, to
}

func damaged(what string, args ...any) error {
	return fmt.Errorf("section %s: %s", SectionName, fmt.Sprintf(what, args...))
}
