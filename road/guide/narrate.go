package guide

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Speech says how distances are put into words.
type Speech struct {
	Miles bool // miles and yards rather than kilometres and metres
}

// Text is the wording of one manoeuvre. An empty string is nothing to say.
type Text struct {
	Instruction string // to read
	Alert       string // spoken well ahead
	Succinct    string // spoken, where there is little time
	Pre         string // spoken just before
	Post        string // spoken once done
	Multi       bool   // Pre and Succinct announce the next manoeuvre too
}

// Narrate puts a leg's manoeuvres into English, as spoken in Britain.
func Narrate(list []Manoeuvre, s Speech) []Text {
	texts := make([]Text, len(list))
	for i := range list {
		w := english{list: list, at: i, miles: s.Miles}
		t := &texts[i]
		t.Instruction = w.sentence(written)
		t.Pre = w.sentence(spoken)
		t.Succinct = w.sentence(succinct)
		if i > 0 {
			t.Alert = t.Pre
		}
		switch m := &list[i]; {
		case m.Type >= Destination && m.Type <= DestinationLeft:
			t.Alert, t.Succinct = w.arriving(), ""
		case m.Type != RoundaboutEnter && m.Metres > 0:
			t.Post = w.carryOn()
		}
	}
	for i := range list[:max(0, len(list)-1)] {
		if !quick(&list[i]) {
			continue
		}
		w := english{list: list, at: i, miles: s.Miles}
		next := texts[i+1].Alert
		texts[i].Pre = w.then(texts[i].Pre, next)
		texts[i].Succinct = w.then(texts[i].Succinct, next)
		texts[i].Multi = true
	}
	return texts
}

// quick reports whether the next manoeuvre comes so soon that it must be
// announced together with this one.
func quick(m *Manoeuvre) bool {
	switch m.Type {
	case RoundaboutEnter, FerryEnter:
		return false
	}
	if m.Travel == Walking {
		return m.Metres < 25
	}
	return m.Metres < 120 && m.Seconds < 12
}

// lowerFirst makes the first letter of a sentence small.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}

// slashed joins words as "a / b", at most so many of them.
func slashed(words []string, most int) string {
	if len(words) > most {
		words = words[:most]
	}
	return strings.Join(words, " / ")
}
