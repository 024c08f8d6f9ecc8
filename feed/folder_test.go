package feed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/waittest"
)

// shelf is a folder of feeds that a group holds.
type shelf struct {
	*Folder
	t     *testing.T
	set   Set
	group *Group[[]int, int]
	kept  string
}

func newShelf(t *testing.T) *shelf {
	s := &shelf{t: t, kept: t.TempDir()}
	kind := reading()
	kind.Every = 10 * time.Millisecond
	s.group = NewGroup(kind, func(all []*Snapshot[[]int]) (sum int) {
		for _, x := range all {
			for _, v := range x.Value {
				sum += v
			}
		}
		return sum
	})
	s.Folder = &Folder{
		Kind: "number", Dir: t.TempDir(), Every: 10 * time.Millisecond, Log: slog.New(slog.DiscardHandler), Remove: s.group.Remove,
		Add: func(source Source) (Member, error) {
			if strings.Contains(source.URL, "refused") {
				return nil, errors.New("refused")
			}
			return s.group.Add(Options{Dir: s.kept, Log: slog.New(slog.DiscardHandler)}, source)
		},
	}
	return s
}

func (s *shelf) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.Dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) remove(name string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.Dir, name)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) ids() string {
	var list []string
	for _, m := range s.set.Status() {
		list = append(list, m.ID)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func TestFolder(t *testing.T) {
	s := newShelf(t)
	s.write("a.json", "[1]")
	for _, step := range []struct {
		what string
		do   func()
		ids  string
		err  bool
	}{
		{"one file", func() {}, "number-a-json", false},
		{"another, and one that is hidden", func() { s.write("b.json", "[2]"); s.write(".c.json", "[2]") }, "number-a-json number-b-json", false},
		{"a name that is spelt alike", func() { s.write("A json", "[3]") }, "number-a-json number-a-json-2 number-b-json", false},
		{"gone for a moment", func() { s.remove("b.json") }, "number-a-json number-a-json-2 number-b-json", false},
		{"there again", func() { s.write("b.json", "[4]") }, "number-a-json number-a-json-2 number-b-json", false},
		{"gone once", func() { s.remove("a.json") }, "number-a-json number-a-json-2 number-b-json", false},
		{"gone twice", func() {}, "number-a-json-2 number-b-json", false},
		{"one that is refused", func() { s.write("refused", "") }, "number-a-json-2 number-b-json", true},
		{"which is logged once", func() {}, "number-a-json-2 number-b-json", false},
		{"the folder is gone", func() { s.Dir += "x" }, "number-a-json-2 number-b-json", true},
	} {
		step.do()
		if err := s.look(&s.set); (err != nil) != step.err {
			t.Errorf("%s: %v", step.what, err)
		}
		if got := s.ids(); got != step.ids || len(s.group.Feeds()) != len(strings.Fields(step.ids)) {
			t.Errorf("%s: %s", step.what, got)
		}
	}
}

// TestFolderAndRunAtOnce has files come and go under a set that runs.
func TestFolderAndRunAtOnce(t *testing.T) {
	s := newShelf(t)
	s.write("a.json", "[1]")
	if err := s.set.Follow(s.Folder); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	parallel.Go(func() { defer close(ended); s.set.Run(ctx, nil) }, nil)
	becomes := func(want int, there bool) {
		t.Helper()
		waittest.Until(t, fmt.Sprintf("it has %d", want), func() bool {
			v, ok := s.group.View()
			return ok == there && v == want
		})
	}
	becomes(1, true)
	s.write("b.json", "[40]")
	becomes(41, true)
	s.remove("a.json")
	becomes(40, true)
	s.remove("b.json")
	becomes(0, false)
	stop()
	<-ended
	if left, err := os.ReadDir(s.kept); err != nil || len(left) != 0 {
		t.Errorf("kept for a restart: %v, %v", left, err)
	}
}
