package laz

import (
	"errors"
	"fmt"
)

// errShort is for chunks that end within their points.
var errShort = errors.New("LAZ chunk is damaged or cut off: its points need more bytes than it has")

// Decoder decompresses chunks one after another. It is for one goroutine at a time.
type Decoder struct {
	size   int
	starts []int
	points []pointwise
	layers []layered
	all    []*coder // of layers
	one    coder    // of points
	chunk  []byte
	left   int
	begun  bool
	at     int // the context of the parts after the first, here since it would be allocated
}

// NewDecoder returns a decoder for files of a scheme.
func NewDecoder(s *Scheme) *Decoder {
	d := &Decoder{size: s.size}
	d.points, d.layers, d.starts = s.parts()
	for _, l := range d.layers {
		d.all = append(d.all, l.layers()...)
	}
	return d
}

// Start begins a chunk of some number of points, whose bytes must not change until all
// are read.
func (d *Decoder) Start(chunk []byte, points int) {
	d.chunk, d.left, d.begun = chunk, points, false
}

// Left returns how many points of the chunk are still to be read.
func (d *Decoder) Left() int { return d.left }

// Read decompresses as many points as dst has room for, or as are left, and returns
// their number.
func (d *Decoder) Read(dst []byte) (points int, err error) {
	n := min(len(dst)/d.size, d.left)
	if n == 0 {
		return 0, nil
	}
	rest := dst[:n*d.size]
	if !d.begun {
		if err := d.first(rest[:d.size]); err != nil {
			return 0, err
		}
		rest = rest[d.size:]
	}
	if d.layers != nil {
		err = d.readLayered(rest)
	} else {
		err = d.readPointwise(rest)
	}
	if err != nil {
		return 0, err
	}
	d.left -= n
	return n, nil
}

func (d *Decoder) first(rec []byte) error {
	if len(d.chunk) < d.size {
		return errShort
	}
	copy(rec, d.chunk)
	rest := d.chunk[d.size:]
	d.at = 0
	for i, p := range d.points {
		p.first(rec[d.starts[i]:])
	}
	for i, l := range d.layers {
		l.first(rec[d.starts[i]:], &d.at)
	}
	d.begun = true
	if d.layers == nil {
		d.one.read(rest)
		if d.left == 1 {
			d.one.short = false
		}
		return nil
	}
	head := 4 + 4*len(d.all)
	if len(rest) < head {
		return errShort
	}
	if n := le.Uint32(rest); int64(n) < int64(d.left) {
		return fmt.Errorf("LAZ chunk has %d points; the file claims that it has %d", n, d.left)
	}
	data := rest[head:]
	for i, c := range d.all {
		n := le.Uint32(rest[4+4*i:])
		if uint64(n) > uint64(len(data)) {
			return fmt.Errorf("LAZ layer %d claims %d bytes; its chunk has %d left", i, n, len(data))
		}
		c.read(data[:n])
		data = data[n:]
	}
	if d.left > 1 && d.all[layerXY].empty {
		return errShort
	}
	return nil
}

func (d *Decoder) readPointwise(dst []byte) error {
	for ; len(dst) > 0; dst = dst[d.size:] {
		for i, p := range d.points {
			p.next(&d.one, dst[d.starts[i]:d.size])
		}
		if d.one.short {
			return errShort
		}
	}
	return nil
}

func (d *Decoder) readLayered(dst []byte) error {
	for ; len(dst) > 0; dst = dst[d.size:] {
		d.at = 0
		for i, l := range d.layers {
			l.next(dst[d.starts[i]:d.size], &d.at)
		}
		if d.all[layerXY].short {
			return errShort
		}
	}
	for _, c := range d.all {
		if c.short {
			return errShort
		}
	}
	return nil
}

// Encoder compresses chunks one after another. It is for one goroutine at a time.
type Encoder struct {
	size   int
	starts []int
	points []pointwise
	layers []layered
	all    []*coder
	one    coder
	at     int
}

// NewEncoder returns an encoder for files of a scheme.
func NewEncoder(s *Scheme) *Encoder {
	e := &Encoder{size: s.size}
	e.points, e.layers, e.starts = s.parts()
	for _, l := range e.layers {
		e.all = append(e.all, l.layers()...)
	}
	return e
}

// Append compresses points, at least one and at most MostChunkPoints whole records, into
// a chunk behind the bytes of dst, and returns both. It writes to points, but only what
// they are already.
func (e *Encoder) Append(dst, points []byte) []byte {
	n := len(points) / e.size
	e.at = 0
	first := points[:e.size]
	dst = append(dst, first...)
	for i, p := range e.points {
		p.first(first[e.starts[i]:])
	}
	for i, l := range e.layers {
		l.first(first[e.starts[i]:], &e.at)
	}
	if e.layers == nil {
		e.one.write(dst)
		for rec := points[e.size:]; len(rec) > 0; rec = rec[e.size:] {
			for i, p := range e.points {
				p.next(&e.one, rec[e.starts[i]:e.size])
			}
		}
		return e.one.finish()
	}
	for _, c := range e.all {
		c.write(c.out[:0])
	}
	for rec := points[e.size:]; len(rec) > 0; rec = rec[e.size:] {
		e.at = 0
		for i, l := range e.layers {
			l.next(rec[e.starts[i]:e.size], &e.at)
		}
	}
	dst = le.AppendUint32(dst, uint32(n))
	for i, c := range e.all {
		out := c.finish()
		if !c.used && i != layerXY {
			out = nil
		}
		dst = le.AppendUint32(dst, uint32(len(out)))
	}
	for i, c := range e.all {
		if c.used || i == layerXY {
			dst = append(dst, c.out...)
		}
	}
	return dst
}
