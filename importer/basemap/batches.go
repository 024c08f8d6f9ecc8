package basemap

import (
	"cmp"
	"errors"
	"os"
	"slices"

	"github.com/klauspost/compress/s2"
	"github.com/paulmach/orb"

	"github.com/waygate/waygate/index/tileset"
)

// batches divides the features of a map so that it can be drawn in batches: features
// are sorted into squares (the tiles of one zoom), and some squares make a batch that
// is drawn by itself from the next zoom on. What is drawn up to that zoom, which is
// little, stays in memory; so do features in many squares. All others are packed, and
// moved to a file once there are many, so that drawing a country needs the memory of
// one batch.
type batches struct {
	zoom    int        // of the squares
	most    int        // features of a batch, as long as it has several squares
	round   bool       // the map goes beyond the antimeridian
	buffer  int        // bytes of features in memory before they are packed
	few     []*feature // those drawn up to that zoom
	wide    []*feature // those in many squares, land and sea
	squares map[uint64]*square
	legend  legend

	path     string
	file     *os.File // at path; nil as long as all fits into memory
	scratch  []byte
	written  int64
	buffered int
}

// square has the features in a square.
type square struct {
	features int
	buffer   []byte
	packed   []stretch
}

// stretch is the position of packed features in the file.
type stretch struct {
	at     int64
	length int
}

const (
	// mostSquaresZoom is the deepest zoom of squares, which are some 50 km wide there.
	mostSquaresZoom = 9
	wideSquares     = 64
	sheetFeatures   = 250_000
	mostBuffered    = 64 << 20
)

// newBatches returns empty batches; large ones use a file beside out.
func newBatches(maxZoom int, out string) *batches {
	return &batches{zoom: min(mostSquaresZoom, maxZoom-1), most: sheetFeatures, buffer: mostBuffered, squares: map[uint64]*square{}, path: out + ".features", legend: newLegend(maxZoom)}
}

// Close deletes the file.
func (s *batches) Close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

// add adds a feature. It keeps no spare capacity: there are many.
func (s *batches) add(f feature) error {
	f.attrs = slices.Clone(f.attrs)
	s.legend.add(&f)
	if s.drawsEarly(&f) {
		s.few = append(s.few, &f)
	}
	if int(f.maxZoom) <= s.zoom {
		return nil
	}
	// A tile reaches beyond its sides, the most in the first zoom of a batch.
	next := slicer{zoom: s.zoom + 1, round: s.round}
	sp := next.span(f.bound)
	sp = span{sp.x0 >> 1, sp.y0 >> 1, sp.x1 >> 1, sp.y1 >> 1}
	if f.base || int64(sp.x1-sp.x0+1)*int64(sp.y1-sp.y0+1) > wideSquares {
		s.wide = append(s.wide, &f)
		return nil
	}
	s.scratch = f.append(s.scratch[:0])
	for y := sp.y0; y <= sp.y1; y++ {
		for x := sp.x0; x <= sp.x1; x++ {
			id, err := tileset.ID(s.zoom, int(wrapped(x, s.zoom)), int(y))
			if err != nil {
				return err
			}
			q := s.squares[id]
			if q == nil {
				q = &square{}
				s.squares[id] = q
			}
			q.features++
			q.buffer = append(q.buffer, s.scratch...)
			s.buffered += len(s.scratch)
		}
	}
	if s.buffered > s.buffer {
		return s.spill()
	}
	return nil
}

// drawsEarly reports whether a feature may be drawn before batches are.
func (s *batches) drawsEarly(f *feature) bool {
	early := slicer{zoom: s.zoom}
	return int(f.minZoom) <= s.zoom && (f.areas == nil || f.base || early.wideEnough(f))
}

// spill moves the features in memory to the file.
func (s *batches) spill() error {
	if s.file == nil {
		f, err := os.Create(s.path)
		if err != nil {
			return err
		}
		s.file = f
	}
	var packed []byte
	for _, q := range s.squares {
		if len(q.buffer) == 0 {
			continue
		}
		packed = s2.Encode(packed[:cap(packed)], q.buffer)
		if _, err := s.file.Write(packed); err != nil {
			return err
		}
		q.packed = append(q.packed, stretch{s.written, len(packed)})
		s.written += int64(len(packed))
		q.buffer = nil
	}
	s.buffered = 0
	return nil
}

// batch is a range of squares: those whose tile ids are at least from and, unless that
// is 0, less than to. Without both it is the world.
type batch struct {
	zoom     int
	from, to uint64
	squares  []*square
}

