package network

import (
	"slices"

	"github.com/waygate/waygate/importer/walkable"
)

// mostParts is how many rings and nodes inside an area are joined to the rest of it
// where the lines across have no end at them.
const mostParts = 256

// parts are the rings of an area at which others meet it, and the nodes inside: what
// lines have to join.
type parts struct {
	ends  [][]int // by part: its points at which lines may end
	group []int   // by part: those that lines join have the same
}

// newParts finds the parts of a ground and which of them lines join. The nodes are those
// of the rings, one ring after the other, and those inside.
func newParts(g *ground, nodes []nodeNumber, lines [][]int) *parts {
	p := &parts{}
	of := make([]int, len(nodes)) // the part of a node, and 1
	at := 0
	for _, ring := range g.rings {
		var ends []int
		for k := at; k < at+len(ring); k++ {
			if g.terminal[nodes[k]] {
				ends = append(ends, k)
			}
		}
		if len(ends) > 0 {
			p.add(ends)
			for k := at; k < at+len(ring); k++ {
				of[k] = len(p.ends)
			}
		}
		at += len(ring)
	}
	for ; at < len(nodes); at++ {
		p.add([]int{at})
		of[at] = len(p.ends)
	}
	for _, line := range lines {
		p.join(of[line[0]]-1, of[line[len(line)-1]]-1)
	}
	return p
}

func (p *parts) add(ends []int) {
	p.group = append(p.group, len(p.ends))
	p.ends = append(p.ends, ends)
}

func (p *parts) join(a, b int) {
	from, to := p.group[a], p.group[b]
	for i := range p.group {
		if p.group[i] == from {
			p.group[i] = to
		}
	}
}

// link gives lines from parts that none leads to yet to the nearest that they see of the
// others.
func (p *parts) link(shape *walkable.Area) (lines [][]int) {
	for i := 1; i < min(len(p.ends), mostParts); i++ {
		if p.group[i] == p.group[0] {
			continue
		}
		var others []int
		for k := range p.ends {
			if p.group[k] != p.group[i] {
				others = append(others, p.ends[k]...)
			}
		}
		from := p.ends[i][0]
		if to, ok := shape.Nearest(from, others); ok {
			lines = append(lines, []int{from, to})
			for k := range p.ends {
				if p.group[k] != p.group[i] && slices.Contains(p.ends[k], to) {
					p.join(i, k)
					break
				}
			}
		}
	}
	return lines
}
