package narrate_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

var tags = []string{"en-GB", "en-US", "de", "fr", "es", "it", "pt-PT", "pt-BR", "nl", "pl", "sv", "cy"}

func find(t testing.TB, tag string) *narrate.Language {
	t.Helper()
	l, asked := narrate.Find(tag)
	if !asked || l.Tag() != tag {
		t.Fatalf("there is no %s, but %s", tag, l.Tag())
	}
	return l
}

// The golden files are to be read by people who speak the language.
func TestWords(t *testing.T) {
	for _, tag := range tags {
		t.Run(tag, func(t *testing.T) {
			l := find(t, tag)
			var out strings.Builder
			for i, g := range append(legs(), localLeg(tag)) {
				fmt.Fprintf(&out, "== %s\n", g.what)
				written := l.Written(g.list, i%4 == 3)
				for j, x := range l.Leg(g.list, i%4 == 3) {
					if want := (narrate.Text{Instruction: x.Instruction, Multi: x.Multi}); written[j] != want {
						t.Errorf("to be read alone: %+v, want %+v", written[j], want)
					}
					if g.inner && (j == 0 || j == len(g.list)-1) {
						continue
					}
					out.WriteString(x.Instruction + "\n")
					for _, f := range []struct{ name, words string }{{"alert", x.Alert}, {"before", x.Pre}, {"short", x.Succinct}} {
						if f.words != "" && f.words != x.Instruction && (f.name != "before" || f.words != x.Alert) {
							fmt.Fprintf(&out, "    %s: %s\n", f.name, f.words)
						}
					}
					if x.Post != "" && (g.list[j].Ferry || !g.inner) {
						fmt.Fprintf(&out, "    after: %s\n", x.Post)
					}
				}
			}
			golden.Assert(t, out.String(), tag+".golden")
		})
	}
}

func TestSpokenText(t *testing.T) {
	d := sketch.Sketch{
		Picture: `
w..........x...............................e
           .
           s`,
		Cell: 10, Ways: []sketch.Way{{Places: "sx", Name: "Mill Lane"}, {Places: "wxe", Name: "High Street;Old Road", Ref: "A48"}},
	}.Draw()
	p := d.Path("sxe")
	list := guide.Manoeuvres(d.Graph, p, guide.Shape(d.Graph, p), guide.Options{To: guidance.LeftSide})
	got := british(list, false)
	for i, want := range []narrate.Text{
		{
			Instruction: "Head north on Mill Lane.",
			Pre:         "Head north on Mill Lane. Then turn right into High Street, Old Road.",
			Succinct:    "Head north. Then turn right into High Street, Old Road.",
			Post:        "Continue for 20 metres.", Multi: true,
		},
		{
			Instruction: "At the end of the road, turn right into High Street / Old Road / A48.",
			Alert:       "At the end of the road, turn right into High Street, Old Road.",
			Pre:         "At the end of the road, turn right into High Street, Old Road.",
			Succinct:    "Turn right.", Post: "Continue for 300 metres.",
		},
		{Instruction: "Your destination is on the left.", Alert: "Your destination will be on the left.", Pre: "Your destination is on the left."},
	} {
		if got[i] != want {
			t.Errorf("manoeuvre %d\n got %+v\nwant %+v", i, got[i], want)
		}
	}
}

func TestJoinedRoundabout(t *testing.T) {
	got := british(guidance.JoinRoundabouts([]guidance.Manoeuvre{
		{Type: guidance.Start, Metres: 500, Seconds: 40},
		{Type: guidance.RoundaboutEnter, Metres: 30, Seconds: 5, Exits: 2, Names: []guidance.Name{{Text: "The Circus"}}},
		{Type: guidance.RoundaboutExit, Metres: 300, Seconds: 30, Exits: 2, Names: []guidance.Name{{Text: "Mill Lane"}}},
		{Type: guidance.Destination},
	}), false)
	want := narrate.Text{
		Instruction: "At The Circus, take the 2nd exit onto Mill Lane.",
		Alert:       "At The Circus, take the 2nd exit onto Mill Lane.",
		Pre:         "At The Circus, take the 2nd exit onto Mill Lane.",
		Succinct:    "At the roundabout, take the 2nd exit.",
		Post:        "Continue for 300 metres.",
	}
	if len(got) != 3 || got[1] != want {
		t.Errorf(" got %+v\nwant %+v", got[1], want)
	}
}

