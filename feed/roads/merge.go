package roads

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/road/link"
)

// mergeSegments puts the speeds of a change over those before it that are no older
// than a time. Of two entries for one place the later counts.
func mergeSegments(last, d *traffic.Document, oldest uint32) []link.Segment {
	order := func(a, b link.Segment) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) }
	at := uint32(max(0, last.Read.Unix()))
	return merged(last.Segments, d.Segments, order, func(s *link.Segment) bool {
		if s.At == 0 {
			s.At = at
		}
		return s.At >= oldest
	})
}

func mergeWays(last, d *traffic.Document, oldest uint32) []link.Way {
	order := func(a, b link.Way) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Dir, b.Dir)) }
	at := uint32(max(0, last.Read.Unix()))
	return merged(last.Ways, d.Ways, order, func(s *link.Way) bool {
		if s.At == 0 {
			s.At = at
		}
		return s.At >= oldest
	})
}

func mergeTurns(last, d *traffic.Document, oldest uint32) []link.Turn {
	order := func(a, b link.Turn) int {
		return cmp.Or(cmp.Compare(a.Via, b.Via), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	}
	at := uint32(max(0, last.Read.Unix()))
	return merged(last.Turns, d.Turns, order, func(t *link.Turn) bool {
		if t.At == 0 {
			t.At = at
		}
		return t.At >= oldest
	})
}

// merged returns the entries of two lists in order, the later list before the older.
func merged[T any](older, newer []T, order func(a, b T) int, keep func(*T) bool) []T {
	all := make([]T, 0, len(older)+len(newer))
	all = append(all, newer...)
	slices.Reverse(all) // so that of two entries for one place the later comes first
	for _, x := range older {
		if keep(&x) {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, order)
	return slices.CompactFunc(all, func(a, b T) bool { return order(a, b) == 0 })
}
