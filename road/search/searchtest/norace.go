//go:build !race

package searchtest

// race is whether the race detector is on.
const race = false
