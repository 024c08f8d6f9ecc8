package height

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
)

func TestHeightsLieBetweenTheGridPoints(t *testing.T) {
	for _, side := range []int{ThreeArcSeconds, ArcSecond} {
		steps := float64(side - 1)
		at := Corner{Lat: 47, Lon: 5}
		data := make([]byte, 0, bytesOf(side))
		for row := range side {
			for col := range side {
				data = binary.BigEndian.AppendUint16(data, uint16(200+col+row))
			}
		}
		tile, err := Parse(at, data)
		if err != nil {
			t.Fatal(err)
		}
		if tile.Side() != side || tile.Corner() != at {
			t.Errorf("tile of %d at %s, want %d at %s", tile.Side(), tile.Corner(), side, at)
		}
		r := rand.New(rand.NewPCG(1, uint64(side)))
		for i := range 3000 {
			p := geo.Point{Lon: 5 + r.Float64(), Lat: 47 + r.Float64()}
			switch i { // the corners, and the edges that tiles share
			case 0:
				p = geo.Point{Lon: 5, Lat: 47}
			case 1:
				p = geo.Point{Lon: 6, Lat: 48}
			case 2:
				p = geo.Point{Lon: 5, Lat: 48}
			case 3:
				p = geo.Point{Lon: 6, Lat: 47}
			}
			want := 200 + (p.Lon-5)*steps + (48-p.Lat)*steps
			if got, ok := tile.Height(p); !ok || math.Abs(got-want) > 1e-6 {
				t.Fatalf("side %d: height of %v is %v, %v, want %v", side, p, got, ok, want)
			}
		}
		for _, p := range []geo.Point{{Lon: 4.99, Lat: 47.5}, {Lon: 6.01, Lat: 47.5}, {Lon: 5.5, Lat: 46.9}, {Lon: 5.5, Lat: 48.1}, {Lon: math.NaN(), Lat: 47.5}} {
			if h, ok := tile.Height(p); ok {
				t.Errorf("a place off the tile, %v, lies at %v", p, h)
			}
		}
	}
}

// TestVoidsDoNotCount makes holes of every form around a place and compares
// with what is left.
func TestVoidsDoNotCount(t *testing.T) {
	at := Corner{Lat: -34, Lon: -71}
	steps := float64(ThreeArcSeconds - 1)
	heights := [4]float64{100, 200, 400, 800} // north-west, north-east, south-west, south-east
	for holes := range 16 {
		data := bytes.Repeat([]byte{0x80, 0}, ThreeArcSeconds*ThreeArcSeconds)
		for i, h := range heights {
			if holes>>i&1 == 1 {
				continue
			}
			place := 2 * ((600+i/2)*ThreeArcSeconds + 700 + i%2)
			data[place], data[place+1] = byte(int(h)>>8), byte(int(h))
		}
		tile, err := Parse(at, data)
		if err != nil {
			t.Fatal(err)
		}
		const fx, fy = 0.25, 0.4
		p := geo.Point{Lon: -71 + (700+fx)/steps, Lat: -33 - (600+fy)/steps}
		sum, weight := 0.0, 0.0
		for i, w := range []float64{(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy} {
			if holes>>i&1 == 0 {
				sum, weight = sum+w*heights[i], weight+w
			}
		}
		got, ok := tile.Height(p)
		if ok != (weight > 0) || ok && math.Abs(got-sum/weight) > 1e-6 {
			t.Errorf("holes %04b: %v, %v, want %v", holes, got, ok, sum/weight)
		}
	}
}

func TestHeightsNobodyHasAreVoids(t *testing.T) {
	for _, v := range []int16{-32768, 32767, 9999, -5000} {
		data := bytes.Repeat([]byte{byte(uint16(v) >> 8), byte(v)}, ThreeArcSeconds*ThreeArcSeconds)
		tile, err := Parse(Corner{}, data)
		if err != nil {
			t.Fatal(err)
		}
		if h, ok := tile.Height(geo.Point{Lon: 0.5, Lat: 0.5}); ok {
			t.Errorf("%d counts as %v m", v, h)
		}
	}
}

func TestDrawWritesVoidsAndRounds(t *testing.T) {
	data := Draw(Corner{}, ThreeArcSeconds, func(p geo.Point) (float64, bool) { return 1.6, p.Lat < 0.5 })
	if data[0] != 0x80 || data[1] != 0 {
		t.Errorf("the north-west is % x, want a void", data[:2])
	}
	if last := data[len(data)-2:]; last[0] != 0 || last[1] != 2 {
		t.Errorf("the south-east is % x, want 2 m", last)
	}
	slope := Draw(Corner{Lat: 47, Lon: 5}, ThreeArcSeconds, func(p geo.Point) (float64, bool) { return 1000 * (p.Lon - 5), true })
	tile, err := Parse(Corner{Lat: 47, Lon: 5}, slope)
	if err != nil {
		t.Fatal(err)
	}
	if h, ok := tile.Height(geo.Point{Lon: 5.25, Lat: 47.9}); !ok || math.Abs(h-250) > 0.6 {
		t.Errorf("a drawn slope is %v, %v, want 250", h, ok)
	}
}

func TestParseRefusesOtherSizes(t *testing.T) {
	for _, n := range []int{0, 1, 2*ThreeArcSeconds*ThreeArcSeconds - 1, 2*ThreeArcSeconds*ThreeArcSeconds + 2, 2 * 1801 * 3601} {
		_, err := Parse(Corner{}, make([]byte, n))
		if err == nil || !strings.Contains(err.Error(), "1201 x 1201") || !strings.Contains(err.Error(), "3601 x 3601") {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]Corner{
		"N51W003.hgt": {51, -3}, "s01e009.hgt.gz": {-1, 9}, "N00E000.hgt": {0, 0}, "/a/N42/N42E001.SRTMGL1.hgt.zip": {42, 1},
		"n51_w003_1arc_v3.hgt": {51, -3}, "S90W180.hgt": {-90, -180}, "N89E179.hgt": {89, 179},
	} {
		if got, ok := ParseName(name); !ok || got != want {
			t.Errorf("%s is %v, %v, want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "N51", "N5W003.hgt", "X51W003.hgt", "N51W3.hgt", "N90E000.hgt", "N51E180.hgt", "N51W0031.hgt", "N+1W003.hgt", "N51W-03.hgt"} {
		if got, ok := ParseName(name); ok {
			t.Errorf("%q is %v", name, got)
		}
	}
	for c, want := range map[Corner]string{{51, -3}: "N51W003", {-1, 100}: "S01E100", {0, 0}: "N00E000"} {
		if got := c.String(); got != want {
			t.Errorf("%+v is %s, want %s", c, got, want)
		}
	}
	for p, want := range map[geo.Point]Corner{
		{Lon: -2.99, Lat: 51.59}: {51, -3}, {Lon: -3, Lat: 51}: {51, -3}, {Lon: 0.5, Lat: -0.5}: {-1, 0}, {Lon: 180, Lat: 90}: {89, 179},
	} {
		if got := CornerOf(p); got != want {
			t.Errorf("%v lies on %s, want %s", p, got, want)
		}
	}
}
