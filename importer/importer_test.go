package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/waygate/waygate/importer/network"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/osm/osmtest"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// roads returns a ladder of n streets with a crossing in the middle of each.
func roads(n int) *osm.Data {
	d := &osm.Data{Timestamp: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
	main := osm.Way{ID: 1, Tags: osm.Tags{{Key: "highway", Value: "primary"}, {Key: "name", Value: "Main Street"}}}
	for i := range int64(n) {
		for x := range int64(3) {
			d.Nodes = append(d.Nodes, osm.Node{ID: 10*i + x + 1, Lon: 95_000_000 + int32(x)*10_000, Lat: 470_000_000 + int32(i)*10_000})
		}
		d.Ways = append(d.Ways, osm.Way{ID: 100 + i, Nodes: []int64{10*i + 1, 10*i + 2, 10*i + 3}, Tags: osm.Tags{{Key: "highway", Value: "residential"}}})
		main.Nodes = append(main.Nodes, 10*i+2)
	}
	d.Ways = append(d.Ways, main)
	return d
}

// extract writes data in the format that the name says.
func extract(t testing.TB, name string, d *osm.Data) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	var b bytes.Buffer
	write := osmtest.WriteXML
	if strings.HasSuffix(name, ".pbf") {
		write = osm.WritePBF
	}
	if err := write(&b, d); err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := z.Write(b.Bytes())
		if err := errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		b = packed
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// log notes what an import reports of its stages.
type log struct{ ran, skipped []string }

func (l *log) report(p Progress) {
	switch {
	case p.Skipped:
		l.skipped = append(l.skipped, p.Stage)
	case p.Finished:
		l.ran = append(l.ran, p.Stage)
	}
}

func run(t testing.TB, opt Options) (*Summary, log) {
	t.Helper()
	var l log
	opt.Report = l.report
	opt.NoMap = true
	s, err := Run(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return s, l
}

// files reads a region's folder, the work folder apart.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	source := extract(t, "Little-Town-20260304.osm.pbf", roads(4))
	s, l := run(t, Options{Dir: dir, Sources: []string{source}, Builder: "test"})
	m := s.Manifest
	if !slices.Contains(l.ran, "graph") || !slices.Contains(l.ran, "snap") || !slices.Contains(l.ran, "seal") || len(l.skipped) != 0 {
		t.Errorf("ran %v, skipped %v", l.ran, l.skipped)
	}
	if m.ID != "little-town" || m.Name != "Little Town" || m.Builder != "test" || m.Counts["nodes"] != 12 || m.Counts["segments"] != 11 {
		t.Errorf("manifest %+v", m)
	}
	if m.OSMTimestamp == nil || !m.OSMTimestamp.Equal(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)) {
		t.Errorf("timestamp %v", m.OSMTimestamp)
	}
	if len(m.Sources) != 1 || m.Sources[0].Name != filepath.Base(source) || len(m.Sources[0].SHA256) != 64 {
		t.Errorf("sources %+v", m.Sources)
	}
	if m.Bounds.Min.Lon != 9.5 || m.Bounds.Max.Lon != 9.502 || m.Bounds.Min.Lat != 47 || m.Bounds.Max.Lat != 47.003 {
		t.Errorf("bounds %+v", m.Bounds)
	}
	if err := region.Verify(t.Context(), dir); err != nil {
		t.Error(err)
	}
	check(t, dir)

	before := files(t, dir)
	again, l := run(t, Options{Dir: dir, Sources: []string{source}, Builder: "test"})
	if len(l.ran) != 0 || !slices.Contains(l.skipped, "graph") || !slices.Contains(l.skipped, "snap") {
		t.Errorf("a second time it ran %v and skipped %v", l.ran, l.skipped)
	}
	if len(again.Took) != 0 || len(s.Took) < 2 {
		t.Errorf("took %v, then %v", s.Took, again.Took)
	}
	if !maps.Equal(before, files(t, dir)) {
		t.Error("a second import changed the region")
	}
}

// check opens a region's graph and index and verifies them.
func check(t testing.TB, dir string) {
	t.Helper()
	r, err := region.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	g, err := graph.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Verify(); err != nil {
		t.Error(err)
	}
	tree, err := snap.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Verify(g); err != nil {
		t.Error(err)
	}
}

// TestFormats imports one town from each format and from the web: the
// sections are the same.
func TestFormats(t *testing.T) {
	d := roads(4)
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Dir(extract(t, "town.osm.pbf", d)))))
	defer server.Close()
	half := func(from, to int) *osm.Data { return &osm.Data{Nodes: d.Nodes, Ways: d.Ways[from:to]} }
	var want []region.SectionInfo
	for what, sources := range map[string][]string{
		"PBF":                     {extract(t, "a.osm.pbf", d)},
		"XML":                     {extract(t, "a.osm", d)},
		"gzip":                    {extract(t, "a.osm.gz", d)},
		"the web":                 {server.URL + "/town.osm.pbf?token=secret"},
		"overlapping":             {extract(t, "a.osm", half(0, 3)), extract(t, "b.osm.pbf", half(2, 5))},
		"the halves turned round": {extract(t, "b.osm.pbf", half(2, 5)), extract(t, "a.osm", half(0, 3))},
	} {
		dir := t.TempDir()
		s, _ := run(t, Options{Dir: dir, Sources: sources, ID: "town"})
		if want == nil {
			want = s.Manifest.Sections
		}
		if !slices.Equal(want, s.Manifest.Sections) {
			t.Errorf("%s: sections %v, want %v", what, s.Manifest.Sections, want)
		}
		for _, source := range s.Manifest.Sources {
			if strings.Contains(source.Name, "secret") || strings.Contains(source.Name, t.TempDir()) {
				t.Errorf("%s: the source's name reveals too much: %s", what, source.Name)
			}
		}
	}
}

