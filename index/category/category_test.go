package category

import (
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/golden"
)

func FuzzNear(f *testing.F) {
	for _, s := range []string{"petrol station", "the nearest Cash machines", "Bäckerei", "", "\xff", "supermarkt!"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if near := Near(s, []string{"bench", "fuel"}); len(near) > mostSuggested {
			t.Errorf("%q: %v", s, near)
		}
	})
}

func TestNear(t *testing.T) {
	for said, want := range map[string]string{"petrol sation": "petrol station", "pharmcy": "pharmacy", "supermaket": "supermarket", "Bäkerei": "Bäckerei", "ogród zoologicznz": "ogród zoologiczny"} {
		if near := Near(said, nil); len(near) == 0 || near[0] != want {
			t.Errorf("%q is near %v, want %s", said, near, want)
		}
	}
	if near := Near("qwertyuiop", nil); near != nil {
		t.Error(near)
	}
}

// TestTable checks that each kind has a word in the languages that have one for it, that no
// language has a word for two kinds, and that there are no empty words.
func TestTable(t *testing.T) {
	languages := map[string]bool{}
	said := map[Saying]int{}
	for i, k := range All() {
		if len(k.Categories) == 0 || len(k.Sayings) == 0 {
			t.Errorf("kind %d is %v, said %v", i, k.Categories, k.Sayings)
		}
		for _, s := range k.Sayings {
			languages[s.Lang] = true
			if s.Text == "" || len(s.Lang) != 2 {
				t.Errorf("%v has an empty word: %v", k.Categories, s)
			}
			folded := Saying{s.Lang, plain(s.Text)}
			if other, ok := said[folded]; ok && other != i {
				t.Errorf("%v stands for %v and for %v", s, All()[other].Categories, k.Categories)
			}
			said[folded] = i
		}
	}
	for _, lang := range strings.Fields("cy de en es fr it nl pl pt sv") {
		if !languages[lang] {
			t.Errorf("no words in %s", lang)
		}
		delete(languages, lang)
	}
	if len(languages) > 0 {
		t.Errorf("languages beyond those of narration: %v", languages)
	}
}

func TestInflects(t *testing.T) {
	for _, c := range [][3]string{
		{"en", "library", "libraries"},
		{"en", "church", "churches"},
		{"de", "tankstelle", "tankstellen"},
		{"de", "parkhaus", "parkhauser"},
		{"de", "museum", "museen"},
		{"fr", "hopital", "hopitaux"},
		{"es", "hotel", "hoteles"},
		{"it", "benzinaio", "benzinai"},
		{"it", "banca", "banche"},
		{"nl", "laadpaal", "laadpalen"},
		{"nl", "bus", "bussen"},
		{"pl", "stacja", "stacje"},
		{"pl", "apteka", "apteki"},
		{"pt", "hospital", "hospitais"},
		{"pt", "estacao", "estacoes"},
		{"sv", "kyrka", "kyrkor"},
		{"sv", "bensinstation", "bensinstationer"},
		{"cy", "amgueddfa", "amgueddfa"},
	} {
		if !Inflects(c[0], c[1], c[2]) {
			t.Errorf("%s: %s is no form of %s", c[0], c[2], c[1])
		}
	}
	for _, c := range [][3]string{{"en", "bar", "barn"}, {"en", "pub", "public"}, {"de", "bank", "bankett"}, {"nl", "bus", "busstation"}, {"en", "", "s"}, {"fr", "mairie", "marie"}} {
		if Inflects(c[0], c[1], c[2]) {
			t.Errorf("%s: %s is a form of %s", c[0], c[2], c[1])
		}
	}
}

// TestWordsAreDocumented checks that the table of kinds.md is that of the code; -update writes
// it.
func TestWordsAreDocumented(t *testing.T) {
	const file, begin, end = "kinds.md", "<!-- words -->\n", "<!-- /words -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| categories | words |\n|---|---|\n")
	for _, k := range All() {
		b.WriteString("| `" + strings.Join(k.Categories, "`, `") + "` |")
		for i, s := range k.Sayings {
			switch {
			case i == 0 || k.Sayings[i-1].Lang != s.Lang:
				b.WriteString(" **" + s.Lang + "** " + s.Text)
			default:
				b.WriteString(", " + s.Text)
			}
		}
		b.WriteString(" |\n")
	}
	before, rest, _ := strings.Cut(string(text), begin)
	_, after, ok := strings.Cut(rest, end)
	want := before + begin + b.String() + end + after
	switch {
	case !ok:
		t.Fatal("the document has no place for the table")
	case want == string(text):
	case golden.FlagUpdate():
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the table of words is out of date: go test ./index/category -update")
	}
}
