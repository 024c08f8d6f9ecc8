package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

// village returns a square of roads with a turn restriction, as an extract.
func village(t *testing.T) string {
	t.Helper()
	var d osm.Data
	const size = 6
	id := func(x, y int) int64 { return int64(1 + x + size*y) }
	for y := range size {
		for x := range size {
			d.Nodes = append(d.Nodes, osm.Node{ID: id(x, y), Lon: int32(9e7) + int32(x)*20_000, Lat: int32(47e7) + int32(y)*20_000})
		}
	}
	for i := range size {
		across, along := osm.Way{ID: int64(i + 1)}, osm.Way{ID: int64(i + 101)}
		for j := range size {
			across.Nodes, along.Nodes = append(across.Nodes, id(j, i)), append(along.Nodes, id(i, j))
		}
		across.Tags, along.Tags = osm.Tags{{Key: "highway", Value: "tertiary"}, {Key: "name", Value: "Row"}}, osm.Tags{{Key: "highway", Value: "residential"}}
		d.Ways = append(d.Ways, across, along)
	}
	d.Relations = []osm.Relation{{ID: 7, Tags: osm.Tags{{Key: "type", Value: "restriction"}, {Key: "restriction", Value: "no_left_turn"}}, Members: []osm.Member{
		{Kind: osm.KindWay, Ref: 1, Role: "from"}, {Kind: osm.KindNode, Ref: id(2, 0), Role: "via"}, {Kind: osm.KindWay, Ref: 103, Role: "to"},
	}}}
	path := filepath.Join(t.TempDir(), "village.osm.pbf")
	if err := write(path, &d); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCountryIsJoinedAndTheSameAgain(t *testing.T) {
	extract := village(t)
	make := func() (files []string, all [][]byte) {
		c, err := NewCountry(t.Context(), extract)
		if err != nil {
			t.Fatal(err)
		}
		if c.edges != 120 || c.Copies(1) != 1 || c.Copies(120*5) != 5 || c.Copies(601) != 6 {
			t.Errorf("%d edges a copy, %d copies", c.edges, c.Copies(601))
		}
		files, err = c.Write(t.Context(), 5, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, text)
		}
		return files, all
	}
	files, first := make()
	_, second := make()
	if len(files) != 6 {
		t.Fatalf("%d files", len(files))
	}
	for i := range first {
		if !bytes.Equal(first[i], second[i]) {
			t.Errorf("%s is another the second time", files[i])
		}
	}
	nodes := map[int64]geo.Fixed{}
	roads := map[int64][]int64{} // nodes by node
	ways, restrictions, ferries := map[int64]bool{}, 0, 0
	for _, f := range files {
		_, err := osm.Scan(t.Context(), f, osm.Options{}, func(b *osm.Block) error {
			for _, n := range b.Nodes {
				p := geo.Fixed{Lon: n.Lon, Lat: n.Lat}
				if old, again := nodes[n.ID]; again && old != p {
					t.Errorf("node %d is in two places", n.ID)
				}
				nodes[n.ID] = p
			}
			for _, w := range b.Ways {
				if ways[w.ID] {
					t.Errorf("way %d is there twice", w.ID)
				}
				ways[w.ID] = true
				if w.Tags.Get("route") == "ferry" {
					ferries++
				}
				for i := 1; i < len(w.Nodes); i++ {
					a, b := w.Nodes[i-1], w.Nodes[i]
					roads[a], roads[b] = append(roads[a], b), append(roads[b], a)
				}
			}
			for _, r := range b.Relations {
				restrictions++
				for _, m := range r.Members {
					if m.Kind == osm.KindWay && m.Ref/stride != r.ID/stride {
						t.Errorf("relation %d has a member of another copy", r.ID)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	// Three in the first row, two below: two and one neighbours along, two across.
	if len(nodes) != 5*36 || restrictions != 5 || ferries != 5 || len(ways) != 5*12+5*(2*(links-1)+1) {
		t.Errorf("%d nodes, %d ways, %d restrictions, %d ferries", len(nodes), len(ways), restrictions, ferries)
	}
	reached, queue := map[int64]bool{1: true}, []int64{1}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, n := range roads[at] {
			if !reached[n] {
				reached[n] = true
				queue = append(queue, n)
			}
		}
	}
	if len(reached) != len(nodes) {
		t.Errorf("%d of %d nodes hang together", len(reached), len(nodes))
	}
}

func TestCountryFitsOnTheGlobe(t *testing.T) {
	c, err := NewCountry(t.Context(), village(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write(t.Context(), 100_000_000, t.TempDir()); err == nil || !strings.Contains(err.Error(), "globe") {
		t.Errorf("%v", err)
	}
	if _, err := NewCountry(t.Context(), filepath.Join(t.TempDir(), "none.osm.pbf")); err == nil {
		t.Error("an extract that is not there is read")
	}
}
