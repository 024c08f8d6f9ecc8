package errands

import (
	"context"
	"math"
	"math/bits"

	"github.com/waygate/waygate/hours"
)

// problem is the reduced problem once all is measured: places in the order of
// the candidates, times in milliseconds from the departure.
type problem struct {
	drive    [][]drive // as of job
	dwell    []int64   // by errand
	choices  [][]int   // candidates by errand
	during   func(candidate int, from, to int64) hours.State
	deadline int64
}

// visit is a stop of a solution.
type visit struct{ errand, candidate int }

// solution is the quickest way to run some errands.
type solution struct {
	visits  []visit
	arrive  int64
	unknown int // stops whose opening hours are not known
}

// anyTime is a deadline that nothing misses.
const anyTime = math.MaxInt64

// heedEvery is after how many steps the caller is looked for.
const heedEvery = 1 << 12

// search tries every order of a set of errands and every choice of candidates.
type search struct {
	*problem
	ctx      context.Context
	set      uint
	deadline int64
	heedless bool    // of opening hours
	into     []int64 // by errand: the least drive to any of its candidates
	out      int64   // the least drive from any candidate to the destination
	visits   []visit
	best     *solution
	steps    int
	err      error
}

// quickest finds the solution for a set of errands, as bits, that arrives
// first and no later than the deadline; of two that arrive at once the one with
// fewer stops whose hours are not known. It is nil where there is none.
func (p *problem) quickest(ctx context.Context, set uint, deadline int64, heedless bool) (*solution, error) {
	s := &search{problem: p, ctx: ctx, set: set, deadline: deadline, heedless: heedless, into: make([]int64, len(p.choices)), out: anyTime}
	for e := range p.choices {
		s.into[e] = anyTime
		for _, c := range p.choices[e] {
			for from := range p.drive {
				if d := p.drive[from][c].millis; d >= 0 && from != c+1 {
					s.into[e] = min(s.into[e], d)
				}
			}
			if d := p.drive[c+1]; set>>e&1 == 1 && d[len(d)-1].millis >= 0 {
				s.out = min(s.out, d[len(d)-1].millis)
			}
		}
		if set>>e&1 == 1 && s.into[e] == anyTime {
			return nil, nil
		}
	}
	if set != 0 && s.out == anyTime {
		return nil, nil
	}
	s.step(set, 0, 0, 0)
	return s.best, s.err
}

// step goes on from a place, which is 0 for the origin and else a candidate's
// number and one, at a time, with the errands of left to run.
func (s *search) step(left uint, place int, now int64, unknown int) {
	if s.steps++; s.steps%heedEvery == 0 && s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return
	}
	if left == 0 {
		last := s.drive[place][len(s.drive[place])-1].millis
		if last >= 0 && s.better(now+last, unknown) {
			s.best = &solution{append([]visit(nil), s.visits...), now + last, unknown}
		}
		return
	}
	least := now + s.out
	for e := left; e != 0; e &= e - 1 {
		i := bits.TrailingZeros(e)
		least += s.into[i] + s.dwell[i]
	}
	if !s.better(least, unknown) {
		return
	}
	for e := left; e != 0; e &= e - 1 {
		i := bits.TrailingZeros(e)
		for _, c := range s.choices[i] {
			d := s.drive[place][c].millis
			if d < 0 {
				continue
			}
			arrive := now + d
			leave := arrive + s.dwell[i]
			more := 0
			if !s.heedless {
				switch s.during(c, arrive, leave) {
				case hours.Closed:
					continue
				case hours.Unknown:
					more = 1
				case hours.Open:
				}
			}
			s.visits = append(s.visits, visit{i, c})
			s.step(left&^(1<<i), c+1, leave, unknown+more)
			s.visits = s.visits[:len(s.visits)-1]
		}
	}
}

// better reports whether a solution that arrives at a time would be taken.
func (s *search) better(arrive int64, unknown int) bool {
	if arrive > s.deadline {
		return false
	}
	return s.best == nil || arrive < s.best.arrive || arrive == s.best.arrive && unknown < s.best.unknown
}

// largest finds the largest set of errands, of those in whole but not all of
// them, that can be run by the deadline; of several the one that arrives first.
// The empty set is the drive alone.
func (p *problem) largest(ctx context.Context, whole uint) (best *solution, set uint, err error) {
	for size := bits.OnesCount(whole) - 1; size >= 0 && best == nil; size-- {
		for sub := whole; ; sub = (sub - 1) & whole {
			if bits.OnesCount(sub) == size {
				found, err := p.quickest(ctx, sub, p.deadline, false)
				if err != nil {
					return nil, 0, err
				}
				if found != nil && (best == nil || found.arrive < best.arrive || found.arrive == best.arrive && found.unknown < best.unknown) {
					best, set = found, sub
				}
			}
			if sub == 0 {
				break
			}
		}
	}
	return best, set, nil
}
