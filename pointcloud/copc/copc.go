// Package copc reads and writes COPC files. These (version 1.0, https://copc.io) are LAZ
// files whose chunks are the nodes of an octree, each of which has
// some of the points in its cube, evenly spread, and passes the others on to its children.
package copc

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/laz"
)

var le = binary.LittleEndian

// Bounds of what is read of a file's hierarchy, all of which is in memory.
const (
	MostNodes = 4 << 20
	mostPages = 1 << 18
	mostLevel = 30
)

// Records of COPC.
const (
	userID          = "copc"
	infoRecord      = 1
	hierarchyRecord = 1000
	infoSize        = 160
	entrySize       = 32
	recordHead      = 54
	extendedHead    = 60
)

// Info is the record that makes a LAZ file a COPC file.
type Info struct {
	Center     [3]float64 // of the root's cube
	HalfSize   float64    // half the edge of that cube
	Spacing    float64    // between points of the root
	RootOffset int64      // of the hierarchy's first page
	RootSize   int64
	TimeMin    float64
	TimeMax    float64
}

// Key names a node: its level, 0 for the root, and its place among the cubes of the level.
type Key struct{ Level, X, Y, Z int32 }

// String returns the key as tools write it.
func (k Key) String() string { return fmt.Sprintf("%d-%d-%d-%d", k.Level, k.X, k.Y, k.Z) }

// child returns one of the eight children: bit 0 of which is for x, 1 for y and 2 for z.
func (k Key) child(which int) Key {
	w := int32(which)
	return Key{k.Level + 1, k.X<<1 | w&1, k.Y<<1 | w>>1&1, k.Z<<1 | w>>2}
}

// parent returns the node that has k as a child; k is not the root.
func (k Key) parent() Key { return Key{k.Level - 1, k.X >> 1, k.Y >> 1, k.Z >> 1} }

// Node is a node of the octree with its chunk of points.
type Node struct {
	Key    Key
	Offset int64
	Size   int64
	Points int64
}

// File is an open COPC file.
type File struct {
	*pointcloud.File
	Info Info
	r    io.ReaderAt
}

// ErrNot is for LAS and LAZ files that are not COPC files.
var ErrNot = errors.New("not a COPC file: its first record is not the one of COPC")

// Open opens a COPC file of some length.
func Open(r io.ReaderAt, size int64) (*File, error) {
	cloud, err := pointcloud.Open(r, size)
	if err != nil {
		return nil, err
	}
	return Of(cloud, r)
}

// Of returns the COPC file that an open file is. The error is ErrNot if it is none.
func Of(cloud *pointcloud.File, r io.ReaderAt) (*File, error) {
	h := cloud.Header
	if len(h.Records) == 0 || h.Records[0].UserID != userID || h.Records[0].ID != infoRecord {
		return nil, ErrNot
	}
	b := h.Records[0].Data
	if len(b) < infoSize {
		return nil, fmt.Errorf("COPC record has %d bytes; it needs %d", len(b), infoSize)
	}
	if !h.Compressed || h.Format < 6 || h.Format > 8 {
		return nil, fmt.Errorf("point format of the COPC file is %d; 6, 7 and 8 are allowed, compressed", h.Format)
	}
	float := func(at int) float64 { return math.Float64frombits(le.Uint64(b[at:])) }
	f := &File{File: cloud, r: r, Info: Info{
		Center: [3]float64{float(0), float(8), float(16)}, HalfSize: float(24), Spacing: float(32),
		RootOffset: int64(le.Uint64(b[40:])), RootSize: int64(le.Uint64(b[48:])), TimeMin: float(56), TimeMax: float(64),
	}}
	if s := f.Info.HalfSize; !(s > 0 && s < 1e12) {
		return nil, fmt.Errorf("half size of the octree is %v; it must be above 0 and below 1e12", s)
	}
	return f, nil
}

// append writes the record's data behind the bytes of dst, and returns both.
func (i *Info) append(dst []byte) []byte {
	b := make([]byte, infoSize)
	for at, v := range []float64{i.Center[0], i.Center[1], i.Center[2], i.HalfSize, i.Spacing} {
		le.PutUint64(b[8*at:], math.Float64bits(v))
	}
	le.PutUint64(b[40:], uint64(i.RootOffset))
	le.PutUint64(b[48:], uint64(i.RootSize))
	le.PutUint64(b[56:], math.Float64bits(i.TimeMin))
	le.PutUint64(b[64:], math.Float64bits(i.TimeMax))
	return append(dst, b...)
}

// page is where a page of the hierarchy is.
type page struct{ offset, size int64 }

// Nodes reads the hierarchy: all nodes that have points, in the order of its pages. It
// checks that each is in the file and below a node of the hierarchy, and that together
// they have the points that the header claims.
func (f *File) Nodes(ctx context.Context) (all []Node, err error) {
	seen := map[Key]bool{}
	pages := []page{{f.Info.RootOffset, f.Info.RootSize}}
	points := int64(0)
	for read := 0; len(pages) > 0; read++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if read >= mostPages {
			return nil, fmt.Errorf("hierarchy has more than %d pages", mostPages)
		}
		p := pages[len(pages)-1]
		pages = pages[:len(pages)-1]
		entries, err := f.entries(p)
		if err != nil {
			return nil, err
		}
		for ; len(entries) > 0; entries = entries[entrySize:] {
			n, err := f.entry(entries)
			if err != nil {
				return nil, err
			}
			if n.Points < 0 { // the node is in another page
				pages = append(pages, page{n.Offset, n.Size})
				continue
			}
			if seen[n.Key] || len(seen) >= MostNodes {
				return nil, fmt.Errorf("node %s is in the hierarchy twice, or there are more than %d", n.Key, MostNodes)
			}
			seen[n.Key] = true
			if n.Points > 0 {
				all = append(all, n)
				points += n.Points
			}
		}
	}
	for _, n := range all {
		if n.Key.Level > 0 && !seen[n.Key.parent()] {
			return nil, fmt.Errorf("node %s is in the hierarchy without the one above it", n.Key)
		}
	}
	if points != f.Header.Points {
		return nil, fmt.Errorf("nodes have %d points together; the header claims %d", points, f.Header.Points)
	}
	return all, nil
}

