package region

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		if got, ok := r.Holds(at); !ok || got != name {
			t.Errorf("the last byte of %s lies in %q, %v", name, got, ok)
		}
		if got, ok := r.Holds(at + 1); ok {
			t.Errorf("the byte behind %s lies in %q", name, got)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestOpenPreviousRefusesDamage holds that nothing damaged takes the place of
// what was found damaged.
func TestOpenPreviousRefusesDamage(t *testing.T) {
	dir := t.TempDir()
	m := build(t, dir, "old")
	if _, err := OpenPrevious(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none before: %v", err)
	}
	build(t, dir, "new")
	if err := os.WriteFile(filepath.Join(dir, m.Sections[0].File), []byte(strings.Repeat("x", int(m.Sections[0].Size))), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPrevious(dir); err == nil || !strings.Contains(err.Error(), "section one") {
		t.Errorf("a damaged one before: %v", err)
	}
}
