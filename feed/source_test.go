package feed

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReadList(t *testing.T) {
	look := func(name string) (string, bool) { return `a"b`, name == "KEY" }
	list, err := ReadList(strings.NewReader(`{"feeds":[
		{"id":"uk","kind":"fuel","format":"fuel-finder","url":"https://example.com/x?k=${KEY}","every":"15m","headers":{"X":"${KEY}"}},
		{"id":"mine","kind":"fuel","url":"prices.csv"}]}`), "/etc/feeds", look)
	if err != nil || len(list) != 2 || list[0].Headers["X"] != `a"b` || list[0].Every != Duration(15*time.Minute) || list[1].URL != "/etc/feeds/prices.csv" || list[0].Shown() != "https://example.com/x" {
		t.Fatalf("%v %+v", err, list)
	}
	for text, says := range map[string]string{
		`{"feeds":[{"id":"A","kind":"fuel","url":"x"}]}`:                                                   `id "A"`,
		`{"feeds":[{"id":"a","url":"x"}]}`:                                                                 "kind is missing",
		`{"feeds":[{"id":"a","kind":"fuel"}]}`:                                                             "url is missing",
		`{"feeds":[{"id":"a","kind":"fuel","url":"x"},{"id":"a","kind":"fuel","url":"y"}]}`:                "twice",
		`{"feeds":[{"id":"a","kind":"fuel","url":"${OTHER}"}]}`:                                            "${OTHER}",
		`{"feeds":[{"id":"a","kind":"fuel","url":"x","evry":"1s"}]}`:                                       "evry",
		`{"feeds":[{"id":"a","kind":"fuel","url":"x","every":"-1s"}]}`:                                     "below zero",
		`{"feeds":[{"id":"a","kind":"fuel","url":"x","oauth":{"token_url":"https://x","client_id":"y"}}]}`: "oauth is for",
		`[`: "EOF",
	} {
		if _, err := ReadList(strings.NewReader(text), "", look); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

func TestListed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.csv", "A b.json.gz", ".hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := Listed("fuel", "https://example.com/prices.csv", dir)
	var ids []string
	for _, s := range list {
		ids = append(ids, s.ID)
		if err := s.check(); err != nil {
			t.Error(err)
		}
	}
	if got := strings.Join(ids, " "); err != nil || got != "fuel-prices-csv fuel-a-b-json fuel-b-csv" {
		t.Errorf("%v %s", err, got)
	}
	if _, err := Listed("fuel", filepath.Join(dir, "none")); err == nil {
		t.Error("a file that is not there is listed")
	}
}

func input(text string) *Input {
	return &Input{Reader: bufio.NewReader(strings.NewReader(text)), Source: &Source{}, Report: &Report{}, Now: noon}
}

func TestEachRow(t *testing.T) {
	for text, want := range map[string]string{
		"Id,Name\n1,a\n2,\"b,c\"\n":     "1=a 2=b,c",
		"id;NAME;x\n1;a\n2;b;;;\n":      "1=a 2=b",
		"\"id\"\t\"name\"\n1\t a \n":    "1=a",
		"id|name\n1|a \"quoted\" one\n": `1=a "quoted" one`,
	} {
		var got []string
		if err := EachRow(input(text), func(r Row) error { got = append(got, r.Get("id")+"="+r.Get("none", "name")); return nil }); err != nil {
			t.Error(err)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
	for _, text := range []string{"", "<html>", "{}", "alone\n1\n"} {
		if err := EachRow(input(text), func(Row) error { return nil }); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

func FuzzRecords(f *testing.F) {
	f.Add(`{"data":[1,{"a":[]}],"x":{}}`)
	f.Add("a;b\n1;2\n")
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		_ = EachJSON(input(text), Walk{Lists: []string{"data"}, Each: func(raw json.RawMessage) error {
			if !json.Valid(raw) {
				t.Errorf("%q is no JSON", raw)
			}
			n++
			return nil
		}})
		_ = EachRow(input(text), func(r Row) error { n++; _ = r.Get("a"); return nil })
		if n > 2*len(text)+2 {
			t.Errorf("%d records of %d bytes", n, len(text))
		}
	})
}

func FuzzList(f *testing.F) {
	f.Add(`{"feeds":[{"id":"a","kind":"fuel","url":"${X}"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ReadList(strings.NewReader(text), "/d", func(string) (string, bool) { return `"}`, true })
		for i := range list {
			if e := list[i].check(); e != nil && err == nil {
				t.Error(e)
			}
		}
	})
}
