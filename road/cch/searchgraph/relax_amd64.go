package searchgraph

import "golang.org/x/sys/cpu"

// Fastest returns the fastest way to relax that the processor has.
func Fastest() Relaxer {
	if cpu.X86.HasAVX2 {
		return relaxAVX2
	}
	return RelaxPlain
}

// relaxAVX2 is RelaxPlain with four labels at a time.
//
//go:noescape
func relaxAVX2(labels []uint64, depth, stride int, arcs []WeightedArc, wide []WideArc) bool
