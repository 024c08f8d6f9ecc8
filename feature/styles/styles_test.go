package styles_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/styles"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/style"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

func open(t *testing.T, address string) *styles.Service {
	t.Helper()
	s, err := styles.New(t.Context(), storetest.Open(t, address), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func publish(t *testing.T, s *styles.Service, d styles.Draft) *styles.Style {
	t.Helper()
	out, err := s.Publish(t.Context(), d)
	if err != nil {
		t.Fatalf("%+v: %v", d, err)
	}
	return out
}

func theme(format string, args ...any) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(format, args...))
}

// TestStoredWithoutVersion reads themes that were stored before they named the version of the
// built-in theme that they extend.
func TestStoredWithoutVersion(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	s, err := styles.New(t.Context(), db, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for id, c := range map[string][2]string{"a": {`{"extends":"dark"}`, "dark@2"}, "b": {`{}`, "light@2"}, "c": {`{"extends":"dark@1"}`, "dark@1"}, "d": {`{"extends":"a@1"}`, "a@1"}} {
		for _, statement := range []string{"INSERT INTO styles (id, key_id, created_at) VALUES ($1, 'k', 1)", "INSERT INTO style_versions (id, version, at, theme) SELECT $1, 1, 1, '" + c[0] + "'"} {
			if _, err := db.Exec(t.Context(), statement, id); err != nil {
				t.Fatal(err)
			}
		}
		if found, err := s.Find(t.Context(), id); err != nil || found.Theme.Extends != c[1] {
			t.Errorf("%s extends %+v, %v", c[0], found, err)
		}
	}
	if list, err := s.Of(t.Context(), "k"); err != nil || len(list) != 4 || list[1].Theme.Extends != "light@2" {
		t.Errorf("%+v, %v", list, err)
	}
}

// A style has versions that stay as they are; only its owner adds one.
func TestVersions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s, ctx := open(t, address), t.Context()
		one := publish(t, s, styles.Draft{KeyID: "k", Name: "Harbour & Bay", Theme: theme(`{"extends":"dark","colours":{"water":"#001"}}`)})
		if one.Spec() != "harbour-bay@1" || one.Theme.Name != "Harbour & Bay" || one.Theme.Colours["water"] != "#000011" {
			t.Errorf("%s, %+v", one.Spec(), one.Theme)
		}
		two := publish(t, s, styles.Draft{KeyID: "k", ID: one.ID, Name: "Harbour", Theme: theme(`{"colours":{"water":"#002"}}`)})
		if two.Spec() != "harbour-bay@2" {
			t.Errorf("the second version is %s", two.Spec())
		}
		for spec, water := range map[string]string{"harbour-bay": "#000022", "harbour-bay@1": "#000011", "harbour-bay@2": "#000022"} {
			if found, err := s.Find(ctx, spec); err != nil || found.Theme.Colours["water"] != water {
				t.Errorf("%s: %+v, %v", spec, found, err)
			}
		}
		for _, spec := range []string{"harbour", "harbour-bay@3", "harbour-bay@0", "harbour-bay@x", "harbour-bay@", "light@0", "light@99", "light@01", "light@", "@1", ""} {
			if found, err := s.Find(ctx, spec); !fault.Is(err, fault.NotFound) {
				t.Errorf("%q: %+v, %v", spec, found, err)
			}
		}
		for spec, versions := range map[string]string{"harbour-bay@3": "1 to 2", "light@99": "light@1, light@2"} {
			_, found := s.Find(ctx, spec)
			_, extended := s.Publish(ctx, styles.Draft{KeyID: "k", Name: "On it", Theme: theme(`{"extends":%q}`, spec)})
			_, previewed := s.PreviewTheme(ctx, theme(`{"extends":%q}`, spec))
			for _, err := range []error{found, extended, previewed} {
				if err == nil || !strings.Contains(err.Error(), versions) {
					t.Errorf("%s: %v does not name the versions %s", spec, err, versions)
				}
			}
		}
		if pinned, err := s.Find(ctx, "light@1"); err != nil || pinned.ID != "light" || pinned.Theme.Name != "Light" {
			t.Errorf("light@1: %+v, %v", pinned, err)
		}
		if on := publish(t, s, styles.Draft{KeyID: "third", Name: "On dark", Theme: theme(`{"extends":"dark@1"}`)}); on.Theme.Extends != "dark@1" {
			t.Errorf("a theme on dark@1 extends %q", on.Theme.Extends)
		}
		if one.Theme.Extends != "dark@"+style.BuiltinVersion || two.Theme.Extends != "light@"+style.BuiltinVersion {
			t.Errorf("themes extend %q and %q: they would follow the next version", one.Theme.Extends, two.Theme.Extends)
		}
		again := publish(t, s, styles.Draft{KeyID: "other", Name: "harbour bay"})
		if again.Spec() != "harbour-bay-2@1" {
			t.Errorf("the same name of another key is %s", again.Spec())
		}
		if _, err := s.Publish(ctx, styles.Draft{KeyID: "other", ID: one.ID, Name: "Mine"}); !fault.Is(err, fault.Forbidden) {
			t.Errorf("published over another's style: %v", err)
		}
		if _, err := s.Publish(ctx, styles.Draft{KeyID: "k", ID: "nowhere", Name: "Mine"}); !fault.Is(err, fault.NotFound) {
			t.Errorf("published over nothing: %v", err)
		}
		if err := s.TransferOwner(ctx, one.ID, "other"); err != nil {
			t.Fatal(err)
		}
		if err := s.TransferOwner(ctx, "nowhere", "other"); !fault.Is(err, fault.NotFound) {
			t.Errorf("gave what is not there: %v", err)
		}
		if three := publish(t, s, styles.Draft{KeyID: "other", ID: one.ID, Name: "Theirs"}); three.Version != 3 {
			t.Errorf("the new owner's version is %d", three.Version)
		}
		mine, err := s.Of(ctx, "k")
		theirs, err2 := s.Of(ctx, "other")
		if err := errors.Join(err, err2); err != nil || len(mine) != 0 || len(theirs) != 2 || theirs[0].Spec() != "harbour-bay@3" || theirs[1].Spec() != "harbour-bay-2@1" {
			t.Errorf("mine %v, theirs %v, %v", mine, theirs, err)
		}
	})
}

