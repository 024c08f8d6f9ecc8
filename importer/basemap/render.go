package basemap

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/parallel"
)

// renderer turns features into the tiles of an archive, zoom by zoom and batch by
// batch: slice all features, sort the pieces by tile, encode each tile.
type renderer struct {
	options Options
	batches *batches
	boxes   []orb.Bound
	fading  map[orb.Bound]bool // the boxes at whose sides land cover ends softly
	writer  *tileset.Writer
	relief  *relief // nil without heights
	largest int
	dropped int

	reliefTiles int

	packers sync.Pool // whose compressors are large
}

// share is a feature's piece of a tile before tiles are assembled. Pieces sort by tile,
// layer, order and feature, and stay in order otherwise: the result does not depend on
// which worker sliced them.
type share struct {
	tile     uint64
	x, y     int32
	feature  int32
	chunk    int32
	from, to uint32
}

// featuresPerChunk and tilesPerChunk are how much work is handed out at a time.
const (
	featuresPerChunk = 256
	tilesPerChunk    = 2048
)

func (r *renderer) run(ctx context.Context) error {
	list, done := r.batches.list(), 0
	progress := func() {
		done++
		r.options.Progress("tiles", int64(done), int64(r.batches.zoom+1+len(list)))
	}
	early := slices.Clone(r.batches.few)
	sortFeatures(early)
	for zoom := 0; zoom <= r.batches.zoom; zoom++ {
		if err := r.zoom(ctx, early, batch{}, zoom, r.writer.Add); err != nil {
			return err
		}
		progress()
	}
	r.batches.few = nil
	if len(list) == 1 {
		return r.batch(ctx, list[0], r.writer.Add, progress)
	}
	// The archive has tiles by zoom, then in the order of the batches.
	later := newTileFiles(r.options.Out)
	for _, s := range list {
		if err := r.batch(ctx, s, later.add, progress); err != nil {
			return errors.Join(err, later.Close())
		}
	}
	return errors.Join(later.addTo(ctx, r.writer), later.Close())
}

// addTile adds a packed tile; those of a zoom come in the order of their ids.
type addTile func(z, x, y int, packed []byte) error

// batch draws all zooms of a batch.
func (r *renderer) batch(ctx context.Context, s batch, add addTile, progress func()) error {
	features, err := r.batches.features(s, r.boxes)
	if err != nil {
		return err
	}
	for zoom := s.zoom + 1; zoom <= r.options.MaxZoom; zoom++ {
		if err := r.zoom(ctx, features, s, zoom, add); err != nil {
			return err
		}
	}
	progress()
	return nil
}

func (r *renderer) zoom(ctx context.Context, features []*feature, of batch, zoom int, add addTile) error {
	var visible []*feature
	for _, f := range features {
		// Features that first show beyond the deepest zoom are in its tiles too.
		if int(f.minZoom) <= zoom && int(f.maxZoom) >= zoom || zoom == r.options.MaxZoom && int(f.minZoom) > zoom {
			visible = append(visible, f)
		}
	}
	visible = r.withinTiles(joinLines(visible, zoom), zoom)
	if err := ctx.Err(); err != nil {
		return err
	}
	shares, arenas, err := r.sliceAll(ctx, visible, of, zoom)
	if err != nil {
		return err
	}
	slices.SortStableFunc(shares, func(a, b share) int {
		if a.tile != b.tile {
			return cmp.Compare(a.tile, b.tile)
		}
		f, g := visible[a.feature], visible[b.feature]
		return cmp.Or(cmp.Compare(f.layer, g.layer), cmp.Compare(f.order, g.order), cmp.Compare(a.feature, b.feature))
	})
	return r.encodeAll(ctx, visible, shares, arenas, zoom, add)
}

