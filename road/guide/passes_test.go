package guide

import (
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide/sketch"
)

// legOf makes the leg of a path through a drawing, with its hops.
func legOf(d *sketch.Drawn, places string) *leg {
	path := d.Path(places)
	l := &leg{g: d.Graph, path: path, line: Shape(d.Graph, path), o: Options{Modes: graph.Auto}}
	l.lonScale = lonScaleAt(l.line.Points[0])
	l.collectHops()
	l.names.begin(l.g, &l.o, len(l.hops))
	return l
}

func namesOf(texts ...string) (list []guidance.Name) {
	for _, t := range texts {
		list = append(list, guidance.Name{Text: t, Ref: strings.HasPrefix(t, "A ")})
	}
	return list
}

func namesAsText(list []guidance.Name) string {
	var texts []string
	for _, n := range list {
		texts = append(texts, n.Text)
	}
	return strings.Join(texts, "; ")
}

// kindsOf lists the kinds of candidates.
func kindsOf(list []*candidate) (kinds []guidance.Type) {
	for _, d := range list {
		kinds = append(kinds, d.kind)
	}
	return kinds
}

// crossing is a road of two carriageways, which end at x and y, that another road crosses,
// and a side road from p. The edges between the carriageways are internal.
var crossing = sketch.Sketch{Picture: `
          n
          .
w........y  .
         .  .
e........x.......p......o
         .       .
         s       q`, Ways: []sketch.Way{
	{Places: "yw", Name: "Long Road", Oneway: true},
	{Places: "ex", Name: "Long Road", Oneway: true},
	{Places: "sx", Name: "Cross Street"},
	{Places: "xy", Name: "Cross Street", Edge: graph.Internal},
	{Places: "yn", Name: "Cross Street"},
	{Places: "xpo", Name: "Long Road"},
	{Places: "pq", Name: "Side Street"},
}}

func TestSplitAndCollapse(t *testing.T) {
	d := crossing.Draw()
	for _, c := range []struct {
		path         string
		split, after []guidance.Type
	}{
		{"xpo", []guidance.Type{guidance.Start}, []guidance.Type{guidance.Start}},
		{"xpq", []guidance.Type{guidance.Start, guidance.Right}, []guidance.Type{guidance.Start, guidance.Right}},
		// The internal edge has a candidate of its own without a kind, which the turn takes in.
		{"sxyw", []guidance.Type{guidance.Start, guidance.None, guidance.Left}, []guidance.Type{guidance.Start, guidance.Left}},
	} {
		l := legOf(d, c.path)
		var s splitter
		list := s.split(l)
		if got := kindsOf(list); !slices.Equal(got, c.split) {
			t.Errorf("%s is split into %v, want %v", c.path, got, c.split)
		}
		list = collapse(l, list)
		if got := kindsOf(list); !slices.Equal(got, c.after) {
			t.Errorf("%s collapses to %v, want %v", c.path, got, c.after)
		}
		at, metres := 0, 0.0
		for _, d := range list {
			if d.begin != at || d.end <= d.begin {
				t.Errorf("%s: a candidate has the hops %d to %d, want a begin of %d", c.path, d.begin, d.end, at)
			}
			at, metres = d.end, metres+d.metres
		}
		if want := l.path.Metres(l.g); at != len(l.hops) || metres < want-1e-6 || metres > want+1e-6 {
			t.Errorf("%s: the candidates cover %d hops of %d, %g m of %g", c.path, at, len(l.hops), metres, want)
		}
	}
}

func TestNameRoundabouts(t *testing.T) {
	ring := func(texts ...string) *candidate { return &candidate{flags: roundabout, names: namesOf(texts...)} }
	road := func(texts ...string) *candidate { return &candidate{names: namesOf(texts...)} }
	for _, c := range []struct {
		name string
		list []*candidate
		want string // the names of the second candidate
	}{
		{"a name of its own", []*candidate{road("Mill Lane"), ring("The Circle"), road("High Street")}, "The Circle"},
		{"its number is left out", []*candidate{road("Mill Lane"), ring("A 1", "The Circle"), road("High Street")}, "The Circle"},
		{"a number alone", []*candidate{road("Mill Lane"), ring("A 1"), road("High Street")}, ""},
		{"the name of the road before", []*candidate{road("The Circle"), ring("The Circle"), road("High Street")}, ""},
		{"the name of the road after", []*candidate{road("Mill Lane"), ring("The Circle"), road("The Circle")}, ""},
		{"at the end of the leg", []*candidate{road("Mill Lane"), ring("The Circle")}, "The Circle"},
		{"an ordinary road", []*candidate{road("Mill Lane"), road("A 1", "High Street")}, "A 1; High Street"},
	} {
		if got := namesAsText(nameRoundabouts(nil, c.list)[1].names); got != c.want {
			t.Errorf("%s: the names are %q, want %q", c.name, got, c.want)
		}
	}
	if list := nameRoundabouts(nil, []*candidate{ring("A 1")}); namesAsText(list[0].names) != "A 1" {
		t.Errorf("a leg that begins on a roundabout loses its name: %v", list[0].names)
	}
}

