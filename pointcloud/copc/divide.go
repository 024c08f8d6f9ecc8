package copc

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/waygate/waygate/pointcloud/laz"
)

// subtree is a node whose descendants are written, with the points that are left to it
// and of which its parent takes some.
type subtree struct {
	own    []byte
	parent bool // of nodes that are written
}

// divide builds the node with the points of a temporary file, which it deletes, and writes
// its descendants. Clouds that do not fit into memory are divided by octants, in files,
// until they do.
func (w *writer) divide(k Key, name string, points int64) (subtree, error) {
	if points <= w.o.limits.memory {
		return w.inMemory(k, name, points)
	}
	if k.Level >= deepest {
		return subtree{}, fmt.Errorf("%d points are in a cube with an edge of %v units; the limit is %d", points, 2*w.info.HalfSize/float64(int64(1)<<k.Level), w.o.limits.memory)
	}
	names, counts, err := w.octants(k, name)
	if err != nil {
		return subtree{}, err
	}
	var children [8]subtree
	for i := range children {
		if counts[i] == 0 {
			continue
		}
		if children[i], err = w.divide(k.child(i), names[i], counts[i]); err != nil {
			return subtree{}, err
		}
	}
	size := w.header.RecordSize
	bits := w.fine(k.Level, func(pass func(gridCell)) {
		for _, c := range children {
			for rec := c.own; len(rec) > 0; rec = rec[size:] {
				pass(w.gridCell(rec))
			}
		}
	})
	up := subtree{parent: true}
	for i, c := range children {
		var left []byte
		for rec := c.own; len(rec) > 0; rec = rec[size:] {
			if w.sampler.take(w.gridCell(rec).cell(k.Level, bits)) {
				up.own = append(up.own, rec[:size]...)
			} else {
				left = append(left, rec[:size]...)
			}
		}
		if err := w.node(k.child(i), left, c.parent); err != nil {
			return subtree{}, err
		}
	}
	return up, nil
}

// octants divides the points of a temporary file among eight, and deletes it.
func (w *writer) octants(k Key, name string) (names [8]string, counts [8]int64, err error) {
	var files [8]*os.File
	var buffered [8]*bufio.Writer
	defer func() {
		for i, f := range files {
			if f != nil {
				err = errors.Join(err, buffered[i].Flush(), f.Close())
			}
		}
	}()
	size := w.header.RecordSize
	err = w.spooled(name, func(b []byte) error {
		for ; len(b) > 0; b = b[size:] {
			i := w.gridCell(b).octant(k.Level)
			if files[i] == nil {
				f, err := os.CreateTemp(w.dir, "points")
				if err != nil {
					return err
				}
				files[i], buffered[i], names[i] = f, bufio.NewWriterSize(f, 1<<18), f.Name()
			}
			counts[i]++
			if _, err := buffered[i].Write(b[:size]); err != nil {
				return err
			}
		}
		return nil
	})
	return names, counts, errors.Join(err, os.Remove(name))
}

// memory is a part of the cloud that is in memory.
type memory struct {
	w       *writer
	records []byte
	places  []gridCell
	scratch []uint32
	chunk   []byte
}

// inMemory builds a node with the points of a temporary file, which it deletes.
func (w *writer) inMemory(k Key, name string, points int64) (subtree, error) {
	m := &memory{w: w, records: make([]byte, 0, points*int64(w.header.RecordSize)), places: make([]gridCell, 0, points)}
	err := w.spooled(name, func(b []byte) error {
		m.records = append(m.records, b...)
		for ; len(b) > 0; b = b[w.header.RecordSize:] {
			m.places = append(m.places, w.gridCell(b))
		}
		return nil
	})
	if err := errors.Join(err, os.Remove(name)); err != nil {
		return subtree{}, err
	}
	w.count(m.records)
	all := make([]uint32, len(m.places))
	for i := range all {
		all[i] = uint32(i)
	}
	m.scratch = make([]uint32, len(all))
	own, parent, err := m.build(k, all)
	if err != nil {
		return subtree{}, err
	}
	return subtree{slices.Clone(m.gather(own)), parent}, nil
}

// gather returns the records of points by their numbers, until it is called again.
func (m *memory) gather(points []uint32) []byte {
	size := uint32(m.w.header.RecordSize)
	m.chunk = m.chunk[:0]
	for _, i := range points {
		m.chunk = append(m.chunk, m.records[uint64(i)*uint64(size):][:size]...)
	}
	return m.chunk
}

// build builds a node from points, whose order in the array it changes, and writes its
// descendants. It returns the points that are left to the node.
func (m *memory) build(k Key, points []uint32) (own []uint32, parent bool, err error) {
	if err := m.w.ctx.Err(); err != nil {
		return nil, false, err
	}
	if len(points) <= m.w.o.limits.leaf || k.Level >= deepest {
		if len(points) > laz.MostChunkPoints {
			return nil, false, fmt.Errorf("node %s has %d points; the limit is %d", k, len(points), laz.MostChunkPoints)
		}
		return points, false, nil
	}
	var children [8][]uint32
	var parents [8]bool
	for i, part := range m.part(k, points) {
		if len(part) == 0 {
			continue
		}
		if children[i], parents[i], err = m.build(k.child(i), part); err != nil {
			return nil, false, err
		}
	}
	w := m.w
	bits := w.fine(k.Level, func(pass func(gridCell)) {
		for _, c := range children {
			for _, i := range c {
				pass(m.places[i])
			}
		}
	})
	for i, c := range children {
		left := c[:0]
		for _, p := range c {
			if w.sampler.take(m.places[p].cell(k.Level, bits)) {
				own = append(own, p)
			} else {
				left = append(left, p)
			}
		}
		if err := w.node(k.child(i), m.gather(left), parents[i]); err != nil {
			return nil, false, err
		}
	}
	// The order of the survey, in which neighbours are alike, compresses best.
	slices.Sort(own)
	return own, true, nil
}

// part sorts points by octant, otherwise in the order that they are in.
func (m *memory) part(k Key, points []uint32) (parts [8][]uint32) {
	var at [9]int
	for _, p := range points {
		at[m.places[p].octant(k.Level)+1]++
	}
	for i := range 8 {
		at[i+1] += at[i]
		parts[i] = points[at[i]:at[i+1]:at[i+1]]
	}
	sorted := m.scratch[:len(points)]
	next := at
	for _, p := range points {
		i := m.places[p].octant(k.Level)
		sorted[next[i]] = p
		next[i]++
	}
	copy(points, sorted)
	return parts
}
