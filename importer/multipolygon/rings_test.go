package multipolygon

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"
)

// gridNode returns a node id for a place on a small grid, gridPoint its position.
func gridNode(x, y int) int64 { return int64(y*1000 + x + 1) }

func gridPoint(id int64) (orb.Point, bool) {
	return orb.Point{float64((id - 1) % 1000), float64((id - 1) / 1000)}, true
}

func square(x0, y0, x1, y1 int) []int64 {
	return []int64{gridNode(x0, y0), gridNode(x1, y0), gridNode(x1, y1), gridNode(x0, y1), gridNode(x0, y0)}
}

func open(xy ...int) []int64 {
	var out []int64
	for i := 0; i < len(xy); i += 2 {
		out = append(out, gridNode(xy[i], xy[i+1]))
	}
	return out
}

func TestAssemble(t *testing.T) {
	for _, c := range []struct {
		name    string
		members []Member
		shape   string // rings of each polygon
		area    float64
		broken  int
	}{
		{"one ring", []Member{{Nodes: square(0, 0, 10, 10)}}, "[1]", 100, 0},
		{"two halves, one backwards", []Member{{Nodes: open(0, 0, 10, 0, 10, 10)}, {Nodes: open(0, 0, 0, 10, 10, 10)}}, "[1]", 100, 0},
		{"a hole", []Member{{Nodes: square(0, 0, 10, 10)}, {square(2, 2, 4, 4), true}}, "[2]", 96, 0},
		{"roles the wrong way round", []Member{{square(0, 0, 10, 10), true}, {Nodes: square(2, 2, 4, 4)}}, "[2]", 96, 0},
		{"an island in a lake in an island", []Member{{Nodes: square(0, 0, 20, 20)}, {square(2, 2, 18, 18), true}, {Nodes: square(4, 4, 8, 8)}}, "[2 1]", 400 - 256 + 16, 0},
		{"holes that share a side", []Member{{Nodes: square(0, 0, 10, 10)}, {square(2, 2, 4, 4), true}, {square(4, 2, 6, 4), true}}, "[2]", 92, 0},
		{"holes that touch in a point", []Member{{Nodes: square(0, 0, 10, 10)}, {square(2, 2, 4, 4), true}, {square(4, 4, 6, 6), true}}, "[3]", 92, 0},
		{"a hole that touches the outline", []Member{{Nodes: square(0, 0, 10, 10)}, {open(0, 0, 4, 2, 4, 4, 0, 0), true}}, "[2]", 96, 0},
		{"outer rings that meet in a point", []Member{{Nodes: square(0, 0, 4, 4)}, {Nodes: square(4, 4, 8, 8)}}, "[1 1]", 32, 0},
		{"an eight in one way", []Member{{Nodes: open(0, 0, 4, 0, 4, 4, 8, 4, 8, 8, 4, 8, 4, 4, 0, 4, 0, 0)}}, "[1 1]", 32, 0},
		{"not closed", []Member{{Nodes: open(0, 0, 10, 0, 10, 10)}}, "[]", 0, 1},
		{"outer not closed, hole left", []Member{{Nodes: open(0, 0, 10, 0, 10, 10)}, {square(2, 2, 4, 4), true}}, "[]", 0, 1},
		{"a spike", []Member{{Nodes: open(0, 0, 10, 0, 10, 10, 0, 10, 0, 0)}, {Nodes: open(10, 10, 15, 15)}}, "[1]", 100, 1},
		{"nothing", nil, "[]", 0, 0},
		{"the same way twice", []Member{{Nodes: square(0, 0, 4, 4)}, {Nodes: square(0, 0, 4, 4)}}, "[]", 0, 0},
	} {
		areas, broken := Assemble(nil, c.members, gridPoint, 0)
		shape := []int{}
		for _, p := range areas {
			shape = append(shape, len(p))
		}
		if fmt.Sprint(shape) != c.shape || broken != c.broken || Area(areas) != c.area {
			t.Errorf("%s: rings %v, area %v, broken %d; want %s, %v, %d", c.name, shape, Area(areas), broken, c.shape, c.area, c.broken)
		}
	}
}

