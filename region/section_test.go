package region

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

type record struct {
	A uint32
	B int16
	C uint8
	_ uint8
}

// sample returns a section with arrays of every size of element, one of them empty.
func sample() *Arrays {
	a := &Arrays{}
	Put(a, "bytes", []byte("Waygate"))
	Put(a, "records", []record{{A: 1, B: -2, C: 3}, {A: 1 << 31, B: 300, C: 255}})
	Put(a, "none", []uint64(nil))
	Put(a, "longs", []int64{-1, 0, 1 << 62})
	Put(a, strings.Repeat("n", nameSize), []float32{1.5})
	return a
}

func file(t *testing.T, a *Arrays) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "section")
	if err := a.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// atEight copies data to an address that arrays may start at.
func atEight(data []byte) []byte {
	words := make([]uint64, len(data)/8+1)
	place := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:len(data)]
	copy(place, data)
	return place
}

// readAll touches every byte of a section as its arrays of several types.
func readAll(s *Section) (sum uint64) {
	for _, name := range []string{"bytes", "records", "none", "longs", strings.Repeat("n", nameSize), "lost"} {
		if v, err := Array[byte](s, name); err == nil {
			for _, x := range v {
				sum += uint64(x)
			}
		}
		if v, err := Array[record](s, name); err == nil {
			for _, x := range v {
				sum += uint64(x.A) + uint64(x.B) + uint64(x.C)
			}
		}
		if v, err := Array[int64](s, name); err == nil {
			for _, x := range v {
				sum += uint64(x)
			}
		}
		if v, err := Array[float32](s, name); err == nil {
			sum += uint64(len(v))
		}
	}
	return sum
}

func TestSection(t *testing.T) {
	data := atEight(file(t, sample()))
	s, err := ReadSection("sample", data)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Array[byte](s, "bytes"); err != nil || string(got) != "Waygate" {
		t.Errorf("bytes: %q, %v", got, err)
	}
	if got, err := Array[record](s, "records"); err != nil || !slices.Equal(got, []record{{A: 1, B: -2, C: 3}, {A: 1 << 31, B: 300, C: 255}}) {
		t.Errorf("records: %v, %v", got, err)
	}
	if got, err := Array[uint64](s, "none"); err != nil || len(got) != 0 {
		t.Errorf("none: %v, %v", got, err)
	}
	if got, err := Array[int64](s, "longs"); err != nil || !slices.Equal(got, []int64{-1, 0, 1 << 62}) {
		t.Errorf("longs: %v, %v", got, err)
	}
	if got, err := Array[float32](s, strings.Repeat("n", nameSize)); err != nil || !slices.Equal(got, []float32{1.5}) {
		t.Errorf("long name: %v, %v", got, err)
	}
	if _, err := Array[uint16](s, "bytes"); err == nil || !strings.Contains(err.Error(), "elements of 1 bytes, want 2") {
		t.Errorf("wrong size of element: %v", err)
	}
	if _, err := Array[byte](s, "lost"); err == nil || !strings.Contains(err.Error(), `no array "lost"`) {
		t.Errorf("absent array: %v", err)
	}
}

func TestSectionRoundTripOfAnyArrays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "section")
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "first")
		second := rapid.SliceOfN(rapid.Uint32(), 0, 50).Draw(t, "second")
		third := rapid.SliceOfN(rapid.Float64(), 0, 50).Draw(t, "third")
		a := &Arrays{}
		Put(a, "first", first)
		Put(a, "second", second)
		Put(a, "third", third)
		if err := a.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(data)%alignment != 0 {
			t.Fatalf("%d bytes", len(data))
		}
		s, err := ReadSection("any", atEight(data))
		if err != nil {
			t.Fatal(err)
		}
		x, errX := Array[byte](s, "first")
		y, errY := Array[uint32](s, "second")
		z, errZ := Array[float64](s, "third")
		if errX != nil || errY != nil || errZ != nil || !bytes.Equal(x, first) || !slices.Equal(y, second) || !slices.Equal(z, third) {
			t.Fatalf("%v %v %v (%v %v %v)", x, y, z, errX, errY, errZ)
		}
	})
}

