package geotiff

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// layout reads the sizes of the grid and of its blocks.
func (g *Grid) layout(r *reader) (err error) {
	if g.Width, err = r.whole(tagWidth, "its width", 0, 1, mostSide); err != nil {
		return err
	}
	if g.Height, err = r.whole(tagHeight, "its height", 0, 1, mostSide); err != nil {
		return err
	}
	if _, g.tiled = r.tags[tagTileWidth]; g.tiled {
		if g.BlockWidth, err = r.whole(tagTileWidth, "the width of its tiles", 0, 1, mostSide); err != nil {
			return err
		}
		g.BlockHeight, err = r.whole(tagTileHeight, "the height of its tiles", 0, 1, mostSide)
	} else {
		g.BlockWidth = g.Width
		// A file of one strip may have any number here.
		rows, failed := r.fieldNumber(tagRowsPerStrip, float64(g.Height))
		if failed != nil || !(rows >= 1) {
			return errors.New("its strips have no rows")
		}
		g.BlockHeight = int(min(math.Trunc(rows), float64(g.Height)))
	}
	if err != nil {
		return err
	}
	if n := int64(g.BlockWidth) * int64(g.BlockHeight); n > mostBlockPixels {
		return fmt.Errorf("its blocks have %d pixels, and may have %d: write it in tiles", n, mostBlockPixels)
	}
	return nil
}

// blocks reads the offsets and lengths of the blocks.
func (g *Grid) blocks(r *reader) error {
	offsets, sizes := uint16(tagStripOffsets), uint16(tagStripSizes)
	if g.tiled {
		offsets, sizes = tagTileOffsets, tagTileSizes
	}
	g.across = (g.Width + g.BlockWidth - 1) / g.BlockWidth
	n := uint64(g.across) * uint64((g.Height+g.BlockHeight-1)/g.BlockHeight)
	g.offsets, g.sizes = r.tags[offsets], r.tags[sizes]
	if g.offsets.count < n || g.sizes.count < n {
		return fmt.Errorf("it has %d places and %d sizes of blocks, and needs %d", g.offsets.count, g.sizes.count, n)
	}
	return nil
}

// The compressions.
const (
	plain      = 1
	lzwPacked  = 5
	deflate    = 8
	deflateOld = 32946
	zstandard  = 50000
)

// The predictors.
const (
	noPredictor = iota + 1
	horizontal
	floating
)

// The sample formats.
const (
	unsigned = iota + 1
	signed
	float
)

// samples reads the format of the heights.
func (g *Grid) samples(r *reader) (err error) {
	if _, err = r.whole(tagSamples, "the number of its bands", 1, 1, 1); err != nil {
		return err
	}
	if g.bits, err = r.whole(tagBits, "the bits of a sample", 1, 1, 64); err != nil {
		return err
	}
	if g.format, err = r.whole(tagFormat, "the format of its samples", unsigned, unsigned, float); err != nil {
		return err
	}
	known := g.bits == 16 && g.format != float || g.bits == 32 || g.bits == 64 && g.format == float
	if !known {
		return fmt.Errorf("a sample has %d bits in format %d: want integers of 16 or 32, or floats of 32 or 64", g.bits, g.format)
	}
	if g.compression, err = r.whole(tagCompression, "its compression", plain, 0, math.MaxUint16); err != nil {
		return err
	}
	switch g.compression {
	case plain, lzwPacked, deflate, deflateOld, zstandard:
	default:
		return fmt.Errorf("it is packed in way %d: want none, LZW, deflate or Zstandard", g.compression)
	}
	if g.predictor, err = r.whole(tagPredictor, "its predictor", noPredictor, noPredictor, floating); err != nil {
		return err
	}
	if g.predictor == floating && g.format != float || g.predictor == horizontal && g.format == float {
		return fmt.Errorf("predictor %d does not go with samples of format %d", g.predictor, g.format)
	}
	text, err := r.text(tagNoData)
	if err != nil {
		return err
	}
	g.nodata = math.NaN()
	if text = strings.Trim(text, " \x00"); text != "" {
		if g.nodata, err = strconv.ParseFloat(text, 64); err != nil {
			return fmt.Errorf("what it has for no data is no number: %.40q", text)
		}
	}
	return nil
}

