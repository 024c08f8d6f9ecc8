// Package soaktest says how much of a test runs on every change, and how much in make soak alone.
package soaktest

import "os"

// Whole reports whether everything runs, as in make soak.
func Whole() bool { return os.Getenv("WAYGATE_SOAK") != "" }

// Cases returns how many cases a test tries: few on every change, all in make soak.
func Cases(few, all int) int {
	if Whole() {
		return all
	}
	return few
}

// First returns the first few of all cases, and in make soak all of them.
func First[T any](few int, all []T) []T { return all[:Cases(few, len(all))] }
