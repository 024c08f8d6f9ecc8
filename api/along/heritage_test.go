package along_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/heritage"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// along returns the body of a request along a line.
func along(line []geo.Point, more string) string {
	text, _ := json.Marshal(geo.EncodePolyline(line, 6))
	return `{"geometry_polyline6":` + string(text) + more + `}`
}

func TestHeritage(t *testing.T) {
	eastward := 90.0
	entries := func(town *towntest.Town) (list []heritage.Entry) {
		for i, e := range []heritage.Entry{
			{ID: "mill", Text: "A mill stood here.", Direction: &eastward}, {ID: "pond", Text: "A pond was here.", PlaqueIDs: []string{"town:7"}}, {ID: "inn", Text: "An inn was here."},
		} {
			p := geo.Destination(town.Between("a", "d", 0.25*float64(i+1)), 0, 40)
			e.Lat, e.Lon, e.Subject, e.Basis, e.Source, e.Licence, e.Reviewer = p.Lat, p.Lon, e.ID, "record", "https://archive.example/"+e.ID, "CC0-1.0", "A. Smith"
			list = append(list, e)
		}
		return list
	}
	g, town := apitest.DrawnWith(t, func(town *towntest.Town, r *world.Region) {
		a, d := town.Point("a"), town.Point("d")
		c := heritage.Corpus{
			Format: heritage.Format, Version: heritage.Version, ReviewedOn: "2026-11-01", Attribution: []string{"Town archive"}, Entries: entries(town),
			Corridor: heritage.Corridor{ID: "high-street", Name: "The High Street", Road: "High Street", Line: [][2]float64{{a.Lon, a.Lat}, {d.Lon, d.Lat}}},
		}
		if problems := heritage.Check([]heritage.Corpus{c}); problems != nil {
			t.Fatal(problems)
		}
		r.Heritage = heritage.NewIndex([]heritage.Corpus{c})
	})
	street := []geo.Point{town.Point("a"), town.Point("d")}
	back := []geo.Point{street[1], street[0]}
	elsewhere := []geo.Point{{Lon: 30, Lat: 10}, {Lon: 31, Lat: 10}}
	for name, c := range map[string]struct {
		line       []geo.Point
		more, want string
	}{
		"there":            {street, `,"min_gap_m":0`, "mill pond inn; 3 of 3 within, 3 spoken, 0 0 silenced, 0 m by distance"},
		"back":             {back, `,"min_gap_m":0`, "inn pond; 3 of 3 within, 2 spoken, 0 1 silenced, 0 m by distance"},
		"two":              {street, `,"min_gap_m":0,"max_lines":2`, "mill pond; 3 of 3 within, 2 spoken, 1 0 silenced, 0 m by distance"},
		"out of reach":     {street, `,"max_offset_m":39`, "; 0 of 3 within, 0 spoken, 0 0 silenced, 400 m by distance"},
		"by default":       {street, ``, "mill pond inn; 3 of 3 within, 3 spoken, 0 0 silenced, 400 m by distance"},
		"a budget of time": {street, fmt.Sprintf(`,"duration_s":%g`, geo.Length(street)/10), "mill; 3 of 3 within, 1 spoken, 2 0 silenced, 9000 m by time"},
		"less time":        {street, fmt.Sprintf(`,"duration_s":%g,"min_gap_s":10`, geo.Length(street)/10), "mill pond inn; 3 of 3 within, 3 spoken, 0 0 silenced, 400 m by distance"},
		"outside the map":  {elsewhere, ``, "; 0 of 3 within, 0 spoken, 0 0 silenced, 400 m by distance"},
		"null is left out": {street, `,"duration_s":null,"min_gap_s":null,"min_gap_m":null,"max_offset_m":null,"max_lines":null,"voice_format":null`, "mill pond inn; 3 of 3 within, 3 spoken, 0 0 silenced, 400 m by distance"},
	} {
		r := g.Send("POST", "/v1/route/heritage", along(c.line, c.more))
		if r.Status != 200 {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
			continue
		}
		var ids []string
		for _, l := range r.At(t, "lines").([]any) {
			ids = append(ids, l.(map[string]any)["id"].(string))
		}
		n := r.At(t, "census").(map[string]any)
		got := fmt.Sprintf("%s; %v of %v within, %v spoken, %v %v silenced, %.0f m by %v", strings.Join(ids, " "), n["within_reach"], n["corpus_entries"], n["spoken"], n["silenced_by_budget"], n["silenced_by_direction"], n["gap_m"], n["gap_basis"])
		if got != c.want || n["corridor"] != "high-street" || r.At(t, "corridor", "reviewed_on") != "2026-11-01" {
			t.Errorf("%s: %s, want %s: %s", name, got, c.want, r.Body)
		}
	}
	if r := g.Send("POST", "/v1/route/heritage", along(street, `,"units":"miles"`)); !strings.Contains(string(r.Body), `"warnings"`) || !strings.Contains(string(r.Body), "units") {
		t.Errorf("a member that is not known: %s", r.Body)
	}
	for name, c := range map[string]struct{ body, want string }{
		"nothing":                  {`{}`, "geometry_polyline6"},
		"one position":             {along(street[:1], ""), "geometry_polyline6: has 1 of at least two positions"},
		"no length":                {along([]geo.Point{street[0], street[0]}, ""), "geometry_polyline6: has no length"},
		"no polyline":              {`{"geometry_polyline6":"!"}`, "geometry_polyline6: is not a polyline"},
		"five digits":              {`{"geometry_polyline6":"` + strings.ReplaceAll(geo.EncodePolyline([]geo.Point{{Lon: 1700, Lat: 47}, {Lon: 1800, Lat: 48}}, 6), `\`, `\\`) + `"}`, "is off the globe"},
		"200,000 points":           {`{"geometry_polyline6":"` + strings.Repeat("?@", 200_000) + `"}`, "positions"},
		"a list":                   {`{"geometry_polyline6":[[1,2],[3,4]]}`, "geometry_polyline6: must be a string"},
		"no lines":                 {along(street, `,"max_lines":0`), "max_lines"},
		"51 lines":                 {along(street, `,"max_lines":51`), "max_lines"},
		"half a line":              {along(street, `,"max_lines":1.5`), "max_lines"},
		"81 m":                     {along(street, `,"max_offset_m":81`), "max_offset_m"},
		"a negative offset":        {along(street, `,"max_offset_m":-1`), "max_offset_m"},
		"a negative gap":           {along(street, `,"min_gap_m":-1`), "min_gap_m"},
		"no duration":              {along(street, `,"duration_s":0`), "duration_s"},
		"a duration in words":      {along(street, `,"duration_s":"long"`), "duration_s"},
		"a time without duration":  {along(street, `,"min_gap_s":900`), "min_gap_s: is a budget of time and needs duration_s"},
		"a voice that is none":     {along(street, `,"voice_format":"mp3"`), "voice_format"},
		"a voice and a bad offset": {along(street, `,"voice_format":"opus","max_offset_m":81`), "max_offset_m"},
	} {
		if p := g.Send("POST", "/v1/route/heritage", c.body).Problem(t, 400, "bad-request"); !strings.Contains(fmt.Sprint(p), c.want) {
			t.Errorf("%s: %v, want %q", name, p, c.want)
		}
	}
	for _, format := range []string{"opus", "m4a"} {
		g.Send("POST", "/v1/route/heritage", along(street, `,"voice_format":"`+format+`"`)).Problem(t, 501, "voice-not-enabled")
	}
}

func TestHeritageWithoutCorridors(t *testing.T) {
	g, town := apitest.Drawn(t)
	r := g.Send("POST", "/v1/route/heritage", along([]geo.Point{town.Point("a"), town.Point("d")}, ""))
	if r.Status != 200 || r.At(t, "corridor") != nil || len(r.At(t, "lines").([]any)) != 0 || r.At(t, "census", "corpus_entries") != 0.0 || r.At(t, "census", "corridor") != nil {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}
