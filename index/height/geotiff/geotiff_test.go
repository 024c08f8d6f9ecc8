package geotiff

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// drawing is a file to be written: what a grid is, and how.
type drawing struct {
	width, height          int
	tileWidth, tileHeight  int // 0 is strips of so many rows
	rows                   int
	bits, format           int
	compression, predictor int
	big, bigTIFF           bool // byte order, and kind of file
	nodata                 string
	keys                   []uint16
	scale, tie             []float64
	height0                func(col, row int) float64
	also                   map[uint16]field // replaces fields
	drop                   uint16
	next                   uint64 // place of the next image
}

type field struct {
	kind  uint16
	count uint64
	data  []byte
}

func usual() drawing {
	return drawing{
		width: 37, height: 23, rows: 5, bits: 32, format: float, compression: plain, predictor: noPredictor,
		keys:  []uint16{1, 1, 0, 3, keyModel, 0, 1, geographic, keyRaster, 0, 1, pixelIsArea, keyGeographic, 0, 1, 4326},
		scale: []float64{0.01, 0.02, 0}, tie: []float64{0, 0, 0, 8, 47, 0},
		height0: func(col, row int) float64 { return float64(100*row + col - 500) },
	}
}

// endian is an order of bytes, to put and to append.
type endian interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func (d *drawing) order() endian {
	if d.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// sample writes one.
func (d *drawing) sample(order binary.ByteOrder, v float64) []byte {
	b := make([]byte, d.bits/8)
	switch {
	case d.format == float && d.bits == 64:
		order.PutUint64(b, math.Float64bits(v))
	case d.format == float:
		order.PutUint32(b, math.Float32bits(float32(v)))
	case d.bits == 16:
		order.PutUint16(b, uint16(int64(v)))
	default:
		order.PutUint32(b, uint32(int64(v)))
	}
	return b
}

// block writes some pixels, packed.
func (d *drawing) block(t testing.TB, left, top, width, height int) []byte {
	var data []byte
	size := d.bits / 8
	for row := top; row < top+height; row++ {
		var line []byte
		var order binary.ByteOrder = d.order()
		if d.predictor == floating {
			order = binary.BigEndian
		}
		for col := left; col < left+width; col++ {
			line = append(line, d.sample(order, d.height0(min(col, d.width-1), min(row, d.height-1)))...)
		}
		switch d.predictor {
		case horizontal:
			for i := len(line) - size; i >= size; i -= size {
				if size == 2 {
					order.PutUint16(line[i:], order.Uint16(line[i:])-order.Uint16(line[i-2:]))
				} else {
					order.PutUint32(line[i:], order.Uint32(line[i:])-order.Uint32(line[i-4:]))
				}
			}
		case floating:
			planes := make([]byte, len(line))
			for i := range width {
				for b := range size {
					planes[b*width+i] = line[i*size+b]
				}
			}
			for i := len(planes) - 1; i > 0; i-- {
				planes[i] -= planes[i-1]
			}
			line = planes
		}
		data = append(data, line...)
	}
	switch d.compression {
	case deflate, deflateOld:
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		if _, err := z.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	case zstandard:
		z, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		return z.EncodeAll(data, nil)
	case lzwPacked:
		return packLZW(data)
	}
	return data
}

// packLZW writes TIFF's LZW without ever filling its table: codes have nine bits,
// and the table is cleared before they would need ten.
func packLZW(data []byte) []byte {
	var out []byte
	var held uint32
	var n uint
	put := func(code uint32) {
		held, n = held<<9|code, n+9
		for n >= 8 {
			out = append(out, byte(held>>(n-8)))
			n -= 8
		}
	}
	for i, b := range data {
		if i%200 == 0 {
			put(256)
		}
		put(uint32(b))
	}
	put(257)
	if n > 0 {
		out = append(out, byte(held<<(8-n)))
	}
	return out
}

func (d *drawing) write(t testing.TB) []byte {
	t.Helper()
	order := d.order()
	file := make([]byte, 16)
	var offsets, sizes []uint64
	add := func(b []byte) {
		offsets, sizes = append(offsets, uint64(len(file))), append(sizes, uint64(len(b)))
		file = append(file, b...)
	}
	if d.tileWidth > 0 {
		for top := 0; top < d.height; top += d.tileHeight {
			for left := 0; left < d.width; left += d.tileWidth {
				add(d.block(t, left, top, d.tileWidth, d.tileHeight))
			}
		}
	} else {
		for top := 0; top < d.height; top += d.rows {
			add(d.block(t, 0, top, d.width, min(d.rows, d.height-top)))
		}
	}
	shorts := func(v ...uint16) field {
		f := field{kind: 3, count: uint64(len(v))}
		for _, x := range v {
			f.data = order.AppendUint16(f.data, x)
		}
		return f
	}
	doubles := func(v []float64) field {
		f := field{kind: 12, count: uint64(len(v))}
		for _, x := range v {
			f.data = order.AppendUint64(f.data, math.Float64bits(x))
		}
		return f
	}
	longs := func(v []uint64) field {
		f := field{kind: 4, count: uint64(len(v))}
		for _, x := range v {
			f.data = order.AppendUint32(f.data, uint32(x))
		}
		return f
	}
	fields := map[uint16]field{
		tagWidth: shorts(uint16(d.width)), tagHeight: shorts(uint16(d.height)), tagBits: shorts(uint16(d.bits)), tagCompression: shorts(uint16(d.compression)),
		tagSamples: shorts(1), tagPredictor: shorts(uint16(d.predictor)), tagFormat: shorts(uint16(d.format)),
		tagPixelScale: doubles(d.scale), tagTiepoint: doubles(d.tie), tagGeoKeys: shorts(d.keys...),
	}
	if d.tileWidth > 0 {
		fields[tagTileWidth], fields[tagTileHeight], fields[tagTileOffsets], fields[tagTileSizes] = shorts(uint16(d.tileWidth)), shorts(uint16(d.tileHeight)), longs(offsets), longs(sizes)
	} else {
		fields[tagRowsPerStrip], fields[tagStripOffsets], fields[tagStripSizes] = shorts(uint16(d.rows)), longs(offsets), longs(sizes)
	}
	if d.nodata != "" {
		fields[tagNoData] = field{2, uint64(len(d.nodata) + 1), []byte(d.nodata + "\x00")}
	}
	for tag, f := range d.also {
		fields[tag] = f
	}
	delete(fields, d.drop)
	width, inline := 12, 4
	if d.bigTIFF {
		width, inline = 20, 8
	}
	type entry struct {
		tag uint16
		at  uint64
	}
	var list []entry
	for tag := range uint16(math.MaxUint16) {
		f, ok := fields[tag]
		if !ok {
			continue
		}
		e := entry{tag: tag}
		if len(f.data) > inline {
			e.at = uint64(len(file))
			file = append(file, f.data...)
		}
		list = append(list, e)
	}
	image := uint64(len(file))
	if d.bigTIFF {
		file = order.AppendUint64(file, uint64(len(list)))
	} else {
		file = order.AppendUint16(file, uint16(len(list)))
	}
	for _, e := range list {
		f := fields[e.tag]
		b := make([]byte, width)
		order.PutUint16(b, e.tag)
		order.PutUint16(b[2:], f.kind)
		value := b[8:]
		if d.bigTIFF {
			order.PutUint64(b[4:], f.count)
			value = b[12:]
		} else {
			order.PutUint32(b[4:], uint32(f.count))
		}
		switch {
		case e.at == 0:
			copy(value, f.data)
		case d.bigTIFF:
			order.PutUint64(value, e.at)
		default:
			order.PutUint32(value, uint32(e.at))
		}
		file = append(file, b...)
	}
	if d.next == math.MaxUint64 {
		d.next = image // a chain that ends nowhere
	}
	if d.bigTIFF {
		file = order.AppendUint64(file, d.next)
	} else {
		file = order.AppendUint32(file, uint32(d.next))
	}
	copy(file, "II")
	if d.big {
		copy(file, "MM")
	}
	if d.bigTIFF {
		order.PutUint16(file[2:], 43)
		order.PutUint16(file[4:], 8)
		order.PutUint64(file[8:], image)
	} else {
		order.PutUint16(file[2:], 42)
		order.PutUint32(file[4:], uint32(image))
	}
	return file
}

// heights reads all of a file.
func heights(file []byte) (*Grid, [][]float32, error) {
	g, err := Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, nil, err
	}
	var all [][]float32
	down := (g.Height + g.BlockHeight - 1) / g.BlockHeight
	for i := range min(g.across*down, 64) {
		b, err := g.Heights(bytes.NewReader(file), int64(len(file)), i)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, b)
	}
	return g, all, nil
}

