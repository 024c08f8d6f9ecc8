package costing

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/fault"
)

// avoidable is the vocabulary of avoid and exclude: the option each word sets,
// 0 where a list does not have the word.
var avoidable = []struct {
	word           string
	avoid, exclude Option
}{
	{"tolls", UseTolls, ExcludeTolls},
	{"highways", UseHighways, ExcludeHighways},
	{"ferries", UseFerry, ExcludeFerries},
	{"bridges", 0, ExcludeBridges},
	{"tunnels", 0, ExcludeTunnels},
}

// theirWords are the words that other servers have for what is called otherwise
// here.
var theirWords = map[string]string{
	"motorway": "highways", "motorways": "highways", "highway": "highways", "toll": "tolls", "ferry": "ferries", "bridge": "bridges", "tunnel": "tunnels",
}

// mostProblems is how many invalid words are reported one by one.
const mostProblems = 10

// supported lists the words of each list that a costing has.
func supported(c Costing) map[string][]string {
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
func Avoid(c Costing, avoid, exclude []string, chosen map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	words := supported(c)
	var problems []string
	failed := 0
	set := map[string]json.RawMessage{}
	for _, list := range []struct {
		name  string
		words []string
		value string
	}{{"avoid", avoid, "0"}, {"exclude", exclude, "true"}} {
		for _, word := range list.words {
			if !slices.Contains(words[list.name], word) {
				if failed++; failed <= mostProblems {
					problems = append(problems, fmt.Sprintf("%s: %q is not supported for %s; it takes %s", list.name, fault.Clip(word), c, listed(words[list.name]))+explained(word))
				}
				continue
			}
			name := optionOf(list.name, word).String()
			if own := chosen[name]; len(own) > 0 && string(own) != "null" && !SameValue(own, json.RawMessage(list.value)) {
				if failed++; failed > mostProblems {
					continue
				}
				problems = append(problems, fmt.Sprintf("%s: %q sets %s to %s and costing_options set it to %s", list.name, word, name, list.value, fault.Clip(string(own))))
				continue
			}
			set[name] = json.RawMessage(list.value)
		}
	}
	if failed > mostProblems {
		problems = append(problems, fmt.Sprintf("%d more words fail", failed-mostProblems))
	}
	if len(problems) > 0 {
		return nil, InvalidAvoid(c, problems)
	}
	maps.Copy(chosen, set)
	return set, nil
}

// InvalidAvoid refuses the lists avoid and exclude for what is wrong with them.
func InvalidAvoid(c Costing, problems []string) error {
	return fault.New(fault.InvalidAvoid, "%s", strings.Join(problems, "; ")).With("problems", problems).With("supported", supported(c))
}

// explained returns the word used here for a word of another server.
func explained(word string) string {
	ours := theirWords[word]
	if ours == "" {
		return ""
	}
	return fmt.Sprintf("; what other servers call %s is %s here", word, ours)
}

func optionOf(list, word string) Option {
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

// SameValue compares two JSON values by what they mean: 0 is 0.0.
func SameValue(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && x == y
}
