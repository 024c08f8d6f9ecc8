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

// sheets are the features of a map in an order to draw it in: by squares, the tiles of
// one zoom, some of which make a sheet that is drawn for itself from the next zoom on.
// What is drawn up to that zoom, which is little, stays in memory; so does what lies in
// many squares. All else is packed, and in a file once there is much of it, so that the
// memory to draw a country in is that of a sheet.
type sheets struct {
	zoom    int        // of the squares
	most    int        // features of a sheet, as long as it has several squares
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

// square is what lies in a square.
type square struct {
	features int
	buffer   []byte
	packed   []stretch
}

// stretch is where packed features lie in the file.
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

// newSheets makes room for the features of a map, in a file beside it where there are many.
func newSheets(maxZoom int, out string) *sheets {
	return &sheets{zoom: min(mostSquaresZoom, maxZoom-1), most: sheetFeatures, buffer: mostBuffered, squares: map[uint64]*square{}, path: out + ".features", legend: newLegend(maxZoom)}
}

// Close gives back what the sheets take on disk.
func (s *sheets) Close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

// add puts a feature where it is drawn. It keeps no room to spare: there are many.
func (s *sheets) add(f feature) error {
	f.attrs = slices.Clone(f.attrs)
	s.legend.add(&f)
	if s.drawsEarly(&f) {
		s.few = append(s.few, &f)
	}
	if int(f.maxZoom) <= s.zoom {
		return nil
	}
	// A tile reaches beyond its sides, the most in the first zoom of a sheet.
	next := slicer{zoom: s.zoom + 1}
	sp := next.span(f.bound)
	sp = span{sp.x0 / 2, sp.y0 / 2, sp.x1 / 2, sp.y1 / 2}
	if f.base || int64(sp.x1-sp.x0+1)*int64(sp.y1-sp.y0+1) > wideSquares {
		s.wide = append(s.wide, &f)
		return nil
	}
	s.scratch = f.append(s.scratch[:0])
	for y := sp.y0; y <= sp.y1; y++ {
		for x := sp.x0; x <= sp.x1; x++ {
			id, err := tileset.ID(s.zoom, int(x), int(y))
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

// drawsEarly reports whether a feature may be drawn before sheets are.
func (s *sheets) drawsEarly(f *feature) bool {
	early := slicer{zoom: s.zoom}
	return int(f.minZoom) <= s.zoom && (f.areas == nil || f.base || early.wideEnough(f))
}

// spill moves what is in memory to the file.
func (s *sheets) spill() error {
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

// sheet is squares that follow one another: those of which the ids of tiles are at least
// from and, unless that is 0, less than to. Without both it is the world.
type sheet struct {
	zoom     int
	from, to uint64
	squares  []*square
}

// list divides the world into sheets: those of some features at most, but for squares
// that have more by themselves.
func (s *sheets) list() []sheet {
	ids := make([]uint64, 0, len(s.squares))
	for id := range s.squares {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	list, features := []sheet{{zoom: s.zoom}}, 0
	for _, id := range ids {
		q, last := s.squares[id], &list[len(list)-1]
		if features += q.features; features > s.most && len(last.squares) > 0 {
			last.to, features = id, q.features
			list = append(list, sheet{zoom: s.zoom, from: id})
			last = &list[len(list)-1]
		}
		last.squares = append(last.squares, q)
	}
	return list
}

// features gives those of a sheet, each once, in the order to draw them in. ground are the
// boxes of the map.
func (s *sheets) features(of sheet, ground []orb.Bound) ([]*feature, error) {
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
	return slices.CompactFunc(all, func(a, b *feature) bool { return a.of == b.of }), nil
}

// wideIn gives what may be in a sheet of what lies in many squares. Land and sea are cut
// to it, since they would be looked at whole for each of many sheets.
func (s *sheets) wideIn(of sheet, ground []orb.Bound) []*feature {
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

// bound is around what tiles of the sheet show of boxes.
func (p *sheet) bound(boxes []orb.Bound) orb.Bound {
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

// holds reports whether a tile is of the sheet.
func (p *sheet) holds(zoom int, x, y int32) bool {
	if p.isWhole() {
		return true
	}
	up := zoom - p.zoom
	id, err := tileset.ID(p.zoom, int(x>>up), int(y>>up))
	return err == nil && id >= p.from && (p.to == 0 || id < p.to)
}

// touches reports whether some of the tiles of a rectangle may be of the sheet.
func (p *sheet) touches(zoom int, sp span) bool {
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

func (p *sheet) isWhole() bool { return p.from == 0 && p.to == 0 }
