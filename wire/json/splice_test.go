package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"testing"

	"github.com/waygate/waygate/wire/json"
)

type warning struct {
	Code int    `json:"code"`
	Text string `json:"text"`
}

func TestBlendKeepsTheBytesThatAreThere(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{`{"trip": {"a":1.50}}`, `{"trip": {"a":1.50},"adr":{"x":1},"warnings":[{"code":901,"text":"w"}]}`},
		{`{}`, `{"adr":{"x":1},"warnings":[{"code":901,"text":"w"}]}`},
		{" {\"warnings\" : [ {\"code\":1} ] , \"trip\":\"}\\\"\"}\n", " {\"warnings\" : [{\"code\":1},{\"code\":901,\"text\":\"w\"}] , \"trip\":\"}\\\"\",\"adr\":{\"x\":1}}\n"},
		{`{"warnings":[]}`, `{"warnings":[{"code":901,"text":"w"}],"adr":{"x":1}}`},
		{`{"warnings":null,"adr":7}`, `{"warnings":[{"code":901,"text":"w"}],"adr":{"x":1}}`},
		{`{"x":"\"warnings\"","adr":[]}`, `{"x":"\"warnings\"","adr":{"x":1},"warnings":[{"code":901,"text":"w"}]}`},
	} {
		got, err := json.Blend([]byte(c.answer), []json.Block{
			{Name: "adr", Value: map[string]int{"x": 1}},
			{Name: "warnings", Value: []warning{{Code: 901, Text: "w"}}, Join: true},
		}, nil)
		if err != nil || string(got) != c.want {
			t.Errorf("%s\n\tgot  %s %v\n\twant %s", c.answer, got, err, c.want)
		}
	}
	if got, err := json.Blend([]byte(`not looked at`), nil, nil); err != nil || string(got) != `not looked at` {
		t.Errorf("%s %v", got, err)
	}
	if _, err := json.Blend([]byte(`{}`), []json.Block{{Name: "adr", Value: func() {}}}, nil); err == nil {
		t.Error("a value that JSON has no form for is no error")
	}
}

func TestWithout(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{`{"a":1,"waypoints":[1,{"waypoints":2}],"b":3}`, `{"a":1,"b":3}`},
		{`{"waypoints":[],"b":3}`, `{"b":3}`},
		{`{"b":3 , "waypoints":[]}`, `{"b":3 }`},
		{`{"waypoints":[]}`, `{}`},
		{`{"b":{"waypoints":[]}}`, `{"b":{"waypoints":[]}}`},
	} {
		if got := string(json.Without([]byte(c.answer), "waypoints")); got != c.want {
			t.Errorf("%s: %s, want %s", c.answer, got, c.want)
		}
	}
}

// The objects that paths lead to are found in the order of the paths, whatever
// stands between and around them, and amended in their places.
func TestAmend(t *testing.T) {
	const doc = ` {"b":[{"x":{"t":{}}}, {"x": {"t" : {"k":"}\"]"} }}], "t":1, "a":{"t":{"z":[{"t":{}}]}},"c":{"t":{}}}`
	got := func(texts ...string) string {
		edits, err := json.Amend([]byte(doc), []string{"a.t", "b.*.x.t"}, "n", texts)
		if err != nil {
			t.Fatal(err)
		}
		return string(json.Splice([]byte(doc), edits))
	}
	want := ` {"b":[{"x":{"t":{"n":"two"}}}, {"x": {"t" : {"k":"}\"]","n":"three"} }}], "t":1, "a":{"t":{"z":[{"t":{}}],"n":"o\"ne"}},"c":{"t":{}}}`
	if s := got(`o"ne`, "two", "three", "more than there are"); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	if s := got("", "", ""); s != doc {
		t.Errorf("nothing to add made %s", s)
	}
	if s := got(); s != doc {
		t.Errorf("nothing to add made %s", s)
	}
}

// FuzzBlend compares the walk with decoding and encoding again.
func FuzzBlend(f *testing.F) {
	f.Add([]byte(`{"a":[1,2,{"b":"}"}],"warnings":[3],"c\n":null}`))
	f.Add([]byte(" { } "))
	f.Add([]byte(`{"a":"\\\"","b":-1.5e3,"warnings":{"x":[]}}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		var before map[string]any
		if stdjson.Unmarshal(answer, &before) != nil || before == nil || named(answer) != len(before) {
			return
		}
		got, err := json.Blend(answer, []json.Block{{Name: "adr", Value: 7}, {Name: "warnings", Value: []int{8}, Join: true}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var after map[string]any
		if err := stdjson.Unmarshal(got, &after); err != nil {
			t.Fatalf("%s became %s: %v", answer, got, err)
		}
		list, _ := before["warnings"].([]any)
		before["adr"], before["warnings"] = 7.0, append(list, 8.0)
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("%s became %s", answer, got)
		}
		var bare map[string]any
		if err := stdjson.Unmarshal(json.Without(got, "warnings"), &bare); err != nil {
			t.Fatal(err)
		}
		delete(before, "warnings")
		if !reflect.DeepEqual(before, bare) {
			t.Fatalf("%s without warnings: %s", got, json.Without(got, "warnings"))
		}
	})
}

// named counts the members at the top of a document; -1 where one is written
// with an escape, which names of ours never are.
func named(doc []byte) int {
	d := stdjson.NewDecoder(bytes.NewReader(doc))
	n, depth, key := 0, 0, false
	for {
		token, err := d.Token()
		if err != nil {
			break
		}
		switch token {
		case stdjson.Delim('{'), stdjson.Delim('['):
			depth++
			key = depth == 1
			continue
		case stdjson.Delim('}'), stdjson.Delim(']'):
			depth--
			key = depth == 1
			continue
		}
		if depth != 1 {
			continue
		}
		if key {
			n++
		}
		key = !key
	}
	if bytes.Contains(doc, []byte(`\u`)) {
		return -1
	}
	return n
}
