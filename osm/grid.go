package osm

import "fmt"

// grid turns a block's stored coordinates into units of 1e-7 degrees.
type grid struct {
	granularity    int64 // in 1e-9 degrees
	lat, lon       int64 // offsets, in 1e-9 degrees
	scale          int64 // of the plain case: granularity/100, 0 where that is not whole
	latSub, lonSub int64 // the offsets in that case
}

const (
	maxLat = 90_0000000
	maxLon = 180_0000000
	// maxGranularity and maxStored keep their product within an int64; a
	// step of more than a hundredth of a degree is no map.
	maxGranularity = 10_000_000
	maxStored      = 1 << 39
	maxOffset      = 360_000_000_000
)

func newGrid(granularity, lat, lon int64) (grid, error) {
	if granularity < 1 || granularity > maxGranularity {
		return grid{}, fmt.Errorf("its granularity is %d, outside 1 to %d", granularity, maxGranularity)
	}
	if lat < -maxOffset || lat > maxOffset || lon < -maxOffset || lon > maxOffset {
		return grid{}, fmt.Errorf("its offsets %d, %d are outside %d to %d", lat, lon, -maxOffset, maxOffset)
	}
	g := grid{granularity: granularity, lat: lat, lon: lon}
	if granularity%100 == 0 && lat%100 == 0 && lon%100 == 0 {
		g.scale, g.latSub, g.lonSub = granularity/100, lat/100, lon/100
	}
	return g, nil
}

// position returns a node's position, and false where it lies off the globe.
func (g *grid) position(lon, lat int64) (int32, int32, bool) {
	if lon < -maxStored || lon > maxStored || lat < -maxStored || lat > maxStored {
		return 0, 0, false
	}
	if g.scale != 0 {
		lon, lat = lon*g.scale+g.lonSub, lat*g.scale+g.latSub
	} else {
		lon, lat = roundHundred(lon*g.granularity+g.lon), roundHundred(lat*g.granularity+g.lat)
	}
	if lon < -maxLon || lon > maxLon || lat < -maxLat || lat > maxLat {
		return 0, 0, false
	}
	return int32(lon), int32(lat), true
}

func roundHundred(v int64) int64 {
	if v < 0 {
		return -((-v + 50) / 100)
	}
	return (v + 50) / 100
}
