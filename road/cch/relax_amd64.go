package cch

import "golang.org/x/sys/cpu"

// fastest gives the fastest way to relax that the processor knows.
func fastest() relaxer {
	if cpu.X86.HasAVX2 {
		return relaxAVX2
	}
	return relaxPlain
}

// relaxAVX2 is relaxPlain with four labels at a time.
//
//go:noescape
func relaxAVX2(labels []uint64, depth, stride int, arcs []weightedArc, wide []wideArc) bool
