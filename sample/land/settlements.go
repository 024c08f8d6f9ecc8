package land

import (
	"math"
	"strconv"

	"github.com/waygate/waygate/sample/plane"
)

// Settlement is a town, village or hamlet: where it is and how far it has
// grown.
type Settlement struct {
	Name, Kernow string
	Kind         string // place value: town, village or hamlet
	Centre       plane.Point
	Radius       float64 // metres to the edge of building, before noise
	Core         float64 // metres to the edge of the old centre
	Terraces     float64 // metres to the edge of the Victorian streets
	Works        float64 // angle of the industrial quarter, radians; towns only
	Postcode     string  // outward code
	Population   int
	Seed         uint64
}

// Settlements lists the towns, villages and hamlets of the county.
func Settlements() []Settlement {
	return []Settlement{
		{"Tarrowmouth", "Aber Tarow", "town", plane.Km(16.7, 6.55), 1700, 300, 760, 5.3, "ZZ1", 38400, 101},
		{"Stannerford", "Rys an Sten", "town", plane.Km(8.25, 8.75), 1050, 230, 500, 3.9, "ZZ4", 17200, 102},
		{"Port Gwillan", "Porth Gwylan", "town", plane.Km(23.75, 12.55), 1000, 220, 480, 2.6, "ZZ7", 14900, 103},
		{"Lanwarrow", "Lannwaro", "village", plane.Km(7.9, 10.75), 330, 0, 0, 0, "ZZ4", 1240, 111},
		{"Trevannock", "Trevanek", "village", plane.Km(5.25, 10.25), 360, 0, 0, 0, "ZZ5", 980, 112},
		{"Boscarrel", "Boskarel", "village", plane.Km(7.8, 15.7), 300, 0, 0, 0, "ZZ5", 610, 113},
		{"Wickerling", "", "village", plane.Km(12.6, 16.35), 340, 0, 0, 0, "ZZ6", 870, 114},
		{"Marlowick", "", "village", plane.Km(18.3, 15.7), 320, 0, 0, 0, "ZZ6", 790, 115},
		{"Hethercombe", "Komm Grug", "village", plane.Km(20.0, 11.9), 360, 0, 0, 0, "ZZ3", 1430, 116},
		{"Saltrey", "", "village", plane.Km(21.5, 15.55), 330, 0, 0, 0, "ZZ7", 920, 117},
		{"Skelling", "", "village", plane.Km(24.5, 15.4), 290, 0, 0, 0, "ZZ7", 540, 118},
		{"Chilverstoke", "", "village", plane.Km(21.9, 6.9), 400, 0, 0, 0, "ZZ2", 2180, 119},
		{"Pengarrow", "Penn Garow", "village", plane.Km(23.5, 4.55), 330, 0, 0, 0, "ZZ2", 760, 120},
		{"Nether Thorling", "", "village", plane.Km(9.6, 4.25), 320, 0, 0, 0, "ZZ5", 830, 121},
		{"Over Thorling", "", "village", plane.Km(11.3, 5.3), 260, 0, 0, 0, "ZZ5", 410, 122},
		{"Ruddlecombe", "Komm Rudh", "village", plane.Km(24.0, 8.75), 330, 0, 0, 0, "ZZ2", 1010, 123},
		{"Sedgeholme", "", "village", plane.Km(11.7, 9.95), 310, 0, 0, 0, "ZZ3", 690, 124},
		{"Port Farrock", "Porth Pell", "village", plane.Km(28.95, 14.4), 330, 0, 0, 0, "ZZ8", 380, 125},
		{"Quillet Sands", "Trethen Gwilet", "hamlet", plane.Km(4.5, 7.6), 190, 0, 0, 0, "ZZ5", 140, 128},
		{"Dunnaway Cross", "", "hamlet", plane.Km(13.35, 4.95), 170, 0, 0, 0, "ZZ3", 120, 126},
		{"Zawn Cove", "Porth Sawan", "hamlet", plane.Km(19.3, 17.38), 230, 0, 0, 0, "ZZ6", 64, 127},
	}
}

