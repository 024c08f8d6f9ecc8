package osm

// space is the memory of one block, used again and again: the objects, and
// what their tags, node references and members are slices of.
type space struct {
	block   Block
	tags    []Tag
	refs    []int64
	members []Member
}

func (s *space) reset() {
	s.block.Nodes, s.block.Ways, s.block.Relations = s.block.Nodes[:0], s.block.Ways[:0], s.block.Relations[:0]
	s.tags, s.refs, s.members = s.tags[:0], s.refs[:0], s.members[:0]
}

func (b *Block) count() int { return len(b.Nodes) + len(b.Ways) + len(b.Relations) }
