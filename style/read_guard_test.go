package style_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/style"
)

// problemsAt returns where a theme has problems.
func problemsAt(doc string) []string {
	_, problems := style.Read([]byte(doc))
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path)
	}
	return paths
}

// Every number is taken at both of its limits and refused a little beyond.
func TestNumbersOfAThemeAtTheirLimits(t *testing.T) {
	for path, limits := range map[string][2]float64{"roads.width": {0.25, 4}, "roads.casing": {0, 4}, "labels.size": {0.5, 2}, "labels.halo": {0, 3}} {
		group, member, _ := strings.Cut(path, ".")
		for v, ok := range map[float64]bool{limits[0]: true, limits[1]: true, (limits[0] + limits[1]) / 2: true, limits[0] - 0.001: false, limits[1] + 0.001: false, limits[1] + 1: false, -1: false} {
			var want []string
			if !ok {
				want = []string{path}
			}
			if got := problemsAt(fmt.Sprintf(`{%q:{%q:%g}}`, group, member, v)); !slices.Equal(got, want) {
				t.Errorf("%s of %g: problems at %v, want %v", path, v, got, want)
			}
		}
	}
}

// Every text is taken with as many characters as it may have, however many bytes those are.
func TestTextsOfAThemeAtTheirLimits(t *testing.T) {
	for member, most := range map[string]int{"name": 120, "description": 500} {
		for _, letter := range []string{"a", "é", "地"} {
			if got := problemsAt(fmt.Sprintf(`{%q:%q}`, member, strings.Repeat(letter, most))); got != nil {
				t.Errorf("%d times %s as %s: problems at %v", most, letter, member, got)
			}
			if got := problemsAt(fmt.Sprintf(`{%q:%q}`, member, strings.Repeat(letter, most+1))); !slices.Equal(got, []string{member}) {
				t.Errorf("%d times %s as %s: problems at %v", most+1, letter, member, got)
			}
		}
	}
	for spec, ok := range map[string]bool{"dark": true, "dark@1": true, "a-b-c@999999999": true, "dark@0": false, "dark@": false, "dark@1234567890": false, "Dark": false, "a--b": false, "-a": false, "": false, strings.Repeat("a", 140): true, strings.Repeat("a", 141): false} {
		if got := problemsAt(fmt.Sprintf(`{"extends":%q}`, spec)); ok != (got == nil) {
			t.Errorf("%q: problems at %v", spec, got)
		}
	}
	for language, ok := range map[string]bool{"": true, "cy": true, "fil": true, "pt-BR": true, "zh-Hant-TW": true, "c": false, "abcd": false, "pt-": false, "pt-B": false, "pt_BR": false, "de-" + strings.Repeat("a", 9): false, "aa" + strings.Repeat("-abcdefg", 4): true, "aa" + strings.Repeat("-abcdefg", 5): false} {
		if got := problemsAt(fmt.Sprintf(`{"labels":{"language":%q}}`, language)); ok != (got == nil) {
			t.Errorf("%q: problems at %v", language, got)
		}
	}
	whole := fmt.Sprintf(`{"name":"x"%s}`, strings.Repeat(" ", style.MaxDocument-len(`{"name":"x"}`)))
	if got := problemsAt(whole); got != nil {
		t.Errorf("%d bytes: problems at %v", len(whole), got)
	}
}

// Colours have one spelling, and what is no colour or switch is refused where it stands.
func TestColoursAndSwitches(t *testing.T) {
	for colour, want := range map[string]string{`"#abc"`: "#aabbcc", `"#A1b2C3"`: "#a1b2c3", `"#09F"`: "#0099ff"} {
		theme, problems := style.Read([]byte(`{"colours":{"water":` + colour + `}}`))
		if len(problems) != 0 || theme.Colours["water"] != want {
			t.Errorf("%s: %v %v, want %s", colour, theme, problems, want)
		}
	}
	for _, colour := range []string{`"#ab"`, `"#abcd"`, `"#abcde"`, `"#abcdefa"`, `"abc"`, `"#abg"`, `""`, `null`, `7`, `{}`} {
		if got := problemsAt(`{"colours":{"water":` + colour + `}}`); !slices.Equal(got, []string{"colours.water"}) {
			t.Errorf("%s: problems at %v", colour, got)
		}
	}
	theme, problems := style.Read([]byte(`{"show":{"pois":false}}`))
	if shown, given := theme.Show["pois"]; len(problems) != 0 || shown || !given {
		t.Errorf("%v %v", theme.Show, problems)
	}
	for _, member := range []string{"colours", "roads", "labels", "show"} {
		for _, v := range []string{"null", "7", `"x"`, "[]"} {
			if got := problemsAt(`{"` + member + `":` + v + `}`); !slices.Equal(got, []string{member}) {
				t.Errorf("%s of %s: problems at %v", member, v, got)
			}
		}
	}
	for _, path := range []string{"name", "description", "extends"} {
		for _, v := range []string{"null", "7", "[]"} {
			if got := problemsAt(`{"` + path + `":` + v + `}`); !slices.Equal(got, []string{path}) {
				t.Errorf("%s of %s: problems at %v", path, v, got)
			}
		}
	}
}

// A theme with thousands of problems has a short answer: each names all members that are known.
func TestProblemsAreBounded(t *testing.T) {
	for _, object := range []string{"", "colours", "widths", "sizes", "show", "kinds"} {
		var members []string
		for i := range 7000 {
			members = append(members, fmt.Sprintf(`"%x":1`, i))
		}
		doc := "{" + strings.Join(members, ",") + "}"
		if object != "" {
			doc = fmt.Sprintf(`{%q:%s}`, object, doc)
		}
		_, problems := style.Read([]byte(doc))
		size := 0
		for _, p := range problems {
			size += len(p.Path) + len(p.Message)
		}
		if len(problems) != style.MaxProblems || size > 2*style.MaxDocument {
			t.Errorf("%q: %d problems of %d bytes", object, len(problems), size)
		}
	}
}
