package graph

import (
	"slices"
	"strings"
	"testing"
)

// walk follows edges from the first, over copies where the graph says so, and
// reports whether no turn on the way is forbidden to cars.
func (x built) walk(t *testing.T, edges ...string) bool {
	t.Helper()
	at := x.edge[edges[0]]
	for _, name := range edges[1:] {
		to, ok := x.edge[name]
		if !ok || x.g.ByEdge[to].Tail != x.g.ByEdge[at].Head {
			t.Fatalf("%v: no way on to %s", edges, name)
		}
		next := to
		for _, turn := range x.g.TurnsFrom(at) {
			if turn.To != to {
				continue
			}
			if turn.Replace != None {
				next = turn.Replace
			} else if turn.Modes&Auto != 0 {
				return false
			}
		}
		at = next
	}
	return true
}

func TestTurns(t *testing.T) {
	for _, c := range []struct {
		what          string
		bans          func(d *draft)
		free, blocked []string // walks
		copies        int
	}{
		{
			what: "no restriction", bans: func(*draft) {},
			free: []string{"nc ce ex", "nc cn"},
		},
		{
			what: "no left turn", bans: func(d *draft) { d.ban(false, "nc", "ce") },
			free: []string{"nc cs", "nc cw", "sc ce", "ec cn"}, blocked: []string{"nc ce", "nc ce ex"},
		},
		{
			what: "only straight on", bans: func(d *draft) { d.ban(true, "nc", "cs") },
			free: []string{"nc cs", "wc cn"}, blocked: []string{"nc ce", "nc cw", "nc cn"},
		},
		{
			what: "over one way", bans: func(d *draft) { d.ban(false, "nc", "ce", "ex") },
			free: []string{"nc ce ey", "sc ce ex", "wc ce ex", "nc ce ec cn"}, blocked: []string{"nc ce ex", "xe ec cn nc ce ex"}, copies: 1,
		},
		{
			what: "only over one way", bans: func(d *draft) { d.ban(true, "nc", "ce", "ey") },
			free: []string{"nc ce ey", "sc ce ex", "nc cw"}, blocked: []string{"nc ce ex", "nc ce ec"}, copies: 1,
		},
		{
			what: "two that share their middle", bans: func(d *draft) {
				d.ban(false, "nc", "ce", "ex")
				d.ban(false, "sc", "ce", "ey")
			},
			free: []string{"nc ce ey", "sc ce ex", "wc ce ex", "wc ce ey"}, blocked: []string{"nc ce ex", "sc ce ey"}, copies: 2,
		},
		{
			what: "two that share their beginning", bans: func(d *draft) {
				d.ban(false, "nc", "ce", "ex")
				d.ban(false, "nc", "ce", "ey")
			},
			free: []string{"nc ce ec", "sc ce ex"}, blocked: []string{"nc ce ex", "nc ce ey"}, copies: 1,
		},
		{
			what: "a long one and a short one inside it", bans: func(d *draft) {
				d.ban(false, "wc", "cn", "nc", "ce", "ey")
				d.ban(false, "nc", "ce", "ex")
			},
			free: []string{"nc ce ey", "wc ce ey", "wc ce ex", "wc cn nc ce ec"}, blocked: []string{"nc ce ex", "wc cn nc ce ex", "wc cn nc ce ey"}, copies: 4,
		},
		{
			what: "one that begins in the middle of another", bans: func(d *draft) {
				d.ban(false, "wc", "ce", "ex")
				d.ban(false, "ce", "ex", "xe")
			},
			free: []string{"ce ey ye", "wc ce ey"}, blocked: []string{"wc ce ex", "ce ex xe", "nc ce ex xe"}, copies: 2,
		},
		{
			what: "a plain one at the end of a long one", bans: func(d *draft) {
				d.ban(false, "nc", "ce", "ex")
				d.ban(false, "ce", "ey")
			},
			free: []string{"nc ce ec", "sc ce ex"}, blocked: []string{"nc ce ex", "nc ce ey", "wc ce ey"}, copies: 1,
		},
		{
			what: "the same one twice", bans: func(d *draft) {
				d.ban(false, "nc", "ce", "ex")
				d.ban(false, "nc", "ce", "ex")
			},
			free: []string{"nc ce ey"}, blocked: []string{"nc ce ex"}, copies: 1,
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			d := cross()
			c.bans(d)
			x := d.build(t)
			for _, w := range c.free {
				if !x.walk(t, strings.Fields(w)...) {
					t.Errorf("%s is blocked", w)
				}
			}
			for _, w := range c.blocked {
				if x.walk(t, strings.Fields(w)...) {
					t.Errorf("%s is free", w)
				}
			}
			if got := x.g.Edges() - int(x.g.Base); got != c.copies {
				t.Errorf("%d copies, want %d", got, c.copies)
			}
			for i := range x.g.CopyOf {
				e := x.g.Base + Edge(i)
				n := x.g.ByEdge[e].Head
				if !slices.Contains(x.g.Copies[x.g.CopyAt[n]:x.g.CopyAt[n+1]], e) {
					t.Errorf("copy %d is not listed at its head", e)
				}
			}
		})
	}
}

func TestTimedTurn(t *testing.T) {
	d := cross()
	set := d.b.Set("id", "7", "condition", "Mo-Fr")
	d.b.Restrict(Restriction{Path: []DirectedSegment{d.edge["nc"], d.edge["ce"]}, Modes: Truck, Timed: true, Set: set})
	x := d.build(t)
	turns := x.g.TurnsFrom(x.edge["nc"])
	if want := (Turn{From: x.edge["nc"], To: x.edge["ce"], Replace: None, Modes: Truck, When: AtTimes, Set: set}); len(turns) != 1 || turns[0] != want {
		t.Fatalf("turns %v, want %v", turns, want)
	}
	if x.g.Attribute(turns[0].Set, "condition") != "Mo-Fr" {
		t.Error("the condition is lost")
	}
	if x.g.TurnsFrom(x.edge["ce"]) != nil {
		t.Error("turns where there are none")
	}
}
