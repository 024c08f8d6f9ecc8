package network

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/road/graph"
)

// joined writes links as they are written in OSM, one by one.
func joined(links []graph.LaneLink) string {
	var out []string
	for _, l := range links {
		format := "%d:%d"
		if l.Optional != 0 {
			format = "%d:(%d)"
		}
		out = append(out, fmt.Sprintf(format, l.From, l.To))
	}
	return strings.Join(out, " ")
}

func TestParseConnectivity(t *testing.T) {
	for value, want := range map[string]string{
		"1:1":                          "1:1",
		"1:1|2:2,3|3:4":                "1:1 2:2 2:3 3:4",
		"1:1|2:2,(3)":                  "1:1 2:2 2:(3)",
		"1:1|(2):2,3":                  "1:1 2:(2) 2:(3)",
		"1:1|(2:2,3)":                  "1:1 2:(2) 2:(3)",
		" 1 : 1 , ( 2 ) | 2:3 ":        "1:1 1:(2) 2:3",
		"1,2:1":                        "1:1 2:1",
		"1:1||2:2|":                    "1:1 2:2",
		"1:1|2:":                       "1:1",
		"bw:1|1:2":                     "1:2",
		"1:bw|2:1":                     "2:1",
		"16:16":                        "16:16",
		"":                             "",
		"|":                            "",
		"1":                            "",
		"1:":                           "",
		"bw:1":                         "",
		"0:1":                          "",
		"1:17":                         "",
		"1:1|2":                        "",
		"1:1|left:2":                   "",
		"1:1|2:-2":                     "",
		"1:+1":                         "",
		"1:1|2:2,":                     "",
		"1:1|:2":                       "",
		"1:1|2:(2":                     "",
		"1:1|2:()":                     "",
		"1:1|2:((2))":                  "",
		"1:1;2:2":                      "",
		"1:1:1":                        "",
		"01:1":                         "",
		"99999999999999999999999999:1": "",
	} {
		links, ok := parseConnectivity(value)
		if got := joined(links); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %t; want %q", value, got, ok, want)
		}
	}
}

// FuzzParseConnectivity: what is read are lanes that can be, and reading them
// again as written gives the same.
func FuzzParseConnectivity(f *testing.F) {
	for _, seed := range []string{"1:1|2:2,(3)|(3):4", "bw:1|1:bw", "(1:1,2)", "1:1|2:", "|", "16:16|17:1", "1:1;2:2", ": ,:(", "(1)(2):3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		links, ok := parseConnectivity(value)
		if !ok {
			return
		}
		if len(links) == 0 {
			t.Fatalf("%q is read as nothing", value)
		}
		for _, l := range links {
			if l.From < 1 || l.From > graph.MaxLanes || l.To < 1 || l.To > graph.MaxLanes || l.Optional > 1 {
				t.Fatalf("%q joins %+v", value, l)
			}
		}
		again, ok := parseConnectivity(strings.ReplaceAll(joined(links), " ", "|"))
		if !ok || joined(again) != joined(links) {
			t.Errorf("%q: %s read again is %s", value, joined(links), joined(again))
		}
	})
}

// connections lists an edge's connections: the edges they lead over and the
// lanes they join.
func (m made) connections(from string) string {
	var out []string
	name := func(e graph.Edge) string {
		return fmt.Sprintf("%c%c", m.g.NodeID[m.g.ByEdge[e].Tail], m.g.NodeID[m.g.ByEdge[e].Head])
	}
	for _, c := range m.g.ConnectionsFrom(m.edge(from)) {
		s := ""
		for _, v := range m.g.ViasOf(&c) {
			s += name(v) + " "
		}
		out = append(out, s+name(c.To)+" "+joined(m.g.LinksOf(&c)))
	}
	return strings.Join(out, "; ")
}

