package fold

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// NoNumber stands for houses whose number begins with none: they come last.
const NoNumber = 1 << 30

// FirstNumber returns the number that a house number begins with, after letters perhaps: of A-10
// it is 10.
func FirstNumber(house string) uint32 {
	house, _ = CutUnit(plainDigits(house))
	house = house[LettersBefore(house):]
	n, digits := uint32(0), 0
	for i := range len(house) {
		c := house[i]
		if c < '0' || c > '9' {
			if digits == 0 {
				if c == ' ' {
					continue
				}
				return NoNumber
			}
			break
		}
		if digits++; digits > mostDigits {
			return NoNumber
		}
		n = n*10 + uint32(c-'0')
	}
	if digits == 0 {
		return NoNumber
	}
	return n
}

// mostBefore is how many letters may stand before a house number.
const mostBefore = 3

// LettersBefore returns where the digits of a house number begin that has letters before them:
// A-10, N6W23001. It is 0 where the number begins with a digit or has none.
func LettersBefore(s string) int {
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

// plainDigit returns the digit from 0 to 9 that a decimal digit of any script is. The digits of a
// script stand together, from its nought to its nine.
func plainDigit(r rune) rune {
	n := rune(0)
	for n < 9 && unicode.Is(unicode.Nd, r-n-1) {
		n++
	}
	return '0' + n
}

// HouseNumber is a house number that was read: one, or a range of them, with
// what follows it: "12", "12a", "12-16".
type HouseNumber struct {
	From, To uint32
	Letters  string
	Unit     bool // it is called a unit, a flat or the like
}

// units are the words before the numbers of parts of buildings, folded.
var units = []string{"unit", "flat", "apartment", "apt", "suite", "shop", "plot", "no", "nr", "block", "д", "дом", "вл"}

// plainUnits are words that any house number may have before it.
var plainUnits = map[string]bool{"no": true, "nr": true, "д": true, "дом": true}

// CutUnit cuts the word for a part of a building off a house number.
func CutUnit(s string) (rest string, unit bool) {
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

// LettersOf returns the letters that follow a number, the same for every way to write it: "38 e"
// and "38e", "12/3" and "12 / 3".
func LettersOf(rest string) string {
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

// mostDigits is how many digits of a house number count.
const mostDigits = 6

// digits reads a number of ASCII digits alone.
func digits(s string) (n uint32, ok bool) {
	if s == "" || len(s) > mostDigits {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + uint32(s[i]-'0')
	}
	return n, true
}

// ParseHouse reads a house number. Letters are folded, and what is between them
// is left out.
func ParseHouse(s string) (h HouseNumber, ok bool) {
	if n, ok := digits(s); ok {
		return HouseNumber{From: n, To: n}, true // as most are
	}
	s = strings.ToLower(strings.TrimSpace(s))
	if strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		s = counterWords.Replace(plainDigits(s))
	}
	s, h.Unit = CutUnit(s)
	i := LettersBefore(s)
	if i > 0 {
		h.Letters = LettersOf(s)
	}
	number := func() (n uint32, ok bool) {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' && i-from < mostDigits {
			n = n*10 + uint32(s[i]-'0')
			i++
		}
		return n, i > from
	}
	if h.From, ok = number(); !ok {
		return h, false
	}
	h.To = h.From
	if h.Letters != "" {
		return h, true
	}
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if rest := strings.TrimLeft(s[i:], "–—- "); rest != s[i:] {
		s, i = rest, 0
		if to, ok := number(); ok && to > h.From && to-h.From < 1000 && !strings.HasPrefix(s[i:], "-") {
			h.To = to
			return h, true
		}
		i = 0
	}
	h.Letters = LettersOf(s[i:])
	return h, true
}

// Meets returns how well a house that was asked for is one that is there: 1 is the
// same.
func (h HouseNumber) Meets(there HouseNumber) float64 {
	if h.Unit != there.Unit {
		h.Unit = there.Unit
		return 0.8 * h.Meets(there)
	}
	switch {
	case h == there, h.To > h.From && there.From == h.From && there.Letters == strconv.Itoa(int(h.To)):
		return 1 // a dash may also stand between the numbers of a block and a house
	case h.From == there.From && h.To == there.To, h.From == there.From && h.Letters == "" && there.Letters == "":
		return 0.85 // another letter, or the beginning of a range
	case there.To > there.From && h.From >= there.From && h.From <= there.To:
		if (h.From-there.From)%2 == 0 {
			return 0.9
		}
		return 0.7
	case h.To > h.From && there.From >= h.From && there.From <= h.To:
		return 0.8
	}
	return 0
}

// counterWords are written after the numbers of houses and blocks in the east of Asia. Where a
// number of one stands in a block, a stroke parts it from that of the block.
var counterWords = strings.NewReplacer("¼", " 1/4", "½", " 1/2", "¾", " 3/4", "番地の", "/", "番地", "/", "番", "/", "号", "", "號", "", "번지", "", norm.NFKD.String("번지"), "")
