package directions

import (
	"encoding/json"
	"slices"

	"github.com/waygate/waygate/engine/body"
)

// Avoidance is the echo block of a route that used either list.
type Avoidance struct {
	Avoid          []string                   `json:"avoid"`
	Exclude        []string                   `json:"exclude"`
	CostingOptions map[string]json.RawMessage `json:"costing_options"`
	Caveats        []string                   `json:"caveats"`
}

// lists reads avoid and exclude of a body and turns them into costing options.
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
		return body.InvalidAvoid(r.Route.Costing, problems)
	}
	if len(both[0])+len(both[1]) == 0 {
		return nil
	}
	set, err := body.Avoid(r.Route.Costing, both[0], both[1], chosen)
	if err != nil {
		return err
	}
	r.avoid = &Avoidance{Avoid: some(both[0]), Exclude: some(both[1]), CostingOptions: set}
	return nil
}

func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// caveats completes the echo block with what the lists cannot promise.
func (a *Avoidance) caveats(binding bool) *Avoidance {
	done := *a
	done.Caveats = []string{}
	if len(a.Avoid) > 0 {
		done.Caveats = append(done.Caveats, "avoid is a preference: the route may still use what it names; summary.has_toll, has_highway and has_ferry tell")
	}
	if len(a.Exclude) > 0 {
		done.Caveats = append(done.Caveats, "exclude is hard but at the very start and end of a route; where it leaves no way there is no route")
		if !binding {
			done.Caveats = append(done.Caveats, "whether hard exclusions bind is a setting of the routing engine that the gateway cannot read")
		}
	}
	return &done
}
