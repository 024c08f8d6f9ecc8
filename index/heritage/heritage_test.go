package heritage

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// street returns a corridor of a kilometre to the east, with one entry 20 m north of its middle.
func street() Corpus {
	west := geo.Point{Lon: 9.5, Lat: 47.5}
	east := geo.Destination(west, 90, 1000)
	at := geo.Destination(geo.Between(west, east, 0.5), 0, 20)
	return Corpus{
		Format: Format, Version: Version, ReviewedOn: "2026-11-01", Attribution: []string{"Town archive"},
		Corridor: Corridor{ID: "street", Name: "The street", Road: "B1", Line: [][2]float64{{west.Lon, west.Lat}, {east.Lon, east.Lat}}},
		Entries: []Entry{{
			ID: "mill", Lat: at.Lat, Lon: at.Lon, Text: "A mill stood here from 1712 to 1890.", Subject: "Mill", Basis: "record",
			Source: "https://archive.example/mill", Licence: "CC0-1.0", Reviewer: "A. Smith",
		}},
	}
}

func text(t testing.TB, c any) string {
	t.Helper()
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReadRefusesOtherFiles(t *testing.T) {
	good := text(t, street())
	if c, err := Read(strings.NewReader(good)); err != nil || text(t, c) != good {
		t.Fatalf("%v: %s", err, text(t, c))
	}
	for name, c := range map[string]struct{ file, want string }{
		"nothing":                  {"", "EOF"},
		"a list":                   {"[]", "array"},
		"an unknown member":        {strings.Replace(good, `"subject"`, `"subjekt"`, 1), `unknown field "subjekt"`},
		"an unknown member on top": {strings.Replace(good, `"reviewed_on"`, `"reviewed"`, 1), `unknown field "reviewed"`},
		"another format":           {strings.Replace(good, Format, "waygate-zones", 1), `format is "waygate-zones"`},
		"a newer version":          {strings.Replace(good, `"version":1`, `"version":2`, 1), "version is 2 and this build reads 1 to 1"},
		"two objects":              {good + good, "more follows"},
		"a text for a number":      {strings.Replace(good, `"lat":47`, `"lat":"47`, 1), "invalid"},
		"too long":                 {strings.Repeat(" ", MostBytes+1), "longer than"},
	} {
		if _, err := Read(strings.NewReader(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	if problems := Check([]Corpus{street()}); problems != nil {
		t.Fatal(problems)
	}
	degrees := func(v float64) *float64 { return &v }
	for name, c := range map[string]struct {
		change func(c *Corpus, e *Entry)
		want   string
	}{
		"no source":             {func(_ *Corpus, e *Entry) { e.Source = "" }, "corridor street: entry mill: source is missing: must be the http or https address"},
		"a source without host": {func(_ *Corpus, e *Entry) { e.Source = "archive 7" }, `source is "archive 7"`},
		"a source of a file":    {func(_ *Corpus, e *Entry) { e.Source = "file:///etc/passwd" }, `source is "file:///etc/passwd"`},
		"no licence":            {func(_ *Corpus, e *Entry) { e.Licence = "" }, "licence is missing"},
		"no reviewer":           {func(_ *Corpus, e *Entry) { e.Reviewer = "" }, "reviewer is missing"},
		"no text":               {func(_ *Corpus, e *Entry) { e.Text = " " }, "text is missing"},
		"no subject":            {func(_ *Corpus, e *Entry) { e.Subject = "" }, "subject is missing"},
		"no basis":              {func(_ *Corpus, e *Entry) { e.Basis = "" }, "basis is missing: must be one of plaque, map, record"},
		"no id":                 {func(_ *Corpus, e *Entry) { e.ID = "" }, "entry number 0: id is missing"},
		"an id with a space":    {func(_ *Corpus, e *Entry) { e.ID = "Old mill" }, `id is "Old mill"`},
		"a text that is long":   {func(_ *Corpus, e *Entry) { e.Text = strings.Repeat("ä", MostText+1) }, "text has 401 characters of at most 400"},
		"a text of two lines":   {func(_ *Corpus, e *Entry) { e.Text = "A mill.\nA pond." }, "text has control characters"},
		"a text with markup":    {func(_ *Corpus, e *Entry) { e.Text = "<speak>A mill.</speak>" }, "text has markup"},
		"a side of the road":    {func(_ *Corpus, e *Entry) { e.Text = "On your left stood a mill." }, `text says "On your left"`},
		"something to see":      {func(_ *Corpus, e *Entry) { e.Text = "Here you can see a mill." }, `text says "you can see"`},
		"an empty plaque":       {func(_ *Corpus, e *Entry) { e.PlaqueIDs = []string{"1", ""} }, "plaque_ids is missing"},
		"a course of 361":       {func(_ *Corpus, e *Entry) { e.Direction = degrees(361) }, "direction_deg is 361: must be 0 to 360"},
		"a course of -1":        {func(_ *Corpus, e *Entry) { e.Direction = degrees(-1) }, "direction_deg is -1"},
		"no position":           {func(_ *Corpus, e *Entry) { e.Lat, e.Lon = 0, 0 }, "lat and lon are 0 and 0: must be a position"},
		"a point in the sea":    {func(_ *Corpus, e *Entry) { e.Lat, e.Lon = 44, 9 }, "391 km from the corridor's line: must be within 80 m"},
		"off the globe":         {func(_ *Corpus, e *Entry) { e.Lat = 91 }, "lat and lon are 91"},
		"lat and lon swapped":   {func(_ *Corpus, e *Entry) { e.Lat, e.Lon = e.Lon, e.Lat }, "are lat and lon swapped?"},
		"no entries":            {func(c *Corpus, _ *Entry) { c.Entries = nil }, "corridor street: entries is missing"},
		"no day":                {func(c *Corpus, _ *Entry) { c.ReviewedOn = "" }, "reviewed_on is missing: must be a day"},
		"a day that is none":    {func(c *Corpus, _ *Entry) { c.ReviewedOn = "2026-02-30" }, `reviewed_on is "2026-02-30"`},
		"no attribution":        {func(c *Corpus, _ *Entry) { c.Attribution = nil }, "attribution has 0 texts"},
		"no name":               {func(c *Corpus, _ *Entry) { c.Corridor.Name = "" }, "name is missing"},
		"no road":               {func(c *Corpus, _ *Entry) { c.Corridor.Road = "" }, "road is missing"},
		"no line":               {func(c *Corpus, _ *Entry) { c.Corridor.Line = nil }, "line has 0 positions"},
		"a line of one place":   {func(c *Corpus, _ *Entry) { c.Corridor.Line[1] = c.Corridor.Line[0] }, "line has no length"},
		"a line off the globe":  {func(c *Corpus, _ *Entry) { c.Corridor.Line[1] = [2]float64{10, 95} }, "line leaves the globe at position 1"},
		"an id twice":           {func(c *Corpus, e *Entry) { c.Entries = append(c.Entries, *e) }, "entry mill: id is that of another entry too, of corridor street"},
	} {
		corpus := street()
		c.change(&corpus, &corpus.Entries[0])
		problems := Check([]Corpus{corpus})
		if len(problems) != 1 || !strings.Contains(problems[0].String(), c.want) {
			t.Errorf("%s: %v, want %q alone", name, problems, c.want)
		}
	}
}

func TestCheckOfSeveralCorridors(t *testing.T) {
	a, b := street(), street()
	got := fmt.Sprint(Check([]Corpus{a, b}))
	if !strings.Contains(got, "id is that of another corridor too") || !strings.Contains(got, "entry mill: id is that of another entry too") {
		t.Error(got)
	}
	b.Corridor.ID, b.Entries[0].ID = "other", "pond"
	if problems := Check([]Corpus{a, b}); problems != nil {
		t.Error(problems)
	}
}

// TestReachOfTheLine has entries 79 m and 81 m from the corridor's line.
func TestReachOfTheLine(t *testing.T) {
	for _, metres := range []float64{79, 81} {
		c := street()
		middle := geo.Between(geo.Point{Lon: c.Corridor.Line[0][0], Lat: c.Corridor.Line[0][1]}, geo.Point{Lon: c.Corridor.Line[1][0], Lat: c.Corridor.Line[1][1]}, 0.5)
		p := geo.Destination(middle, 0, metres)
		c.Entries[0].Lat, c.Entries[0].Lon = p.Lat, p.Lon
		problems := Check([]Corpus{c})
		if far := metres > MostOffset; far != (len(problems) == 1) || far && !strings.Contains(problems[0].String(), "81 m from the corridor's line") {
			t.Errorf("%g m: %v", metres, problems)
		}
	}
}

func TestProblemsAreBounded(t *testing.T) {
	c := street()
	for i := range 3000 {
		e := c.Entries[0]
		e.ID, e.Source = fmt.Sprintf("mill-%d", i), ""
		c.Entries = append(c.Entries, e)
	}
	if problems := Check([]Corpus{c}); len(problems) != mostProblems {
		t.Errorf("%d problems", len(problems))
	}
}

// written returns the section as a region has it.
func written(t testing.TB, all []Corpus) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "section")
	if err := Write(path, all); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSectionComesBack(t *testing.T) {
	other := street()
	other.Corridor.ID, other.Entries[0].ID = "other", "pond"
	all := []Corpus{street(), other}
	s, err := region.ReadSection(SectionName, written(t, all))
	if err != nil {
		t.Fatal(err)
	}
	x, err := ReadSection(s)
	if err != nil || text(t, x.Corpora()) != text(t, all) || x.Len() != 2 || x.Entry(1).ID != "pond" || x.Entry(1).Corpus != 1 {
		t.Errorf("%v: %+v", err, x)
	}
	bad := street()
	bad.Entries[0].Source = ""
	if s, err = region.ReadSection(SectionName, written(t, []Corpus{bad})); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSection(s); err == nil || !strings.Contains(err.Error(), "section heritage: corridor street: entry mill: source") {
		t.Errorf("%v", err)
	}
}

// FuzzRead checks that input which Read and Check take comes back from a section as it was.
func FuzzRead(f *testing.F) {
	f.Add([]byte(text(f, street())))
	f.Add([]byte(`{"format":"waygate-heritage","version":1,"corridor":{"line":[[0,0],[1e308,-90]]},"entries":[{"lat":1e308}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Read(strings.NewReader(string(data)))
		if err != nil {
			return
		}
		for _, p := range Check([]Corpus{*c}) {
			if len(p.String()) > 2000 {
				t.Errorf("a problem of %d bytes", len(p.String()))
			}
		}
		if len(Check([]Corpus{*c})) > 0 {
			return
		}
		s, err := region.ReadSection(SectionName, written(t, []Corpus{*c}))
		if err != nil {
			t.Fatal(err)
		}
		x, err := ReadSection(s)
		if err != nil || text(t, x.Corpora()[0]) != text(t, c) {
			t.Errorf("%v", err)
		}
	})
}

func FuzzReadSection(f *testing.F) {
	f.Add(written(f, []Corpus{street()}))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if s, err := region.ReadSection(SectionName, data); err == nil {
			_, _ = ReadSection(s)
		}
	})
}
