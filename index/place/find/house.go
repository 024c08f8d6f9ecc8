package find

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/lexicon"
)

// otherTown is how well a house meets a town that others of its street lie in.
const otherTown = 0.3

// inTown gives by how much a house's own surroundings, which may be others than those of its
// street, change what the tokens are met by.
func (s *matcher) inTown(a *place.House, street uint32, set *settingMatch, m *nameMatch, tokenMet *[lexicon.MostTokens]float32, fields *[lexicon.MostTokens]met) (more float64) {
	x := s.x
	own := s.settingOf(a.Setting)
	for t := range s.tokens {
		was := tokenMet[t]
		if m.quality[t] > 0 || s.tokens[t].IsCode || s.tokens[t].IsHouse || was > set.quality[t] {
			continue
		}
		q := own.quality[t]
		if q == 0 || a.Setting == street && x.PartField[own.part[t]] == place.FieldOther {
			q = min(was, otherTown)
		} else if s.tokens[t].Unfinished && x.PartText[own.part[t]] == x.Settings[a.Setting].Locality {
			q /= unfinishedTown // what follows a house can be no more of the name
		}
		more += s.tokens[t].Weight * float64(q-was)
		if fields == nil || q == was {
			continue
		}
		if fields[t].quality = q; a.Setting != street && own.quality[t] > 0 {
			fields[t] = met{x.partName(own.part[t]), x.Text(x.PartText[own.part[t]]), q}
		}
	}
	return more
}

// partName returns the name of the field that a part of a setting is of.
func (x *Index) partName(part uint32) string {
	return place.FieldNames[min(int(x.PartField[part]), len(place.FieldNames)-1)]
}

// Qualities of houses that are not the one asked for.
const (
	nearestHouse = 0.3
	secondNumber = 0.9
	mostHouseGap = 20 // numbers between the one asked for and one that stands for it
	townShare    = 0.02
)

// houseAt finds a house below a record: the one asked for, of several that in
// the postcode or the town asked for, else the one with the nearest number. Of the tokens after the
// house number, those from the next to parts on are part of it; open are the tokens that
// nothing else meets.
func (s *matcher) houseAt(r *place.Record, house int, open uint32) (best uint32, quality float32, parts int) {
	x := s.x
	t := &s.tokens[house]
	list := x.Addresses[r.Addresses : r.Addresses+r.Count]
	from, _ := slices.BinarySearchFunc(list, t.House.From, func(a place.House, n uint32) int { return cmp.Compare(a.Number, n) })
	// Ranges that hold the number begin before it.
	look := from
	for look > 0 && list[look-1].Number+64 >= t.House.From && from-look < 256 {
		look--
	}
	exactCode := float32(-1)
	for k := look; k < len(list) && k-look < 2048 && list[k].Number <= t.House.To; k++ {
		there, ok := fold.ParseHouse(x.Text(list[k].House))
		if !ok {
			continue
		}
		q, n := float32(t.House.Meets(there)), 0
		if m := t.PartsOf(there); m > 0 && open>>(house+1)&(1<<m-1) == 1<<m-1 {
			q, n = 1, m
		}
		if q == 0 || n < parts || n == parts && q < quality {
			continue
		}
		code := float32(0)
		for i := range s.tokens {
			if list[k].Code == place.None {
				break
			}
			code = max(code, x.MeetsCode(&s.tokens[i], list[k].Code))
		}
		code += s.settingOf(list[k].Setting).town * townShare
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
		if list[k].Number >= fold.NoNumber {
			continue
		}
		gap := math.Abs(float64(list[k].Number) - float64(t.House.From))
		if own := list[k].Setting; own != r.Setting && s.settingOf(own).town == 0 {
			gap += 8
		}
		if (list[k].Number^t.House.From)&1 == 1 {
			gap += 0.5 + 4 // the other side of the street
		}
		if gap < least {
			best, quality, least = r.Addresses+uint32(k), nearestHouse, gap
		}
	}
	return best, quality, 0
}

// Houses without a number that are looked at.
const (
	mostLettered = 64    // in a street
	allLettered  = 5_000 // in a pass of a search
)