// list divides the world into batches of a limited number of features; only a square
// with more by itself exceeds it.
func (s *batches) list() []batch {
	ids := make([]uint64, 0, len(s.squares))
	for id := range s.squares {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	list, features := []batch{{zoom: s.zoom}}, 0
	for _, id := range ids {
		q, last := s.squares[id], &list[len(list)-1]
		if features += q.features; features > s.most && len(last.squares) > 0 {
			last.to, features = id, q.features
			list = append(list, batch{zoom: s.zoom, from: id})
			last = &list[len(list)-1]
		}
		last.squares = append(last.squares, q)
	}
	return list
}

// features returns those of a batch, each once, in drawing order. ground are the boxes
// of the map.
func (s *batches) features(of batch, ground []orb.Bound) ([]*feature, error) {
	all, known := s.wideIn(of, ground), map[string]string{}
	read := func(b []byte) error {
		for r := (featureReader{b: b, known: known}); len(r.b) > 0; {
			f := &feature{}
			if err := f.read(&r); err != nil {
				return err
			}
			all = append(all, f)
		}
		return nil
	}
	var packed, plain []byte
	for _, q := range of.squares {
		for _, at := range q.packed {
			packed = slices.Grow(packed[:0], at.length)[:at.length]
			if _, err := s.file.ReadAt(packed, at.at); err != nil {
				return nil, err
			}
			var err error
			if plain, err = s2.Decode(plain[:cap(plain)], packed); err != nil {
				return nil, err
			}
			if err := read(plain); err != nil {
				return nil, err
			}
		}
		if err := read(q.buffer); err != nil {
			return nil, err
		}
	}
	sortFeatures(all)
	return withoutDoubles(slices.CompactFunc(all, func(a, b *feature) bool { return a.of == b.of })), nil
}

// wideIn returns the features in many squares that may be in a batch. Land and sea are
// cut to it, since otherwise each of many batches would process them whole.
func (s *batches) wideIn(of batch, ground []orb.Bound) []*feature {
	if of.isWhole() {
		return slices.Clone(s.wide)
	}
	var in []*feature
	box := of.bound(ground)
	for _, f := range s.wide {
		if f.base && !holdsAll(box, f.bound) {
			cut := *f
			cut.areas = clipAreas(box, f.areas)
			if len(cut.areas) == 0 {
				continue
			}
			cut.bound = cut.areas.Bound()
			f = &cut
		}
		in = append(in, f)
	}
	return in
}

// bound returns the bounds of what tiles of the batch show of boxes.
func (p *batch) bound(boxes []orb.Bound) orb.Bound {
	at := slicer{zoom: p.zoom}
	around := orb.Bound{Min: orb.Point{1, 1}, Max: orb.Point{-1, -1}}
	for _, box := range boxes {
		sp := at.span(box)
		for y := sp.y0; y <= sp.y1; y++ {
			for x := sp.x0; x <= sp.x1; x++ {
				if p.holds(p.zoom, x, y) {
					around = around.Union(at.square(span{x, y, x, y}))
				}
			}
		}
	}
	return around
}

func sortFeatures(all []*feature) {
	slices.SortFunc(all, func(a, b *feature) int {
		return cmp.Or(cmp.Compare(a.of.kind, b.of.kind), cmp.Compare(a.of.id, b.of.id), cmp.Compare(a.of.number, b.of.number))
	})
}

// holds reports whether a tile is in the batch.
func (p *batch) holds(zoom int, x, y int32) bool {
	if p.isWhole() {
		return true
	}
	up := zoom - p.zoom
	id, err := tileset.ID(p.zoom, int(wrapped(x>>up, p.zoom)), int(y>>up))
	return err == nil && id >= p.from && (p.to == 0 || id < p.to)
}

// touches reports whether some of the tiles of a rectangle may be in the batch.
func (p *batch) touches(zoom int, sp span) bool {
	if p.isWhole() {
		return true
	}
	up := zoom - p.zoom
	sp = span{sp.x0 >> up, sp.y0 >> up, sp.x1 >> up, sp.y1 >> up}
	if int64(sp.x1-sp.x0+1)*int64(sp.y1-sp.y0+1) > wideSquares {
		return true
	}
	for y := sp.y0; y <= sp.y1; y++ {
		for x := sp.x0; x <= sp.x1; x++ {
			if p.holds(p.zoom, x, y) {
				return true
			}
		}
	}
	return false
}

func (p *batch) isWhole() bool { return p.from == 0 && p.to == 0 }
