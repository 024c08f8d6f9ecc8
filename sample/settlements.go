package sample

import "math"

// settlement is a town, village or hamlet: where it is and how far it has
// grown.
type settlement struct {
	name, kernow string
	kind         string // place value: town, village or hamlet
	centre       pt
	radius       float64 // metres to the edge of building, before noise
	core         float64 // metres to the edge of the old centre
	terraces     float64 // metres to the edge of the Victorian streets
	works        float64 // angle of the industrial quarter, radians; towns only
	postcode     string  // outward code
	population   int
	seed         uint64
}

func settlements() []settlement {
	return []settlement{
		{"Tarrowmouth", "Aber Tarow", "town", km(16.7, 6.55), 1700, 300, 760, 5.3, "ZZ1", 38400, 101},
		{"Stannerford", "Rys an Sten", "town", km(8.25, 8.75), 1050, 230, 500, 3.9, "ZZ4", 17200, 102},
		{"Port Gwillan", "Porth Gwylan", "town", km(23.75, 12.55), 1000, 220, 480, 2.6, "ZZ7", 14900, 103},
		{"Lanwarrow", "Lannwaro", "village", km(7.9, 10.75), 330, 0, 0, 0, "ZZ4", 1240, 111},
		{"Trevannock", "Trevanek", "village", km(5.25, 10.25), 360, 0, 0, 0, "ZZ5", 980, 112},
		{"Boscarrel", "Boskarel", "village", km(7.8, 15.7), 300, 0, 0, 0, "ZZ5", 610, 113},
		{"Wickerling", "", "village", km(12.6, 16.35), 340, 0, 0, 0, "ZZ6", 870, 114},
		{"Marlowick", "", "village", km(18.3, 15.7), 320, 0, 0, 0, "ZZ6", 790, 115},
		{"Hethercombe", "Komm Grug", "village", km(20.0, 11.9), 360, 0, 0, 0, "ZZ3", 1430, 116},
		{"Saltrey", "", "village", km(21.5, 15.55), 330, 0, 0, 0, "ZZ7", 920, 117},
		{"Skelling", "", "village", km(24.5, 15.4), 290, 0, 0, 0, "ZZ7", 540, 118},
		{"Chilverstoke", "", "village", km(21.9, 6.9), 400, 0, 0, 0, "ZZ2", 2180, 119},
		{"Pengarrow", "Penn Garow", "village", km(23.5, 4.55), 330, 0, 0, 0, "ZZ2", 760, 120},
		{"Nether Thorling", "", "village", km(9.6, 4.25), 320, 0, 0, 0, "ZZ5", 830, 121},
		{"Over Thorling", "", "village", km(11.3, 5.3), 260, 0, 0, 0, "ZZ5", 410, 122},
		{"Ruddlecombe", "Komm Rudh", "village", km(24.0, 8.75), 330, 0, 0, 0, "ZZ2", 1010, 123},
		{"Sedgeholme", "", "village", km(11.7, 9.95), 310, 0, 0, 0, "ZZ3", 690, 124},
		{"Port Farrock", "Porth Pell", "village", km(28.95, 14.4), 330, 0, 0, 0, "ZZ8", 380, 125},
		{"Quillet Sands", "Trethen Gwilet", "hamlet", km(4.5, 7.6), 190, 0, 0, 0, "ZZ5", 140, 128},
		{"Dunnaway Cross", "", "hamlet", km(13.35, 4.95), 170, 0, 0, 0, "ZZ3", 120, 126},
		{"Zawn Cove", "Porth Sawan", "hamlet", km(19.3, 17.38), 230, 0, 0, 0, "ZZ6", 64, 127},
	}
}

// reach is how far the settlement extends from its centre towards p: towns
// are no circles.
func (s *settlement) reach(p pt) float64 {
	d := p.sub(s.centre)
	on := s.centre.add(d.unit().mul(1000))
	return s.radius * (1 + 0.34*noise(on, 700, s.seed) + 0.12*noise(on, 240, s.seed+1))
}

// zone is the kind of quarter a place belongs to.
type zone uint8

const (
	country zone = iota
	village
	estate
	terrace
	core
	works
)

// zone tells in which quarter of the settlement p lies.
func (s *settlement) zone(p pt) zone {
	d := p.dist(s.centre)
	if d > s.radius*1.5 || d > s.reach(p) {
		return country
	}
	if s.kind != "town" {
		return village
	}
	stir := 1 + 0.3*noise(p, 400, s.seed+2)
	if d < s.core*stir {
		return core
	}
	off := p.sub(s.centre)
	if d > s.radius*0.5 && off.unit().dot(heading(s.works)) > 0.9+0.04*noise(p, 300, s.seed+4) {
		return works
	}
	if d < s.terraces*stir {
		return terrace
	}
	return estate
}

// zoneAt gives the quarter at p and the settlement it belongs to, nil in the
// open country.
func zoneAt(list []settlement, p pt) (zone, *settlement) {
	best, of := country, (*settlement)(nil)
	for i := range list {
		s := &list[i]
		if math.Abs(p.x-s.centre.x) > s.radius*1.6 || math.Abs(p.y-s.centre.y) > s.radius*1.6 {
			continue
		}
		if z := s.zone(p); z != country {
			best, of = z, s
			break
		}
	}
	return best, of
}
