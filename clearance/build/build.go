// Package build makes clearance artefacts.
//
// They are made of surveys, tables of structures and roads.
//
// The surveys are read once, as a stream. Returns near roads go by squares of 64 m into a
// temporary file, and each square is measured after the other, so that memory does not grow
// with the surveys.
package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/measure"
	"github.com/waygate/waygate/clearance/structures"
	"github.com/waygate/waygate/feature/coordinates"
	"github.com/waygate/waygate/pointcloud/las"
)

// Options are how to build.
type Options struct {
	measure.Options
	// Margin in metres is how far beyond the carriageway of the map there are cells,
	// because the map and the survey may not fit. The accuracy of the datum is added.
	Margin float64
	// Dir is for the temporary file.
	Dir string
	// MostPoints of a square of 64 m are measured; of more, every second one, or third.
	MostPoints int64
	Tool       string
	// Progress is called with a stage and how much of it is done.
	Progress func(stage string, done, total int64)
}

// Defaults returns options for surveys from vehicles.
func Defaults() Options {
	return Options{Options: measure.Defaults(), Margin: 2, MostPoints: 8_000_000, Progress: func(string, int64, int64) {}}
}

// Table is a source that is a table of structures.
type Table struct {
	Name   string
	SHA256 string
	Bytes  int64
	Rows   []structures.Structure
}

// Input has the sources of an artefact.
type Input struct {
	Clouds []*Cloud
	Tables []Table
	// EPSG is the system of the grid if there are no clouds.
	EPSG int
	// Roads returns the roads in some bounds.
	Roads func(plane *coordinates.Plane, bounds Box) ([]Road, error)
}

const (
	partTiles = 8
	partCells = partTiles * artefact.TileCells
	haloSize  = measure.Reach // metres around a part of which returns matter to it
	coarse    = haloSize / 2  // metres, of squares that are near a road or not
	fixed     = 1e-4
)

type partKey struct{ x, y int32 }

// part is a square of the grid with roads.
type part struct {
	roads []int32
	near  []uint64 // which coarse squares may be near a road, with those of the halo
}

type builder struct {
	o      *Options
	in     *Input
	plane  *coordinates.Plane
	grid   artefact.Grid
	roads  []Road
	parts  map[partKey]*part
	spill  *spill
	header artefact.Header
	passes map[[2]int]uint16
	survey []int // of each cloud
	halo   int
	deck   deckMap
	up     ups
	counts measure.Counts
	median medians
	wide   wide
}

// Build writes the artefact and returns its header.
func Build(ctx context.Context, w io.WriterAt, in *Input, o *Options) (h *artefact.Header, err error) {
	b := &builder{o: o, in: in, parts: map[partKey]*part{}, passes: map[[2]int]uint16{}}
	if err := b.checkSources(); err != nil {
		return nil, err
	}
	if b.spill, err = newSpill(o.Dir); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.spill.close()) }()
	if err := b.read(ctx); err != nil {
		return nil, err
	}
	if err := b.decks(ctx); err != nil {
		return nil, err
	}
	out := artefact.NewWriter(w)
	if err := b.measure(ctx, out); err != nil {
		return nil, err
	}
	b.finish()
	if err := out.Close(&b.header); err != nil {
		return nil, err
	}
	return &b.header, nil
}

