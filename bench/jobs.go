package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/waygate/waygate/parallel"
)

// BesideJobs is a server that answers small calls while long jobs run.
type BesideJobs struct {
	Load   *Load         // its Server, whose key owns the jobs, Set, Small and Rounds
	Calls  int           // small ones of a block
	Jobs   int           // plans of a day that are requested at once
	Stops  int           // of each, drawn from the set
	Begins time.Duration // how long is waited until they are worked on
}

// jobTime is how many seconds a job may search: as long as one may, and longer than blocks take.
const jobTime = 600

// Run measures small calls alone and beside jobs in turn, and writes what came of them.
func (b *BesideJobs) Run(ctx context.Context, w io.Writer) error {
	l := b.Load
	if len(l.Set) < 2 {
		return errors.New("a set of at least two routes is needed")
	}
	if _, err := b.block(ctx); err != nil { // warm
		return err
	}
	var alone, beside Tally
	ran := b.Jobs
	for range l.Rounds {
		t, err := b.block(ctx)
		if err != nil {
			return err
		}
		alone.add(t)
		running, t, err := b.round(ctx)
		if err != nil {
			return err
		}
		ran = min(ran, running)
		beside.add(t)
	}
	_, _ = fmt.Fprintf(w, "%d clients of small routes alone: %s\n", l.Small, &alone)
	_, err := fmt.Fprintf(w, "the same beside %d jobs of %d stops, of which %d ran: %s\nbeside jobs p99 is %.2f times of what it is alone, p50 %.2f times, the rate %.0f %%\n",
		b.Jobs, b.Stops, ran, &beside, ratio(&beside, &alone, 0.99), ratio(&beside, &alone, 0.5), 100*beside.Rate()/alone.Rate())
	return err
}

// block makes so many small calls.
func (b *BesideJobs) block(ctx context.Context) (*Tally, error) {
	l := b.Load
	began, t := time.Now(), &Tally{}
	var failure error
	left := b.Calls
	take := func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		left--
		return left >= 0 && failure == nil
	}
	var all parallel.Group
	for range l.Small {
		all.Go(func() {
			for take() {
				one, err := l.send(ctx, l.route(l.next()))
				l.mu.Lock()
				if err != nil {
					failure = err
				} else {
					t.add(one)
				}
				l.mu.Unlock()
			}
		})
	}
	all.Wait()
	t.Over = time.Since(began)
	return t, failure
}

func ratio(a, b *Tally, share float64) float64 {
	return a.Quantile(share).Seconds() / b.Quantile(share).Seconds()
}

// round has small calls beside jobs, which it ends, and returns how many of these ran to its end.
func (b *BesideJobs) round(ctx context.Context) (running int, t *Tally, err error) {
	var ids []string
	defer func() {
		for _, id := range ids {
			_, stop := b.send(context.WithoutCancel(ctx), http.MethodDelete, "/v1/jobs/"+id, nil)
			err = errors.Join(err, stop)
		}
	}()
	for range b.Jobs {
		j, err := b.send(ctx, http.MethodPost, "/v1/jobs/optimise", b.plan(b.Load.next()))
		if err != nil {
			return 0, nil, err
		}
		ids = append(ids, j.ID)
	}
	for deadline := time.Now().Add(b.Begins); ; {
		running, searching, err := b.look(ctx, ids)
		switch {
		case err != nil:
			return 0, nil, err
		case running > 0 && searching == running:
			t, err := b.block(ctx)
			if err != nil {
				return 0, nil, err
			}
			running, _, err = b.look(ctx, ids)
			return running, t, err
		case time.Now().After(deadline):
			return 0, nil, fmt.Errorf("of %d jobs %d run and %d search after %s", b.Jobs, running, searching, b.Begins)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// look counts the jobs that run, and those of them that have come to their search.
func (b *BesideJobs) look(ctx context.Context, ids []string) (running, searching int, err error) {
	for _, id := range ids {
		j, err := b.send(ctx, http.MethodGet, "/v1/jobs/"+id, nil)
		if err != nil {
			return 0, 0, err
		}
		if j.State == "running" {
			running++
			if j.Progress.Stage == "search" {
				searching++
			}
		}
	}
	return running, searching, nil
}

// plan returns a day of twenty vehicles from one place of the set to others.
func (b *BesideJobs) plan(seed int) any {
	places := b.Load.around(seed, b.Stops+1)
	var vehicles, jobs []object
	for i := range 20 {
		vehicles = append(vehicles, object{"id": fmt.Sprint(i), "start": places[0], "end": places[0], "capacity": []int{(b.Stops + 14) / 15}})
	}
	for i, p := range places[1:] {
		jobs = append(jobs, object{"id": fmt.Sprint(i), "location": p, "service_s": 180, "delivery": []int{1}})
	}
	return object{"vehicles": vehicles, "jobs": jobs, "time_limit_s": jobTime}
}

// longJob is a job as far as it is looked at here.
type longJob struct {
	ID, State string
	Progress  struct{ Stage string }
}

func (b *BesideJobs) send(ctx context.Context, method, path string, body any) (*longJob, error) {
	s := b.Load.Server
	r, err := s.newRequest(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	resp, err := s.do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
	if err != nil {
		return nil, err
	}
	j := &longJob{}
	if resp.StatusCode >= http.StatusMultipleChoices || json.Unmarshal(answer, j) != nil {
		return nil, fmt.Errorf("%s %s: %d %.300s", method, path, resp.StatusCode, answer)
	}
	return j, nil
}
