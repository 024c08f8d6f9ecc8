package copc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/waygate/waygate/pointcloud"
	"github.com/waygate/waygate/pointcloud/las"
	"github.com/waygate/waygate/pointcloud/laz"
)

// Options say how a file is written.
type Options struct {
	// Dir is where temporary files go, which need as much room as all points
	// uncompressed, and as much again while they are divided.
	Dir string
	// Progress is called with how many of the points a stage has done; nil for nobody.
	Progress func(stage string, done, total int64)
	// WKT replaces the reference system that the source names, if it is set.
	WKT string
	// Software is the name of the program for the header.
	Software string

	limits limits
}

// limits bound what is in memory at once.
type limits struct {
	memory int64 // points that a part of the cloud is built from
	leaf   int   // points of a node without children
	sample int   // points of another node
	page   int   // nodes of the hierarchy in one page
}

var usual = limits{memory: 1 << 20, leaf: 50_000, sample: 100_000, page: 8192}

// Written counts the contents of a written file.
type Written struct {
	Nodes int
	// Repeated is how many points are the same as another one in every field. It is counted
	// where a file was made of several.
	Repeated int64
	// LeftOut are parts of the source that the file lacks.
	LeftOut []string
}

// writer is a file that is being written.
type writer struct {
	ctx      context.Context
	o        Options
	dir      string
	out      *bufio.Writer
	at       int64
	header   *las.Header
	info     Info
	summary  *pointcloud.Summary
	encoder  *laz.Encoder
	scheme   *laz.Scheme
	compress []byte
	chunks   []laz.Chunk
	nodes    []Node
	written  int64
	sampler  sampler
	low      [3]float64 // of the root's cube
	steps    [3]float64 // from a coordinate as the file has it to one of the finest grid
	moved    int64      // points that were moved onto the grid of coordinates of the file
	seed     maphash.Seed
	repeated int64 // see Written; counted if several files are written
	several  bool
}

// Write writes the points of an open file as a COPC file to out, which is empty.
// Formats 0 to 5 become 6 or 7, and times of an unknown week stay so.
func Write(ctx context.Context, out *os.File, in *pointcloud.File, o Options) (*Written, error) {
	return Merge(ctx, out, []*pointcloud.File{in}, o)
}

// Merge writes the points of several open files, such as the tiles of a survey, as one COPC
// file, as Write does. They must have the same reference system unless Options.WKT is given,
// the same kind of times and the same extra bytes. Coordinates get the finest of their scales.
func Merge(ctx context.Context, out *os.File, in []*pointcloud.File, o Options) (*Written, error) {
	if o.limits == (limits{}) {
		o.limits = usual
	}
	if o.Progress == nil {
		o.Progress = func(string, int64, int64) {}
	}
	dir, err := os.MkdirTemp(o.Dir, ".pointcloud-")
	if err != nil {
		return nil, err
	}
	w := &writer{ctx: ctx, o: o, dir: dir, out: bufio.NewWriterSize(out, 1<<20), several: len(in) > 1, seed: maphash.MakeSeed()}
	err = w.write(out, in)
	if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
		return nil, err
	}
	written := &Written{Nodes: len(w.chunks), Repeated: w.repeated}
	for _, f := range in {
		for _, what := range leftOut(f.Header) {
			if !slices.Contains(written.LeftOut, what) {
				written.LeftOut = append(written.LeftOut, what)
			}
		}
	}
	if w.moved > 0 {
		written.LeftOut = append(written.LeftOut, fmt.Sprintf("up to half a step (%v, %v, %v) of the coordinates of %d points, as the scales and offsets of the files do not fit each other",
			w.header.Scale[0]/2, w.header.Scale[1]/2, w.header.Scale[2]/2, w.moved))
	}
	return written, nil
}

// leftOut lists what COPC has no place for.
func leftOut(h *las.Header) (all []string) {
	if las.HasWaves(h.Format) {
		all = append(all, "descriptors of waveforms")
	}
	for _, e := range h.Extended {
		if e.UserID != "LASF_Projection" && e.UserID != userID {
			all = append(all, fmt.Sprintf("extended record %s %d of %d bytes", e.UserID, e.ID, e.Size))
		}
	}
	return all
}

func (w *writer) write(out *os.File, in []*pointcloud.File) error {
	headers, points := make([]*las.Header, len(in)), int64(0)
	for i, f := range in {
		headers[i] = f.Header
		points += f.Header.Points
	}
	if points == 0 {
		return errors.New("number of points is 0; a COPC file needs at least one")
	}
	together, err := w.together(headers)
	if err != nil {
		return err
	}
	if err := w.prepare(together); err != nil {
		return err
	}
	spool, err := w.spool(in, points)
	if err != nil {
		return err
	}
	w.frame()
	start := int64(las.Header14Size + w.header.RecordsSize())
	w.header.PointsStart = start
	if _, err := w.out.Write(make([]byte, start+8)); err != nil {
		return err
	}
	w.at = start + 8
	root, err := w.divide(Key{}, spool, points)
	if err != nil {
		return err
	}
	if err := w.node(Key{}, root.own, root.parent); err != nil {
		return err
	}
	return w.finish(out, start)
}

