package searchtest

import "testing"

// Cases is how many cases of all a property test tries: some in short tests,
// and half under the race detector, which makes the slow searches ten times
// slower and finds nothing in cases that run one after the other.
func Cases(all int) int {
	switch {
	case testing.Short():
		return all / 5
	case race:
		return all / 2
	}
	return all
}
