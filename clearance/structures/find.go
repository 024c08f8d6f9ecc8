package structures

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/clearance/artefact"
)

// MostBlocks bounds the square metres with something overhead that Find joins.
const MostBlocks = 4_000_000

// cellBlock is a block of cells.
type cellBlock struct{ level, x, y int32 }

// lowest is the cell of a lane whose safe headroom is the least.
type lowest struct {
	lane        int
	x, y        float64
	safe        float64
	headroom    float64
	uncertainty float64
	kind        artefact.Kind
	date        string
}

// finder joins blocks that are near each other.
type finder struct {
	f      *artefact.File
	number map[cellBlock]int32
	places []cellBlock
	root   []int32
	lanes  [][]lowest
}

// Find returns the structures and wires of an artefact by lane, with the least headroom of
// each, from the south-west on. The uncertainty is such that the headroom less two of it is
// the safe headroom of the cell. Progress is called with the tiles that are done.
func Find(ctx context.Context, f *artefact.File, progress func(done, total int)) ([]Structure, error) {
	d := &finder{f: f, number: map[cellBlock]int32{}}
	done := 0
	err := f.Each(ctx, func(e artefact.Entry, t *artefact.Tile) error {
		done++
		progress(done, f.Tiles)
		if math.IsInf(e.Lowest, 1) {
			return nil
		}
		for row := range artefact.TileCells {
			for column := range artefact.TileCells {
				c, ok := t.Cell(column, row)
				if ok && c.Lane > 0 && c.State() == artefact.Measured && (c.Kind == artefact.Structure || c.Kind == artefact.Wire) {
					d.add(e.Key.Level(), e.Key.X()*artefact.TileCells+column, e.Key.Y()*artefact.TileCells+row, &c)
				}
			}
		}
		if len(d.places) > MostBlocks {
			return fmt.Errorf("more than %d square metres have something overhead", MostBlocks)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return d.structures()
}

func (d *finder) add(level, column, row int, c *artefact.Cell) {
	p := cellBlock{int32(level), int32(column >> 2), int32(row >> 2)}
	n, ok := d.number[p]
	if !ok {
		n = int32(len(d.places))
		d.number[p] = n
		d.places, d.root, d.lanes = append(d.places, p), append(d.root, n), append(d.lanes, nil)
	}
	x, y := d.f.Header.Grid.Centre(column, row)
	l := lowest{lane: c.Lane, x: x, y: y, safe: c.Safe(), headroom: c.Headroom, uncertainty: c.Sigma + c.Gap/2, kind: c.Kind, date: d.f.Header.To}
	if math.IsInf(c.Gap, 1) {
		l.uncertainty = c.Headroom / 2
	}
	if c.Source < len(d.f.Header.Sources) {
		l.date = d.f.Header.Sources[c.Source].To
	}
	d.lanes[n] = addLowest(d.lanes[n], l)
}

// addLowest adds a cell to a list of the lowest by lane.
func addLowest(list []lowest, l lowest) []lowest {
	for i := range list {
		if list[i].lane == l.lane {
			if l.safe < list[i].safe {
				list[i] = l
			}
			return list
		}
	}
	return append(list, l)
}

func (d *finder) find(i int32) int32 {
	for d.root[i] != i {
		d.root[i] = d.root[d.root[i]]
		i = d.root[i]
	}
	return i
}

// structures joins the blocks and lists them.
func (d *finder) structures() ([]Structure, error) {
	const reach = 2
	for i, p := range d.places {
		for dx := int32(-reach); dx <= reach; dx++ {
			for dy := int32(-reach); dy <= reach; dy++ {
				if j, ok := d.number[cellBlock{p.level, p.x + dx, p.y + dy}]; ok {
					d.root[d.find(int32(i))] = d.find(j)
				}
			}
		}
	}
	joined := map[int32][]lowest{}
	for i, list := range d.lanes {
		r := d.find(int32(i))
		for _, l := range list {
			joined[r] = addLowest(joined[r], l)
		}
	}
	all := make([][]lowest, 0, len(joined))
	for _, list := range joined {
		slices.SortFunc(list, func(a, b lowest) int { return cmp.Compare(a.lane, b.lane) })
		all = append(all, list)
	}
	slices.SortFunc(all, func(a, b []lowest) int {
		return cmp.Or(cmp.Compare(a[0].y, b[0].y), cmp.Compare(a[0].x, b[0].x))
	})
	var rows []Structure
	for i, list := range all {
		for _, l := range list {
			lat, lon, err := d.f.Unproject(l.x, l.y)
			if err != nil {
				return nil, err
			}
			rows = append(rows, Structure{
				Name: fmt.Sprintf("%s-%d", l.kind, i+1), Lane: l.lane, Clearance: l.headroom, Lat: lat, Lon: lon, Date: l.date,
				Uncertainty: min(5, l.uncertainty), Length: DefaultLength, Kind: l.kind.String(),
			})
		}
	}
	return rows, nil
}
