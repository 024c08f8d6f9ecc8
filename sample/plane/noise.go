package plane

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// Dice returns the random source of one part of the county. Each part has its
// own, so that a change in one does not stir the rest.
func Dice(part string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(part)) // a hash never fails
	return rand.New(rand.NewPCG(h.Sum64(), 0x48616c7665726e))
}

// Lattice returns the same number between -1 and 1 for the same point of the lattice and seed.
func Lattice(x, y int64, seed uint64) float64 {
	h := uint64(x)*0x9e3779b97f4a7c15 ^ uint64(y)*0xc2b2ae3d27d4eb4f ^ seed*0x165667b19e3779f9
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 32
	h *= 0x94d049bb133111eb
	h ^= h >> 29
	return float64(h>>40)/(1<<23) - 1
}

// Noise is smooth value noise in -1 to 1 with features of the given size in
// metres.
func Noise(p Point, size float64, seed uint64) float64 {
	x, y := p.X/size, p.Y/size
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int64(fx), int64(fy)
	tx, ty := x-fx, y-fy
	tx, ty = tx*tx*(3-2*tx), ty*ty*(3-2*ty)
	a, b := Lattice(ix, iy, seed), Lattice(ix+1, iy, seed)
	c, d := Lattice(ix, iy+1, seed), Lattice(ix+1, iy+1, seed)
	return (a*(1-tx)+b*tx)*(1-ty) + (c*(1-tx)+d*tx)*ty
}

// Rough is noise with four octaves.
func Rough(p Point, size float64, seed uint64) float64 {
	return (8*Noise(p, size, seed) + 4*Noise(p, size/2, seed+1) +
		2*Noise(p, size/4, seed+2) + Noise(p, size/8, seed+3)) / 15
}

// Between returns a random value from lo to hi.
func Between(r *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

// Pick returns an element of a list that is not empty.
func Pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
