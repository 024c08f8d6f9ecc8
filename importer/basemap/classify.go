package basemap

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/importer/basemap/shore"
	"github.com/waygate/waygate/importer/multipolygon"
	"github.com/waygate/waygate/osm"
)

// drawnWay reports whether a way may be drawn by its own tags.
func drawnWay(tags osm.Tags) bool {
	for _, t := range tags {
		switch t.Key {
		case "highway", "railway", "waterway", "natural", "landuse", "leisure", "amenity", "building", "building:part",
			"boundary", "aeroway", "aerialway", "man_made", "route", "tourism", "shop", "historic", "place":
			return true
		}
	}
	return false
}

// drawnNode reports whether a node may be drawn.
func drawnNode(tags osm.Tags) bool {
	for _, t := range tags {
		switch t.Key {
		case "place", "amenity", "shop", "tourism", "railway", "natural", "historic", "leisure", "aeroway", "aerialway", "highway",
			"addr:housenumber", "man_made", "waterway", "mountain_pass":
			return true
		}
	}
	return false
}

// is reports whether key has one of the values.
func is(tags osm.Tags, key string, values ...string) bool {
	v := tags.Get(key)
	return v != "" && slices.Contains(values, v)
}

func adminLevel(tags osm.Tags) int {
	if tags.Get("boundary") != "administrative" {
		return 0
	}
	level, err := strconv.Atoi(tags.Get("admin_level"))
	if err != nil || level < 1 || level > 11 {
		return 0
	}
	return level
}

// classifier turns an extract into features, layer by layer of the schema.
type classifier struct {
	ctx      context.Context
	e        *extract
	batches  *batches
	of       object // at work
	err      error  // of the batches
	coast    []shore.Coast
	boxes    []orb.Bound
	covered  []*covered     // the boxes that are not covered everywhere
	dangling int            // references to nodes or ways that the sources lack
	broken   int            // rings that do not close
	consumed map[int64]bool // ways whose tags stand for a relation
}

// run makes features of all objects. Relations come first, because their ways may not
// be drawn for themselves; ways and nodes are read once more, and none is kept.
func (c *classifier) run(sources scanning) error {
	c.consumed = map[int64]bool{}
	for i := range c.e.relations {
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		c.begin(ofRelation, c.e.relations[i].ID)
		c.relation(&c.e.relations[i])
	}
	c.e.relations, c.e.ways, c.e.wayIndex = nil, nil, nil
	err := sources.scan(c.ctx, "features", osm.Options{SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Ways {
			if w := &b.Ways[i]; c.e.drawnWays.take(w.ID, w.Version) {
				c.begin(ofWay, w.ID)
				c.way(w)
			}
		}
		for i := range b.Nodes {
			if n := &b.Nodes[i]; drawnNode(n.Tags) && c.e.drawnNodes.take(n.ID, n.Version) {
				c.begin(ofNode, n.ID)
				c.node(n)
			}
		}
		return c.err
	}, nil)
	c.e = nil
	return err
}

// begin sets the object of the features that follow.
func (c *classifier) begin(kind objectKind, id int64) { c.of = object{kind: kind, id: id} }

// put adds a feature that touches the map; roads are added everywhere.
func (c *classifier) put(f feature) {
	if f.onward || slices.ContainsFunc(c.boxes, f.bound.Intersects) {
		c.add(f)
	}
}

// road adds a road. What of it lies beyond what the map covers are features of their own, which
// styles draw the paler the further out they are.
func (c *classifier) road(f feature) {
	parts := [stepsOut + 1]orb.MultiLineString{f.lines}
	for _, known := range c.covered {
		if known.box.Intersects(f.bound) || len(c.boxes) == 1 {
			parts = known.parted(f.lines)
			break
		}
	}
	attrs := f.attrs
	for out, part := range parts {
		if len(part) == 0 {
			continue
		}
		one := lineFeature(f.layer, part)
		f.lines, f.bound, f.size, f.attrs = one.lines, one.bound, one.size, attrs
		if out > 0 {
			f.attrs = append(slices.Clone(attrs), attr{"beyond", integer(out), 0})
		}
		c.put(f)
	}
}

func (c *classifier) add(f feature) {
	f.of = c.of
	c.of.number++
	if c.err == nil {
		c.err = c.batches.add(f)
	}
}