func TestSectionCutShort(t *testing.T) {
	data := file(t, sample())
	whole := len(data)
	for n := range whole {
		s, err := ReadSection("sample", atEight(data[:n]))
		if err != nil {
			if !strings.Contains(err.Error(), "section sample") {
				t.Fatalf("cut to %d bytes: the error names no section: %v", n, err)
			}
			continue
		}
		// Only padding after the last array may be missed.
		if last, err := Array[float32](s, strings.Repeat("n", nameSize)); err != nil || len(last) != 1 || n < whole-alignment {
			t.Fatalf("cut to %d of %d bytes it was read", n, whole)
		}
	}
}

func TestSectionWithFlippedBits(t *testing.T) {
	data := file(t, sample())
	for bit := range 8 * len(data) {
		damaged := atEight(data)
		damaged[bit/8] ^= 1 << (bit % 8)
		if s, err := ReadSection("sample", damaged); err == nil {
			readAll(s)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		damaged := atEight(data)
		for range 1 + r.IntN(8) {
			damaged[r.IntN(headerSize+5*entrySize)] = byte(r.Uint32())
		}
		if s, err := ReadSection("sample", damaged); err == nil {
			readAll(s)
		}
	}
}

func TestSectionAtAnOddAddress(t *testing.T) {
	data := file(t, sample())
	if _, err := ReadSection("sample", atEight(append([]byte{0}, data...))[1:]); err == nil {
		t.Error("arrays at an odd address were taken")
	}
}

func TestSectionThatCannotBeWritten(t *testing.T) {
	if err := sample().WriteFile(filepath.Join(t.TempDir(), "no", "folder")); err == nil {
		t.Error("written into a folder that does not exist")
	}
}

func FuzzReadSection(f *testing.F) {
	path := filepath.Join(f.TempDir(), "section")
	for _, a := range []*Arrays{sample(), {}} {
		if err := a.WriteFile(path); err != nil {
			f.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadSection("fuzz", atEight(data))
		if err != nil {
			return
		}
		readAll(s)
		for _, c := range s.columns {
			if v, err := Array[uint64](s, c.name); err == nil && len(v) > 0 {
				_ = v[len(v)-1]
			}
		}
	})
}

func TestStreamIsArrays(t *testing.T) {
	whole := sample()
	path := filepath.Join(t.TempDir(), "stream")
	s, err := NewStream(path, len(whole.columns))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]column{whole.columns[:1], nil, whole.columns[1:]} {
		if err := s.Put(&Arrays{columns: part}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, file(t, whole)) {
		t.Error("the file is another than that of the same arrays at once")
	}
}

// Arrays put in pieces are as those put whole.
func TestStreamJoinsArrays(t *testing.T) {
	whole := &Arrays{}
	long := make([]uint32, 1000)
	for i := range long {
		long[i] = uint32(i * i)
	}
	Put(whole, "a", long)
	Put(whole, "b", []byte("words"))
	Put(whole, "c", []uint64(nil))
	path := filepath.Join(t.TempDir(), "stream")
	s, err := NewStream(path, 6)
	if err != nil {
		t.Fatal(err)
	}
	pieces := &Arrays{}
	Put(pieces, "a", long[:7])
	Put(pieces, "b", []byte("wo"))
	Put(pieces, "c", []uint64(nil))
	Put(pieces, "b", []byte("rds"))
	Put(pieces, "a", long[:0])
	Put(pieces, "a", long[7:])
	if err := errors.Join(s.Put(pieces), s.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, file(t, whole)) {
		t.Error("the file is another than that of the whole arrays")
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// Pieces of one array have elements of one size.
func TestStreamRefusesUnlikePieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stream")
	s, err := NewStream(path, 2)
	if err != nil {
		t.Fatal(err)
	}
	pieces := &Arrays{}
	Put(pieces, "a", []uint32{1})
	Put(pieces, "a", []byte{1})
	if err := errors.Join(s.Put(pieces), s.Close()); err == nil {
		t.Error("an array of two sizes was written")
	}
}

func TestStreamKeepsItsCount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stream")
	s, err := NewStream(path, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put(sample()); err == nil {
		t.Error("more arrays than announced were taken")
	}
	if s, err = NewStream(path, 3); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err == nil {
		t.Error("a section without its arrays was closed")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSection("stream", atEight(data)); err == nil {
		t.Error("an unfinished section is one")
	}
}
