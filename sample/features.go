package sample

import (
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/extract"
	"github.com/waygate/waygate/sample/plane"
)

// Feature names something the county is sure to hold, with the objects that
// show it. Each of them carries Key with Value.
type Feature struct {
	Name       string
	Key, Value string
	Refs       []extract.Ref
}

// Place is a well-known point of the county: for tests, demonstrations and
// the suggestions of the map explorer.
type Place struct {
	Name  string
	Point geo.Point
	About string // one line in plain words
}

// features resolves the notes taken while drawing.
func (b *builder) features() []Feature {
	var out []Feature
	for _, n := range b.notes {
		f := Feature{Name: n.name, Key: n.key, Value: n.value, Refs: n.refs}
		for _, r := range n.roads {
			for _, id := range b.written[r] {
				f.Refs = append(f.Refs, extract.Ref{Kind: osm.KindWay, ID: id})
			}
		}
		for _, p := range n.nodes {
			f.Refs = append(f.Refs, extract.Ref{Kind: osm.KindNode, ID: b.out.Node(p)})
		}
		if len(f.Refs) == 0 {
			continue
		}
		same := slices.IndexFunc(out, func(o Feature) bool { return o.Name == f.Name && o.Key == f.Key && o.Value == f.Value })
		if same >= 0 {
			out[same].Refs = append(out[same].Refs, f.Refs...)
			continue
		}
		out = append(out, f)
	}
	for _, x := range [][3]string{
		{"category C tunnel", "hazmat:adr_tunnel_cat", "C"},
		{"category E tunnel", "tunnel:category", "E"},
		{"level crossing", "railway", "level_crossing"},
		{"motorway", "highway", "motorway"},
		{"motorway exit", "highway", "motorway_junction"},
		{"interchange", "name", "Tarrowmouth Interchange"},
		{"dual carriageway", "dual_carriageway", "yes"},
		{"steps", "highway", "steps"},
		{"bridleway", "highway", "bridleway"},
		{"public footpath", "designation", "public_footpath"},
		{"back alley", "service", "alley"},
		{"separate pavement", "footway", "sidewalk"},
		{"track", "highway", "track"},
		{"demanding alpine path", "sac_scale", "demanding_alpine_hiking"},
		{"fuel station", "amenity", "fuel"},
		{"lorry park", "hgv", "designated"},
		{"hospital", "amenity", "hospital"},
		{"camp site", "tourism", "camp_site"},
		{"castle", "historic", "castle"},
		{"museum", "tourism", "museum"},
		{"motorway services", "highway", "services"},
		{"variable limit", "maxspeed:variable", "peak_traffic"},
		{"named roundabout", "name", "Cooper's Drove Roundabout"},
		{"fast exit lanes", "turn:lanes", "through|through|through"},
	} {
		if f := b.byTag(x[0], x[1], x[2]); len(f.Refs) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// byTag gathers the nodes and ways that carry a tag, at most a few dozen.
func (b *builder) byTag(name, key, value string) Feature {
	f := Feature{Name: name, Key: key, Value: value}
	for i := range b.out.Data.Nodes {
		if n := &b.out.Data.Nodes[i]; n.Tags.Get(key) == value && len(f.Refs) < 40 {
			f.Refs = append(f.Refs, extract.Ref{Kind: osm.KindNode, ID: n.ID})
		}
	}
	for i := range b.out.Data.Ways {
		if w := &b.out.Data.Ways[i]; w.Tags.Get(key) == value && len(f.Refs) < 40 {
			f.Refs = append(f.Refs, extract.Ref{Kind: osm.KindWay, ID: w.ID})
		}
	}
	return f
}

// places lists the well-known points.
func (b *builder) places() []Place {
	var out []Place
	add := func(name string, p plane.Point, about string) {
		out = append(out, Place{name, p.Fixed().Point(), about})
	}
	for i := range b.towns {
		t := &b.towns[i]
		p := t.Centre
		if t.Kind == "town" {
			p = b.marks["market "+t.Name].at
		} else if s, at, _, ok := b.lines.Nearest(p, 400); ok && s.Of >= 0 {
			p = at
		}
		add(t.Name, p, "centre of the "+t.Kind)
	}
	mark := func(name, key, about string) {
		if m, ok := b.marks[key]; ok {
			add(name, m.at, about)
		}
	}
	add("Low bridge, west", plane.Km(9.6, 8.52), "on the A3950 west of the bridge no lorry passes")
	add("Low bridge, east", plane.Km(11.9, 7.95), "on the A3950 east of it")
	mark("Low bridge", "low bridge", "the railway over the A3950, 3.4 m")
	mark("Low bridge in feet", "low bridge in feet", "the railway over a lane, 11 feet 6")
	mark("Toll bridge", "toll bridge", "the A3960 over the Tarrow estuary")
	add("Toll bridge, west", plane.Km(13.4, 4.25), "west bank; free way by Tarrowmouth")
	add("Toll bridge, east", plane.Km(17.0, 4.3), "east bank")
	mark("Ferry quay, Port Gwillan", "car ferry west", "the car ferry's quay on the main island")
	mark("Ferry quay, Farrock", "car ferry east", "the car ferry's quay on Farrock Island")
	mark("Tern Holm", "islet", "an islet no road or ferry leads to")
	mark("Carn Tunnel", "Ridge Tunnel", "category E, with a pass over the hill beside it")
	mark("Zawn Tunnel", "Zawn Tunnel", "category C, the only way to Zawn Cove")
	mark("Halvern Services", "services", "motorway services on the M91")
	mark("Level crossing", "level crossing", "a road over the railway on the level")
	add("Carn Halvern", peak, "the highest hill")
	for _, s := range stations() {
		mark(s.name+" station", "station "+s.name, "railway station")
	}
	mark("Infirmary", "hospital", "Halvern Royal Infirmary")
	mark("Pengarrow Sands Camping", "camp site", "camp site")
	mark("Speed camera", "speed camera", "a fixed camera")
	return out
}
