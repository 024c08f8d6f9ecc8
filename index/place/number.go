package place

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// noNumber stands for houses whose number begins with none: they come last.
const noNumber = 1 << 30

// firstNumber is the number that a house number begins with, after letters perhaps: of A-10
// it is 10.
func firstNumber(house string) uint32 {
	house, _ = cutUnit(plainDigits(house))
	house = house[lettersBefore(house):]
	n, digits := uint32(0), 0
	for i := range len(house) {
		c := house[i]
		if c < '0' || c > '9' {
			if digits == 0 {
				if c == ' ' {
					continue
				}
				return noNumber
			}
			break
		}
		if digits++; digits > 6 {
			return noNumber
		}
		n = n*10 + uint32(c-'0')
	}
	if digits == 0 {
		return noNumber
	}
	return n
}

// mostBefore is how many letters may stand before a house number.
const mostBefore = 3

// lettersBefore gives where the digits of a house number begin that has letters before them:
// A-10, N6W23001. It is 0 where the number begins with a digit or has none.
func lettersBefore(s string) int {
	n := 0
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			if n == 0 {
				return 0
			}
			return i
		case unicode.IsLetter(r) && n < mostBefore:
			n++
		case (r == '-' || r == '.') && n > 0:
		default:
			return 0
		}
	}
	return 0
}

// plainDigits writes the digits of every script as 0 to 9.
func plainDigits(s string) string {
	foreign := func(r rune) bool { return r >= utf8.RuneSelf && unicode.Is(unicode.Nd, r) }
	if !strings.ContainsFunc(s, foreign) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if foreign(r) {
			return plainDigit(r)
		}
		return r
	}, s)
}

// plainDigit gives the digit from 0 to 9 that a decimal digit of any script is. The digits of a
// script stand together, from its nought to its nine.
func plainDigit(r rune) rune {
	n := rune(0)
	for n < 9 && unicode.Is(unicode.Nd, r-n-1) {
		n++
	}
	return '0' + n
}

// houseNumber is a house number that was read: one, or a range of them, with
// what follows it: "12", "12a", "12-16".
type houseNumber struct {
	from, to uint32
	letters  string
	unit     bool // it is called a unit, a flat or the like
}

// units are the words before the numbers of parts of buildings, folded.
var units = []string{"unit", "flat", "apartment", "apt", "suite", "shop", "plot", "no", "nr", "block", "д", "дом", "вл"}

// plainUnits are words that any house number may have before it.
var plainUnits = map[string]bool{"no": true, "nr": true, "д": true, "дом": true}

// cutUnit cuts the word for a part of a building off a house number.
func cutUnit(s string) (rest string, unit bool) {
	for _, w := range units {
		if len(s) > len(w)+1 && strings.EqualFold(s[:len(w)], w) && (s[len(w)] == ' ' || s[len(w)] == '.') {
			return strings.TrimLeft(s[len(w):], " ."), !plainUnits[w]
		}
	}
	return s, false
}

// partWords are the words for parts of a building in what follows a number, and
// the letters that stand for them: "17 корпус 1" is "17к1".
var partWords = map[string]string{"корпус": "к", "корп": "к", "кор": "к", "строение": "с", "стр": "с", "литера": "", "лит": "", "литер": ""}

// lettersOf is what follows a number, the same for every way to write it: "38 e"
// and "38e", "12/3" and "12 / 3".
func lettersOf(rest string) string {
	if !strings.ContainsFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return rest
	}
	var b strings.Builder
	for w := range strings.FieldsFuncSeq(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if short, ok := partWords[w]; ok {
			w = short
		}
		b.WriteString(w)
	}
	return b.String()
}

// parseHouse reads a house number. Letters are folded, and what is between them
// is left out.
func parseHouse(s string) (h houseNumber, ok bool) {
	s, h.unit = cutUnit(plainDigits(strings.ToLower(strings.TrimSpace(s))))
	i := lettersBefore(s)
	if i > 0 {
		h.letters = lettersOf(s)
	}
	number := func() (n uint32, ok bool) {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' && i-from < 6 {
			n = n*10 + uint32(s[i]-'0')
			i++
		}
		return n, i > from
	}
	if h.from, ok = number(); !ok {
		return h, false
	}
	h.to = h.from
	if h.letters != "" {
		return h, true
	}
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if rest := strings.TrimLeft(s[i:], "–—- "); rest != s[i:] {
		s, i = rest, 0
		if to, ok := number(); ok && to > h.from && to-h.from < 1000 {
			h.to = to
			return h, true
		}
		i = 0
	}
	h.letters = lettersOf(s[i:])
	return h, true
}

// meets is how well a house that was asked for is one that is there: 1 is the
// same.
func (h houseNumber) meets(there houseNumber) float64 {
	if h.unit != there.unit {
		h.unit = there.unit
		return 0.8 * h.meets(there)
	}
	switch {
	case h == there:
		return 1
	case h.from == there.from && h.to == there.to, h.from == there.from && h.letters == "" && there.letters == "":
		return 0.85 // another letter, or the beginning of a range
	case there.to > there.from && h.from >= there.from && h.from <= there.to:
		if (h.from-there.from)%2 == 0 {
			return 0.9
		}
		return 0.7
	case h.to > h.from && there.from >= h.from && there.from <= h.to:
		return 0.8
	}
	return 0
}
