package build

import "testing"

// TestOverlooked draws a road of two lanes alone, in pieces, with another carriageway, a side road
// and a bend: only on a straight road without others near is a scanner known to have been close.
func TestOverlooked(t *testing.T) {
	road := func(ax, ay, bx, by float64) Road { return Road{AX: ax, AY: ay, BX: bx, BY: by, Half: 3.5, Lanes: 2} }
	straight := []Road{road(-200, 0, -20, 0), road(-20, 0, 15, 0.5), road(15, 0.5, 300, 4)}
	for name, c := range map[string]struct {
		others []Road
		want   bool
	}{
		"alone":                {nil, false},
		"carriageway at 18 m":  {[]Road{road(300, 18, -200, 18)}, true},
		"carriageway at 120 m": {[]Road{road(300, 120, -200, 120)}, false},
		"side road":            {[]Road{road(15, 0.5, 20, 80)}, true},
		"side road at 120 m":   {[]Road{road(120, 1, 120, 80)}, false},
		"bend":                 {[]Road{road(15, 0.5, 45, 30)}, true},
	} {
		o := Defaults()
		b := &builder{o: &o, parts: map[partKey]*part{}, roads: append(straight[:len(straight):len(straight)], c.others...)}
		k := partKey{0, 0}
		b.parts[k] = &part{roads: []int32{1, 2}}
		b.findWide()
		if got := b.overlooked(k); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
