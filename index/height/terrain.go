package height

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"path/filepath"
	"strings"

	"golang.org/x/image/webp"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/tileset"
)

// encoding is how the pixels of a terrain tile encode heights.
type encoding uint8

const (
	unknownEncoding encoding = iota
	terrarium                // red·256 + green + blue/256 - 32768
	mapbox                   // (red·65536 + green·256 + blue)/10 - 10000: terrain-RGB
)

// metres returns the height of a pixel.
func (e encoding) metres(r, g, b uint8) float64 {
	if e == terrarium {
		return float64(r)*256 + float64(g) + float64(b)/256 - 32768
	}
	return float64(int(r)<<16|int(g)<<8|int(b))/10 - 10000
}

// encodingOf returns how an archive encodes heights: by its metadata, or else by its
// name.
func encodingOf(name string, said string) encoding {
	for _, text := range []string{said, filepath.Base(name)} {
		switch text = strings.ToLower(text); {
		case strings.Contains(text, "terrarium"):
			return terrarium
		case strings.Contains(text, "mapbox"), strings.Contains(text, "terrain-rgb"), strings.Contains(text, "terrainrgb"), strings.Contains(text, "terrain_rgb"):
			return mapbox
		}
	}
	return unknownEncoding
}

// archive is a pyramid of terrain tiles.
type archive struct {
	path    string
	tiles   *tileset.Reader
	pixels  encoding
	bounds  geo.Bounds
	deepest int
	least   int
}

// errVector is the error of an archive without pictures.
var errVector = errors.New("its tiles are no pictures")

// openArchive opens an archive of heights, for the life of the process.
func openArchive(path string) (*archive, error) {
	r, err := tileset.Open(path)
	if err != nil {
		return nil, err
	}
	h := r.Header()
	a := &archive{path: path, tiles: r, pixels: encodingOf(path, r.Metadata().Encoding), bounds: h.Bounds, least: int(h.MinZoom), deepest: int(h.MaxZoom)}
	switch {
	case h.TileType != tileset.TypePNG && h.TileType != tileset.TypeWebP:
		err = fmt.Errorf("heights %s: %w: want PNG or WebP", path, errVector)
	case h.TileCompression > tileset.CompressionNone:
		err = fmt.Errorf("heights %s: its pictures are packed once more, with %s", path, h.TileCompression)
	case a.pixels == unknownEncoding:
		err = fmt.Errorf("heights %s: it does not say how its pixels hold heights: put \"encoding\": \"terrarium\" or \"mapbox\" into its metadata, or terrarium or terrain-rgb into its name", path)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return a, nil
}

func (a *archive) files(c Corner) []string {
	square := geo.Bounds{Min: geo.Point{Lon: float64(c.Lon), Lat: float64(c.Lat)}, Max: geo.Point{Lon: float64(c.Lon + 1), Lat: float64(c.Lat + 1)}}
	if a.bounds.Intersects(square) {
		return []string{a.path}
	}
	return nil
}

// mercator returns a place in parts of the Mercator square, from its north-western
// corner.
func mercator(p geo.Point) (x, y float64) {
	lat := p.Lat * math.Pi / 180
	return p.Lon/360 + 0.5, 0.5 - math.Asinh(math.Tan(lat))/(2*math.Pi)
}

// mostMercator is the latitude where the Mercator square ends.
const mostMercator = 85.0511

func (a *archive) find(p geo.Point) (k [3]int32, ok bool) {
	if !a.bounds.Contains(p) || p.Lat > mostMercator || p.Lat < -mostMercator {
		return k, false
	}
	return a.tile(p, a.deepest), true
}

func (a *archive) tile(p geo.Point, zoom int) [3]int32 {
	x, y := mercator(p)
	n := float64(int(1) << zoom)
	last := n - 1
	return [3]int32{int32(zoom), int32(min(max(math.Floor(x*n), 0), last)), int32(min(max(math.Floor(y*n), 0), last))}
}

// terrainTile has the heights of a tile, rows from the north; NaN is void.
type terrainTile struct {
	side   int
	metres []float32
}

func (a *archive) weight() float64 { return weightOf(4 * usualSide * usualSide) }

// Sides of tiles in pixels.
const (
	leastSide = 16
	usualSide = 512
	mostSide  = 1024
)

// open reads a tile; nil if the archive has none.
func (a *archive) open(k [3]int32) (piece, error) {
	data, ok, err := a.tiles.Tile(int(k[0]), int(k[1]), int(k[2]))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, nil //nolint:nilnil // a missing tile is no error
	}
	t, err := decodeTerrain(data, a.pixels)
	if err != nil {
		return nil, fmt.Errorf("heights %s: tile %d/%d/%d: %w", a.path, k[0], k[1], k[2], err)
	}
	return t, nil
}

