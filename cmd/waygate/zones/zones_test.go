package zones

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRead lists what is wrong with a file, and names it.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	empty := filepath.Join(dir, "empty.json")
	if err := Write(empty, nil); err != nil {
		t.Fatal(err)
	}
	if all, err := Read(io.Discard, empty); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	text, err := os.ReadFile(empty)
	if err != nil {
		t.Fatal(err)
	}
	wrong := file("wrong.json", string(bytes.Replace(text, []byte(`"zones":null`), []byte(`"zones":[{"id":"a"}]`), 1)))
	if _, err := Read(io.Discard, wrong); err == nil {
		t.Error("a zone without a boundary passes")
	}
	other := file("other.json", `{"format":"other"}`)
	if _, err := Read(io.Discard, other); err == nil || !strings.Contains(err.Error(), other) {
		t.Errorf("%v", err)
	}
	log := slog.New(slog.DiscardHandler)
	if _, err := Placed(log, []string{other}); err == nil || !strings.Contains(err.Error(), "SVC_ZONES") {
		t.Errorf("%v", err)
	}
	if all, err := Placed(log, nil); err != nil || all != nil {
		t.Errorf("%v, %v", all, err)
	}
}
