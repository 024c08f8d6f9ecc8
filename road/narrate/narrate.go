// Package narrate puts manoeuvres into words, to read and to speak.
package narrate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/road/guide"
)

// Language is one that instructions are worded in.
type Language struct {
	tag string
}

// Tag is the language's BCP 47 tag.
func (l *Language) Tag() string { return l.tag }

// Languages are the ISO 639-1 codes of all languages.
func Languages() []string { return []string{"en"} }

// Find gives the language for a BCP 47 tag, or what comes nearest to it: its
// primary language, else English as spoken in Britain. Asked is false where
// that is not the language that was asked for. An empty tag asks for en-GB.
func Find(tag string) (l *Language, asked bool) {
	primary, _, _ := strings.Cut(tag, "-")
	return &british, tag == "" || strings.EqualFold(primary, "en")
}

var british = Language{tag: "en-GB"}

// Text is the wording of one manoeuvre. An empty string is nothing to say.
type Text struct {
	Instruction string // to read
	Alert       string // spoken well ahead
	Succinct    string // spoken, where there is little time
	Pre         string // spoken just before
	Post        string // spoken once done
	Multi       bool   // Pre and Succinct announce the next manoeuvre too
}

// Leg words a leg's manoeuvres, with miles and yards rather than kilometres and
// metres where miles is set. The texts are those of the manoeuvres of the same
// index.
func (l *Language) Leg(list []guide.Manoeuvre, miles bool) []Text {
	texts := make([]Text, len(list))
	for i := range list {
		w := english{list: list, at: i, miles: miles}
		t := &texts[i]
		t.Instruction = w.sentence(written)
		t.Pre = w.sentence(spoken)
		t.Succinct = w.sentence(succinct)
		if i > 0 {
			t.Alert = t.Pre
		}
		switch m := &list[i]; {
		case m.Type.Arrival():
			t.Alert, t.Succinct = w.arriving(), ""
		case m.Type != guide.RoundaboutEnter && m.Metres > 0:
			t.Post = w.carryOn()
		}
	}
	for i := range list[:max(0, len(list)-1)] {
		if !quick(&list[i]) {
			continue
		}
		w := english{list: list, at: i, miles: miles}
		next := texts[i+1].Alert
		texts[i].Pre = w.then(texts[i].Pre, next)
		texts[i].Succinct = w.then(texts[i].Succinct, next)
		texts[i].Multi = true
	}
	return texts
}

// Ahead announces a manoeuvre that is so many metres away, given its Alert:
// "In 400 metres, turn right into Mill Lane."
func (l *Language) Ahead(alert string, metres float64, miles bool) string {
	w := english{miles: miles}
	return "In " + w.length(metres) + ", " + lowerFirst(alert)
}

// quick reports whether the next manoeuvre comes so soon that it must be
// announced together with this one.
func quick(m *guide.Manoeuvre) bool {
	switch m.Type {
	case guide.RoundaboutEnter, guide.FerryEnter:
		return false
	}
	if m.Travel == guide.Walking {
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
