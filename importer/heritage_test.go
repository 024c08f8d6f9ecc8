package importer

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/heritage"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// streetLine returns a file of a corridor in the town that roads draws, with one entry there.
func streetLine(t *testing.T, id string, at geo.Point) string {
	t.Helper()
	text, err := json.Marshal(heritage.Corpus{
		Format: heritage.Format, Version: heritage.Version, ReviewedOn: "2026-11-01", Attribution: []string{"Town archive"},
		Corridor: heritage.Corridor{ID: id, Name: "Main Street", Road: "Main Street", Line: [][2]float64{{at.Lon, at.Lat}, {at.Lon, at.Lat + 0.001}}},
		Entries:  []heritage.Entry{{ID: id + "-mill", Lat: at.Lat, Lon: at.Lon, Text: "A mill stood here.", Subject: "Mill", Basis: "record", Source: "https://archive.example/mill", Licence: "CC0-1.0", Reviewer: "A. Smith"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), id+".json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// corridors lists the corridors of a region.
func corridors(t *testing.T, dir string) (ids []string) {
	t.Helper()
	x, err := heritage.Open(regiontest.Open(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if x != nil {
		for _, c := range x.Corpora() {
			ids = append(ids, c.Corridor.ID)
		}
	}
	return ids
}

func TestHeritageIsCompiled(t *testing.T) {
	opt := Options{Dir: t.TempDir(), Sources: []string{extract(t, "town.osm.pbf", roads(20))}, NoMap: true}
	home := geo.Point{Lon: 9.501, Lat: 47.005}
	if _, err := CompileHeritage(opt.Dir, []string{streetLine(t, "a", home)}); err == nil || !strings.Contains(err.Error(), "no sealed region") {
		t.Errorf("without a region: %v", err)
	}
	if _, err := Run(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	if got := corridors(t, opt.Dir); got != nil {
		t.Errorf("without a corridor: %v", got)
	}
	a, b := streetLine(t, "a", home), streetLine(t, "b", home)
	for _, files := range [][]string{{a}, {a, b}} {
		want := map[int]string{1: "[a]", 2: "[a b]"}[len(files)]
		m, err := CompileHeritage(opt.Dir, files)
		if err != nil || m.Counts["heritage_corridors"] != int64(len(files)) || m.Counts["nodes"] == 0 {
			t.Fatalf("%v: %v", err, m)
		}
		if got := fmt.Sprint(corridors(t, opt.Dir)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if err := region.Verify(t.Context(), opt.Dir); err != nil {
			t.Error(err)
		}
	}
	before, err := region.ReadManifest(opt.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for want, files := range map[string][]string{
		"lies outside of the roads of the region": {streetLine(t, "sea", geo.Point{Lon: 9.501, Lat: 46})},
		"id is that of another corridor too":      {a, a},
		"not-there.json":                          {filepath.Join(opt.Dir, "not-there.json")},
		"town.osm.pbf: invalid character":         opt.Sources,
		"region.json: json: cannot unmarshal":     {filepath.Join(opt.Dir, region.ManifestName)},
	} {
		if _, err := CompileHeritage(opt.Dir, files); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if after, err := region.ReadManifest(opt.Dir); err != nil || !slices.Equal(after.Sections, before.Sections) {
		t.Errorf("what was refused changed the region: %v", err)
	}

	// An import has the corridors that it is given, and makes nothing else anew.
	opt.Heritage = []string{b}
	s, err := Run(t.Context(), opt)
	if err != nil || len(s.Took) != 1 || fmt.Sprint(corridors(t, opt.Dir)) != "[b]" {
		t.Errorf("%v: ran %v, has %v", err, s.Took, corridors(t, opt.Dir))
	}
	// Without any it keeps those of the region, compiled or imported, once and again.
	opt.Heritage = nil
	if _, err := CompileHeritage(opt.Dir, []string{a, b}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s, err := Run(t.Context(), opt)
		if err != nil || fmt.Sprint(corridors(t, opt.Dir)) != "[a b]" || s.Manifest.Counts["heritage_entries"] != 2 || !s.KeptHeritage {
			t.Errorf("%v: has %v, %v", err, corridors(t, opt.Dir), s)
		}
	}
	elsewhere, far := opt, roads(20)
	for i := range far.Nodes {
		far.Nodes[i].Lat -= 10_000_000
	}
	elsewhere.Sources = []string{extract(t, "other.osm.pbf", far)}
	if _, err := Run(t.Context(), elsewhere); err == nil || !strings.Contains(err.Error(), "lies outside") || !strings.Contains(err.Error(), "--no-heritage") {
		t.Errorf("with roads elsewhere: %v", err)
	}
	if got := fmt.Sprint(corridors(t, opt.Dir)); got != "[a b]" {
		t.Errorf("after an import that failed: %s", got)
	}
	opt.NoHeritage = true
	if s, err := Run(t.Context(), opt); err != nil || corridors(t, opt.Dir) != nil || s.Manifest.Counts["heritage_entries"] != 0 {
		t.Errorf("%v: has %v", err, corridors(t, opt.Dir))
	}
}

// object has the tags and positions of an object of an extract.
type object struct {
	tags osm.Tags
	at   []geo.Point
}

// objects reads the nodes and ways of an extract by their addresses.
func objects(t *testing.T, path string) map[string]object {
	t.Helper()
	all, at := map[string]object{}, map[int64]geo.Point{}
	address := func(kind string, id int64) string {
		return "https://www.openstreetmap.org/" + kind + "/" + strconv.FormatInt(id, 10)
	}
	_, err := osm.Scan(t.Context(), path, osm.Options{SkipRelations: true}, func(b *osm.Block) error {
		for _, n := range b.Nodes {
			at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
			if len(n.Tags) > 0 {
				all[address("node", n.ID)] = object{slices.Clone(n.Tags), []geo.Point{at[n.ID]}}
			}
		}
		for _, w := range b.Ways {
			o := object{tags: slices.Clone(w.Tags)}
			for _, id := range w.Nodes {
				o.at = append(o.at, at[id])
			}
			all[address("way", w.ID)] = o
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	wordsOf = regexp.MustCompile(`[\pL\pN]+(?:['’][\pL]+)?`)
	// plain words of the entries state nothing by themselves.
	plain = strings.Fields("a an and also by called from here in is near of on says stood that the this to was which whose whom it names marks")
)

// unproven returns what an entry says that an object's tags do not: words of its text and
// subject that are in no key or value, plaques that it does not have, a place elsewhere.
func unproven(e *heritage.Entry, o object) (list []string) {
	said := map[string]bool{}
	for _, tag := range o.tags {
		for _, w := range wordsOf.FindAllString(strings.ReplaceAll(tag.Key+" "+tag.Value, "_", " "), -1) {
			said[strings.ToLower(w)] = true
		}
	}
	for _, w := range wordsOf.FindAllString(e.Text+" "+e.Subject, -1) {
		if w = strings.ToLower(w); !said[w] && !slices.Contains(plain, w) {
			list = append(list, w)
		}
	}
	for _, id := range e.PlaqueIDs {
		if "openplaques:"+o.tags.Get("openplaques:id") != id {
			list = append(list, id)
		}
	}
	plaque := strings.HasSuffix(o.tags.Get("memorial"), "plaque") || o.tags.Get("memorial:type") == "plaque"
	if (e.Basis == "plaque") != plaque {
		list = append(list, "basis "+e.Basis)
	}
	metres := math.Inf(1)
	for _, p := range o.at {
		metres = min(metres, geo.Distance(p, e.At()))
	}
	if metres > 1 {
		list = append(list, fmt.Sprintf("its place, %.0f m away", metres))
	}
	return list
}

// TestLondonCorridorIsWhatTheMapShows compares every entry of the corridor over central
// London with the tags of the object that it gives as its source.
func TestLondonCorridorIsWhatTheMapShows(t *testing.T) {
	all, err := ReadHeritage([]string{filepath.Join("..", "index", "heritage", "corridors", "london-fleet-street.json")})
	if err != nil {
		t.Fatal(err)
	}
	entries := all[0].Entries
	if len(entries) < 18 {
		t.Errorf("only %d entries", len(entries))
	}
	known := objects(t, realdata.File(t, "osm/london-westminster-20200720.osm.pbf"))
	for i := range entries {
		e := &entries[i]
		o, ok := known[e.Source]
		if !ok {
			t.Errorf("%s: the extract has no %s", e.ID, e.Source)
			continue
		}
		if wrong := unproven(e, o); wrong != nil {
			t.Errorf("%s: its source does not say %q: %v", e.ID, wrong, o.tags)
		}
		// The comparison finds the text of another entry, another place and another plaque.
		other := *e
		other.Text = entries[(i+1)%len(entries)].Text
		moved := *e
		moved.Lat += 0.001
		numbered := *e
		numbered.PlaqueIDs = []string{"openplaques:1"}
		for _, wrong := range []heritage.Entry{other, moved, numbered} {
			if unproven(&wrong, o) == nil {
				t.Errorf("%s: a false entry is not found: %+v", e.ID, wrong)
			}
		}
	}
}
