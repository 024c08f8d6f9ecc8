package coordinates

import (
	"fmt"
	"sync"

	"github.com/waygate/waygate/geo/proj"
)

// table is every supported system in ascending order of code. Names, areas of
// use and parameters are those of the EPSG dataset.
var table = sync.OnceValue(func() []system {
	world := box{-180, -90, 180, 90}
	belgium := box{2.5, 49.5, 6.4, 51.51}
	rows := []system{
		conic(system{
			code: 2154, name: "RGF93 v1 / Lambert-93", datum: datumETRS89,
			area: box{-9.86, 41.15, 10.38, 51.56}, unit: metre, grid: grid{3, 700000, 6600000},
		},
			parallels{46.5, 49, 44}),
		conic(system{
			code: 2263, name: "NAD83 / New York Long Island (ftUS)", datum: datumNAD83,
			area: box{-74.26, 40.47, -71.8, 41.3}, unit: usFoot, grid: grid{-74, 300000, 0},
		},
			parallels{40 + 10./60, 41 + 2./60, 40 + 40./60}),
		equalArea(system{
			code: 3035, name: "ETRS89-extended / LAEA Europe", datum: datumETRS89,
			area: box{-35.58, 24.6, 44.83, 84.73}, unit: metre, grid: grid{10, 4321000, 3210000},
		}, 52),
		conic(system{
			code: 3812, name: "ETRS89 / Belgian Lambert 2008", datum: datumETRS89,
			area: belgium, unit: metre, grid: grid{4 + 21./60 + 33.177/3600, 649328, 665262},
		},
			parallels{50.797815, 49 + 50./60, 51 + 10./60}),
		webMercator(),
		geographic(system{code: 4258, name: "ETRS89", datum: datumETRS89, area: box{-16.1, 32.88, 40.18, 84.73}, domain: world}),
		geographic(system{code: 4269, name: "NAD83", datum: datumNAD83, area: box{167.65, 14.92, 319.27, 86.45}, domain: world}),
		geographic(system{code: 4277, name: "OSGB36", datum: datumOSGB36, area: britain, domain: britain.grow(margin)}),
		geographic(system{code: 4326, name: "WGS 84", datum: datumWGS84, area: world, domain: world}),
	}
	for zone := 28; zone <= 38; zone++ {
		s := utm(datumETRS89, zone, false)
		s.code = 25800 + zone
		s.area.south, s.area.north = 32.88, 84.73 // ETRS89's own
		rows = append(rows, s)
	}
	rows = append(rows, britishGrid(), dutchGrid(),
		conic(system{
			code: 31370, name: "BD72 / Belgian Lambert 72", datum: datumBD72,
			area: belgium, unit: metre, grid: grid{4.367486666666666, 150000.013, 5400088.438},
		},
			parallels{90, 51.16666723333333, 49.8333339}))
	for _, south := range []bool{false, true} {
		for zone := 1; zone <= 60; zone++ {
			s := utm(datumWGS84, zone, south)
			s.code = 32600 + zone
			if south {
				s.code += 100
			}
			rows = append(rows, s)
		}
	}
	return rows
})

// margin is how many degrees beyond its area of use a national system may be
// used: its projection still holds there, though its datum shift fades.
const margin = 10

var britain = box{-9, 49.75, 2.01, 61.01}

// find returns the system of a code, nil where the table has none.
func find(code int) *system {
	rows := table()
	for i := range rows {
		if rows[i].code == code {
			return &rows[i]
		}
	}
	return nil
}

func geographic(s system) system {
	s.unit = degree
	s.proj4 = "+proj=longlat " + s.datum.proj4() + " +no_defs +type=crs"
	return s
}