// Every way to write heights gives the same heights back.
func TestEveryForm(t *testing.T) {
	n := 0
	for _, samples := range [][2]int{{16, signed}, {16, unsigned}, {32, signed}, {32, unsigned}, {32, float}, {64, float}} {
		for _, packing := range []int{plain, lzwPacked, deflate, deflateOld, zstandard} {
			for _, predictor := range []int{noPredictor, horizontal, floating} {
				if predictor == floating && samples[1] != float || predictor == horizontal && samples[1] == float {
					continue
				}
				for layout := range 8 {
					d := usual()
					d.bits, d.format, d.compression, d.predictor = samples[0], samples[1], packing, predictor
					d.big, d.bigTIFF = layout&1 > 0, layout&2 > 0
					if layout&4 > 0 {
						d.tileWidth, d.tileHeight = 16, 16
					}
					if d.format == unsigned {
						d.height0 = func(col, row int) float64 { return float64(100*row + col) }
					}
					g, blocks, err := heights(d.write(t))
					if err != nil {
						t.Fatalf("%+v: %v", d, err)
					}
					for row := range d.height {
						for col := range d.width {
							block, at := g.Block(col, row)
							if got := float64(blocks[block][at]); got != d.height0(col, row) {
								t.Fatalf("samples %v, packing %d, predictor %d, layout %d: %v at %d, %d, want %v", samples, packing, predictor, layout, got, col, row, d.height0(col, row))
							}
						}
					}
					n++
				}
			}
		}
	}
	if n != 5*8*(4*2+2*2) {
		t.Errorf("%d forms", n)
	}
}

