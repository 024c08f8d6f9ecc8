package scheduled

import (
	"slices"
	"time"
)

// class is where calls of about the same size wait for slots. Callers take turns:
// next is the one whose calls had the least of the machine so far (stride
// scheduling, by virtual time), so that who sends a hundred calls does not keep
// another from his first. Within a caller's line the turn of a call is when it came and so
// many times its work: twenty calls of 5 ms do not keep one of 0.2 ms waiting for all of
// them, and none waits for longer than that for calls that came after it.
type class struct {
	most    int // slots
	stretch int // of a call's work, for its turn; 0 lets the first to come be the first
	taken   int
	waiting int
	queued  time.Duration // expected work of those who wait
	now     time.Duration // virtual time: that of the caller served last
	lines   map[string]*line
	running map[*grant]bool
	calls   int64         // that had slots
	waited  time.Duration // by them
}

// line is one caller in a class.
type line struct {
	had   time.Duration // virtual time: work that was had, at least the class's when it came
	calls []*waiter
}

// waiter is a call that waits for its slots.
type waiter struct {
	g     *grant
	work  time.Duration // expected
	since time.Time
	turn  time.Time // among the calls of its caller
	line  *line
	ready chan struct{} // closed once it has them
}

func newClass(most, stretch int) class {
	return class{most: most, stretch: stretch, lines: map[string]*line{}, running: map[*grant]bool{}}
}

// mostLines is how many callers are remembered before those without calls are
// forgotten.
const mostLines = 1024

// join puts a call into its caller's line.
func (l *class) join(w *waiter) {
	w.line = l.lines[w.g.who]
	if w.line == nil {
		if len(l.lines) >= mostLines {
			l.forget()
		}
		w.line = &line{had: l.now}
		l.lines[w.g.who] = w.line
	}
	if len(w.line.calls) == 0 {
		w.line.had = max(w.line.had, l.now) // nobody saves up by staying away
	}
	w.turn = w.since.Add(time.Duration(l.stretch) * w.work)
	i, _ := slices.BinarySearchFunc(w.line.calls, w, func(x, w *waiter) int {
		if x.turn.After(w.turn) {
			return 1
		}
		return -1 // behind those of the same turn
	})
	w.line.calls = slices.Insert(w.line.calls, i, w)
	l.waiting++
	l.queued += w.work
}

// forget lets go of callers who wait for nothing and would come back as new.
func (l *class) forget() {
	for who, x := range l.lines {
		if len(x.calls) == 0 && x.had <= l.now {
			delete(l.lines, who)
		}
	}
}

// leave takes a call out of its line.
func (l *class) leave(w *waiter) {
	i := slices.Index(w.line.calls, w)
	w.line.calls = slices.Delete(w.line.calls, i, i+1)
	l.waiting--
	l.queued -= w.work
}

// next returns the call whose turn it is; nil where none waits.
func (l *class) next() *waiter {
	var first *line
	for _, x := range l.lines {
		if len(x.calls) > 0 && (first == nil || x.had < first.had) {
			first = x
		}
	}
	if first == nil {
		return nil
	}
	return first.calls[0]
}

// callers returns how many have calls that wait.
func (l *class) callers() (n int) {
	for _, x := range l.lines {
		if len(x.calls) > 0 {
			n++
		}
	}
	return n
}

// wait returns how long a caller's next call is likely to wait for a slot: for what
// runs, and for what waits, of which others get no more than their turns.
func (l *class) wait(who string, now time.Time) time.Duration {
	if l.taken < l.most && l.waiting == 0 {
		return 0
	}
	ahead := l.queued
	if x := l.lines[who]; l.callers() > 1 || x == nil {
		own := time.Duration(0)
		if x != nil {
			for _, w := range x.calls {
				own += w.work
			}
		}
		if l.waiting > 0 {
			// Between two of its calls each other caller has one, of the usual size.
			others := l.callers()
			calls := 1
			if x != nil && len(x.calls) > 0 {
				others, calls = others-1, calls+len(x.calls)
			}
			usual := l.queued / time.Duration(l.waiting)
			ahead = min(ahead, own+usual*time.Duration(others*calls))
		}
	}
	for g := range l.running {
		ahead += max(0, g.work-g.elapsed(now))
	}
	return ahead / time.Duration(l.most)
}
