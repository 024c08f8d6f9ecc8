// Package roadside is the import stage that collects cameras and charging
// stations.
package roadside

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/importer/landmarks"
	"github.com/waygate/waygate/importer/tags"
	"github.com/waygate/waygate/index/roadside"
	"github.com/waygate/waygate/osm"
)

// Options of the stage.
type Options struct {
	Sources  []string // local extracts, may overlap
	Country  string   // where the data does not say
	Out      string   // the section file
	Progress func(done, size int64)
}

// collector gathers what the passes find.
type collector struct {
	cameras  map[int64]*node     // by id of the node
	rules    map[int64]*relation // of enforcement
	roads    []road              // through cameras
	chargers map[string]*roadside.Charger
	outlines map[string][]int64 // corners of charging stations that are areas
	at       map[int64]geo.Fixed
}

// node is a camera that stands alone, unless a relation has it as a member.
type node struct {
	id        int64
	at        geo.Fixed
	direction string
	limit     string
}

// relation is a relation of type enforcement.
type relation struct {
	id                int64
	kind              string
	limit             string
	from, to, devices []int64
}

// road is a stretch of way through a camera.
type road struct {
	camera, before, after int64 // neighbours of the camera; 0 at an end
	limit                 int
	forward, backward     bool
}

// Build runs the stage and returns counts for the manifest.
func Build(ctx context.Context, opt Options) (map[string]int64, error) {
	borders, err := country.New(opt.Country)
	if err != nil {
		return nil, err
	}
	c := &collector{cameras: map[int64]*node{}, rules: map[int64]*relation{}, chargers: map[string]*roadside.Charger{}, outlines: map[string][]int64{}, at: map[int64]geo.Fixed{}}
	passes := osm.Passes{Sources: opt.Sources, Count: 3, Progress: opt.Progress}
	if err := passes.Scan(ctx, 0, osm.Options{SkipWays: true, SkipRelations: true}, c.takeNodes); err != nil {
		return nil, err
	}
	if err := passes.Scan(ctx, 1, osm.Options{SkipNodes: true}, c.takeLines); err != nil {
		return nil, err
	}
	if len(c.at) > 0 {
		if err := passes.Scan(ctx, 2, osm.Options{SkipWays: true, SkipRelations: true}, c.takePlaces); err != nil {
			return nil, err
		}
	}
	x := &roadside.Index{Cameras: c.enforced(), Chargers: c.charging()}
	sections := int64(0)
	for i := range x.Cameras {
		x.Cameras[i].Country = borders.At(x.Cameras[i].At.Point()).Code
		if x.Cameras[i].To != (geo.Fixed{}) {
			sections++
		}
	}
	for i := range x.Chargers {
		x.Chargers[i].Country = borders.At(x.Chargers[i].At.Point()).Code
	}
	return map[string]int64{"cameras": int64(len(x.Cameras)), "camera_sections": sections, "charging_stations": int64(len(x.Chargers))}, x.Write(opt.Out)
}

func (c *collector) takeNodes(b *osm.Block) error {
	for i := range b.Nodes {
		n := &b.Nodes[i]
		if len(n.Tags) == 0 {
			continue
		}
		at := geo.Fixed{Lon: n.Lon, Lat: n.Lat}
		if n.Tags.Get("highway") == "speed_camera" && !landmarks.Disused(n.Tags) {
			direction := cmp.Or(n.Tags.Get("camera:direction"), n.Tags.Get("direction"))
			c.cameras[n.ID] = &node{n.ID, at, strings.Clone(direction), strings.Clone(n.Tags.Get("maxspeed"))}
			c.at[n.ID] = at
		}
		if s := charger(n.Tags); s != nil {
			s.ID, s.At = fmt.Sprintf("n%d", n.ID), at
			c.chargers[s.ID] = s
		}
	}
	return nil
}

func (c *collector) takeLines(b *osm.Block) error {
	for i := range b.Ways {
		w := &b.Ways[i]
		if s := charger(w.Tags); s != nil && len(w.Nodes) > 0 {
			s.ID = fmt.Sprintf("w%d", w.ID)
			c.chargers[s.ID], c.outlines[s.ID] = s, slices.Clone(w.Nodes)
			for _, n := range w.Nodes {
				c.want(n)
			}
		}
		if w.Tags.Get("highway") != "" {
			c.takeRoad(w)
		}
	}
	for i := range b.Relations {
		c.takeRelation(&b.Relations[i])
	}
	return nil
}

func (c *collector) want(n int64) {
	if _, there := c.at[n]; !there {
		c.at[n] = geo.Fixed{}
	}
}

func (c *collector) takeRoad(w *osm.Way) {
	for i, n := range w.Nodes {
		if c.cameras[n] == nil {
			continue
		}
		r := road{camera: n, limit: limit(w.Tags.Get("maxspeed")), forward: true, backward: true}
		switch w.Tags.Get("oneway") {
		case "yes", "1", "true":
			r.backward = false
		case "-1", "reverse":
			r.forward = false
		}
		if w.Tags.Get("junction") == "roundabout" {
			r.backward = false
		}
		if i > 0 {
			r.before = w.Nodes[i-1]
			c.want(r.before)
		}
		if i+1 < len(w.Nodes) {
			r.after = w.Nodes[i+1]
			c.want(r.after)
		}
		c.roads = append(c.roads, r)
	}
}

// limit reads a maxspeed in km/h; 0 if it is unknown, or if there is none.
func limit(v string) int {
	if v == "none" {
		return 0
	}
	return int(tags.Speed(v))
}

