package feed

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

// taken returns how many bytes a call allocates in all.
func taken(t *testing.T, call func()) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// repeated returns a text again and again, of so many bytes in all.
func repeated(text string, bytes int64) io.Reader {
	return io.LimitReader(&again{text: strings.Repeat(text, 16<<10)}, bytes)
}

type again struct {
	text string
	at   int
}

func (a *again) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], a.text[a.at:])
		n, a.at = n+k, (a.at+k)%len(a.text)
	}
	return n, nil
}

// bomb returns a file of gzip of what begins with one text and goes on with another.
func bomb(t *testing.T, begin, goesOn string, size int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bomb.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(z, io.MultiReader(strings.NewReader(begin), repeated(goesOn, size)))
	if err := errors.Join(err, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// numbers returns a kind that counts the records of a list, a table or XML, and holds the
// bytes of their texts.
func numbers() Kind[int] {
	return Kind[int]{Read: func(_ context.Context, in *Input, _ int) (int, int, error) {
		n := 0
		switch in.Sniff() {
		case JSON:
			err := EachJSON(in, Walk{Lists: []string{"data"}, Each: func(raw json.RawMessage) error {
				var x struct {
					Name string `json:"name"`
				}
				if err := json.Unmarshal(raw, &x); err != nil || TooLong(x.Name) {
					in.Report.Reject("no record as expected", "%v", err)
					return nil
				}
				n++
				return nil
			}})
			return n, n, err
		case XML:
			d := NewXML(in)
			for {
				_, err := d.Token()
				if errors.Is(err, io.EOF) {
					return n, n, nil
				}
				if err != nil {
					return n, n, err
				}
				n++
			}
		}
		err := EachRow(in, func(r Row) error {
			if TooLong(r.Get("name")) {
				in.Report.Reject(LongText, "line %d", r.Line)
				return nil
			}
			n++
			return nil
		})
		return n, n, err
	}}
}

// TestBombs has sources say without end what real ones say once. The poll fails and
// says why, what was in force stays, and no more memory is taken than a few records
// have.
func TestBombs(t *testing.T) {
	const large = 96 << 20
	good := `{"data":[{"name":"one"}]}`
	for name, c := range map[string]struct {
		begin, goesOn string
		size          int64
		says          string
	}{
		"blanks":                    {"", " ", large, "web page, no"},
		"blanks before a list":      {`{"data":`, " ", large, "a record has more than 4194304 bytes"},
		"blanks between records":    {`{"data":[{},`, "\n", large, "a record has more than 4194304 bytes"},
		"blanks after all":          {good, " ", large, "a record has more than 4194304 bytes"},
		"a text without end":        {`{"data":[{"name":"`, "x", large, "a record has more than 4194304 bytes"},
		"a member beside":           {`{"else":"`, "x", large, "a record has more than 4194304 bytes"},
		"a name of a member":        {`{"`, "x", large, "a record has more than 4194304 bytes"},
		"a record of many members":  {`{"data":[{`, `"a":1,`, large, "a record has more than 4194304 bytes"},
		"lists in lists":            {`{"data":[`, `[`, large, "exceeded max depth"},
		"lists on the way":          {``, `{"data":`, large, "more than 16 deep"},
		"a line without end":        {"a,b\n1,", "x", large, "a record has more than 4194304 bytes"},
		"a first line without end":  {"a,b", "x", large, "a record has more than 4194304 bytes"},
		"a first line of commas":    {"a,b", ",", 1 << 20, "names 1048578 columns, the limit is 1000"},
		"a quotation without end":   {"a,b\n1,\"", "x\n", large, "a record has more than 4194304 bytes"},
		"lines without anything":    {"a,b\n", "\n", large, "a record has more than 4194304 bytes"},
		"elements in elements":      {"", "<a>", large, "more than 256 deep"},
		"a text of XML without end": {"<a>", "x", large, "a record has more than 4194304 bytes"},
		"a tag without end":         {"<a ", "b='c' ", large, "a record has more than 4194304 bytes"},
		"a remark without end":      {"<a><!--", "x", large, "a record has more than 4194304 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			f, path := fileFeed(t, good)
			if err := os.Rename(bomb(t, c.begin, c.goesOn, c.size), path); err != nil {
				t.Fatal(err)
			}
			var failed error
			used := taken(t, func() { failed = f.Poll(t.Context()) })
			if name == "blanks" {
				c.says = "no table" // what begins with blanks alone is taken for one
			}
			if failed == nil || !strings.Contains(failed.Error(), c.says) {
				t.Errorf("%v, want %q", failed, c.says)
			}
			if s := f.Status(); s.State != Failing || s.Records != 1 || s.Error == "" || f.Latest().Value != 1 {
				t.Errorf("%+v", s)
			}
			if used > 180<<20 {
				t.Errorf("%d MiB are taken", used>>20)
			}
		})
	}
}

// fileFeed returns a feed that has read a file with the text once, and the file's path.
func fileFeed(t *testing.T, text string) (f *Feed[int], path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "feed")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if f, err = New(Options{Log: slog.New(slog.DiscardHandler)}, Source{ID: "x", Kind: "x", URL: path}, numbers()); err != nil {
		t.Fatal(err)
	}
	if err := f.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f, path
}

