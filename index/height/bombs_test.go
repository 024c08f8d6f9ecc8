package height

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"runtime"
	"testing"
)

// pngOf returns a picture that says it has so many pixels to a side, with so many zeros
// packed as its content.
func pngOf(t *testing.T, side uint32, content int) []byte {
	t.Helper()
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write(make([]byte, content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	out := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, data []byte) {
		out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
		start := len(out)
		out = append(append(out, kind...), data...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
	}
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, side), side)
	chunk("IHDR", append(header, 16, 6, 0, 0, 0)) // 16 bits of red, green, blue and alpha
	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)
	return out
}

// webpOf returns a picture of 16384 pixels to a side, in one of 64 or by itself.
func webpOf(canvas bool) []byte {
	chunk := func(kind string, data []byte) []byte {
		out := append([]byte(kind), binary.LittleEndian.AppendUint32(nil, uint32(len(data)))...)
		if out = append(out, data...); len(data)%2 == 1 {
			out = append(out, 0)
		}
		return out
	}
	file := []byte("WEBP")
	if canvas {
		file = append(file, chunk("VP8X", []byte{0, 0, 0, 0, 63, 0, 0, 63, 0, 0})...)
	}
	// All pixels are of one colour: these bytes are a whole picture.
	return chunk("RIFF", append(file, chunk("VP8L", []byte{0x2f, 0xff, 0xff, 0xff, 0x0f, 0x88, 0x88, 0x08})...))
}

// TestPicturesThatExplode reads pictures that say they are larger than they are, and
// such that unpack to more than they say.
func TestPicturesThatExplode(t *testing.T) {
	for name, data := range map[string][]byte{
		"65535 pixels to a side":      pngOf(t, 65535, 1000),
		"more content than pixels":    pngOf(t, 16, 64<<20),
		"a large picture in a small":  webpOf(true),
		"a gigabyte of 28 bytes":      webpOf(false),
		"less content than it states": pngOf(t, 1024, 10),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := decodeTerrain(data, terrarium)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; err == nil || used > 32<<20 {
				t.Errorf("%v, %d MiB are taken", err, used>>20)
			}
		})
	}
}
