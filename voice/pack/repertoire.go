package pack

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// Options are whose phrases are wanted.
type Options struct {
	Language string   // BCP 47 tag of the narration
	Miles    bool     // rather than kilometres
	Costings []string // auto, bicycle, pedestrian; none is auto
	Most     int      // of the longest roads' names, and of the most frequent signs; 0 is all
}

// Of returns the phrases of the network of a region in a folder.
func Of(dir string, o Options) (phrases iter.Seq2[Kind, string], err error) {
	l, asked := narrate.Find(o.Language)
	if !asked {
		return nil, fmt.Errorf("the narration has no language %s; it has %s", o.Language, strings.Join(narrate.Languages(), ", "))
	}
	r, err := region.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	g, err := graph.Open(r)
	if err != nil {
		return nil, err
	}
	what, err := VocabularyOf(g, l, o)
	if err != nil {
		return nil, err
	}
	return Phrases(l, o.Miles, what), nil
}

// Vocabulary has the names, numbers and signs of a network that are spoken. Its lists have the longest roads and the most
// frequent signs first.
type Vocabulary struct {
	Travels     []guidance.Travel
	Roads       [][]guidance.Name // one or two names each
	Signs       []Signed
	Roundabouts []Signed // names of roundabouts with those of roads that leave them
	Ferries     [][]guidance.Name
	Landings    [][]guidance.Name // of roads that begin at ferries
	Levels      []guidance.Level
}

// Signed is a sign, or the name of a roundabout, and the names of the road that the sign is on or
// leads to.
type Signed struct {
	guidance.Sign
	Roundabout guidance.Name
	Names      []guidance.Name
	Leaves     bool // it stands where a road leaves a roundabout
}

// travels are the ways of moving by costing.
var travels = map[string][]guidance.Travel{
	"auto": {guidance.Driving}, "bicycle": {guidance.Cycling, guidance.Pushing}, "pedestrian": {guidance.Walking},
}

// Names of a road: how many are spoken together, and of how many the pairs are taken.
const (
	named    = 2
	mostPair = 4
)

// counted are things with how often, or along how many metres, they are met.
type counted[T any] struct {
	of map[string]*entry[T]
}

type entry[T any] struct {
	key   string
	thing T
	count float64
}

func (c *counted[T]) add(key string, count float64, thing func() T) {
	if c.of == nil {
		c.of = map[string]*entry[T]{}
	}
	e := c.of[key]
	if e == nil {
		e = &entry[T]{key: key, thing: thing()}
		c.of[key] = e
	}
	e.count += count
}

// first lists the things with the highest counts, all for 0.
func (c *counted[T]) first(most int) (list []T) {
	all := make([]*entry[T], 0, len(c.of))
	for _, e := range c.of {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *entry[T]) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.key, b.key)) })
	if most > 0 && len(all) > most {
		all = all[:most]
	}
	for _, e := range all {
		list = append(list, e.thing)
	}
	return list
}

// network reads a graph.
type network struct {
	g           *graph.Graph
	names       func(graph.Edge) []guidance.Name
	foot        bool // or by bicycle: ways without motor traffic count
	roads       counted[[]guidance.Name]
	signs       counted[Signed]
	roundabouts counted[Signed]
	ferries     counted[[]guidance.Name]
	landings    counted[[]guidance.Name]
	levels      counted[guidance.Level]
}

// VocabularyOf reads what a network has to be spoken of in a language.
func VocabularyOf(g *graph.Graph, l *narrate.Language, o Options) (*Vocabulary, error) {
	what := &Vocabulary{}
	if len(o.Costings) == 0 {
		o.Costings = []string{"auto"}
	}
	for _, costing := range o.Costings {
		list, ok := travels[costing]
		if !ok {
			return nil, fmt.Errorf("there are no phrases for %q; there are for auto, bicycle and pedestrian", costing)
		}
		what.Travels = append(what.Travels, list...)
	}
	code, _, _ := strings.Cut(l.Tag(), "-")
	n := &network{g: g, names: guide.NamesIn(g, code), foot: slices.ContainsFunc(what.Travels, func(t guidance.Travel) bool { return t != guidance.Driving })}
	for e := range g.Base {
		n.edge(e)
	}
	what.Roads, what.Signs, what.Roundabouts = n.roads.first(o.Most), n.signs.first(o.Most), n.roundabouts.first(o.Most)
	what.Ferries, what.Landings, what.Levels = n.ferries.first(o.Most), n.landings.first(o.Most), n.levels.first(o.Most)
	return what, nil
}