// Of many who publish over a style at once each gets a version of his own.
func TestPublishAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s := open(t, address)
		id := publish(t, s, styles.Draft{KeyID: "k", Name: "Sea"}).ID
		var mu sync.Mutex
		var versions []int64
		var work sync.WaitGroup
		for range 8 {
			work.Go(func() {
				out, err := s.Publish(t.Context(), styles.Draft{KeyID: "k", ID: id, Name: "Sea"})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				versions = append(versions, out.Version)
			})
		}
		work.Wait()
		slices.Sort(versions)
		if !slices.Equal(versions, []int64{2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("versions %v", versions)
		}
	})
}

// Of many who publish new styles of a key at once no more are taken than it may have.
func TestBoundsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		s := open(t, address)
		for i := range styles.MaxPerKey - 2 {
			publish(t, s, styles.Draft{KeyID: "k", Name: fmt.Sprint("many ", i)})
		}
		var taken atomic.Int64
		var work sync.WaitGroup
		for i := range 24 {
			work.Go(func() {
				_, err := s.Publish(t.Context(), styles.Draft{KeyID: "k", Name: fmt.Sprint("more ", i)})
				if err == nil {
					taken.Add(1)
				} else if !fault.Is(err, fault.BadRequest) {
					t.Error(err)
				}
			})
		}
		work.Wait()
		if taken.Load() != 2 {
			t.Errorf("%d styles were taken, where there was room for 2", taken.Load())
		}
	})
}

// A theme that extends a hosted one goes on extending that version of it.
func TestExtends(t *testing.T) {
	s, ctx := open(t, storetest.SQLite(t)), t.Context()
	base := publish(t, s, styles.Draft{KeyID: "k", Name: "Base", Theme: theme(`{"colours":{"earth":"#111111","water":"#222222"}}`)})
	top := publish(t, s, styles.Draft{KeyID: "other", Name: "Top", Theme: theme(`{"extends":"base","colours":{"water":"#333333"}}`)})
	publish(t, s, styles.Draft{KeyID: "k", ID: base.ID, Name: "Base", Theme: theme(`{"extends":"top"}`)})
	found, err := s.Find(ctx, "top")
	if err != nil || found.Theme.Extends != "base@1" {
		t.Fatalf("%+v, %v", found, err)
	}
	look, err := s.ResolveTheme(ctx, found.Theme)
	if err != nil {
		t.Fatal(err)
	}
	if c := style.Colours(look); c["earth"] != "#111111" || c["water"] != "#333333" || top.Theme.Extends != "base@1" {
		t.Errorf("earth %s, water %s", c["earth"], c["water"])
	}
}

func TestRefused(t *testing.T) {
	s, ctx := open(t, storetest.SQLite(t)), t.Context()
	for name, raw := range map[string]json.RawMessage{
		"a colour": theme(`{"colours":{"water":"wet"}}`), "no base": theme(`{"extends":"nowhere"}`), "no version": theme(`{"extends":"light@99"}`),
		"a list": theme(`[]`), "large": theme(`{"description":%q}`, strings.Repeat("x", style.MaxDocument)), "null": theme(`null`),
	} {
		_, err := s.Publish(ctx, styles.Draft{KeyID: "k", Name: "x", Theme: raw})
		var f *fault.Error
		if !errors.As(err, &f) || f.Slug != fault.InvalidTheme {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if problems, ok := f.Fields["problems"].([]style.Problem); !ok || len(problems) == 0 {
			t.Errorf("%s: problems %v", name, f.Fields)
		}
	}
	for _, name := range []string{"", " ", strings.Repeat("é", styles.MaxName+1)} {
		if _, err := s.Publish(ctx, styles.Draft{KeyID: "k", Name: name}); !fault.Is(err, fault.BadRequest) {
			t.Errorf("name %q: %v", name, err)
		}
	}
	for i := range styles.MaxPerKey {
		publish(t, s, styles.Draft{KeyID: "k", Name: fmt.Sprint("many ", i)})
	}
	if _, err := s.Publish(ctx, styles.Draft{KeyID: "k", Name: "one more"}); !fault.Is(err, fault.BadRequest) {
		t.Errorf("one more than a key may have: %v", err)
	}
}

func TestSlug(t *testing.T) {
	for name, want := range map[string]string{
		"Straße nach Süden": "strasse-nach-suden", "  A -- B  ": "a-b", "地図": "style", "": "style", "Night 2": "night-2",
		strings.Repeat("a", 200): strings.Repeat("a", 60),
	} {
		if got := styles.Slug(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	s := open(t, storetest.SQLite(t))
	if got := publish(t, s, styles.Draft{KeyID: "k", Name: "Light"}).ID; got != "light-2" {
		t.Errorf("the name of a built-in theme became %q", got)
	}
}