// TestSentences checks on drawn manoeuvres that all texts are whole sentences that name what
// they should.
func TestSentences(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	cases := 100
	if testing.Short() {
		cases = 20
	}
	for _, tag := range tags {
		l := find(t, tag)
		for range cases {
			list := invented(random)
			miles := random.IntN(2) == 0
			texts := l.Leg(list, miles)
			if len(texts) != len(list) {
				t.Fatalf("%s: %d texts for %d manoeuvres", tag, len(texts), len(list))
			}
			for i := range texts {
				whole(t, tag, list, i, &texts[i])
				ahead := l.Ahead(texts[i].Alert, list[i].Metres, miles)
				said(t, tag, ahead, alerted(list, i))
				for _, where := range []guidance.Placement{guidance.Beside, guidance.Before, guidance.After} {
					past := l.Past(texts[i].Instruction, "Yr Hen Felin", where)
					said(t, tag, past, true)
					if !strings.Contains(past, "Yr Hen Felin") {
						t.Errorf("%s: no landmark in %q", tag, past)
					}
				}
			}
		}
	}
}

func whole(t *testing.T, tag string, list []guidance.Manoeuvre, i int, x *narrate.Text) {
	t.Helper()
	m := &list[i]
	said(t, tag, x.Instruction, true)
	said(t, tag, x.Pre, true)
	said(t, tag, x.Alert, alerted(list, i))
	said(t, tag, x.Succinct, !m.Type.Arrival())
	said(t, tag, x.Post, !m.Type.Arrival() && m.Type != guidance.RoundaboutEnter && m.Metres > 0)
	if x.Multi && !strings.HasPrefix(x.Pre, x.Alert) || x.Multi && strings.Count(x.Succinct, ". ") == 0 {
		t.Errorf("%s: nothing follows in %q", tag, x.Pre)
	}
	for _, name := range texted(m) {
		if !strings.Contains(x.Instruction, name) {
			t.Errorf("%s: no %q in %q (%+v)", tag, name, x.Instruction, *m)
		}
		if strings.Contains(x.Succinct, name) && !x.Multi && !slices.Contains(m.Sign.Number, name) {
			t.Errorf("%s: %q in the short %q", tag, name, x.Succinct)
		}
	}
	if m.Type == guidance.ExitLeft || m.Type == guidance.ExitRight {
		for _, n := range m.Sign.Number {
			if !strings.Contains(x.Succinct, n) {
				t.Errorf("%s: no %q in %q", tag, n, x.Succinct)
			}
		}
	}
}

// alerted reports whether a manoeuvre is announced well ahead: the start is
// not, nor is the exit of a roundabout, which the entry has announced.
func alerted(list []guidance.Manoeuvre, i int) bool {
	return i > 0 && list[i].Type != guidance.RoundaboutExit
}

// texted returns the names that a manoeuvre's instruction must have.
func texted(m *guidance.Manoeuvre) []string {
	var out []string
	names := m.Names
	if len(m.BeginNames) > 0 {
		names = m.BeginNames
	}
	switch m.Type {
	case guidance.Start, guidance.StartLeft, guidance.StartRight, guidance.Becomes, guidance.Continue, guidance.SlightRight, guidance.Right, guidance.SharpRight,
		guidance.UturnLeft, guidance.UturnRight, guidance.SharpLeft, guidance.Left, guidance.SlightLeft, guidance.Merge, guidance.MergeLeft, guidance.MergeRight,
		guidance.RoundaboutExit, guidance.FerryEnter, guidance.FerryExit:
		for _, n := range names[:min(4, len(names))] {
			out = append(out, n.Text)
		}
	case guidance.RampLeft, guidance.RampRight, guidance.RampStraight, guidance.ExitLeft, guidance.ExitRight:
		out = append(out, m.Sign.Branch[:min(2, len(m.Sign.Branch))]...)
		out = append(out, m.Sign.Toward[:min(4, len(m.Sign.Toward))]...)
	}
	return out
}

var leak = regexp.MustCompile(`[{}]|%!|  |\s[.,;:]|[.,;:]{2}|/\s*[.,]`)

func said(t *testing.T, tag, s string, wanted bool) {
	t.Helper()
	if s == "" || !wanted {
		if wanted != (s != "") {
			t.Errorf("%s: %q is said, wanted %v", tag, s, wanted)
		}
		return
	}
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsUpper(first) || !strings.HasSuffix(s, ".") || leak.MatchString(s) || !utf8.ValidString(s) {
		t.Errorf("%s: %q", tag, s)
	}
	words := strings.Fields(s)
	for i := range words[1:] {
		if words[i] == words[i+1] && words[i] != "/" {
			t.Errorf("%s: %s twice in %q", tag, words[i], s)
		}
	}
}