// sliceAll cuts the features into tiles on all workers.
func (r *renderer) sliceAll(ctx context.Context, visible []*feature, of batch, zoom int) ([]share, [][]byte, error) {
	count := (len(visible) + featuresPerChunk - 1) / featuresPerChunk
	arenas := make([][]byte, count)
	parts := make([][]share, count)
	errs := make([]error, count)
	slicePart := func(chunk int, keep func(*feature, uint64) bool) {
		s := slicer{ctx: ctx, zoom: zoom, deepest: zoom == r.options.MaxZoom, boxes: r.boxes, fading: r.fading, round: r.batches.round, of: of}
		first := chunk * featuresPerChunk
		for i, f := range visible[first:min(first+featuresPerChunk, len(visible))] {
			s.emit = func(t tileAt, g []byte) {
				t.x = wrapped(t.x, zoom)
				id, err := tileset.ID(zoom, int(t.x), int(t.y))
				if err != nil {
					errs[chunk] = err
					return
				}
				if !keep(f, id) || !of.holds(zoom, t.x, t.y) {
					return
				}
				from := len(arenas[chunk])
				arenas[chunk] = append(arenas[chunk], g...)
				parts[chunk] = append(parts[chunk], share{id, t.x, t.y, int32(first + i), int32(chunk), uint32(from), uint32(len(arenas[chunk]))})
			}
			if ctx.Err() != nil {
				return
			}
			if keep(f, 0) {
				s.slice(f)
			}
		}
	}
	if r.baseTiles(zoom) <= baseTileLimit {
		r.each(count, func(i int) { slicePart(i, func(*feature, uint64) bool { return true }) })
	} else {
		// Land and sea are drawn only where there is something else.
		r.each(count, func(i int) { slicePart(i, func(f *feature, _ uint64) bool { return !f.base }) })
		occupied := map[uint64]bool{0: true}
		for _, part := range parts {
			for _, s := range part {
				occupied[s.tile] = true
			}
		}
		r.each(count, func(i int) {
			slicePart(i, func(f *feature, tile uint64) bool { return f.base && occupied[tile] })
		})
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	all := 0
	for i, part := range parts {
		if errs[i] != nil {
			return nil, nil, errs[i]
		}
		all += len(part)
	}
	shares := make([]share, 0, all)
	for i := range parts {
		shares, parts[i] = append(shares, parts[i]...), nil
	}
	return shares, arenas, nil
}

// Limits on the tiles that the features of a zoom are in: of one feature, and of all
// those that are in more than wideTiles. A lake or a forest of four corners can span
// the world.
const (
	wideTiles     = 1 << 10
	maxTilesOfOne = 1 << 21
	maxTilesOfAll = 1 << 22
)

// withinTiles leaves out features that would be in too many tiles of a zoom, and those
// that would come after too many others.
func (r *renderer) withinTiles(features []*feature, zoom int) []*feature {
	all := 0.0
	return slices.DeleteFunc(features, func(f *feature) bool {
		tiles := f.tiles(zoom)
		if f.base || tiles <= wideTiles {
			return false
		}
		if tiles > maxTilesOfOne || all+tiles > maxTilesOfAll {
			r.dropped++
			return true
		}
		all += tiles
		return false
	})
}

// tiles returns about the most tiles of a zoom that the feature can be in.
func (f *feature) tiles(zoom int) float64 {
	n := math.Exp2(float64(zoom))
	size := func(b orb.Bound) (wide, high float64) { return (b.Max[0]-b.Min[0])*n + 1, (b.Max[1]-b.Min[1])*n + 1 }
	wide, high := size(f.bound)
	if f.point != nil || wide*high <= wideTiles || f.lines == nil {
		return wide * high
	}
	sum := 0.0
	for _, line := range f.lines {
		sum++
		for i := 1; i < len(line); i++ {
			sum += (math.Abs(line[i][0]-line[i-1][0]) + math.Abs(line[i][1]-line[i-1][1])) * n
		}
	}
	return sum
}

// baseTiles returns about how many tiles of a zoom the map has.
func (r *renderer) baseTiles(zoom int) float64 {
	n := math.Exp2(float64(zoom))
	sum := 0.0
	for _, b := range r.boxes {
		sum += ((b.Max[0]-b.Min[0])*n + 1) * ((b.Max[1]-b.Min[1])*n + 1)
	}
	return sum
}

// each runs work for 0 to count-1 on the workers.
func (r *renderer) each(count int, work func(int)) {
	var next atomic.Int64
	var all parallel.Group
	for range min(r.options.Workers, count) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= count {
					return
				}
				work(i)
			}
		})
	}
	all.Wait()
}

