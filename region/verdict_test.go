package region

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/parallel"
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

// TestTheOneInServiceIsKept seals regions over one that was in service: it is kept until another
// one is.
func TestTheOneInServiceIsKept(t *testing.T) {
	dir := t.TempDir()
	served := build(t, dir, "served").Hash()
	if err := Serve(dir, served); err != nil {
		t.Fatal(err)
	}
	before := func() string {
		t.Helper()
		m, err := ReadPrevious(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := VerifyPrevious(t.Context(), dir); err != nil {
			t.Error(err)
		}
		return m.Hash()
	}
	build(t, dir, "one")
	two := build(t, dir, "two").Hash()
	if got := before(); got != served {
		t.Errorf("%s is kept, want the one in service, %s", got, served)
	}
	if err := Serve(dir, two); err != nil {
		t.Fatal(err)
	}
	build(t, dir, "three")
	build(t, dir, "four")
	if got := before(); got != two {
		t.Errorf("%s is kept, want the one in service now, %s", got, two)
	}
}

// TestVerdictsAtOnce has two processes of four writers each write verdicts of one folder at once: all
// are there in the end, and they can be read at any time.
func TestVerdictsAtOnce(t *testing.T) {
	const writers, each = 4, mostVerdicts / 8
	dir, number := os.Getenv("WAYGATE_TEST_VERDICTS"), 1
	var other *exec.Cmd
	if dir == "" { // this is the first process
		dir, number = t.TempDir(), 0
		other = exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestVerdictsAtOnce$")
		other.Env = append(os.Environ(), "WAYGATE_TEST_VERDICTS="+dir)
		var said bytes.Buffer
		other.Stdout, other.Stderr = &said, &said
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := other.Wait(); err != nil {
				t.Fatalf("the other process: %v\n%s", err, said.String())
			}
			v, err := ReadVerdicts(dir)
			for i := range 2 * writers * each {
				if hash := strconv.Itoa(i); v.Of(hash) == nil {
					t.Errorf("the verdict on %s is lost (%v)", hash, err)
				}
			}
			if v.Serving == "" {
				t.Error("which region is in service is lost")
			}
			if left, err := filepath.Glob(filepath.Join(dir, "*.new")); err != nil || len(left) > 0 {
				t.Errorf("left over: %v, %v", left, err)
			}
		}()
	}
	var group parallel.Group
	for i := range writers {
		group.Go(func() {
			for n := range each {
				hash := strconv.Itoa((number*writers+i)*each + n)
				if err := Refuse(dir, Refusal{Hash: hash, Reason: strings.Repeat("y", 100*n)}); err != nil {
					t.Error(err)
				}
				if err := Serve(dir, hash); err != nil {
					t.Error(err)
				}
				if _, err := ReadVerdicts(dir); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}
