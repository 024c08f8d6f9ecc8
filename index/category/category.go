// Package category has the words that people use for kinds of places, in the languages of
// narration, and which categories of an index of places they mean: "cash machine" is atm.
package category

import (
	_ "embed"
	"strings"
	"sync"
)

// The table of words; its head says how it is written.
//
//go:embed kinds.txt
var table string

// Keys are the keys of OpenStreetMap's tags that are categories themselves, of places whatever
// their value.
var Keys = []string{"amenity", "building", "craft", "healthcare", "historic", "leisure", "office", "shop", "tourism"}

// Kind is a kind of places.
type Kind struct {
	// Categories are those of the index that it stands for, the most fitting first. One with a
	// plus sign, such as station+railway, stands for places that have both; a part may name its
	// key, as in pitch+sport=soccer.
	Categories []string
	Sayings    []Saying
}

// Saying is a word or a phrase for a kind.
type Saying struct{ Lang, Text string }

// All gives the kinds of the table, in its order.
var All = sync.OnceValue(func() []Kind {
	var all []Kind
	inside := false
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "":
			inside = false
		case !inside:
			all = append(all, Kind{Categories: strings.Fields(line)})
			inside = true
		default:
			lang, list, _ := strings.Cut(line, " ")
			k := &all[len(all)-1]
			for text := range strings.SplitSeq(list, ",") {
				k.Sayings = append(k.Sayings, Saying{lang, strings.TrimSpace(text)})
			}
		}
	}
	return all
})