func TestChangesRunAgain(t *testing.T) {
	dir := t.TempDir()
	source := extract(t, "town.osm.pbf", roads(4))
	first, _ := run(t, Options{Dir: dir, Sources: []string{source}})
	for _, c := range []struct {
		what string
		opt  Options
		ran  []string // of graph and snap
		same bool     // the graph comes out the same
	}{
		{"another name", Options{Sources: []string{source}, Name: "Big Town"}, nil, true},
		{"another gateway", Options{Sources: []string{source}, Name: "Big Town", Builder: "2"}, nil, true},
		{"another fallback country", Options{Sources: []string{source}, Country: "GB"}, []string{"graph"}, true},
		{"another extract of the same roads", Options{Sources: []string{extract(t, "town.osm", roads(4))}}, []string{"graph", "snap"}, true},
		{"another extract", Options{Sources: []string{extract(t, "town.osm.pbf", roads(5))}}, []string{"graph", "snap"}, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			c.opt.Dir = dir
			s, l := run(t, c.opt)
			ran := slices.DeleteFunc(l.ran, func(s string) bool { return s != "graph" && s != "snap" })
			if !slices.Equal(ran, c.ran) {
				t.Errorf("ran %v, want %v", ran, c.ran)
			}
			if same := s.Manifest.Sections[0] == first.Manifest.Sections[0]; same != c.same {
				t.Errorf("the same graph: %v", same)
			}
			m, err := region.ReadManifest(dir)
			if err != nil || m.Sources[0].Name != filepath.Base(c.opt.Sources[0]) || c.opt.Name != "" && m.Name != c.opt.Name || m.Builder != c.opt.Builder {
				t.Errorf("sealed %+v, %v", m, err)
			}
			if err := region.Verify(t.Context(), dir); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestALostSectionIsMadeAgain(t *testing.T) {
	dir := t.TempDir()
	source := extract(t, "town.osm.pbf", roads(4))
	s, _ := run(t, Options{Dir: dir, Sources: []string{source}})
	info, _ := s.Manifest.Section(graph.SectionName)
	for _, damage := range []func(path string) error{os.Remove, func(path string) error { return os.Truncate(path, 10) }} {
		if err := damage(filepath.Join(dir, info.File)); err != nil {
			t.Fatal(err)
		}
		if _, l := run(t, Options{Dir: dir, Sources: []string{source}}); !slices.Contains(l.ran, "graph") || !slices.Contains(l.skipped, "snap") {
			t.Errorf("ran %v, skipped %v", l.ran, l.skipped)
		}
		if err := region.Verify(t.Context(), dir); err != nil {
			t.Error(err)
		}
	}
}

// TestStopped cancels an import at each report it makes. The old region stays
// as it was, and the next import goes on after the last finished stage.
func TestStopped(t *testing.T) {
	old, source := extract(t, "old.osm.pbf", roads(3)), extract(t, "town.osm.pbf", roads(4))
	for at := 0; ; at++ {
		dir := t.TempDir()
		run(t, Options{Dir: dir, Sources: []string{old}})
		before, err := os.ReadFile(filepath.Join(dir, region.ManifestName))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		n, done := 0, map[string]bool{}
		_, err = Run(ctx, Options{Dir: dir, Sources: []string{source}, NoMap: true, Report: func(p Progress) {
			if n == at {
				cancel()
			}
			n++
			if p.Finished && n <= at {
				done[p.Stage] = true
			}
		}})
		cancel()
		if err == nil {
			if !done["graph"] || !done["snap"] {
				t.Errorf("cancelled at report %d, after %v, it went on to the end", at, done)
			}
			return // nothing was left to cancel but the seal
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at report %d: %v", at, err)
		}
		if err := region.Verify(t.Context(), dir); err != nil {
			t.Errorf("cancelled at report %d: the old region: %v", at, err)
		}
		if after, err := os.ReadFile(filepath.Join(dir, region.ManifestName)); err != nil || !bytes.Equal(before, after) {
			t.Errorf("cancelled at report %d: another region is sealed (%v)", at, err)
		}
		_, l := run(t, Options{Dir: dir, Sources: []string{source}})
		for stage := range done {
			if !slices.Contains(l.skipped, stage) {
				t.Errorf("cancelled at report %d: %s was finished and ran again", at, stage)
			}
		}
		if err := region.Verify(t.Context(), dir); err != nil {
			t.Error(err)
		}
		if left, err := filepath.Glob(filepath.Join(dir, workFolder, "*.new")); err != nil || len(left) != 0 {
			t.Errorf("left over: %v, %v", left, err)
		}
	}
}

func TestRefused(t *testing.T) {
	good := extract(t, "town.osm.pbf", roads(4))
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(name string, data []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	flipped := slices.Clone(whole)
	for i := len(flipped) - 40; i < len(flipped)-20; i++ {
		flipped[i] ^= 0x55
	}
	for _, c := range []struct {
		what    string
		opt     Options
		want    string
		wantErr error
	}{
		{what: "no source", opt: Options{}, want: "no extract to import"},
		{what: "a bad id", opt: Options{Sources: []string{good}, ID: "No Good"}, want: `region id "No Good"`},
		{what: "an id with a path", opt: Options{Sources: []string{good}, ID: "../x"}, want: "region id"},
		{what: "an unknown country", opt: Options{Sources: []string{good}, Country: "XX"}, want: `country "XX"`},
		{what: "no such file", opt: Options{Sources: []string{"nowhere.osm.pbf"}}, want: "nowhere.osm.pbf", wantErr: os.ErrNotExist},
		{what: "not an extract", opt: Options{Sources: []string{damaged("x.osm.pbf", []byte("hello"))}}, want: "neither OSM PBF nor OSM XML"},
		{what: "an empty file", opt: Options{Sources: []string{damaged("x.osm.pbf", nil)}}, want: "empty"},
		{what: "cut short", opt: Options{Sources: []string{damaged("cut.osm.pbf", whole[:len(whole)-9])}}, want: "cut.osm.pbf"},
		{what: "damaged", opt: Options{Sources: []string{damaged("bad.osm.pbf", flipped)}}, want: "bad.osm.pbf"},
		{what: "no roads", opt: Options{Sources: []string{extract(t, "sea.osm", &osm.Data{})}}, want: "no road", wantErr: network.ErrNoRoads},
		{what: "one good and one bad", opt: Options{Sources: []string{good, damaged("cut.osm.pbf", whole[:len(whole)-9])}}, want: "cut.osm.pbf"},
	} {
		t.Run(c.what, func(t *testing.T) {
			c.opt.Dir = t.TempDir()
			fail := func() {
				t.Helper()
				s, err := Run(context.Background(), c.opt)
				if s != nil || err == nil || !strings.Contains(err.Error(), c.want) || c.wantErr != nil && !errors.Is(err, c.wantErr) {
					t.Errorf("got %v, want %q", err, c.want)
				}
			}
			fail()
			if _, err := region.Open(c.opt.Dir); !errors.Is(err, region.ErrNotSealed) {
				t.Errorf("something is sealed: %v", err)
			}
			// An old region stays in place.
			run(t, Options{Dir: c.opt.Dir, Sources: []string{good}})
			before := files(t, c.opt.Dir)
			fail()
			if !maps.Equal(before, files(t, c.opt.Dir)) {
				t.Error("the old region changed")
			}
		})
	}
}

func TestTheWebFails(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	dir := t.TempDir()
	if _, err := Run(context.Background(), Options{Dir: dir, Sources: []string{server.URL + "/town.osm.pbf"}}); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("got %v", err)
	}
}

func TestIDFrom(t *testing.T) {
	for source, want := range map[string]string{
		"/data/great-britain-latest.osm.pbf": "great-britain", "newport-wales-20230613.osm.pbf": "newport-wales", "liechtenstein-130803.osm.bz2": "liechtenstein",
		"https://user:secret@example.org/europe/Isle_of_Man-latest.osm.pbf?x=1": "isle-of-man", "-.osm": "region", "": "region",
		"São Tomé.osm": "s-o-tom", strings.Repeat("a", 100): strings.Repeat("a", 60),
	} {
		got := IDFrom(source)
		if got != want || !validID.MatchString(got) {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
	if got := NameFrom("isle-of-man"); got != "Isle Of Man" {
		t.Errorf("name %q", got)
	}
}

func TestRecordsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	source := extract(t, "town.osm.pbf", roads(4))
	run(t, Options{Dir: dir, Sources: []string{source}})
	for _, text := range []string{"", "{", `{"key":"x"}`, "null"} {
		if err := os.WriteFile(filepath.Join(dir, workFolder, "graph.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, l := run(t, Options{Dir: dir, Sources: []string{source}}); !slices.Contains(l.ran, "graph") {
			t.Errorf("%q: ran %v", text, l.ran)
		}
	}
	var r record
	data, err := os.ReadFile(filepath.Join(dir, workFolder, "graph.json"))
	if err != nil || json.Unmarshal(data, &r) != nil || len(r.Key) != 64 {
		t.Errorf("record %s, %v", data, err)
	}
}

func ExampleRun() {
	_, err := Run(context.Background(), Options{Dir: os.TempDir()})
	fmt.Println(err)
	// Output: no extract to import: name at least one .osm.pbf, .osm, .osm.gz or .osm.bz2
}
