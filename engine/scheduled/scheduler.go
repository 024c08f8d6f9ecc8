// Package scheduled has calls of engines admitted by what they cost: each is
// estimated before it runs, waits in a short bounded line for a slot, and is
// turned down at once where its answer could not come in time.
//
// There are three kinds of slots. Small calls, a few milliseconds of one core,
// have as many as there are cores and never wait for a dear one; those of less than one
// millisecond have as many again and do not wait for the others. Dear calls have
// one fewer, at least one, and give way to whatever else can run each time they
// look at their context. A small call that turns out dear is moved: it goes on
// when it has a dear slot. Work that no request waits for, which gives way too and may
// take longer than a request does, has slots of its own.
package scheduled

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/parallel"
)

// Options configure a Scheduler. The zero value is good.
type Options struct {
	Cores  int           // small calls at once; 0 is GOMAXPROCS
	Memory int64         // bytes that calls may hold together, answers included until they are sent; 0 is DefaultMemory
	Queue  int           // most calls that wait in each class; 0 is 512
	Small  time.Duration // most work of a small call; 0 is 10 ms
	Now    func() time.Time
}

const (
	// DefaultMemory is the memory that calls may hold together where nothing else is set.
	DefaultMemory = 512 << 20
	defaultQueue  = 512
	defaultSmall  = 10 * time.Millisecond
	// smallStretch is how many times its work a small call lets others of its caller go
	// before it: 0.1 s at the most.
	smallStretch = 10
	// tinyShare is the part of the most work of a small call that a tiny one has at most.
	tinyShare = 10
	// patience is how much longer than the most of a small call one may run
	// before it is moved.
	patience = 2
)

// Scheduler gives slots to calls. It is shared by all regions of a process.
type Scheduler struct {
	options Options

	mu      sync.Mutex
	classes [5]class
	held    [5]int64        // bytes of calls under way and of answers being sent, by class
	overdue map[*grant]bool // whose slots were taken back while their work goes on
	rates   rates
	counts  Counts
	refused map[Reason]int64
}

// Which class a call is in. Calls that are worked on elsewhere wait for memory
// alone; what no request waits for is in the last.
const (
	tiny = iota
	small
	dear
	remote
	background
)

// unbounded is no limit of slots.
const unbounded = 1 << 30

