package costing

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/waygate/waygate/fault"
)

// avoided lists what a costing can avoid and exclude, as the documented table has it: tolls and
// highways by what has an engine, ferries by all.
var avoided = map[Costing]struct{ avoid, exclude []string }{
	Auto: {[]string{"tolls", "highways", "ferries"}, []string{"tolls", "highways", "ferries", "bridges", "tunnels"}},
}

// Each word of each list sets one option for every costing that has it, and is refused for others.
func TestAvoidSetsOptions(t *testing.T) {
	for c := Auto; c.Valid(); c++ {
		words := map[string][]string{"avoid": {}, "exclude": {}}
		for _, list := range []string{"avoid", "exclude"} {
			for word, option := range map[string]string{"tolls": "use_tolls", "highways": "use_highways", "ferries": "use_ferry", "bridges": "", "tunnels": ""} {
				value := "0"
				if list == "exclude" {
					option, value = "exclude_"+word, "true"
				}
				chosen := map[string]json.RawMessage{}
				avoid, exclude := []string{word}, []string(nil)
				if list == "exclude" {
					avoid, exclude = exclude, avoid
				}
				set, err := Avoid(c, avoid, exclude, chosen)
				var raw map[string]json.RawMessage
				if option != "" {
					raw = map[string]json.RawMessage{option: json.RawMessage(value)}
				}
				settings, unknown, bad := Parse(c, raw, "")
				has := option != "" && len(unknown) == 0
				if len(bad) != 0 || has != (err == nil) {
					t.Errorf("%s: %s %s: %v, and the option %q is known: %v", c, list, word, err, option, has)
					continue
				}
				if !has {
					continue
				}
				words[list] = append(words[list], word)
				if len(set) != 1 || string(set[option]) != value || !maps.EqualFunc(set, chosen, func(a, b json.RawMessage) bool { return string(a) == string(b) }) || len(settings.Raw()) != 1 {
					t.Errorf("%s: %s %s sets %s of %s", c, list, word, set, chosen)
				}
			}
		}
		_, err := Avoid(c, []string{"zebras"}, nil, nil)
		var problem *fault.Error
		if !errors.As(err, &problem) {
			t.Fatalf("%s: %v", c, err)
		}
		got, _ := problem.Fields["supported"].(map[string][]string)
		for list, want := range words {
			if !slices.Equal(slices.Sorted(slices.Values(got[list])), slices.Sorted(slices.Values(want))) {
				t.Errorf("%s: the refusal lists %v to %s, and %v are taken", c, got[list], list, want)
			}
		}
		if want, ok := avoided[c]; ok && (!slices.Equal(got["avoid"], want.avoid) || !slices.Equal(got["exclude"], want.exclude)) {
			t.Errorf("%s: %v", c, got)
		}
	}
}

func TestAvoidContradicts(t *testing.T) {
	for own, ok := range map[string]bool{`0`: true, `0.0`: true, `null`: true, ``: true, `0.5`: false, `1`: false, `true`: false} {
		chosen := map[string]json.RawMessage{"use_tolls": json.RawMessage(own)}
		set, err := Avoid(Auto, []string{"tolls"}, nil, chosen)
		if ok != (err == nil) || ok && (string(chosen["use_tolls"]) != "0" || len(set) != 1) || !ok && (string(chosen["use_tolls"]) != own || !fault.Is(err, fault.InvalidAvoid)) {
			t.Errorf("use_tolls %q: %v, then %s", own, err, chosen)
		}
	}
	if _, err := Avoid(Auto, nil, []string{"tolls"}, map[string]json.RawMessage{"exclude_tolls": json.RawMessage("true")}); err != nil {
		t.Error(err)
	}
	if set, err := Avoid(Auto, nil, nil, nil); err != nil || len(set) != 0 {
		t.Error(set, err)
	}
}

// Of many words that fail ten are reported, and one line counts the others; nothing is set.
func TestAvoidReportsSome(t *testing.T) {
	for _, n := range []int{1, 9, 10, 11, 25} {
		for name, words := range map[string][]string{"unknown": slices.Repeat([]string{"zebras"}, n), "contradictions": slices.Repeat([]string{"tolls"}, n)} {
			chosen := map[string]json.RawMessage{"use_tolls": json.RawMessage("1")}
			_, err := Avoid(Auto, append(words, "ferries"), nil, chosen)
			var problem *fault.Error
			if !errors.As(err, &problem) {
				t.Fatal(err)
			}
			got, _ := problem.Fields["problems"].([]string)
			want := min(n, 10)
			if n > 10 {
				want++
				if last := got[len(got)-1]; last[:len(fmt.Sprint(n-10))] != fmt.Sprint(n-10) {
					t.Errorf("%s: %d words fail: %s", name, n, last)
				}
			}
			if len(got) != want || len(chosen) != 1 {
				t.Errorf("%s: %d words fail: %d problems, want %d; chosen %s", name, n, len(got), want, chosen)
			}
		}
	}
}

func TestSameValue(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"0", "0.0", true}, {"1e0", "1", true}, {"true", "true", true}, {"0", "false", false}, {"0", "1", false}, {"", "0", false}, {"0", "", false}, {"x", "x", false}, {`"a"`, `"\u0061"`, true}} {
		if got := SameValue(json.RawMessage(c.a), json.RawMessage(c.b)); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