// prepare makes the header from that of the source.
func (w *writer) prepare(from *las.Header) error {
	h := *from
	w.header = &h
	h.Compressed, h.Extended = true, nil
	extra := from.Extra()
	h.Format = las.ExtendedFormat(from.Format)
	h.RecordSize = las.FormatSize(h.Format) + extra
	h.Software = w.o.Software
	now := time.Now().UTC()
	h.DayOfYear, h.Year = uint16(now.YearDay()), uint16(now.Year())
	scheme, err := laz.NewScheme(h.Format, extra, laz.Variable)
	if err != nil {
		return err
	}
	w.scheme, w.encoder = scheme, laz.NewEncoder(scheme)
	h.Records = []las.Record{{UserID: userID, ID: infoRecord, Description: "COPC info", Data: make([]byte, infoSize)}}
	h.Records = append(h.Records, las.Record{UserID: laz.UserID, ID: laz.RecordID, Description: "LAZ", Data: scheme.Record()})
	for _, r := range from.Records {
		if r.UserID != userID && r.UserID != laz.UserID {
			h.Records = append(h.Records, r)
		}
	}
	w.summary = pointcloud.NewSummary(w.header)
	if w.o.WKT != "" {
		return h.SetWKT(w.o.WKT)
	}
	return nil
}

// spool writes all points to a temporary file as the new format has them, and sums them up.
func (w *writer) spool(in []*pointcloud.File, points int64) (name string, err error) {
	f, err := os.CreateTemp(w.dir, "points")
	if err != nil {
		return "", err
	}
	buffered := bufio.NewWriterSize(f, 1<<20)
	rec := make([]byte, w.header.RecordSize)
	for i, one := range in {
		format, size, regrid := one.Header.Format, one.Header.RecordSize, w.regrid(one.Header)
		err = one.Read(w.ctx, func(b []byte) error {
			for ; len(b) > 0; b = b[size:] {
				las.ModerniseAs(rec, b[:size], format, w.header.Format)
				if regrid != nil {
					if err := regrid(rec); err != nil {
						return err
					}
				}
				w.summary.Add(rec)
				if _, err := buffered.Write(rec); err != nil {
					return err
				}
			}
			w.o.Progress("reading", w.summary.Points, points)
			return nil
		})
		if err != nil {
			if w.several {
				err = fmt.Errorf("file %d: %w", i+1, err)
			}
			break
		}
	}
	return f.Name(), errors.Join(err, buffered.Flush(), f.Close())
}

// gridBits is how many bits a coordinate has on the finest grid of the octree, and
// deepest the last level: its nodes still have a grid of 128 cells along each edge.
const (
	gridBits = 28
	cellBits = 7
	deepest  = gridBits - cellBits - 1
)

// frame works out the root's cube from the bounds of all points.
func (w *writer) frame() {
	h, s := w.header, w.summary
	h.Min, h.Max = s.Bounds()
	h.Points, h.Returns = s.Points, s.Returns
	half := 0.
	for i := range 3 {
		half = max(half, (h.Max[i]-h.Min[i])/2, math.Abs(h.Scale[i])/2)
	}
	half *= 1 + 1e-6 // so that no point is on the far side of the cube
	for i := range 3 {
		w.info.Center[i] = h.Min[i] + (h.Max[i]-h.Min[i])/2
		w.low[i] = w.info.Center[i] - half
		w.steps[i] = float64(1<<gridBits) / (2 * half)
	}
	w.info.HalfSize, w.info.Spacing = half, 2*half/(1<<cellBits)
	if !math.IsInf(s.TimeMin, 0) {
		w.info.TimeMin, w.info.TimeMax = s.TimeMin, s.TimeMax
	}
}

// gridCell is where a point is on the finest grid.
type gridCell [3]uint32

func (w *writer) gridCell(rec []byte) (p gridCell) {
	for i := range p {
		v := (w.header.Coordinate(rec, i) - w.low[i]) * w.steps[i]
		p[i] = uint32(min(max(v, 0), 1<<gridBits-1))
	}
	return p
}

// octant returns which child of a node on a level a place is in.
func (p gridCell) octant(level int32) int {
	shift := gridBits - 1 - level
	return int(p[0]>>shift&1 | p[1]>>shift&1<<1 | p[2]>>shift&1<<2)
}

// cell returns which of the cells of a node on a level, 1 << bits along each edge, a
// place is in.
func (p gridCell) cell(level int32, bits int) uint32 {
	shift, mask := gridBits-int(level)-bits, uint32(1)<<bits-1
	return p[0]>>shift&mask | p[1]>>shift&mask<<bits | p[2]>>shift&mask<<(2*bits)
}

// sampler takes one point of each cell.
type sampler struct {
	taken [1 << (3 * cellBits) / 64]uint64
	cells []uint32
}

func (s *sampler) clear() {
	for _, c := range s.cells {
		s.taken[c/64] = 0
	}
	s.cells = s.cells[:0]
}

