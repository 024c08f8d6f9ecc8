package region

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUnreadableVerdicts has half a file of verdicts in a folder: an import is sealed there, and
// the next verdict replaces the file.
func TestUnreadableVerdicts(t *testing.T) {
	dir := t.TempDir()
	build(t, dir, "old")
	spoil := func() {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, VerdictsName), []byte(`{"refused": [{"ha`), 0o600); err != nil {
			t.Fatal(err)
		}
		if v, err := ReadVerdicts(dir); err == nil || len(v.Refused) > 0 {
			t.Fatalf("%+v %v", v, err)
		}
	}
	spoil()
	m := build(t, dir, "new")
	if err := Accept(dir); err != nil {
		t.Fatal(err)
	}
	if v, err := ReadVerdicts(dir); err != nil || len(v.Accepted) != 1 || v.Accepted[0] != m.Hash() {
		t.Errorf("%+v %v", v, err)
	}
	spoil()
	if err := Refuse(dir, Refusal{Hash: m.Hash(), Reason: "fails"}); err != nil {
		t.Fatal(err)
	}
	if v, err := ReadVerdicts(dir); err != nil || v.Of(m.Hash()) == nil {
		t.Errorf("%+v %v", v, err)
	}
}
