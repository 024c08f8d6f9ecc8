package clearance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/pointclouds"
)

// counted is a store that counts what is read of it.
type counted struct {
	blob.Store
	dir   string
	mu    sync.Mutex
	reads map[string]int
	hook  func(name string) // before a read; nil for none
}

func (c *counted) Read(ctx context.Context, name string, s blob.Span) (io.ReadCloser, error) {
	c.mu.Lock()
	c.reads[name]++
	c.mu.Unlock()
	if c.hook != nil {
		c.hook(name)
	}
	return c.Store.Read(ctx, name, s)
}

// stored returns a service of datasets in a folder.
func stored(t *testing.T) (s *Service, store *counted, write func(name, content string)) {
	t.Helper()
	dir := t.TempDir()
	store = &counted{Store: blob.NewFolder(dir), dir: dir, reads: map[string]int{}}
	write = func(name, content string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		assert.NilError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return &Service{Clouds: &pointclouds.Service{Store: store}, Dir: t.TempDir()}, store, write
}

func sumOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

func manifest(source string) string {
	return fmt.Sprintf(`{"files":{},"public":true,"clearance":{"artefact":"roads","sources":{"a.laz":%q}}}`, sumOf(source))
}

// drawn returns the artefact of a road of 40 m.
func drawn(t *testing.T, source string) (string, *Request) {
	t.Helper()
	d := straight(40, func(_, _ float64) *artefact.Cell { return free(20) })
	d.sources = []string{sumOf(source)}
	return string(d.file(t)), &Request{Line: way(t, d.open(t), 2, 0, 38, 0), Height: 4}
}

// TestSourcesAreHashedOnce counts reads of a source over many reports.
func TestSourcesAreHashedOnce(t *testing.T) {
	s, store, write := stored(t)
	if _, err := s.Along(t.Context(), pointclouds.Viewer{}, &Request{}); !isNotEnabled(err) {
		t.Errorf("without artefacts: %v", err)
	}
	file, q := drawn(t, "one")
	write("d/roads.clearance", file)
	write("d/a.laz", "one")
	write("manifests/d.json", manifest("one"))
	assert.NilError(t, s.Refresh(t.Context()))
	for range 5 {
		assert.NilError(t, s.Refresh(t.Context()))
		a, err := s.Along(t.Context(), pointclouds.Viewer{}, q)
		assert.NilError(t, err)
		assert.Equal(t, a.Height.Verdict, Pass)
	}
	if store.reads["d/a.laz"] != 1 || store.reads["d/roads.clearance"] != 1 {
		t.Errorf("reads %v", store.reads)
	}
	write("d/a.laz", "another")
	assert.NilError(t, s.Refresh(t.Context()))
	a, err := s.Along(t.Context(), pointclouds.Viewer{}, q)
	assert.NilError(t, err)
	if a.Height.Verdict != Indeterminate || store.reads["d/a.laz"] != 2 || !a.Datasets[0].Stale {
		t.Errorf("%s, reads %v", a.Height.Verdict, store.reads)
	}
	var none *Service
	if list, err := none.Inventory(t.Context()); err != nil || list.Enabled {
		t.Errorf("without a store: %+v, %v", list, err)
	}
}

// TestSourcesAreHashedAgain changes the bytes of a source and keeps its size and its time.
func TestSourcesAreHashedAgain(t *testing.T) {
	s, store, write := stored(t)
	now := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	source := filepath.Join(store.dir, "d", "a.laz")
	replace := func(content string) {
		info, err := os.Stat(source)
		assert.NilError(t, err)
		write("d/a.laz", content)
		assert.NilError(t, os.Chtimes(source, info.ModTime(), info.ModTime()))
	}
	file, q := drawn(t, "one")
	write("d/roads.clearance", file)
	write("d/a.laz", "one")
	write("manifests/d.json", manifest("one"))
	assert.NilError(t, s.Refresh(t.Context()))
	verdict := func() Verdict {
		a, err := s.Along(t.Context(), pointclouds.Viewer{}, q)
		assert.NilError(t, err)
		return a.Height.Verdict
	}
	assert.Assert(t, !s.recheck(t.Context(), 0), "nothing is due")
	now = now.Add(RecheckAfter)
	assert.Assert(t, s.recheck(t.Context(), 0))
	assert.Equal(t, verdict(), Pass)
	assert.Assert(t, !s.recheck(t.Context(), 0), "it was hashed just now")
	replace("two")
	assert.NilError(t, s.Refresh(t.Context()))
	assert.Equal(t, verdict(), Pass) // until it is hashed again
	now = now.Add(RecheckAfter)
	assert.Assert(t, s.recheck(t.Context(), 0))
	assert.Equal(t, verdict(), Indeterminate)
	assert.NilError(t, s.Refresh(t.Context()))
	assert.Equal(t, verdict(), Indeterminate)
	replace("one")
	now = now.Add(RecheckAfter)
	assert.Assert(t, s.recheck(t.Context(), 0))
	assert.Equal(t, verdict(), Pass)
	assert.Equal(t, store.reads["d/a.laz"], 4)
}

// TestChangedSourcesAreNotConfirmed has a source change: it does not count as confirmed while it is
// hashed, nor from when it falls due until the next look at the store.
func TestChangedSourcesAreNotConfirmed(t *testing.T) {
	s, store, write := stored(t)
	now := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	file, q := drawn(t, "one")
	write("d/roads.clearance", file)
	write("d/a.laz", "one")
	write("manifests/d.json", manifest("one"))
	assert.NilError(t, s.Refresh(t.Context()))
	verdict := func() Verdict {
		a, err := s.Along(t.Context(), pointclouds.Viewer{}, q)
		assert.NilError(t, err)
		return a.Height.Verdict
	}
	assert.Equal(t, verdict(), Pass)
	write("d/a.laz", "another")
	var during []Verdict
	store.hook = func(string) { during = append(during, verdict()) }
	assert.NilError(t, s.Refresh(t.Context()))
	assert.DeepEqual(t, during, []Verdict{Indeterminate})
	store.hook = nil
	write("d/a.laz", "one")
	assert.NilError(t, s.Refresh(t.Context()))
	assert.Equal(t, verdict(), Pass)
	write("d/a.laz", "yet another")
	now = now.Add(RecheckAfter)
	assert.Assert(t, s.recheck(t.Context(), 0))
	assert.Equal(t, verdict(), Indeterminate)
	assert.Assert(t, !s.recheck(t.Context(), 0))
}

func isNotEnabled(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Slug == "clearance-not-enabled"
}

// TestSeveralSurveys decides between surveys over one road.
func TestSeveralSurveys(t *testing.T) {
	over := func(day string, headroom float64) *ground {
		d := straight(40, func(x, _ float64) *artefact.Cell {
			switch {
			case headroom < 0:
				c := free(20)
				c.Flags &^= artefact.Dense
				return c
			case x > 10 && x < 20:
				return under(20, headroom)
			}
			return free(20)
		})
		d.from, d.to = day, day
		return d.open(t)
	}
	low, high, blind := over("2026-05-01", 3.9), over("2026-06-01", 5), over("2026-06-15", -1)
	lowToo := over("2026-06-01", 3.9)
	q := &Request{Line: way(t, high, 2, 0, 38, 0), Height: 4}
	for _, c := range []struct {
		name string
		all  []given
		want string
	}{
		{"the newest", []given{{high, "high", false}, {low, "low", false}}, "pass []"},
		{"of one day the worse", []given{{high, "high", false}, {lowToo, "low", false}}, "fail [does_not_clear]"},
		{"a newer one that does not see enough", []given{{blind, "blind", false}, {high, "high", false}}, "pass []"},
		{"that alone", []given{{blind, "blind", false}}, "no_verdict [insufficient_data]"},
		{"a newer one that is stale and no worse", []given{{blind, "blind", true}, {high, "high", true}, {over("2026-04-01", 6), "old", false}}, "pass []"},
		{"a newer one that is stale and worse", []given{{lowToo, "low", true}, {over("2026-04-01", 6), "old", false}}, "fail [does_not_clear]"},
		{"an older one that is stale and worse", []given{{high, "high", false}, {low, "low", true}}, "pass []"},
	} {
		a := report(t, q, c.all...)
		if got := fmt.Sprint(a.Height.Verdict, " ", a.Height.Reasons); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestReportsAtOnce asks for reports while the store changes.
func TestReportsAtOnce(t *testing.T) {
	s, _, write := stored(t)
	file, q := drawn(t, "one")
	write("d/roads.clearance", file)
	write("d/a.laz", "one")
	write("manifests/d.json", manifest("one"))
	var days atomic.Int64
	s.Now = func() time.Time { return drawnNow.Add(time.Duration(days.Add(1)) * RecheckAfter) }
	var all sync.WaitGroup
	all.Go(func() {
		for range 10 {
			s.recheck(t.Context(), 0)
		}
	})
	for range 4 {
		all.Go(func() {
			for range 20 {
				if a, err := s.Along(t.Context(), pointclouds.Viewer{}, q); err != nil || a.Height.Verdict != Pass && a.Height.Verdict != Indeterminate {
					t.Error(a, err)
				}
				if _, err := s.Inventory(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Go(func() {
		for i := range 10 {
			write("d/a.laz", []string{"one", "two!"}[i%2])
			if err := s.Refresh(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
}