// take reports whether a cell had no point yet.
func (s *sampler) take(cell uint32) bool {
	if s.taken[cell/64]&(1<<(cell%64)) != 0 {
		return false
	}
	s.taken[cell/64] |= 1 << (cell % 64)
	s.cells = append(s.cells, cell)
	return true
}

// fine returns the finest grid, in bits, on which at most the limit of points are taken of
// a node's children.
func (w *writer) fine(level int32, each func(func(gridCell))) int {
	bits := cellBits
	for ; bits > 1; bits-- {
		w.sampler.clear()
		n := 0
		each(func(p gridCell) {
			if w.sampler.take(p.cell(level, bits)) {
				n++
			}
		})
		if n <= w.o.limits.sample {
			break
		}
	}
	w.sampler.clear()
	return bits
}

// node writes a node's points as a chunk. One without points is in the hierarchy if it is
// a parent.
func (w *writer) node(k Key, records []byte, parent bool) error {
	n := int64(len(records) / w.header.RecordSize)
	if n == 0 {
		if parent {
			w.nodes = append(w.nodes, Node{Key: k})
		}
		return nil
	}
	if len(w.nodes) >= MostNodes {
		return fmt.Errorf("octree has more than %d nodes", MostNodes)
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	w.compress = w.encoder.Append(w.compress[:0], records)
	if len(w.compress) > laz.MostChunkBytes {
		return fmt.Errorf("node %s has %d bytes; the limit is %d", k, len(w.compress), laz.MostChunkBytes)
	}
	if _, err := w.out.Write(w.compress); err != nil {
		return err
	}
	w.chunks = append(w.chunks, laz.Chunk{Offset: w.at, Bytes: int64(len(w.compress)), Points: n})
	w.nodes = append(w.nodes, Node{k, w.at, int64(len(w.compress)), n})
	w.at += int64(len(w.compress))
	w.written += n
	w.o.Progress("writing", w.written, w.summary.Points)
	return nil
}

// finish writes what follows the points, and the header.
func (w *writer) finish(out *os.File, start int64) error {
	table := w.at
	tail := w.scheme.AppendTable(nil, w.chunks)
	extended := table + int64(len(tail))
	pages, root := w.hierarchy(extended + extendedHead)
	w.info.RootOffset, w.info.RootSize = root.offset, root.size
	tail = las.AppendExtended(tail, las.Record{UserID: userID, ID: hierarchyRecord, Description: "COPC hierarchy", Data: pages})
	if _, err := w.out.Write(tail); err != nil {
		return err
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	w.header.Records[0].Data = w.info.append(nil)
	head, err := w.header.Append(nil, extended, 1)
	if err != nil {
		return err
	}
	head = le.AppendUint64(head, uint64(table))
	if int64(len(head)) != start+8 {
		return fmt.Errorf("header has %d bytes, not %d", len(head), start+8)
	}
	_, err = out.WriteAt(head, 0)
	return err
}

// levelsOfPage is how many levels of the octree a page of the hierarchy has, in files
// with more nodes than fit into one page.
const levelsOfPage = 5

// hierarchy returns the pages, which begin at some byte of the file, and where the first is.
func (w *writer) hierarchy(start int64) (data []byte, root page) {
	slices.SortFunc(w.nodes, func(a, b Node) int { return int(a.Key.Level - b.Key.Level) })
	// The page of a node is that of its ancestor on a level that begins one.
	pages := map[Key][]Node{}
	for _, n := range w.nodes {
		top := Key{}
		if len(w.nodes) > w.o.limits.page {
			top = n.Key
			for top.Level%levelsOfPage != 0 {
				top = top.parent()
			}
		}
		pages[top] = append(pages[top], n)
	}
	tops := make([]Key, 0, len(pages))
	for k := range pages {
		tops = append(tops, k)
	}
	// The deepest first, since a page says where those below it are.
	slices.SortFunc(tops, func(a, b Key) int {
		return slices.Compare([]int32{b.Level, a.X, a.Y, a.Z}, []int32{a.Level, b.X, b.Y, b.Z})
	})
	for _, top := range tops {
		at := page{start + int64(len(data)), int64(len(pages[top]) * entrySize)}
		for _, n := range pages[top] {
			for _, v := range []int32{n.Key.Level, n.Key.X, n.Key.Y, n.Key.Z} {
				data = le.AppendUint32(data, uint32(v))
			}
			data = le.AppendUint64(data, uint64(n.Offset))
			data = le.AppendUint32(data, uint32(n.Size))
			data = le.AppendUint32(data, uint32(n.Points))
		}
		if top == (Key{}) {
			return data, at
		}
		above := top.parent()
		for above.Level%levelsOfPage != 0 {
			above = above.parent()
		}
		pages[above] = append(pages[above], Node{top, at.offset, at.size, -1})
	}
	return data, root
}

// spooled passes the records of a temporary file on, some thousand at once.
func (w *writer) spooled(name string, pass func([]byte) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	block := make([]byte, 4096*w.header.RecordSize)
	for {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		n, err := io.ReadFull(f, block)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if err := pass(block[:n]); err != nil {
			return err
		}
	}
}
