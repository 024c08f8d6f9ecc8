package upstream

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
)

// race is a call that is sent to further servers where the first is slow or fails.
func (p *Pool) race(ctx context.Context, first *member, r *Request) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan attempt, len(p.members))
	var tried []*member
	start := func(m *member) {
		tried = append(tried, m)
		parallel.Go(func() { results <- p.attempt(ctx, m, r) }, func(v *parallel.Panic) {
			results <- attempt{member: m, err: v}
		})
	}
	start(first)
	var late <-chan time.Time
	if p.options.Hedge > 0 {
		timer := time.NewTimer(p.options.Hedge)
		defer timer.Stop()
		late = timer.C
	}
	var ended []attempt
	for len(ended) < len(tried) {
		select {
		case <-late:
			late = nil // once
			if m := p.again(tried, slow); m != nil {
				start(m)
			}
		case a := <-results:
			ended = append(ended, a)
			if !a.lost { // an answer, a refusal, or the caller left
				cancel()
				rivalled := !isGone(a.err)
				p.recordAttempts(append(ended, unended(tried, ended, rivalled, a.member)...), rivalled)
				return a.body, handed(a.err)
			}
			if ctx.Err() == nil {
				if m := p.again(tried, p.why(&a)); m != nil {
					start(m)
				}
			}
		}
	}
	p.recordAttempts(ended, false)
	return nil, handed(ended[len(ended)-1].err)
}

// handed panics with what a server's attempt panicked with, for the caller's goroutine.
func handed(err error) error {
	var p *parallel.Panic
	if errors.As(err, &p) {
		panic(p)
	}
	return err
}

// unended returns an attempt without an answer for each server that is still at work. It was
// slow where a rival has answered that was asked later.
func unended(tried []*member, ended []attempt, rivalled bool, rival *member) (list []attempt) {
	for i, m := range tried {
		if !slices.ContainsFunc(ended, func(a attempt) bool { return a.member == m }) {
			list = append(list, attempt{member: m, err: context.Canceled, slow: rivalled && i < slices.Index(tried, rival)})
		}
	}
	return list
}

// isGone reports whether an attempt ended because nobody waits for it.
func isGone(err error) bool { return errors.Is(err, context.Canceled) }

// isSilent reports whether a server gave no answer at all.
func isSilent(err error) bool {
	return fault.Is(err, fault.UpstreamUnavailable) || fault.Is(err, fault.UpstreamTimeout)
}
