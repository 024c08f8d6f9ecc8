package guide

import (
	"strings"

	"github.com/waygate/waygate/road/graph"
)

// namesOf gives the names of an edge's segment, numbers first on motorways.
func (b *builder) namesOf(e uint32) []Name {
	g := b.g
	seg := g.Segment(e)
	set := g.Name[seg]
	if set == 0 {
		return nil
	}
	key := set << 1
	motorway := g.Class[seg] == graph.Motorway
	if motorway {
		key |= 1
	}
	if n, ok := b.names[key]; ok {
		return n
	}
	name := ""
	if b.o.Language != "" {
		name = g.Attribute(set, "name:"+b.o.Language)
	}
	if name == "" {
		name = g.Attribute(set, "name")
	}
	var names, refs []Name
	for _, t := range split(name) {
		names = append(names, Name{Text: t})
	}
	for _, t := range split(g.Attribute(set, "ref")) {
		refs = append(refs, Name{Text: t, Ref: true})
	}
	if motorway {
		names, refs = refs, names
	}
	names = append(names, refs...)
	b.names[key] = names
	return names
}

// common gives the names of a that b has too.
func common(a, b []Name) []Name {
	shared := 0
	for _, n := range a {
		if contains(b, n.Text) {
			shared++
		}
	}
	if shared == len(a) {
		return a
	}
	var out []Name
	for _, n := range a {
		if contains(b, n.Text) {
			out = append(out, n)
		}
	}
	return out
}

func contains(names []Name, text string) bool {
	for _, n := range names {
		if n.Text == text {
			return true
		}
	}
	return false
}

// sign reads what the signs at the start of an edge say.
func (b *builder) sign(e uint32) Sign {
	set := b.g.Sign[e]
	if set == 0 {
		return Sign{}
	}
	at := func(keys ...string) []string {
		var all []string
		for _, k := range keys {
			all = append(all, split(b.g.Attribute(set, k))...)
		}
		return all
	}
	return Sign{
		Number: at("junction:ref"),
		Branch: at("destination:ref", "destination:street"),
		Toward: at("destination", "destination:ref:to", "destination:street:to"),
		Name:   at("junction:name"),
	}
}

// split takes apart a value with several parts, as OSM writes them.
func split(s string) []string {
	if s == "" {
		return nil
	}
	var out []string
	for part := range strings.SplitSeq(s, ";") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func wayOf(u graph.Use) Way {
	switch u {
	case graph.Cycleway:
		return CycleTrack
	case graph.MountainBike:
		return MountainTrail
	case graph.Track, graph.Bridleway:
		return FieldTrack
	case graph.Footway, graph.Sidewalk, graph.Trail, graph.PedestrianStreet:
		return Walkway
	case graph.Crossing:
		return CrossingWay
	case graph.Steps:
		return Stairs
	case graph.Ferry, graph.RailFerry:
		return FerryLine
	}
	return Street
}
