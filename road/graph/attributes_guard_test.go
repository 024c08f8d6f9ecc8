package graph

import (
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAttributesAreAMap compares sets of attributes with maps of the same keys and values.
func TestAttributesAreAMap(t *testing.T) {
	keys := []string{"name", "ref", "name:cy", "destination", "a;b", ""}
	rapid.Check(t, func(t *rapid.T) {
		b := NewBuilder()
		var sets []Set
		var all []map[string]string
		for range rapid.IntRange(1, 5).Draw(t, "sets") {
			of := map[string]string{}
			var pairs []string
			for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 4, rapid.ID).Draw(t, "keys") {
				v := rapid.SampledFrom([]string{"x", "y;z", "A1", ";", "Llwybr"}).Draw(t, "value")
				of[k] = v
				pairs = append(pairs, k, v)
			}
			sets, all = append(sets, b.Set(pairs...)), append(all, of)
		}
		g := b.Build()
		number := map[string]Text{}
		for i, set := range sets {
			got := map[string]string{}
			for k, v := range func(yield func(k, v string) bool) { g.Attributes(set, yield) } {
				got[k] = v
			}
			if !maps.Equal(got, all[i]) {
				t.Fatalf("%q is read as %q", all[i], got)
			}
			for _, k := range keys {
				if v := g.Attribute(set, k); v != all[i][k] {
					t.Fatalf("%q of %q is %q", k, all[i], v)
				}
			}
			for k, key := range map[string]Text{"name": NameKey, "ref": RefKey} {
				v := g.Value(set, key)
				if g.String(v) != all[i][k] {
					t.Fatalf("the number of %s of %q is that of %q", k, all[i], g.String(v))
				}
				if n, seen := number[g.String(v)]; seen && n != v {
					t.Fatalf("%q has the numbers %d and %d", g.String(v), n, v)
				}
				number[g.String(v)] = v
			}
			if want := strings.Contains(all[i]["name"], ";") || strings.Contains(all[i]["ref"], ";"); g.Several(set) != want {
				t.Fatalf("%q has several parts: %v", all[i], !want)
			}
			n := 0
			g.Attributes(set, func(string, string) bool { n++; return false })
			if n != min(1, len(all[i])) {
				t.Fatalf("%d attributes after the end", n)
			}
		}
	})
}
