package osm

// space is the memory of one block, used again and again: the objects, and
// what their tags, node references and members are slices of.
type space struct {
	block   Block
	tags    arena[Tag]
	refs    arena[int64]
	members arena[Member]
}

func (s *space) reset() {
	s.block.Nodes, s.block.Ways, s.block.Relations = s.block.Nodes[:0], s.block.Ways[:0], s.block.Relations[:0]
	s.tags.reset()
	s.refs.reset()
	s.members.reset()
}

func (b *Block) count() int { return len(b.Nodes) + len(b.Ways) + len(b.Relations) }

// arenaChunk is the least number of values for which memory is taken at once.
const arenaChunk = 4096

// arena lends slices that live until it is reset. It grows by whole chunks, so
// that what is lent never moves and nothing is copied.
type arena[T any] struct {
	chunks [][]T
	at     int // the chunk in use
	used   int // of it
	lent   int // since the reset
}

func (a *arena[T]) reset() { a.at, a.used, a.lent = 0, 0, 0 }

// take lends n values, which hold whatever they last held; nil for none.
func (a *arena[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	for a.at < len(a.chunks) && n > len(a.chunks[a.at])-a.used {
		a.at++
		a.used = 0
	}
	if a.at == len(a.chunks) {
		a.chunks = append(a.chunks, make([]T, max(n, arenaChunk)))
	}
	s := a.chunks[a.at][a.used : a.used+n : a.used+n]
	a.used += n
	a.lent += n
	return s
}

// keep lends a copy of s.
func (a *arena[T]) keep(s []T) []T {
	c := a.take(len(s))
	copy(c, s)
	return c
}