// kinds are the kinds of enforcement, by the tag of the relation.
var kinds = map[string]string{"maxspeed": roadside.Fixed, "average_speed": roadside.Average, "traffic_signals": roadside.RedLight, "mindistance": roadside.Unknown, "yes": roadside.Unknown}

func (c *collector) takeRelation(r *osm.Relation) {
	kind, known := kinds[r.Tags.Get("enforcement")]
	if r.Tags.Get("type") != "enforcement" || !known {
		return
	}
	out := &relation{id: r.ID, kind: kind, limit: strings.Clone(r.Tags.Get("maxspeed"))}
	for _, m := range r.Members {
		if m.Kind != osm.KindNode {
			continue
		}
		switch m.Role {
		case "from":
			out.from = append(out.from, m.Ref)
		case "to":
			out.to = append(out.to, m.Ref)
		case "device":
			out.devices = append(out.devices, m.Ref)
		default:
			continue
		}
		c.want(m.Ref)
	}
	c.rules[r.ID] = out
}

func (c *collector) takePlaces(b *osm.Block) error {
	for i := range b.Nodes {
		n := &b.Nodes[i]
		if _, ok := c.at[n.ID]; ok {
			c.at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}
		}
	}
	return nil
}

// enforced lists the cameras: those of relations, and nodes that are in none.
func (c *collector) enforced() []roadside.Camera {
	var list []roadside.Camera
	ruled := map[int64]bool{} // nodes that are members of a relation
	for _, id := range slices.Sorted(maps.Keys(c.rules)) {
		r := c.rules[id]
		for _, n := range slices.Concat(r.devices, r.from, r.to) {
			ruled[n] = ruled[n] || c.cameras[n] != nil
		}
		list = append(list, c.ruled(r)...)
	}
	through := map[int64][]road{}
	for _, r := range c.roads {
		through[r.camera] = append(through[r.camera], r)
	}
	for _, id := range slices.Sorted(maps.Keys(c.cameras)) {
		if !ruled[id] {
			list = append(list, c.alone(c.cameras[id], through[id]))
		}
	}
	return list
}

// firstPosition returns the position of the first of some nodes that the extract has.
func (c *collector) firstPosition(nodes []int64) (geo.Fixed, bool) {
	for _, n := range nodes {
		if at := c.at[n]; at != (geo.Fixed{}) {
			return at, true
		}
	}
	return geo.Fixed{}, false
}

// ruled returns the cameras of a relation: the section, or each device.
func (c *collector) ruled(r *relation) (list []roadside.Camera) {
	from, begins := c.firstPosition(r.from)
	to, ends := c.firstPosition(r.to)
	base := roadside.Camera{ID: fmt.Sprintf("r%d", r.id), Kind: r.kind, Limit: limit(r.limit)}
	if r.kind == roadside.Average && begins && ends {
		base.At, base.To = from, to
		return []roadside.Camera{base}
	}
	devices := r.devices
	if len(devices) == 0 {
		devices = r.to
	}
	for _, n := range devices {
		at := c.at[n]
		if at == (geo.Fixed{}) {
			continue
		}
		one := base
		one.At = at
		if one.Limit == 0 && c.cameras[n] != nil {
			one.Limit = limit(c.cameras[n].limit)
		}
		// The direction from the "from" to the "to" member: the device may stand
		// aside.
		switch {
		case begins && ends && from != to:
			one.Travel = bearingOf(from, to)
		case begins && from != at:
			one.Travel = bearingOf(from, at)
		}
		list = append(list, one)
	}
	return list
}

// alone returns a camera that is in no relation.
func (c *collector) alone(n *node, roads []road) roadside.Camera {
	one := roadside.Camera{ID: fmt.Sprintf("n%d", n.id), At: n.at, Kind: roadside.Fixed, Limit: limit(n.limit)}
	if len(roads) > 0 {
		r := roads[0]
		if one.Limit == 0 && r.limit > 0 && !slices.ContainsFunc(roads, func(o road) bool { return o.limit != r.limit }) {
			one.Limit, one.OfRoad = r.limit, true
		}
		along := func(from, to int64) *int {
			a, b := c.at[from], c.at[to]
			if from == 0 {
				a = n.at
			}
			if to == 0 {
				b = n.at
			}
			if a == b || a == (geo.Fixed{}) || b == (geo.Fixed{}) {
				return nil
			}
			return bearingOf(a, b)
		}
		switch {
		case len(roads) > 2: // a junction says nothing
		case n.direction == "forward", n.direction == "" && !r.backward:
			one.Travel = along(r.before, r.after)
		case n.direction == "backward", n.direction == "" && !r.forward:
			one.Travel = along(r.after, r.before)
		}
	}
	if looks, ok := bearing(n.direction); ok {
		// A camera faces oncoming traffic.
		travel := (looks + 180) % 360
		one.Travel = &travel
	}
	return one
}

func bearingOf(a, b geo.Fixed) *int {
	degrees := int(geo.Bearing(a.Point(), b.Point())+0.5) % 360
	return &degrees
}

// charging lists the charging stations, those that are areas at their middle.
func (c *collector) charging() []roadside.Charger {
	var list []roadside.Charger
	for _, id := range slices.Sorted(maps.Keys(c.chargers)) {
		s := c.chargers[id]
		if corners, is := c.outlines[id]; is {
			box := geo.NoBounds()
			for _, n := range corners {
				if at := c.at[n]; at != (geo.Fixed{}) {
					box = box.Extend(at.Point())
				}
			}
			if box.Empty() {
				continue
			}
			s.At = box.Centre().Fix()
		}
		list = append(list, *s)
	}
	return list
}
