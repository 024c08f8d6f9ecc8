package clearance

import (
	"bytes"
	"math"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/geo"
)

// memory is a file in memory.
type memory struct{ b []byte }

func (m *memory) WriteAt(p []byte, at int64) (int, error) {
	if n := int(at) + len(p); n > len(m.b) {
		m.b = append(m.b, make([]byte, n-len(m.b))...)
	}
	return copy(m.b[at:], p), nil
}

// Origin of drawn surveys, in UTM zone 30 north.
const originX, originY = 500_000.0, 5_700_000.0

// drawing is a survey whose cells a function says by their centres, in metres from the origin.
type drawing struct {
	from, to   string // days; "" is 2026-06-01
	sources    []string
	old        string // first day of a further source; "" for none
	epsg       int    // 0 is 32630
	accuracy   float64
	minX, minY float64
	maxX, maxY float64
	levels     int // 0 is 1
	cell       func(level int, x, y float64) *artefact.Cell
}

const drawnCell = 0.25

// file writes the artefact.
func (d *drawing) file(tb testing.TB) []byte {
	tb.Helper()
	var m memory
	w := artefact.NewWriter(&m)
	h := &artefact.Header{
		EPSG: 32630, Vertical: "EPSG:5701 ODN height", From: "2026-06-01", To: "2026-06-01",
		Grid:    artefact.Grid{OriginX: originX, OriginY: originY, Cell: drawnCell},
		Ceiling: 8, Least: 2, LeastObject: 0.008, PositionAccuracy: d.accuracy,
	}
	if d.epsg != 0 {
		h.EPSG = d.epsg
	}
	if d.from != "" {
		h.From = d.from
	}
	if d.to != "" {
		h.To = d.to
	}
	for _, sum := range d.sources {
		h.Sources = append(h.Sources, artefact.Source{Name: "a.laz", SHA256: sum, Kind: "cloud", From: h.From, To: h.To, View: "below"})
	}
	if d.old != "" {
		h.From = d.old
		h.Sources = append(h.Sources, artefact.Source{Name: "old.laz", SHA256: sumOf("old"), Kind: "cloud", From: d.old, To: d.old, View: "below"})
	}
	const edge = drawnCell * artefact.TileCells
	for level := range max(1, d.levels) {
		for ty := int(math.Floor(d.minY / edge)); float64(ty)*edge < d.maxY; ty++ {
			for tx := int(math.Floor(d.minX / edge)); float64(tx)*edge < d.maxX; tx++ {
				cells := new([artefact.TileCells * artefact.TileCells]*artefact.Cell)
				for i := range cells {
					x := float64(tx)*edge + (float64(i%artefact.TileCells)+0.5)*drawnCell
					y := float64(ty)*edge + (float64(i/artefact.TileCells)+0.5)*drawnCell
					if cells[i] = d.cell(level, x, y); cells[i] != nil {
						h.QA.Cells++
					}
				}
				assert.NilError(tb, w.Add(level, tx, ty, cells))
			}
		}
	}
	assert.NilError(tb, w.Close(h))
	return m.b
}

func (d *drawing) open(tb testing.TB) *ground {
	tb.Helper()
	b := d.file(tb)
	g, err := open(tb.Context(), bytes.NewReader(b), int64(len(b)), mostTiles)
	assert.NilError(tb, err)
	return g
}

// free returns a cell of a road under the open sky.
func free(z float64) *artefact.Cell {
	c := artefact.NewCell()
	c.Flags, c.Lane, c.Surface, c.SurfaceReturns = artefact.Surveyed|artefact.Dense, 1, z, 40
	return &c
}

// under returns a cell of a road below something.
func under(z, headroom float64) *artefact.Cell {
	c := free(z)
	c.Kind, c.Headroom, c.Sigma, c.Gap, c.OverheadReturns = artefact.Structure, headroom, 0.02, 0.01, 30
	return c
}

// straight returns a road of 7 m along the x axis with verges of 1 m, as a function of what is on
// the carriageway.
func straight(length float64, cell func(x, y float64) *artefact.Cell) *drawing {
	return &drawing{minX: 0, maxX: length, minY: -8, maxY: 8, cell: func(_ int, x, y float64) *artefact.Cell {
		if math.Abs(y) > 4.5 {
			return nil
		}
		c := cell(x, y)
		if c != nil && math.Abs(y) > 3.5 {
			c.Lane = 0
		}
		return c
	}}
}

// way returns positions by metres from the origin.
func way(tb testing.TB, g *ground, xy ...float64) (points []geo.Point) {
	tb.Helper()
	for i := 0; i < len(xy); i += 2 {
		lat, lon, err := g.file.Unproject(originX+xy[i], originY+xy[i+1])
		assert.NilError(tb, err)
		points = append(points, geo.Point{Lat: math.Round(lat*1e7) / 1e7, Lon: math.Round(lon*1e7) / 1e7})
	}
	return points
}

var drawnNow = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)

// given is a survey for a report.
type given struct {
	*ground
	name  string
	stale bool
}

// report reports on a line by surveys, the newest first.
func report(tb testing.TB, r *Request, all ...given) *Report {
	tb.Helper()
	l, v := newLine(r.Line), newVehicle(r)
	var list []*survey
	for _, one := range all {
		list = append(list, &survey{walker: newWalker(one.ground, l, v, grown(one.leaves, drawnNow)), dataset: one.name, stale: one.stale})
	}
	t := newTally(l, v)
	assert.NilError(tb, walk(tb.Context(), l, list, t))
	return t.report(r, v, list)
}

func metres(v float64) *float64 { return &v }
