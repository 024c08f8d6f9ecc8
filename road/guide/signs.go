package guide

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// exitSigned reports whether exit signs stand where hop k begins: where a slip
// road begins, but not where it only continues, or where a road forks.
func (l *leg) exitSigned(k int) bool {
	g, h := l.g, &l.hops[k]
	if g.ByEdge[h.edge].Attributes == 0 || !isSlip(h.use) && g.ByNode[h.node].Flags&graph.MotorwayJunction == 0 || !signed(g, g.ByEdge[h.edge].Attributes) {
		return false
	}
	all, links, out := slips(g, h.node)
	if h.use == graph.Ramp {
		return links != 2 || out != 1
	}
	return all > 2 && out > 1 && forkNode(g, h.node)
}

// signed reports whether an attribute set has anything that stands on a sign.
func signed(g *graph.Graph, set graph.Set) bool {
	for _, k := range [...]string{"destination", "destination:ref", "destination:street", "junction:ref", "junction:name"} {
		if g.Attribute(set, k) != "" {
			return true
		}
	}
	return false
}

// SignOf reads the sign of an edge's attribute set; it is empty where the set has none.
func SignOf(g *graph.Graph, set graph.Set) guidance.Sign {
	if set == 0 {
		return guidance.Sign{}
	}
	at := func(keys ...string) []string {
		var all []string
		for _, k := range keys {
			all = append(all, split(g.Attribute(set, k))...)
		}
		return all
	}
	return guidance.Sign{
		Number: at("junction:ref"),
		Branch: at("destination:ref", "destination:street"),
		Toward: at("destination", "destination:ref:to", "destination:street:to"),
		Name:   at("junction:name"),
	}
}

// split cuts a value into its parts, which semicolons separate.
func split(s string) []string {
	if s == "" {
		return nil
	}
	var out []string
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ';' || r == '|' }) { // some write it by lanes
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// readSigns reads the candidates' signs and sorts the texts of each by on how
// many of the signs in a row they stand, so that what a traveller follows
// longest comes first.
func readSigns(l *leg, list []*candidate) []*candidate {
	for i := range list {
		d := list[i]
		if set := signSetOf(l, d); set != 0 {
			d.sign = SignOf(l.g, set)
		}
	}
	for i := len(list) - 2; i >= 0; i-- {
		d, n := list[i], list[i+1]
		s, after := &d.sign, &n.sign
		switch {
		case s.Empty():
		case after.Empty() && len(s.Branch) > 0:
			for j, text := range s.Branch {
				if contains(n.names, text) {
					countsOf(&rowsOf(s).Branch, len(s.Branch))[j]++
				}
			}
			if s.Counts != nil {
				sortByCount(s.Branch, s.Counts.Branch)
			}
		case repeats(s, after):
			r, a := rowsOf(s), rowsOf(after)
			countRepeated(s.Number, &r.Number, after.Number, &a.Number)
			countRepeated(s.Branch, &r.Branch, after.Branch, &a.Branch)
			countRepeated(s.Toward, &r.Toward, after.Toward, &a.Toward)
			countRepeated(s.Name, &r.Name, after.Name, &a.Name)
		}
	}
	return list
}

func rowsOf(s *guidance.Sign) *guidance.SignCounts {
	if s.Counts == nil {
		s.Counts = &guidance.SignCounts{}
	}
	return s.Counts
}

// repeats reports whether two signs have anything in common.
func repeats(a, b *guidance.Sign) bool {
	some := func(x, y []string) bool {
		return slices.ContainsFunc(x, func(t string) bool { return slices.Contains(y, t) })
	}
	return some(a.Number, b.Number) || some(a.Branch, b.Branch) || some(a.Toward, b.Toward) || some(a.Name, b.Name)
}

func countsOf(rows *[]int, n int) []int {
	if *rows == nil {
		*rows = make([]int, n)
	}
	return *rows
}

// countRepeated counts the texts of a sign that stand on the next one too.
func countRepeated(texts []string, rows *[]int, next []string, nextRows *[]int) {
	for i, t := range texts {
		if j := slices.Index(next, t); j >= 0 {
			n := countsOf(nextRows, len(next))
			n[j]++
			countsOf(rows, len(texts))[i] = n[j]
		}
	}
	sortByCount(texts, *rows)
	sortByCount(next, *nextRows)
}

// sortByCount sorts texts by their counts, the highest first.
func sortByCount(texts []string, rows []int) {
	for i := 1; i < len(rows); i++ {
		for j := i; j > 0 && rows[j-1] < rows[j]; j-- {
			rows[j-1], rows[j] = rows[j], rows[j-1]
			texts[j-1], texts[j] = texts[j], texts[j-1]
		}
	}
}

// signSetOf returns the attribute set of a candidate's signs. On a slip road they may
// stand a little after its start.
func signSetOf(l *leg, d *candidate) graph.Set {
	if d.signSet != 0 || !d.uses.has(graph.Ramp) {
		return d.signSet
	}
	for k := d.begin; k < d.end && l.use(k) == graph.Ramp; k++ {
		for i := l.hops[k].firstStep; i <= l.hops[k].lastStep; i++ {
			if set := l.g.ByEdge[l.path[i].Edge].Attributes; set != 0 && signed(l.g, set) {
				return set
			}
		}
	}
	return 0
}
