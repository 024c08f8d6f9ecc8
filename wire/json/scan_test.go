package json_test

import (
	stdjson "encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/wire/json"
)

// documents are texts that are JSON, and texts that nearly are.
var documents = []string{
	``, ` `, `{}`, `[]`, `{}x`, ` { } `, `{"a":1}`, `{"a":1,}`, `{"a"}`, `{"a":}`, `{,}`, `[,]`, `[1,]`, `[1 2]`, `{"a":1 "b":2}`, `{a:1}`, `{1:1}`, `{"a" : [ 1 , 2 ] }`,
	`[1]]`, `[[1]`, `{"a":[}`, `[}`, `{]`, `tru`, `true`, `nul`, `nulls`, `false `, `0`, `-0`, `-`, `01`, `-01`, `1.`, `.5`, `1.5e`, `1e5`, `1E+5`, `1e-`, `1.25e-10`, `+1`, `0x1`, `NaN`, `1a`,
	`"`, `"a`, `"a"`, `"\"`, `"\\"`, `"\x"`, `"\u12"`, `"\u12G4"`, `"\u00e4"`, "\"\x00\"", "\"a\nb\"", "\"\x7f\"", "\"\xff\"", `"ä"`, `"1234567"`, `"12345678"`, `"123456789\n"`, `"ÄÖÜäöüßß"`, "\"12345678\x1f\"",
	`"1234567\"`, `"12345678\\"`, `{"12345678":"1234567\"8"}`, "\xef\xbb\xbf{}", "{}\x00", `'a'`, `{"a":1}{"b":2}`, "[\t1\r\n]", "[\v1]", `"` + strings.Repeat("x", 100) + `"`,
}

// TestValid compares the verdict on documents, and on all beginnings and changes of a byte of
// some, with that of encoding/json. Nesting ends where it does there.
func TestValid(t *testing.T) {
	same := func(doc string) {
		t.Helper()
		if got, want := json.Valid([]byte(doc)), stdjson.Valid([]byte(doc)); got != want {
			t.Errorf("%.80q: %v, want %v", doc, got, want)
		}
		if got := json.Each([]byte(doc), []string{"a", "a.*", "*", "*.a"}, func(json.Place) {}); got != stdjson.Valid([]byte(doc)) {
			t.Errorf("%.80q, by paths: %v", doc, got)
		}
	}
	const route = `{"trip":{"legs":[{"shape":"a\\b\"cä","time":1.5e3,"x":[true,false,null,-0.1]}]},"a":[{"a":"\u00fc"}]}`
	for _, doc := range documents {
		same(doc)
	}
	for i := range len(route) {
		same(route[:i])
		for _, c := range []byte("\"\\{}[],:0-e.tx \x01\xff") {
			same(route[:i] + string([]byte{c}) + route[i+1:])
			same(route[:i] + string([]byte{c}) + route[i:])
		}
	}
	for _, n := range []int{9_999, 10_000, 10_001} {
		same(strings.Repeat("[", n) + strings.Repeat("]", n))
		same(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n))
	}
}

func FuzzValid(f *testing.F) {
	for _, doc := range documents {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		if got, want := json.Valid(doc), stdjson.Valid(doc); got != want {
			t.Errorf("%q: %v, want %v", doc, got, want)
		}
		if got, want := json.Each(doc, []string{"a.*.b", "a"}, func(json.Place) {}), stdjson.Valid(doc); got != want {
			t.Errorf("%q, by paths: %v, want %v", doc, got, want)
		}
	})
}

// BenchmarkValid checks an answer of a routing engine, beside encoding/json.
func BenchmarkValid(b *testing.B) {
	var s strings.Builder
	s.WriteString(`{"trip":{"legs":[{"maneuvers":[`)
	for i := range 40 {
		fmt.Fprintf(&s, `{"type":10,"instruction":"Turn right onto Straße %d.","begin_shape_index":%d,"time":1.5,"length":0.1,"street_names":["Straße %d"],"travel_mode":"drive"},`, i, i, i)
	}
	s.WriteString(`{}],"shape":"` + strings.Repeat(`_izlhA~rlgd`, 150) + `"}]}}`)
	doc := []byte(s.String())
	for name, valid := range map[string]func([]byte) bool{"here": json.Valid, "encoding": stdjson.Valid} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if !valid(doc) {
					b.Fatal("not valid")
				}
			}
		})
	}
}
