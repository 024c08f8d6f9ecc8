package fold

import (
	"strings"
)

// WordSet returns the words of lists as a set, folded.
func WordSet(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		for w := range strings.FieldsSeq(list) {
			set[w] = true
		}
	}
	return set
}
