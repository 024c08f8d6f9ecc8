package guide

import (
	"strings"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// parsedNames are the names in an attribute set, parsed once for a leg.
type parsedNames struct {
	set       graph.Set
	refsFirst bool
	spoken    bool // in the traveller's language where there is such a name
	names     []guidance.Name
}

// edgeNames gives the names of an edge's segment, road numbers first on
// motorways and trunk roads.
func (b *builder) edgeNames(e graph.Edge) []guidance.Name {
	seg := b.g.Segment(e)
	return b.names[b.namesOf(b.g.BySegment[seg].Name, b.g.BySegment[seg].Class <= graph.Trunk, b.spoken(seg))].names
}

// hopNames gives the names of a hop, as edgeNames.
func (b *builder) hopNames(h *hop) []guidance.Name {
	if h.namesIndex == 0 && h.name != 0 {
		h.namesIndex = int32(b.namesOf(h.name, h.class <= graph.Trunk, b.spoken(b.g.Segment(h.edge))))
	}
	return b.names[h.namesIndex].names
}

// namesOf gives the place in builder.names of the names of a set.
func (b *builder) namesOf(set graph.Set, large, spoken bool) int {
	if set == 0 {
		return 0
	}
	// From the last one back: most questions are for it, and a path seldom
	// comes back to an older name.
	for i := len(b.names) - 1; i > 0; i-- {
		if b.names[i].set == set && b.names[i].refsFirst == large && b.names[i].spoken == spoken {
			return i
		}
	}
	g := b.g
	name := ""
	if spoken {
		name = g.Attribute(set, "name:"+b.o.Language)
	}
	if name == "" {
		name = b.text(g.Value(set, graph.NameKey))
	}
	ref := b.text(g.Value(set, graph.RefKey))
	at := len(b.nameArena)
	if large {
		b.nameArena = appendNames(appendNames(b.nameArena, ref, true), name, false)
	} else {
		b.nameArena = appendNames(appendNames(b.nameArena, name, false), ref, true)
	}
	names := b.nameArena[at:len(b.nameArena):len(b.nameArena)]
	b.names = append(b.names, parsedNames{set, large, spoken, names})
	return len(b.names) - 1
}

// text is a text of the graph. All texts of a leg share one block of memory.
func (b *builder) text(number graph.Text) string {
	if number == 0 {
		return ""
	}
	at := b.texts.Len()
	b.texts.Write(b.g.Text[b.g.TextAt[number]:b.g.TextAt[number+1]])
	return b.texts.String()[at:]
}

// appendNames appends the parts of a value, which semicolons separate.
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

// common gives the names of a that are also in b.
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

// commonOrSame is common, but gives b itself where a has all of b in the same
// order, to allocate nothing.
func commonOrSame(a, b []guidance.Name) []guidance.Name {
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

// sharesName reports whether two roads have a name in common.
func sharesName(a, b []guidance.Name) bool {
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
