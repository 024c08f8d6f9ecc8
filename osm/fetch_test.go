package osm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// mirror serves one file the way the tests want it.
type mirror struct {
	content  []byte
	etag     string
	breakAt  int // closes the connection after so many bytes of an answer; 0 never
	breaks   int // how often
	noRanges bool
	chunked  bool     // without Content-Length
	asked    []string // Range or If-None-Match of each request
}

func (m *mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.asked = append(m.asked, r.Header.Get("Range")+r.Header.Get("If-None-Match"))
	if m.noRanges {
		r.Header.Del("Range")
	}
	if m.etag != "" {
		w.Header().Set("ETag", m.etag)
	}
	if m.chunked {
		half := len(m.content) / 2
		_, _ = w.Write(m.content[:half])
		w.(http.Flusher).Flush()
		if m.breaks > 0 {
			m.breaks--
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write(m.content[half:])
		return
	}
	if m.breaks > 0 {
		m.breaks--
		w = &breaking{w, m.breakAt}
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(m.content))
}

type breaking struct {
	http.ResponseWriter
	left int
}

func (b *breaking) Write(p []byte) (int, error) {
	if len(p) < b.left {
		b.left -= len(p)
		return b.ResponseWriter.Write(p)
	}
	_, _ = b.ResponseWriter.Write(p[:b.left])
	b.ResponseWriter.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/europe/town-latest.osm.pbf"
}

func checkFetched(t *testing.T, path string, err error, want []byte) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%d bytes, %v; want %d", len(got), err, len(want))
	}
	if _, err := os.Stat(path + ".part"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a part is left behind: %v", err)
	}
}

func content(n int) []byte {
	b := make([]byte, 0, n+8)
	for i := 0; len(b) < n; i++ {
		b = strconv.AppendInt(b, int64(i), 36)
	}
	return b[:n]
}

func TestFetch(t *testing.T) {
	m := &mirror{content: pbfBytes(t, town()), etag: `"1"`}
	url, dir := serve(t, m), t.TempDir()
	var done, size int64
	path, err := Fetch(context.Background(), url, dir, func(d, s int64) { done, size = d, s })
	checkFetched(t, path, err, m.content)
	if done != int64(len(m.content)) || size != done {
		t.Errorf("progress ends at %d of %d", done, size)
	}
	if name := filepath.Base(path); filepath.Dir(path) != dir || !strings.HasPrefix(name, "town-latest-") || !strings.HasSuffix(name, ".osm.pbf") {
		t.Errorf("the file is %s", path)
	}
	if _, _, err := load(t, path, Options{}); err != nil {
		t.Error(err)
	}

	again, err := Fetch(context.Background(), url, dir, nil)
	checkFetched(t, again, err, m.content)
	if again != path || len(m.asked) != 2 || m.asked[1] != `"1"` {
		t.Errorf("an unchanged file: %s, requests %q", again, m.asked)
	}

	m.content, m.etag = content(5000), `"2"`
	again, err = Fetch(context.Background(), url, dir, nil)
	checkFetched(t, again, err, m.content)

	elsewhere, err := Fetch(context.Background(), url+"?of=yesterday", dir, nil)
	if err != nil || elsewhere == path {
		t.Errorf("another URL gives %s, %v", elsewhere, err)
	}
}

func TestFetchResumes(t *testing.T) {
	const n = 1 << 20
	for name, c := range map[string]struct {
		m    mirror
		asks int
	}{
		"with ranges":    {mirror{etag: `"1"`, breakAt: n / 4, breaks: 3}, 4},
		"without ranges": {mirror{etag: `"1"`, breakAt: n / 4, breaks: 1, noRanges: true}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			m := c.m
			m.content = content(n)
			path, err := Fetch(context.Background(), serve(t, &m), t.TempDir(), nil)
			checkFetched(t, path, err, m.content)
			if len(m.asked) != c.asks || !strings.HasPrefix(m.asked[1], "bytes=") {
				t.Errorf("requests %q", m.asked)
			}
		})
	}
}

// A part left by a former call is used only while the file is the same.
func TestFetchResumesAFormerCall(t *testing.T) {
	const n = 1 << 20
	for name, changed := range map[string]bool{"same file": false, "changed file": true} {
		t.Run(name, func(t *testing.T) {
			m := &mirror{content: content(n), etag: `"1"`}
			url, dir := serve(t, m), t.TempDir()
			ctx, cancel := context.WithCancel(context.Background())
			_, err := Fetch(ctx, url, dir, func(done, _ int64) {
				if done > n/3 {
					cancel()
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("cancelling gives %v", err)
			}
			if changed {
				m.etag = `"2"`
				m.content = bytes.ToUpper(m.content)
			}
			var first int64
			path, err := Fetch(context.Background(), url, dir, func(done, _ int64) {
				if first == 0 {
					first = done
				}
			})
			checkFetched(t, path, err, m.content)
			if !strings.HasPrefix(m.asked[len(m.asked)-1], "bytes=") || (first > n/3) == changed {
				t.Errorf("requests %q, the first progress is %d", m.asked, first)
			}
		})
	}
}

// A download that fails must leave the file of a former one as it is.
func TestFetchKeepsTheOldFile(t *testing.T) {
	m := &mirror{content: content(1000), etag: `"1"`}
	url, dir := serve(t, m), t.TempDir()
	path, err := Fetch(context.Background(), url, dir, nil)
	old := m.content
	checkFetched(t, path, err, old)
	m.content, m.etag, m.breaks, m.breakAt = bytes.ToUpper(old), `W/"2"`, 1, 500
	if _, err := Fetch(context.Background(), url, dir, nil); err == nil || !strings.Contains(err.Error(), "broke off after 500 of 1000 bytes") {
		t.Fatalf("a broken download gives %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, old) {
		t.Errorf("the old file is damaged (%v)", err)
	}
	path, err = Fetch(context.Background(), url, dir, nil)
	checkFetched(t, path, err, m.content)
}

func TestFetchChunked(t *testing.T) {
	m := &mirror{content: content(1 << 20), chunked: true, breaks: 1}
	url, dir := serve(t, m), t.TempDir()
	if path, err := Fetch(context.Background(), url, dir, nil); err == nil || !strings.Contains(err.Error(), "broke off after 524288 bytes") {
		t.Errorf("a broken transfer of unknown length gives %s, %v", path, err)
	}
	path, err := Fetch(context.Background(), url, dir, nil)
	checkFetched(t, path, err, m.content)
}

func TestFetchRefuses(t *testing.T) {
	status := func(code int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
	}
	for url, want := range map[string]string{
		serve(t, status(http.StatusNotFound)):           "the server answers 404 Not Found",
		serve(t, status(http.StatusServiceUnavailable)): "503",
		serve(t, status(http.StatusPartialContent)):     `a part of the file with Content-Range ""`,
		"ftp://example.org/x.pbf":                       "no http or https URL",
		"https:///x.pbf":                                "no http or https URL",
	} {
		dir := t.TempDir()
		path, err := Fetch(context.Background(), url, dir, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want %q", url, path, err, want)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v, %v", url, left, err)
		}
	}
}

func TestFetchOfAWrongPart(t *testing.T) {
	calls := 0
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"1"`)
		if calls++; calls == 1 {
			w.Header().Set("Content-Length", "100")
			_, _ = fmt.Fprint(w, "only this")
			return
		}
		w.Header().Set("Content-Range", "bytes 3-99/100")
		w.WriteHeader(http.StatusPartialContent)
	}))
	_, err := Fetch(context.Background(), url, t.TempDir(), nil)
	if want := "bytes 3 to 99 of 100, not 9 to the end of 100"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}