// encodeAll packs the tiles and adds them to the archive in order.
func (r *renderer) encodeAll(ctx context.Context, visible []*feature, shares []share, arenas [][]byte, zoom int, add addTile) error {
	var starts []int
	for i := range shares {
		if i == 0 || shares[i].tile != shares[i-1].tile {
			starts = append(starts, i)
		}
	}
	for first := 0; first < len(starts); first += tilesPerChunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		chunk := starts[first:min(first+tilesPerChunk, len(starts))]
		packed := make([][]byte, len(chunk))
		dropped := make([]int, len(chunk))
		shaded := make([]bool, len(chunk))
		errs := make([]error, len(chunk))
		r.each(len(chunk), func(i int) {
			if ctx.Err() != nil {
				return
			}
			end := len(shares)
			if first+i+1 < len(starts) {
				end = starts[first+i+1]
			}
			pieces := make([]piece, 0, end-chunk[i])
			for _, s := range shares[chunk[i]:end] {
				pieces = append(pieces, piece{visible[s.feature], arenas[s.chunk][s.from:s.to]})
			}
			if r.relief != nil {
				at := shares[chunk[i]]
				more, err := r.relief.pieces(ctx, zoom, at.x, at.y)
				if err != nil {
					errs[i] = err
					return
				}
				pieces, shaded[i] = append(pieces, more...), len(more) > 0
			}
			p, ok := r.packers.Get().(*packer)
			if !ok {
				p = &packer{limit: r.options.TileLimit}
			}
			packed[i], dropped[i], errs[i] = p.tile(pieces, zoom)
			r.packers.Put(p)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i, at := range chunk {
			if errs[i] != nil {
				return errs[i]
			}
			r.dropped += dropped[i]
			if shaded[i] {
				r.reliefTiles++
			}
			r.largest = max(r.largest, len(packed[i]))
			if err := add(zoom, int(shares[at].x), int(shares[at].y), packed[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// packer encodes and compresses tiles.
type packer struct {
	limit int
	enc   encoder
	raw   []byte
	gz    *gzip.Writer
	out   bytes.Buffer

	// The last tile of nothing but land or sea: most tiles of a wide map are like it.
	plain     []piece
	plainZoom int
	plainTile []byte
}

// isPlain reports whether pieces make the same tile as the last one of nothing
// but land or sea.
func (p *packer) isPlain(pieces []piece, zoom int) bool {
	return zoom == p.plainZoom && len(p.plain) > 0 && slices.EqualFunc(pieces, p.plain, func(a, b piece) bool {
		return a.f == b.f && bytes.Equal(a.geometry, b.geometry)
	})
}

// tile packs pieces; if they exceed the limit, without the smallest ones.
func (p *packer) tile(pieces []piece, zoom int) (packed []byte, dropped int, err error) {
	if p.isPlain(pieces, zoom) {
		return p.plainTile, 0, nil
	}
	for {
		p.raw = p.enc.tile(p.raw[:0], pieces, zoom)
		p.out.Reset()
		if p.gz == nil {
			p.gz = gzip.NewWriter(&p.out)
		} else {
			p.gz.Reset(&p.out)
		}
		if _, err := p.gz.Write(p.raw); err != nil {
			return nil, dropped, err
		}
		if err := p.gz.Close(); err != nil {
			return nil, dropped, err
		}
		if p.out.Len() <= p.limit {
			break
		}
		lighter := lighten(pieces, float64(p.limit)/float64(p.out.Len()))
		if len(lighter) == len(pieces) {
			break // only land and sea are left
		}
		dropped += len(pieces) - len(lighter)
		pieces = lighter
	}
	packed = bytes.Clone(p.out.Bytes())
	if !slices.ContainsFunc(pieces, func(a piece) bool { return !a.f.base }) {
		p.plain, p.plainZoom, p.plainTile = slices.Clone(pieces), zoom, packed
	}
	return packed, dropped, nil
}

// lighten keeps about a share of the bytes of pieces: the widest and longest features,
// and points after areas and lines of their layer's kind.
func lighten(pieces []piece, keep float64) []piece {
	order := make([]int, len(pieces))
	total := 0
	for i, p := range pieces {
		order[i] = i
		total += len(p.geometry) + pieceOverhead
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weight(pieces[b]), weight(pieces[a])) })
	budget := int(float64(total) * keep * 0.95)
	kept := make([]bool, len(pieces))
	for _, i := range order {
		if budget -= len(pieces[i].geometry) + pieceOverhead; budget > 0 || pieces[i].f.base {
			kept[i] = true
		}
	}
	out := make([]piece, 0, len(pieces))
	for i, p := range pieces {
		if kept[i] {
			out = append(out, p)
		}
	}
	return out
}

// pieceOverhead is about how many bytes a feature takes besides its geometry.
const pieceOverhead = 16

// weight ranks pieces: land and sea, places, then by the size in the world. A line
// counts as a band a hundredth of its length wide.
func weight(p piece) float64 {
	switch f := p.f; {
	case f.base:
		return math.Inf(1)
	case f.layer == places:
		return 1
	case f.lines != nil:
		return f.size * f.size / 100
	case f.areas != nil:
		return f.size
	default:
		return -float64(f.order)
	}
}
