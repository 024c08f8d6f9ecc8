package sample

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/waygate/waygate/osm"
)

// building is a footprint with what is known of it.
type building struct {
	ring  []pt // anticlockwise, not closed
	door  pt   // middle of the front
	tags  osm.Tags
	zone  zone
	place *settlement
	main  bool // it fronts a main street
	used  bool // a shop or other place has taken it
}

// plots says how houses stand along a street.
type plots struct {
	front, deep, setback, gap float64 // metres
	row                       int     // houses in a row share walls
	kind                      []string
	levels                    [2]int
	chance                    float64
}

func plotsOf(z zone, r *road, rnd *rand.Rand) plots {
	switch z {
	case core:
		return plots{between(rnd, 8, 13), between(rnd, 11, 16), 4.6, 0.5, 6, []string{"retail", "retail", "commercial", "house", "apartments"}, [2]int{2, 4}, 0.93}
	case terrace:
		return plots{between(rnd, 6.2, 7.2), between(rnd, 9, 10.5), 7.2, 2.5, 8 + rnd.IntN(8), []string{"terrace", "house"}, [2]int{2, 3}, 0.96}
	case works:
		return plots{between(rnd, 28, 60), between(rnd, 24, 44), 16, 16, 1, []string{"industrial", "warehouse", "retail", "industrial", "commercial"}, [2]int{1, 2}, 0.9}
	case estate:
		if r.street%3 == 0 {
			return plots{between(rnd, 8.4, 9.6), between(rnd, 8.5, 9.6), 10.5, 5.5, 2, []string{"semidetached_house"}, [2]int{2, 2}, 0.95}
		}
		return plots{between(rnd, 9.5, 13), between(rnd, 8.5, 11), 10.5, 6.6, 1, []string{"detached", "detached", "house", "bungalow"}, [2]int{1, 2}, 0.93}
	default:
		return plots{between(rnd, 8, 13), between(rnd, 7, 9.5), between(rnd, 6, 11), between(rnd, 6, 20), 1 + rnd.IntN(3), []string{"house", "house", "detached", "cottage"}, [2]int{1, 2}, 0.78}
	}
}

// build puts houses along the streets of the settlements, and farms in the
// country.
func (b *builder) build() []*building {
	rnd := dice("buildings")
	taken := b.area
	var out []*building
	try := func(ring []pt, gap float64) bool {
		for i := range ring {
			p, q := ring[i], ring[(i+1)%len(ring)]
			n := max(1, int(p.dist(q)/6))
			for k := range n {
				at := p.lerp(q, float64(k)/float64(n))
				if b.inLot(at) || b.lines.near(at, 3.9) || b.barriers.near(at, 13) || b.land.inland(at) < 8 || b.wet(at) {
					return false
				}
			}
			if _, _, cut := taken.hit(p, q); cut || taken.near(p, gap) {
				return false
			}
			if _, _, cut := b.lines.hit(p, q); cut {
				return false
			}
		}
		return true
	}
	for _, r := range b.roads {
		if r.level != 0 || r.rank > living || r.rank < primary || r.tags.Get("junction") == "roundabout" || r.apart || r.rank <= primary && r.zone == country {
			continue
		}
		number := map[float64]int{1: 1, -1: 2}
		for _, side := range []float64{1, -1} {
			z, place := zoneAt(b.towns, r.pts[len(r.pts)/2])
			total := length(r.pts)
			if z == country {
				continue
			}
			p := plotsOf(z, r, rnd)
			inRow := 0
			var shared [2]pt
			joined := false
			for s := 7.0; s+p.front < total-4; {
				if inRow >= p.row || inRow == 0 {
					p = plotsOf(z, r, rnd)
					inRow, joined = 0, false
				}
				a, _, dir := along(r.pts, s)
				c, _, dir2 := along(r.pts, s+p.front)
				if z2, _ := zoneAt(b.towns, a); z2 != z {
					z = z2
					if z == country {
						s += 30
						z = country
						continue
					}
				}
				n := dir.add(dir2).unit().left().mul(side)
				f0, f1 := snap(a.add(n.mul(p.setback))), snap(c.add(n.mul(p.setback)))
				k0, k1 := snap(a.add(n.mul(p.setback+p.deep))), snap(c.add(n.mul(p.setback+p.deep)))
				if joined && f0.dist(shared[0]) < 2.5 {
					f0, k0 = shared[0], shared[1]
				} else {
					joined = false
				}
				ring := []pt{f0, f1, k1, k0}
				if area(ring) < 0 {
					ring = []pt{f0, k0, k1, f1}
				}
				ok := math.Abs(area(ring)) > 24 && f0.dist(f1) > 3.5 && k0.dist(k1) > 3
				if ok {
					if joined {
						ok = try([]pt{f0.lerp(f1, 0.12), f1, k1, k0.lerp(k1, 0.12)}, 0.3)
					} else {
						ok = try(ring, 0.8)
					}
				}
				number[side] += 2
				if !ok || rnd.Float64() > p.chance {
					inRow, joined = 0, false
					s += math.Max(5, p.front*0.6)
					if ok {
						s += p.front
					} else {
						number[side] -= 2
					}
					continue
				}
				front := f0.lerp(f1, 0.5)
				x := &building{ring: ring, door: front, zone: z, place: place, main: r.rank <= secondary}
				kind := p.kind[(int(s)+r.street)%len(p.kind)]
				if kind == "cottage" {
					kind = "house"
				}
				x.tags = tags("building", kind, "building:levels", strconv.Itoa(p.levels[0]+rnd.IntN(p.levels[1]-p.levels[0]+1)))
				if name := r.tags.Get("name"); name != "" && place != nil {
					x.tags = append(x.tags, osm.Tag{Key: "addr:housenumber", Value: strconv.Itoa(number[side] - 2)},
						osm.Tag{Key: "addr:street", Value: name}, osm.Tag{Key: "addr:city", Value: place.name},
						osm.Tag{Key: "addr:postcode", Value: place.postcodeAt(front)})
				}
				out = append(out, x)
				for i := range ring {
					taken.add(ring[i], ring[(i+1)%len(ring)], 0)
				}
				shared, joined = [2]pt{f1, k1}, true
				inRow++
				s += p.front
				if inRow >= p.row {
					s += p.gap
					joined = false
				}
			}
		}
	}
	return append(out, b.farms(rnd, try, taken)...)
}

