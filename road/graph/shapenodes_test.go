package graph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
)

// TestAppendNodes compares with plain lists: runs of numbers that are left and
// taken up again, as in OSM, and numbers from anywhere.
func TestAppendNodes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(61, 62))
	for round := range 60 {
		b := NewBuilder()
		heads := []int64{1, 300_000_000, 300_004_000, 12_345_678_901, -7}
		number := func() int64 {
			i := rnd.IntN(len(heads))
			switch rnd.IntN(8) {
			case 0:
				return rnd.Int64N(1<<61) - 1<<60
			case 1:
				return 0
			case 2:
				heads[i] -= 2
			}
			heads[i]++
			return heads[i]
		}
		var place []geo.Fixed
		var id []int64
		for n := range 20 {
			place, id = append(place, geo.Fixed{Lon: int32(n) * 9000, Lat: rnd.Int32N(9000)}), append(id, number())
			b.AddNode(NodeFacts{Position: place[n], OSM: id[n], Access: AllModes})
		}
		var want [][]int64
		for range round * 3 {
			u := rnd.IntN(19)
			v := u + 1 + rnd.IntN(19-u)
			line, ids := []geo.Fixed{place[u]}, []int64{id[u]}
			for range rnd.IntN(3) * rnd.IntN(9) {
				line, ids = append(line, geo.Fixed{Lon: rnd.Int32N(9000), Lat: -rnd.Int32N(9000)}), append(ids, number())
			}
			s := SegmentFacts{From: AddedNode(u), To: AddedNode(v), InnerNodes: ids[1:]}
			if rnd.IntN(9) == 0 {
				clear(ids[1:])
				s.InnerNodes = nil
			}
			b.AddSegment(s, append(line, place[v]))
			want = append(want, append(ids, id[v]))
		}
		g := b.Build()
		if err := g.Verify(); err != nil {
			t.Fatal(err)
		}
		dst := []int64{99}
		for s, ids := range want {
			e := g.Forward[s]
			if got := g.AppendNodes(dst, e); got[0] != 99 || !slices.Equal(got[1:], ids) {
				t.Fatalf("round %d, segment %d: %v, want %v", round, s, got, ids)
			}
			slices.Reverse(ids)
			if got := g.AppendNodes(nil, g.ByEdge[e].Opposite); !slices.Equal(got, ids) {
				t.Fatalf("round %d, segment %d backwards: %v, want %v", round, s, got, ids)
			}
		}
	}
}

// A street of nodes drawn in one go takes a byte for each.
func TestNodesOfOneRunTakeAByte(t *testing.T) {
	b := NewBuilder()
	from := b.AddNode(NodeFacts{OSM: 5_000_000_000, Access: AllModes})
	to := b.AddNode(NodeFacts{OSM: 100, Position: geo.Fixed{Lon: 900}, Access: AllModes})
	line, ids := []geo.Fixed{{}}, []int64(nil)
	for i := range int32(40) {
		line, ids = append(line, geo.Fixed{Lon: i, Lat: i}), append(ids, 101+int64(i))
	}
	b.AddSegment(SegmentFacts{From: from, To: to, InnerNodes: ids}, append(line, geo.Fixed{Lon: 900}))
	if g := b.Build(); len(g.ShapeNodes.Code) != len(ids) {
		t.Errorf("%d numbers take %d bytes", len(ids), len(g.ShapeNodes.Code))
	}
}
