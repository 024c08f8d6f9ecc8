package compatible

import (
	"errors"
	"fmt"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
)

// avoids turns the words of avoid and exclude into costing options, as the
// native endpoint does with its lists.
func (q *Query) avoids() error {
	words := slices.Concat(q.avoid, q.exclude)
	if len(words) == 0 {
		return nil
	}
	_, err := body.Avoid(q.Route.Costing, q.avoid, q.exclude, q.chosen)
	return explained(err, words)
}

// theirWords are the words that other servers of the kind have for what is
// called otherwise here.
var theirWords = []struct{ theirs, ours string }{
	{"motorway", "highways"}, {"toll", "tolls"}, {"ferry", "ferries"}, {"bridge", "bridges"}, {"tunnel", "tunnels"},
}

// explained adds to a refusal of avoid or exclude what the words of other
// servers are called here.
func explained(err error, words []string) error {
	var e *fault.Error
	if !errors.As(err, &e) {
		return err
	}
	told := *e
	for _, w := range theirWords {
		if slices.Contains(words, w.theirs) {
			told.Detail += fmt.Sprintf("; what other servers call %s is %s here", w.theirs, w.ours)
		}
	}
	return told.With("code", InvalidValue)
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
