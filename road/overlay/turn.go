package overlay

import "github.com/waygate/waygate/road/graph"

// Turn is a turn from an original edge into another that leaves its head.
type Turn struct{ From, To graph.Edge }

// TurnSeconds returns the least time of a turn in the traffic of the moment, in
// seconds; ok is false where nothing is known of it.
func (o *Overlay) TurnSeconds(from, to graph.Edge) (seconds float32, ok bool) {
	if o == nil {
		return 0, false
	}
	if len(o.turns) > 0 {
		if seconds, ok = o.turns[Turn{from, to}]; ok {
			return seconds, true
		}
	}
	if o.layer != nil && len(o.layer.turns) > 0 {
		seconds, ok = o.layer.turns[Turn{from, to}]
	}
	return seconds, ok
}

// SetTurn sets what a turn takes at least, in seconds. Only the maker of an overlay
// may call it.
func (o *Overlay) SetTurn(t Turn, seconds float32) {
	if o.turns == nil {
		o.turns = map[Turn]float32{}
	}
	o.turns[t] = seconds
}

// AffectsTurn reports whether any change, beside what is applied, affects a turn.
func (o *Overlay) AffectsTurn(from, to graph.Edge) bool {
	if o.Empty() || o.applied && len(o.turns) == 0 {
		return false
	}
	_, ok := o.TurnSeconds(from, to)
	return ok
}