func (c *classifier) relation(r *osm.Relation) {
	if r.Tags.Get("type") == "route" {
		return // its ways are drawn
	}
	members, ways, missing := c.e.waysOf(r)
	c.dangling += missing
	outer := (*osm.Way)(nil)
	for i, w := range ways {
		if !members[i].Inner && drawnWay(w.Tags) {
			outer = w
			break
		}
	}
	tags := r.Tags
	if !isAreaByTags(tags) {
		// Old relations have no tags of their own: those of their outer way count.
		if r.Tags.Get("type") != "multipolygon" || drawnWay(tags) || outer == nil || !isAreaByTags(outer.Tags) {
			return
		}
		tags = outer.Tags
	}
	areas, broken := multipolygon.Assemble(multipolygon.NewEffort(c.ctx), members, c.e.position, 1)
	if broken > 0 || missing > 0 {
		c.broken += max(1, broken)
	}
	if len(areas) == 0 {
		return
	}
	// Ways that are tagged as the same area would draw it again, without its holes.
	for i, w := range ways {
		if members[i].Inner || !sameArea(w.Tags, tags) {
			continue
		}
		switch name := w.Tags.Get("name"); {
		case name == "" || name == tags.Get("name"):
		case tags.Get("name") == "":
			tags = append(slices.Clone(tags), osm.Tag{Key: "name", Value: name})
		default:
			continue // a part with a name of its own
		}
		c.consumed[w.ID] = true
	}
	c.area(tags, areas)
}

// waysOf returns the ways of a relation, each once, and how many are missing.
func (e *extract) waysOf(r *osm.Relation) (members []multipolygon.Member, ways []*osm.Way, missing int) {
	seen := map[int64]bool{}
	for _, m := range r.Members {
		if m.Kind != osm.KindWay || seen[m.Ref] {
			continue
		}
		seen[m.Ref] = true
		i, ok := e.wayIndex[m.Ref]
		if !ok {
			missing++
			continue
		}
		members = append(members, multipolygon.Member{Nodes: e.ways[i].Nodes, Inner: m.Role == "inner"})
		ways = append(ways, &e.ways[i])
	}
	return members, ways, missing
}

// sameArea reports whether two ways were tagged as the same kind of area.
func sameArea(a, b osm.Tags) bool {
	for _, key := range []string{"natural", "landuse", "leisure", "building", "amenity", "waterway"} {
		if a.Get(key) != b.Get(key) {
			return false
		}
	}
	return true
}

// isAreaByTags reports whether the tags, on a relation, are those of an area
// that is drawn.
func isAreaByTags(tags osm.Tags) bool {
	return waterArea(tags).kind != "" || landuseKind(tags) != "" || isBuilding(tags) || poiOf(tags).kind != "" || isIsland(tags)
}

func (c *classifier) way(w *osm.Way) {
	lines, missing := c.lines(w)
	c.dangling += missing
	if len(lines) == 0 {
		return
	}
	if w.Tags.Get("natural") == "coastline" {
		if missing == 0 {
			line := lines[0]
			if is(w.Tags, "place", "island", "islet") && multipolygon.Shoelace(line) > 0 { // drawn the wrong way round
				line = slices.Clone(line)
				slices.Reverse(line)
			}
			c.coast = append(c.coast, shore.Coast{First: w.Nodes[0], Last: w.Nodes[len(w.Nodes)-1], Points: line})
		} else {
			c.looseCoast(w)
		}
	}
	closed := missing == 0 && len(w.Nodes) >= 4 && w.Nodes[0] == w.Nodes[len(w.Nodes)-1]
	asArea := closed && wayIsArea(w.Tags)
	if asArea && !c.consumed[w.ID] {
		if ring := orb.Ring(lines[0]); ring.Closed() { // not round a pole
			if areas := plane.Untangled(ring); len(areas) > 0 {
				c.area(w.Tags, areas)
			}
		}
	}
	if f, ok := roadFeature(w.Tags, c.e.routes[w.ID], lines, asArea); ok {
		c.road(f)
	}
	if f, ok := waterLine(w.Tags, lines); ok && !asArea {
		c.put(f)
	}
	if f, ok := boundaryFeature(w.Tags, c.e.level[w.ID], lines); ok {
		c.put(f)
	}
}

