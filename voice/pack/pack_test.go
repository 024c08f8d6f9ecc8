package pack

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/voice/audio"
)

var roads = [][]guidance.Name{{{Text: "Mill Lane"}}, {{Text: "St. Mary's Road"}, {Text: "A48", Ref: true}}}

// drawn is a repertoire of all travellers.
var drawn = &Vocabulary{
	Travels: []guidance.Travel{guidance.Driving, guidance.Cycling, guidance.Pushing, guidance.Walking},
	Roads:   roads,
	Signs: []Signed{
		{Sign: guidance.Sign{Number: []string{"24"}, Branch: []string{"A449"}, Toward: []string{"Monmouth", "Newport"}}},
		{Sign: guidance.Sign{Number: []string{"24"}, Branch: []string{"A449"}, Toward: []string{"Monmouth", "Newport"}}, Names: roads[1]},
		{Sign: guidance.Sign{Name: []string{"Coldra"}}},
		{Sign: guidance.Sign{Toward: []string{"Cardiff"}}, Names: roads[0], Leaves: true},
	},
	Roundabouts: []Signed{{Roundabout: guidance.Name{Text: "Old Green"}}, {Roundabout: guidance.Name{Text: "Old Green"}, Names: roads[0]}},
	Ferries:     [][]guidance.Name{{{Text: "Portsmouth – Ryde"}}, {{Text: "Red Ferry"}}},
	Landings:    roads[:1],
	Levels:      []guidance.Level{{Text: "2"}, {Text: "Lobby", Named: true}},
}

// packed returns a pack with a clip for each phrase, whose bytes are its hash.
func packed(t testing.TB, l *narrate.Language, miles bool) ([]byte, *Pack) {
	t.Helper()
	var clips []Clip
	for _, text := range Phrases(l, miles, drawn) {
		clips = append(clips, Clip{text, fmt.Sprintf("%040x", len(clips)), 1.5})
	}
	file := write(t, About{Language: l.Tag(), Voice: "alba", Rate: 1, Media: audio.Opus}, clips)
	p, err := Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return file, p
}

func write(t testing.TB, about About, clips []Clip) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, about, clips, func(c Clip) ([]byte, error) { return []byte(c.Hash), nil }); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The sentences of a journey over the roads of a pack are in it, in every language, at every
// distance, one after the other, at the end of the road, and with the words as they are.
func TestWhatIsSaidIsInThePack(t *testing.T) {
	for i, tag := range narrate.Languages() {
		l, _ := narrate.Find(tag)
		miles := i%2 == 0
		_, p := packed(t, l, miles)
		missing := 0
		find := func(text string) {
			if text == "" {
				return
			}
			list := p.Find(text)
			said := ""
			for i, c := range list {
				if said != "" {
					said += " "
					if !strings.HasSuffix(list[i-1].Phrase, ".") {
						c.Phrase = small(c.Phrase)
					}
				}
				said += c.Phrase
			}
			if small(said) != small(text) && missing < 10 {
				missing++
				t.Errorf("%s: %q is found as %q", tag, text, said)
			}
		}
		for _, travel := range drawn.Travels {
			for _, names := range append(roads, nil) {
				for _, metres := range []float64{20, 80, 23_456} {
					for _, m := range manoeuvres(names) {
						m.Metres, m.Seconds = metres, metres/12
						list := []guidance.Manoeuvre{
							{Type: guidance.Start, After: 90, Names: names, Way: m.Way, Metres: 800, Seconds: 60},
							m,
							{Type: guidance.RoundaboutEnter, Exits: 3, Metres: 130, Seconds: 20},
							{Type: guidance.RoundaboutExit, Exits: 3, Names: names, Metres: 700, Seconds: 60},
							{Type: guidance.DestinationRight},
						}
						for i := range list {
							list[i].Travel = travel
						}
						for _, x := range l.Leg(list, miles) {
							for _, text := range []string{x.Alert, x.Pre, x.Succinct, x.Post, l.Ahead(x.Alert, metres/3, miles), l.Ahead(x.Alert, 2000, miles)} {
								find(text)
							}
						}
					}
				}
			}
		}
	}
}

