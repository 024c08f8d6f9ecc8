package graph

import (
	"context"
	"errors"
	"testing"

	"github.com/waygate/waygate/geo"
)

// A network that does not fit the numbers of a graph is refused by name, and one that just
// fits is built.
func TestTooLarge(t *testing.T) {
	for _, c := range []struct {
		what string
		add  func(b *Builder)
	}{
		{"nodes", func(b *Builder) {
			for range 18 {
				b.AddNode(NodeFacts{})
			}
		}},
		{"edges", func(b *Builder) {
			for range 10 {
				b.AddSegment(SegmentFacts{From: 0, To: 1}, make([]geo.Fixed, 2))
			}
		}},
		{"points of lines", func(b *Builder) { b.AddSegment(SegmentFacts{From: 0, To: 1}, make([]geo.Fixed, 40)) }},
		{"bytes of names", func(b *Builder) { b.Set("name", "A street of some thirty-two bytes") }},
		{"attributes", func(b *Builder) {
			for _, key := range "abcd" {
				for _, value := range "abcd" {
					b.Set(string(key), string(value))
				}
			}
		}},
		{"edges with the copies of restrictions", func(b *Builder) {
			var path []DirectedSegment
			for i := range AddedNode(3) {
				path = append(path, b.AddSegment(SegmentFacts{From: i, To: (i + 1) % 3}, make([]geo.Fixed, 2)).Forwards())
			}
			b.Restrict(Restriction{Path: path, Modes: AllModes})
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			build := func(most int) error {
				b := NewBuilder()
				for i := range 3 {
					b.AddNode(NodeFacts{OSM: int64(i)})
				}
				b.AddSegment(SegmentFacts{From: 0, To: 1}, make([]geo.Fixed, 2))
				c.add(b)
				b.most = most
				_, err := b.BuildContext(context.Background())
				return err
			}
			least := 1
			for build(least) != nil {
				least++
			}
			if least < 4 || least > 64 {
				t.Fatalf("the least limit that passes is %d", least)
			}
			var large *TooLargeError
			if err := build(least - 1); !errors.As(err, &large) || large.What != c.what || large.Count != least || large.Limit != least-1 {
				t.Errorf("a limit of %d: %v", least-1, err)
			}
		})
	}
}

// A node has the number of the record of its limits in 16 bits.
func TestRecordsOfLimitsFitANode(t *testing.T) {
	build := func(records int) (*Graph, error) {
		b, last := NewBuilder(), uint32(0)
		for i := range records - 1 { // beside that of no limit
			last = b.Limits(Limits{Car: Bounds{Height: uint16(i), Width: 1 + uint16(i>>16)}})
		}
		for i := range 2 {
			b.AddNode(NodeFacts{OSM: int64(i), Limits: last})
		}
		b.AddSegment(SegmentFacts{From: 0, To: 1}, make([]geo.Fixed, 2))
		return b.BuildContext(context.Background())
	}
	const most = 1<<16 - 1
	g, err := build(most)
	if err != nil || g.ByNode[1].Limit != most-1 {
		t.Errorf("as many as fit: %v", err)
	}
	var large *TooLargeError
	if _, err := build(most + 1); !errors.As(err, &large) || large.What != "records of limits" || large.Limit != most {
		t.Errorf("one more: %v", err)
	}
}
