// Package shore divides boxes of a map into land and sea by the coastlines of an extract,
// which may end inside a box or be cut by it. Positions are in a plane in which y grows
// southwards.
package shore

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"

	"github.com/waygate/waygate/importer/multipolygon"
)

// Coast is one natural=coastline way: land lies on its left.
type Coast struct {
	First, Last int64 // node ids
	Points      orb.LineString
}

// Shore is a box divided into land and sea.
type Shore struct {
	Land, Sea orb.MultiPolygon
	Loose     int // ends of chains inside the box: joined to one near by, or drawn on to the box's nearest side

	reach   orb.Bound        // up to where the coast is known
	pieces  []orb.LineString // of the coast, from end to end in the box; without closed ones
	guessed []orb.LineString // from an end to the side
}

// Divide closes coastlines against a box. Chains are joined at their nodes, cut at the
// box, and the cut ends joined along its sides so that land stays on the left. Without
// a coastline the box is all land: an extract at sea without any coast looks like an
// inland one. Islands and lakes beyond the effort are not cut out of what surrounds
// them. Land and sea are then extended to the sides of a wider box.
func Divide(work *multipolygon.Effort, lines []Coast, box, wide orb.Bound) Shore {
	s, islands := divide(work, lines, box, wide)
	cut(work, s.Sea, islands)
	return s
}

// divide is Divide before its islands are cut out of the sea, which with many is most of the work.
func divide(work *multipolygon.Effort, lines []Coast, box, wide orb.Bound) (s Shore, islands []orb.Ring) {
	var arcs []orb.LineString  // from side to side of the box
	var rings []orb.LineString // inside it
	chains := joinCoast(lines)
	if !endsInside(chains, wide) {
		box = wide // the coast is known up to there
	}
	s.reach = box
	chains, gaps := closeGaps(chains, box)
	s.Loose = 2 * gaps
	for _, chain := range chains {
		closed := len(chain) > 3 && chain[0] == chain[len(chain)-1]
		if closed && holds(wide, chain.Bound()) {
			rings = append(rings, chain)
			continue
		}
		if closed {
			chain = turnToOutside(chain, box)
		}
		for _, piece := range clip.LineString(box, chain) {
			if len(piece) < 2 {
				continue
			}
			s.pieces = append(s.pieces, slices.Clone(piece))
			piece, guessed := reachSides(piece, box)
			s.Loose += len(guessed)
			s.guessed = append(s.guessed, guessed...)
			if len(piece) == 2 && piece[0] == piece[1] {
				continue
			}
			arcs = append(arcs, piece)
		}
	}
	s.Land = joinRound(arcs, box)
	s.Sea = joinRound(reversed(arcs), box)
	widen(s.Land, box, wide)
	widen(s.Sea, box, wide)
	for _, line := range s.guessed {
		line[1] = outwards(line[1], box, wide)
	}
	if len(arcs) == 0 {
		whole := orb.Polygon{wide.ToRing()}
		if inSea(work, rings) {
			s.Sea = orb.MultiPolygon{whole}
		} else {
			s.Land = orb.MultiPolygon{whole}
		}
	}
	islands, lakes := s.sort(work, rings)
	for _, r := range islands {
		s.Land = append(s.Land, orb.Polygon{r})
	}
	for _, r := range lakes {
		s.Sea = append(s.Sea, orb.Polygon{r})
	}
	cut(work, s.Land, lakes)
	return s, islands
}

// endsInside reports whether a chain begins or ends in a box.
func endsInside(chains []orb.LineString, box orb.Bound) bool {
	return slices.ContainsFunc(chains, func(c orb.LineString) bool {
		first, last := c[0], c[len(c)-1]
		return first != last && (box.Contains(first) || box.Contains(last))
	})
}

