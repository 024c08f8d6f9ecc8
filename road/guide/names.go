package guide

import (
	"strings"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// namesOfSet is what an attribute set of names says, read once per leg.
type namesOfSet struct {
	set       graph.Set
	refsFirst bool
	names     []guidance.Name
}

// namesOf gives the names of an edge's segment, numbers first on motorways and
// trunk roads.
func (b *builder) namesOf(e graph.Edge) []guidance.Name {
	seg := b.g.Segment(e)
	return b.names[b.namesIn(b.g.Name[seg], b.g.Class[seg] <= graph.Trunk)].names
}

func (b *builder) namesAt(h *hop) []guidance.Name {
	if h.words == 0 && h.name != 0 {
		h.words = int32(b.namesIn(h.name, h.class <= graph.Trunk))
	}
	return b.names[h.words].names
}

// namesIn gives the place in builder.names of what a set says.
func (b *builder) namesIn(set graph.Set, large bool) int {
	if set == 0 {
		return 0
	}
	// A path seldom comes back to a name, and asks for the last one most.
	for i := len(b.names) - 1; i > 0; i-- {
		if b.names[i].set == set && b.names[i].refsFirst == large {
			return i
		}
	}
	g := b.g
	name := ""
	if b.o.Language != "" {
		name = g.Attribute(set, "name:"+b.o.Language)
	}
	if name == "" {
		name = b.text(g.Value(set, graph.NameKey))
	}
	ref := b.text(g.Value(set, graph.RefKey))
	at := len(b.arena)
	if large {
		b.arena = appendNames(appendNames(b.arena, ref, true), name, false)
	} else {
		b.arena = appendNames(appendNames(b.arena, name, false), ref, true)
	}
	names := b.arena[at:len(b.arena):len(b.arena)]
	b.names = append(b.names, namesOfSet{set, large, names})
	return len(b.names) - 1
}

// text is a text of the graph. All of a leg lie in one block.
func (b *builder) text(number graph.Text) string {
	if number == 0 {
		return ""
	}
	at := b.texts.Len()
	b.texts.Write(b.g.Text[b.g.TextAt[number]:b.g.TextAt[number+1]])
	return b.texts.String()[at:]
}

// appendNames appends the parts of a value, as OSM writes several in one.
func appendNames(names []guidance.Name, value string, ref bool) []guidance.Name {
	for value != "" {
		part, rest, _ := strings.Cut(value, ";")
		if part = strings.TrimSpace(part); part != "" {
			names = append(names, guidance.Name{Text: part, Ref: ref})
		}
		value = rest
	}
	return names
}

// common gives the names of a that b has too.
func common(a, b []guidance.Name) []guidance.Name {
	if len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) {
		return a
	}
	shared := 0
	for _, n := range a {
		if contains(b, n.Text) {
			shared++
		}
	}
	if shared == 0 {
		return nil
	}
	if shared == len(a) {
		return a
	}
	out := make([]guidance.Name, 0, shared)
	for _, n := range a {
		if contains(b, n.Text) {
			out = append(out, n)
		}
	}
	return out
}

// narrow is common, giving b itself where a has all of it in the same order.
func narrow(a, b []guidance.Name) []guidance.Name {
	if len(a) > 0 && len(b) > 0 && len(b) < len(a) {
		at := 0
		for i := range a {
			if at < len(b) && a[i].Text == b[at].Text {
				at++
			}
		}
		if at == len(b) {
			return b
		}
	}
	return common(a, b)
}

// share reports whether two roads have a name in common.
func share(a, b []guidance.Name) bool {
	for _, n := range a {
		if contains(b, n.Text) {
			return true
		}
	}
	return false
}

func contains(names []guidance.Name, text string) bool {
	for i := range names {
		if names[i].Text == text {
			return true
		}
	}
	return false
}

func wayOf(u graph.Use) guidance.Way {
	switch u {
	case graph.Cycleway:
		return guidance.CycleTrack
	case graph.MountainBike:
		return guidance.MountainTrail
	case graph.Track, graph.Bridleway:
		return guidance.FieldTrack
	case graph.Footway, graph.Sidewalk, graph.Trail, graph.PedestrianStreet:
		return guidance.Walkway
	case graph.Crossing:
		return guidance.CrossingWay
	case graph.Steps:
		return guidance.Stairs
	case graph.Ferry, graph.RailFerry:
		return guidance.FerryLine
	}
	return guidance.Street
}