// lettered finds the house of a record whose number has no digit, "Block A" or "s/n", and gives
// the tokens that are its words, which stand together; of several the one with the most of them,
// and of those the one in the town asked for.
func (s *matcher) lettered(r *place.Record, m *nameMatch) (best uint32, words uint32) {
	x := s.x
	list := x.Addresses[r.Addresses : r.Addresses+r.Count]
	town := float32(-1)
	for k := len(list) - 1; k >= max(0, len(list)-mostLettered) && list[k].Number == fold.NoNumber && s.lettersLooked < allLettered; k-- {
		s.lettersLooked++
		met := s.standing(fold.Split(x.Text(list[k].House)), m)
		in := s.settingOf(list[k].Setting).town
		if more := bits.OnesCount32(met) - bits.OnesCount32(words); more > 0 || met != 0 && more == 0 && in > town {
			best, words, town = r.Addresses+uint32(k), met, in
		}
	}
	return best, words
}

// standing returns the tokens that are some words, in their order and without others between, of
// those that a name did not meet.
func (s *matcher) standing(words []fold.Word, m *nameMatch) uint32 {
	for first := range len(s.tokens) - len(words) + 1 {
		met := uint32(0)
		for i, w := range words {
			t := first + i
			if tok := &s.tokens[t]; m.quality[t] > 0 || tok.Text != w.Text || i > 0 && lexicon.Parted(s.q.Text, s.tokens[t-1].To, tok.From) {
				break
			}
			met |= 1 << t
		}
		if bits.OnesCount32(met) == len(words) {
			return met
		}
	}
	return 0
}

// mostSeconds is how many houses of a street are looked at for their second number.
const mostSeconds = 2048

// bySecond finds the house whose second number is asked for, as in Czechia, where 2544/82 is
// number 82 of its street.
func (s *matcher) bySecond(list []place.House, t *lexicon.Token) (int, bool) {
	if t.House.To > t.House.From || t.House.Letters != "" {
		return 0, false
	}
	for k := range list[:min(len(list), mostSeconds)] {
		if list[k].Number <= t.House.From || list[k].Number == fold.NoNumber {
			continue // the number of a place is the larger one
		}
		_, second, ok := strings.Cut(s.x.Text(list[k].House), "/")
		if there, ok2 := fold.ParseHouse(second); ok && ok2 && there.From == t.House.From {
			return k, true
		}
	}
	return 0, false
}

// pickHouse returns which of several numbers of a question is that of the house, where the
// record's name met the tokens of named: the one that a house there has with what follows
// it, such as 40/2, or else the one beside the name, without a comma between if there is such a
// one; of two as near, the one that is there. The numbers next to that one, without a word between,
// name a part of the building, unless they are postcodes: they are the units.
func (s *matcher) pickHouse(r *place.Record, numbers, named, open uint32) (house int, units uint32) {
	house = bits.TrailingZeros32(numbers)
	if numbers&(numbers-1) == 0 {
		return house, 0
	}
	nearest, best := lexicon.MostTokens, float32(0)
	for rest := numbers; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		_, quality, parts := s.houseAt(r, i, open)
		if parts > 0 {
			return i, 0
		}
		for met := named; met != 0; met &= met - 1 {
			away, left := i-bits.TrailingZeros32(met), i-1 // the token before the gap between them
			if away < 0 {
				away, left = -away, i
			}
			if lexicon.Parted(s.q.Text, s.tokens[left].To, s.tokens[left+1].From) {
				away++
			}
			if away < nearest || away == nearest && quality > best {
				house, nearest, best = i, away, quality
			}
		}
	}
	for i := house - 1; i >= 0 && numbers>>i&1 == 1 && !s.tokens[i].IsCode; i-- {
		units |= 1 << i
	}
	for i := house + 1; i < lexicon.MostTokens && numbers>>i&1 == 1 && !s.tokens[i].IsCode && !lexicon.Parted(s.q.Text, s.tokens[i-1].To, s.tokens[i].From); i++ {
		units |= 1 << i
	}
	return house, units
}
