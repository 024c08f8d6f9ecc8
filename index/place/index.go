package place

import (
	"fmt"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place/tree"
	"github.com/waygate/waygate/region"
)

// The section of a region.
const (
	SectionName = "places"
	Version     = 3
)

// None is the number of what is not there.
const None = ^uint32(0)

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
	Texts []byte // each two bytes of length, then so many bytes

	TermTable

	NameText []uint32
	WordFrom []uint32 // where a name's terms begin in words
	Words    []uint32 // terms
	BearFrom []uint32 // where a name's records begin in bearers
	Bearers  []uint32 // records

	Records   []Record
	Addresses []House

	// Of some records, by record.
	AliasOf, AliasLang, AliasName    []uint32
	DetailOf, DetailKey, DetailValue []uint32
	CodeOf, Codes                    []uint32 // postcodes of streets
	ExtentOf                         []uint32
	Extents                          []tree.Box
	PieceOf, PieceFrom               []uint32 // pieces of lines; where their points begin, one more than there are
	Points                           []geo.Fixed
	OutlineOf, OutlineFrom           []uint32 // outlines of areas; where their corners begin, one more than there are
	Corners                          []geo.Fixed

	Settings  []Setting // where records lie: the localities and areas around them
	PartTerm  []uint32
	PartText  []uint32
	PartField []uint8

	ListFrom   []uint32 // where a list of categories begins in lists; one more than there are
	Lists      []uint32 // texts of categories
	KindsOf    []uint32 // texts of all categories, sorted by their letters
	OfFrom     []uint32 // where the records of each of those begin in of
	OfCategory []uint32 // records, the most important first

	codeTable
	StreetsCode []uint32 // postcodes that streets have, with the streets
	StreetsOf   []uint32

	ByID []uint32 // records, and addresses plus 1<<31, in the order of their ids

	AddressTree, PieceTree, LocalityTree, PoiTree, CodeTree, OutlineTree tree.Tree
}

// Record is a place that is no address and no postcode.
type Record struct {
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
	Trait      uint8 // marks of a point of interest, the number of the class of any other
}

// Marks returns those of a record: none but points of interest have any.
func (r *Record) Marks() uint8 {
	if Kind(r.Kind) != POI {
		return 0
	}
	return r.Trait
}

// Class returns the number of the class of a record: points of interest have none.
func (r *Record) Class() uint8 {
	if Kind(r.Kind) == POI {
		return 0
	}
	return r.Trait
}

// Marks of points of interest.
const (
	MarkByName = 1 << iota // it does not count among what is near a point
	MarkLine               // a point of interest that lies along a line
)

// House is a house below a record.
type House struct {
	ID      uint64
	At      geo.Fixed
	Parent  uint32 // record
	House   uint32 // text
	Code    uint32 // postcode, none
	Setting uint32 // its parent's, unless it lies in another town or beyond a border
	Number  uint32 // what the house number begins with
	Shape   uint32 // oblong around its building, 0 where it is a point
}

// Setting has the surroundings of a record.
type Setting struct {
	Locality uint32 // text
	State    uint32 // text
	From, To uint32 // its parts: terms, with the text and the field they come from
	Country  uint16
	_        uint16
}

func (x *Index) fields() []region.Field {
	list := []region.Field{
		region.FieldOf("texts", &x.Texts), region.FieldOf("terms", &x.Terms), region.FieldOf("term_from", &x.TermFrom), region.FieldOf("post_from", &x.PostFrom), region.FieldOf("posts", &x.Posts),
		region.FieldOf("name_text", &x.NameText), region.FieldOf("word_from", &x.WordFrom), region.FieldOf("words", &x.Words), region.FieldOf("bear_from", &x.BearFrom), region.FieldOf("bearers", &x.Bearers),
		region.FieldOf("records", &x.Records), region.FieldOf("addresses", &x.Addresses),
		region.FieldOf("alias_of", &x.AliasOf), region.FieldOf("alias_lang", &x.AliasLang), region.FieldOf("alias_name", &x.AliasName),
		region.FieldOf("detail_of", &x.DetailOf), region.FieldOf("detail_key", &x.DetailKey), region.FieldOf("detail_value", &x.DetailValue),
		region.FieldOf("code_of", &x.CodeOf), region.FieldOf("codes", &x.Codes), region.FieldOf("extent_of", &x.ExtentOf), region.FieldOf("extents", &x.Extents),
		region.FieldOf("piece_of", &x.PieceOf), region.FieldOf("piece_from", &x.PieceFrom), region.FieldOf("points", &x.Points),
		region.FieldOf("outline_of", &x.OutlineOf), region.FieldOf("outline_from", &x.OutlineFrom), region.FieldOf("corners", &x.Corners),
		region.FieldOf("settings", &x.Settings), region.FieldOf("part_term", &x.PartTerm), region.FieldOf("part_text", &x.PartText), region.FieldOf("part_field", &x.PartField),
		region.FieldOf("list_from", &x.ListFrom), region.FieldOf("lists", &x.Lists), region.FieldOf("kinds_of", &x.KindsOf), region.FieldOf("of_from", &x.OfFrom), region.FieldOf("of", &x.OfCategory),
		region.FieldOf("code_key", &x.CodeKey), region.FieldOf("code_at", &x.CodeAt), region.FieldOf("code_gap", &x.CodeGap), region.FieldOf("code_country", &x.CodeCountry), region.FieldOf("countries", &x.Countries),
		region.FieldOf("streets_code", &x.StreetsCode), region.FieldOf("streets_of", &x.StreetsOf), region.FieldOf("by_id", &x.ByID),
	}
	for _, t := range x.trees() {
		list = append(list, t.tree.Fields(t.name)...)
	}
	return list
}

