package artefact_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
)

// memory is a file in memory.
type memory struct{ b []byte }

func (m *memory) WriteAt(p []byte, at int64) (int, error) {
	if n := int(at) + len(p); n > len(m.b) {
		m.b = append(m.b, make([]byte, n-len(m.b))...)
	}
	return copy(m.b[at:], p), nil
}

func header() artefact.Header {
	return artefact.Header{
		EPSG: 32630, Vertical: "EPSG:5701 ODN height", From: "2025-03-01", To: "2025-03-04",
		Grid:    artefact.Grid{OriginX: 500000, OriginY: 5700000, Cell: 0.25},
		Ceiling: 8, Least: 2, LeastObject: 0.008,
		Sources: []artefact.Source{{Name: "a.laz", SHA256: "00", Kind: "cloud", From: "2025-03-01", To: "2025-03-04", View: "below"}},
	}
}

// draw returns a cell with values that the file keeps exactly.
func draw(r *rand.Rand) *artefact.Cell {
	c := artefact.NewCell()
	if r.IntN(5) == 0 {
		return nil
	}
	if r.IntN(6) > 0 {
		c.Flags, c.Surface = artefact.Surveyed|artefact.Dense, float64(r.IntN(100000)-5000)/1000
		c.SlopeX, c.SlopeY, c.SurfaceReturns = float64(r.IntN(4000)-2000)/1e4, float64(r.IntN(4000)-2000)/1e4, r.IntN(1<<16)
		if r.IntN(8) == 0 {
			c.Flags |= artefact.Obstructed
			c.ObstacleFrom, c.ObstacleTo = 0.25, 1.75
		}
	}
	if r.IntN(6) == 0 {
		c.Kind, c.Headroom = artefact.Kind(1+r.IntN(5)), float64(2000+r.IntN(6000))/1000
		c.Sigma, c.Gap, c.Spread, c.OverheadReturns = float64(r.IntN(1000))/1e4, float64(r.IntN(100))/1000, 0.01, r.IntN(99)
	}
	c.Lane, c.Source = r.IntN(4), r.IntN(3)
	return &c
}

// drawn writes a file of so many tiles on two levels and returns its cells.
func drawn(tb testing.TB, seed uint64, tiles int) ([]byte, map[[3]int]*[artefact.TileCells * artefact.TileCells]*artefact.Cell) {
	tb.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	var m memory
	w, h := artefact.NewWriter(&m), header()
	all := map[[3]int]*[artefact.TileCells * artefact.TileCells]*artefact.Cell{}
	for len(all) < tiles {
		at := [3]int{r.IntN(2), r.IntN(40) - 20, r.IntN(40) - 20}
		if all[at] != nil {
			continue
		}
		cells := new([artefact.TileCells * artefact.TileCells]*artefact.Cell)
		for i := range cells {
			if cells[i] = draw(r); cells[i] != nil {
				h.QA.Cells++
			}
		}
		all[at] = cells
		assert.NilError(tb, w.Add(at[0], at[1], at[2], cells))
	}
	assert.NilError(tb, w.Close(&h))
	return m.b, all
}

func open(tb testing.TB, b []byte) *artefact.File {
	tb.Helper()
	f, err := artefact.Open(bytes.NewReader(b), int64(len(b)))
	assert.NilError(tb, err)
	return f
}

func same(a, b artefact.Cell) bool {
	if math.IsNaN(a.Surface) && math.IsNaN(b.Surface) {
		a.Surface, b.Surface = 0, 0
	}
	return a == b
}

func TestCellsComeBack(t *testing.T) {
	b, all := drawn(t, 1, 90)
	f := open(t, b)
	assert.Equal(t, f.Tiles, 90)
	assert.NilError(t, f.Verify(context.Background(), func(int, int) {}))
	rd := f.Reader()
	for at, cells := range all {
		for i, want := range cells {
			column, row := at[1]*artefact.TileCells+i%artefact.TileCells, at[2]*artefact.TileCells+i/artefact.TileCells
			x, y := f.Header.Grid.Centre(column, row)
			got, ok, err := rd.At(at[0], x, y)
			assert.NilError(t, err)
			assert.Equal(t, ok, want != nil)
			if ok {
				assert.Assert(t, same(got, *want), "%+v, not %+v", got, *want)
			}
		}
	}
	for _, at := range [][2]float64{{0, 0}, {math.NaN(), 1}, {math.Inf(1), 0}, {5e8, -5e8}} {
		_, ok, err := rd.At(0, at[0], at[1])
		assert.NilError(t, err)
		assert.Assert(t, !ok)
	}
	_, ok, err := rd.Tile(artefact.MostLevel+1, 0, 0)
	assert.Assert(t, !ok && err == nil)
	lat, lon, err := f.Unproject(500000, 5700000)
	assert.NilError(t, err)
	x, y, err := f.Project(lat, lon)
	assert.NilError(t, err)
	assert.Assert(t, math.Hypot(x-500000, y-5700000) < 1e-4)
}