// New makes a scheduler.
func New(o Options) *Scheduler {
	if o.Cores == 0 {
		o.Cores = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	if o.Queue == 0 {
		o.Queue = defaultQueue
	}
	if o.Small == 0 {
		o.Small = defaultSmall
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Scheduler{options: o, classes: [5]class{newClass(o.Cores, smallStretch), newClass(o.Cores, smallStretch), newClass(max(1, o.Cores-1), 0), newClass(unbounded, 0), newClass(max(1, o.Cores-1), 0)}, overdue: map[*grant]bool{}, rates: rates{}, refused: map[Reason]int64{}}
}

// grant is leave for one call to run. Its fields are the scheduler's, under its
// lock.
type grant struct {
	s        *Scheduler
	who      string
	estimate engine.Estimate
	work     time.Duration // expected, corrected
	class    int
	caller   context.Context
	slots    int           // 0 while it waits, and once they were taken back
	since    time.Time     // it has them
	begun    time.Time     // it had its first
	ran      time.Duration // slots times time, before since
	bytes    int64         // held; 0 while it waits for its first slot
	left     time.Time     // when it was first seen that its caller has gone or its time is up
	shared   bool          // work that steps aside
	again    bool          // its request holds an answer already, and must not wait for its own memory
}

// elapsed returns how much of the machine it had so far: slots times time.
func (g *grant) elapsed(now time.Time) time.Duration {
	return g.ran + time.Duration(g.slots)*max(0, now.Sub(g.since))
}

// fitting stands for the class that fits a call.
const fitting = -1

// acquire waits for a slot in a class. r is nil for what no request asks for.
func (s *Scheduler) acquire(ctx context.Context, r *Request, e engine.Estimate, class int) (*grant, error) {
	s.mu.Lock()
	now := s.options.Now()
	if class == fitting {
		class = s.classOf(r, e, now)
	}
	g := &grant{s: s, caller: ctx, who: r.caller(), estimate: e, work: s.rates.corrected(e, now), class: class, again: r.holds()}
	l := &s.classes[g.class]
	if err := s.turnDown(ctx, r, g, now); err != nil {
		s.mu.Unlock()
		return nil, err
	}
	w := &waiter{g: g, work: g.work, since: now, ready: make(chan struct{})}
	l.join(w)
	s.assign(now)
	hasSlot := g.slots > 0
	s.mu.Unlock()
	if !hasSlot && !s.await(ctx, w) && s.giveUp(w) {
		return nil, s.tooLate(ctx, g)
	}
	// Others that can run do so first, as far as to where they wait for slots themselves:
	// otherwise calls are served in the order in which their requests came to a processor.
	if class <= small && w.work >= turnFor {
		parallel.Yield()
	}
	if hasSlot {
		return g, nil
	}
	// The time may have run out meanwhile: what cannot end is not begun.
	if limit, ok := ctx.Deadline(); ok && limit.Sub(s.options.Now()) < g.alone(s) {
		g.release(false)
		return nil, s.tooLate(ctx, g)
	}
	return g, nil
}

// classOf chooses the class of a call.
func (s *Scheduler) classOf(r *Request, e engine.Estimate, now time.Time) int {
	if e.Cores == 0 {
		return remote
	}
	work := s.rates.corrected(e, now)
	switch {
	case r == nil || work > s.options.Small:
		return dear
	case min(work, e.Work) > s.options.Small/tinyShare: // a busy machine makes small of what is tiny
		return small
	}
	return tiny
}

// alone returns how long the call takes when it has all the slots it can use.
func (g *grant) alone(s *Scheduler) time.Duration {
	slots := 1
	if g.class == dear {
		slots = max(1, min(g.estimate.Cores, s.classes[dear].most))
	}
	return g.work / time.Duration(slots)
}

// giveUp takes a call out of its line; false where it has its slots.
func (s *Scheduler) giveUp(w *waiter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.g.slots > 0 {
		return false
	}
	s.classes[w.g.class].leave(w)
	s.assign(s.options.Now()) // who comes after may need less memory
	return true
}

// assign gives slots to those whose turn it is. The lock is held.
func (s *Scheduler) assign(now time.Time) {
	for i := range s.classes {
		l := &s.classes[i]
		for l.taken < l.most {
			w := l.next()
			if w == nil || !s.fits(w.g) {
				break
			}
			l.leave(w)
			g := w.g
			g.slots, g.since = 1, now
			if g.begun.IsZero() {
				g.begun = now
			}
			if i == dear {
				// The free slots are shared by all calls that wait.
				g.slots = max(1, min(g.estimate.Cores, (l.most-l.taken)/(1+l.callers())))
			}
			l.taken += g.slots
			l.calls, l.waited = l.calls+1, l.waited+now.Sub(w.since)
			l.running[g] = true
			l.now = max(l.now, w.line.had)
			w.line.had += w.work
			if g.bytes == 0 {
				g.bytes = g.estimate.Bytes
				s.held[i] += g.bytes
			}
			s.counts.MostHeld = max(s.counts.MostHeld, s.allHeld())
			close(w.ready)
		}
	}
}

// fits reports whether there is memory for a call. Dear calls leave a quarter of
// it to small ones, which so never wait for theirs. One that is larger than all
// there may be has it when no other of its class holds any.
func (s *Scheduler) fits(g *grant) bool {
	if g.bytes > 0 || g.again {
		return true
	}
	held := s.held[g.class]
	if g.class <= small {
		held = s.held[tiny] + s.held[small]
	}
	all, mine, rest := s.allHeld()+g.estimate.Bytes, held+g.estimate.Bytes, s.options.Memory/4
	alone := held == 0
	if g.class <= small {
		return alone || mine <= rest || all <= s.options.Memory
	}
	most := s.options.Memory - rest
	return all <= s.options.Memory && mine <= most || alone && g.estimate.Bytes > most
}

func (s *Scheduler) allHeld() (sum int64) {
	for _, n := range s.held {
		sum += n
	}
	return sum
}

// stand gives up the slots of a grant. The lock is held.
func (g *grant) stand(now time.Time) {
	if g.slots == 0 {
		return
	}
	l := &g.s.classes[g.class]
	g.ran = g.elapsed(now)
	l.taken -= g.slots
	g.slots = 0
	delete(l.running, g)
}

// release ends a call, but for the bytes of its answer, and returns these. whole reports that
// there is an answer: a call that fails may do so before it has done anything.
func (g *grant) release(whole bool) (answer int64) {
	s := g.s
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	g.stand(now)
	delete(s.overdue, g)
	if x := s.classes[g.class].lines[g.who]; x != nil {
		x.had += g.ran - g.work // what it really had
	}
	s.rates.learn(g.estimate, g.ran, whole, now)
	if whole {
		answer = min(g.estimate.Answer, g.bytes)
	}
	s.held[g.class] -= g.bytes - answer
	g.bytes = 0
	s.assign(now)
	return answer
}

// sent gives back the memory of answers of a class.
func (s *Scheduler) sent(class int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[class] -= bytes
	s.assign(s.options.Now())
}

// move has a small call that takes too long wait for a dear slot, no longer than
// the context lasts. The estimates to come use it at once. The error is that there
// is no memory for one more dear call.
func (g *grant) move(ctx context.Context) error {
	s := g.s
	s.mu.Lock()
	now := s.options.Now()
	if g.class > small || g.slots == 0 {
		s.mu.Unlock()
		return nil
	}
	g.stand(now)
	s.rates.learn(g.estimate, g.ran, false, now)
	if s.held[dear] > 0 && s.held[dear]+g.bytes > s.options.Memory-s.options.Memory/4 {
		err := s.late(g)
		s.mu.Unlock()
		return err
	}
	s.held[g.class] -= g.bytes
	s.held[dear] += g.bytes
	g.class = dear
	g.work = max(g.work, g.ran) // to come, by the estimate
	w := &waiter{g: g, work: g.work, since: now, ready: make(chan struct{})}
	s.classes[dear].join(w)
	s.counts.Moved++
	s.assign(now)
	s.mu.Unlock()
	if !s.await(ctx, w) {
		s.giveUp(w)
	}
	return nil
}