// manoeuvres returns those of every type that there may be onto a road, and of every sign, ferry
// and floor that is drawn.
func manoeuvres(names []guidance.Name) (list []guidance.Manoeuvre) {
	for t := guidance.Becomes; t <= guidance.LevelChange; t++ {
		if t == guidance.RoundaboutEnter || t > guidance.FerryExit && t < guidance.MergeRight {
			continue
		}
		m := guidance.Manoeuvre{Type: t, Names: names, EndOfRoad: t == guidance.Left, ToStayOn: t == guidance.Right && names != nil}
		if t == guidance.FerryEnter {
			m.Names, m.Ferry = drawn.Ferries[0], true
		}
		if t == guidance.FerryExit && names != nil {
			m.Names = drawn.Landings[0]
		}
		if t > guidance.MergeLeft && t != guidance.EnterBuilding && t != guidance.LeaveBuilding {
			m.Level = drawn.Levels[int(t)%2]
		}
		if names == nil {
			m.Way = guidance.Way(t) % (guidance.FerryLine + 1)
		}
		list = append(list, m)
		if t >= guidance.RampStraight && t <= guidance.Merge || t == guidance.MergeLeft {
			for _, sign := range drawn.Signs {
				if !sign.Leaves {
					list = append(list, guidance.Manoeuvre{Type: t, Names: sign.Names, Sign: sign.Sign, DriveOnLeft: t%2 == 0})
				}
			}
		}
	}
	return list
}

// TestOutOfARoundabout finds what is said where one leaves roundabouts, with their names and signs.
func TestOutOfARoundabout(t *testing.T) {
	l, _ := narrate.Find("en-GB")
	_, p := packed(t, l, false)
	for _, text := range []string{
		"At Old Green, take the 2nd exit onto Mill Lane.", "At the roundabout, take the 3rd exit onto Mill Lane towards Cardiff.",
		"Leave the roundabout onto Mill Lane towards Cardiff.", "Take the ferry Portsmouth – Ryde.", "Take the Red Ferry.", "Stay on board for 12 kilometres.",
		"Take exit 24 onto the A449 towards Monmouth, Newport.", "Take the lift to level 2.", "Turn left into Mill Lane. Push your bicycle.", "Take the steps to Lobby.",
	} {
		if p.Find(text) == nil {
			t.Errorf("%q is not found", text)
		}
	}
}

func TestPack(t *testing.T) {
	l, _ := narrate.Find("en-GB")
	file, p := packed(t, l, false)
	again, _ := packed(t, l, false)
	if !bytes.Equal(file, again) {
		t.Error("equal clips give other bytes")
	}
	if p.Language != "en-GB" || p.Voice != "alba" || p.Media != audio.Opus || p.Len() < 300 || p.FileName() != "voice-en-GB-alba-opus.zip" {
		t.Errorf("%+v with %d phrases", p.About, p.Len())
	}
	list := p.Find("In 400 metres,  turn right into St. Mary's Road, A48. Then turn left into Mill Lane.")
	var said []string
	for _, c := range list {
		said = append(said, c.Phrase)
		if b, err := p.Sound(c); err != nil || string(b) != c.Hash {
			t.Errorf("%q: %q, %v", c.Phrase, b, err)
		}
	}
	if want := []string{"In 400 metres,", "Turn right into St. Mary's Road, A48.", "Then", "Turn left into Mill Lane."}; !slices.Equal(said, want) {
		t.Errorf("%q", said)
	}
	for _, text := range []string{"", " ", "Turn right into High Street.", "In 400 metres, turn right into High Street.", "In 400 metres,turn left.", strings.Repeat("Turn left. ", 1000)} {
		if list := p.Find(text); list != nil {
			t.Errorf("%.40q: %+v", text, list)
		}
	}
	if _, err := p.Sound(Clip{Hash: "../index"}); err == nil {
		t.Error("a clip that is not there is read")
	}
	// Phrases that are spoken alike share a clip.
	shared := write(t, About{Media: audio.Opus}, []Clip{{"St John", "1", 1}, {"Saint John", "1", 1}})
	if z, err := zip.NewReader(bytes.NewReader(shared), int64(len(shared))); err != nil || len(z.File) != 2 {
		t.Errorf("%+v, %v", z, err)
	}
}