// projected fills in what all projected systems share; head is the PROJ
// string up to the false origin.
func projected(s system, head string) system {
	if s.domain == (box{}) {
		s.domain = s.area.grow(margin)
	}
	s.proj4 = fmt.Sprintf("%s +lon_0=%s +x_0=%s +y_0=%s %s +units=%s +no_defs +type=crs", head,
		decimal(s.grid.lon0), decimal(s.grid.x0), decimal(s.grid.y0), s.datum.proj4(), s.unit.proj4)
	return s
}

// parallels are latitudes in degrees: of the false origin and the two
// standard parallels.
type parallels struct{ origin, first, second float64 }

func conic(s system, p parallels) system {
	s.projection = proj.NewLambertConic(s.datum.ellipsoid, p.origin/degrees, p.first/degrees, p.second/degrees)
	return projected(s, fmt.Sprintf("+proj=lcc +lat_0=%s +lat_1=%s +lat_2=%s", decimal(p.origin), decimal(p.first), decimal(p.second)))
}

func equalArea(s system, lat0 float64) system {
	s.projection = proj.NewLambertAzimuthal(s.datum.ellipsoid, lat0/degrees)
	return projected(s, "+proj=laea +lat_0="+decimal(lat0))
}

func britishGrid() system {
	const lat0, scale = proj.BritishLat0, proj.BritishScale
	return projected(system{
		code: 27700, name: "OSGB36 / British National Grid", datum: datumOSGB36, area: britain, unit: metre,
		grid:       grid{proj.BritishLon0, proj.BritishX0, proj.BritishY0},
		projection: proj.NewTransverseMercator(proj.Airy, lat0/degrees, scale),
	}, fmt.Sprintf("+proj=tmerc +lat_0=%s +k=%s", decimal(lat0), decimal(scale)))
}

func dutchGrid() system {
	const lat0, scale = 52 + 9./60 + 22.178/3600, 0.9999079
	return projected(system{
		code: 28992, name: "Amersfoort / RD New", datum: datumAmersfoort, area: box{3.2, 50.75, 7.22, 53.7}, unit: metre,
		grid:       grid{5 + 23./60 + 15.5/3600, 155000, 463000},
		projection: proj.NewObliqueStereographic(proj.Bessel, lat0/degrees, scale),
	}, fmt.Sprintf("+proj=sterea +lat_0=%s +k=%s", decimal(lat0), decimal(scale)))
}

// webMercator ends where its square does, by EPSG at 85.06 degrees. Its PROJ
// string is the usual one, whose null grid stands for "latitudes of WGS 84".
func webMercator() system {
	area := box{-180, -85.06, 180, 85.06}
	return system{
		code: 3857, name: "WGS 84 / Pseudo-Mercator", datum: datumWGS84, area: area, domain: area, unit: metre,
		projection: proj.WebMercator{Radius: proj.WGS84.A},
		proj4:      "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs +type=crs",
	}
}

// utm returns a zone of the Universal Transverse Mercator grid, 1 to 60, without
// its code. It may be used far beyond its six degrees: 40 degrees from the
// central meridian the series still holds to a micrometre, and at any
// latitude.
func utm(d datum, zone int, south bool) system {
	const half, reach = 3, 40
	lon0 := float64(6*zone - 183)
	s := system{
		name: fmt.Sprintf("%s / UTM zone %dN", d.name, zone), datum: d, unit: metre,
		area:       box{lon0 - half, 0, lon0 + half, 84},
		domain:     box{lon0 - reach, -90, lon0 + reach, 90},
		projection: proj.NewTransverseMercator(d.ellipsoid, 0, 0.9996),
		grid:       grid{lon0, 500000, 0},
	}
	flag := ""
	if south {
		s.name = fmt.Sprintf("%s / UTM zone %dS", d.name, zone)
		s.area.south, s.area.north = -80, 0
		s.grid.y0 = 1e7
		flag = " +south"
	}
	s.proj4 = fmt.Sprintf("+proj=utm +zone=%d%s %s +units=m +no_defs +type=crs", zone, flag, d.proj4())
	return s
}
