package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// Quantile returns the time that a share of the requests took at most.
func (r *Result) Quantile(share float64) time.Duration {
	if len(r.Took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(r.Took))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// Mean returns the mean time of an answered request.
func (r *Result) Mean() time.Duration {
	if len(r.Took) == 0 {
		return 0
	}
	var sum time.Duration
	for _, t := range r.Took {
		sum += t
	}
	return sum / time.Duration(len(r.Took))
}

// Report writes results as tables for people. Processor time is that of a request in
// the median block, with the quartiles of the blocks.
func Report(w io.Writer, results []*Result, worst int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, err := fmt.Fprintln(t, "server\tanswered\tfailed\tp50\tp95\tp99\tmean\ttimes the first\tKB each\tmemory\tprocessor each\ttimes the first")
	if err != nil {
		return err
	}
	for _, r := range results {
		n := len(r.Took)
		times := "1"
		if first := results[0].Quantile(0.5); r != results[0] && first > 0 {
			times = fmt.Sprintf("%.2f", r.Quantile(0.5).Seconds()/first.Seconds())
		}
		processor := "1"
		if r != results[0] {
			processor = r.Times(results[0]).times()
		}
		memory := "–"
		if r.Memory > 0 {
			memory = fmt.Sprintf("%d MB", r.Memory>>20)
		}
		if _, err := fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%.1f\t%s\t%s\t%s\n", r.Server.Name, n, r.Failed,
			round(r.Quantile(0.5)), round(r.Quantile(0.95)), round(r.Quantile(0.99)), round(r.Mean()), times, float64(r.Bytes)/1024/float64(max(1, n)), memory, r.Processor().seconds(), processor); err != nil {
			return err
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range results {
		if r.Example != "" {
			if _, err := fmt.Fprintf(w, "\n%s fails with: %s\n", r.Server.Name, r.Example); err != nil {
				return err
			}
		}
	}
	for _, r := range results[1:] {
		if err := r.compare(w, results[0], worst); err != nil {
			return err
		}
	}
	return nil
}

func (r *Result) compare(w io.Writer, first *Result, worst int) error {
	a := &r.Agreement
	if a.Requests == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s beside %s, %d requests that both answered: lengths within 2 %% or 50 m %s, times within 10 %% %s, time in all %.3f times, the same way for nine tenths %s\n",
		first.Server.Name, r.Server.Name, a.Requests, percent(a.Lengths, a.Requests), percent(a.Times, a.Requests), a.SumOwn/a.SumOther, percent(int(a.SameWay(0.9)*1000), 1000))
	for _, d := range a.Worst(worst) {
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "  request %d, %s %s: %.0f m against %.0f, %.0f s against %.0f, %.0f %% shared\n", d.Number, d.Request.Costing, d.Request.shown(), d.Metres[0], d.Metres[1], d.Seconds[0], d.Seconds[1], 100*d.Overlap)
	}
	return err
}

// shown returns where a request goes: the positions of a route, and of more than four their
// number and the ends. The whole of it is the line of its number in the set.
func (q *Request) shown() string {
	if n := len(q.Points); n > 4 {
		return fmt.Sprintf("%d positions from %v to %v", n, q.Points[0], q.Points[n-1])
	}
	return fmt.Sprint(q.Points)
}

func round(d time.Duration) time.Duration {
	switch {
	case d > 100*time.Millisecond:
		return d.Round(time.Millisecond)
	case d > time.Millisecond:
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Microsecond)
}