func invented(random *rand.Rand) []guidance.Manoeuvre {
	pick := func(n int) bool { return random.IntN(n) == 0 }
	name := func(ref bool) guidance.Name {
		if ref {
			return guidance.Name{Text: fmt.Sprintf("%c%03d", 'A'+rune(random.IntN(26)), random.IntN(1000)), Ref: true}
		}
		first := []string{"Rue", "Calle", "Łąkowa", "Ørsted", "Oak", "Élysée", "Straße", "X", "Plein", "Éire"}[random.IntN(10)]
		return guidance.Name{Text: first + fmt.Sprintf(" Nr%04d", random.IntN(10000))}
	}
	names := func() []guidance.Name {
		var out []guidance.Name
		for range random.IntN(4) {
			out = append(out, name(pick(2)))
		}
		return out
	}
	words := func() []string {
		var out []string
		for range random.IntN(3) {
			out = append(out, name(pick(2)).Text)
		}
		return out
	}
	types := append([]guidance.Type{guidance.None, guidance.Becomes, guidance.Continue}, turns...)
	for x := guidance.RampStraight; x <= guidance.FerryExit; x++ {
		types = append(types, x)
	}
	types = append(types, guidance.MergeRight, guidance.MergeLeft, guidance.Elevator, guidance.Steps, guidance.Escalator, guidance.EnterBuilding, guidance.LeaveBuilding, guidance.LevelChange)
	list := make([]guidance.Manoeuvre, 2+random.IntN(6))
	for i := range list {
		m := &list[i]
		*m = guidance.Manoeuvre{
			Type: types[random.IntN(len(types))], Names: names(), Way: guidance.Way(random.IntN(8)), Travel: guidance.Travel(random.IntN(4)),
			Sign:   guidance.Sign{Number: words(), Branch: words(), Toward: words(), Name: words()},
			Metres: random.ExpFloat64() * 300, Seconds: random.ExpFloat64() * 30, After: random.IntN(360), Exits: random.IntN(15),
			EndOfRoad: pick(4), DriveOnLeft: pick(2), Ferry: pick(9), ToStayOn: pick(4),
		}
		if pick(5) {
			m.BeginNames = names()
		}
		if pick(3) {
			m.Level = guidance.Level{Text: name(false).Text, Named: pick(2)}
		}
		m.ToStayOn = m.ToStayOn && len(m.Names) > 0
	}
	list[0].Type = guidance.Start + guidance.Type(random.IntN(3))
	last := &list[len(list)-1]
	last.Type, last.Metres = guidance.Destination+guidance.Type(random.IntN(3)), 0
	return list
}

func TestLandmarks(t *testing.T) {
	for _, c := range []struct {
		tag   string
		where guidance.Placement
		want  string
	}{
		{"en-GB", guidance.After, "After Tesco, turn right into High Street."},
		{"en-GB", guidance.Before, "Before Tesco, turn right into High Street."},
		{"en-US", guidance.Beside, "At Tesco, turn right onto High Street."},
		{"de", guidance.After, "Hinter Tesco biegen Sie rechts auf High Street ab."},
		{"fr", guidance.Beside, "Devant Tesco, tournez à droite sur High Street."},
		{"es", guidance.Before, "Antes de Tesco, gire a la derecha por High Street."},
		{"it", guidance.After, "Dopo Tesco, svolta a destra in High Street."},
		{"pt-PT", guidance.Beside, "Junto a Tesco, vire à direita para High Street."},
		{"nl", guidance.After, "Na Tesco, sla rechtsaf naar High Street."},
		{"pl", guidance.After, "Za obiektem „Tesco” skręć w prawo: High Street."},
		{"sv", guidance.Before, "Före Tesco, sväng höger in på High Street."},
		{"cy", guidance.After, "Ar ôl pasio Tesco, trowch i'r dde ar hyd High Street."},
	} {
		l := find(t, c.tag)
		turn := l.Leg(between(far(guidance.Manoeuvre{Type: guidance.Right, Names: street("High Street")})), false)[1]
		if got := l.Past(turn.Instruction, "Tesco", c.where); got != c.want {
			t.Errorf("%s: %q, want %q", c.tag, got, c.want)
		}
		if got := l.Past(turn.Instruction, "", c.where); got != turn.Instruction {
			t.Errorf("%s, no place: %q", c.tag, got)
		}
		if got := l.Past("", "Tesco", c.where); got != "" {
			t.Errorf("%s, no instruction: %q", c.tag, got)
		}
	}
}

// Every placement, for names with and without an article of their own, before a
// turn, at the end of a road and at a fork.
func TestLandmarksOfLanguages(t *testing.T) {
	var out strings.Builder
	for _, tag := range tags {
		l := find(t, tag)
		fmt.Fprintf(&out, "== %s\n", tag)
		list := between(
			far(guidance.Manoeuvre{Type: guidance.Right, Names: local[tag][:1]}),
			far(guidance.Manoeuvre{Type: guidance.SlightLeft, EndOfRoad: true}),
			far(guidance.Manoeuvre{Type: guidance.StayLeft, Sign: guidance.Sign{Toward: []string{"Bristol"}}}))
		texts := l.Leg(list, false)
		for i, place := range append([]string{"Tesco", "The Red Lion", "St Mary’s Church"}, landmarks[tag]...) {
			for _, where := range []guidance.Placement{guidance.Beside, guidance.Before, guidance.After} {
				out.WriteString(l.Past(texts[i%3+1].Instruction, place, where) + "\n")
			}
		}
	}
	golden.Assert(t, out.String(), "landmarks.golden")
}