func TestBrokenPacks(t *testing.T) {
	zipped := func(method uint16, files ...string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := 0; i < len(files); i += 2 {
			w, err := z.CreateHeader(&zip.FileHeader{Name: files[i], Method: method})
			if err == nil {
				_, err = w.Write([]byte(files[i+1]))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	good := write(t, About{Media: audio.Opus}, []Clip{{"Turn left.", "1", 1}})
	for name, b := range map[string][]byte{
		"nothing": nil, "HTML": []byte("<html>"), "half": good[:len(good)/2], "no index": zipped(zip.Store, "x", "y"),
		"no JSON": zipped(zip.Store, "index.json", "x"), "newer": zipped(zip.Store, "index.json", `{"format": 2}`), "no format": zipped(zip.Store, "index.json", `{}`),
		"packed": zipped(zip.Deflate, "index.json", `{"format": 1, "clips": []}`),
	} {
		if p, err := Read(bytes.NewReader(b), int64(len(b))); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestRoads(t *testing.T) {
	town := towntest.Draw(t, "a---b--c\n|\nd", towntest.Ways{{"ab", `primary name="Long Street" ref=A48;A50`}, {"bc", `residential name="Mill Lane"`}, {"ad", "footway name=Steps"}})
	g, err := graph.Open(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	l, _ := narrate.Find("en-GB")
	text := func(o Options) (all []string) {
		what, err := VocabularyOf(g, l, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, names := range what.Roads {
			one := ""
			for _, n := range names {
				one += fmt.Sprint(n.Text, " ", n.Ref, "; ")
			}
			all = append(all, one)
		}
		return all
	}
	want := []string{"A48 true; ", "A50 true; ", "A48 true; A50 true; ", "Long Street false; ", "Long Street false; A48 true; ", "Long Street false; A50 true; ", "Mill Lane false; "}
	sorted := func(list []string) []string { slices.Sort(list); return list }
	if got := text(Options{}); !slices.Equal(sorted(got), sorted(slices.Clone(want))) {
		t.Errorf("%q", got)
	}
	if got := text(Options{Most: 2}); len(got) != 2 {
		t.Errorf("the longest: %q", got)
	}
	if got := text(Options{Costings: []string{"auto", "pedestrian"}}); len(got) != len(want)+1 || !slices.Contains(got, "Steps false; ") {
		t.Errorf("on foot: %q", got)
	}
	if _, err := VocabularyOf(g, l, Options{Costings: []string{"boat"}}); err == nil {
		t.Error("there are phrases for boats")
	}
}

// TestSigns reads the signs of a drawn junction, and the road that its slip road leads onto.
func TestSigns(t *testing.T) {
	town := towntest.Draw(t, "a--b----c\n   \\\n    d---e\n        |\n        f", towntest.Ways{
		{"ab", "motorway ref=M4 oneway=yes"},
		{"bc", "motorway ref=M4 oneway=yes"},
		{"bd", `motorway_link oneway=yes destination="Newport;Cardiff" destination:ref=A48 junction:ref=24`},
		{"de", "motorway_link oneway=yes"},
		{"ef", `primary name="High Street"`},
	})
	g, err := graph.Open(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	l, _ := narrate.Find("en-GB")
	what, err := VocabularyOf(g, l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for k, text := range Phrases(l, false, what) {
		if k == OnSigns {
			got = append(got, text)
		}
	}
	for _, want := range []string{
		"Take exit 24 onto the A48 towards Newport, Cardiff.", "Take exit 24 on the right onto the A48 towards Cardiff, Newport.", "Merge onto High Street towards Newport, Cardiff.", "Take exit 24.",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	l, _ := narrate.Find("en-GB")
	file, _ := packed(f, l, false)
	f.Add(file, "Turn left.")
	f.Add(write(f, About{Media: audio.Opus}, []Clip{{"Turn left.", "1", 1}}), "Turn left. turn left.")
	f.Fuzz(func(t *testing.T, b []byte, text string) {
		p, err := Read(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for _, c := range p.Find(text) {
			_, _ = p.Sound(c)
		}
	})
}
