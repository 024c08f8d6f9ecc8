// Package place has the places of a region: addresses, streets, localities,
// administrative areas, postcodes and points of interest, and the tables that they
// are written in. Package find looks for them.
package place

import (
	"github.com/waygate/waygate/geo"
)

// Kind is the kind of a place. Its names are those of the wire's `type` and `kinds`.
type Kind uint8

// The kinds of places.
const (
	Address  Kind = iota // a house number in a street or a named locality
	Street               // a named road, as one place however many ways it is mapped as
	Locality             // a city, town, village, hamlet, suburb, neighbourhood, island
	POI                  // a point of interest, a transport hub, a named building
	Postcode             // a postcode, whole or its first part
	Area                 // an administrative area above a locality: district, county, state, country
	Crossing             // where two streets meet; found by both names, and not a place of its own
)

var kindNames = [...]string{"address", "street", "locality", "poi", "postcode", "area", "crossing"}

// indexed are the kinds that places of an index have.
const indexed = int(Crossing)

func (k Kind) String() string { return kindNames[k] }

// KindOf reads a kind.
func KindOf(name string) (Kind, bool) {
	for k, n := range kindNames[:indexed] {
		if n == name {
			return Kind(k), true
		}
	}
	return 0, false
}

// Kinds is a set of kinds; the empty set stands for all.
type Kinds uint8

// Of returns the set of some kinds.
func Of(kinds ...Kind) Kinds {
	var s Kinds
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// Has reports whether a kind is in the set.
func (s Kinds) Has(k Kind) bool { return s == 0 || s&(1<<k) != 0 }

// Place is one place, with names in the language that was asked for where it
// has one there.
type Place struct {
	ID          string // the same in every rebuild while the place is mapped as the same thing
	Kind        Kind
	At          geo.Point
	Name        string // of an address the number and street as they are written in its country
	House       string // number of a house, "" for all but addresses
	Street      string
	Locality    string
	Within      string // of a locality the one that it lies in
	Postcode    string
	State       string      // the subdivision of the country that it lies in
	CountryCode string      // ISO 3166-1 alpha-2, "" where unknown
	Categories  []string    // what it is, the most specific first: "pub", "amenity"; values and keys of OSM's tags
	Importance  float64     // 0 to 1
	Extent      *geo.Bounds // of what is larger than a point; it crosses the antimeridian where its west is east of its east
	Details     []Detail    // of points of interest, by key
	Class       string      // of a locality and an area its value of place=* or "administrative" with its admin_level, of a street its value of highway=*; "" where unknown
	Object      Object      // what it is mapped as
}

// Object is the object of OpenStreetMap that a place is mapped as. Number is 0 where it is none there, or
// where that is not known.
type Object struct {
	Source Source // Node, Way or Relation
	Number int64
}

// Detail is one attribute of a place, as mapped: `opening_hours`, `phone`,
// `website`, `iata` and the like.
type Detail struct{ Key, Value string }

// Query is a typed search.
type Query struct {
	Text   string
	Limit  int
	Lang   string      // BCP 47; "" is the local name
	Bias   *geo.Point  // what is near comes earlier; nothing is left out for being far
	Box    *geo.Bounds // what lies outside is left out; it crosses the antimeridian where its west is east of its east
	Kinds  Kinds
	Only   Only // leaves places out; nil leaves out none
	Typing bool // the last word may be the beginning of one
	Open   bool // points of interest that are shut at the moment are left out, as where the text wants open places

	// Opens judges opening hours; a nil function judges none.
	Opens func(hours string, at geo.Point, country, state string) Opening
}

// Opening is the state of a place's opening hours at the moment.
type Opening uint8

// The states of opening hours.
const (
	NotAsked Opening = iota
	MayBeOpen
	IsOpen
	IsShut
)

// Sort has the facts of a place by which a search can leave it out.
type Sort struct {
	Kind        Kind
	Class       string // as of Place
	Categories  []string
	CountryCode string
}

// Only reports whether places of a sort are wanted. The places of one sort are many: it is called
// once for each sort that a search meets.
type Only func(*Sort) bool

// Hit is a place that meets a query, the best first.
type Hit struct {
	Place
	Unit    string  // the part of the building that the query names, as typed: "Flat 3"; "" for none
	Score   float64 // 0 to 1
	Opening Opening // where the query wants open places
	Match   []Match // in the order of the query
	Words   []Word  // of the query, in order; none for an unfinished text
}

// Word is a word of a query, a house number or a postcode, with what of a hit it met.
type Word struct {
	From, To int     // bytes of the query
	Field    string  // as of Match; "" met nothing
	Quality  float64 // as of Match
	House    bool    // it can be a house number
	Code     bool    // it can be a postcode
}

// Match is a part of a query that met a part of a place, and how well.
type Match struct {
	Query   string  // as typed
	Field   string  // name, house, unit, street, locality, postcode, state, country, category
	Text    string  // of the place
	Quality float64 // 1 is the same but for case, accents and abbreviations
}

// Near is a place and how far from a point it is.
type Near struct {
	Place
	Metres float64
	Order  float64 // by which they are in order; of what holds the point another number than Metres
}

// Name is a name in a language, "" for the local one and names without one.
type Name struct{ Lang, Text string }
