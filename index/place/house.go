package place

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// otherTown is how well a house meets a town that others of its street lie in.
const otherTown = 0.3

// inTown tells by how much a house's own town, which may be another than that of
// most of its street, changes what the tokens are met by.
func (s *search) inTown(a uint32, set *settingMatch, m *nameMatch, tokenMet *[mostTokens]float32, tell *[mostTokens]met) (more float64) {
	x := s.x
	town := x.addresses[a].Locality
	if town == 0 {
		town = x.settings[x.records[x.addresses[a].Parent].Setting].Locality
	}
	own := s.localityOf(town)
	for t := range s.tokens {
		if m.quality[t] > 0 || s.tokens[t].isCode || s.tokens[t].isHouse {
			continue
		}
		q := tokenMet[t]
		if q > 0 && own[t] == 0 && (x.addresses[a].Locality != 0 || x.partField[set.part[t]] == fieldOther) {
			q = min(q, otherTown)
			if x.partField[set.part[t]] == fieldAround {
				q = min(tokenMet[t], fieldQualities[fieldAround])
			}
		}
		q = max(q, own[t])
		more += s.tokens[t].weight * float64(q-tokenMet[t])
		if tell != nil && q != tokenMet[t] {
			tell[t].quality = q
			if own[t] == q {
				tell[t] = met{"locality", x.text(town), q}
			}
		}
	}
	return more
}

// Qualities of houses that are not the one asked for.
const (
	nearestHouse = 0.3
	secondNumber = 0.9
	mostHouseGap = 20 // numbers between the one asked for and one that stands for it
)

// houseAt finds a house below a record: the one asked for, of several that in
// the postcode asked for, else the one with the nearest number. Of the tokens after the
// house number, those from the next to parts on are part of it; open are the tokens that
// nothing else meets.
func (s *search) houseAt(r *record, house int, open uint32) (best uint32, quality float32, parts int) {
	x := s.x
	t := &s.tokens[house]
	list := x.addresses[r.Addresses : r.Addresses+r.Count]
	from, _ := slices.BinarySearchFunc(list, t.house.from, func(a address, n uint32) int { return cmp.Compare(a.Number, n) })
	// Ranges that hold the number begin before it.
	look := from
	for look > 0 && list[look-1].Number+64 >= t.house.from && from-look < 256 {
		look--
	}
	exactCode := float32(-1)
	for k := look; k < len(list) && k-look < 2048 && list[k].Number <= t.house.to; k++ {
		there, ok := parseHouse(x.text(list[k].House))
		if !ok {
			continue
		}
		q, n := float32(t.house.meets(there)), 0
		if m := t.partsOf(there); m > 0 && open>>(house+1)&(1<<m-1) == 1<<m-1 {
			q, n = 1, m
		}
		if q == 0 || n < parts || n == parts && q < quality {
			continue
		}
		code := float32(0)
		for i := range s.tokens {
			if list[k].Code == none {
				break
			}
			switch same, wide := x.meetsCode(&s.tokens[i], list[k].Code); {
			case same:
				code = 1
			case wide:
				code = 0.5
			}
		}
		if l := list[k].Locality; l != 0 {
			for t, q := range s.localityOf(l) {
				if t < len(s.tokens) {
					code += q * float32(s.tokens[t].weight) * 0.02
				}
			}
		}
		if n > parts || q > quality || code > exactCode {
			best, quality, parts, exactCode = r.Addresses+uint32(k), q, n, code
		}
	}
	if quality > 0 {
		return best, quality, parts
	}
	if k, ok := s.bySecond(list, t); ok {
		return r.Addresses + uint32(k), secondNumber, 0
	}
	least := float64(mostHouseGap) + 0.6
	for k := max(0, from-8); k < min(len(list), from+8); k++ {
		if list[k].Number >= noNumber {
			continue
		}
		gap := math.Abs(float64(list[k].Number) - float64(t.house.from))
		if l := list[k].Locality; l != 0 && !s.meetsTown(l) {
			gap += 8
		}
		if (list[k].Number^t.house.from)&1 == 1 {
			gap += 0.5 + 4 // the other side of the street
		}
		if gap < least {
			best, quality, least = r.Addresses+uint32(k), nearestHouse, gap
		}
	}
	return best, quality, 0
}

// mostSeconds is how many houses of a street are looked at for their second number.
const mostSeconds = 2048

// bySecond finds the house whose second number is asked for, as in Czechia, where 2544/82 is
// number 82 of its street.
func (s *search) bySecond(list []address, t *token) (int, bool) {
	if t.house.to > t.house.from || t.house.letters != "" {
		return 0, false
	}
	for k := range list[:min(len(list), mostSeconds)] {
		if list[k].Number <= t.house.from || list[k].Number == noNumber {
			continue // the number of a place is the larger one
		}
		_, second, ok := strings.Cut(s.x.text(list[k].House), "/")
		if there, ok2 := parseHouse(second); ok && ok2 && there.from == t.house.from {
			return k, true
		}
	}
	return 0, false
}

// partsOf is how many of the tokens after a house number are part of it, if the house
// that is there is meant.
func (t *token) partsOf(there houseNumber) int {
	if there.from != t.house.from || there.to != t.house.to || there.letters == "" || there.unit != t.house.unit {
		return 0
	}
	for k, letters := range t.longer {
		if letters == there.letters {
			return k + 1
		}
	}
	return 0
}

// meetsTown reports whether any token meets a town's name.
func (s *search) meetsTown(text uint32) bool {
	for _, q := range s.localityOf(text) {
		if q > 0 {
			return true
		}
	}
	return false
}

// localityOf is how well each token meets a town's name.
func (s *search) localityOf(text uint32) *[mostTokens]float32 {
	m := s.towns[text]
	if m == nil {
		m = &[mostTokens]float32{}
		s.towns[text] = m
		for _, w := range split(s.x.text(text)) {
			term, ok := s.x.find(w.text)
			for t := range s.tokens {
				if q := s.tokens[t].quality(term) * fieldQualities[fieldLocality]; ok && q > m[t] {
					m[t] = q
				}
			}
		}
	}
	return m
}
