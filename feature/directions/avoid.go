package directions

import "encoding/json"

// Avoidance is the echo block of a route that used either list.
type Avoidance struct {
	Avoid          []string                   `json:"avoid"`
	Exclude        []string                   `json:"exclude"`
	CostingOptions map[string]json.RawMessage `json:"costing_options" doc:"the exact options the lists became"`
	Caveats        []string                   `json:"caveats"`
}

// caveats completes the echo block with what the lists cannot promise.
func (a *Avoidance) caveats(binding bool) *Avoidance {
	done := *a
	done.Avoid, done.Exclude, done.Caveats = append([]string{}, a.Avoid...), append([]string{}, a.Exclude...), []string{}
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