// entries reads a page.
func (f *File) entries(p page) ([]byte, error) {
	if p.size <= 0 || p.size%entrySize != 0 || p.size > MostNodes*entrySize || p.offset < 0 || p.offset > f.Size()-p.size {
		return nil, fmt.Errorf("page of the hierarchy is at byte %d with %d bytes; it must have a multiple of %d up to %d, before the end at byte %d",
			p.offset, p.size, entrySize, MostNodes*entrySize, f.Size())
	}
	b := make([]byte, p.size)
	if _, err := f.r.ReadAt(b, p.offset); err != nil {
		return nil, fmt.Errorf("page of the hierarchy at byte %d: %w", p.offset, err)
	}
	return b, nil
}

// entry reads an entry of a page. One that leads to another page has -1 points.
func (f *File) entry(b []byte) (Node, error) {
	word := func(at int) int32 { return int32(le.Uint32(b[at:])) }
	n := Node{Key{word(0), word(4), word(8), word(12)}, int64(le.Uint64(b[16:])), int64(word(24)), int64(word(28))}
	k := n.Key
	if k.Level < 0 || k.Level > mostLevel || min(k.X, k.Y, k.Z) < 0 || max(k.X, k.Y, k.Z)>>k.Level != 0 {
		return n, fmt.Errorf("node %s is not one of an octree of at most %d levels", k, mostLevel)
	}
	switch {
	case n.Points < -1 || n.Points > laz.MostChunkPoints:
		return n, fmt.Errorf("node %s claims %d points; the limit is %d", k, n.Points, laz.MostChunkPoints)
	case n.Points != 0 && (n.Size <= 0 || n.Offset < f.Header.PointsStart || n.Offset > f.Size()-n.Size):
		return n, fmt.Errorf("node %s claims %d bytes at byte %d; it must be between bytes %d and %d", k, n.Size, n.Offset, f.Header.PointsStart, f.Size())
	case n.Points > 0 && n.Size > laz.MostChunkBytes:
		return n, fmt.Errorf("node %s claims %d bytes; the limit is %d", k, n.Size, laz.MostChunkBytes)
	}
	return n, nil
}

// Reader reads nodes one after another. It is for one goroutine at a time.
type Reader struct {
	f       *File
	decoder *laz.Decoder
	chunk   []byte
	block   []byte
}

// batch is how many points Read passes at once, a few milliseconds of work.
const batch = 4096

// Reader returns a reader of nodes.
func (f *File) Reader() *Reader {
	return &Reader{f: f, decoder: laz.NewDecoder(f.Scheme), block: make([]byte, batch*f.Header.RecordSize)}
}

// Read passes the points of a node to a function, some thousand records at once, which
// are only valid during the call. It stops when the function or the context does.
func (r *Reader) Read(ctx context.Context, n Node, pass func(records []byte) error) error {
	if int64(cap(r.chunk)) < n.Size {
		r.chunk = make([]byte, n.Size)
	}
	r.chunk = r.chunk[:n.Size]
	if _, err := r.f.r.ReadAt(r.chunk, n.Offset); err != nil {
		return fmt.Errorf("node %s: %w", n.Key, err)
	}
	r.decoder.Start(r.chunk, int(n.Points))
	for r.decoder.Left() > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		points, err := r.decoder.Read(r.block)
		if err != nil {
			return fmt.Errorf("node %s: %w", n.Key, err)
		}
		if err := pass(r.block[:points*r.f.Header.RecordSize]); err != nil {
			return err
		}
	}
	return nil
}

// Cube returns the least and the greatest coordinates of a node's cube.
func (i *Info) Cube(k Key) (low, high [3]float64) {
	edge := 2 * i.HalfSize / float64(int64(1)<<k.Level)
	for axis, at := range []int32{k.X, k.Y, k.Z} {
		low[axis] = i.Center[axis] - i.HalfSize + float64(at)*edge
		high[axis] = low[axis] + edge
	}
	return low, high
}

// Verify reads all points and checks that each is in the cube of its node and in the
// bounds of the header, and that the numbers of returns are as the header claims. It
// returns what it counted. progress is called with the points checked so far.
func (f *File) Verify(ctx context.Context, progress func(done int64)) (*pointcloud.Summary, error) {
	nodes, err := f.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	reader, s := f.Reader(), pointcloud.NewSummary(f.Header)
	for _, n := range nodes {
		low, high := f.Info.Cube(n.Key)
		err := reader.Read(ctx, n, func(b []byte) error {
			for rec := b; len(rec) > 0; rec = rec[f.Header.RecordSize:] {
				s.Add(rec)
				for axis := range 3 {
					// A coordinate on the border may be rounded to the other side.
					slack := math.Abs(f.Header.Scale[axis]) + 1e-9*f.Info.HalfSize
					if v := f.Header.Coordinate(rec, axis); v < low[axis]-slack || v > high[axis]+slack {
						return fmt.Errorf("node %s has a point with %s = %v, outside of its cube from %v to %v", n.Key, pointcloud.Axes[axis], v, low[axis], high[axis])
					}
				}
			}
			progress(s.Points)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return s, s.Compare(f.Header)
}