func TestPlace(t *testing.T) {
	d := usual()
	g, _, err := heights(d.write(t))
	if err != nil {
		t.Fatal(err)
	}
	// A pixel is an area: the first lies half a pixel within the corner.
	if x, y := g.Pixel(8.005, 46.99); math.Abs(x) > 1e-9 || math.Abs(y) > 1e-9 {
		t.Errorf("%v, %v", x, y)
	}
	if !g.Holds(8, 47) || !g.Holds(8.37, 46.54) || g.Holds(7.999, 47) || g.Holds(8.1, 46.53) {
		t.Error("it does not hold what it should")
	}
	d.keys[11] = 2 // points
	if g, _, err = heights(d.write(t)); err != nil {
		t.Fatal(err)
	}
	if x, y := g.Pixel(8, 47); x != 0 || y != 0 {
		t.Errorf("%v, %v", x, y)
	}
	d = usual()
	matrix := []float64{0.01, 0, 0, 8, 0, -0.02, 0, 47, 0, 0, 0, 0, 0, 0, 0, 1}
	var data []byte
	for _, v := range matrix {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	d.also, d.drop = map[uint16]field{tagTransformation: {12, 16, data}}, tagPixelScale
	if g, _, err = heights(d.write(t)); err != nil {
		t.Fatal(err)
	}
	if x, y := g.Pixel(8.005, 46.99); math.Abs(x) > 1e-9 || math.Abs(y) > 1e-9 {
		t.Errorf("by its matrix %v, %v", x, y)
	}
}

func TestNoData(t *testing.T) {
	for nodata, void := range map[string]float64{"-9999": -9999, " -32767 ": -32767, "nan": math.NaN(), "-3.4028234663852886e+38": -math.MaxFloat32} {
		d := usual()
		d.nodata = nodata
		d.height0 = func(col, row int) float64 {
			if col == row {
				return void
			}
			return 7
		}
		g, blocks, err := heights(d.write(t))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			block, at := g.Block(i, i)
			if v := float64(blocks[block][at]); !math.IsNaN(v) {
				t.Errorf("%s: %v", nodata, v)
			}
			if block, at = g.Block(i+1, i); blocks[block][at] != 7 {
				t.Errorf("%s: %v", nodata, blocks[block][at])
			}
		}
	}
}

