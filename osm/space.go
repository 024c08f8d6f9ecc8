package osm

import "unsafe"

// space is the memory of one block, used again and again: the objects, and
// what their tags, node references and members are slices of.
type space struct {
	block   Block
	tags    arena[Tag]
	refs    arena[int64]
	members arena[Member]
}

func (s *space) reset() {
	b := &s.block
	b.Nodes, b.Ways, b.Relations, b.Skipped = b.Nodes[:0], b.Ways[:0], b.Relations[:0], b.Skipped[:0]
	s.tags.reset()
	s.refs.reset()
	s.members.reset()
}

func (b *Block) count() int { return len(b.Nodes) + len(b.Ways) + len(b.Relations) }

func (b *Block) skip(kind Kind, id int64, why Reason) {
	b.Skipped = append(b.Skipped, Skip{kind, id, why})
}

// Bytes of memory that each of what a block holds takes.
const (
	sizeOfNode     = unsafe.Sizeof(Node{})
	sizeOfWay      = unsafe.Sizeof(Way{})
	sizeOfRelation = unsafe.Sizeof(Relation{})
	sizeOfSkip     = unsafe.Sizeof(Skip{})
	sizeOfTag      = unsafe.Sizeof(Tag{})
	sizeOfRef      = unsafe.Sizeof(int64(0))
	sizeOfMember   = unsafe.Sizeof(Member{})
)

// bytes is about the memory that the block takes, without its strings.
func (s *space) bytes() int64 {
	b := &s.block
	return int64(len(b.Nodes))*int64(sizeOfNode) + int64(len(b.Ways))*int64(sizeOfWay) +
		int64(len(b.Relations))*int64(sizeOfRelation) + int64(len(b.Skipped))*int64(sizeOfSkip) +
		int64(s.tags.lent)*int64(sizeOfTag) + int64(s.refs.lent)*int64(sizeOfRef) + int64(s.members.lent)*int64(sizeOfMember)
}

// keepable is the most memory in bytes that a block's space keeps for the next
// block: ordinary blocks take a few megabytes.
const keepable = 16 << 20

// recycle lets go of the memory of an extraordinary block.
func (s *space) recycle() {
	if s.bytes() > keepable {
		*s = space{}
	}
}

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

// take lends n values, with their last contents; nil for none.
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

// copyOf lends a copy of s.
func (a *arena[T]) copyOf(s []T) []T {
	c := a.take(len(s))
	copy(c, s)
	return c
}
