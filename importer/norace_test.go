//go:build !race

package importer

// race is whether the race detector is on.
const race = false