func TestMarkStays(t *testing.T) {
	mill, both, high := namesOf("Mill Lane"), namesOf("A 1", "Mill Lane"), namesOf("High Street")
	ramp := usesOf(graph.Ramp)
	for _, c := range []struct {
		name string
		list []*candidate
		want bool // of the second candidate
	}{
		{"the same name", []*candidate{{names: mill}, {kind: guidance.Left, names: mill}}, true},
		{"one of the names", []*candidate{{names: both}, {kind: guidance.Left, names: mill}}, true},
		{"a name more", []*candidate{{names: mill}, {kind: guidance.Left, names: both}}, false},
		{"another name", []*candidate{{names: mill}, {kind: guidance.Left, names: high}}, false},
		{"no names", []*candidate{{}, {kind: guidance.Left}}, false},
		{"other names at the begin", []*candidate{{names: mill}, {kind: guidance.Left, names: mill, beginNames: both}}, false},
		{"a u-turn with other names at the begin", []*candidate{{names: mill}, {kind: guidance.UturnLeft, names: mill, beginNames: both}}, true},
		{"an arm of a fork", []*candidate{{names: mill}, {kind: guidance.StayLeft, names: mill}}, true},
		{"a slip road that ends the leg", []*candidate{{names: mill}, {kind: guidance.StayLeft, names: mill, uses: ramp}}, false},
		{"a slip road and a road of its name", []*candidate{{names: mill}, {kind: guidance.StayLeft, names: mill, uses: ramp}, {names: mill}}, true},
		{"a slip road and another road", []*candidate{{names: mill}, {kind: guidance.StayLeft, names: mill, uses: ramp}, {names: high}}, false},
		{"an exit", []*candidate{{names: mill}, {kind: guidance.ExitLeft, names: mill}}, false},
	} {
		if got := markStays(nil, c.list)[1].toStayOn; got != c.want {
			t.Errorf("%s: stays %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSignMerges(t *testing.T) {
	ramp := usesOf(graph.Ramp)
	onto := &candidate{kind: guidance.Merge, names: namesOf("A 1")}
	for _, c := range []struct {
		name string
		list []*candidate
		want string // the branch of the last candidate but one
	}{
		{"a slip road", []*candidate{{}, {uses: ramp}, onto}, "A 1"},
		{"a slip road that begins the leg", []*candidate{{uses: ramp}, onto}, ""},
		{"a slip road after another", []*candidate{{uses: ramp}, {uses: ramp}, onto}, ""},
		{"a slip road after a fork", []*candidate{{form: forkForm}, {uses: ramp}, onto}, ""},
		{"a signed slip road", []*candidate{{}, {uses: ramp, sign: guidance.Sign{Branch: []string{"B 2"}}}, onto}, "B 2"},
		{"a nameless arm of a fork", []*candidate{{}, {form: forkForm}, onto}, "A 1"},
		{"an arm of a fork with a name", []*candidate{{}, {form: forkForm, names: namesOf("A 2")}, onto}, ""},
		{"no merging", []*candidate{{}, {uses: ramp}, {kind: guidance.Left, names: namesOf("A 1")}}, ""},
		{"a nameless road", []*candidate{{}, {uses: ramp}, {kind: guidance.MergeLeft}}, ""},
	} {
		list := signMerges(nil, c.list)
		if got := strings.Join(list[len(list)-2].sign.Branch, "; "); got != c.want {
			t.Errorf("%s: the sign is %q, want %q", c.name, got, c.want)
		}
	}
}

// TestMoveTurns has a turn that begins with an internal edge straight on, before the path
// turns.
func TestMoveTurns(t *testing.T) {
	l := legOf(crossing.Draw(), "sxyw")
	inside := l.hops[1].metres
	for _, c := range []struct {
		kind   guidance.Type
		travel guidance.Travel // of the stretch before
		begin  int
	}{
		{guidance.Left, guidance.Driving, 2},
		{guidance.Continue, guidance.Driving, 1},
		{guidance.Left, guidance.Walking, 1},
	} {
		p, d := &candidate{end: 1, metres: 100, travel: c.travel}, &candidate{begin: 1, end: 3, metres: 200, kind: c.kind}
		moveTurns(l, []*candidate{p, d})
		moved := 0.0
		if c.begin == 2 {
			moved = inside
		}
		if d.begin != c.begin || p.end != c.begin || p.metres != 100+moved || d.metres != 200-moved {
			t.Errorf("a manoeuvre of type %d after travel %d begins at hop %d with %g m after %g m, want hop %d", c.kind, c.travel, d.begin, d.metres, p.metres, c.begin)
		}
	}
}

func TestDropSmallForks(t *testing.T) {
	ramp := usesOf(graph.Ramp)
	for _, c := range []struct {
		name          string
		fork, turn    guidance.Type
		metres        float64
		before, after uses
		dropped       bool
	}{
		{"to the right and right", guidance.StayRight, guidance.Right, 50, ramp, 0, true},
		{"to the left and sharp left", guidance.StayLeft, guidance.SharpLeft, 50, ramp, 0, true},
		{"to the left and right", guidance.StayLeft, guidance.Right, 50, ramp, 0, false},
		{"at the limit", guidance.StayRight, guidance.Right, smallForkMetres, ramp, 0, true},
		{"beyond the limit", guidance.StayRight, guidance.Right, smallForkMetres + 1, ramp, 0, false},
		{"not from a slip road", guidance.StayRight, guidance.Right, 50, 0, 0, false},
		{"onto a slip road", guidance.StayRight, guidance.Right, 50, ramp, ramp, false},
	} {
		list := []*candidate{{end: 1, uses: c.before, metres: 10}, {begin: 1, end: 2, kind: c.fork, uses: ramp, metres: c.metres}, {begin: 2, end: 3, kind: c.turn, uses: c.after}}
		list = dropSmallForks(nil, list)
		if dropped := len(list) == 2; dropped != c.dropped || dropped && (list[0].end != 2 || list[0].metres != 10+c.metres) {
			t.Errorf("%s: %d candidates are left, the first with the hops to %d and %g m", c.name, len(list), list[0].end, list[0].metres)
		}
	}
}

func TestDropMerges(t *testing.T) {
	ramp := usesOf(graph.Ramp)
	for _, c := range []struct {
		name     string
		d, n     candidate
		left     int // candidates
		names    string
		toStayOn bool
	}{
		{"onto a road with a name", candidate{uses: ramp, names: namesOf("Slip")}, candidate{kind: guidance.Merge, names: namesOf("A 1")}, 1, "A 1", false},
		{"onto a nameless road", candidate{uses: ramp, names: namesOf("Slip")}, candidate{kind: guidance.MergeLeft}, 1, "Slip", false},
		{"staying on the name", candidate{uses: ramp, names: namesOf("A 1"), toStayOn: true}, candidate{kind: guidance.Merge, names: namesOf("A 1")}, 1, "A 1", true},
		{"staying on another name", candidate{uses: ramp, names: namesOf("Slip"), toStayOn: true}, candidate{kind: guidance.Merge, names: namesOf("A 1")}, 1, "A 1", false},
		{"from no slip road", candidate{names: namesOf("Slip")}, candidate{kind: guidance.Merge, names: namesOf("A 1")}, 2, "Slip", false},
		{"no merging", candidate{uses: ramp, names: namesOf("Slip")}, candidate{kind: guidance.Left, names: namesOf("A 1")}, 2, "Slip", false},
	} {
		list := dropMerges(nil, []*candidate{&c.d, &c.n})
		if len(list) != c.left || namesAsText(list[0].names) != c.names || list[0].toStayOn != c.toStayOn {
			t.Errorf("%s: %d candidates are left, the first with the names %v, stays %v", c.name, len(list), list[0].names, list[0].toStayOn)
		}
	}
}

// TestReadSigns has three signs in a row: what stands on most of them comes first.
func TestReadSigns(t *testing.T) {
	b := graph.NewBuilder()
	sets := []graph.Set{
		b.Set("destination", "Cardiff;Newport", "junction:ref", "28"),
		b.Set("destination", "Chepstow|Newport", "destination:ref", "A48"),
		b.Set("destination:ref", "A48", "destination:street", "High Street"),
	}
	list := make([]*candidate, 0, len(sets)+1)
	for _, s := range sets {
		list = append(list, &candidate{signSet: s})
	}
	list = append(list, &candidate{names: namesOf("High Street")})
	readSigns(&leg{g: b.Build()}, list)
	for i, want := range []struct{ number, branch, toward string }{
		{"28", "", "Newport Cardiff"},
		{"", "A48", "Newport Chepstow"},
		{"", "High Street A48", ""},
		{"", "", ""},
	} {
		s := list[i].sign
		if strings.Join(s.Number, " ") != want.number || strings.Join(s.Branch, " ") != want.branch || strings.Join(s.Toward, " ") != want.toward {
			t.Errorf("sign %d is %+v, want %+v", i, s, want)
		}
	}
}
