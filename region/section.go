package region

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"unsafe"
)

// A section of arrays is one file:
//
//	magic    8 bytes  "WGARRAY1"
//	count    uint32   number of arrays
//	zero     uint32
//	entries  count x { name [40]byte, size uint32 (bytes an element),
//	                   zero uint32, count uint64, offset uint64 }
//	data     each array at a multiple of 64 bytes, little-endian
//
// so that a mapped file serves as its own arrays.
const (
	magic      = "WGARRAY1"
	headerSize = 16
	entrySize  = 64
	nameSize   = 40
	alignment  = 64
)

// Element is a value that may lie in an array: fixed size, no pointers. The
// constraint cannot say so; a type with a pointer in it would be a defect.
type Element any

type column struct {
	name  string
	size  int
	count int
	data  []byte
}

// Arrays collects the arrays of one section before they are written.
type Arrays struct{ columns []column }

// Put adds an array under a name of at most 40 bytes. The slice is kept, not
// copied, until Write.
func Put[T Element](a *Arrays, name string, values []T) {
	if len(name) > nameSize {
		panic("region: array name too long: " + name)
	}
	var zero T
	size := int(unsafe.Sizeof(zero))
	var data []byte
	if len(values) > 0 {
		data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*size)
	}
	a.columns = append(a.columns, column{name, size, len(values), data})
}

// WriteFile writes the section to path and syncs it.
func (a *Arrays) WriteFile(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := a.write(f); err != nil {
		return fmt.Errorf("write %s: %w", path, closeAfter(f, err))
	}
	return closeAfter(f, f.Sync())
}

func closeAfter(f *os.File, err error) error {
	if e := f.Close(); err == nil {
		return e
	}
	return err
}

func (a *Arrays) write(w io.Writer) error {
	if _, err := w.Write(padded(head(a.columns))); err != nil {
		return err
	}
	for _, c := range a.columns {
		if _, err := w.Write(c.data); err != nil {
			return err
		}
		if gap := aligned(len(c.data)) - len(c.data); gap > 0 {
			if _, err := w.Write(make([]byte, gap)); err != nil {
				return err
			}
		}
	}
	return nil
}

// head returns the begin of a section's file: where each of its arrays lies.
func head(columns []column) []byte {
	head := make([]byte, headerSize+entrySize*len(columns))
	copy(head, magic)
	binary.LittleEndian.PutUint32(head[8:], uint32(len(columns)))
	at := aligned(len(head))
	for i, c := range columns {
		e := head[headerSize+i*entrySize:]
		copy(e[:nameSize], c.name)
		binary.LittleEndian.PutUint32(e[nameSize:], uint32(c.size))
		binary.LittleEndian.PutUint64(e[nameSize+8:], uint64(c.count))
		binary.LittleEndian.PutUint64(e[nameSize+16:], uint64(at))
		at = aligned(at + c.size*c.count)
	}
	return head
}

func aligned(n int) int { return (n + alignment - 1) / alignment * alignment }

func padded(b []byte) []byte { return append(b, make([]byte, aligned(len(b))-len(b))...) }

// Section is an opened section of arrays. Its arrays live as long as the
// region it came from.
type Section struct {
	name    string
	columns []column
}

// Name returns the section's in the manifest.
func (s *Section) Name() string { return s.name }

// ReadSection finds the arrays in data, which must start at an address that
// is a multiple of 8. It refuses a file that is no section, is cut short or
// whose arrays overlap the end.
func ReadSection(name string, data []byte) (*Section, error) {
	if !littleEndian {
		return nil, fmt.Errorf("section %s: regions are little-endian and this machine is not", name)
	}
	if len(data) < headerSize || string(data[:8]) != magic {
		return nil, fmt.Errorf("section %s: not a section of arrays", name)
	}
	if uintptr(unsafe.Pointer(unsafe.SliceData(data)))%8 != 0 {
		return nil, fmt.Errorf("section %s: does not start at a multiple of 8 bytes in memory", name)
	}
	n := int(binary.LittleEndian.Uint32(data[8:]))
	if n > (len(data)-headerSize)/entrySize {
		return nil, fmt.Errorf("section %s: cut short, %d arrays do not fit %d bytes", name, n, len(data))
	}
	s := &Section{name: name, columns: make([]column, n)}
	for i := range s.columns {
		e := data[headerSize+i*entrySize:]
		label := e[:nameSize]
		if end := slices.Index(label, 0); end >= 0 {
			label = label[:end]
		}
		size := uint64(binary.LittleEndian.Uint32(e[nameSize:]))
		count := binary.LittleEndian.Uint64(e[nameSize+8:])
		offset := binary.LittleEndian.Uint64(e[nameSize+16:])
		total := uint64(len(data))
		if size == 0 || offset > total || offset%alignment != 0 || count > (total-offset)/size {
			return nil, fmt.Errorf("section %s: array %q (%d x %d bytes at %d) does not fit %d bytes", name, label, count, size, offset, total)
		}
		s.columns[i] = column{string(label), int(size), int(count), data[offset : offset+count*size]}
	}
	return s, nil
}

var littleEndian = func() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}()

// Has reports whether the section has an array of a name.
func (s *Section) Has(name string) bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return c.name == name })
}

// Array returns the array of a name without copying. It fails where the section
// has none or its elements have another size than T.
func Array[T Element](s *Section, name string) ([]T, error) {
	for _, c := range s.columns {
		if c.name != name {
			continue
		}
		var zero T
		if size := int(unsafe.Sizeof(zero)); size != c.size {
			return nil, fmt.Errorf("section %s: array %q has elements of %d bytes, want %d", s.name, name, c.size, size)
		}
		if c.count == 0 {
			return nil, nil
		}
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(c.data))), c.count), nil
	}
	return nil, fmt.Errorf("section %s: no array %q", s.name, name)
}

// Field is a slice with the name of the array that it is written to and read
// from, for formats that list their arrays once for both.
type Field interface {
	Put(a *Arrays)
	Get(s *Section) error
}

// FieldOf returns the field of the slice at.
func FieldOf[T Element](name string, at *[]T) Field { return field[T]{name, at} }

type field[T Element] struct {
	name string
	at   *[]T
}

func (f field[T]) Put(a *Arrays) { Put(a, f.name, *f.at) }

func (f field[T]) Get(s *Section) (err error) {
	*f.at, err = Array[T](s, f.name)
	return err
}
