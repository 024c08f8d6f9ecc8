package sample

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// building is a footprint with what is known of it.
type building struct {
	ring  []plane.Point // anticlockwise, not closed
	door  plane.Point   // middle of the front
	tags  osm.Tags
	zone  land.Zone
	place *land.Settlement
	main  bool // it fronts a main street
	used  bool // a shop or other place has taken it
}

// plots is how houses stand along a street.
type plots struct {
	front, deep, setback, gap float64 // metres
	row                       int     // houses in a row share walls
	kind                      []string
	levels                    [2]int
	chance                    float64
}

func plotsOf(z land.Zone, r *network.Road, rnd *rand.Rand) plots {
	switch z {
	case land.Core:
		return plots{plane.Between(rnd, 8, 13), plane.Between(rnd, 11, 16), 4.6, 0.5, 6, []string{"retail", "retail", "commercial", "house", "apartments"}, [2]int{2, 4}, 0.93}
	case land.Terrace:
		return plots{plane.Between(rnd, 6.2, 7.2), plane.Between(rnd, 9, 10.5), 7.2, 2.5, 8 + rnd.IntN(8), []string{"terrace", "house"}, [2]int{2, 3}, 0.96}
	case land.Works:
		return plots{plane.Between(rnd, 28, 60), plane.Between(rnd, 24, 44), 16, 16, 1, []string{"industrial", "warehouse", "retail", "industrial", "commercial"}, [2]int{1, 2}, 0.9}
	case land.Estate:
		if r.Street%3 == 0 {
			return plots{plane.Between(rnd, 8.4, 9.6), plane.Between(rnd, 8.5, 9.6), 10.5, 5.5, 2, []string{"semidetached_house"}, [2]int{2, 2}, 0.95}
		}
		return plots{plane.Between(rnd, 9.5, 13), plane.Between(rnd, 8.5, 11), 10.5, 6.6, 1, []string{"detached", "detached", "house", "bungalow"}, [2]int{1, 2}, 0.93}
	default:
		return plots{plane.Between(rnd, 8, 13), plane.Between(rnd, 7, 9.5), plane.Between(rnd, 6, 11), plane.Between(rnd, 6, 20), 1 + rnd.IntN(3), []string{"house", "house", "detached", "cottage"}, [2]int{1, 2}, 0.78}
	}
}

