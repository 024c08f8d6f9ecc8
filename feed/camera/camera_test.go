package camera

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/feed"
)

func polled(t *testing.T, text string) (*feed.Feed[[]Camera], error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := feed.New(feed.Options{Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "test", Kind: "cameras", URL: path, Country: "GB"}, Kind())
	if err != nil {
		t.Fatal(err)
	}
	return f, f.Poll(t.Context())
}

func TestRead(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a table": {
			"id,lat,lon,kind,limit_mph,limit_kph,bearing,travel_bearing,to_lat,to_lon,country,new\n1,51.5,-3,fixed,30,,270,,,,,x\n2,51.5,-3,,,80,,10,51.6,-3,IE,\n3,51.5,-3,warp,9999,,400,,,,,\n4,-3,51.5,,,,,,,,,\n1,51.5,-3,,,,,,,,,\n5,x,y,,,,,,,,,\n",
			"1 fixed 48  90 GB|3 unknown 0   GB|coordinates swapped=1 id is there twice=1 kind not known, taken as unknown=1 limit out of range, left out=1 no place=1 place outside of the country=1",
		},
		"GeoJSON": {
			`{"type":"FeatureCollection","features":[{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[-3,51.5]},"properties":{"Kind":"redlight","limit_kph":50,"bearing":0}},{"type":"Feature","geometry":{"type":"LineString","coordinates":[[-3,51.5],[-3,51.55],[-3,51.6]]},"properties":{"id":"s"}},{"geometry":null}]}`,
			"7 redlight 50  180 GB|s average 0   GB to 51.6000|no record as expected=1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := polled(t, c.text)
			if err != nil {
				t.Fatal(err)
			}
			var got, rejects []string
			for _, x := range f.Latest().Value {
				travel := ""
				if x.Travel != nil {
					travel = fmt.Sprint(*x.Travel)
				}
				line := fmt.Sprintf("%s %s %d %s %s %s", x.ID, x.Kind, x.Limit, x.Confidence, travel, x.Country)
				if x.To != nil {
					line += fmt.Sprintf(" to %.4f", x.To.Lat)
				}
				got = append(got, line)
			}
			for _, r := range f.Latest().Rejected {
				rejects = append(rejects, fmt.Sprintf("%s=%d", r.Reason, r.Count))
			}
			slices.Sort(rejects)
			if s := strings.Join(append(got, strings.Join(rejects, " ")), "|"); s != c.want {
				t.Errorf("%s\nwant\n%s", s, c.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add("id,lat,lon,kind\n1,51.5,-3,fixed\n")
	f.Add(`{"features":[{"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"bearing":1e99}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := polled(t, text)
		if err != nil {
			return
		}
		for _, c := range s.Latest().Value {
			if !c.At.Valid() || c.ID == "" || c.Limit < 0 || c.Limit > mostLimit || c.Travel != nil && (*c.Travel < 0 || *c.Travel >= 360) {
				t.Errorf("%+v", c)
			}
		}
	})
}

// TestWhereLimitsAreFrom reads a table whose records say where their limits are from or
// leave it open, as it is and of a source that is official.
func TestWhereLimitsAreFrom(t *testing.T) {
	const text = "id,lat,lon,limit_kph,limit_confidence\na,51.5,-3,50,\nb,51.6,-3,50,OSM\nc,51.7,-3,50,official\nd,51.8,-3,50,unknown\ne,51.9,-3,50,hearsay\nf,52,-3,,official\n"
	for options, want := range map[string]string{"": "a= b=osm c=official d= e= f=", Official: "a=official b=osm c=official d= e= f="} {
		path := filepath.Join(t.TempDir(), "cameras.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := feed.New(feed.Options{Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "test", Kind: "cameras", URL: path, Options: strings.Fields(options)}, Kind())
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range f.Latest().Value {
			got = append(got, c.ID+"="+c.Confidence)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("options %q: %s, want %s", options, s, want)
		}
		if r := f.Latest().Rejected; len(r) != 1 || !strings.Contains(r[0].Reason, "limit_confidence") {
			t.Errorf("the rejects are %+v", r)
		}
	}
	if _, err := feed.New(feed.Options{}, feed.Source{ID: "test", Kind: "cameras", URL: "x.csv", Options: []string{"oficial"}}, Kind()); err == nil {
		t.Error("an option that is misspelt is taken")
	}
}
