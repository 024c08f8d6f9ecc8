package valhalla

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

type object = map[string]json.RawMessage

// moveLanes puts a route's lanes where the contract has them: on the first
// intersection of the step before their manoeuvre. Valhalla writes them at the
// junction itself, and at junctions passed within a step, of which the contract
// knows nothing; nor does it of lanes on roundabouts.
func moveLanes(route object) error {
	if !bytes.Contains(route["legs"], []byte(`"lanes"`)) {
		return nil
	}
	return each(route, "legs", func(leg object) error {
		var steps []object
		if err := json.Unmarshal(leg["steps"], &steps); err != nil {
			return fmt.Errorf("steps: %w", err)
		}
		var lanes json.RawMessage // before the step that follows
		for i := len(steps) - 1; i >= 0; i-- {
			var err error
			if lanes, err = swapLanes(steps[i], lanes); err != nil {
				return fmt.Errorf("steps[%d]: %w", i, err)
			}
		}
		var err error
		leg["steps"], err = json.Marshal(steps)
		return err
	})
}

// swapLanes gives a step the lanes before the next one, nil where there are
// none, and returns those before its own manoeuvre.
func swapLanes(step object, next json.RawMessage) (own json.RawMessage, err error) {
	var manoeuvre struct{ Type string }
	if err := json.Unmarshal(step["maneuver"], &manoeuvre); err != nil {
		return nil, fmt.Errorf("maneuver: %w", err)
	}
	var passed []object
	if err := json.Unmarshal(step["intersections"], &passed); err != nil {
		return nil, fmt.Errorf("intersections: %w", err)
	}
	if len(passed) == 0 || passed[0] == nil {
		return nil, nil
	}
	own = passed[0]["lanes"]
	if strings.Contains(manoeuvre.Type, "roundabout") || strings.Contains(manoeuvre.Type, "rotary") {
		own = nil
	}
	for _, x := range passed {
		delete(x, "lanes")
	}
	if next != nil {
		passed[0]["lanes"] = next
	}
	step["intersections"], err = json.Marshal(passed)
	return own, err
}
