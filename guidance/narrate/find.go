package narrate

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// Language is one that instructions are worded in. It is immutable.
type Language struct {
	w        wording
	arriving [3]string // the alerts of a destination, which change after a lead
	reach    [3]string
}

// Tag returns the language's BCP 47 tag.
func (l *Language) Tag() string { return l.w.Tag }

// Exit returns the word for the exit of a motorway, to stand before its number.
func (l *Language) Exit() string { return l.w.ExitWord }

func newLanguage(w wording) *Language {
	l := &Language{w: w}
	for i, p := range [3]phrase{w.Arriving, w.ArrivingRight, w.ArrivingLeft} {
		l.arriving[i] = p[0].text + "."
	}
	for i, p := range [3]phrase{w.Reach, w.ReachRight, w.ReachLeft} {
		l.reach[i] = p[0].text + "."
	}
	return l
}

// catalogue is every language, the one to fall back to first.
type catalogue struct {
	list    []*Language
	names   []string // their tags, in alphabetical order
	tags    []language.Tag
	matcher language.Matcher
	exact   map[string]*Language // in lower case
}

var languages = sync.OnceValue(func() *catalogue {
	c := &catalogue{exact: map[string]*Language{}}
	for _, w := range []wording{
		british(), american(), german(), french(), spanish(), italian(),
		portuguese(), brazilian(), dutch(), polish(), swedish(), welsh(),
	} {
		l := newLanguage(w)
		c.list = append(c.list, l)
		c.names = append(c.names, w.Tag)
		c.tags = append(c.tags, language.MustParse(w.Tag))
		c.exact[strings.ToLower(w.Tag)] = l
	}
	slices.Sort(c.names)
	// The language alone is the European one, as an empty tag is.
	c.exact[""], c.exact["en"], c.exact["en-001"], c.exact["pt"] = c.list[0], c.list[0], c.list[0], c.exact["pt-pt"]
	// Canadians spell as the British do, but do not use the words slip road and lift.
	c.exact["en-ca"] = c.exact["en-us"]
	c.matcher = language.NewMatcher(c.tags)
	return c
})

// longestTag is where a tag is no longer looked at.
const longestTag = 64

// Languages returns the BCP 47 tags of all languages, in alphabetical order. The
// slice is shared and must not be changed.
func Languages() []string { return languages().names }

// About lists the languages, for the description of a request.
func About() string {
	usual, _ := Find("")
	list := slices.Clone(Languages())
	for i, tag := range list {
		if tag == usual.Tag() {
			list[i] += " (the default)"
		}
	}
	last := len(list) - 1
	return "BCP 47 tag of the narration; the embedded engine words it in " + strings.Join(list[:last], ", ") + " and " + list[last] +
		", takes the nearest for any other and says so"
}

// IsTag reports whether a tag has the form of BCP 47: parts of up to eight
// letters and digits, the first of them letters. An underscore passes for the
// hyphen between them.
func IsTag(tag string) bool {
	first := true
	for part := range strings.SplitSeq(strings.ReplaceAll(tag, "_", "-"), "-") {
		if part == "" || len(part) > 8 || first && len(part) == 1 && strings.IndexByte("iIxX", part[0]) < 0 {
			return false
		}
		if strings.ContainsFunc(part, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (first || c < '0' || c > '9')
		}) {
			return false
		}
		first = false
	}
	return true
}

// Find returns the language for a BCP 47 tag, or what comes nearest to it by
// CLDR's table of what readers of one language understand: British for
// Australian English (but American for Canadian), German for Letzeburgesch,
// else British English. Asked is
// false where the answer is not in the language that was asked for, whatever
// its region; parts of a tag that make no sense are passed over. An empty tag
// names en-GB.
func Find(tag string) (l *Language, asked bool) {
	c := languages()
	if l := c.exact[tag]; l != nil {
		return l, true
	}
	if len(tag) > longestTag {
		return c.list[0], false
	}
	if l := c.exact[strings.ToLower(strings.ReplaceAll(tag, "_", "-"))]; l != nil {
		return l, true
	}
	// Parse keeps what it can of a tag with an unknown part.
	want, _ := language.Parse(tag)
	_, at, confidence := c.matcher.Match(want)
	if confidence == language.No || want.IsRoot() {
		return c.list[0], false
	}
	wanted, _ := want.Base()
	got, _ := c.tags[at].Base()
	return c.list[at], wanted == got
}
