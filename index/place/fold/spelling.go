package fold

import (
	"math/bits"
)

// Spelling is a word and the set of its letters.
type Spelling struct {
	Text    string
	letters uint32 // a bit for the last five bits of each byte
}

// SpellingOf returns a word with the set of its letters.
func SpellingOf(text string) Spelling {
	s := Spelling{Text: text}
	for i := range len(text) {
		s.letters |= 1 << (text[i] & 31)
	}
	return s
}

// OneTypo reports whether two words differ by one typo. It compares the sets of their letters
// first, which a typo changes by two letters at most.
func (s *Spelling) OneTypo(o *Spelling) bool {
	return bits.OnesCount32(s.letters^o.letters) <= 2 && OneTypo(s.Text, o.Text)
}

// OneTypo reports whether two words differ by a letter less, more or another, or
// by two that changed places.
func OneTypo(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