// wet reports whether p lies in the lake. Rivers are barriers.
func (b *builder) wet(p pt) bool {
	return p.dist(lakeCentre) < 700 && inside(b.waters[0].ring, p)
}

// postcodeAt gives the full postcode of a place in a settlement: one for each
// patch of some 150 m.
func (s *settlement) postcodeAt(p pt) string {
	letters := "ABDEFGHJLNPQRSTUWXYZ"
	x, y := int(math.Floor((p.x-s.centre.x)/150))+40, int(math.Floor((p.y-s.centre.y)/150))+40
	sector := 1 + (x/7+y/7*3)%8
	return s.postcode + " " + strconv.Itoa(sector) + string(letters[(x*7+y)%20]) + string(letters[(y*3+x*11)%20])
}

// farms puts a yard with house and barns at the end of tracks.
func (b *builder) farms(rnd *rand.Rand, try func([]pt, float64) bool, taken *segIndex) []*building {
	var out []*building
	names := &namer{used: map[string]bool{}}
	for _, r := range b.roads {
		if r.fixed || r.rank != track && (r.rank != unclassified || r.zone != country) {
			continue
		}
		end, back := r.pts[len(r.pts)-1], r.pts[len(r.pts)-2]
		if r.rank == unclassified {
			if length(r.pts) < 500 || rnd.Float64() < 0.35 {
				continue
			}
			p, _, dir := along(r.pts, between(rnd, 0.3, 0.7)*length(r.pts))
			end, back = p.add(dir.left().mul(14)), p
		}
		dir := end.sub(back).unit()
		if b.land.at(end) > 230 {
			continue
		}
		yard := func(x, y, w, d float64) []pt {
			at := func(x, y float64) pt { return snap(end.add(dir.mul(x)).add(dir.left().mul(y))) }
			return []pt{at(x, y), at(x+w, y), at(x+w, y+d), at(x, y+d)}
		}
		name := pick(rnd, fields) + " " + pick(rnd, []string{"Farm", "Farm", "Barton", "Grange"})
		if names.used[name] {
			continue
		}
		first := true
		for _, ring := range [][]pt{yard(9, -8, 13, 9), yard(8, 12, 26, 15), yard(30, -14, 16, 22), yard(-4, -34, 30, 16)} {
			if !try(ring, 2) {
				if first {
					break
				}
				continue
			}
			x := &building{ring: ring, door: ring[0], tags: tags("building", "barn")}
			if first {
				names.used[name] = true
				x.tags = tags("building", "farm", "name", name, "building:levels", "2", "addr:housename", name, "addr:city", b.nearestPlace(end).name, "addr:postcode", b.nearestPlace(end).postcodeAt(end))
			}
			first = false
			out = append(out, x)
			for i := range ring {
				taken.add(ring[i], ring[(i+1)%len(ring)], 0)
			}
		}
		if !first {
			if r.rank == unclassified {
				// The drive to the yard.
				r.pts = insertVertex(r.pts, snap(back))
				drive := &road{pts: []pt{snap(back), snap(end.add(dir.mul(5)))}, rank: service, fixed: true, street: b.street(), zone: country, tags: tags(
					"highway", "service", "service", "driveway", "access", "private", "surface", "gravel")}
				b.roads = append(b.roads, drive)
				if len(b.farmsAt) == 0 {
					b.noteRoad("driveway", "service", drive)
				}
			}
			b.farmsAt = append(b.farmsAt, end.add(dir.mul(20)))
		}
	}
	return out
}

func (b *builder) nearestPlace(p pt) *settlement {
	best := &b.towns[0]
	for i := range b.towns {
		if b.towns[i].centre.dist(p) < best.centre.dist(p) {
			best = &b.towns[i]
		}
	}
	return best
}
