package answer

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/wire/schema/schematest"
)

// schema is the JSON types seen at each path of some documents.
type schema map[string][]string

func (s schema) learn(v any) {
	schematest.EachValue("", v, func(path, kind string) {
		if !slices.Contains(s[path], kind) {
			s[path] = append(s[path], kind)
		}
	})
}

func learnExamples(t *testing.T, member string, globs ...string) schema {
	t.Helper()
	s, found := schema{}, 0
	for _, g := range globs {
		files, err := filepath.Glob(filepath.Join(realdata.Beside(t, "peers"), g))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var v map[string]any
			if err := json.Unmarshal(raw, &v); err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			if _, ok := v[member]; ok {
				s.learn(v)
				found++
			}
		}
	}
	if found == 0 {
		t.Skip("no examples of route answers")
	}
	return s
}

// compare finds the members we write that the real engine never does, or with
// another type, and reports those of its that we lack.
func compare(t *testing.T, ours, theirs schema, except, lack []string) {
	t.Helper()
	for path, kinds := range ours {
		if slices.Contains(except, path) {
			continue
		}
		for _, k := range kinds {
			if !slices.Contains(theirs[path], k) {
				t.Errorf("we write a %s at %s, they write %v", k, path, theirs[path])
			}
		}
	}
	for _, path := range except {
		if _, ok := ours[path]; !ok {
			t.Errorf("exception %s is not written", path)
		}
	}
	for path := range theirs {
		if _, ok := ours[path]; !ok && !slices.Contains(lack, path) {
			t.Errorf("they write %s and we do not", path)
		}
	}
}

func TestNativeAgainstExamples(t *testing.T) {
	theirs := learnExamples(t, "trip", "valhalla/examples/*route*.response.json")
	// Alternates have the trip's members; the examples' have fewer.
	for path := range theirs {
		if strings.HasPrefix(path, ".alternates") {
			delete(theirs, path)
		}
	}
	d := county()
	r := requestFrom(d, engine.Native, 'a', 'g')
	r.Admins = true
	heading := 90.0
	r.Locations[0].Heading = &heading
	ours := schema{}
	var v any
	rt := routeOf(r, d.Path(across), d, 'a', 'g')
	rt.Legs[0].From.At = time.Date(2026, 5, 5, 8, 0, 0, 0, time.UTC)
	if err := json.Unmarshal(write(t, d, r, rt), &v); err != nil {
		t.Fatal(err)
	}
	ours.learn(v)
	const m = ".trip.legs[].maneuvers[]"
	// Members documented for the engine that no example happens to have.
	except := []string{
		m + ".toll", m + ".highway", m + ".ferry", m + ".sign",
		m + ".sign.exit_number_elements", m + ".sign.exit_number_elements[]", m + ".sign.exit_number_elements[].text",
		m + ".sign.exit_branch_elements", m + ".sign.exit_branch_elements[]", m + ".sign.exit_branch_elements[].text", m + ".sign.exit_branch_elements[].consecutive_count",
		m + ".sign.exit_toward_elements", m + ".sign.exit_toward_elements[]", m + ".sign.exit_toward_elements[].text",
	}
	compare(t, ours, theirs, except, []string{
		".trip.locations[].street",
		".trip.linear_references", ".trip.linear_references[]",
		".trip.legs[].elevation_interval", ".trip.legs[].elevation", ".trip.legs[].elevation[]",
		m + ".time_slow", ".trip.legs[].summary.time_slow", ".trip.summary.time_slow",
	})
}

// ourForms writes the county's route in every form of OSRM's format.
func ourForms(t *testing.T, guided bool) schema {
	ours := schema{}
	d := county()
	for _, geometries := range []string{"polyline", "geojson"} {
		r := requestFrom(d, engine.OSRM, 'a', 'g')
		r.Geometries, r.Annotations = geometries, engine.AnnotateAll
		r.Voice, r.Banners = guided, guided
		if guided {
			r.Annotations = 0
		}
		var v any
		if err := json.Unmarshal(write(t, d, r, routeOf(r, d.Path(across), d, 'a', 'g')), &v); err != nil {
			t.Fatal(err)
		}
		ours.learn(v)
	}
	return ours
}

// The two tests beside the examples hold what docs/compatibility.md explains.
func TestOSRMAgainstExamples(t *testing.T) {
	theirs := learnExamples(t, "routes", "osrm/examples/*route*.response.json")
	ours := ourForms(t, false)
	const s = ".routes[].legs[].steps[]"
	// Members documented for the engine that no example happens to have.
	for _, p := range []string{s + ".geometry", s + ".geometry.type", s + ".geometry.coordinates", s + ".geometry.coordinates[]", s + ".geometry.coordinates[][]"} {
		theirs[p] = append(theirs[p], theirs[".routes[]"+p[len(s):]]...)
	}
	except := []string{
		s + ".ref", s + ".destinations", s + ".exits", s + ".intersections[].classes", s + ".intersections[].classes[]",
		s + ".maneuver.instruction", s + ".intersections[].geometry_index", ".routes[].voiceLocale",
		".routes[].legs[].via_waypoints", ".routes[].legs[].admins", ".routes[].legs[].admins[]", ".routes[].legs[].admins[].iso_3166_1", ".routes[].legs[].admins[].iso_3166_1_alpha3",
		s + ".intersections[].admin_index", s + ".intersections[].duration", s + ".intersections[].weight",
		s + ".intersections[].turn_duration", s + ".intersections[].turn_weight",
	}
	compare(t, ours, theirs, except, []string{".waypoints[].hint"})
}

func TestOSRMAgainstValhalla(t *testing.T) {
	theirs := learnExamples(t, "routes", "valhalla/examples/*osrm*.response.json")
	ours := ourForms(t, true)
	const s = ".routes[].legs[].steps[]"
	// Members documented for the engine that no example happens to have.
	for path, kinds := range maps.Clone(theirs) {
		at, ok := strings.CutPrefix(path, s+".bannerInstructions[].primary")
		if !ok || at == ".degrees" || at == ".driving_side" {
			continue
		}
		for _, line := range []string{".secondary", ".sub"} {
			theirs[s+".bannerInstructions[]"+line+at] = kinds
		}
	}
	except := []string{
		s + ".ref", s + ".destinations", s + ".exits", s + ".intersections[].classes", s + ".intersections[].classes[]",
	}
	for path := range ours {
		if strings.HasPrefix(path, s+".geometry.") || strings.HasPrefix(path, ".routes[].geometry.") {
			delete(ours, path) // GeoJSON, which no example asks for
		}
	}
	for _, p := range []string{s + ".geometry", ".routes[].geometry"} {
		ours[p] = []string{"string"}
	}
	lack := []string{
		s + ".rotary_name", // the county's roundabout has no name
	}
	compare(t, ours, theirs, except, lack)
}
