//go:build !amd64

package searchgraph

// Fastest returns the fastest way to relax that the processor has.
func Fastest() Relaxer { return RelaxPlain }
