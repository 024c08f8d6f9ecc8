// Package landmarks is the import stage that collects the places by which a
// junction can be recognised.
package landmarks

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/osm"
)

// Options of the stage.
type Options struct {
	Sources  []string // local extracts, may overlap
	Out      string   // the section file
	Progress func(done, size int64)
}

// cornerSpacing is the distance in metres between the corners of a building that are
// kept as places: from a junction one sees a building's corner, not its middle.
const cornerSpacing = 12

// maxCorners is the most corners of a building that are kept.
const maxCorners = 40

// keys are the tags that describe a place; the first counts.
var keys = []string{"amenity", "shop", "railway", "public_transport", "tourism", "building", "historic", "man_made", "leisure", "office"}

// values are the values of each key that make a place, "" for all.
var values = map[string][]string{
	"amenity": {
		"fuel", "place_of_worship", "pub", "bar", "restaurant", "fast_food", "cafe", "bank", "pharmacy", "cinema", "theatre", "townhall", "library",
		"police", "fire_station", "hospital", "school", "college", "university", "post_office", "bus_station", "marketplace", "courthouse", "community_centre",
	},
	"shop":             {""},
	"railway":          {"station", "halt"},
	"public_transport": {"station"},
	"tourism":          {"hotel", "museum", "attraction", "gallery"},
	"building":         {"church", "cathedral", "chapel", "mosque", "synagogue", "temple", "train_station"},
	"historic":         {"castle", "monument", "memorial"},
	"man_made":         {"lighthouse", "water_tower", "windmill"},
	"leisure":          {"stadium", "sports_centre"},
}

// disusedKeys are the prefixes and keys of tags of places that no longer exist.
var disusedKeys = []string{"disused", "abandoned", "demolished", "razed", "removed", "closed", "was"}

// Category returns the tag that describes a place, as key=value; "" for an object that
// is no place, has no name, or no longer exists.
func Category(tags osm.Tags) string {
	if tags.Get("name") == "" && tags.Get("brand") == "" || Disused(tags) {
		return ""
	}
	for _, key := range keys {
		v := tags.Get(key)
		if v == "" || v == "no" || v == "vacant" {
			continue
		}
		if list := values[key]; slices.Contains(list, v) || slices.Contains(list, "") {
			return key + "=" + v
		}
	}
	return ""
}

// Disused reports whether a place is tagged as disused, abandoned or closed.
func Disused(tags osm.Tags) bool {
	for _, t := range tags {
		prefix, _, lifecycle := strings.Cut(t.Key, ":")
		if slices.Contains(disusedKeys, prefix) && (lifecycle || t.Value != "no") {
			return true
		}
	}
	switch hours := tags.Get("opening_hours"); hours {
	case "closed", "off":
		return true
	}
	return strings.EqualFold(tags.Get("operational_status"), "closed")
}

// collector gathers what the two passes find.
type collector struct {
	places []candidate
	ways   []way
	wanted map[int64]geo.Fixed // corners of ways; the zero position until known
}

type candidate struct {
	id int64
	landmark.Place
}

type way struct {
	id      int64
	corners []int64
	landmark.Place
}

// Build runs the stage and returns counts for the manifest.
func Build(ctx context.Context, opt Options) (map[string]int64, error) {
	c := &collector{wanted: map[int64]geo.Fixed{}}
	passes := osm.Passes{Sources: opt.Sources, Count: 2, Progress: opt.Progress}
	if err := passes.Scan(ctx, 0, osm.Options{SkipNodes: true, SkipRelations: true}, c.takeWays); err != nil {
		return nil, err
	}
	if err := passes.Scan(ctx, 1, osm.Options{SkipWays: true, SkipRelations: true}, c.takeNodes); err != nil {
		return nil, err
	}
	all := c.all()
	return map[string]int64{"landmarks": int64(len(c.places) + len(c.ways))}, landmark.Build(all).Write(opt.Out)
}

func (c *collector) takeWays(b *osm.Block) error {
	for i := range b.Ways {
		w := &b.Ways[i]
		category := Category(w.Tags)
		if category == "" || len(w.Nodes) == 0 {
			continue
		}
		c.ways = append(c.ways, way{w.ID, slices.Clone(w.Nodes), named(w.Tags, category)})
		for _, n := range w.Nodes {
			c.wanted[n] = geo.Fixed{}
		}
	}
	return nil
}

func (c *collector) takeNodes(b *osm.Block) error {
	for i := range b.Nodes {
		n := &b.Nodes[i]
		at := geo.Fixed{Lon: n.Lon, Lat: n.Lat}
		if _, ok := c.wanted[n.ID]; ok {
			c.wanted[n.ID] = at
		}
		if len(n.Tags) == 0 {
			continue
		}
		if category := Category(n.Tags); category != "" {
			p := named(n.Tags, category)
			p.At = at.Point()
			c.places = append(c.places, candidate{n.ID, p})
		}
	}
	return nil
}

func named(tags osm.Tags, category string) landmark.Place {
	p := landmark.Place{Name: tags.Get("name"), Brand: tags.Get("brand"), Category: category}
	if p.Name == "" {
		p.Name = p.Brand
	}
	// The texts of a block become invalid with it.
	p.Name, p.Brand, p.Category = strings.Clone(p.Name), strings.Clone(p.Brand), strings.Clone(p.Category)
	return p
}

// all lists the places, each once, those with an outline by its corners.
func (c *collector) all() []landmark.Place {
	slices.SortStableFunc(c.places, func(a, b candidate) int { return cmp.Compare(a.id, b.id) })
	slices.SortStableFunc(c.ways, func(a, b way) int { return cmp.Compare(a.id, b.id) })
	c.places = slices.CompactFunc(c.places, func(a, b candidate) bool { return a.id == b.id })
	c.ways = slices.CompactFunc(c.ways, func(a, b way) bool { return a.id == b.id })
	var list []landmark.Place
	for _, p := range c.places {
		list = append(list, p.Place)
	}
	for _, w := range c.ways {
		list = append(list, c.corners(&w)...)
	}
	return list
}

func (c *collector) corners(w *way) []landmark.Place {
	var list []landmark.Place
	for _, n := range w.corners {
		at := c.wanted[n]
		if at == (geo.Fixed{}) || len(list) == maxCorners {
			continue
		}
		p := w.Place
		p.At = at.Point()
		if !slices.ContainsFunc(list, func(o landmark.Place) bool { return geo.Distance(o.At, p.At) < cornerSpacing }) {
			list = append(list, p)
		}
	}
	return list
}
