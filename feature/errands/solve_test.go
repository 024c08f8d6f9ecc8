package errands

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/hours"
)

// draw returns a problem with some drives missing and some places shut at times.
func draw(rnd *rand.Rand, errands, choices int) *problem {
	p := &problem{deadline: int64(rnd.IntN(6000))}
	n := 0
	for range errands {
		p.dwell = append(p.dwell, int64(rnd.IntN(10)*60))
		var list []int
		for range rnd.IntN(choices + 1) {
			list = append(list, n)
			n++
		}
		p.choices = append(p.choices, list)
	}
	for i := range n + 1 {
		p.drive = append(p.drive, make([]drive, n+1))
		for k := range p.drive[i] {
			if p.drive[i][k] = (drive{millis: int64(rnd.IntN(1200))}); rnd.IntN(8) == 0 {
				p.drive[i][k].millis = -1
			}
		}
	}
	openings := make([]opening, n)
	for i := range openings {
		for at := int64(0); rnd.IntN(4) > 0; at += int64(1 + rnd.IntN(2000)) {
			openings[i].starts = append(openings[i].starts, at)
			openings[i].states = append(openings[i].states, []hours.State{hours.Closed, hours.Open, hours.Open, hours.Unknown}[rnd.IntN(4)])
		}
	}
	p.during = func(c int, from, to int64) hours.State { return openings[c].during(from, to) }
	return p
}

// TestDuring asks second by second.
func TestDuring(t *testing.T) {
	o := &opening{starts: []int64{0, 10, 20, 30, 40}, states: []hours.State{hours.Open, hours.Unknown, hours.Open, hours.Closed, hours.Open}}
	for from := range int64(50) {
		for to := from; to < 50; to++ {
			want := o.states[min(from/10, 4)]
			for s := from; s < to; s++ {
				if state := o.states[min(s/10, 4)]; state == hours.Closed || state == hours.Unknown && want == hours.Open {
					want = state
				}
			}
			if got := o.during(from, to); got != want {
				t.Fatalf("from %d to %d: %d, want %d", from, to, got, want)
			}
			if shut := o.shut(from, to); shut != (from >= 30 && to <= 40 && from < 40) {
				t.Fatalf("from %d to %d: shut throughout is %v", from, to, shut)
			}
		}
	}
	if new(opening).during(0, 9) != hours.Unknown || new(opening).shut(0, 9) {
		t.Error("without a tag something is known")
	}
}

// slow goes through all chains of stops that there are, one errand after the other, and
// returns the best of each set of errands.
func slow(p *problem, deadline int64, heedless bool) map[uint]solution {
	best := map[uint]solution{}
	var visits []visit
	var walk func(set uint)
	walk = func(set uint) {
		place, now, unknown, ok := 0, int64(0), 0, true
		for _, v := range visits {
			d := p.drive[place][v.candidate].millis
			if d < 0 {
				ok = false
				break
			}
			now += d
			if state := p.during(v.candidate, now, now+p.dwell[v.errand]); !heedless {
				ok = ok && state != hours.Closed
				if state == hours.Unknown {
					unknown++
				}
			}
			now += p.dwell[v.errand]
			place = v.candidate + 1
		}
		last := p.drive[place][len(p.drive)-1].millis
		now += last
		if had, some := best[set]; ok && last >= 0 && now <= deadline && (!some || now < had.arrive || now == had.arrive && unknown < had.unknown) {
			best[set] = solution{append([]visit(nil), visits...), now, unknown}
		}
		for e := range p.choices {
			for _, c := range p.choices[e] {
				if set>>e&1 == 0 {
					visits = append(visits, visit{e, c})
					walk(set | 1<<e)
					visits = visits[:len(visits)-1]
				}
			}
		}
	}
	walk(0)
	return best
}

// TestQuickestIsTheBestOfAll compares with the planner that tries everything.
func TestQuickestIsTheBestOfAll(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	found, none, late, partial := 0, 0, 0, 0
	for range 1500 {
		p := draw(rnd, 1+rnd.IntN(4), 3)
		whole := uint(1)<<len(p.choices) - 1
		for _, c := range []struct {
			deadline int64
			heedless bool
		}{{p.deadline, false}, {anyTime, false}, {anyTime, true}} {
			all := slow(p, c.deadline, c.heedless)
			for set := range whole + 1 {
				want, some := all[set]
				got, err := p.quickest(t.Context(), set, c.deadline, c.heedless)
				switch {
				case err != nil:
					t.Fatal(err)
				case (got != nil) != some:
					t.Fatalf("%+v: set %b: %v, want %v (%v)", p, set, got, want, some)
				case got == nil:
					none++
				case got.arrive != want.arrive || got.unknown != want.unknown || len(got.visits) != bits.OnesCount(set):
					t.Fatalf("%+v: set %b: %+v, want %+v", p, set, got, want)
				default:
					found++
				}
			}
		}
		inTime := slow(p, p.deadline, false)
		if _, all := inTime[whole]; all {
			continue
		}
		late++
		best, set, err := p.largest(t.Context(), whole)
		if err != nil {
			t.Fatal(err)
		}
		size := -1
		arrive := int64(0)
		for s, x := range inTime {
			if n := bits.OnesCount(s); n > size || n == size && x.arrive < arrive {
				size, arrive = n, x.arrive
			}
		}
		switch {
		case (best != nil) != (size >= 0):
			t.Fatalf("%+v: %v, and the most that can be done is %d errands", p, best, size)
		case best != nil && (bits.OnesCount(set) != size || best.arrive != arrive):
			t.Fatalf("%+v: set %b at %d, want %d errands at %d", p, set, best.arrive, size, arrive)
		case size > 0:
			partial++
		}
	}
	if found < 1000 || none < 1000 || late < 200 || partial < 100 {
		t.Errorf("%d found, %d not, %d late, %d done in part", found, none, late, partial)
	}
}

// Five errands of the most candidates are the largest problem there is.
func BenchmarkQuickest(b *testing.B) {
	rnd := rand.New(rand.NewPCG(3, 4))
	problems := make([]*problem, 50)
	for i := range problems {
		for p := draw(rnd, 5, 6); problems[i] == nil; p = draw(rnd, 5, 6) {
			full := 0
			for e := range p.choices {
				full += len(p.choices[e])
			}
			if full >= 22 && full <= MostCandidates {
				problems[i] = p
			}
		}
	}
	for i := 0; b.Loop(); i++ {
		if _, err := problems[i%len(problems)].quickest(b.Context(), 31, anyTime, i%2 == 0); err != nil {
			b.Fatal(err)
		}
	}
}
