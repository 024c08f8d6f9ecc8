package place

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// unitWords are the words, folded, that stand before the number of a part of a building. The
// number after one is that of the house only where the question has no other.
var unitWords = wordSet(
	"flat apt apartment unit suite ste room rm floor level lot shop studio penthouse block tower stair",
	"appartement appt batiment bat etage escalier porte logement",                                   // French
	"wohnung whg stiege stg top etage stock zimmer hinterhaus",                                      // German
	"piso apto apartamento departamento depto dpto puerta pta escalera esc portal local andar sala", // Spanish and Portuguese
	"interno int scala piano appartamento",                                                          // Italian
	"mieszkanie lokal lok m pietro",                                                                 // Polish
	"byt patro poschodie",                                                                           // Czech and Slovak
	"lgh lagenhet vaning leilighet lejlighed asunto",                                                // Nordic
	"bus verdieping appt kamer",                                                                     // Dutch
	"daire kat",                                                                                     // Turkish
	"квартира кв офис оф подъезд этаж комната помещение",
)

// storeys are the words, folded, for a floor, which has its number before it too: "first
// floor", "3e étage".
var storeys = wordSet("floor flat flr fl etage stock og piso piano pietro patro этаж kerros vaning sal emelet kat")

// storeyNumbers are the words, folded, that number a floor besides numbers.
var storeyNumbers = wordSet("ground first second third fourth fifth top upper lower garden basement front rear 1st 2nd 3rd 4th 5th 6th 7th 8th 9th")

func wordSet(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		for w := range strings.FieldsSeq(list) {
			set[w] = true
		}
	}
	return set
}

// longestUnit is the most letters of what names a part of a building: "12b", "A".
const longestUnit = 4

// markUnits makes units of the tokens that name a part of a building: "flat 3", "first
// floor". They weigh nothing, so that the number beside the street's words is the house.
// The only number of a question stays that of the house.
func markUnits(text string, list []token) {
	var marks, numbers uint32
	for i := range list {
		t := &list[i]
		if t.isHouse && !t.isCode {
			numbers |= 1 << i
		}
		begins := i+1 < len(list) && !parted(text, t.to, list[i+1].from)
		ends := i > 0 && !parted(text, list[i-1].to, t.from)
		switch {
		case t.only && t.isHouse && t.house.unit:
			marks |= 1 << i
		case unitWords[t.whole] && begins && namesUnit(&list[i+1]):
			marks |= 3 << i
		case storeys[t.whole] && ends && (storeyNumbers[list[i-1].whole] || list[i-1].isHouse && !list[i-1].isCode || marks>>(i-1)&1 == 1):
			marks |= 3 << (i - 1)
		}
	}
	if numbers&^marks == 0 {
		return
	}
	for i := range list {
		if t := &list[i]; marks>>i&1 == 1 {
			*t = token{from: t.from, to: t.to, only: true, unit: true}
		}
	}
}

// parted reports whether a comma stands between two places of a text. Two tokens that were
// one word have none.
func parted(text string, from, to int) bool {
	return from < to && strings.ContainsAny(text[from:to], ",;")
}

// numberWords are the words, folded, that say that the number of a house follows, in one or two
// words: "no 5", "č. p. 150".
var numberWords = wordSet("no nr num numero number nummer hausnummer hnr cp cislo popisne c/p c/ev cev дом д")

// muteNumberWords makes mute the tokens that say that a house number follows.
func muteNumberWords(list []token) {
	for i := range list[:max(0, len(list)-1)] {
		n := 1
		if i+2 < len(list) && numberWords[list[i].whole+"/"+list[i+1].whole] {
			n = 2
		} else if !numberWords[list[i].whole] {
			continue
		}
		if i+n < len(list) && list[i+n].isHouse && !list[i+n].isCode {
			for k := i; k < i+n; k++ {
				list[k] = token{from: list[k].from, to: list[k].to, only: true, mute: true}
			}
		}
	}
}

// namesUnit reports whether a token is a number or a letter, as parts of buildings have.
func namesUnit(t *token) bool {
	n := utf8.RuneCountInString(t.whole)
	return t.isHouse && !t.isCode || n == 1 || n <= longestUnit && strings.ContainsAny(t.whole, "0123456789")
}

// pickHouse gives which of several numbers of a question is that of the house, where the
// record's name met the tokens of named: the one that a house there has with what follows
// it, such as 40/2, or else the one beside the name. The numbers next to that one, without a
// word between, name a part of the building, unless they are postcodes: they are the units.
func (s *search) pickHouse(r *record, numbers, named, open uint32) (house int, units uint32) {
	house = bits.TrailingZeros32(numbers)
	if numbers&(numbers-1) == 0 {
		return house, 0
	}
	nearest := mostTokens
	for rest := numbers; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest)
		if _, _, parts := s.houseAt(r, i, open); parts > 0 {
			return i, 0
		}
		for met := named; met != 0; met &= met - 1 {
			if away := max(i-bits.TrailingZeros32(met), bits.TrailingZeros32(met)-i); away < nearest {
				house, nearest = i, away
			}
		}
	}
	for i := house - 1; i >= 0 && numbers>>i&1 == 1 && !s.tokens[i].isCode; i-- {
		units |= 1 << i
	}
	for i := house + 1; i < mostTokens && numbers>>i&1 == 1 && !s.tokens[i].isCode && !parted(s.q.Text, s.tokens[i-1].to, s.tokens[i].from); i++ {
		units |= 1 << i
	}
	return house, units
}
