package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

// Country makes extracts of the size of a country out of one: copies of it side by
// side, with all their tags, joined by motorways and ferries. The same extract and
// the same size give the same files.
type Country struct {
	base  osm.Data
	edges int // of one copy, about
	width float64
	high  float64        // degrees between two copies
	doors [4][]*osm.Node // where roads to the east, west, north and south begin
	next  int64          // an id that no copy has
}

// stride is between the ids of two copies.
const stride = int64(1) << 36

// links are how many roads join two copies that lie side by side; the last of them
// is a ferry.
const links = 4

// NewCountry reads the extract that is copied.
func NewCountry(ctx context.Context, extract string) (*Country, error) {
	c := &Country{}
	header, err := osm.Scan(ctx, extract, osm.Options{}, func(b *osm.Block) error {
		for _, n := range b.Nodes {
			n.Tags = slices.Clone(n.Tags)
			c.base.Nodes = append(c.base.Nodes, n)
		}
		for _, w := range b.Ways {
			w.Nodes, w.Tags = slices.Clone(w.Nodes), slices.Clone(w.Tags)
			c.base.Ways = append(c.base.Ways, w)
		}
		for _, r := range b.Relations {
			r.Members, r.Tags = slices.Clone(r.Members), slices.Clone(r.Tags)
			c.base.Relations = append(c.base.Relations, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.base.Timestamp = header.Timestamp
	return c, c.survey()
}

// survey counts the roads, and finds where they lead on to the next copy.
func (c *Country) survey() error {
	used := map[int64]int{}  // roads at a node, two where one begins or ends
	wide := map[int64]bool{} // nodes of roads of some rank
	for i := range c.base.Ways {
		w := &c.base.Ways[i]
		class := w.Tags.Get("highway")
		if class == "" || len(w.Nodes) < 2 {
			continue
		}
		for j, n := range w.Nodes {
			if used[n]++; j == 0 || j == len(w.Nodes)-1 {
				used[n]++
			}
			switch class {
			case "trunk", "primary", "secondary", "tertiary":
				wide[n] = true
			}
		}
	}
	for i := range c.base.Ways {
		w := &c.base.Ways[i]
		if w.Tags.Get("highway") == "" {
			continue
		}
		for j := 1; j < len(w.Nodes); j++ {
			if used[w.Nodes[j]] > 1 {
				c.edges += 2
			}
		}
	}
	var at []*osm.Node
	for i := range c.base.Nodes {
		if n := &c.base.Nodes[i]; wide[n.ID] {
			at = append(at, n)
		}
		if c.base.Nodes[i].ID >= stride {
			return fmt.Errorf("node %d: ids from %d on would be those of another copy", c.base.Nodes[i].ID, stride)
		}
	}
	if len(at) < links {
		return errors.New("the extract has hardly a road of the rank tertiary or above to join copies by")
	}
	c.measure(at)
	return nil
}

// measure finds the size of a copy, and the outermost nodes of its wide roads in each
// of some bands.
func (c *Country) measure(at []*osm.Node) {
	box := geo.NoBounds()
	for _, n := range at {
		box = box.Extend(geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point())
	}
	c.width, c.high = (box.Max.Lon-box.Min.Lon)*1.1+0.05, (box.Max.Lat-box.Min.Lat)*1.1+0.05
	east := func(a, b *osm.Node) int { return cmp.Or(cmp.Compare(b.Lon, a.Lon), cmp.Compare(a.ID, b.ID)) }
	north := func(a, b *osm.Node) int { return cmp.Or(cmp.Compare(b.Lat, a.Lat), cmp.Compare(a.ID, b.ID)) }
	back := func(f func(a, b *osm.Node) int) func(a, b *osm.Node) int {
		return func(a, b *osm.Node) int { return f(b, a) }
	}
	for side, first := range []func(a, b *osm.Node) int{east, back(east), north, back(north)} {
		across := north
		if side > 1 {
			across = east
		}
		slices.SortFunc(at, across)
		for band := range links {
			part := at[band*len(at)/links : (band+1)*len(at)/links]
			c.doors[side] = append(c.doors[side], slices.MinFunc(part, first))
		}
	}
}

// Copies returns how many copies have so many directed edges, as far as the tags show.
func (c *Country) Copies(edges int) int {
	return max(1, int(math.Ceil(float64(edges)/float64(max(1, c.edges)))))
}

// cell returns where copy i of n lies: column and row from the base.
func cell(i, n int) (column, row int) {
	columns := int(math.Ceil(math.Sqrt(float64(n))))
	return i % columns, i / columns
}

// Write writes so many copies and the roads between them to a folder, a file each,
// and gives the files.
func (c *Country) Write(ctx context.Context, n int, dir string) ([]string, error) {
	_, rows := cell(n-1, n)
	columns, _ := cell(min(n, int(math.Ceil(math.Sqrt(float64(n)))))-1, n)
	for i := range c.base.Nodes {
		p := geo.Fixed{Lon: c.base.Nodes[i].Lon, Lat: c.base.Nodes[i].Lat}.Point()
		if math.Abs(p.Lat-c.high*float64(rows)) > 85 || p.Lon+c.width*float64(columns) > 180 {
			return nil, fmt.Errorf("%d copies of the extract do not fit on the globe beside each other: take a smaller extract", n)
		}
	}
	var files []string
	for i := range n {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		path := filepath.Join(dir, fmt.Sprintf("copy-%03d.osm.pbf", i))
		if err := write(path, c.copied(i, n)); err != nil {
			return nil, err
		}
		files = append(files, path)
	}
	path := filepath.Join(dir, "links.osm.pbf")
	return append(files, path), write(path, c.joined(n))
}

func write(path string, data *osm.Data) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(osm.WritePBF(f, data), f.Close())
}

// moved returns a node of the base in a copy.
func (c *Country) moved(n *osm.Node, i, of int) osm.Node {
	column, row := cell(i, of)
	return osm.Node{
		ID: n.ID + stride*int64(i), Version: n.Version, Tags: n.Tags,
		Lon: n.Lon + int32(math.Round(c.width*float64(column)*1e7)), Lat: n.Lat - int32(math.Round(c.high*float64(row)*1e7)),
	}
}

// copied returns the base as copy i.
func (c *Country) copied(i, of int) *osm.Data {
	shift := stride * int64(i)
	d := &osm.Data{Timestamp: c.base.Timestamp}
	for k := range c.base.Nodes {
		d.Nodes = append(d.Nodes, c.moved(&c.base.Nodes[k], i, of))
	}
	for _, w := range c.base.Ways {
		nodes := make([]int64, len(w.Nodes))
		for j, n := range w.Nodes {
			nodes[j] = n + shift
		}
		w.ID, w.Nodes = w.ID+shift, nodes
		d.Ways = append(d.Ways, w)
	}
	for _, r := range c.base.Relations {
		members := slices.Clone(r.Members)
		for j := range members {
			members[j].Ref += shift
		}
		r.ID, r.Members = r.ID+shift, members
		d.Relations = append(d.Relations, r)
	}
	return d
}

// joined returns the roads between copies, with the nodes where they begin, which the
// copies have too.
func (c *Country) joined(of int) *osm.Data {
	d := &osm.Data{Timestamp: c.base.Timestamp}
	c.next = stride * int64(of)
	there := map[int64]bool{}
	add := func(n osm.Node) int64 {
		if !there[n.ID] {
			there[n.ID] = true
			d.Nodes = append(d.Nodes, n)
		}
		return n.ID
	}
	const east, west, north, south = 0, 1, 2, 3
	for i := range of {
		column, row := cell(i, of)
		for j := i + 1; j < of; j++ {
			otherColumn, otherRow := cell(j, of)
			from, to := east, west
			switch {
			case otherRow == row && otherColumn == column+1:
			case otherColumn == column && otherRow == row+1:
				from, to = south, north
			default:
				continue
			}
			for k := range links {
				a, b := add(c.moved(c.doors[from][k], i, of)), add(c.moved(c.doors[to][k], j, of))
				c.join(d, a, b, k == links-1)
			}
		}
	}
	return d
}

// join adds a motorway in both directions, or a ferry.
func (c *Country) join(d *osm.Data, a, b int64, ferry bool) {
	way := func(tags osm.Tags, nodes ...int64) {
		c.next++
		d.Ways = append(d.Ways, osm.Way{ID: c.next, Nodes: nodes, Tags: tags})
	}
	if ferry {
		way(osm.Tags{{Key: "route", Value: "ferry"}, {Key: "motor_vehicle", Value: "yes"}, {Key: "foot", Value: "yes"}, {Key: "bicycle", Value: "yes"}}, a, b)
		return
	}
	tags := osm.Tags{{Key: "highway", Value: "motorway"}, {Key: "oneway", Value: "yes"}, {Key: "maxspeed", Value: "110"}, {Key: "lanes", Value: "2"}}
	way(tags, a, b)
	way(tags, b, a)
}