// checkSources checks that the sources fit together, and finds their roads.
func (b *builder) checkSources() error {
	bounds := Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	epsg, vertical := b.in.EPSG, ""
	if len(b.in.Clouds)+len(b.in.Tables) == 0 {
		return errors.New("there is neither a survey nor a table of structures")
	}
	for _, c := range b.in.Clouds {
		plane, err := c.findSystems()
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if vertical == "" {
			epsg, vertical = c.EPSG, c.Vertical
		}
		if c.EPSG != epsg || c.Vertical != vertical {
			return fmt.Errorf("%s has EPSG:%d with the heights of %s; %s has EPSG:%d with %s: surveys of one artefact need the same",
				c.Name, c.EPSG, c.Vertical, b.in.Clouds[0].Name, epsg, vertical)
		}
		b.plane = plane
		h := c.File.Header
		bounds = Box{min(bounds.MinX, h.Min[0]), min(bounds.MinY, h.Min[1]), max(bounds.MaxX, h.Max[0]), max(bounds.MaxY, h.Max[1])}
	}
	if b.plane == nil {
		plane, err := coordinates.PlaneOf(epsg)
		if err != nil {
			return fmt.Errorf("--crs: %w", err)
		}
		b.plane, vertical = plane, "none (a table of structures alone)"
	}
	for _, t := range b.in.Tables {
		for i := range t.Rows {
			x, y, err := b.plane.Project(t.Rows[i].Lat, t.Rows[i].Lon)
			if err != nil {
				return fmt.Errorf("%s, row %d: %w", t.Name, i+1, err)
			}
			const around = 50
			bounds = Box{min(bounds.MinX, x-around), min(bounds.MinY, y-around), max(bounds.MaxX, x+around), max(bounds.MaxY, y+around)}
		}
	}
	const widest = 200_000 // metres, what 32 bits of a tenth of a millimetre can say
	if !(bounds.MaxX-bounds.MinX < widest && bounds.MaxY-bounds.MinY < widest) {
		return fmt.Errorf("the sources are %.0f by %.0f m together; the limit is %d m: build several artefacts", bounds.MaxX-bounds.MinX, bounds.MaxY-bounds.MinY, widest)
	}
	if b.in.Tables != nil && len(b.in.Clouds) == 0 && len(b.in.Tables) == 0 {
		return errors.New("the tables have no rows")
	}
	edge := b.o.Cell * partCells
	b.grid = artefact.Grid{OriginX: math.Floor(bounds.MinX/edge) * edge, OriginY: math.Floor(bounds.MinY/edge) * edge, Cell: b.o.Cell}
	b.halo = measure.PatchCells * int(math.Ceil(haloSize/b.o.Cell/measure.PatchCells))
	b.header = artefact.Header{
		EPSG: epsg, Vertical: vertical, Grid: b.grid, Ceiling: b.o.Ceiling, Least: b.o.Least, LeastObject: b.o.LeastObject,
		PositionAccuracy: b.plane.Accuracy(), Tool: b.o.Tool,
	}
	roads, err := b.in.Roads(b.plane, bounds)
	if err != nil {
		return err
	}
	if len(roads) == 0 {
		return errNoRoads
	}
	b.roads = roads
	b.partsIn(bounds)
	b.findWide()
	if len(b.parts) == 0 {
		return errNoRoads
	}
	return nil
}

// reach returns how far from its centre line a road has cells.
func (b *builder) reach(r *Road) float64 { return r.Half + b.o.Margin + b.plane.Accuracy() }

// partsIn finds the parts that have roads.
func (b *builder) partsIn(bounds Box) {
	edge := b.o.Cell * partCells
	for i := range b.roads {
		r := &b.roads[i]
		reach := b.reach(r) + haloSize
		x0, y0 := max(min(r.AX, r.BX)-reach, bounds.MinX-haloSize), max(min(r.AY, r.BY)-reach, bounds.MinY-haloSize)
		x1, y1 := min(max(r.AX, r.BX)+reach, bounds.MaxX+haloSize), min(max(r.AY, r.BY)+reach, bounds.MaxY+haloSize)
		for py := math.Floor((y0 - b.grid.OriginY) / edge); py*edge+b.grid.OriginY <= y1; py++ {
			for px := math.Floor((x0 - b.grid.OriginX) / edge); px*edge+b.grid.OriginX <= x1; px++ {
				cx, cy := b.grid.OriginX+(px+0.5)*edge, b.grid.OriginY+(py+0.5)*edge
				if r.distance(cx, cy) > edge*0.71+reach {
					continue
				}
				k := partKey{int32(px), int32(py)}
				p := b.parts[k]
				if p == nil {
					p = &part{}
					b.parts[k] = p
				}
				p.roads = append(p.roads, int32(i))
			}
		}
	}
}

// distance is from the road's centre line.
func (r *Road) distance(x, y float64) float64 {
	d, _ := r.offset(x, y)
	return d
}

// offset returns the distance from the centre line, and how far to the left of it a place is.
func (r *Road) offset(x, y float64) (distance, left float64) {
	dx, dy := r.BX-r.AX, r.BY-r.AY
	n := dx*dx + dy*dy
	f := 0.0
	if n > 0 {
		f = max(0, min(1, ((x-r.AX)*dx+(y-r.AY)*dy)/n))
	}
	ex, ey := x-r.AX-f*dx, y-r.AY-f*dy
	distance = math.Hypot(ex, ey)
	if n == 0 {
		return distance, distance
	}
	left = ((y-r.AY)*dx - (x-r.AX)*dy) / math.Sqrt(n)
	// Beyond an end the distance counts, on the side of the place.
	return distance, math.Copysign(distance, left)
}

