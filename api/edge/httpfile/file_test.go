package httpfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/waygate/waygate/fault"
)

// TestParseRange compares ranges of a file of ten bytes with what RFC 9110 says of them.
func TestParseRange(t *testing.T) {
	const size = 10
	for header, want := range map[string]string{
		"":                                "0+10 whole",
		"bytes":                           "0+10 whole",
		"lines=1-2":                       "0+10 whole",
		"bytes=0-0":                       "0+1",
		"Bytes = 0-0":                     "0+1",
		"bytes= 0-0 ":                     "0+1",
		"bytes=0-9":                       "0+10",
		"bytes=9-9":                       "9+1",
		"bytes=9-":                        "9+1",
		"bytes=9-10":                      "9+1",
		"bytes=0-99999999999999999999":    "0+10",
		"bytes=-1":                        "9+1",
		"bytes=-10":                       "0+10",
		"bytes=-11":                       "0+10",
		"bytes=-99999999999999999999":     "0+10",
		"bytes=10-":                       "lies behind the file's 10 bytes",
		"bytes=10-11":                     "lies behind the file's 10 bytes",
		"bytes=99999999999999999999-":     "lies behind the file's 10 bytes",
		"bytes=-0":                        "lies behind the file's 10 bytes",
		"bytes=5-4":                       "ends before it begins",
		"bytes=0-1,3-4":                   "asks for several parts",
		"bytes=0-1,":                      "asks for several parts",
		"bytes=":                          "cannot be read",
		"bytes=-":                         "cannot be read",
		"bytes=5":                         "cannot be read",
		"bytes=x-1":                       "cannot be read",
		"bytes=1-x":                       "cannot be read",
		"bytes=+1-2":                      "cannot be read",
		"bytes=1--2":                      "cannot be read",
		"bytes=" + strings.Repeat("x", 9): "cannot be read",
	} {
		r, err := parseRange(header, size)
		got := fmt.Sprintf("%d+%d", r.from, r.length)
		switch {
		case err != nil && !fault.Is(err, fault.RangeNotSatisfiable):
			t.Errorf("%q fails with %v", header, err)
			continue
		case err != nil:
			got = err.Error()
		case r.whole:
			got += " whole"
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%q is %s, want %s", header, got, want)
		}
	}
	if _, err := parseRange("bytes=0-", 0); !fault.Is(err, fault.RangeNotSatisfiable) {
		t.Errorf("a part of an empty file: %v", err)
	}
}

func FuzzParseRange(f *testing.F) {
	f.Add("bytes=0-9", int64(10))
	f.Add("bytes=-1", int64(1))
	f.Fuzz(func(t *testing.T, header string, size int64) {
		if size < 0 {
			return
		}
		r, err := parseRange(header, size)
		if err != nil {
			return
		}
		if r.from < 0 || r.length < 0 || r.from+r.length > size || r.length == 0 && !r.whole {
			t.Errorf("%q of %d bytes is %+v", header, size, r)
		}
	})
}

// countedFile is a file of ten digits that keeps count of the bytes taken and given back.
type countedFile struct {
	File
	taken, back int64
	refusal     error
	broke       error
	cut         int64 // reading breaks off after so many bytes; 0 never does
}

