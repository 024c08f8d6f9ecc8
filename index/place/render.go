package place

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
)

// Place returns a record in full.
func (x *Index) Place(i uint32, lang string) Place {
	r := &x.Records[i]
	s := &x.Settings[r.Setting]
	p := Place{
		ID: idText(r.ID), Kind: Kind(r.Kind), At: r.At.Point(), Name: x.NameIn(i, lang), House: x.Text(r.House),
		Locality: x.Text(s.Locality), State: x.Text(s.State), CountryCode: CountryText(s.Country), Importance: float64(r.Importance) / 65535,
	}
	p.Class = ClassText(r.Class())
	p.Object = objectOf(r.ID)
	switch p.Kind {
	case Locality:
		if p.Locality != p.Name {
			p.Within = p.Locality
		}
		p.Locality = p.Name
	case Street:
		p.Street = p.Name
	case Area:
		p.Locality = "" // localities lie in it
	}
	if p.Class == "" && (p.Kind == Street || p.Kind == Locality) {
		p.Object = Object{} // made of the houses that name it, the id of one of which it has
	}
	if r.Parent != None {
		p.Street = x.NameIn(r.Parent, lang)
	}
	if r.Code != None {
		p.Postcode = x.CodeText(r.Code)
	}
	for _, c := range x.Lists[x.ListFrom[r.Categories]:x.ListFrom[r.Categories+1]] {
		p.Categories = append(p.Categories, x.Text(c))
	}
	for k, to := Rows(x.DetailOf, i); k < to; k++ {
		p.Details = append(p.Details, Detail{x.Text(x.DetailKey[k]), x.Text(x.DetailValue[k])})
	}
	if k, to := Rows(x.ExtentOf, i); k < to {
		b := x.Extents[k].Bounds()
		p.Extent = &b
	}
	return p
}

// NameIn returns a record's name in a language, or the local one.
func (x *Index) NameIn(i uint32, lang string) string {
	lang, _, _ = strings.Cut(strings.ToLower(lang), "-")
	if lang != "" {
		for k, to := Rows(x.AliasOf, i); k < to; k++ {
			if x.Text(x.AliasLang[k]) == lang {
				return x.NameString(x.AliasName[k])
			}
		}
	}
	return x.NameString(x.Records[i].Name)
}

// Address returns an address in full.
func (x *Index) Address(i uint32, lang string) Place {
	a := &x.Addresses[i]
	parent := &x.Records[a.Parent]
	s := &x.Settings[a.Setting]
	p := Place{
		ID: idText(a.ID), Kind: Address, At: a.At.Point(), House: x.Text(a.House), Locality: x.Text(s.Locality), State: x.Text(s.State), CountryCode: CountryText(s.Country),
		Importance: AddressImportance, Object: objectOf(a.ID),
	}
	if a.Code != None {
		p.Postcode = x.CodeText(a.Code)
	}
	under := x.NameIn(a.Parent, lang)
	if Kind(parent.Kind) == Street {
		p.Street = under
	} else if a.Setting == parent.Setting {
		p.Locality = under
	}
	p.Name = inOrder(p.House, under, p.CountryCode)
	return p
}

// AddressImportance is the importance of all addresses.
const AddressImportance = 0.05

// numberFirst are the countries where the number stands before the street.
var numberFirst = map[string]bool{
	"GB": true, "IE": true, "IM": true, "JE": true, "GG": true, "US": true, "CA": true, "AU": true, "NZ": true, "FR": true, "LU": true, "MT": true, "ZA": true, "IN": true, "MC": true, "": true,
}

func inOrder(house, street, country string) string {
	if house == "" {
		return street
	}
	if numberFirst[country] {
		return house + " " + street
	}
	return street + " " + house
}

// Postcode returns a postcode in full. Its locality is the nearest that has
// people.
func (x *Index) Postcode(i uint32) Place {
	p := Place{ID: x.codeID(i), Kind: Postcode, At: x.CodeAt[i].Point(), Name: x.CodeText(i), Postcode: x.CodeText(i), CountryCode: CountryText(x.Countries[x.CodeCountry[i]]), Importance: CodeImportance}
	if town, setting, ok := x.TownOfCode(i); ok {
		around := &x.Settings[setting]
		p.Locality, p.State = x.Text(around.Locality), x.Text(around.State)
		if town != None {
			p.Locality = x.NameString(x.Records[town].Name)
		}
	}
	return p
}

// TownOfCode returns the settlement that a postcode lies in and its setting. Where none reaches as
// far, the settlement is none and the setting that of a street with the postcode.
func (x *Index) TownOfCode(code uint32) (town, setting uint32, ok bool) {
	if r, ok := x.settlement(x.CodeAt[code].Point()); ok {
		return r, x.Records[r].Setting, true
	}
	if from, ok := slices.BinarySearch(x.StreetsCode, code); ok {
		return None, x.Records[x.StreetsOf[from]].Setting, true
	}
	return None, 0, false
}

// CodeImportance is the importance of all postcodes.
const CodeImportance = 0.1

// Names returns the names of a place by its id, the local one first and those in languages after
// it; none of an address and a postcode.
func (x *Index) Names(id string) []Name {
	packed, ok := parseID(id)
	if !ok {
		return nil
	}
	at, found := x.refOf(packed)
	if !found || x.ByID[at]&AddressBit != 0 {
		return nil
	}
	i := x.ByID[at]
	all := []Name{{Text: x.NameString(x.Records[i].Name)}}
	for k, to := Rows(x.AliasOf, i); k < to; k++ {
		if lang := x.Text(x.AliasLang[k]); lang != "" {
			all = append(all, Name{lang, x.NameString(x.AliasName[k])})
		}
	}
	return all
}

// ClassOf returns the value of place=* of the locality of a name that is nearest to a point; ""
// where none is near.
func (x *Index) ClassOf(name string, at geo.Point) (class string) {
	looked := 0
	x.LocalityTree.Nearest(at, FarthestSettlement, 1, 0, func(i uint32) float64 { return geo.Distance(at, x.Records[i].At.Point()) }, func(i uint32, _ float64) bool {
		if r := &x.Records[i]; x.NameString(r.Name) == name {
			class = ClassText(r.Class())
		}
		looked++
		return class == "" && looked < MostSettlements
	})
	return class
}

// settlement returns the locality that a point most likely belongs to: of those
// around it the one that is nearest in relation to its size.
func (x *Index) settlement(at geo.Point) (best uint32, ok bool) {
	least := 1.0
	looked := 0
	x.LocalityTree.Nearest(at, FarthestSettlement, 1, 0, func(i uint32) float64 { return geo.Distance(at, x.Records[i].At.Point()) }, func(i uint32, away float64) bool {
		if reach := float64(x.Records[i].Reach); reach > 0 && away/reach < least {
			best, ok, least = i, true, away/reach
		}
		looked++
		return looked < MostSettlements
	})
	return best, ok
}

// Bounds of the search for the settlement that a place belongs to.
const (
	FarthestSettlement = 30_000.0
	MostSettlements    = 60
)
