package graph

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// ShapeNodes are the OSM nodes of the inner points of every segment's line,
// once for both directions, compressed. A mapper who draws a way in one go
// gives its nodes consecutive ids, so most ids are near the one before them or
// near the last id of another such run: the difference takes one byte for most.
//
// Of each segment, in the way's direction, Code has one unsigned varint for
// every point but the first and the last; their number follows from the line.
// Block b of blockSize segments begins at Code[At[b]], and At has one element
// more, so that a segment needs no offset of its own.
type ShapeNodes struct {
	At   []uint32
	Code []byte
}

// runs are the two ids that the next one is coded against: the last, and the
// last one of the run before. It begins with the ids of the segment's ends.
type runs struct{ last, other int64 }

// farOff is the difference above which an id begins another run.
const farOff = 1 << 12

// put appends the code of an id: its zigzag difference from one of the two,
// shifted left by one bit that says from which. OSM's ids are far below 62 bits,
// so the shift loses nothing.
func (r *runs) put(dst []byte, id int64) []byte {
	last, other := zigzag(id-r.last)<<1, zigzag(id-r.other)<<1|1
	dst = binary.AppendUvarint(dst, min(last, other))
	r.follow(id, other < last)
	return dst
}

// get reads an id and gives how many bytes it took, 0 or less where the code is
// no varint.
func (r *runs) get(code []byte) (id int64, n int) {
	v, n := binary.Uvarint(code)
	from := r.last
	if v&1 != 0 {
		from = r.other
	}
	d := v >> 1
	id = from + (int64(d>>1) ^ -int64(d&1))
	r.follow(id, v&1 != 0)
	return id, n
}

func (r *runs) follow(id int64, other bool) {
	if d := id - r.last; other || d > farOff || d < -farOff {
		r.other = r.last
	}
	r.last = id
}

func zigzag(d int64) uint64 { return uint64(d<<1 ^ d>>63) }

// blockSize is how many segments share an offset.
const blockSize = 32

// add appends the ids of a segment's inner points, after those of the segments
// before it. With ids nil, where they are not known, each is 0.
func (b *ShapeNodes) add(segment, points int, r runs, ids []int64) {
	if segment%blockSize == 0 {
		b.At = append(b.At, uint32(len(b.Code)))
	}
	for i := range points - 2 {
		id := int64(0)
		if ids != nil {
			id = ids[i]
		}
		b.Code = r.put(b.Code, id)
	}
}

// finished returns the arrays with the end of the last block appended to At.
func (b *ShapeNodes) finished() ShapeNodes {
	return ShapeNodes{append(b.At, uint32(len(b.Code))), b.Code}
}

// AppendNodes appends the OSM nodes of all points of an edge in its direction
// of travel, both ends included: one for each point of AppendShape, 0 where the
// node is not known.
func (g *Graph) AppendNodes(dst []int64, e Edge) []int64 {
	s := g.Segment(e)
	from, forward := len(dst), g.Forward[s]
	r := runs{g.NodeID[g.ByEdge[forward].Tail], g.NodeID[g.ByEdge[forward].Head]}
	dst = append(dst, r.last)
	end := r.other
	code := g.nodeCodes(s)
	for range g.innerPoints(s) {
		id, n := r.get(code)
		code = code[n:]
		dst = append(dst, id)
	}
	dst = append(dst, end)
	if g.Backward(e) {
		slices.Reverse(dst[from:])
	}
	return dst
}

// innerPoints returns the number of inner points of a segment's line.
func (g *Graph) innerPoints(s Segment) int { return int(g.ShapeAt[s+1]-g.ShapeAt[s]) - 2 }

// nodeCodes returns the code from where the varints of a segment begin.
func (g *Graph) nodeCodes(s Segment) []byte {
	block := s / blockSize
	code := g.ShapeNodes.Code[g.ShapeNodes.At[block]:g.ShapeNodes.At[block+1]]
	// Both ends of every segment's line have no code.
	skip := int(g.ShapeAt[s]-g.ShapeAt[block*blockSize]) - 2*int(s%blockSize)
	at := 0
	for ; skip > 0; at++ {
		if code[at] < 0x80 { // the last byte of a varint
			skip--
		}
	}
	return code[at:]
}

// verifyShapeNodes checks that every block has as many ids as its segments have
// inner points, each of at most 64 bits.
func (g *Graph) verifyShapeNodes() error {
	if err := verifyOffsets("between.at", g.ShapeNodes.At, len(g.ShapeNodes.Code)); err != nil {
		return err
	}
	for b := range len(g.ShapeNodes.At) - 1 {
		code := g.ShapeNodes.Code[g.ShapeNodes.At[b]:g.ShapeNodes.At[b+1]]
		for s := b * blockSize; s < min(g.Segments(), (b+1)*blockSize); s++ {
			for range g.innerPoints(Segment(s)) {
				_, n := binary.Uvarint(code)
				if n <= 0 {
					return wrong("between", b, "the nodes of segment %d are cut short or no numbers", s)
				}
				code = code[n:]
			}
		}
		if len(code) > 0 {
			return wrong("between", b, "%d bytes more than the segments have points", len(code))
		}
	}
	return nil
}

func (g *Graph) checkShapeNodes() error {
	if got, want := len(g.ShapeNodes.At), (g.Segments()+blockSize-1)/blockSize+1; got != want {
		return fmt.Errorf("section %s: array between.at has %d elements, want %d", SectionName, got, want)
	}
	return nil
}