func newCountedFile() *countedFile {
	const content = "0123456789"
	c := &countedFile{}
	c.File = File{
		Size: int64(len(content)), Tag: `"digits"`, Media: "text/plain",
		Open: func(_ context.Context, offset, length int64) (io.ReadCloser, error) {
			part := content[offset : offset+length]
			if c.cut > 0 {
				return io.NopCloser(io.MultiReader(strings.NewReader(part[:c.cut]), failingReader{})), nil
			}
			return io.NopCloser(strings.NewReader(part)), nil
		},
		Take: func(_ context.Context, length int64) (func(int64) error, error) {
			if c.refusal != nil {
				return nil, c.refusal
			}
			c.taken += length
			return func(unsent int64) error { c.back += unsent; return nil }, nil
		},
		Broke: func(_ context.Context, err error) { c.broke = err },
	}
	return c
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

func TestSendFile(t *testing.T) {
	for _, c := range []struct {
		method string
		in     Request
		status int
		body   string
		part   string // Content-Range
		taken  int64
	}{
		{"GET", Request{}, 200, "0123456789", "", 10},
		{"GET", Request{Range: "bytes=2-4"}, 206, "234", "bytes 2-4/10", 3},
		{"GET", Request{Range: "bytes=2-4", IfRange: `"digits"`}, 206, "234", "bytes 2-4/10", 3},
		{"GET", Request{Range: "bytes=2-4", IfRange: `"other"`}, 200, "0123456789", "", 10},
		{"GET", Request{Range: "bytes=4-2", IfRange: `"other"`}, 200, "0123456789", "", 10},
		{"GET", Request{Range: "bytes=4-2"}, 416, "", "bytes */10", 0},
		{"GET", Request{Range: "bytes=10-"}, 416, "", "bytes */10", 0},
		{"GET", Request{Range: "bytes=1-2,4-5"}, 416, "", "bytes */10", 0},
		{"GET", Request{NoneMatch: `"digits"`, Range: "bytes=2-4"}, 304, "", "", 0},
		{"GET", Request{NoneMatch: `"other"`}, 200, "0123456789", "", 10},
		{"HEAD", Request{}, 200, "", "", 0},
		{"HEAD", Request{Range: "bytes=2-4"}, 200, "", "", 0},
		{"HEAD", Request{NoneMatch: `"digits"`}, 304, "", "", 0},
	} {
		f := newCountedFile()
		w := httptest.NewRecorder()
		err := Send(w, httptest.NewRequest(c.method, "/f", nil), &c.in, &f.File)
		status := w.Code
		if fault.Is(err, fault.RangeNotSatisfiable) {
			status = http.StatusRequestedRangeNotSatisfiable
		} else if err != nil {
			t.Errorf("%s %+v: %v", c.method, c.in, err)
		}
		h := w.Header()
		if status != c.status || w.Body.String() != c.body || h.Get("Content-Range") != c.part || h.Get("Accept-Ranges") != "bytes" || h.Get("ETag") != f.Tag || f.taken != c.taken || f.back != 0 {
			t.Errorf("%s %+v: %d %q, %v, %d bytes taken, %d given back", c.method, c.in, status, w.Body, h, f.taken, f.back)
		}
		if want := map[int]string{200: "10", 206: "3"}[status]; h.Get("Content-Length") != want {
			t.Errorf("%s %+v: Content-Length %q, want %q", c.method, c.in, h.Get("Content-Length"), want)
		}
	}
}

// TestSendFails sends files that are refused, or break off.
func TestSendFails(t *testing.T) {
	get := func() *http.Request { return httptest.NewRequest(http.MethodGet, "/f", nil) }
	f := newCountedFile()
	f.refusal = errors.New("the allowance is used up")
	w := httptest.NewRecorder()
	if err := Send(w, get(), &Request{}, &f.File); !errors.Is(err, f.refusal) || w.Body.Len() > 0 || w.Header().Get("Content-Length") != "" {
		t.Errorf("refused: %v, %q, %v", err, w.Body, w.Header())
	}
	f = newCountedFile()
	f.cut = 4
	w = httptest.NewRecorder()
	if err := Send(w, get(), &Request{}, &f.File); err != nil || w.Body.String() != "0123" || f.broke == nil || f.taken != 10 || f.back != 6 {
		t.Errorf("broken off: %v, %q, %d taken, %d given back, %v", err, w.Body, f.taken, f.back, f.broke)
	}
	f = newCountedFile()
	f.Take, f.Broke, f.cut = nil, nil, 4
	w = httptest.NewRecorder()
	if err := Send(w, get(), &Request{}, &f.File); err != nil || !bytes.Equal(w.Body.Bytes(), []byte("0123")) {
		t.Errorf("broken off without hooks: %v, %q", err, w.Body)
	}
	empty := File{Tag: `"none"`, Media: "text/plain"}
	w = httptest.NewRecorder()
	if err := Send(w, get(), &Request{}, &empty); err != nil || w.Code != http.StatusOK || w.Header().Get("Content-Length") != "0" {
		t.Errorf("empty: %v, %d, %v", err, w.Code, w.Header())
	}
}