// Reach returns how far the settlement extends from its centre towards p: towns
// are no circles.
func (s *Settlement) Reach(p plane.Point) float64 {
	d := p.Sub(s.Centre)
	on := s.Centre.Add(d.Unit().Mul(1000))
	return s.Radius * (1 + 0.34*plane.Noise(on, 700, s.Seed) + 0.12*plane.Noise(on, 240, s.Seed+1))
}

// Zone is the kind of quarter a place belongs to.
type Zone uint8

// The zones.
const (
	Country Zone = iota
	Village
	Estate
	Terrace
	Core
	Works
)

// Zone returns in which quarter of the settlement p lies.
func (s *Settlement) Zone(p plane.Point) Zone {
	d := p.Dist(s.Centre)
	if d > s.Radius*1.5 || d > s.Reach(p) {
		return Country
	}
	if s.Kind != "town" {
		return Village
	}
	stir := 1 + 0.3*plane.Noise(p, 400, s.Seed+2)
	if d < s.Core*stir {
		return Core
	}
	off := p.Sub(s.Centre)
	if d > s.Radius*0.5 && off.Unit().Dot(plane.Heading(s.Works)) > 0.9+0.04*plane.Noise(p, 300, s.Seed+4) {
		return Works
	}
	if d < s.Terraces*stir {
		return Terrace
	}
	return Estate
}

// ZoneAt returns the quarter at p and the settlement it belongs to, nil in the
// open country.
func ZoneAt(list []Settlement, p plane.Point) (Zone, *Settlement) {
	best, of := Country, (*Settlement)(nil)
	for i := range list {
		s := &list[i]
		if math.Abs(p.X-s.Centre.X) > s.Radius*1.6 || math.Abs(p.Y-s.Centre.Y) > s.Radius*1.6 {
			continue
		}
		if z := s.Zone(p); z != Country {
			best, of = z, s
			break
		}
	}
	return best, of
}

// Field returns the direction of streets at p in settlement s.
func (s *Settlement) Field(p plane.Point) float64 {
	d := p.Sub(s.Centre)
	radial := math.Atan2(d.Y, d.X)
	switch s.Zone(p) {
	case Core:
		return radial + 1.2*plane.Noise(p, 230, s.Seed+7) + 0.5*plane.Noise(p, 90, s.Seed+14)
	case Terrace:
		// Builders bought whole sectors: each is a grid of its own.
		sector := math.Floor((radial+0.25*plane.Noise(p, 500, s.Seed+8))/1.15 + 0.5)
		across := 0.0
		if plane.Lattice(int64(sector), 6, s.Seed) > -0.1 {
			across = math.Pi / 2
		}
		return sector*1.15 + across + 0.4*plane.Lattice(int64(sector), 5, s.Seed) + 0.2*plane.Noise(p, 420, s.Seed+9)
	case Works:
		return s.Works + 0.12*plane.Noise(p, 600, s.Seed+10)
	case Village:
		return radial + 1.4*plane.Noise(p, 260, s.Seed+11)
	default:
		return radial + 1.1*plane.Noise(p, 620, s.Seed+12) + 0.45*plane.Noise(p, 230, s.Seed+13)
	}
}

// PostcodeAt returns the full postcode of a place in a settlement: one for each
// patch of some 150 m.
func (s *Settlement) PostcodeAt(p plane.Point) string {
	letters := "ABDEFGHJLNPQRSTUWXYZ"
	x, y := int(math.Floor((p.X-s.Centre.X)/150))+40, int(math.Floor((p.Y-s.Centre.Y)/150))+40
	sector := 1 + (x/7+y/7*3)%8
	return s.Postcode + " " + strconv.Itoa(sector) + string(letters[(x*7+y)%20]) + string(letters[(y*3+x*11)%20])
}