// Only the first image counts, and a chain of images that leads back to it ends
// nothing.
func TestChainOfImages(t *testing.T) {
	d := usual()
	d.next = math.MaxUint64
	if _, _, err := heights(d.write(t)); err != nil {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	long := func(v uint32) field { return field{4, 1, binary.LittleEndian.AppendUint32(nil, v)} }
	for name, c := range map[string]struct {
		change func(*drawing)
		says   string
	}{
		"huge":    {func(d *drawing) { d.also = map[uint16]field{tagWidth: long(1 << 30)} }, "its width is 1073741824"},
		"nothing": {func(d *drawing) { d.also = map[uint16]field{tagHeight: long(0)} }, "its height is 0"},
		"a huge strip": {func(d *drawing) {
			d.also = map[uint16]field{tagWidth: long(1 << 20), tagHeight: long(1 << 20), tagRowsPerStrip: long(1 << 20)}
		}, "write it in tiles"},
		"too few blocks":            {func(d *drawing) { d.also = map[uint16]field{tagHeight: long(5000)} }, "sizes of blocks"},
		"two bands":                 {func(d *drawing) { d.also = map[uint16]field{tagSamples: long(2)} }, "bands is 2"},
		"bytes":                     {func(d *drawing) { d.also = map[uint16]field{tagBits: long(8)} }, "8 bits"},
		"JPEG":                      {func(d *drawing) { d.also = map[uint16]field{tagCompression: long(7)} }, "packed in way 7"},
		"a wrong predictor":         {func(d *drawing) { d.also = map[uint16]field{tagPredictor: long(2)} }, "predictor 2"},
		"a projection":              {func(d *drawing) { d.keys[7] = 1 }, "projection"},
		"another datum":             {func(d *drawing) { d.keys[15] = 4277 }, "EPSG:4277"},
		"metres":                    {func(d *drawing) { d.scale = []float64{30, 30, 0} }, "degrees"},
		"upside down":               {func(d *drawing) { d.scale = []float64{0.01, -0.02, 0} }, "north up"},
		"beyond the globe":          {func(d *drawing) { d.tie = []float64{0, 0, 0, 500, 47, 0} }, "degrees"},
		"nowhere":                   {func(d *drawing) { d.drop = tagTiepoint }, "does not say where"},
		"steps that are not":        {func(d *drawing) { d.scale = []float64{math.NaN(), 1, 0} }, "degrees"},
		"no data that is no number": {func(d *drawing) { d.nodata = "none" }, "no number"},
		"blocks beyond the end": {func(d *drawing) {
			d.also = map[uint16]field{tagStripOffsets: {4, 5, bytes.Repeat([]byte{0xff, 0xff, 0xff, 0x7f}, 5)}}
		}, "block 0"},
		"blocks too large": {func(d *drawing) {
			d.also = map[uint16]field{tagStripSizes: {4, 5, bytes.Repeat([]byte{0xff, 0xff, 0xff, 0x7f}, 5)}}
		}, "block 0"},
	} {
		d := usual()
		c.change(&d)
		if _, _, err := heights(d.write(t)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	for _, packing := range []int{plain, lzwPacked, deflate, zstandard} {
		d := usual()
		d.compression = packing
		file := d.write(t)
		for _, n := range []int{0, 1, 7, 15, len(file) / 2, len(file) - 5} {
			if _, _, err := heights(file[:n]); err == nil {
				t.Errorf("%d bytes of %d are taken", n, len(file))
			}
		}
	}
	if _, _, err := heights([]byte("not at all a picture")); err == nil || !strings.Contains(err.Error(), "not a TIFF") {
		t.Error(err)
	}
}

// FuzzRead damages files: they are refused or read, within bounds.
func FuzzRead(f *testing.F) {
	for i := range 4 {
		d := usual()
		d.big, d.bigTIFF = i&1 > 0, i&2 > 0
		d.compression, d.nodata = []int{plain, lzwPacked, deflate, zstandard}[i], fmt.Sprint(i)
		if i > 1 {
			d.tileWidth, d.tileHeight = 16, 16
		}
		f.Add(d.write(f))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		g, err := Read(bytes.NewReader(file), int64(len(file)))
		if err != nil || g.BlockWidth*g.BlockHeight > 1<<16 { // slow to try
			return
		}
		_, blocks, err := heights(file)
		if err != nil {
			return
		}
		for i, b := range blocks {
			if len(b) == 0 || len(b) > mostBlockPixels {
				t.Errorf("block %d of %d x %d has %d pixels", i, g.Width, g.Height, len(b))
			}
		}
	})
}
