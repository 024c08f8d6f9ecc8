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

// packed is a pack with a clip for each phrase, whose bytes are its hash.
func packed(t testing.TB, l *narrate.Language, miles bool) ([]byte, *Pack) {
	t.Helper()
	var clips []Clip
	for text := range Phrases(l, miles, roads) {
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

// What the narration says of a journey over the roads of a pack is in it, in every language, at
// every distance, one after the other, at the end of the road, and with the words as they are.
func TestWhatIsSaidIsInThePack(t *testing.T) {
	for _, tag := range narrate.Languages() {
		l, _ := narrate.Find(tag)
		for _, miles := range []bool{false, true} {
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
			for _, names := range append(roads, nil) {
				for _, kind := range append([]guidance.Type{guidance.Continue, guidance.StayLeft, guidance.Merge}, turns...) {
					for _, metres := range []float64{40, 80, 110, 1500, 23_456} {
						m := guidance.Manoeuvre{Type: kind, Names: names, EndOfRoad: kind == guidance.Left, Metres: metres, Seconds: metres / 12}
						list := []guidance.Manoeuvre{
							{Type: guidance.Start, After: 90, Names: names, Metres: 800, Seconds: 60},
							m,
							{Type: guidance.RoundaboutEnter, Exits: 3, Metres: 130, Seconds: 20},
							{Type: guidance.RoundaboutExit, Exits: 3, Names: names, Metres: 700, Seconds: 60},
							{Type: guidance.DestinationRight},
						}
						for _, x := range l.Leg(list, miles) {
							for _, text := range []string{x.Alert, x.Pre, x.Post, l.Ahead(x.Alert, metres/3, miles), l.Ahead(x.Alert, 2000, miles)} {
								find(text)
							}
						}
					}
				}
			}
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
	text := func(most int) (all []string) {
		for _, names := range Roads(g, most) {
			one := ""
			for _, n := range names {
				one += fmt.Sprint(n.Text, " ", n.Ref, "; ")
			}
			all = append(all, one)
		}
		return all
	}
	want := []string{"A48 true; ", "Long Street false; ", "Long Street false; A48 true; ", "Mill Lane false; "}
	if got := text(0); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := text(2); !slices.Equal(got, want[:2]) {
		t.Errorf("the longest: %q", got)
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