// build puts houses along the streets of the settlements, and farms in the
// country.
func (b siteDrawer) build() []*building {
	rnd := plane.Dice("buildings")
	taken := b.area
	var out []*building
	try := func(ring []plane.Point, gap float64) bool {
		for i := range ring {
			p, q := ring[i], ring[(i+1)%len(ring)]
			n := max(1, int(p.Dist(q)/6))
			for k := range n {
				at := p.Lerp(q, float64(k)/float64(n))
				if b.inLot(at) || b.lines.Near(at, 3.9) || b.barriers.Near(at, 13) || b.land.Inland(at) < 8 || b.wet(at) {
					return false
				}
			}
			if _, _, cut := taken.Hit(p, q); cut || taken.Near(p, gap) {
				return false
			}
			if _, _, cut := b.lines.Hit(p, q); cut {
				return false
			}
		}
		return true
	}
	for _, r := range b.roads {
		if r.Level != 0 || r.Rank > network.Living || r.Rank < network.Primary || r.Tags.Get("junction") == "roundabout" || r.Apart || r.Rank <= network.Primary && r.Zone == land.Country {
			continue
		}
		number := map[float64]int{1: 1, -1: 2}
		for _, side := range []float64{1, -1} {
			z, place := land.ZoneAt(b.towns, r.Pts[len(r.Pts)/2])
			total := plane.Length(r.Pts)
			if z == land.Country {
				continue
			}
			p := plotsOf(z, r, rnd)
			inRow := 0
			var shared [2]plane.Point
			joined := false
			for s := 7.0; s+p.front < total-4; {
				if inRow >= p.row || inRow == 0 {
					p = plotsOf(z, r, rnd)
					inRow, joined = 0, false
				}
				a, _, dir := plane.Along(r.Pts, s)
				c, _, dir2 := plane.Along(r.Pts, s+p.front)
				if z2, _ := land.ZoneAt(b.towns, a); z2 != z {
					z = z2
					if z == land.Country {
						s += 30
						z = land.Country
						continue
					}
				}
				n := dir.Add(dir2).Unit().Left().Mul(side)
				f0, f1 := plane.Snap(a.Add(n.Mul(p.setback))), plane.Snap(c.Add(n.Mul(p.setback)))
				k0, k1 := plane.Snap(a.Add(n.Mul(p.setback+p.deep))), plane.Snap(c.Add(n.Mul(p.setback+p.deep)))
				if joined && f0.Dist(shared[0]) < 2.5 {
					f0, k0 = shared[0], shared[1]
				} else {
					joined = false
				}
				ring := []plane.Point{f0, f1, k1, k0}
				if plane.Area(ring) < 0 {
					ring = []plane.Point{f0, k0, k1, f1}
				}
				ok := math.Abs(plane.Area(ring)) > 24 && f0.Dist(f1) > 3.5 && k0.Dist(k1) > 3
				if ok {
					if joined {
						ok = try([]plane.Point{f0.Lerp(f1, 0.12), f1, k1, k0.Lerp(k1, 0.12)}, 0.3)
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
				front := f0.Lerp(f1, 0.5)
				x := &building{ring: ring, door: front, zone: z, place: place, main: r.Rank <= network.Secondary}
				kind := p.kind[(int(s)+r.Street)%len(p.kind)]
				if kind == "cottage" {
					kind = "house"
				}
				x.tags = network.Tags("building", kind, "building:levels", strconv.Itoa(p.levels[0]+rnd.IntN(p.levels[1]-p.levels[0]+1)))
				if name := r.Tags.Get("name"); name != "" && place != nil {
					x.tags = append(x.tags, osm.Tag{Key: "addr:housenumber", Value: strconv.Itoa(number[side] - 2)},
						osm.Tag{Key: "addr:street", Value: name}, osm.Tag{Key: "addr:city", Value: place.Name},
						osm.Tag{Key: "addr:postcode", Value: place.PostcodeAt(front)})
				}
				out = append(out, x)
				for i := range ring {
					taken.Add(ring[i], ring[(i+1)%len(ring)], 0)
				}
				shared, joined = [2]plane.Point{f1, k1}, true
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
func (b siteDrawer) wet(p plane.Point) bool {
	return p.Dist(lakeCentre) < 700 && plane.Inside(b.waters[0].ring, p)
}

// farms puts a yard with house and barns at the end of tracks.
func (b siteDrawer) farms(rnd *rand.Rand, try func([]plane.Point, float64) bool, taken *plane.Index) []*building {
	var out []*building
	names := &network.Namer{Used: map[string]bool{}}
	for _, r := range b.roads {
		if r.Fixed || r.Rank != network.Track && (r.Rank != network.Unclassified || r.Zone != land.Country) {
			continue
		}
		end, back := r.Pts[len(r.Pts)-1], r.Pts[len(r.Pts)-2]
		if r.Rank == network.Unclassified {
			if plane.Length(r.Pts) < 500 || rnd.Float64() < 0.35 {
				continue
			}
			p, _, dir := plane.Along(r.Pts, plane.Between(rnd, 0.3, 0.7)*plane.Length(r.Pts))
			end, back = p.Add(dir.Left().Mul(14)), p
		}
		dir := end.Sub(back).Unit()
		if b.land.At(end) > 230 {
			continue
		}
		yard := func(x, y, w, d float64) []plane.Point {
			at := func(x, y float64) plane.Point { return plane.Snap(end.Add(dir.Mul(x)).Add(dir.Left().Mul(y))) }
			return []plane.Point{at(x, y), at(x+w, y), at(x+w, y+d), at(x, y+d)}
		}
		name := plane.Pick(rnd, network.Fields) + " " + plane.Pick(rnd, []string{"Farm", "Farm", "Barton", "Grange"})
		if names.Used[name] {
			continue
		}
		first := true
		for _, ring := range [][]plane.Point{yard(9, -8, 13, 9), yard(8, 12, 26, 15), yard(30, -14, 16, 22), yard(-4, -34, 30, 16)} {
			if !try(ring, 2) {
				if first {
					break
				}
				continue
			}
			x := &building{ring: ring, door: ring[0], tags: network.Tags("building", "barn")}
			if first {
				names.Used[name] = true
				x.tags = network.Tags("building", "farm", "name", name, "building:levels", "2", "addr:housename", name, "addr:city", b.nearestPlace(end).Name, "addr:postcode", b.nearestPlace(end).PostcodeAt(end))
			}
			first = false
			out = append(out, x)
			for i := range ring {
				taken.Add(ring[i], ring[(i+1)%len(ring)], 0)
			}
		}
		if !first {
			if r.Rank == network.Unclassified {
				// The drive to the yard.
				r.Pts = insertVertex(r.Pts, plane.Snap(back))
				drive := &network.Road{Pts: []plane.Point{plane.Snap(back), plane.Snap(end.Add(dir.Mul(5)))}, Rank: network.Service, Fixed: true, Street: b.street(), Zone: land.Country, Tags: network.Tags(
					"highway", "service", "service", "driveway", "access", "private", "surface", "gravel")}
				b.roads = append(b.roads, drive)
				if len(b.farmsAt) == 0 {
					b.noteRoad("driveway", "service", drive)
				}
			}
			b.farmsAt = append(b.farmsAt, end.Add(dir.Mul(20)))
		}
	}
	return out
}

func (b siteDrawer) nearestPlace(p plane.Point) *land.Settlement {
	best := &b.towns[0]
	for i := range b.towns {
		if b.towns[i].Centre.Dist(p) < best.Centre.Dist(p) {
			best = &b.towns[i]
		}
	}
	return best
}
