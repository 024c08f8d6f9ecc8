package graph

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// TestSectionsOfAnotherGraph opens a graph with sections beside it that are those of a smaller
// one, or that hold nothing: each is refused by its name.
func TestSectionsOfAnotherGraph(t *testing.T) {
	g := rich(t)
	sections := func(segments int, edges uint32) map[string][]byte {
		return map[string][]byte{
			GradesSection:       regiontest.Written(t, NewGrades(segments).Write),
			ContinuationSection: regiontest.Written(t, func(path string) error { return WriteContinuations(path, make([]Continuation, edges)) }),
			JunctionSection:     regiontest.Written(t, func(path string) error { return WriteJunctions(path, make([]Junctions, edges)) }),
		}
	}
	nothing := regiontest.Written(t, func(path string) error { return (&region.Arrays{}).WriteFile(path) })
	smaller := sections(g.Segments()-1, uint32(g.Base)-1)
	for name := range smaller {
		for what, data := range map[string][]byte{"of a smaller graph": smaller[name], "that holds nothing": nothing} {
			whole := sections(g.Segments(), uint32(g.Base))
			whole[SectionName] = regiontest.Written(t, g.Write)
			if _, err := opened(whole); err != nil {
				t.Fatal(err)
			}
			whole[name] = data
			if _, err := opened(whole); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("a section %s %s: %v", name, what, err)
			}
		}
	}
}