func TestConnectivity(t *testing.T) {
	const two = "connectivity=1:1|2:(2)"
	for _, c := range []struct {
		what    string
		members string
		tags    string
		draw    func(s *sketch)
		from    string // an edge, "nc" where empty
		want    string
		count   string // that is 1
	}{
		{what: "over a node", members: "1 from, c via, 2 to", tags: two, want: "ce 1:1 2:(2)", count: "connectivity"},
		{what: "not the other way", members: "1 from, c via, 2 to", tags: two, from: "ec", count: "connectivity"},
		{what: "against the way's drawing", members: "2 from, c via, 1 to", tags: two, from: "ec", want: "cn 1:1 2:(2)", count: "connectivity"},
		{what: "turning round", members: "1 from, c via, 1 to", tags: "connectivity=1:1", want: "cn 1:1", count: "connectivity"},
		{what: "over a way", members: "1 from, 2 via, 5 to", tags: two, want: "ce ex 1:1 2:(2)", count: "connectivity_via_way"},
		{
			what: "over a way of two pieces", members: "4 from, 2 via, 6 to", tags: two, from: "wc", want: "ce ex xq 1:1 2:(2)", count: "connectivity_via_way",
			draw: func(s *sketch) {
				s.node('q', 3, 1, "")
				s.Ways[1].Nodes = append(s.Ways[1].Nodes, 'x')
				s.Ways[5].Nodes = s.Ways[5].Nodes[:0]
				s.Ways[5].Nodes = append(s.Ways[5].Nodes, 'x', 'q')
			},
		},
		{what: "no way over", members: "1 from, 5 via, 6 to", tags: two, count: "dropped_connectivity_unconnected"},
		{what: "not where they meet", members: "1 from, e via, 2 to", tags: two, count: "dropped_connectivity_unconnected"},
		{what: "a node that is missing", members: "1 from, ? via, 2 to", tags: two, count: "dropped_connectivity_unconnected"},
		{what: "a way that is missing", members: "1 from, c via, 99 to", tags: two, count: "dropped_connectivity_unconnected"},
		{
			what: "against a one-way road", members: "1 from, c via, 2 to", tags: two, count: "dropped_connectivity_unconnected",
			draw: func(s *sketch) { s.Ways[1].Tags = tagged("highway=residential, oneway=-1") },
		},
		{
			what: "a way through its middle, both ways open", members: "1 from, c via, 2 to", tags: two, count: "dropped_connectivity_ambiguous",
			draw: func(s *sketch) { s.Ways[0].Nodes = append(s.Ways[0].Nodes, 's'); s.Ways[2].Nodes = s.Ways[2].Nodes[:1] },
		},
		{
			what: "a one-way road through its middle", members: "1 from, c via, 2 to", tags: two, want: "ce 1:1 2:(2)", count: "connectivity",
			draw: func(s *sketch) {
				s.Ways[0].Nodes = append(s.Ways[0].Nodes, 's')
				s.Ways[0].Tags = tagged("highway=residential, oneway=yes")
				s.Ways[2].Nodes = s.Ways[2].Nodes[:1]
			},
		},
		{what: "from two ways", members: "1 from, 3 from, c via, 2 to", tags: two, count: "dropped_connectivity_incomplete"},
		{what: "over nothing", members: "1 from, 2 to", tags: two, count: "dropped_connectivity_incomplete"},
		{what: "over a node and a way", members: "1 from, c via, 2 via, 5 to", tags: two, count: "dropped_connectivity_incomplete"},
		{what: "to nothing", members: "1 from, c via", tags: two, count: "dropped_connectivity_incomplete"},
		{what: "no value", members: "1 from, c via, 2 to", tags: "note=x", count: "dropped_connectivity_unreadable"},
		{what: "a value that says nothing", members: "1 from, c via, 2 to", tags: "connectivity=left", count: "dropped_connectivity_unreadable"},
		{
			what: "mapped twice", members: "1 from, c via, 2 to", tags: two, want: "ce 1:1 2:2", count: "nodes",
			draw: func(s *sketch) { s.rule(2, "1 from, c via, 2 to", "type=connectivity, connectivity=2:2") },
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := crossroads()
			if c.draw != nil {
				c.draw(s)
			}
			s.rule(1, c.members, "type=connectivity, "+c.tags)
			m := s.build(t)
			from := c.from
			if from == "" {
				from = "nc"
			}
			if c.want != "" || c.from != "" {
				if got := m.connections(from); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			} else if len(m.g.Connections) != 0 {
				t.Errorf("connections %+v, want none", m.g.Connections)
			}
			if c.count != "nodes" && m.counts[c.count] != 1 {
				t.Errorf("counts %v, want 1 %s", m.counts, c.count)
			}
		})
	}
}

func TestExitTo(t *testing.T) {
	for value, want := range map[string][2]string{
		"":                           {},
		"Baltimore":                  {"", "Baltimore"},
		"I 795 South toward Towson":  {"I 795 South", "Towson"},
		"I 95 to I 695;Dundalk":      {"I 95", "I 695;Dundalk"},
		"US 11;To I 81; Toward York": {"", "US 11;I 81;York"},
	} {
		if branch, toward := exitTo(value); branch != want[0] || toward != want[1] {
			t.Errorf("%q leads onto %q towards %q, want %q", value, branch, toward, want)
		}
	}
}