// TestNothingBecomesSafer rounds values of no step of the file.
func TestNothingBecomesSafer(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 60 {
		c := artefact.NewCell()
		c.Flags, c.Kind, c.Headroom, c.Sigma, c.Gap = artefact.Surveyed|artefact.Dense, artefact.Structure, 2+5*r.Float64(), 0.1*r.Float64(), r.Float64()
		c.Surface = r.Float64()
		var m memory
		w, h := artefact.NewWriter(&m), header()
		assert.NilError(t, w.Add(0, 0, 0, &[artefact.TileCells * artefact.TileCells]*artefact.Cell{&c}))
		assert.NilError(t, w.Close(&h))
		got, ok, err := open(t, m.b).Reader().Cell(0, 0, 0)
		assert.Assert(t, ok && err == nil)
		assert.Assert(t, got.Safe() <= c.Safe() && got.Safe() > c.Safe()-0.003, "%v became %v", c.Safe(), got.Safe())
	}
}

func TestSummaries(t *testing.T) {
	free, gap := artefact.NewCell(), artefact.NewCell()
	free.Flags, free.Surface = artefact.Surveyed|artefact.Dense, 10
	low := free
	low.Kind, low.Headroom, low.Gap, low.Surface = artefact.Structure, 4.5, 0.1, 11
	var m memory
	w, h := artefact.NewWriter(&m), header()
	assert.NilError(t, w.Add(0, 3, -4, &[artefact.TileCells * artefact.TileCells]*artefact.Cell{0: &free, 4: &low, 8: &gap, 12: &free, 13: &gap, 1023: &free}))
	assert.NilError(t, w.Close(&h))
	e, ok, err := open(t, m.b).Reader().Entry(0, 3, -4)
	assert.Assert(t, ok && err == nil)
	assert.Equal(t, e.Near, uint64(1<<63|15))
	assert.Equal(t, e.Clear, uint64(1<<63|1))
	assert.Equal(t, e.Lowest, 4.4)
	assert.Equal(t, e.Low, 10.0)
	assert.Equal(t, e.High, 11.0)
}

func TestStates(t *testing.T) {
	for name, c := range map[string]struct {
		cell artefact.Cell
		want artefact.State
	}{
		"no surface":     {artefact.Cell{Headroom: math.Inf(1), Flags: artefact.Dense}, artefact.NotSurveyed},
		"free":           {artefact.Cell{Headroom: math.Inf(1), Flags: artefact.Dense | artefact.Surveyed}, artefact.Free},
		"sparse":         {artefact.Cell{Headroom: math.Inf(1), Flags: artefact.Surveyed}, artefact.Insufficient},
		"vehicle":        {artefact.Cell{Headroom: math.Inf(1), Flags: artefact.Dense | artefact.Surveyed | artefact.Obstructed}, artefact.Insufficient},
		"bridge":         {artefact.Cell{Headroom: 5, Kind: artefact.Structure, Flags: artefact.Dense | artefact.Surveyed}, artefact.Measured},
		"top of a deck":  {artefact.Cell{Headroom: 5, Kind: artefact.Deck, Flags: artefact.Dense | artefact.Surveyed}, artefact.Insufficient},
		"bird":           {artefact.Cell{Headroom: 5, Kind: artefact.Unexplained, Flags: artefact.Dense | artefact.Surveyed}, artefact.Insufficient},
		"of a table":     {artefact.Cell{Headroom: 5, Kind: artefact.Structure, Flags: artefact.Tabled}, artefact.Measured},
		"tabled nothing": {artefact.Cell{Headroom: math.Inf(1), Flags: artefact.Tabled}, artefact.NotSurveyed},
	} {
		assert.Equal(t, c.cell.State(), c.want, name)
	}
	tilted := artefact.Cell{Headroom: 0.05, Sigma: 0.01, Gap: 0.2}
	assert.Equal(t, tilted.Safe(), 0.0)
}

func TestWriterRefuses(t *testing.T) {
	cell := artefact.NewCell()
	one := &[artefact.TileCells * artefact.TileCells]*artefact.Cell{&cell}
	w := artefact.NewWriter(&memory{})
	assert.ErrorContains(t, w.Add(8, 0, 0, one), "tile 8/0/0 is outside")
	assert.ErrorContains(t, w.Add(0, 1<<28, 0, one), "is outside")
	assert.NilError(t, w.Add(0, 0, 0, new([artefact.TileCells * artefact.TileCells]*artefact.Cell)))
	assert.NilError(t, w.Add(0, 1, 0, one))
	assert.NilError(t, w.Add(0, 1, 0, one))
	h := header()
	assert.ErrorContains(t, w.Close(&h), "tile 0/1/0 was added twice")
	for want, change := range map[string]func(*artefact.Header){
		"cell_size_m is 0":        func(h *artefact.Header) { h.Grid.Cell = 0 },
		"origin of the grid":      func(h *artefact.Header) { h.Grid.OriginX = math.Inf(1) },
		"vertical_datum":          func(h *artefact.Header) { h.Vertical = "" },
		"ceiling_m is NaN":        func(h *artefact.Header) { h.Ceiling = math.NaN() },
		"least_m is 9":            func(h *artefact.Header) { h.Least = 9 },
		"least_object_m is 0":     func(h *artefact.Header) { h.LeastObject = 0 },
		"from is \"yesterday\"":   func(h *artefact.Header) { h.From = "yesterday" },
		"to is \"2024-01-01\"":    func(h *artefact.Header) { h.To = "2024-01-01" },
		"position_accuracy_m is":  func(h *artefact.Header) { h.PositionAccuracy = -1 },
		"16385 sources; the limi": func(h *artefact.Header) { h.Sources = make([]artefact.Source, artefact.MostSources+1) },
	} {
		h := header()
		change(&h)
		assert.ErrorContains(t, artefact.NewWriter(&memory{}).Close(&h), want)
	}
}