// looseCoast splits a coastline way at missing nodes.
func (c *classifier) looseCoast(w *osm.Way) {
	var part orb.LineString
	first, last := int64(0), int64(0)
	flush := func() {
		if len(part) > 1 {
			c.coast = append(c.coast, shore.Coast{First: first, Last: last, Points: part})
		}
		part = nil
	}
	for _, id := range w.Nodes {
		p, ok := c.e.position(id)
		if !ok {
			flush()
			continue
		}
		if part == nil {
			first = id
		}
		if n := len(part); n > 0 {
			p = beside(p, part[n-1])
		}
		part, last = append(part, p), id
	}
	flush()
}

// lines returns the way's line, split at missing nodes. It goes the shorter way round
// the globe, beyond the antimeridian if need be.
func (c *classifier) lines(w *osm.Way) (lines orb.MultiLineString, missing int) {
	line := make(orb.LineString, 0, len(w.Nodes))
	for _, id := range w.Nodes {
		p, ok := c.e.position(id)
		if ok {
			if n := len(line); n > 0 {
				p = beside(p, line[n-1])
			}
			line = append(line, p)
			continue
		}
		missing++
		if len(line) > 1 {
			lines = append(lines, line)
		}
		line = nil
	}
	if len(line) > 1 {
		lines = append(lines, line)
	}
	return lines, missing
}

// beside returns a position in the turn of the globe that brings it nearest to another
// one.
func beside(p, o orb.Point) orb.Point {
	p[0] -= math.Round(p[0] - o[0])
	return p
}

// wayIsArea reports whether a closed way is an area rather than a line.
func wayIsArea(tags osm.Tags) bool {
	switch area := tags.Get("area"); {
	case area == "no":
		return false
	case area == "yes" || tags.Has("building") || tags.Has("building:part") || tags.Has("landuse"):
		return true
	case tags.Has("highway") || tags.Has("barrier") && !tags.Has("leisure") && !tags.Has("amenity") && !tags.Has("natural"):
		return false
	case tags.Has("railway"):
		return is(tags, "railway", "platform", "station")
	case tags.Has("waterway"):
		return is(tags, "waterway", "riverbank", "dock", "boatyard", "dam")
	case tags.Get("natural") == "coastline":
		return isIsland(tags) || tags.Has("place") && tags.Has("leisure")
	}
	return !is(tags, "natural", "cliff", "ridge", "arete", "tree_row") && !is(tags, "man_made", "embankment", "cutline", "pipeline") &&
		!is(tags, "leisure", "track", "slipway") && !is(tags, "aeroway", "taxiway") && !is(tags, "route", "ferry")
}

// area draws an area by its tags.
func (c *classifier) area(tags osm.Tags, areas orb.MultiPolygon) {
	if w := waterArea(tags); w.kind != "" {
		c.water(w, tags, areas)
	} else if kind := landuseKind(tags); kind != "" {
		c.put(landuseFeature(kind, tags, areas))
		if cover := coverOf(kind); cover != "" {
			c.put(coverFeature(cover, areas))
		}
	}
	if isBuilding(tags) {
		c.put(buildingFeature(tags, areas))
	}
	at, ok := plane.LabelPoint(areas)
	if !ok {
		return
	}
	if tags.Has("addr:housenumber") {
		c.point(addressFeature(tags, at))
	}
	if p := poiOf(tags); p.kind != "" {
		c.point(poiFeature(p, tags, at, multipolygon.Area(areas)))
	}
	if f, ok := islandFeature(tags, at, multipolygon.Area(areas)); ok {
		c.point(f)
	}
}

// point adds a point that lies on the map.
func (c *classifier) point(f feature) {
	if slices.ContainsFunc(c.boxes, func(b orb.Bound) bool { return b.Contains(*f.point) }) {
		c.add(f)
	}
}

func (c *classifier) node(n *osm.Node) {
	at := plane.Project(c.e.inTurn(geo.Fixed{Lon: n.Lon, Lat: n.Lat}))
	if f, ok := placeFeature(n.Tags, at); ok {
		c.point(f)
	}
	if f, ok := seaLabel(n.Tags, at); ok {
		c.point(f)
	}
	if p := poiOf(n.Tags); p.kind != "" {
		c.point(poiFeature(p, n.Tags, at, 0))
	}
	if n.Tags.Has("addr:housenumber") {
		c.point(addressFeature(n.Tags, at))
	}
}