// Squares nested at random, cut into ways at random, give the area that the
// even-odd rule gives.
func TestAssembleFollowsTheEvenOddRule(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 9))
		var squares [][4]int
		var nest func(x0, y0, x1, y1, depth int)
		nest = func(x0, y0, x1, y1, depth int) {
			if x1-x0 < 4 || y1-y0 < 4 || depth > 4 {
				return
			}
			squares = append(squares, [4]int{x0, y0, x1, y1})
			mid := x0 + 1 + rng.IntN(x1-x0-2)
			nest(x0+1, y0+1, mid, y1-1, depth+1)
			nest(mid+1, y0+1, x1-1, y1-1, depth+1)
		}
		nest(0, 0, 30+rng.IntN(100), 20+rng.IntN(30), 0)
		var members []Member
		for _, s := range squares {
			nodes := square(s[0], s[1], s[2], s[3])
			cut := 1 + rng.IntN(3)
			for _, part := range [][]int64{nodes[:cut+1], nodes[cut:]} {
				if rng.IntN(2) == 0 {
					part = slices.Clone(part)
					slices.Reverse(part)
				}
				members = append(members, Member{part, rng.IntN(2) == 0})
			}
		}
		rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		areas, broken := Assemble(nil, members, gridPoint, 0)
		if broken != 0 {
			t.Fatalf("seed %d: %d broken", seed, broken)
		}
		for range 200 {
			p := orb.Point{rng.Float64() * 130, rng.Float64() * 50}
			want := false
			for _, s := range squares {
				if p[0] > float64(s[0]) && p[0] < float64(s[2]) && p[1] > float64(s[1]) && p[1] < float64(s[3]) {
					want = !want
				}
			}
			if got := inAreas(areas, p); got != want {
				t.Fatalf("seed %d: at %v inside is %v, want %v", seed, p, got, want)
			}
		}
	}
}

func FuzzAssemble(f *testing.F) {
	f.Add([]byte{1, 2, 3, 1, 0, 4, 5, 6, 4})
	f.Add([]byte{1, 2, 3, 4, 1, 3, 2, 4, 0, 9, 9, 8, 7, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		var members []Member
		m := Member{}
		for _, c := range b {
			if c == 0 {
				members = append(members, m)
				m = Member{Inner: len(members)%2 == 1}
				continue
			}
			m.Nodes = append(m.Nodes, gridNode(int(c%16), int(c/16)))
		}
		areas, _ := Assemble(nil, append(members, m), gridPoint, 0)
		for _, p := range areas {
			for _, r := range p {
				if len(r) < 4 || r[0] != r[len(r)-1] {
					t.Fatalf("ring %v is not closed", r)
				}
			}
		}
	})
}

// Rings that lie in one another's boxes by the thousand are given up, and with
// an ended context at once.
func TestEffort(t *testing.T) {
	e := &Effort{ctx: context.Background(), left: 100, next: 100}
	if !e.Spend(60) || e.Spend(60) || e.Spend(0) {
		t.Error("an effort of 100 does not end at 100")
	}
	ctx, cancel := context.WithCancel(t.Context())
	e = NewEffort(ctx)
	if !e.Spend(1) {
		t.Error("an effort ends at once")
	}
	cancel()
	if e.Spend(2 * effortBetween) {
		t.Error("an effort goes on after its context")
	}
	var combs []ring // each goes round the gaps of the others
	for i := range 50 {
		x := float64(i)
		points := orb.Ring{{x, 0}, {x + 0.5, 0}, {x + 0.5, 100}, {200 - x, 100}, {200 - x, 0}, {200.5 - x, 0}, {200.5 - x, 101}, {x, 101}, {x, 0}}
		combs = append(combs, ring{points: points, bound: points.Bound(), area: 1000 - x})
	}
	if _, ok := nest(&Effort{ctx: t.Context(), left: 1000, next: 1000}, combs, 0, false); ok {
		t.Error("combs are sorted out with an effort of 1000")
	}
	if areas, ok := nest(NewEffort(t.Context()), combs, 0, false); !ok || len(areas) == 0 {
		t.Error("combs are not sorted out")
	}
}

func inAreas(areas orb.MultiPolygon, p orb.Point) bool {
	in := false
	for _, polygon := range areas {
		for _, r := range polygon {
			in = in != InRing(r, p)
		}
	}
	return in
}
