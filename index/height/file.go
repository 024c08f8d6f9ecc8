package height

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// endings are those of the files of a tile, fastest to read first.
var endings = [...]string{".hgt", ".hgt.gz", ".hgt.zip"}

// ending returns the place of a file's ending in endings; not ok for any other file.
func ending(file string) (place int, ok bool) {
	name := strings.ToLower(filepath.Base(file))
	for i, e := range endings {
		if strings.HasSuffix(name, e) {
			return i, true
		}
	}
	return 0, false
}

// Open reads the tile of a corner from a file: .hgt, .hgt.gz or .hgt.zip. Errors name
// the file and what is wrong with it.
func Open(file string, corner Corner) (*Tile, error) {
	t, err := open(file, corner)
	if err != nil {
		return nil, fmt.Errorf("heights %s: %w", file, err)
	}
	return t, nil
}

func open(file string, corner Corner) (*Tile, error) {
	kind, ok := ending(file)
	if !ok {
		return nil, errors.New("want an .hgt, .hgt.gz or .hgt.zip file")
	}
	packed, err := readFile(file)
	if err != nil {
		return nil, err
	}
	data := packed
	switch kind {
	case 1:
		data, err = gunzip(packed)
	case 2:
		data, err = unzip(packed, corner)
	}
	if err != nil {
		return nil, err
	}
	return Parse(corner, data)
}

// mostPacked is the most bytes of a tile's file: compression makes none larger by more
// than a little.
const mostPacked = 32 << 20

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && info.Size() > mostPacked {
		err = fmt.Errorf("it has %d bytes, a tile has %d at the most", info.Size(), mostPacked)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// unpacked reads a compressed tile, up to one byte more than the largest has: anything
// longer is no tile.
func unpacked(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(bytesOf(ThreeArcSeconds) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(r, int64(bytesOf(ArcSecond))+1))
	return b.Bytes(), err
}

func gunzip(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("not readable as gzip: %w", err)
	}
	data, err := unpacked(z)
	if err != nil {
		return nil, fmt.Errorf("not readable as gzip: %w", err)
	}
	return data, nil
}

// unzip reads the tile in an archive: the .hgt with the corner's name or, without one,
// the only .hgt.
func unzip(packed []byte, corner Corner) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, fmt.Errorf("not readable as zip: %w", err)
	}
	var found *zip.File
	tiles := 0
	for _, f := range z.File {
		if kind, ok := ending(f.Name); !ok || kind != 0 || f.FileInfo().IsDir() {
			continue
		}
		tiles++
		c, ok := ParseName(f.Name)
		if ok && c == corner {
			found, tiles = f, 1
			break
		}
		if !ok {
			found = f
		}
	}
	if found == nil || tiles != 1 {
		return nil, fmt.Errorf("the archive has no %s.hgt", corner)
	}
	r, err := found.Open()
	if err != nil {
		return nil, fmt.Errorf("%s in it is not readable: %w", found.Name, err)
	}
	data, err := unpacked(r)
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, fmt.Errorf("%s in it is not readable: %w", found.Name, err)
	}
	return data, nil
}