// sort separates islands from lakes among the rings inside a box whose sides are
// divided. A lake in the sea was drawn the wrong way round, and is an island.
func (s *Shore) sort(work *multipolygon.Effort, rings []orb.LineString) (islands, lakes []orb.Ring) {
	slices.SortStableFunc(rings, func(a, b orb.LineString) int {
		return cmp.Compare(math.Abs(multipolygon.Shoelace(b)), math.Abs(multipolygon.Shoelace(a)))
	})
	type held struct {
		ring  orb.Ring
		bound orb.Bound
		land  bool
	}
	sorted := make([]held, 0, len(rings))
	around := func(r orb.Ring, b orb.Bound) (land, known bool) {
		for i := len(sorted) - 1; i >= 0; i-- { // the smallest first
			h := &sorted[i]
			if !work.Spend(1) {
				return false, false
			}
			if !holds(h.bound, b) {
				continue
			}
			if !work.Spend(multipolygon.MostVotes * len(h.ring)) {
				return false, false
			}
			if multipolygon.Inside(h.ring, r) {
				return h.land, true
			}
		}
		for _, p := range s.Sea {
			if !work.Spend(multipolygon.MostVotes * len(p[0])) {
				return false, false
			}
			if multipolygon.Inside(p[0], r) {
				return false, true
			}
		}
		return true, true
	}
	for _, line := range rings {
		r := orb.Ring(line)
		a := multipolygon.Shoelace(r)
		if a == 0 {
			continue
		}
		h := held{r, r.Bound(), a < 0} // anticlockwise on the map: land inside
		if !h.land {
			if land, known := around(r, h.bound); known && !land {
				h.land = true
				r.Reverse()
			}
		}
		sorted = append(sorted, h)
		if h.land {
			islands = append(islands, r)
		} else {
			lakes = append(lakes, r)
		}
	}
	return islands, lakes
}

// widen moves the points on the sides of a box to those of a wider one.
func widen(areas orb.MultiPolygon, box, wide orb.Bound) {
	for _, p := range areas {
		for i := range p[0] {
			p[0][i] = outwards(p[0][i], box, wide)
		}
	}
}

func outwards(p orb.Point, box, wide orb.Bound) orb.Point {
	for axis := range p {
		switch p[axis] {
		case box.Min[axis]:
			p[axis] = wide.Min[axis]
		case box.Max[axis]:
			p[axis] = wide.Max[axis]
		}
	}
	return p
}

func reversed(arcs []orb.LineString) []orb.LineString {
	out := make([]orb.LineString, len(arcs))
	for i, a := range arcs {
		out[i] = slices.Clone(a)
		slices.Reverse(out[i])
	}
	return out
}

// inSea reports whether rings are surrounded by the sea: the largest is an island, or
// some island lies in no lake.
func inSea(work *multipolygon.Effort, rings []orb.LineString) bool {
	var lakes []orb.Ring
	largest, island := 0.0, false
	for _, r := range rings {
		a := multipolygon.Shoelace(r)
		if a > 0 {
			lakes = append(lakes, orb.Ring(r))
		}
		if math.Abs(a) > largest {
			largest, island = math.Abs(a), a < 0
		}
	}
	if island {
		return true
	}
	for _, r := range rings {
		if multipolygon.Shoelace(r) < 0 && !slices.ContainsFunc(lakes, func(l orb.Ring) bool {
			return work.Spend(multipolygon.MostVotes*len(l)) && multipolygon.Inside(l, r)
		}) {
			return true
		}
	}
	return false
}

// cut makes each hole part of the smallest polygon around it.
func cut(work *multipolygon.Effort, polygons orb.MultiPolygon, holes []orb.Ring) {
	bounds := make([]orb.Bound, len(polygons))
	areas := make([]float64, len(polygons))
	for i, p := range polygons {
		bounds[i] = p[0].Bound()
		a := multipolygon.Shoelace(p[0])
		areas[i] = max(a, -a)
	}
	for _, h := range holes {
		b := h.Bound()
		best := -1
		if !work.Spend(len(polygons)) {
			return
		}
		for i, p := range polygons {
			if bounds[i].Contains(b.Min) && bounds[i].Contains(b.Max) && (best < 0 || areas[i] < areas[best]) && work.Spend(multipolygon.MostVotes*len(p[0])) && multipolygon.Inside(p[0], h) {
				best = i
			}
		}
		if best >= 0 {
			polygons[best] = append(polygons[best], h)
		}
	}
}
