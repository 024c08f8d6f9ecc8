package lexicon

import (
	"strings"
	"unicode/utf8"

	"github.com/waygate/waygate/index/place/fold"
)

// unitWords are the words, folded, that stand before the number of a part of a building. The
// number after one is that of the house only where the question has no other.
var unitWords = fold.WordSet(
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
var storeys = fold.WordSet("floor flat flr fl etage stock og piso piano pietro patro этаж kerros vaning sal emelet kat")

// storeyNumbers are the words, folded, that number a floor besides numbers.
var storeyNumbers = fold.WordSet("ground first second third fourth fifth top upper lower garden basement front rear 1st 2nd 3rd 4th 5th 6th 7th 8th 9th")

// longestUnit is the most letters of what names a part of a building: "12b", "A".
const longestUnit = 4

// markUnits makes units of the tokens that name a part of a building: "flat 3", "first
// floor". They weigh nothing, so that the number beside the street's words is the house.
// The only number of a question stays that of the house.
func markUnits(text string, list []Token) {
	var marks, numbers uint32
	for i := range list {
		t := &list[i]
		if t.IsHouse && !t.IsCode {
			numbers |= 1 << i
		}
		begins := i+1 < len(list) && !Parted(text, t.To, list[i+1].From)
		ends := i > 0 && !Parted(text, list[i-1].To, t.From)
		switch {
		case t.only && t.IsHouse && t.House.Unit:
			marks |= 1 << i
		case unitWords[t.Whole] && begins && namesUnit(&list[i+1]):
			marks |= 3 << i
		case storeys[t.Whole] && ends && (storeyNumbers[list[i-1].Whole] || list[i-1].IsHouse && !list[i-1].IsCode || marks>>(i-1)&1 == 1):
			marks |= 3 << (i - 1)
		}
	}
	if numbers&^marks == 0 {
		return
	}
	for i := range list {
		if t := &list[i]; marks>>i&1 == 1 {
			*t = Token{From: t.From, To: t.To, only: true, Unit: true}
		}
	}
}

// Parted reports whether a comma stands between two places of a text. Two tokens that were
// one word have none.
func Parted(text string, from, to int) bool {
	return from < to && strings.ContainsAny(text[from:to], ",;")
}

// numberWords are the words, folded, that say that the number of a house follows, in one or two
// words: "no 5", "č. p. 150".
var numberWords = fold.WordSet("no nr num numero number nummer hausnummer hnr cp cislo popisne c/p c/ev cev дом д")

// muteNumberWords makes mute the tokens that say that a house number follows.
func muteNumberWords(list []Token) {
	for i := range list[:max(0, len(list)-1)] {
		n := 1
		if i+2 < len(list) && numberWords[list[i].Whole+"/"+list[i+1].Whole] {
			n = 2
		} else if !numberWords[list[i].Whole] {
			continue
		}
		if i+n < len(list) && list[i+n].IsHouse && !list[i+n].IsCode {
			for k := i; k < i+n; k++ {
				list[k] = Token{From: list[k].From, To: list[k].To, only: true, Mute: true}
			}
		}
	}
}

// namesUnit reports whether a token is a number or a letter, as parts of buildings have.
func namesUnit(t *Token) bool {
	n := utf8.RuneCountInString(t.Whole)
	return t.IsHouse && !t.IsCode || n == 1 || n <= longestUnit && strings.ContainsAny(t.Whole, "0123456789")
}

// PartsOf returns how many of the tokens after a house number are part of it, if the house
// that is there is meant.
func (t *Token) PartsOf(there fold.HouseNumber) int {
	if there.From != t.House.From || there.To != t.House.To || there.Letters == "" || there.Unit != t.House.Unit {
		return 0
	}
	for k, letters := range t.longer {
		if letters == there.Letters {
			return k + 1
		}
	}
	return 0
}
