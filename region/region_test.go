package region

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
)

// build seals a region of two sections in dir. The content decides the files'
// names.
func build(t testing.TB, dir, content string) *Manifest {
	t.Helper()
	m := &Manifest{ID: "test", Name: "Test", Built: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Bounds: geo.Bounds{Max: geo.Point{Lon: 1, Lat: 1}}}
	for _, name := range []string{"one", "two"} {
		a := &Arrays{}
		Put(a, "text", []byte(name+" "+content))
		path := filepath.Join(dir, name+".new")
		if err := a.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		info, err := Adopt(dir, path, name, 3)
		if err != nil {
			t.Fatal(err)
		}
		m.Sections = append(m.Sections, info)
	}
	if err := Seal(dir, m); err != nil {
		t.Fatal(err)
	}
	return m
}

func text(r *Region, name string) (string, error) {
	s, err := r.Section(name, 1, 3)
	if err != nil {
		return "", err
	}
	v, err := Array[byte](s, "text")
	return string(v), err
}

func sections(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"+sectionSuffix))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	want := build(t, dir, "here")
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := text(r, "two"); err != nil || got != "two here" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, want := fmt.Sprint(*r.Manifest), fmt.Sprint(*want); got != want {
		t.Errorf("manifest %s, want %s", got, want)
	}
	version := want.Sections[0].Version
	if b, err := r.Bytes("one", version, version); err != nil || int64(len(b)) != want.Sections[0].Size {
		t.Errorf("bytes of one: %d, %v", len(b), err)
	}
	if b, err := r.Bytes("three", 0, 9); b != nil || err != nil {
		t.Errorf("there are bytes of a section that is none: %d, %v", len(b), err)
	}
	var newer *NewerFormatError
	if _, err := r.Bytes("one", 0, version-1); !errors.As(err, &newer) {
		t.Errorf("a section of a newer format: %v", err)
	}
	if _, err := r.Bytes("one", version+1, version+1); err == nil {
		t.Error("a section of an old format was handed out")
	}
	for _, c := range []struct {
		name           string
		oldest, newest int
		want           string
	}{
		{"three", 1, 9, "no section three: import again"},
		{"one", 1, 2, "section one has format version 3 and this build reads up to 2: upgrade waygate"},
		{"one", 4, 5, "old format version 3 (this build reads from 4): import again"},
	} {
		if _, err := r.Section(c.name, c.oldest, c.newest); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("section %s from %d to %d: %v, want %q", c.name, c.oldest, c.newest, err, c.want)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if err := r.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if err := Verify(t.Context(), dir); err != nil {
		t.Error(err)
	}
}

func TestEmptySectionFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := Adopt(dir, path, "empty", 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := Seal(dir, &Manifest{ID: "x", Sections: []SectionInfo{info}}); err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Section("empty", 1, 1); err == nil {
		t.Error("nothing was taken for a section of arrays")
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestManifestRefused(t *testing.T) {
	for _, c := range []struct{ what, manifest, want string }{
		{"not JSON", "{", "manifest is not readable"},
		{"no format", "{}", "no format version"},
		{"a newer format", `{"format": 99}`, "region has format version 99 and this build reads up to 1: upgrade waygate"},
		{"a path up", `{"format":1,"sections":[{"name":"one","file":"../one"}]}`, `outside the region: "../one"`},
		{"a path down", `{"format":1,"sections":[{"name":"one","file":"a/b"}]}`, "outside the region"},
		{"an absolute path", `{"format":1,"sections":[{"name":"one","file":"/etc/passwd"}]}`, "outside the region"},
		{"the folder itself", `{"format":1,"sections":[{"name":"one","file":"."}]}`, "outside the region"},
		{"its parent", `{"format":1,"sections":[{"name":"one","file":".."}]}`, "outside the region"},
		{"no file", `{"format":1,"sections":[{"name":"one"}]}`, "outside the region"},
		{"one name twice", `{"format":1,"sections":[{"name":"one","file":"a"},{"name":"one","file":"b"}]}`, "section one twice"},
		{"a missing file", `{"format":1,"sections":[{"name":"one","file":"lost.section","size":1}]}`, "section one: "},
		{"a size below zero", `{"format":1,"sections":[{"name":"one","file":"region.json","size":-1}]}`, "the manifest says -1"},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, ManifestName), []byte(c.manifest), 0o644); err != nil {
				t.Fatal(err)
			}
			r, err := Open(dir)
			if r != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if err := Verify(t.Context(), dir); err == nil {
				t.Error("it verifies")
			}
		})
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrNotSealed) {
		t.Errorf("an empty folder: %v", err)
	}
	var newer *NewerFormatError
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ManifestName), []byte(`{"format":2}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadManifest(dir); !errors.As(err, &newer) || newer.Got != 2 {
		t.Errorf("a newer format: %v", err)
	}
}

func TestDamage(t *testing.T) {
	for _, c := range []struct {
		what         string
		damage       func(path string, data []byte) error
		open, verify string // what the errors must say; open "" where opening must work
	}{
		{"a flipped byte", func(path string, data []byte) error {
			data[len(data)/2] ^= 1
			return os.WriteFile(path, data, 0o644)
		}, "", "section two: two-"},
		{"a byte too many", func(path string, data []byte) error { return os.WriteFile(path, append(data, 0), 0o644) }, "the manifest says", "the manifest says"},
		{"cut short", func(path string, data []byte) error { return os.WriteFile(path, data[:len(data)-1], 0o644) }, "import again", "bytes, the manifest says"},
		{"gone", func(path string, _ []byte) error { return os.Remove(path) }, "section two", "section two"},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			m := build(t, dir, c.what)
			path := filepath.Join(dir, m.Sections[1].File)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.damage(path, data); err != nil {
				t.Fatal(err)
			}
			if err := Verify(t.Context(), dir); err == nil || !strings.Contains(err.Error(), c.verify) || strings.Contains(err.Error(), "section one") {
				t.Errorf("verify: %v, want %q", err, c.verify)
			}
			r, err := Open(dir)
			if c.open == "" {
				if err != nil {
					t.Fatal(err)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.open) {
				t.Errorf("open: %v, want %q", err, c.open)
			}
		})
	}
}

func TestVerifyNamesEverySection(t *testing.T) {
	dir := t.TempDir()
	m := build(t, dir, "x")
	for _, s := range m.Sections {
		if err := os.Remove(filepath.Join(dir, s.File)); err != nil {
			t.Fatal(err)
		}
	}
	err := Verify(t.Context(), dir)
	if err == nil || !strings.Contains(err.Error(), "section one") || !strings.Contains(err.Error(), "section two") {
		t.Errorf("got %v", err)
	}
}

func TestSealSweeps(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "old")
	other := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(other, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	held, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	build(t, dir, "middle")
	if previous, err := OpenPrevious(dir); err != nil {
		t.Error(err)
	} else if got, err := text(previous, "two"); err != nil || got != "two old" || previous.Close() != nil {
		t.Errorf("the region before says %q, %v", got, err)
	}
	m := build(t, dir, "new")
	build(t, dir, "new") // the same again leaves the one before
	previous, err := readManifest(filepath.Join(dir, PreviousName))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{m.Sections[0].File, m.Sections[1].File, previous.Sections[0].File, previous.Sections[1].File}
	got := sections(t, dir)
	for i := range got {
		got[i] = filepath.Base(got[i])
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("left are %v, want %v", got, want)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("a file that is no section was swept away: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, ManifestName+".new")); err == nil {
		t.Error("the unfinished manifest is still there")
	}
	// The old region stays readable for those who hold it.
	if got, err := text(held, "one"); err != nil || got != "one old" {
		t.Errorf("the held region says %q, %v", got, err)
	}
	if err := held.Close(); err != nil {
		t.Error(err)
	}
}

func TestSealKeepsTheOldRegionWhereItCannotWrite(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "old")
	// A manifest that JSON cannot say: the box of nothing.
	if err := Seal(dir, &Manifest{ID: "x", Bounds: geo.NoBounds()}); err == nil {
		t.Fatal("sealed")
	}
	if err := Verify(t.Context(), dir); err != nil {
		t.Errorf("the old region: %v", err)
	}
}

// TestOpenAndSealAtOnce opens as fast as it can while other regions take the
// folder one after the other: it gets one of them whole, always.
func TestOpenAndSealAtOnce(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "0")
	done := make(chan struct{})
	var wg sync.WaitGroup
	var opened atomic.Int64
	for range 4 {
		wg.Go(func() {
			for {
				r, err := Open(dir)
				if err != nil {
					t.Error(err)
					return
				}
				one, err1 := text(r, "one")
				two, err2 := text(r, "two")
				if err1 != nil || err2 != nil || strings.TrimPrefix(one, "one ") != strings.TrimPrefix(two, "two ") {
					t.Errorf("a region of two: %q (%v) and %q (%v)", one, err1, two, err2)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				opened.Add(1)
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 40 {
		build(t, dir, fmt.Sprint(i))
	}
	close(done)
	wg.Wait()
	if opened.Load() == 0 {
		t.Error("nothing was opened")
	}
}

func TestBorrow(t *testing.T) {
	dir := t.TempDir()
	m := build(t, dir, "lent")
	if err := WithSection(dir, m.Sections[0], func(s *Section) error {
		v, err := Array[byte](s, "text")
		if string(v) != "one lent" {
			t.Errorf("lent %q", v)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	want := errors.New("no use")
	if err := WithSection(dir, m.Sections[0], func(*Section) error { return want }); !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
	if err := WithSection(dir, SectionInfo{Name: "x", File: "lost"}, func(*Section) error { return nil }); err == nil {
		t.Error("lent a file that does not exist")
	}
}

func TestManifestInJSON(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "x")
	data, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if v, ok := m["osm_timestamp"]; !ok || v != nil {
		t.Errorf("an unknown timestamp is %v, want null", v)
	}
}
