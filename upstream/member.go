package upstream

import (
	"cmp"
	"net/url"
	"sync/atomic"
	"time"
)

// tolerance is how many failures in a row put a server aside.
const tolerance = 4

// member is one server of a pool. The pool's lock guards what is not atomic.
type member struct {
	base  string // address without a slash at the end
	label string // for logs and metrics: host and port

	inFlight int
	failures int       // of calls in a row
	missed   int       // probes in a row that failed
	proofs   int       // probes in a row that succeeded while it is aside
	relapses int       // trials in a row that it failed
	aside    bool      // gets no calls
	trial    bool      // was aside and has answered a probe: it gets one call at a time until it answers one
	heard    bool      // it has answered a call or a probe at some time
	checking bool      // its version or data have changed, and its answers are compared
	refused  bool      // these differ from those of the version before
	tried    time.Time // when a server that is aside was last tried
	since    time.Time // when it came into its state
	info     Info      // as of the last probe
	before   Info      // before the last change
	renewed  time.Time // when the info last changed; zero where it never did
	probed   time.Time
	fault    error // of the last probe; nil where that succeeded

	answered, failed, cancelled, hedges atomic.Int64
}

func newMember(base string, now time.Time) *member {
	m := &member{base: base, since: now}
	if u, err := url.Parse(base); err == nil {
		m.label = cmp.Or(u.Host, base)
	}
	return m
}

// Condition says whether a server gets calls.
type Condition string

// The conditions of a server.
const (
	Unknown  Condition = "unknown" // it gets calls, and has answered neither one nor a probe so far
	Up       Condition = "up"
	Trial    Condition = "trial"    // it has come back and gets one call at a time
	Checking Condition = "checking" // its version or data have changed: it gets calls once its answers agree with those of the version before
	Refused  Condition = "refused"  // they do not agree: it gets calls only where no other server does
	Down     Condition = "down"     // it gets no calls until a probe succeeds
)

// Info has the facts of a server that a probe reads.
type Info struct {
	Version string    // of its software; "" is unknown
	Data    time.Time // of its data; zero is unknown
}

// State is the known state of one server of a pool.
type State struct {
	Server    string // host and port, for logs and metrics; not for callers
	Condition Condition
	Since     time.Time // of the condition
	Info      Info
	Renewed   time.Time // when the info last changed while the pool watched; zero where it never did
	Fault     error     // of the last probe; nil where that succeeded, and before the first

	InFlight                    int
	Answered, Failed, Cancelled int64 // calls so far
	Hedges                      int64 // of these: sent because another server was slow or had failed
}

func (m *member) state() State {
	s := State{
		Server: m.label, Condition: Up, Since: m.since, Info: m.info, Renewed: m.renewed, Fault: m.fault, InFlight: m.inFlight,
		Answered: m.answered.Load(), Failed: m.failed.Load(), Cancelled: m.cancelled.Load(), Hedges: m.hedges.Load(),
	}
	switch {
	case m.aside:
		s.Condition = Down
	case m.checking:
		s.Condition = Checking
	case m.refused:
		s.Condition = Refused
	case m.trial:
		s.Condition = Trial
	case !m.heard:
		s.Condition = Unknown
	}
	return s
}
