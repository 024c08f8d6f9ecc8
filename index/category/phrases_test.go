package category

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/golden"
)

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"petrol station", "the nearest Cash machines", "Bäckerei", "", "\xff", "supermarkt!"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		categories, near := Resolve(s, []string{"bench", "fuel"})
		if categories != nil && near != nil || len(near) > mostSuggested {
			t.Errorf("%q: %v and %v", s, categories, near)
		}
	})
}

func TestResolve(t *testing.T) {
	index := []string{"bench", "fuel", "supermarket", "zoo"}
	for said, want := range map[string]string{
		"fuel": "fuel", "petrol station": "fuel", "Petrol Stations": "fuel", "a petrol-station": "fuel", "bench": "bench", "Zoos": "zoo", "supermarkets": "supermarket",
		"cash machine": "atm", "the nearest cash machine": "atm", "chemist": "pharmacy", "chemist's": "pharmacy", "Chemists": "pharmacy", "Bäckerei": "bakery", "boulangerie": "bakery", "fish & chips": "fast_food",
		"pharmacies": "pharmacy", "post office": "post_office", "post_office": "post_office", "farmacia": "pharmacy", "somewhere to eat": "restaurant", "cafés": "cafe", "diy": "doityourself", "libraries": "library", "bakeries": "bakery", "flower shop": "florist", "wine shop": "alcohol", "toilets": "toilets", "glasses": "optician",
	} {
		got, near := Resolve(said, index)
		if len(got) == 0 || got[0] != want {
			t.Errorf("%q is %v (near %v), want %s", said, got, near, want)
		}
	}
	for said, want := range map[string]string{"petrol sation": "petrol station", "farmacy": "farmacia", "pharmcy": "pharmacy", "supermaket": "supermarket"} {
		got, near := Resolve(said, index)
		if got != nil || len(near) == 0 || near[0] != want {
			t.Errorf("%q is %v, near %v, want %s", said, got, near, want)
		}
	}
	if got, near := Resolve("qwertyuiop", index); got != nil || near != nil {
		t.Errorf("%v %v", got, near)
	}
}

// TestPhrasesAreDocumented holds the table of docs/errands.md to that of the code;
// -update writes it.
func TestPhrasesAreDocumented(t *testing.T) {
	const file, begin, end = "../../docs/errands.md", "<!-- phrases -->\n", "<!-- /phrases -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	byTokens := map[string][]string{}
	for said, tokens := range phrases {
		byTokens[tokens] = append(byTokens[tokens], said)
	}
	table := "| tokens | phrases |\n|---|---|\n"
	for _, tokens := range slices.Sorted(maps.Keys(byTokens)) {
		table += "| `" + strings.Join(strings.Fields(tokens), "`, `") + "` | " + strings.Join(slices.Sorted(slices.Values(byTokens[tokens])), ", ") + " |\n"
	}
	before, rest, _ := strings.Cut(string(text), begin)
	_, after, ok := strings.Cut(rest, end)
	want := before + begin + table + end + after
	switch {
	case !ok:
		t.Fatal("the document has no place for the table")
	case want == string(text):
	case golden.FlagUpdate():
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the table of phrases is out of date: go test ./index/category -update")
	}
}
