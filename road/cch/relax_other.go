//go:build !amd64

package cch

// fastest gives the fastest way to relax that the processor knows.
func fastest() relaxer { return relaxPlain }
