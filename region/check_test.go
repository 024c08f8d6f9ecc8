package region

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// TestCheck damages the files of an opened region.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		what   string
		damage func(path string, data []byte) error
		says   string // "" where what is open is as it was
	}{
		{"nothing", func(string, []byte) error { return nil }, ""},
		{"a flipped bit", func(path string, data []byte) error {
			data[len(data)/2] ^= 1
			return os.WriteFile(path, data, 0o600)
		}, "section two does not match its SHA-256"},
		{"cut short", func(path string, _ []byte) error { return os.Truncate(path, 1) }, "section two: the file has 1 bytes"},
		{"of nothing", func(path string, _ []byte) error { return os.Truncate(path, 0) }, "section two: the file has 0 bytes"},
		{"grown", func(path string, data []byte) error { return os.WriteFile(path, append(data, 0), 0o600) }, "section two: the file has"},
		{"deleted", func(path string, _ []byte) error { return os.Remove(path) }, ""},
		{"renamed over", func(path string, _ []byte) error {
			return errors.Join(os.WriteFile(path+".new", []byte("x"), 0o600), os.Rename(path+".new", path))
		}, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			m := build(t, dir, c.what)
			r, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, m.Sections[1].File)
			data, err := os.ReadFile(path)
			if err := errors.Join(err, c.damage(path, data)); err != nil {
				t.Fatal(err)
			}
			err = r.Check(t.Context())
			if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "section one")) {
				t.Errorf("%v, want %q", err, c.says)
			}
			ended, end := context.WithCancel(t.Context())
			end()
			if err := r.Check(ended); !errors.Is(err, context.Canceled) {
				t.Errorf("with an ended context: %v", err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestHolds(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "x")
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		data, err := r.Bytes(name, 1, 99)
		if err != nil {
			t.Fatal(err)
		}
		at := uintptr(unsafe.Pointer(&data[len(data)-1]))
		if got, ok := r.SectionAt(at); !ok || got != name {
			t.Errorf("the last byte of %s lies in %q, %v", name, got, ok)
		}
		if got, ok := r.SectionAt(at + 1); ok {
			t.Errorf("the byte behind %s lies in %q", name, got)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestVerifyPrevious finds damage of the region before, so that it takes no other's place.
func TestVerifyPrevious(t *testing.T) {
	dir := t.TempDir()
	m := build(t, dir, "old")
	if _, err := OpenPrevious(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none before: %v", err)
	}
	build(t, dir, "new")
	if err := os.WriteFile(filepath.Join(dir, m.Sections[0].File), []byte(strings.Repeat("x", int(m.Sections[0].Size))), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := VerifyPrevious(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "section one") {
		t.Errorf("a damaged one before: %v", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := Verify(gone, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("with the caller gone: %v", err)
	}
}

// TestChanged looks at the files of an opened region, which are touched, overwritten,
// replaced and removed.
func TestChanged(t *testing.T) {
	dir := t.TempDir()
	m := build(t, dir, "x")
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, m.Sections[1].File)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	put := func(to string, at time.Time) error {
		return errors.Join(os.WriteFile(to, data, 0o600), os.Chtimes(to, time.Time{}, at))
	}
	for _, step := range []struct {
		what     string
		do       func() error
		replaced bool
		again    bool // it has changed a moment ago
	}{
		{"touched", func() error { return os.Chtimes(path, time.Time{}, old) }, false, false},
		{"overwritten", func() error { return put(path, old.Add(time.Second)) }, false, false},
		{"overwritten now", func() error { return put(path, time.Now()) }, false, true},
		{"of the time to come", func() error { return put(path, time.Now().Add(time.Hour)) }, false, false},
		{"cut short", func() error { return errors.Join(os.Truncate(path, 1), os.Chtimes(path, time.Time{}, old)) }, false, false},
		{"replaced", func() error { return errors.Join(put(path+".new", old), os.Rename(path+".new", path)) }, true, false},
		{"removed", func() error { return os.Remove(path) }, true, false},
		{"put back", func() error { return put(path, old) }, true, false},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		changed, replaced := r.Changed()
		if !slices.Equal(changed, []string{"two"}) || step.replaced != slices.Equal(replaced, []string{"two"}) {
			t.Errorf("%s: %v, of which %v are others", step.what, changed, replaced)
		}
		info, err := os.Stat(path)
		late := err == nil && time.Since(info.ModTime()) >= racy // its moment may have been over at the first look
		if changed, _ := r.Changed(); step.again != (len(changed) == 1) && !(step.again && late) {
			t.Errorf("%s, looked at again: %v", step.what, changed)
		}
		if changed, _ := r.Changed(); len(changed) != 0 {
			t.Errorf("%s, looked at once more: %v", step.what, changed)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if changed, _ := r.Changed(); changed != nil {
		t.Errorf("closed: %v", changed)
	}
}

// TestWithout opens a region without a section whose file is not there.
func TestWithout(t *testing.T) {
	dir := t.TempDir()
	m := build(t, dir, "x")
	if err := os.Remove(filepath.Join(dir, m.Sections[1].File)); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir)
	list, ok := Damages(err)
	if !ok || len(list) != 1 || list[0].Section != "two" || !errors.Is(list[0], fs.ErrNotExist) {
		t.Fatalf("%v: %v", err, list)
	}
	if list, ok := Damages(Verify(t.Context(), dir)); !ok || len(list) != 1 || list[0].Section != "two" {
		t.Errorf("%v", list)
	}
	for _, err := range []error{nil, fs.ErrNotExist, errors.Join(err, fs.ErrExist), ErrNotSealed} {
		if list, ok := Damages(err); ok || list != nil {
			t.Errorf("%v is damage: %v", err, list)
		}
	}
	r, err := Open(dir, "two", "other")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := r.Bytes("two", 1, 99); data != nil || err != nil {
		t.Errorf("%v, %v", data, err)
	}
	if data, err := r.Bytes("one", 1, 99); data == nil || err != nil {
		t.Errorf("%v, %v", data, err)
	}
	if err := errors.Join(r.Check(t.Context()), r.Close()); err != nil {
		t.Error(err)
	}
}

func TestManifestIsBounded(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "x")
	if err := os.Truncate(filepath.Join(dir, ManifestName), 1<<40); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadManifest(dir); err == nil || !strings.Contains(err.Error(), "1099511627776 bytes") {
		t.Error(err)
	}
}
