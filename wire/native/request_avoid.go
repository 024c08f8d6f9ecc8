package native

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/schema"
)

// Words is a list of words of avoid or exclude. What is wrong with it is told
// with what is wrong with the words.
type Words struct {
	list  []string
	wrong bool // it is no list of words
}

// Describe describes it.
func (Words) Describe(*schema.Document) *schema.Schema {
	return &schema.Schema{Type: schema.Array, Items: &schema.Schema{Type: schema.String}}
}

// DecodeJSON reads it.
func (w *Words) DecodeJSON(_ *schema.Context, raw json.RawMessage) {
	var list []*string
	if w.wrong = json.Unmarshal(raw, &list) != nil || slices.Contains(list, nil); w.wrong {
		return
	}
	for _, word := range list {
		w.list = append(w.list, *word)
	}
}

// avoidable is the vocabulary of avoid and exclude: the option each word sets,
// 0 where a list does not have the word.
var avoidable = []struct {
	word           string
	avoid, exclude costing.Option
}{
	{"tolls", costing.UseTolls, costing.ExcludeTolls},
	{"highways", costing.UseHighways, costing.ExcludeHighways},
	{"ferries", costing.UseFerry, costing.ExcludeFerries},
	{"bridges", 0, costing.ExcludeBridges},
	{"tunnels", 0, costing.ExcludeTunnels},
}

// theirWords are the words that other servers have for what is called otherwise
// here.
var theirWords = map[string]string{
	"motorway": "highways", "motorways": "highways", "highway": "highways", "toll": "tolls", "ferry": "ferries", "bridge": "bridges", "tunnel": "tunnels",
}

// mostProblems is how many words that fail are told of one by one.
const mostProblems = 10

// supported lists the words of each list that a costing has.
func supported(c costing.Costing) map[string][]string {
	s := map[string][]string{"avoid": {}, "exclude": {}}
	for _, a := range avoidable {
		if a.avoid.In(c) {
			s["avoid"] = append(s["avoid"], a.word)
		}
		if a.exclude.In(c) {
			s["exclude"] = append(s["exclude"], a.word)
		}
	}
	return s
}

// Avoid turns the lists avoid and exclude into options of a costing, which it
// puts among those chosen already and returns. The words that fail are named; a
// caller's own option of another value is a contradiction. The error is a fault
// of slug invalid-avoid.
func Avoid(c costing.Costing, avoid, exclude []string, chosen map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	words := supported(c)
	var problems []string
	set := map[string]json.RawMessage{}
	for _, list := range []struct {
		name  string
		words []string
		value string
	}{{"avoid", avoid, "0"}, {"exclude", exclude, "true"}} {
		for _, word := range list.words {
			if !slices.Contains(words[list.name], word) {
				problems = append(problems, fmt.Sprintf("%s: %q is not supported for %s; it takes %s", list.name, fault.Clip(word), c, listed(words[list.name]))+explained(word))
				continue
			}
			name := optionOf(list.name, word).String()
			if own := chosen[name]; len(own) > 0 && string(own) != "null" && !sameValue(own, json.RawMessage(list.value)) {
				problems = append(problems, fmt.Sprintf("%s: %q sets %s to %s and costing_options set it to %s", list.name, word, name, list.value, fault.Clip(string(own))))
				continue
			}
			set[name] = json.RawMessage(list.value)
		}
	}
	if n := len(problems) - mostProblems; n > 0 {
		problems = append(problems[:mostProblems], fmt.Sprintf("%d more words fail", n))
	}
	if len(problems) > 0 {
		return nil, invalidAvoid(c, problems)
	}
	maps.Copy(chosen, set)
	return set, nil
}

// invalidAvoid refuses the lists avoid and exclude for what is wrong with them.
func invalidAvoid(c costing.Costing, problems []string) error {
	return fault.New(fault.InvalidAvoid, "%s", strings.Join(problems, "; ")).With("problems", problems).With("supported", supported(c))
}

// explained says what a word of another server is called here.
func explained(word string) string {
	ours := theirWords[word]
	if ours == "" {
		return ""
	}
	return fmt.Sprintf("; what other servers call %s is %s here", word, ours)
}

func optionOf(list, word string) costing.Option {
	for _, a := range avoidable {
		switch {
		case a.word != word:
		case list == "avoid":
			return a.avoid
		default:
			return a.exclude
		}
	}
	return 0
}

func listed(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}