// TestDamage flips each byte of a file: reading all of it fails, or gives the same.
func TestDamage(t *testing.T) {
	good, _ := drawn(t, 2, 2)
	r := rand.New(rand.NewPCG(1, 1))
	for range 800 {
		b := bytes.Clone(good)
		at := r.IntN(len(b))
		if r.IntN(2) == 0 {
			at = r.IntN(64)
		}
		b[at] ^= byte(1 + r.IntN(255))
		assert.Assert(t, verify(b) != nil, "byte %d", at)
	}
	for _, n := range []int{0, 10, 63, 64, len(good) / 2, len(good) - 1} {
		assert.Assert(t, verify(good[:n]) != nil)
	}
	assert.ErrorContains(t, verify(append(bytes.Clone(good), 0)), "which is not how")
	assert.ErrorContains(t, verify([]byte("not an artefact, but some other file of more than sixty-four bytes")), "first bytes")
	newer := bytes.Clone(good)
	newer[8] = 9
	binary.LittleEndian.PutUint32(newer[60:], artefact.Checksum(newer[:60]))
	assert.ErrorContains(t, verify(newer), "version is 9")
}

func verify(b []byte) error {
	f, err := artefact.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	return f.Verify(context.Background(), func(int, int) {})
}

// counting counts reads and bytes.
type counting struct {
	io.ReaderAt
	reads, bytes int
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	c.reads++
	c.bytes += len(p)
	return c.ReaderAt.ReadAt(p, at)
}

// TestReadsAreBounded counts what is read for one cell of a file of many tiles.
func TestReadsAreBounded(t *testing.T) {
	b, all := drawn(t, 3, 600)
	c := &counting{ReaderAt: bytes.NewReader(b)}
	f, err := artefact.Open(c, int64(len(b)))
	assert.NilError(t, err)
	assert.Assert(t, c.bytes < 4096)
	for at := range all {
		rd := f.Reader()
		c.reads, c.bytes = 0, 0
		for range 3 {
			_, ok, err := rd.Tile(at[0], at[1], at[2])
			assert.Assert(t, ok && err == nil)
		}
		assert.Assert(t, c.reads == 2 && c.bytes <= 4096+artefact.MostTileBytes)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err = f.Verify(ctx, func(int, int) { n++; cancel() })
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, n, 1)
}

// TestFewTilesAreKept reads tiles one after the other: those read last are kept, and never more
// than 64, so that one that was read before them is read again.
func TestFewTilesAreKept(t *testing.T) {
	b, all := drawn(t, 5, 66)
	c := &counting{ReaderAt: bytes.NewReader(b)}
	f, err := artefact.Open(c, int64(len(b)))
	assert.NilError(t, err)
	var keys [][3]int
	for at := range all {
		keys = append(keys, at)
	}
	rd := f.Reader()
	again := func(at [3]int) bool {
		t.Helper()
		before := c.bytes
		_, ok, err := rd.Tile(at[0], at[1], at[2])
		assert.Assert(t, ok && err == nil)
		return c.bytes != before
	}
	for _, at := range keys[:64] {
		assert.Assert(t, again(at))
	}
	assert.Assert(t, !again(keys[0]), "64 are kept")
	assert.Assert(t, again(keys[64]))
	assert.Assert(t, !again(keys[64]))
	assert.Assert(t, again(keys[0]), "65 are kept")
}

func TestKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		l, x, y := r.IntN(8), r.IntN(1<<28)-1<<27, r.IntN(1<<28)-1<<27
		k, ok := artefact.KeyOf(l, x, y)
		assert.Assert(t, ok)
		assert.DeepEqual(t, []int{k.Level(), k.X(), k.Y()}, []int{l, x, y})
	}
}

func FuzzOpen(f *testing.F) {
	good, _ := drawn(f, 4, 2)
	f.Add(good)
	var m memory
	h := header()
	assert.NilError(f, artefact.NewWriter(&m).Close(&h))
	f.Add(m.b)
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := artefact.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		_ = file.Verify(context.Background(), func(int, int) {})
		rd := file.Reader()
		_, _, _ = rd.At(0, 500000, 5700000)
	})
}
