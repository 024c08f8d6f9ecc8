package narrate

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Every field of every language is filled, and every phrase has the slots that
// it needs and no others.
func TestEveryPhraseIsThere(t *testing.T) {
	for _, l := range languages().list {
		v := reflect.ValueOf(l.w)
		for i := range v.NumField() {
			f := v.Type().Field(i)
			checkField(t, l.w.Tag+" "+f.Name, f.Tag.Get("slots"), v.Field(i).Interface())
		}
		for _, p := range []struct {
			name string
			list []link
		}{{"Names", l.w.Names}, {"Numbers", l.w.Numbers}} {
			if len(p.list) == 0 {
				t.Fatalf("%s has no %s", l.w.Tag, p.name)
			}
			last := p.list[len(p.list)-1]
			if len(last.First)+len(last.Ending) != 0 {
				t.Errorf("%s: the last of %s does not hold for all", l.w.Tag, p.name)
			}
			for _, k := range p.list {
				for _, x := range []phrase{k.On, k.Onto, k.To, k.Merge, k.Stay} {
					if !x.has(names) || len(x) > 2 {
						t.Errorf("%s: %s joined by %v", l.w.Tag, p.name, x)
					}
				}
				for _, word := range append(k.First, k.Ending...) {
					if word == "" || word != strings.ToLower(word) {
						t.Errorf("%s: %s chosen by %q", l.w.Tag, p.name, word)
					}
				}
			}
		}
	}
}

func checkField(t *testing.T, what, wanted string, field any) {
	t.Helper()
	switch x := field.(type) {
	case phrase:
		checkPhrase(t, what, wanted, x)
	case string:
		if x == "" && wanted != "?" {
			t.Errorf("%s is empty", what)
		}
	case [3]string, [8]string, []string, measures, ways:
		checkStrings(t, what, reflect.ValueOf(x))
	case func(int) int:
		for halves := range 10000 {
			if n := x(halves); n < 0 || n >= len(unit{}.After) {
				t.Fatalf("%s(%d) = %d", what, halves, n)
			}
		}
	case byte:
		if x != '.' && x != ',' {
			t.Errorf("%s is %q", what, x)
		}
	case landmarkPhrases:
		for name, p := range map[string]phrase{"At": x.At, "Before": x.Before, "After": x.After} {
			checkPhrase(t, strings.TrimSuffix(what, "s")+"."+name, "place", p)
		}
	case []landmarkPhrases:
		for _, s := range x {
			checkField(t, what, "", s)
			if len(s.First)+len(s.Ending) == 0 {
				t.Errorf("%s has one that never holds", what)
			}
			for _, word := range append(s.First, s.Ending...) {
				if word == "" || word != strings.ToLower(word) {
					t.Errorf("%s are chosen by %q", what, word)
				}
			}
		}
	case bool, []link: // any will do; looked at elsewhere
	default:
		t.Errorf("%s is of a kind that is not tested: %T", what, x)
	}
}

// checkStrings holds all strings in a value to being there.
func checkStrings(t *testing.T, what string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		if s := v.String(); s == "" || s != strings.TrimRight(s, " .") || strings.Contains(s, "  ") {
			t.Errorf("%s has %q", what, s)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			checkStrings(t, what+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		if v.Len() == 0 {
			t.Errorf("%s is empty", what)
		}
		for i := range v.Len() {
			checkStrings(t, what, v.Index(i))
		}
	default:
		t.Errorf("%s is a %s", what, v.Kind())
	}
}

var slotNames = func() map[slot]string {
	m := map[slot]string{}
	for name, s := range slots {
		m[s] = name
	}
	return m
}()

func checkPhrase(t *testing.T, what, wanted string, p phrase) {
	t.Helper()
	if len(p) == 0 {
		t.Errorf("%s is empty", what)
		return
	}
	allowed := map[string]bool{}
	for _, w := range strings.Fields(wanted) {
		name, optional := strings.CutSuffix(w, "?")
		found := optional
		for one := range strings.SplitSeq(name, "|") {
			allowed[one] = true
			found = found || p.has(slots[one])
		}
		if !found {
			t.Errorf("%s has no {%s}", what, name)
		}
	}
	seen := map[slot]bool{}
	source := ""
	for _, x := range p {
		source += x.text
		if x.slot == noSlot {
			continue
		}
		source += "{" + slotNames[x.slot] + "}"
		if !allowed[slotNames[x.slot]] || seen[x.slot] {
			t.Errorf("%s: {%s} is not for this phrase, or stands there twice", what, slotNames[x.slot])
		}
		seen[x.slot] = true
	}
	field := what[strings.IndexByte(what, ' ')+1:]
	lead := map[string]bool{"EndOfRoad": true, "Ahead": true, "ThenAhead": true, "Then": true, "Place.At": true, "Place.Before": true, "Place.After": true}[field]
	if lead != strings.HasSuffix(source, " ") || strings.Contains(source, "  ") || strings.HasSuffix(source, ".") {
		t.Errorf("%s is %q", what, source)
	}
	first, _ := utf8.DecodeRuneInString(source)
	switch field {
	case "Reach", "ReachRight", "ReachLeft", "ExitN":
		if !unicode.IsLower(first) {
			t.Errorf("%s begins with a capital: %q", what, source)
		}
	case "Toward", "AtExit", "ToLevel", "ToPlace", "AndOn":
		if first != ' ' && first != ',' {
			t.Errorf("%s is not parted from what is before it: %q", what, source)
		}
	default:
		if !unicode.IsUpper(first) && !strings.HasPrefix(source, "{go}") {
			t.Errorf("%s begins without a capital: %q", what, source)
		}
	}
	// A slot that may be empty brings its own space.
	if regexp.MustCompile(`\s\{(on|onto|road|into|stay|back|merge|fork|signed|toward|out)\}`).MatchString(source) {
		t.Errorf("%s has a space before a slot that has one: %q", what, source)
	}
}

// German keeps the capital of "Sie" and "Ihr", which therefore must not begin
// a sentence that is put after a lead.
func TestPoliteCapitals(t *testing.T) {
	v := reflect.ValueOf(german())
	for i := range v.NumField() {
		p, ok := v.Field(i).Interface().(phrase)
		name := v.Type().Field(i).Name
		if !ok || strings.HasPrefix(name, "Arriv") {
			continue
		}
		if strings.HasPrefix(p[0].text, "Sie ") || strings.HasPrefix(p[0].text, "Ihr") {
			t.Errorf("%s begins with %q", name, p[0].text)
		}
	}
}

func TestSayRefusesMistakes(t *testing.T) {
	for _, template := range []string{"Turn {rihgt}", "Turn {road", "{}", "{Road}"} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(r.(string), template) {
					t.Errorf("%q: %v", template, r)
				}
			}()
			say(template)
		}()
	}
}
