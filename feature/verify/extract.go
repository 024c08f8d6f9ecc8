package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Extract finds the places that a text names, in the order in which it does, at most
// MostClaims; more reports that there are others. It looks nothing up: it goes by how names
// are written.
//
//   - What stands in quotes and begins with a capital is a name.
//   - Words with capitals that follow one another are one name, across words such
//     as of and the. A single one counts where it does not begin a sentence, or
//     where its line is an entry of a list.
//   - A name before "in" and another, or before a comma and another, is in a
//     locality of that name.
//   - Names of days and months, titles and the like are none.
func Extract(text string) (claims []Claim, more bool) {
	seen := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		for _, c := range ofLine(line) {
			key := strings.ToLower(c.Name + "\n" + c.Locality)
			if seen[key] {
				continue
			}
			seen[key] = true
			if len(claims) == MostClaims {
				return claims, true
			}
			c.ID = fmt.Sprintf("claim-%d", len(claims)+1)
			claims = append(claims, c)
		}
	}
	return claims, false
}

// word is a word of a line and the signs around it.
type word struct {
	text   string
	before string // since the word before it
	quoted int    // number of the quotation that it stands in; 0 is none
}

// entry matches what begins an entry of a list or of an itinerary: a bullet, a
// number, a day, a time of day or two.
var entry = regexp.MustCompile(`^\s*(?:(?:[-*•–—·]|\(?\d{1,2}[.)]|(?i:day|stop)\s+\d+\b|\d{1,2}[:.h]\d{2}\s*(?i:am|pm|h|uhr)?(?:\s*[-–—]\s*\d{1,2}[:.h]\d{2}\s*(?i:am|pm|h)?)?|\d{1,2}\s*(?i:am|pm))\s*[:,.–—-]?\s*)+`)

// joins are words without a capital that stand within names.
var joins = []string{"of", "the", "and", "de", "la", "le", "du", "des", "del", "di", "da", "von", "van", "der", "den", "am", "an", "upon", "on", "under", "y", "yr", "sur", "&"}

// noNames are words that have a capital and name no place by themselves.
var noNames = func() map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(`i im ive we he she it they you my our his her their a an the this that these those there here then next after before later finally first second third last
		monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april june july august september october november december
		today tomorrow yesterday morning afternoon evening night day noon midnight lunch dinner breakfast brunch supper coffee tea drinks
		visit go stop walk drive take see head arrive leave depart meet check stay eat have enjoy explore return start begin end from to at in on by with for near and or but if when while where what who why how yes no not please dear
		mr mrs ms dr sir lady am pm ok hi hello thanks`) {
		all[w] = true
	}
	return all
}()

const (
	mostWords  = 8  // of one name
	mostLetter = 80 // of one name
)

// ofLine finds the claims of a line.
func ofLine(line string) []Claim {
	body := entry.ReplaceAllString(line, "")
	listed := len(body) < len(line)
	words := split(body)
	var names []name
	for i := 0; i < len(words); {
		n, next := nameAt(words, i, listed)
		if next == i {
			i++
			continue
		}
		if i = next; n.text != "" {
			names = append(names, n)
		}
	}
	var list []Claim
	for i := 0; i < len(names); i++ {
		c := Claim{Name: names[i].text}
		if i+1 < len(names) && names[i].namesPlace(words, &names[i+1]) {
			c.Locality = names[i+1].text
			i++
		}
		if names[i].single && c.Locality == "" && !listed && names[i].leads {
			continue
		}
		list = append(list, c)
	}
	return list
}

// name is a name of some words of a line.
type name struct {
	text     string
	from, to int  // of the words, to excluded
	single   bool // of one word
	leads    bool // it begins a sentence
}

