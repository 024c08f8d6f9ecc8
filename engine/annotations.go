package engine

import "strings"

// Annotations is a set of the facts that an answer in OSRM's format has of each piece of a
// leg's line.
type Annotations uint8

// The annotations of a line. Lengths are metres, times seconds, speeds metres a second.
// AnnotateLimit is the posted limit.
const (
	AnnotateDistance Annotations = 1 << iota
	AnnotateDuration
	AnnotateSpeed
	AnnotateWeight
	AnnotateNodes
	AnnotateSources
	AnnotateLimit

	// AnnotateAll has all that OSRM returns for annotations=true.
	AnnotateAll = AnnotateDistance | AnnotateDuration | AnnotateSpeed | AnnotateWeight | AnnotateNodes | AnnotateSources
)

// annotationNames are the words for them in OSRM's URLs. Of congestion
// nothing is known, so that it adds nothing.
var annotationNames = []struct {
	name string
	set  Annotations
}{
	{"true", AnnotateAll},
	{"false", 0},
	{"distance", AnnotateDistance},
	{"duration", AnnotateDuration},
	{"speed", AnnotateSpeed},
	{"weight", AnnotateWeight},
	{"nodes", AnnotateNodes},
	{"datasources", AnnotateSources},
	{"maxspeed", AnnotateLimit},
	{"congestion", 0},
	{"congestion_numeric", 0},
	{"closure", 0},
}

// AnnotationNames lists the words that ParseAnnotations reads.
func AnnotationNames() []string {
	names := make([]string, len(annotationNames))
	for i, a := range annotationNames {
		names[i] = a.name
	}
	return names
}

// ParseAnnotations reads a comma-separated list of words: true for OSRM's usual
// ones, false for none. It gives the first word that is unknown, and false.
func ParseAnnotations(list string) (set Annotations, unknown string, ok bool) {
next:
	for word := range strings.SplitSeq(list, ",") {
		for _, a := range annotationNames {
			if a.name == word {
				set |= a.set
				continue next
			}
		}
		return 0, word, false
	}
	return set, "", true
}
