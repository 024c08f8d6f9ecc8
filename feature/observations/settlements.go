package observations

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/index/surroundings"
)

// chunk is how many pieces are compared with a place by one box.
const chunk = 64

// settlements finds the cities, towns, villages and hamlets whose labels the line comes near,
// each where it is nearest.
func (w *walk) settlements(ctx context.Context) error {
	var list []surroundings.Place
	looked := map[[2]int]bool{}
	last := math.Inf(-1)
	for i := range w.pieces {
		p := &w.pieces[i]
		if p.to-last < widest/4 && i != len(w.pieces)-1 {
			continue
		}
		last = p.to
		// The places that are looked at are so near each other that none is missed.
		err := w.view.Places(ctx, p.b, widest+widest/4, looked, func(at surroundings.Place) {
			if radii[at.Detail] > 0 {
				list = append(list, at)
			}
		})
		if err != nil {
			return err
		}
	}
	slices.SortFunc(list, surroundings.Place.Order)
	list = slices.CompactFunc(list, func(a, b surroundings.Place) bool { return a.Name == b.Name && a.WorldPoint == b.WorldPoint })
	boxes := w.boxes()
	for i := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.passes(&list[i], boxes)
	}
	return nil
}

// box is around a chunk of pieces, on the map.
type box struct{ left, top, right, foot float64 }

func (w *walk) boxes() (list []box) {
	for first := 0; first < len(w.pieces); first += chunk {
		b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
		for _, p := range w.pieces[first:min(first+chunk, len(w.pieces))] {
			b.left, b.right = min(b.left, p.a.X, p.b.X), max(b.right, p.a.X, p.b.X)
			b.top, b.foot = min(b.top, p.a.Y, p.b.Y), max(b.foot, p.a.Y, p.b.Y)
		}
		list = append(list, b)
	}
	return list
}

// passes adds a settlement if the line comes within its radius.
func (w *walk) passes(at *surroundings.Place, boxes []box) {
	radius := radii[at.Detail]
	reach := radius / surroundings.MetresBetween(surroundings.WorldPoint{Y: at.Y}, surroundings.WorldPoint{X: 1, Y: at.Y})
	best, arc := math.Inf(1), 0.0
	for i, b := range boxes {
		if at.X < b.left-reach || at.X > b.right+reach || at.Y < b.top-reach || at.Y > b.foot+reach {
			continue
		}
		for j := i * chunk; j < min((i+1)*chunk, len(w.pieces)); j++ {
			p := &w.pieces[j]
			dx, dy := p.b.X-p.a.X, p.b.Y-p.a.Y
			t := 0.0
			if square := dx*dx + dy*dy; square > 0 {
				t = min(max(((at.X-p.a.X)*dx+(at.Y-p.a.Y)*dy)/square, 0), 1)
			}
			if off := surroundings.MetresBetween(at.WorldPoint, surroundings.WorldPoint{X: p.a.X + t*dx, Y: p.a.Y + t*dy}); off < best {
				best, arc = off, p.from+t*(p.to-p.from)
			}
		}
	}
	if best > radius {
		return
	}
	rank := rankVillage
	if at.Detail == "city" || at.Detail == "town" {
		rank = rankTown
	}
	off := decimetres(best)
	w.add(candidate{rank: rank}, arc, at.Name, Settlement, "within-class-radius", w.q.Language.PastSettlement(at.Name)).Offset = &off
}
