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

// nameTable reads the names of the roads of one leg, each set of names once.
type nameTable struct {
	g     *graph.Graph
	o     *Options
	sets  []parsedNames   // the first is the empty set
	arena []guidance.Name // memory for the names of all sets
	texts strings.Builder // memory for their texts

	country         uint16 // the country that spoken looked up last
	countryOfficial bool   // the language is official there
}

// begin prepares an empty table for a leg of so many hops.
func (t *nameTable) begin(g *graph.Graph, o *Options, hops int) {
	t.g, t.o = g, o
	t.sets = append(t.sets, parsedNames{})
	t.arena = make([]guidance.Name, 0, hops)
	t.texts.Grow(16 * hops)
}

// restart empties a table, to be used with the same graph and options again. The names
// that it has returned become invalid.
func (t *nameTable) restart() {
	t.sets, t.arena = append(t.sets[:0], parsedNames{}), t.arena[:0]
	t.texts.Reset()
}

// cleared returns an empty table with the memory of t's sets. The memory of the names
// stays with the manoeuvres made of them.
func (t *nameTable) cleared() nameTable {
	clear(t.sets)
	return nameTable{sets: t.sets[:0]}
}

// ofEdge returns the names of an edge's segment, road numbers first on
// motorways and trunk roads.
func (t *nameTable) ofEdge(e graph.Edge) []guidance.Name {
	seg := t.g.Segment(e)
	return t.sets[t.index(t.g.BySegment[seg].Name, t.g.BySegment[seg].Class <= graph.Trunk, t.spoken(seg))].names
}

// ofHop returns the names of a hop, in the same order.
func (t *nameTable) ofHop(h *hop) []guidance.Name {
	if h.namesIndex == 0 && h.name != 0 {
		h.namesIndex = int32(t.index(h.name, h.class <= graph.Trunk, t.spoken(t.g.Segment(h.edge))))
	}
	return t.sets[h.namesIndex].names
}

// NamesIn returns a function that returns the names of an edge's road as manoeuvres in a language
// have them, an OSM language code as in Options. The names are valid until the next call.
func NamesIn(g *graph.Graph, language string) func(graph.Edge) []guidance.Name {
	t := &nameTable{g: g, o: &Options{Language: language}, sets: []parsedNames{{}}}
	return func(e graph.Edge) []guidance.Name {
		t.restart()
		return t.ofEdge(e)
	}
}

// index returns the index in sets of the names of an attribute set.
func (t *nameTable) index(set graph.Set, large, spoken bool) int {
	if set == 0 {
		return 0
	}
	// The search starts with the last set, since most calls are for it.
	for i := len(t.sets) - 1; i > 0; i-- {
		if t.sets[i].set == set && t.sets[i].refsFirst == large && t.sets[i].spoken == spoken {
			return i
		}
	}
	g := t.g
	name := ""
	if spoken {
		name = g.Attribute(set, "name:"+t.o.Language)
	}
	if name == "" {
		name = t.text(g.Value(set, graph.NameKey))
	}
	ref := t.text(g.Value(set, graph.RefKey))
	at := len(t.arena)
	if large {
		t.arena = appendNames(appendNames(t.arena, ref, true), name, false)
	} else {
		t.arena = appendNames(appendNames(t.arena, name, false), ref, true)
	}
	names := t.arena[at:len(t.arena):len(t.arena)]
	t.sets = append(t.sets, parsedNames{set, large, spoken, names})
	return len(t.sets) - 1
}

// text returns a text of the graph. All texts of a leg share one block of memory.
func (t *nameTable) text(n graph.Text) string {
	if n == 0 {
		return ""
	}
	at := t.texts.Len()
	t.texts.Write(t.g.Text[t.g.TextAt[n]:t.g.TextAt[n+1]])
	return t.texts.String()[at:]
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

// sameRoad reports whether a hop and an edge share a name, or have none either.
func (t *nameTable) sameRoad(p *hop, e graph.Edge) bool {
	g := t.g
	set := g.BySegment[g.Segment(e)].Name
	if set == p.name {
		return true
	}
	if set == 0 || p.name == 0 {
		return len(t.ofHop(p))+len(t.ofEdge(e)) == 0
	}
	for _, key := range [...]graph.Text{graph.NameKey, graph.RefKey} {
		if v := g.Value(set, key); v != 0 && v == g.Value(p.name, key) {
			return true
		}
	}
	if !g.Several(set) && !g.Several(p.name) && t.o.Language == "" {
		return g.Value(set, graph.NameKey)+g.Value(set, graph.RefKey)+g.Value(p.name, graph.NameKey)+g.Value(p.name, graph.RefKey) == 0
	}
	pn, en := t.ofHop(p), t.ofEdge(e)
	return len(pn)+len(en) == 0 || sharesName(pn, en)
}

// common returns the names of a that are also in b.
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

// commonOrSame is common, but returns b itself where a has all of b in the same
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
