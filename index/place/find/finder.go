// Package find finds the places of a region by what people call them, by what
// is near a point, and by their kind.
package find

import (
	"sync"

	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/lexicon"
	"github.com/waygate/waygate/region"
)

// Index is an index that is searched. It is safe for concurrent use.
type Index struct {
	*lexicon.Lexicon
	pool sync.Pool
}

// New makes an index ready to be searched.
func New(index *place.Index) *Index { return &Index{Lexicon: lexicon.New(index)} }

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
