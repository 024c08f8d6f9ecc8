package bench

import (
	"fmt"
	"slices"
	"time"
)

// Spread are the quartiles of what blocks gave.
type Spread struct{ Low, Median, High float64 }

// spreadOf returns the quartiles, linear between two values; zeros where there are
// none.
func spreadOf(values []float64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	sorted := slices.Sorted(slices.Values(values))
	at := func(share float64) float64 {
		i, part := int(share*float64(len(sorted)-1)), 0.0
		part = share*float64(len(sorted)-1) - float64(i)
		return sorted[i] + part*(sorted[min(i+1, len(sorted)-1)]-sorted[i])
	}
	return Spread{at(0.25), at(0.5), at(0.75)}
}

// Processor returns the processor time of a request in seconds, by block; zeros where the
// server's process is not known.
func (r *Result) Processor() Spread {
	var each []float64
	for _, b := range r.Blocks {
		if b.Processor > 0 && b.Requests > 0 {
			each = append(each, b.Processor.Seconds()/float64(b.Requests))
		}
	}
	return spreadOf(each)
}

// Times returns how many times the processor time of first a server took, block by block.
func (r *Result) Times(first *Result) Spread {
	var each []float64
	for i, b := range r.Blocks {
		if own := first.Blocks[i].Processor; own > 0 && b.Processor > 0 {
			each = append(each, b.Processor.Seconds()/own.Seconds())
		}
	}
	return spreadOf(each)
}

func (s Spread) seconds() string {
	if s.Median == 0 {
		return "–"
	}
	show := func(v float64) time.Duration { return round(time.Duration(v * float64(time.Second))) }
	return fmt.Sprintf("%s (%s to %s)", show(s.Median), show(s.Low), show(s.High))
}

func (s Spread) times() string {
	if s.Median == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", s.Median, s.Low, s.High)
}
