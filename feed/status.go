package feed

import (
	"context"
	"time"

	"github.com/waygate/waygate/wire/null"
)

// State is how far a feed can be relied on.
type State string

// The states.
const (
	Waiting State = "waiting" // not polled yet
	OK      State = "ok"
	Failing State = "failing" // the last poll failed; what is in force is not stale yet
	Stale   State = "stale"   // what is in force is older than it should be
	Down    State = "down"    // nothing is in force, and the last poll failed
)

// States lists all of them.
func States() []State { return []State{Waiting, OK, Failing, Stale, Down} }

// Status is one feed as operators see it.
type Status struct {
	ID       string     `json:"id"`
	Kind     string     `json:"kind" doc:"of its records"`
	Name     string     `json:"name"`
	Source   string     `json:"source" doc:"address without its query, or the name of a file"`
	Format   string     `json:"format" doc:"as it was set; where it is empty the document decides"`
	State    State      `json:"state" enum:"waiting,ok,failing,stale,down" doc:"failing: the last poll failed and what is in force is not stale; stale: it is; down: nothing is in force"`
	At       *time.Time `json:"at" doc:"what time the records in force are of"`
	AgeS     *float64   `json:"age_s" decimals:"0" doc:"seconds since then"`
	Checked  *time.Time `json:"checked_at" doc:"when the source was last asked and answered"`
	Next     *time.Time `json:"next_poll_at"`
	Records  int        `json:"records"`
	Rejected int        `json:"rejected" doc:"records of the last good poll that were left out"`
	Rejects  []Reject   `json:"rejects" nullable:"false" doc:"those by reason"`
	Failures int        `json:"failures" doc:"polls in a row that failed"`
	Error    string     `json:"error" doc:"of the last poll; empty where it was good"`
	Licence  string     `json:"licence"`
}

// Status returns the state of the feed.
func (f *Feed[T]) Status() Status {
	f.mu.Lock()
	state := f.state
	f.mu.Unlock()
	s := f.latest.Load()
	out := Status{
		ID: f.source.ID, Kind: f.source.Kind, Name: f.source.Title(), Source: f.source.Shown(), Format: f.source.Format, Licence: f.source.Licence,
		Failures: state.failures, Error: state.failure, Checked: null.UTC(state.checked), Next: null.UTC(state.next), Rejects: []Reject{},
	}
	if s != nil {
		at := f.at(s, state.checked)
		age := max(0, f.now().Sub(at).Seconds())
		out.At, out.AgeS, out.Records, out.Rejects = &at, &age, s.Records, s.Rejected
		for _, r := range s.Rejected {
			out.Rejected += r.Count
		}
	}
	switch {
	case s == nil && state.failure == "":
		out.State = Waiting
	case s == nil:
		out.State = Down
	case f.now().Sub(*out.At) > f.staleAfter():
		out.State = Stale
	case state.failure != "":
		out.State = Failing
	default:
		out.State = OK
	}
	return out
}

// at returns the time that a snapshot is of: one without a time of its own holds as long
// as its source says that nothing has changed.
func (f *Feed[T]) at(s *Snapshot[T], checked time.Time) time.Time {
	if s.Published.IsZero() && checked.After(s.Fetched) {
		return checked
	}
	return s.At()
}

// At returns the time of the snapshot in force; ok is false where there is none.
func (f *Feed[T]) At() (at time.Time, ok bool) {
	s := f.latest.Load()
	if s == nil {
		return at, false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at(s, f.state.checked), true
}

// Age returns how old the snapshot in force is; ok is false where there is none.
func (f *Feed[T]) Age() (age time.Duration, ok bool) {
	at, ok := f.At()
	if !ok {
		return 0, false
	}
	return max(0, f.now().Sub(at)), true
}

// Member is a feed as a Set holds it, and anything else that can say how it is
// and runs in the background.
type Member interface {
	Status() Status
	Restore(ctx context.Context)
	Run(ctx context.Context)
}
