package graph

import (
	"reflect"
	"testing"
)

func (d *draft) connect(link LaneLink, edges ...string) {
	c := LaneConnection{Links: []LaneLink{link}}
	for _, e := range edges {
		h, ok := d.edge[e]
		if !ok {
			panic("no edge " + e)
		}
		c.Path = append(c.Path, h)
	}
	d.b.Connect(c)
}

// Connections come out by the edge they leave, those of one path joined, each
// two lanes once.
func TestConnections(t *testing.T) {
	d := cross()
	d.connect(LaneLink{2, 2, 1}, "wc", "ce")
	d.connect(LaneLink{1, 1, 0}, "nc", "ce", "ex")
	d.connect(LaneLink{2, 2, 0}, "wc", "ce")
	d.connect(LaneLink{1, 2, 1}, "wc", "ce")
	d.connect(LaneLink{3, 1, 0}, "wc", "cs")
	x := d.build(t)
	g := x.g
	type link struct {
		via, to string
		links   []LaneLink
	}
	for from, want := range map[string]map[string]link{
		"wc": {"ce": {"", "ce", []LaneLink{{1, 2, 1}, {2, 2, 0}}}, "cs": {"", "cs", []LaneLink{{3, 1, 0}}}},
		"nc": {"ex": {"ce", "ex", []LaneLink{{1, 1, 0}}}},
		"sc": {},
	} {
		got := map[string]link{}
		for _, c := range g.ConnectionsFrom(x.edge[from]) {
			one := link{"", x.name[c.To], g.LinksOf(&c)}
			for _, v := range g.ViasOf(&c) {
				one.via += x.name[v]
			}
			got[one.to] = one
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("from %s: %v, want %v", from, got, want)
		}
	}
	if got := NewBuilder().Build().ConnectionsFrom(0); got != nil {
		t.Errorf("an empty graph has the connections %v", got)
	}
}
