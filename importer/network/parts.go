package network

import (
	"slices"

	"github.com/waygate/waygate/importer/walkable"
)

// mostParts is how many rings and nodes inside an area are joined to the rest of it if
// no line across ends at them, and neighbours to how many others.
const mostParts, neighbours = 256, 3

// parts are the rings of an area at which others meet it, and the nodes inside: lines
// must join them.
type parts struct {
	ends   [][]int // by part: its points at which lines may end
	group  []int   // by part: those that lines join have the same
	joined []bool  // by part: a line across leads to it
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
		a, b := of[line[0]]-1, of[line[len(line)-1]]-1
		p.joined[a], p.joined[b] = true, true
		p.join(a, b)
	}
	return p
}

func (p *parts) add(ends []int) {
	p.group = append(p.group, len(p.ends))
	p.ends, p.joined = append(p.ends, ends), append(p.joined, false)
}

func (p *parts) join(a, b int) {
	from, to := p.group[a], p.group[b]
	for i := range p.group {
		if p.group[i] == from {
			p.group[i] = to
		}
	}
}

// link returns lines from unjoined parts to the nearest three that they see, and then
// more from parts that are not joined to the first, as long as that joins some.
func (p *parts) link(shape *walkable.Area) (lines [][]int) {
	from := func(i int, to []int) bool {
		end, ok := shape.Nearest(p.ends[i][0], to)
		if ok {
			lines = append(lines, []int{p.ends[i][0], end})
			p.join(i, p.of(end))
		}
		return ok
	}
	most := min(len(p.ends), mostParts)
	for i := range most {
		if p.joined[i] {
			continue
		}
		done := []int{i}
		for range neighbours {
			if !from(i, p.but(func(k int) bool { return slices.Contains(done, k) })) {
				break
			}
			done = append(done, p.of(lines[len(lines)-1][1]))
		}
	}
	for more := true; more; {
		more = false
		for i := 1; i < most; i++ {
			if p.group[i] != p.group[0] && from(i, p.but(func(k int) bool { return p.group[k] == p.group[i] })) {
				more = true
			}
		}
	}
	return lines
}

// of returns the part that has an end.
func (p *parts) of(end int) int {
	return slices.IndexFunc(p.ends, func(ends []int) bool { return slices.Contains(ends, end) })
}

// but returns the ends of all parts except some.
func (p *parts) but(left func(k int) bool) (ends []int) {
	for k := range p.ends {
		if !left(k) {
			ends = append(ends, p.ends[k]...)
		}
	}
	return ends
}