// Keys of the directory of coordinates.
const (
	keyModel      = 1024
	keyRaster     = 1025
	keyGeographic = 2048

	geographic  = 2
	pixelIsArea = 1
	userDefined = 32767
)

// alike are the geographic systems within a metre of WGS 84, by their EPSG codes:
// itself, in three dimensions, ETRS89 and NAD83.
var alike = map[int]bool{4326: true, 4979: true, 4258: true, 4269: true, userDefined: true}

// readPlacement reads the position of the grid.
func (g *Grid) readPlacement(r *reader) error {
	area := true
	keys, err := r.numbers(tagGeoKeys, 4*mostEntries)
	if err != nil {
		return err
	}
	for i := 4; i+3 < len(keys); i += 4 {
		if keys[i+1] != 0 {
			continue // its value is elsewhere
		}
		switch v := int(keys[i+3]); int(keys[i]) {
		case keyModel:
			if v != geographic {
				return errors.New("it is in a projection: want longitudes and latitudes (EPSG:4326), as gdalwarp -t_srs EPSG:4326 makes them")
			}
		case keyRaster:
			area = v == pixelIsArea
		case keyGeographic:
			if !alike[v] {
				return fmt.Errorf("it is in EPSG:%d: want EPSG:4326", v)
			}
		}
	}
	if err := g.transform(r); err != nil {
		return err
	}
	if area {
		g.West, g.North = g.West+g.StepLon/2, g.North-g.StepLat/2
	}
	if !(g.StepLon > 0 && g.StepLat > 0 && g.StepLon < 180 && g.StepLat < 180 && g.West >= -181 && g.West <= 361 && g.North <= 91) ||
		g.West+float64(g.Width-1)*g.StepLon > 541 || g.North-float64(g.Height-1)*g.StepLat < -91 {
		return fmt.Errorf("it lies at %v, %v with steps of %v, %v: want degrees of longitude and latitude, north up", g.West, g.North, g.StepLon, g.StepLat)
	}
	return nil
}

// transform reads the corner of the first pixel and the steps.
func (g *Grid) transform(r *reader) error {
	if m, err := r.numbers(tagTransformation, 16); err != nil {
		return err
	} else if len(m) == 16 {
		if m[1] != 0 || m[4] != 0 {
			return errors.New("it is turned: want north up")
		}
		g.West, g.North, g.StepLon, g.StepLat = m[3], m[7], m[0], -m[5]
		return nil
	}
	scale, err := r.numbers(tagPixelScale, 3)
	if err != nil {
		return err
	}
	tie, err := r.numbers(tagTiepoint, 6)
	if err != nil {
		return err
	}
	if len(scale) < 2 || len(tie) < 6 {
		return errors.New("it does not say where it lies: want ModelPixelScale and one ModelTiepoint, or ModelTransformation")
	}
	g.StepLon, g.StepLat = scale[0], scale[1]
	g.West, g.North = tie[3]-tie[0]*scale[0], tie[4]+tie[1]*scale[1]
	return nil
}

// reach is how far the outermost pixels extend from their middles, in pixels: a half,
// and a rounding error of floats.
const reach = 0.5 + 1e-6

// Holds reports whether a place lies within a pixel of the grid.
func (g *Grid) Holds(lon, lat float64) bool {
	x, y := g.Pixel(lon, lat)
	return x >= -reach && y >= -reach && x <= float64(g.Width)-1+reach && y <= float64(g.Height)-1+reach
}

// Pixel returns a place in pixels from the middle of the first.
func (g *Grid) Pixel(lon, lat float64) (x, y float64) {
	return (lon - g.West) / g.StepLon, (g.North - lat) / g.StepLat
}

// Block returns the number of the block with a pixel, and the pixel's index in it.
func (g *Grid) Block(col, row int) (block, at int) {
	return row/g.BlockHeight*g.across + col/g.BlockWidth, row%g.BlockHeight*g.BlockWidth + col%g.BlockWidth
}