// namesPlace reports whether the name after this one says where it is.
func (n *name) namesPlace(words []word, next *name) bool {
	switch next.from - n.to {
	case 0:
		return strings.TrimSpace(words[next.from].before) == "," && words[next.from].quoted == 0
	case 1:
		between := strings.ToLower(words[n.to].text)
		return (between == "in" || between == "near") && strings.Trim(words[n.to].before, ` "”'»`) == "" && strings.TrimSpace(words[next.from].before) == ""
	}
	return false
}

// nameAt reads the name that begins at a word; next is i where none does.
func nameAt(words []word, i int, listed bool) (n name, next int) {
	if !capital(words[i].text) {
		return n, i
	}
	n.from = i
	n.leads = i == 0 && !listed || strings.ContainsAny(words[i].before, ".!?")
	to := i + 1
	if q := words[i].quoted; q > 0 {
		for to < len(words) && words[to].quoted == q {
			to++
		}
	} else {
		for j := to; j < len(words) && words[j].quoted == 0 && strings.TrimSpace(words[j].before) == ""; j++ {
			if capital(words[j].text) || j == to && unicode.IsDigit(rune(words[j].text[0])) {
				to = j + 1
			} else if !slices.Contains(joins, strings.ToLower(words[j].text)) || j-to > 1 || conjunction(words[j].text) && !pair(words, i, j) {
				break
			}
		}
	}
	// A sentence's first word has its capital for that.
	for i < to && words[i].quoted == 0 && noNames[plain(words[i].text)] {
		i++
		n.leads = false
	}
	for i < to && words[i].quoted == 0 && slices.Contains(joins, strings.ToLower(words[i].text)) && !capital(words[i].text) {
		i++
	}
	if i == to || to-i > mostWords {
		return name{}, to
	}
	n.from, n.to, n.single = i, to, to-i == 1
	for k := i; k < to; k++ {
		if k > i {
			n.text += " "
		}
		n.text += words[k].text
	}
	if utf8.RuneCountInString(n.text) > mostLetter || utf8.RuneCountInString(n.text) < 2 {
		return name{}, to
	}
	return n, to
}

func conjunction(s string) bool { return strings.EqualFold(s, "and") || s == "&" }

// pair reports whether the conjunction at a word stands between two single words
// of one name, as in Fox and Hounds or in Museum of Tin and Tide, and not between
// two names.
func pair(words []word, from, at int) bool {
	bound := func(j int) bool {
		return j >= len(words) || strings.TrimSpace(words[j].before) != "" || !capital(words[j].text)
	}
	single := at-from == 1 || at-from == 2 && noNames[plain(words[from].text)] || at-from > 2 && strings.EqualFold(words[at-2].text, "of")
	return single && !bound(at+1) && bound(at+2)
}

func plain(s string) string {
	return strings.NewReplacer("'", "", "’", "").Replace(strings.ToLower(s))
}

func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}

// split cuts a line into words, and notes which stand in quotes.
func split(line string) (words []word) {
	quotes := 0
	open := false
	before := strings.Builder{}
	text := strings.Builder{}
	end := func() {
		if text.Len() > 0 {
			w := word{text: text.String(), before: before.String()}
			if open {
				w.quoted = quotes
			}
			words = append(words, w)
			text.Reset()
			before.Reset()
		}
	}
	runes := []rune(line)
	for i, r := range runes {
		inside := i > 0 && i+1 < len(runes) && letter(runes[i-1]) && letter(runes[i+1])
		switch {
		case letter(r), inside && strings.ContainsRune("'’-.", r) && text.Len() > 0, r == '.' && text.Len() == 2 && strings.EqualFold(text.String(), "st"), r == '&':
			text.WriteRune(r)
		case strings.ContainsRune(`"“”„«»`, r):
			end()
			before.WriteRune(r)
			if open = !open; open {
				quotes++
			}
		default:
			end()
			before.WriteRune(r)
		}
	}
	end()
	if open { // a quotation that does not end is none
		for i := range words {
			if words[i].quoted == quotes {
				words[i].quoted = 0
			}
		}
	}
	return words
}

func letter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}
