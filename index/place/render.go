package place

import (
	"strings"

	"github.com/waygate/waygate/geo"
)

// place gives a record in full.
func (x *Index) place(i uint32, lang string) Place {
	r := &x.records[i]
	s := &x.settings[r.Setting]
	p := Place{
		ID: idText(r.ID), Kind: Kind(r.Kind), At: r.At.Point(), Name: x.nameIn(i, lang), House: x.text(r.House),
		Locality: x.text(s.Locality), State: x.text(s.State), CountryCode: countryText(s.Country), Importance: float64(r.Importance) / 65535,
	}
	if p.Kind == Locality {
		p.Locality = p.Name
	}
	if p.Kind == Street {
		p.Street = p.Name
	}
	if r.Parent != none {
		p.Street = x.nameIn(r.Parent, lang)
	}
	if r.Code != none {
		p.Postcode = x.codeText(r.Code)
	}
	for _, c := range x.lists[x.listFrom[r.Categories]:x.listFrom[r.Categories+1]] {
		p.Categories = append(p.Categories, x.text(c))
	}
	for k, to := rows(x.detailOf, i); k < to; k++ {
		p.Details = append(p.Details, Detail{x.text(x.detailKey[k]), x.text(x.detailValue[k])})
	}
	if k, to := rows(x.extentOf, i); k < to {
		b := x.extents[k].bounds()
		p.Extent = &b
	}
	return p
}

// nameIn is a record's name in a language, or the local one.
func (x *Index) nameIn(i uint32, lang string) string {
	lang, _, _ = strings.Cut(strings.ToLower(lang), "-")
	if lang != "" {
		for k, to := rows(x.aliasOf, i); k < to; k++ {
			if x.text(x.aliasLang[k]) == lang {
				return x.nameString(x.aliasName[k])
			}
		}
	}
	return x.nameString(x.records[i].Name)
}

// address gives an address in full.
func (x *Index) address(i uint32, lang string) Place {
	a := &x.addresses[i]
	parent := &x.records[a.Parent]
	s := &x.settings[parent.Setting]
	p := Place{
		ID: idText(a.ID), Kind: Address, At: a.At.Point(), House: x.text(a.House), Locality: x.text(a.Locality), State: x.text(s.State), CountryCode: countryText(s.Country),
		Importance: addressImportance,
	}
	if p.Locality == "" {
		p.Locality = x.text(s.Locality)
	}
	if a.Code != none {
		p.Postcode = x.codeText(a.Code)
	}
	under := x.nameIn(a.Parent, lang)
	if Kind(parent.Kind) == Street {
		p.Street = under
	} else if a.Locality == 0 {
		p.Locality = under
	}
	p.Name = inOrder(p.House, under, p.CountryCode)
	return p
}

const addressImportance = 0.05

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

func (x *Index) codeText(code uint32) string { return unpackCode(x.codeKey[code], x.codeGap[code]) }

// postcode gives a postcode in full. Its locality is the nearest that has
// people.
func (x *Index) postcode(i uint32) Place {
	p := Place{ID: x.codeID(i), Kind: Postcode, At: x.codeAt[i].Point(), Name: x.codeText(i), Postcode: x.codeText(i), CountryCode: countryText(x.countries[x.codeCountry[i]]), Importance: codeImportance}
	if near, ok := x.settlement(p.At); ok {
		r := &x.records[near]
		p.Locality = x.nameString(r.Name)
		p.State = x.text(x.settings[r.Setting].State)
	}
	return p
}

const codeImportance = 0.1

// settlement is the locality that a point most likely belongs to: of those
// around it the one that is nearest in relation to its size.
func (x *Index) settlement(at geo.Point) (best uint32, ok bool) {
	least := 1.0
	looked := 0
	x.localityTree.nearest(at, farthestSettlement, 1, 0, func(i uint32) float64 { return geo.Distance(at, x.records[i].At.Point()) }, func(i uint32, away float64) bool {
		if reach := float64(x.records[i].Reach); reach > 0 && away/reach < least {
			best, ok, least = i, true, away/reach
		}
		looked++
		return looked < mostSettlements
	})
	return best, ok
}

const (
	farthestSettlement = 30_000.0
	mostSettlements    = 60
)