// near reports whether a place is so near to a road of a part that its returns matter.
func (b *builder) near(k partKey, p *part, x, y float64) bool {
	edge := b.o.Cell * partCells
	n := int(math.Ceil(edge/coarse)) + 4
	if p.near == nil {
		p.near = make([]uint64, (n*n+63)/64)
		for i := range n * n {
			cx := b.grid.OriginX + float64(k.x)*edge + (float64(i%n)-1.5)*coarse
			cy := b.grid.OriginY + float64(k.y)*edge + (float64(i/n)-1.5)*coarse
			for _, r := range p.roads {
				if road := &b.roads[r]; road.distance(cx, cy) <= b.reach(road)+haloSize+0.71*coarse {
					p.near[i/64] |= 1 << (i % 64)
					break
				}
			}
		}
	}
	i := int(math.Floor((x-b.grid.OriginX-float64(k.x)*edge)/coarse)) + 2
	j := int(math.Floor((y-b.grid.OriginY-float64(k.y)*edge)/coarse)) + 2
	if i < 0 || j < 0 || i >= n || j >= n {
		return false
	}
	return p.near[(j*n+i)/64]>>((j*n+i)%64)&1 != 0
}

// Classes and flags that surveys mark noise with.
const (
	lowNoise  = 7
	highNoise = 18
	withheld  = 4
)

// read streams all clouds.
func (b *builder) read(ctx context.Context) error {
	total, before := int64(0), int64(0)
	for _, c := range b.in.Clouds {
		total += c.File.Header.Points
	}
	for i, c := range b.in.Clouds {
		if err := b.readCloud(ctx, i, c, before, total); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		before += c.File.Header.Points
	}
	b.survey = b.surveys()
	for _, t := range b.in.Tables {
		from, to := structures.Days(t.Rows)
		b.header.Sources = append(b.header.Sources, artefact.Source{
			Name: t.Name, SHA256: t.SHA256, Bytes: t.Bytes, Kind: "table", Count: int64(len(t.Rows)), From: from, To: to,
		})
	}
	return nil
}

func (b *builder) readCloud(ctx context.Context, index int, c *Cloud, before, total int64) error {
	var v views
	first, last, timeless := math.Inf(1), math.Inf(-1), int64(0)
	edge := b.o.Cell * partCells
	h := c.File.Header
	err := c.each(ctx, func(p *las.Point, at [3]float64) error {
		b.header.QA.Points++
		v.add(p, at)
		first, last = min(first, p.Time), max(last, p.Time)
		if p.Time == 0 {
			timeless++
		}
		doubted := p.Class == lowNoise || p.Class == highNoise || p.ClassFlags&withheld != 0
		if doubted {
			b.header.QA.Withheld++
		}
		for axis := range 2 {
			if at[axis] < h.Min[axis]-1 || at[axis] > h.Max[axis]+1 {
				if doubted {
					return nil
				}
				return fmt.Errorf("point %d is at %v; the header's bounds are from %v to %v", b.header.QA.Points, at, h.Min, h.Max)
			}
		}
		pass, err := b.pass(index, int(p.SourceID))
		if err != nil {
			return err
		}
		r := record{
			x: int32(math.Round((at[0] - b.grid.OriginX) / fixed)), y: int32(math.Round((at[1] - b.grid.OriginY) / fixed)),
			z: int32(math.Round(max(-2e5, min(2e5, at[2])) / fixed)), class: p.Class, source: uint16(index), pass: pass,
		}
		if p.Returns > 1 {
			r.bits |= measure.Multi
		}
		if doubted {
			r.bits |= measure.Doubted
		}
		px, py := (at[0]-b.grid.OriginX)/edge, (at[1]-b.grid.OriginY)/edge
		slack := haloSize / edge
		used := false
		for j := int32(math.Floor(py - slack)); float64(j) <= py+slack; j++ {
			for i := int32(math.Floor(px - slack)); float64(i) <= px+slack; i++ {
				k := partKey{i, j}
				if part := b.parts[k]; part != nil && b.near(k, part, at[0], at[1]) {
					used = true
					if err := b.spill.add(k, &r); err != nil {
						return err
					}
				}
			}
		}
		if used && !doubted {
			b.up.add(&r)
		}
		if used {
			b.header.QA.Used++
		}
		return nil
	}, func(n int64) { b.o.Progress("reading", before+n, total) })
	if err != nil {
		return err
	}
	if c.View == "" {
		c.View = v.view()
	}
	if err := c.settleDays(first, last, timeless); err != nil {
		return err
	}
	b.header.Sources = append(b.header.Sources, artefact.Source{
		Name: c.Name, SHA256: c.SHA256, Bytes: c.File.Size(), Kind: "cloud", Count: h.Points, From: c.From, To: c.To, View: c.View,
	})
	return nil
}