// edge reads an edge.
func (n *network) edge(e graph.Edge) {
	g := n.g
	seg := g.Segment(e)
	r := &g.BySegment[seg]
	ferry := r.Use == graph.Ferry || r.Use == graph.RailFerry
	if r.Use >= graph.Cycleway && !ferry && !n.foot {
		return
	}
	if level := guide.LevelOf(g, seg); level.Text != "" {
		n.levels.add(fmt.Sprint(level), 1, func() guidance.Level { return level })
	}
	list := spokenOf(n.names(e))
	tail := g.ByEdge[e].Tail
	into, roundabout, ashore := n.arriving(tail)
	for _, names := range list {
		key := keyOf(names)
		length := float64(r.Length)
		switch own := func() []guidance.Name { return names }; {
		case ferry:
			n.ferries.add(key, length, own)
		case ashore:
			n.landings.add(key, length, own)
			n.roads.add(key, length, own)
		default:
			n.roads.add(key, length, own)
		}
	}
	if r.Flags&graph.Roundabout != 0 {
		return
	}
	if roundabout || into.Text != "" || r.Use == graph.Ramp {
		list = append(list, n.onward(e, into.Text)...)
	}
	if set := g.ByEdge[e].Attributes; set != 0 {
		if sign := guide.SignOf(g, set); !sign.Empty() {
			n.sign(sign, append([][]guidance.Name{nil}, list...), roundabout)
		}
	}
	if into.Text != "" {
		for _, names := range append([][]guidance.Name{nil}, list...) {
			n.roundabouts.add(into.Text+"\x00"+keyOf(names), 1, func() Signed { return Signed{Roundabout: into, Names: names} })
		}
	}
}

// arriving reads whether a roundabout or a ferry leads to a node, and the roundabout's name.
func (n *network) arriving(node graph.Node) (name guidance.Name, roundabout, ferry bool) {
	g := n.g
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		r := &g.BySegment[g.Segment(e)]
		ferry = ferry || r.Use == graph.Ferry || r.Use == graph.RailFerry
		if r.Flags&graph.Roundabout == 0 {
			continue
		}
		roundabout = true
		for _, of := range n.names(e) {
			if !of.Ref && name.Text == "" {
				name = of
				name.Text = strings.Clone(name.Text)
			}
		}
	}
	return name, roundabout, ferry
}

// mostRamp is along how many edges of a slip road the road that it leads to is looked for.
const mostRamp = 40

// onward returns the names of the roads that an edge leads onto, along slip roads and roads without
// a name or with that of the roundabout.
func (n *network) onward(e graph.Edge, roundabout string) (names [][]guidance.Name) {
	g := n.g
	queue := []graph.Edge{e}
	for at := 0; at < len(queue) && at < mostRamp; at++ {
		e := queue[at]
		list := n.names(e)
		if g.BySegment[g.Segment(e)].Use != graph.Ramp && len(list) > 0 && list[0].Text != roundabout {
			if at > 0 {
				names = append(names, spokenOf(list)...)
			}
			continue
		}
		head := g.ByEdge[e].Head
		for f := g.FirstOut[head]; f < g.FirstOut[head+1]; f++ {
			if f != g.ByEdge[e].Opposite && g.ByEdge[f].Access&graph.Auto != 0 && g.BySegment[g.Segment(f)].Flags&graph.Roundabout == 0 && !slices.Contains(queue, f) {
				queue = append(queue, f)
			}
		}
	}
	return names
}

// sign adds a sign, in every order of its texts that may come up, for the names of its own road and of
// those which that leads onto.
func (n *network) sign(sign guidance.Sign, names [][]guidance.Name, roundabout bool) {
	for _, branch := range orders(sign.Branch) {
		for _, toward := range orders(sign.Toward) {
			for _, of := range names {
				s := Signed{Sign: guidance.Sign{Number: sign.Number, Branch: branch, Toward: toward, Name: sign.Name}, Names: of, Leaves: roundabout}
				key := strings.Join(slices.Concat(sign.Number, []string{""}, branch, []string{""}, toward, []string{""}, sign.Name, []string{keyOf(of), fmt.Sprint(roundabout)}), "\x00")
				n.signs.add(key, 1, func() Signed { return s })
			}
		}
	}
}

// orders returns the lists of the one or two texts that are spoken of a sign: those that stand on
// following signs as well are spoken first.
func orders(texts []string) (all [][]string) {
	if len(texts) < 2 {
		return [][]string{texts}
	}
	texts = texts[:min(mostPair, len(texts))]
	for i := range texts {
		for k := range texts {
			if i != k {
				all = append(all, []string{texts[i], texts[k]})
			}
		}
	}
	return all
}

// spokenOf returns the names of a road one by one, and two together in their order.
func spokenOf(names []guidance.Name) (all [][]guidance.Name) {
	list := slices.Clone(names[:min(mostPair, len(names))])
	for i := range list {
		list[i].Text = strings.Clone(list[i].Text)
	}
	for i := range list {
		all = append(all, list[i:i+1])
		for k := i + 1; k < len(list); k++ {
			all = append(all, []guidance.Name{list[i], list[k]})
		}
	}
	return all
}

func keyOf(names []guidance.Name) string {
	key := ""
	for _, n := range names {
		key += n.Text + "\x00"
	}
	return key
}
