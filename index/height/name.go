package height

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo"
)

// Corner is the south-western corner of a tile, in whole degrees.
type Corner struct{ Lat, Lon int }

// CornerOf returns the corner of the tile that a place lies on.
func CornerOf(p geo.Point) Corner {
	// The pole and the date line lie on the last tiles, not beyond them.
	return Corner{min(89, int(math.Floor(p.Lat))), min(179, int(math.Floor(p.Lon)))}
}

// String returns the tile's name: N51W003.
func (c Corner) String() string {
	ns, ew := 'N', 'E'
	if c.Lat < 0 {
		ns = 'S'
	}
	if c.Lon < 0 {
		ew = 'W'
	}
	return fmt.Sprintf("%c%02d%c%03d", ns, max(c.Lat, -c.Lat), ew, max(c.Lon, -c.Lon))
}

// ParseName reads the corner from the beginning of a file's name, in any case:
// N51W003.hgt, n51_w003_1arc_v3.hgt, N51W003.SRTMGL1.hgt.zip.
func ParseName(file string) (Corner, bool) {
	s := strings.ToUpper(filepath.Base(filepath.ToSlash(file)))
	lat, s, ok := degrees(s, 'N', 'S', 2, 90)
	if !ok {
		return Corner{}, false
	}
	lon, s, ok := degrees(strings.TrimPrefix(s, "_"), 'E', 'W', 3, 180)
	if !ok || s != "" && s[0] >= '0' && s[0] <= '9' {
		return Corner{}, false
	}
	c := Corner{lat, lon}
	return c, lat < 90 && lon < 180
}

// degrees reads a letter and some digits, and returns the rest of the text.
func degrees(s string, plus, minus byte, digits, most int) (v int, rest string, ok bool) {
	if len(s) <= digits || s[0] != plus && s[0] != minus {
		return 0, s, false
	}
	n, err := strconv.ParseUint(s[1:1+digits], 10, 16)
	if err != nil || int(n) > most {
		return 0, s, false
	}
	v = int(n)
	if s[0] == minus {
		v = -v
	}
	return v, s[1+digits:], true
}
