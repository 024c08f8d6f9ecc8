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
)

// Of returns the phrases of the roads of a region in a folder, as Phrases and Roads do.
func Of(dir, language string, miles bool, most int) (phrases iter.Seq[string], err error) {
	l, asked := narrate.Find(language)
	if !asked {
		return nil, fmt.Errorf("the narration has no language %s; it has %s", language, strings.Join(narrate.Languages(), ", "))
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
	return Phrases(l, miles, Roads(g, most)), nil
}

// named is how many names of a road are spoken.
const named = 2

// Roads returns the names that roads of a graph are spoken of with, one or two together, those of
// the longest roads first: of the roads that motor traffic may use, at most so many, 0 for all.
func Roads(g *graph.Graph, most int) [][]guidance.Name {
	type road struct {
		names  []guidance.Name
		metres float64
	}
	all := map[string]*road{}
	for s := range g.BySegment {
		r := &g.BySegment[s]
		if r.Name == 0 || r.Use >= graph.Cycleway {
			continue
		}
		list := parts(g.Attribute(r.Name, "name"), false)
		if refs := parts(g.Attribute(r.Name, "ref"), true); r.Class <= graph.Trunk {
			list = append(refs, list...)
		} else {
			list = append(list, refs...)
		}
		if len(list) == 0 {
			continue
		}
		together := list[:min(named, len(list))]
		for _, names := range append([][]guidance.Name{together}, singles(list)...) {
			key := ""
			for _, n := range names {
				key += n.Text + "\x00"
			}
			if all[key] == nil {
				all[key] = &road{names: names}
			}
			all[key].metres += float64(r.Length)
		}
	}
	roads := make([]*road, 0, len(all))
	for _, r := range all {
		roads = append(roads, r)
	}
	slices.SortFunc(roads, func(a, b *road) int {
		return cmp.Or(cmp.Compare(b.metres, a.metres), slices.CompareFunc(a.names, b.names, func(x, y guidance.Name) int { return cmp.Compare(x.Text, y.Text) }))
	})
	if most > 0 && len(roads) > most {
		roads = roads[:most]
	}
	names := make([][]guidance.Name, len(roads))
	for i, r := range roads {
		names[i] = r.names
	}
	return names
}

// singles are the names one by one.
func singles(list []guidance.Name) (all [][]guidance.Name) {
	if len(list) < 2 {
		return nil
	}
	for i := range list[:named] {
		all = append(all, list[i:i+1])
	}
	return all
}

// parts are the names of a value, which semicolons separate.
func parts(value string, ref bool) (list []guidance.Name) {
	for part := range strings.SplitSeq(value, ";") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, guidance.Name{Text: part, Ref: ref})
		}
	}
	return list
}
