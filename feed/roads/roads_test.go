package roads

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/traffic"
)

func feedOf(t *testing.T, s feed.Source) *feed.Feed[*traffic.Document] {
	t.Helper()
	s.ID, s.Kind = "test", "traffic"
	f, err := feed.New(feed.Options{Dir: t.TempDir()}, s, Kind(StaleAfter))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDelta checks that a partial file leaves the rest as it was, and that a full one
// does not.
func TestDelta(t *testing.T) {
	path := filepath.Join(t.TempDir(), "speeds.csv")
	for _, c := range []struct {
		options []string
		after   int
	}{{nil, 3}, {[]string{"full"}, 2}} {
		f := feedOf(t, feed.Source{URL: path, Options: c.options})
		write(t, path, "1,2,50\n2,3,60\n")
		if err := f.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		write(t, path, "2,3,10\n3,4,20\n2,3,30\n")
		if err := os.Chtimes(path, time.Now(), time.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		if err := f.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := f.Latest().Value.Segments
		if c.options != nil {
			if len(got) != 3 { // as it came
				t.Errorf("full: %v", got)
			}
			continue
		}
		if len(got) != c.after || got[0].Kmh != 50 || got[1].Kmh != 30 || got[2].Kmh != 20 || got[0].At == 0 || got[1].At != 0 {
			t.Errorf("after a change: %+v", got)
		}
	}
}

func TestMergeRecords(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	window := []traffic.Window{{Until: now.Add(-time.Minute)}}
	last := &traffic.Document{Read: now.Add(-time.Minute), Records: []traffic.Record{
		{ID: "stays", Incident: &traffic.Incident{}},
		{ID: "ends", Incident: &traffic.Incident{}},
		{ID: "over", Windows: window, Incident: &traffic.Incident{}},
		{ID: "changes", Kmh: 10},
		{ID: "old", Kmh: 10, At: now.Add(-2 * time.Hour)},
	}}
	out := merge(last, &traffic.Document{Delta: true, Read: now, Ended: []string{"ends"}, Records: []traffic.Record{{ID: "changes", Kmh: 20}}})
	var ids []string
	for _, r := range out.Records {
		ids = append(ids, r.ID)
	}
	if got := strings.Join(ids, " "); got != "changes stays" || out.Records[0].Kmh != 20 {
		t.Errorf("after a change there are %s", got)
	}
}

// TestFormats checks that formats are recognised by what documents look like.
func TestFormats(t *testing.T) {
	for name, text := range map[string]string{
		"segments": "# speeds\n1,2,50\n",
		"turns":    "# turns\n240949599,2606600432,265331498,7.5\n",
		"csv":      "way,speed_kph\n17,30\n",
		"json":     `{"records":[{"way":17,"speed_kph":30}]}`,
		"geojson":  `{"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"speed_kph":30}}]}`,
		"wzdx":     `{"feed_info":{},"features":[{"id":"a","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"core_details":{"event_type":"work-zone"}}}]}`,
		"datex2":   `<d2LogicalModel><situation id="s"><situationRecord id="r" xsi:type="Accident"><latitude>50</latitude><longitude>7</longitude></situationRecord></situation></d2LogicalModel>`,
	} {
		path := filepath.Join(t.TempDir(), "document")
		write(t, path, text)
		f := feedOf(t, feed.Source{URL: path})
		if err := f.Poll(t.Context()); err != nil || f.Latest().Records != 1 {
			t.Errorf("%s: %v, %+v", name, err, f.Latest())
		}
	}
}

// TestBadDocuments checks that garbage changes nothing that was read before.
func TestBadDocuments(t *testing.T) {
	var body atomic.Value
	body.Store("1,2,50\n")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(body.Load().(string)))
	}))
	defer server.Close()
	f := feedOf(t, feed.Source{URL: server.URL})
	if err := f.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"HTML": "<!doctype html><html><body>504</body></html>", "half": `<d2LogicalModel><situation`, "entities": `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`,
		"JSON that is cut": `{"records":[{"way":1,`, "prices": "id,price\n1,2\n", "nonsense": "\x00\x01\x02",
	} {
		body.Store(text)
		if err := f.Poll(t.Context()); err == nil {
			t.Errorf("%s was taken: %+v", name, f.Latest().Value)
		}
		if d := f.Latest().Value; len(d.Segments) != 1 {
			t.Errorf("after %s there are %+v", name, d)
		}
	}
	if s := f.Status(); s.State != feed.Failing || s.Error == "" {
		t.Errorf("the state is %+v", s)
	}
}

func TestLinks(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "model.csv"), "id,shape,kind\nL1,_izlhA~rlgdF_{geC~ywl@,other\n")
	write(t, filepath.Join(dir, "speeds.json"), `{"records":[{"id":"a","link":"L1","speed_kph":30}]}`)
	f := feedOf(t, feed.Source{URL: filepath.Join(dir, "speeds.json"), Options: []string{"links=" + filepath.Join(dir, "model.csv")}})
	if err := f.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := f.Latest().Value; len(d.Links) != 1 || d.Links[0].ID != "L1" || d.Records[0].Place.Links[0] != "L1" {
		t.Errorf("read %+v", d)
	}
	for _, s := range []feed.Source{{URL: "x", Format: "shapefile"}, {URL: "x", Options: []string{"fast"}}, {URL: "x", Options: []string{"full", "delta"}}} {
		s.ID, s.Kind = "test", "traffic"
		if _, err := feed.New(feed.Options{}, s, Kind(StaleAfter)); err == nil {
			t.Errorf("%+v was taken", s)
		}
	}
}
