package compatible

import (
	"errors"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
)

// avoids turns the words of avoid and exclude into costing options, as the
// native endpoint does with its lists.
func (q *Query) avoids() error {
	if len(q.avoid)+len(q.exclude) == 0 {
		return nil
	}
	_, err := body.Avoid(q.Route.Costing, q.avoid, q.exclude, q.chosen)
	var e *fault.Error
	if errors.As(err, &e) {
		return e.With("code", InvalidValue)
	}
	return err
}

// Preferences are the parameters that prefer one way to another.
func Preferences() []string {
	return []string{"avoid", "avoid_tolls", "avoid_motorways", "avoid_ferries"}
}

// NoPreference refuses preferences, for a service that chooses no way between
// places and could not heed them, for the reason given. A side to arrive on is
// such a preference too.
func (q *Query) NoPreference(reason string) error {
	for _, name := range Preferences() {
		if v := q.values[name]; v != "" && v != "false" {
			return Refuse(InvalidValue, "%s is %q, which prefers one way to another, and %s; exclude leaves roads out here", name, fault.Clip(v), reason)
		}
	}
	for i, l := range q.Route.Locations {
		if l.Side != "" && l.Side != engine.EitherSide {
			return Refuse(InvalidValue, "approaches[%d] is a side to arrive on, and %s", i, reason)
		}
	}
	return nil
}
