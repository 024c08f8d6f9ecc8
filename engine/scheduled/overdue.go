package scheduled

import (
	"context"
	"time"
)

// grace is how long a call may keep its slots once its caller has gone or its time is up.
// Work looks at its context every few milliseconds, so hardly any comes to it.
const grace = 100 * time.Millisecond

// await waits for the slots of a call and, meanwhile, has those taken back that nobody has
// a use for. It returns false where the context ended first.
func (s *Scheduler) await(ctx context.Context, w *waiter) bool {
	look := time.NewTicker(grace)
	defer look.Stop()
	for {
		select {
		case <-w.ready:
			return true
		case <-ctx.Done():
			return false
		case <-look.C:
			s.takeBack()
		}
	}
}

// takeBack takes slots from calls whose caller left a while ago, whatever their work does:
// it must not keep others from theirs. What such a call holds in memory stays counted.
func (s *Scheduler) takeBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	for i := range s.classes {
		for g := range s.classes[i].running {
			switch {
			case !ended(g.caller):
			case g.left.IsZero():
				g.left = now
			case now.Sub(g.left) >= grace:
				g.stand(now)
				s.overdue[g] = true
				s.counts.TakenBack++
			}
		}
	}
	s.assign(now)
}

// ended reports whether a context has, without asking it: to be asked may have it wait for
// its turn.
func ended(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

// Stuck reports whether every processor has been at work for longer than a request may
// take on calls that should have ended: nothing else can be answered until they do.
func (s *Scheduler) Stuck(limit time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, stuck := s.options.Now(), 0
	late := func(g *grant) bool { return !g.shared && now.Sub(g.begun) > limit+grace }
	for g := range s.overdue {
		if late(g) {
			stuck++
		}
	}
	for _, i := range []int{tiny, small, dear} {
		for g := range s.classes[i].running {
			if late(g) {
				stuck += g.slots
			}
		}
	}
	return stuck >= s.classes[small].most
}
