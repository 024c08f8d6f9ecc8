package directions

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
)

// avoidable is the vocabulary of avoid and exclude: the option each word sets,
// "" where a list does not have the word.
var avoidable = []struct{ word, avoid, exclude string }{
	{"tolls", "use_tolls", "exclude_tolls"},
	{"highways", "use_highways", "exclude_highways"},
	{"ferries", "use_ferry", "exclude_ferries"},
	{"bridges", "", "exclude_bridges"},
	{"tunnels", "", "exclude_tunnels"},
}

// theirWords are the words that other servers have for what is called otherwise
// here.
var theirWords = map[string]string{
	"motorway": "highways", "motorways": "highways", "highway": "highways", "toll": "tolls", "ferry": "ferries", "bridge": "bridges", "tunnel": "tunnels",
}

// mostWords bounds each list: an answer to a bad one names every word of it.
const mostWords = 20

// avoidance is the echo block of a route that used either list.
type avoidance struct {
	Avoid          []string                   `json:"avoid"`
	Exclude        []string                   `json:"exclude"`
	CostingOptions map[string]json.RawMessage `json:"costing_options"`
	Caveats        []string                   `json:"caveats"`
}

// supported lists the words of each list that a costing has.
func supported(c engine.Costing) map[string][]string {
	s := map[string][]string{"avoid": {}, "exclude": {}}
	for _, a := range avoidable {
		if hasOption(c, a.avoid) {
			s["avoid"] = append(s["avoid"], a.word)
		}
		if hasOption(c, a.exclude) {
			s["exclude"] = append(s["exclude"], a.word)
		}
	}
	return s
}

func hasOption(c engine.Costing, name string) bool {
	return slices.ContainsFunc(engine.Options(c), func(o engine.Option) bool { return o.Name == name })
}

// avoids turns the two lists into costing options. Every word that fails is
// named; a caller's own option of another value is a contradiction.
func (r *Request) avoids(avoid, exclude []string, chosen map[string]json.RawMessage) error {
	c := r.Route.Costing
	words := supported(c)
	var problems []string
	set := map[string]json.RawMessage{}
	for _, list := range []struct {
		name  string
		words []string
		value string
	}{{"avoid", avoid, "0"}, {"exclude", exclude, "true"}} {
		if len(list.words) > mostWords {
			problems = append(problems, fmt.Sprintf("%s has %d words and may have at most %d", list.name, len(list.words), mostWords))
			continue
		}
		for _, word := range list.words {
			if !slices.Contains(words[list.name], word) {
				problems = append(problems, fmt.Sprintf("%s: %q is not supported for %s; it takes %s", list.name, fault.Clip(word), c, listed(words[list.name]))+explained(word))
				continue
			}
			name := optionOf(list.name, word)
			if own := chosen[name]; !body.Absent(own) && !sameValue(own, json.RawMessage(list.value)) {
				problems = append(problems, fmt.Sprintf("%s: %q sets %s to %s and costing_options set it to %s", list.name, word, name, list.value, fault.Clip(string(own))))
				continue
			}
			set[name] = json.RawMessage(list.value)
		}
	}
	if len(problems) > 0 {
		return invalidAvoid(c, problems)
	}
	maps.Copy(chosen, set)
	r.avoid = &avoidance{Avoid: some(avoid), Exclude: some(exclude), CostingOptions: set}
	return nil
}

func invalidAvoid(c engine.Costing, problems []string) error {
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

func optionOf(list, word string) string {
	for _, a := range avoidable {
		switch {
		case a.word != word:
		case list == "avoid":
			return a.avoid
		default:
			return a.exclude
		}
	}
	return ""
}

func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func listed(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}

// sameValue compares two JSON values by what they mean: 0 is 0.0.
func sameValue(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && x == y
}

// lists reads avoid and exclude of a body.
func (r *Request) lists(doc, chosen map[string]json.RawMessage) error {
	var both [2][]string
	var problems []string
	for i, name := range []string{"avoid", "exclude"} {
		if body.Absent(doc[name]) {
			continue
		}
		var list []*string
		if json.Unmarshal(doc[name], &list) != nil || slices.Contains(list, nil) {
			problems = append(problems, name+" must be a list of words")
			continue
		}
		for _, word := range list {
			both[i] = append(both[i], *word)
		}
	}
	if len(problems) > 0 {
		return invalidAvoid(r.Route.Costing, problems)
	}
	if len(both[0])+len(both[1]) == 0 {
		return nil
	}
	return r.avoids(both[0], both[1], chosen)
}

// caveats completes the echo block with what the lists cannot promise.
func (a *avoidance) caveats(remote bool) *avoidance {
	done := *a
	done.Caveats = []string{}
	if len(a.Avoid) > 0 {
		done.Caveats = append(done.Caveats, "avoid is a preference: the route may still use what it names; summary.has_toll, has_highway and has_ferry tell")
	}
	if len(a.Exclude) > 0 {
		done.Caveats = append(done.Caveats, "exclude is hard but at the very start and end of a route; where it leaves no way there is no route")
		if remote {
			done.Caveats = append(done.Caveats, "whether hard exclusions bind is a setting of the routing engine that the gateway cannot read")
		}
	}
	return &done
}