type namedTree struct {
	name   string
	tree   *tree.Tree
	limit  int
	masked bool
}

func (x *Index) trees() []namedTree {
	return []namedTree{
		{"address_tree", &x.AddressTree, len(x.Addresses), false},
		{"piece_tree", &x.PieceTree, len(x.PieceOf), false},
		{"locality_tree", &x.LocalityTree, len(x.Records), false},
		{"poi_tree", &x.PoiTree, len(x.Records), true},
		{"code_tree", &x.CodeTree, len(x.CodeKey), false},
		{"outline_tree", &x.OutlineTree, len(x.OutlineOf), false},
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

// Open returns the places of a region; nil where it was built without.
func Open(r *region.Region) (*Index, error) {
	s, err := r.Optional(SectionName, Version, Version)
	if s == nil {
		return nil, err
	}
	return Read(s)
}

// Read returns the places in a section. It refuses arrays that do not fit each
// other, so that no later look-up leaves them.
func Read(s *region.Section) (*Index, error) {
	x := &Index{}
	for _, f := range x.fields() {
		if err := f.Get(s); err != nil {
			return nil, err
		}
	}
	if err := check(x); err != nil {
		return nil, err
	}
	return x, nil
}

// Counts returns how many places of each kind there are.
func (x *Index) Counts() map[Kind]int {
	counts := map[Kind]int{Address: len(x.Addresses), Postcode: len(x.CodeKey)}
	for i := range x.Records {
		counts[Kind(x.Records[i].Kind)]++
	}
	return counts
}

// Categories returns all that the index has places of, sorted.
func (x *Index) Categories() []string {
	all := make([]string, 0, len(x.KindsOf))
	for _, c := range x.KindsOf {
		all = append(all, x.Text(c))
	}
	return all
}

// Text returns the text that begins at an offset.
func (x *Index) Text(at uint32) string {
	n := uint32(x.Texts[at]) | uint32(x.Texts[at+1])<<8
	return string(x.Texts[at+2 : at+2+n])
}

// NameString returns the text of a name.
func (x *Index) NameString(name uint32) string { return x.Text(x.NameText[name]) }

// Rows returns the elements of a sorted column that are of one record.
func Rows(column []uint32, of uint32) (from, to int) {
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

// Fields of a place that words of a question may meet, as they are stored and
// as Match names them.
const (
	FieldLocality = iota
	FieldState
	FieldCountry
	FieldAround // a locality near by, or that it is part of
	FieldOther  // another town that houses of a street lie in
)

// FieldNames are the fields as Match names them.
var FieldNames = [...]string{"locality", "state", "country", "locality", "locality"}

// FieldQualities are how well a word can meet a field: what lies near counts
// less than what a place belongs to.
var FieldQualities = [...]float32{0.98, 0.98, 0.98, 0.8, 0.95}

// PieceBox returns the box around a piece of a line.
func (x *Index) PieceBox(i uint32) tree.Box {
	return tree.BoxAround(x.Points[x.PieceFrom[i]:x.PieceFrom[i+1]])
}

// Mask has a bit for each category of a record.
func (x *Index) Mask(i uint32) (m uint64) {
	r := &x.Records[i]
	for _, c := range x.Lists[x.ListFrom[r.Categories]:x.ListFrom[r.Categories+1]] {
		m |= MaskOf(c)
	}
	return m
}

// MaskOf spreads the texts of categories over the bits.
func MaskOf(text uint32) uint64 { return 1 << (text * 0x9e3779b1 >> 26) }

// MaxParts is the most terms of a setting.
const MaxParts = 200
