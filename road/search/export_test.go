package search

// Reached is how many edges the search has reached so far.
func (s *Tree) Reached() int { return len(s.reached) }

// The most edges between two looks at the context.
const (
	CheckEvery = checkEvery
	ScanEvery  = scanEvery
)
