package blob

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// names are those that stores have had trouble with.
var names = []string{"plain", "a/b/c.pmtiles", "with space", "plus+and=equals&ampersand", "per%cent", "hash#question?", "ünïcode/ñame", "semi;colon,comma", "tilde~'quote'", "(round)[square]"}

// conforms holds a store to what all of them promise.
func conforms(t *testing.T, s Store) {
	t.Helper()
	ctx := t.Context()
	for i, name := range names {
		content := bytes.Repeat([]byte{byte('a' + i)}, 1000+i)
		copy(content[500:], "middle")
		if err := s.Write(ctx, name, bytes.NewReader(content), int64(len(content))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		info, err := s.Stat(ctx, name)
		if err != nil || info.Size != int64(len(content)) || info.ETag == "" {
			t.Fatalf("%s: %+v, %v", name, info, err)
		}
		if all, err := All(ctx, s, name, 5000); err != nil || !bytes.Equal(all, content) {
			t.Errorf("%s: %d bytes, %v", name, len(all), err)
		}
		if got := part(t, s, name, Span{500, 6, info.ETag}); got != "middle" {
			t.Errorf("%s: the middle is %q", name, got)
		}
		if got := part(t, s, name, Span{info.Size - 1, 1, ""}); got != string(content[len(content)-1:]) {
			t.Errorf("%s: the end is %q", name, got)
		}
	}
	if _, err := All(ctx, s, "plain", 10); err == nil {
		t.Error("a file above the limit is read")
	}
	before, err := s.Stat(ctx, "plain")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(ctx, "plain", strings.NewReader("another"), 7); err != nil {
		t.Fatal(err)
	}
	if err := read(s, t, "plain", Span{0, 7, before.ETag}); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that has changed: %v", err)
	}
	for _, name := range []string{"absent", "plain/below", "a", "a/b", "a/b/absent"} {
		if _, err := s.Stat(ctx, name); !errors.Is(err, ErrNotFound) {
			t.Errorf("stat %s: %v", name, err)
		}
		if err := read(s, t, name, Span{0, 1, ""}); !errors.Is(err, ErrNotFound) {
			t.Errorf("read %s: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "..", "../plain", "/etc/passwd", "a/../plain", "a//b/c.pmtiles", "./plain", "a\\b", "a\x00", "a/"} {
		if _, err := s.Stat(ctx, name); !errors.Is(err, ErrNotFound) {
			t.Errorf("stat %q: %v", name, err)
		}
		if err := read(s, t, name, Span{0, 1, ""}); !errors.Is(err, ErrNotFound) {
			t.Errorf("read %q: %v", name, err)
		}
		if err := s.Write(ctx, name, strings.NewReader("x"), 1); err == nil {
			t.Errorf("%q is written", name)
		}
	}
}

// creates compares Create and List of a store with what is promised.
func creates(t *testing.T, s Store) {
	t.Helper()
	ctx := t.Context()
	if names, err := s.List(ctx, "absent", "", 5); err != nil || len(names) != 0 {
		t.Errorf("a folder that is not there has %v, %v", names, err)
	}
	for i := range 5 {
		if err := s.Create(ctx, fmt.Sprintf("list/%d", i), strings.NewReader("x"), 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Create(ctx, "list/deep/0", strings.NewReader("x"), 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Create(ctx, "list/short", strings.NewReader("x"), 2); err == nil {
		t.Error("a file with fewer bytes than announced is created")
	}
	for _, c := range []struct {
		after string
		most  int
		want  string
	}{{"", 9, "[0 1 2 3 4]"}, {"", 2, "[0 1]"}, {"1", 2, "[2 3]"}, {"3", 2, "[4]"}, {"4", 2, "[]"}, {"10", 1, "[2]"}} {
		if names, err := s.List(ctx, "list", c.after, c.most); err != nil || fmt.Sprint(names) != c.want {
			t.Errorf("after %q at most %d: %v, %v; want %s", c.after, c.most, names, err, c.want)
		}
	}
	if _, err := s.List(ctx, "../list", "", 1); err == nil {
		t.Error("a folder outside is listed")
	}
}

func TestCreateAtOnce(t *testing.T) { createdOnce(t, NewFolder(t.TempDir())) }

// createdOnce creates a file sixteen times at once: one succeeds, and the file is its.
func createdOnce(t *testing.T, s Store) {
	t.Helper()
	ctx := t.Context()
	var work sync.WaitGroup
	var won, lost atomic.Int32
	var winner atomic.Value
	for i := range 16 {
		work.Go(func() {
			text := strings.Repeat(string(rune('a'+i)), 100_000)
			switch err := s.Create(ctx, "made/once", strings.NewReader(text), int64(len(text))); {
			case err == nil:
				won.Add(1)
				winner.Store(text)
			case errors.Is(err, ErrExists):
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	work.Wait()
	if won.Load() != 1 || lost.Load() != 15 {
		t.Fatalf("%d made it and %d came too late", won.Load(), lost.Load())
	}
	if all, err := All(ctx, s, "made/once", 200_000); err != nil || string(all) != winner.Load() {
		t.Errorf("the file has %d bytes of another, %v", len(all), err)
	}
}

func read(s Reader, t *testing.T, name string, p Span) error {
	t.Helper()
	r, err := s.Read(t.Context(), name, p)
	if err != nil {
		return err
	}
	_, err = io.ReadAll(r)
	return errors.Join(err, r.Close())
}

func part(t *testing.T, s Reader, name string, p Span) string {
	t.Helper()
	r, err := s.Read(t.Context(), name, p)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	data, err := io.ReadAll(r)
	if err != nil || r.Close() != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(data)
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	s := NewFolder(filepath.Join(dir, "made", "when written"))
	if _, err := s.Stat(t.Context(), "absent"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a folder that is not there: %v", err)
	}
	conforms(t, s)
	creates(t, s)
	if err := s.Write(t.Context(), "short", strings.NewReader("x"), 2); err == nil {
		t.Error("a file with fewer bytes than announced is written")
	}
	if _, err := s.Stat(t.Context(), "short"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a file that was not written whole: %v", err)
	}
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "made", "when written", "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := read(s, t, "link", Span{0, 6, ""}); err == nil {
		t.Error("a link out of the folder is followed")
	}
}

func TestOpen(t *testing.T) {
	for place, ok := range map[string]bool{"folder": true, "s3://bucket": true, "s3://bucket/deep/prefix/": true, "s3://": false, "s3:///key": false} {
		if _, err := Open(place); (err == nil) != ok {
			t.Errorf("%s: %v", place, err)
		}
	}
	for _, address := range []string{"ftp://host", "http://-host", "http://"} {
		t.Setenv(endpointVariable, address)
		if _, err := Open("s3://bucket"); err == nil {
			t.Errorf("a bucket is opened at %s", address)
		}
	}
}
