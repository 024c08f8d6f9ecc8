package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplace leaves the old file where writing fails.
func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	if err := Replace(path, text("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := Replace(path, func(w io.Writer) error { return errors.Join(text("half")(w), broken) }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestDataFolder takes the folder that is set before the user's.
func TestDataFolder(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", "/home/a/data")
	for dir, want := range map[string]string{"": filepath.Join("/home/a/data", "waygate"), "/srv/b": "/srv/b"} {
		if got, err := DataFolder(dir); err != nil || got != want {
			t.Errorf("%q: %q, %v", dir, got, err)
		}
	}
}

// TestHinted adds a hint only to the error of a missing file.
func TestHinted(t *testing.T) {
	missing := fmt.Errorf("open: %w", fs.ErrNotExist)
	for place, hint := range map[string]string{
		"a.json":                     "",
		"download.example.org/a":     "put http:// or https:// before it",
		"ftp://download.example.org": "not ftp://",
		"s3://bucket/a":              "",
	} {
		err := WithHint(missing, place)
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), hint) || hint == "" && err.Error() != missing.Error() {
			t.Errorf("%s: %v", place, err)
		}
	}
	if other := errors.New("other"); WithHint(other, "ftp://example.org") != other {
		t.Error("another error has a hint")
	}
}
