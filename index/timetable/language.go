package timetable

import (
	"cmp"
	"slices"
	"strings"
)

// Name is a name in a language, as a tag of BCP 47.
type Name struct{ Language, Text string }

// translation is a text in a language. Texts lie where they are of their own where they have
// translations, so that one name in two towns can have two.
type translation struct {
	Of       uint32 // text
	Language uint32 // text, in small letters
	Text     uint32
}

// in returns a text in a language: that of the tag, else of a tag of the same language, else the
// text as it is.
func (x *Index) in(at uint32, language string) string {
	if language == "" || len(x.translations) == 0 {
		return x.string(at)
	}
	language = strings.ToLower(language)
	first, _ := slices.BinarySearchFunc(x.translations, at, func(t translation, at uint32) int { return cmp.Compare(t.Of, at) })
	found := at
	for _, t := range x.translations[first:] {
		if t.Of != at {
			break
		}
		switch tag := x.string(t.Language); {
		case tag == language:
			return x.string(t.Text)
		case found == at && mainLanguage(tag) == mainLanguage(language):
			found = t.Text
		}
	}
	return x.string(found)
}

func mainLanguage(tag string) string {
	main, _, _ := strings.Cut(tag, "-")
	return main
}

// StopName returns the name of a stop in a language, where the feed has it.
func (x *Index) StopName(stop uint32, language string) string {
	return x.in(x.stops[stop].Name, language)
}

// LineNameIn is LineName in a language, where the feed has it.
func (x *Index) LineNameIn(n uint32, language string) string {
	if short := x.in(x.lines[n].ShortName, language); short != "" {
		return short
	}
	return x.in(x.lines[n].LongName, language)
}

// SignIn is Sign in a language, where the feed has it.
func (x *Index) SignIn(d Departure, language string) string {
	p := &x.patterns[d.Pattern]
	if p.Signs != None {
		if sign := x.in(x.patternSigns[int(p.Signs)+d.Position], language); sign != "" {
			return sign
		}
	}
	if sign := x.in(x.trips[d.Trip].Sign, language); sign != "" {
		return sign
	}
	return x.StopName(x.patternStops[p.Stops+uint32(p.Length)-1], language)
}

// Text keeps a text and what it is in other languages. Of two names in one language the first
// counts.
func (b *Builder) Text(s string, names ...Name) Text {
	if len(names) == 0 {
		return Text(b.put(s))
	}
	key := s
	for _, n := range names {
		key += "\x00" + n.Language + "\x00" + n.Text
	}
	at, there := b.translated[key]
	if there {
		return Text(at)
	}
	at = b.add(s)
	b.translated[key] = at
	known := map[string]bool{}
	for _, n := range names {
		if tag := strings.ToLower(n.Language); !known[tag] {
			known[tag] = true
			b.x.translations = append(b.x.translations, translation{at, b.put(tag), b.put(n.Text)})
		}
	}
	return Text(at)
}
