// Package find finds the places of a region by what people call them, by what
// is near a point, and by their kind.
package find

import (
	"sync"

	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/place/lexicon"
	"github.com/waygate/waygate/region"
)

// Index is an index that is searched. It is safe for concurrent use.
type Index struct {
	*lexicon.Lexicon
	wordy []uint64 // a bit for each record, set where a house there has no number
	pool  sync.Pool
}

// New makes an index ready to be searched.
func New(index *place.Index) *Index {
	x := &Index{Lexicon: lexicon.New(index), wordy: make([]uint64, len(index.Records)/64+1)}
	for i := range index.Records {
		// Such houses are the last of their street.
		if r := &index.Records[i]; r.Count > 0 && index.Addresses[r.Addresses+r.Count-1].Number == fold.NoNumber {
			x.wordy[i/64] |= 1 << (i % 64)
		}
	}
	return x
}

// Open returns the places of a region; nil where it was built without.
func Open(r *region.Region) (*Index, error) {
	x, err := place.Open(r)
	if x == nil || err != nil {
		return nil, err
	}
	return New(x), nil
}

// Read returns the places in a section, as Read does.
func Read(s *region.Section) (*Index, error) {
	x, err := place.Read(s)
	if err != nil {
		return nil, err
	}
	return New(x), nil
}