// TestOneLongText checks that a record with a text that is too long is left out and
// counted, and the others are taken.
func TestOneLongText(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, text := range map[string]string{
		"JSON": `{"data":[{"name":"one"},{"name":"` + long + `"},{"name":"three"}]}`,
		"CSV":  "id,name\n1,one\n2," + long + "\n3,three\n",
		// The other column is read by nobody, but what it swallows is.
		"CSV with a quotation that is none": "id,name,x\n1,one,\n2,two,\"" + strings.Repeat("x\n", 600) + "\"\n3,three," + long + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := fileFeed(t, text)
			if s := f.Status(); s.State != OK || s.Records != 2 || s.Rejected != 1 || len(s.Rejects[0].Example) > 2*longestExample {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestTooManyRecords counts those that are rejected too.
func TestTooManyRecords(t *testing.T) {
	text := "[" + strings.Repeat("0,", MaxRecords) + "0]"
	n := 0
	err := EachJSON(input(text), Walk{Each: func(json.RawMessage) error { n++; return nil }})
	if err == nil || !strings.Contains(err.Error(), "more than 1000000 records") || n != MaxRecords {
		t.Errorf("%d records, %v", n, err)
	}
	n = 0
	err = EachRow(input("a,b\n"+strings.Repeat("1,2\n", MaxRecords+1)), func(Row) error { n++; return nil })
	if err == nil || !strings.Contains(err.Error(), "more than 1000000 records") || n != MaxRecords {
		t.Errorf("%d rows, %v", n, err)
	}
}

// TestZipOfManyFiles reads a zip whose list of files is what is large.
func TestZipOfManyFiles(t *testing.T) {
	const files = 200_000
	var b bytes.Buffer
	entry := func(signature string, more int) []byte {
		e := make([]byte, 30+more)
		copy(e, signature)
		e[26+more/8] = 1 // the length of its name: at 26 of a file, at 28 of the list
		return append(e, 'a')
	}
	b.Write(entry("PK\x03\x04", 0))
	list := b.Len()
	one := entry("PK\x01\x02", 16)
	for range files {
		b.Write(one)
	}
	end := make([]byte, 22)
	copy(end, "PK\x05\x06")
	// The number of files has 16 bits here; the reader goes on as long as there are
	// more, and compares the last 16 bits.
	for _, at := range []int{8, 10} {
		end[at], end[at+1] = byte(files&0xff), byte(files>>8&0xff)
	}
	size := b.Len() - list
	end[12], end[13], end[14], end[15] = byte(size), byte(size>>8), byte(size>>16), byte(size>>24)
	end[16] = byte(list)
	b.Write(end)
	path := filepath.Join(t.TempDir(), "many.zip")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := New(Options{Log: slog.New(slog.DiscardHandler)}, Source{ID: "x", Kind: "x", URL: path}, numbers())
	if err != nil {
		t.Fatal(err)
	}
	var failed error
	used := taken(t, func() { failed = f.Poll(t.Context()) })
	if failed == nil || !strings.Contains(failed.Error(), "packed as zip") || used > 60<<20 {
		t.Errorf("%v, %d MiB", failed, used>>20)
	}
}

func TestClip(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("x", MaxText), strings.Repeat("ü", MaxText), "x" + strings.Repeat("€", MaxText)} {
		got := Clip(text)
		if len(got) > MaxText || len(text) <= MaxText && got != text || !utf8.ValidString(got) || !strings.HasPrefix(text, got) || len(text) > MaxText && len(got) < MaxText-3 {
			t.Errorf("%d bytes become %d", len(text), len(got))
		}
	}
}

// TestXMLDepth checks that elements that are decoded or passed over do not count as
// open.
func TestXMLDepth(t *testing.T) {
	d := NewXML(strings.NewReader("<a>" + strings.Repeat("<b><c/></b>", 2*maxNested) + "</a>"))
	n := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(xml.StartElement); ok && s.Name.Local == "b" {
			if n++; n%2 == 0 {
				err = d.Skip()
			} else {
				err = d.DecodeElement(&struct{}{}, &s)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if n != 2*maxNested {
		t.Errorf("%d elements", n)
	}
}
