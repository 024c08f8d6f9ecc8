package errands

import (
	"context"
	"time"

	"github.com/waygate/waygate/hours"
)

// outcome is the result of a job.
type outcome struct {
	all     *solution // nil where not everything can be done
	largest *solution // where it cannot; nil where not even the drive alone arrives in time
	set     uint      // of largest
	shut    []Shut
}

// solve looks for a plan of everything, and where there is none says why and
// finds the largest that there is.
func (j *job) solve(ctx context.Context) (*outcome, error) {
	p := j.problem()
	whole := uint(1)<<len(p.choices) - 1
	o := &outcome{}
	var err error
	if o.all, err = p.quickest(ctx, whole, p.deadline, false); err != nil {
		return nil, err
	}
	if o.shut, err = j.passedOver(ctx, p, o.all); err != nil || o.all != nil {
		return o, err
	}
	if err := j.explain(ctx, p, whole); err != nil {
		return nil, err
	}
	if o.largest, o.set, err = p.largest(ctx, whole); err != nil {
		return nil, err
	}
	for i := range p.choices {
		if o.set>>i&1 == 1 {
			continue
		}
		s := &j.search.Errands[i]
		if s.dropped == "" {
			s.dropped = j.refused.Code
			if alone, err := p.quickest(ctx, 1<<i, anyTime, false); err != nil {
				return nil, err
			} else if alone == nil {
				s.dropped = AllClosed
			}
		}
		if !j.refused.named {
			j.refused.Blocking = append(j.refused.Blocking, s.ID)
		}
	}
	return o, nil
}

// problem leaves out the candidates that no plan can use, and notes of each
// errand without any why that is.
func (j *job) problem() *problem {
	r := j.request
	p := &problem{
		drive: j.drive, deadline: r.ArriveBy.Sub(r.DepartAt).Milliseconds(), choices: make([][]int, len(r.Errands)),
		during: func(c int, from, to int64) hours.State { return j.candidates[c].hours.during(from, to) },
	}
	for i := range r.Errands {
		p.dwell = append(p.dwell, r.Errands[i].Dwell.Milliseconds())
	}
	n := len(j.candidates)
	for c := range j.candidates {
		x := &j.candidates[c]
		s := &j.search.Errands[x.errand]
		to, from := j.drive[0][c].millis, j.drive[c+1][n].millis
		switch {
		case j.snapped[c].Miss != "" || !j.reachable(c):
			s.Unreachable++
		case !x.supplied && to >= 0 && from >= 0 && to+from-j.direct().millis > r.MaxDetour.Milliseconds():
			s.BeyondDetour++
		default:
			p.choices[x.errand] = append(p.choices[x.errand], c)
		}
	}
	for i := range p.choices {
		s := &j.search.Errands[i]
		switch {
		case len(p.choices[i]) > 0:
		case s.Unreachable > 0 && s.BeyondDetour == 0:
			s.dropped = Unroutable
		case s.Found > 0 && s.Shut > 0 && s.Considered == 0:
			s.dropped = AllClosed
		default:
			s.dropped = NoCandidates
		}
	}
	return p
}

// reachable reports whether any drive leads to a candidate and one from it.
func (j *job) reachable(c int) bool {
	to, from := false, false
	for i := range j.drive {
		to = to || i != c+1 && j.drive[i][c].millis >= 0
	}
	for i, d := range j.drive[c+1] {
		from = from || i != c && d.millis >= 0
	}
	return to && from
}

// passedOver lists the stops that the plan would have had, were it not for what
// their tags say.
func (j *job) passedOver(ctx context.Context, p *problem, all *solution) ([]Shut, error) {
	shut := []Shut{}
	if all != nil && len(all.visits) == 0 {
		return shut, nil
	}
	set := uint(0)
	for i := range p.choices {
		if len(p.choices[i]) > 0 {
			set |= 1 << i
		}
	}
	heedless, err := p.quickest(ctx, set, anyTime, true)
	if err != nil || heedless == nil {
		return shut, err
	}
	place, now := 0, int64(0)
	for _, v := range heedless.visits {
		now += p.drive[place][v.candidate].millis
		if p.during(v.candidate, now, now+p.dwell[v.errand]) == hours.Closed {
			c := &j.candidates[v.candidate]
			shut = append(shut, Shut{Errand: j.request.Errands[v.errand].ID, ID: c.place.ID, Name: c.place.Name, OpeningHours: c.hours.tag, Arrive: j.clock(now), Leave: j.clock(now + p.dwell[v.errand])})
		}
		place, now = v.candidate+1, now+p.dwell[v.errand]
	}
	return shut, nil
}

// explain finds out why not everything can be done.
func (j *job) explain(ctx context.Context, p *problem, whole uint) error {
	for _, code := range []string{NoCandidates, AllClosed, Unroutable} {
		var blocking []string
		for i := range p.choices {
			if j.search.Errands[i].dropped == code {
				blocking = append(blocking, j.request.Errands[i].ID)
			}
		}
		if blocking != nil {
			j.refused = &Reason{Code: code, Detail: details[code], Blocking: blocking, named: true}
			return nil
		}
	}
	late, err := p.quickest(ctx, whole, anyTime, false)
	if err != nil {
		return err
	}
	if late != nil {
		j.refused = &Reason{Code: DeadlineMissed, Detail: details[DeadlineMissed], Blocking: []string{}}
		j.refused.late(time.Duration(late.arrive-p.deadline)*time.Millisecond, j.request.ArriveBy)
		return nil
	}
	heedless, err := p.quickest(ctx, whole, anyTime, true)
	if err != nil {
		return err
	}
	code := AllClosed
	if heedless == nil {
		code = Unroutable
	}
	j.refused = &Reason{Code: code, Detail: details[code], Blocking: []string{}}
	return nil
}
