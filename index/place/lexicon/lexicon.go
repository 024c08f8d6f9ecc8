// Package lexicon reads a question by the words of an index: what it is cut into,
// and which words of the index each part may stand for, with typos, in other
// letters, or as the name of a kind of places.
package lexicon

import (
	"github.com/waygate/waygate/index/place"
)

// Lexicon is an index with what is worked out of its words when it is opened.
type Lexicon struct {
	*place.Index
	*kindTable

	Weights    []float32           // of terms
	foremostOf []uint32            // tree of the most important names of terms
	latin      Span                // terms in Latin letters
	foreign    []uint32            // terms of other scripts that may be asked for by their transcription
	unspaced   [][]uint32          // those of them of scripts that write words together that are apart in Latin letters: as in Thai, and in Armenian where an apostrophe parts them
	longForms  []longForm          // words that those of them abbreviate
	Articles   []uint32            // terms that are the Arabic article in Latin letters
	roads      map[string][]uint32 // terms for kinds of streets by the word for them in Latin letters
	blocks     bool                // there are quarters of numbered blocks, as in Japan
}

// New works out what a lexicon has beside its index.
func New(index *place.Index) *Lexicon {
	x := &Lexicon{Index: index, kindTable: &kindTable{Index: index}}
	x.Weights = make([]float32, x.TermCount())
	for i := range x.Weights {
		x.Weights[i] = float32(x.weight(uint32(i)))
	}
	x.foremostOf = leastOf(x.firsts())
	x.nameKinds()
	x.findScripts()
	_, x.blocks = x.FindTerm("丁")
	return x
}