func TestAhead(t *testing.T) {
	for _, c := range []struct{ tag, turn, end, side string }{
		{"en-GB", "In 400 metres, turn right into High Street.", "In 1 kilometre, you will arrive at your destination.", "In half a mile, your destination will be on the left."},
		{"en-US", "In 400 meters, turn right onto High Street.", "In 1 kilometer, you will arrive at your destination.", "In half a mile, your destination will be on the left."},
		{"de", "In 400 Metern biegen Sie rechts auf High Street ab.", "In einem Kilometer erreichen Sie Ihr Ziel.", "In einer halben Meile liegt Ihr Ziel auf der linken Seite."},
		{"fr", "Dans 400 mètres, tournez à droite sur High Street.", "Dans un kilomètre, vous atteindrez votre destination.", "Dans un demi-mile, votre destination sera sur la gauche."},
		{"es", "A 400 metros, gire a la derecha por High Street.", "A un kilómetro, llegará a su destino.", "A media milla, su destino estará a la izquierda."},
		{"it", "Tra 400 metri, svolta a destra in High Street.", "Tra un chilometro, raggiungerai la destinazione.", "Tra mezzo miglio, la destinazione sarà sulla sinistra."},
		{"pt-PT", "Daqui a 400 metros, vire à direita para High Street.", "Daqui a um quilómetro, chegará ao seu destino.", "Daqui a meia milha, o seu destino estará à esquerda."},
		{"pt-BR", "Em 400 metros, vire à direita em High Street.", "Em um quilômetro, você chegará ao seu destino.", "Em meia milha, seu destino estará à esquerda."},
		{"nl", "Over 400 meter, sla rechtsaf naar High Street.", "Over één kilometer bereikt u uw bestemming.", "Over een halve mijl ligt uw bestemming aan de linkerkant."},
		{"pl", "Za 400 metrów skręć w prawo: High Street.", "Za jeden kilometr dotrzesz do celu.", "Za pół mili cel będzie po lewej stronie."},
		{"sv", "Om 400 meter, sväng höger in på High Street.", "Om en kilometer är du framme vid din destination.", "Om en halv engelsk mil ligger din destination på vänster sida."},
		{"cy", "Ymhen 400 metr, trowch i'r dde ar hyd High Street.", "Ymhen un cilometr, byddwch yn cyrraedd pen eich taith.", "Ymhen hanner milltir, bydd pen eich taith ar y chwith."},
	} {
		l := find(t, c.tag)
		list := between(far(guidance.Manoeuvre{Type: guidance.Right, Names: street("High Street")}))
		texts := l.Leg(list, false)
		list[2].Type = guidance.DestinationLeft
		left := l.Leg(list, false)
		for _, x := range []struct{ got, want string }{
			{l.Ahead(texts[1].Alert, 390, false), c.turn},
			{l.Ahead(texts[2].Alert, 1000, false), c.end},
			{l.Ahead(left[2].Alert, 800, true), c.side},
			{l.Ahead("", 800, true), ""},
		} {
			if x.got != x.want {
				t.Errorf("%s: %q, want %q", c.tag, x.got, x.want)
			}
		}
	}
}

func BenchmarkLeg(b *testing.B) {
	var list []guidance.Manoeuvre
	for _, g := range legs() {
		list = append(list, g.list...)
	}
	for _, tag := range tags {
		b.Run(tag, func(b *testing.B) {
			l := find(b, tag)
			b.ReportAllocs()
			for b.Loop() {
				l.Leg(list, false)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(list)), "ns/manoeuvre")
		})
	}
}

func BenchmarkFind(b *testing.B) {
	for _, tag := range []string{"", "de-DE", "de-CH", "zh-Hant"} {
		b.Run(tag, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				narrate.Find(tag)
			}
		})
	}
}

func BenchmarkAhead(b *testing.B) {
	l := find(b, "de")
	b.ReportAllocs()
	for b.Loop() {
		l.Ahead("Biegen Sie rechts ab auf die Hauptstraße.", 400, false)
	}
}

// The words of a leg cost a few allocations, however long it is.
func TestFewAllocations(t *testing.T) {
	var list []guidance.Manoeuvre
	for _, g := range legs() {
		list = append(list, g.list...)
	}
	for _, tag := range tags {
		l := find(t, tag)
		if n := testing.AllocsPerRun(3, func() { l.Leg(list, false) }); n > float64(len(list))/10 {
			t.Errorf("%s: %g allocations for %d manoeuvres", tag, n, len(list))
		}
	}
}