// decodeTerrain reads a picture of heights.
func decodeTerrain(data []byte, pixels encoding) (*terrainTile, error) {
	size, decode := png.DecodeConfig, png.Decode
	if bytes.HasPrefix(data, []byte("RIFF")) {
		size, decode = webp.DecodeConfig, webp.Decode
	}
	c, err := size(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("not readable as a picture: %w", err)
	}
	if c.Width != c.Height || c.Width < leastSide || c.Width > mostSide || c.Width&(c.Width-1) != 0 {
		return nil, fmt.Errorf("it has %d x %d pixels: want a square of %d to %d, a power of two", c.Width, c.Height, leastSide, mostSide)
	}
	picture, err := decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("not readable as a picture: %w", err)
	}
	side := c.Width
	if b := picture.Bounds(); b.Dx() != side || b.Dy() != side {
		return nil, fmt.Errorf("it has %d x %d pixels in place of %d", b.Dx(), b.Dy(), side)
	}
	t := &terrainTile{side, make([]float32, side*side)}
	at := colours(picture)
	for i := range t.metres {
		t.metres[i] = float32(math.NaN())
		if r, g, b, a := at(i%side, i/side); a != 0 {
			if m := pixels.metres(r, g, b); m >= lowest && m <= highest {
				t.metres[i] = float32(m)
			}
		}
	}
	return t, nil
}

// colours returns the pixels of a picture as they were stored.
func colours(picture image.Image) func(x, y int) (r, g, b, a uint8) {
	corner := picture.Bounds().Min
	switch p := picture.(type) {
	case *image.NRGBA:
		return func(x, y int) (r, g, b, a uint8) {
			s := p.Pix[p.PixOffset(corner.X+x, corner.Y+y):]
			return s[0], s[1], s[2], s[3]
		}
	case *image.RGBA: // of pictures without transparency
		return func(x, y int) (r, g, b, a uint8) {
			s := p.Pix[p.PixOffset(corner.X+x, corner.Y+y):]
			return s[0], s[1], s[2], s[3]
		}
	}
	return func(x, y int) (r, g, b, a uint8) {
		r16, g16, b16, a16 := picture.At(corner.X+x, corner.Y+y).RGBA()
		return uint8(r16 >> 8), uint8(g16 >> 8), uint8(b16 >> 8), uint8(a16 >> 8)
	}
}

// height returns the height of a place, from the deepest tile that has it.
func (a *archive) height(c *cursor, p geo.Point) (metres float64, ok bool, err error) {
	if _, in := a.find(p); !in {
		return 0, false, nil
	}
	for zoom := a.deepest; zoom >= a.least; zoom-- {
		k := a.tile(p, zoom)
		t, err := c.terrain(a, k)
		if err != nil {
			return 0, false, err
		}
		if t != nil {
			return a.between(c, p, zoom, t.side)
		}
	}
	return 0, false, nil
}

// between interpolates between the four pixels around a place, across tiles.
func (a *archive) between(c *cursor, p geo.Point, zoom, side int) (metres float64, ok bool, err error) {
	x, y := mercator(p)
	n := int64(side) << zoom
	px, py := x*float64(n)-0.5, y*float64(n)-0.5
	col, row := int64(math.Floor(px)), int64(math.Floor(py))
	return blend(px-float64(col), py-float64(row), func(dx, dy int) (float64, bool, error) {
		at, line := (col+int64(dx)+n)%n, row+int64(dy)
		if line < 0 || line >= n {
			return 0, false, nil
		}
		t, err := c.terrain(a, [3]int32{int32(zoom), int32(at / int64(side)), int32(line / int64(side))})
		if err != nil || t == nil || t.side != side {
			return 0, false, err
		}
		v := float64(t.metres[int(line)%side*side+int(at)%side])
		return v, !math.IsNaN(v), nil
	})
}

// terrain returns a tile of an archive; nil if that has none.
func (c *cursor) terrain(a *archive, k [3]int32) (*terrainTile, error) {
	p, err := c.piece(a, k)
	t, _ := p.(*terrainTile)
	return t, err
}
