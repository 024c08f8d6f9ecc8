package directions

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

func TestSpliceKeepsTheEnginesBytes(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{`{"trip": {"a":1.50}}`, `{"trip": {"a":1.50},"adr":{"x":1},"warnings":[{"code":901,"text":"w"}]}`},
		{`{}`, `{"adr":{"x":1},"warnings":[{"code":901,"text":"w"}]}`},
		{" {\"warnings\" : [ {\"code\":1} ] , \"trip\":\"}\\\"\"}\n", " {\"warnings\" : [{\"code\":1},{\"code\":901,\"text\":\"w\"}] , \"trip\":\"}\\\"\",\"adr\":{\"x\":1}}\n"},
		{`{"warnings":[]}`, `{"warnings":[{"code":901,"text":"w"}],"adr":{"x":1}}`},
		{`{"warnings":null,"adr":7}`, `{"warnings":[{"code":901,"text":"w"}],"adr":{"x":1}}`},
	} {
		got, err := splice([]byte(c.answer), []block{
			{name: "adr", value: map[string]int{"x": 1}},
			{name: "warnings", value: []engine.Warning{{Code: 901, Text: "w"}}, list: true},
		})
		if err != nil || string(got) != c.want {
			t.Errorf("%s\n\tgot  %s %v\n\twant %s", c.answer, got, err, c.want)
		}
	}
	for _, bad := range []string{``, `[]`, `{"a":`, `null`} {
		if _, err := splice([]byte(bad), []block{{name: "adr"}}); !fault.Is(err, fault.Upstream) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if got, err := splice([]byte(`not looked at`), nil); err != nil || string(got) != `not looked at` {
		t.Errorf("%s %v", got, err)
	}
}

func TestWithout(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{`{"a":1,"waypoints":[1,{"waypoints":2}],"b":3}`, `{"a":1,"b":3}`},
		{`{"waypoints":[],"b":3}`, `{"b":3}`},
		{`{"b":3 , "waypoints":[]}`, `{"b":3}`},
		{`{"waypoints":[]}`, `{}`},
		{`{"b":{"waypoints":[]}}`, `{"b":{"waypoints":[]}}`},
	} {
		if got := string(without([]byte(c.answer), "waypoints")); got != c.want {
			t.Errorf("%s: %s, want %s", c.answer, got, c.want)
		}
	}
}

// FuzzSplice holds the scanner against decoding and encoding again.
func FuzzSplice(f *testing.F) {
	f.Add([]byte(`{"a":[1,2,{"b":"}"}],"warnings":[3],"c\n":null}`))
	f.Add([]byte(" { } "))
	f.Add([]byte(`{"a":"\\\"","b":-1.5e3,"warnings":{"x":[]}}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		var before map[string]any
		if json.Unmarshal(answer, &before) != nil || before == nil || duplicate(answer, "") != "" {
			return
		}
		got, err := splice(answer, []block{{name: "adr", value: 7}, {name: "warnings", value: []int{8}, list: true}})
		if err != nil {
			t.Fatal(err)
		}
		var after map[string]any
		if err := json.Unmarshal(got, &after); err != nil {
			t.Fatalf("%s became %s: %v", answer, got, err)
		}
		list, _ := before["warnings"].([]any)
		before["adr"], before["warnings"] = 7.0, append(list, 8.0)
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("%s became %s", answer, got)
		}
		var bare map[string]any
		if err := json.Unmarshal(without(got, "warnings"), &bare); err != nil {
			t.Fatal(err)
		}
		delete(before, "warnings")
		if !reflect.DeepEqual(before, bare) {
			t.Fatalf("%s without warnings: %s", got, without(got, "warnings"))
		}
	})
}
