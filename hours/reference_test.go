package hours_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/hours/holiday"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/search/searchtest"
)

// town is where values are judged.
type town struct {
	name           string
	lat, lon       float64
	zone           string
	country, state string
}

// towns are near the extracts; a value is judged in the one that is nearest to some
// node that has it, and in the first where only ways have.
var towns = []town{
	{"Newport", 51.58, -3.0, "Europe/London", "gb", "Wales"},
	{"London", 51.5, -0.12, "Europe/London", "gb", "England"},
	{"Birmingham", 52.48, -1.9, "Europe/London", "gb", "England"},
	{"Berlin", 52.52, 13.4, "Europe/Berlin", "de", "Berlin"},
	{"Munich", 48.14, 11.58, "Europe/Berlin", "de", "Bayern"},
	{"Düsseldorf", 51.2, 6.8, "Europe/Berlin", "de", "Nordrhein-Westfalen"},
	{"Dreieich", 50, 8.7, "Europe/Berlin", "de", "Hessen"},
	{"Husum", 54.3, 8.8, "Europe/Berlin", "de", "Schleswig-Holstein"},
	{"Vaduz", 47.14, 9.52, "Europe/Vaduz", "li", ""},
	{"Helsinki", 60.17, 24.94, "Europe/Helsinki", "fi", ""},
	{"Copenhagen", 55.68, 12.57, "Europe/Copenhagen", "dk", ""},
	{"Vigo", 42.24, -8.72, "Europe/Madrid", "es", "Galicia"},
	{"Andorra", 42.5, 1.52, "Europe/Andorra", "ad", ""},
	{"Valletta", 35.9, 14.5, "Europe/Malta", "mt", ""},
	{"Milan", 45.5, 9.2, "Europe/Rome", "it", ""},
	{"Prague", 50.08, 14.4, "Europe/Prague", "cz", ""},
	{"Delft", 52, 4.35, "Europe/Amsterdam", "nl", ""},
	{"Porto Alegre", -30, -51.2, "America/Sao_Paulo", "br", ""},
	{"Harrisburg", 40.2, -76.8, "America/New_York", "us", "Pennsylvania"},
	{"Portland", 45.5, -122.7, "America/Los_Angeles", "us", "Oregon"},
}

// instants are of two years: every three weeks at one hour of each part of the day,
// and at some of holidays, of the days on which clocks change, and of the nights
// after. The list leaves out where the reference is wrong: the first hours after a day of 23
// hours, for which it takes the day before yesterday for yesterday, and days in lieu
// of holidays at a weekend, which it lacks.
func instants() (list []string) {
	const form = "2006-01-02T15:04"
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, clock := 0, []int{35, 7*60 + 5, 9*60 + 35, 11*60 + 50, 14*60 + 10, 17*60 + 40, 20*60 + 20, 23*60 + 15}; i < 104; i++ {
		if at := begin.AddDate(0, 0, i*7+i%7).Add(time.Duration(clock[i*5%8]) * time.Minute); at.Month() != time.December || at.Day() < 27 || at.Day() > 28 {
			list = append(list, at.Format(form))
		}
	}
	for _, day := range []string{
		"2026-01-01", "2026-01-06", "2026-04-03", "2026-04-06", "2026-05-01", "2026-05-25", "2026-08-15", "2026-10-03", "2026-11-01", "2026-12-24", "2026-12-25", "2026-12-26", "2026-12-31",
		"2027-01-01", "2027-03-26", "2027-03-29", "2027-05-03", "2027-08-30", "2026-03-29", "2026-10-25", "2027-03-28", "2027-10-31",
	} {
		list = append(list, day+"T04:20", day+"T10:20", day+"T15:30", day+"T22:10")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

const verdictsFile = "testdata/verdicts.txt"

// TestVerdicts compares with what the reference said of one value of every form that
// the extracts have. -update runs it anew.
func TestVerdicts(t *testing.T) {
	if golden.FlagUpdate() {
		writeVerdicts(t)
	}
	text, err := os.ReadFile(verdictsFile)
	if err != nil {
		t.Fatal(err)
	}
	var all []judged
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 {
			t.Fatalf("%q", line)
		}
		value, err := strconv.Unquote(fields[1])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, judged{fields[0], value, fields[2]})
	}
	differing := compare(t, all)
	for _, x := range differing {
		if departures[x] == "" {
			t.Errorf("%q differs", x)
		}
	}
	if len(all) < 500 || len(differing) != len(departures) {
		t.Errorf("%d of %d values differ, and %d departures are known", len(differing), len(all), len(departures))
	}
}

// TestAgainstTheReference compares values of the extracts with what the reference
// says of them: every fifth, or all with WAYGATE_CASES=5 or more.
func TestAgainstTheReference(t *testing.T) {
	if testing.Short() {
		t.Skip("compares with the reference implementation, which a short test does not")
	}
	of, nth := values(t), max(1, 5/searchtest.Cases(1))
	for name, list := range of {
		var some []string
		for i := 0; i < len(list); i += nth {
			some = append(some, list[i])
		}
		of[name] = some
	}
	all := ask(t, of)
	if n := len(compare(t, all)); len(all) < 3000/nth || float64(n) > 0.005*float64(len(all)) {
		t.Errorf("%d of %d values differ, want at most 0.5 %%", n, len(all))
	}
}

// judged is a value and what the reference says of it, a letter for each instant.
type judged struct{ town, value, verdicts string }

// departures are the values of which another verdict is given on purpose, with the
// reason. Without a sign between two sets of days the reference has all times on all
// days, which nobody means.
var departures = map[string]string{
	"Mo 10:00-11:00,17:00-18:00,18:30-19:30, Tu 09:30-11:30,19:30-21:30, We 10:30-12:00,14:00-16:00,16:45-17:45,18:00-19:00,19:30-21:30 Th 09:30-11:30,12:30-15:30,17:00-18:00,19:00-20:00, Fr 09:00-15:00,19:30-21:30,19:00-21:00, Sa Off Su Off": "no sign between days",
	"Mo-Fr 07:00-22:00 Sa 08:30-22:00 Su 09:30-21:00": "no sign between days",
	"Su-Do 11:00-24:00 Fr-Sa 11:00-01:00":             "no sign between days",
	"Jan sunrise-17:00; Feb 1-Feb 13 sunrise-17:30; Feb 14-Feb 27 sunrise-18:00; Feb 28-Feb 31 sunrise-20:00; Apr-Sep sunrise-20:30; Oct 1-Oct 9 sunrise-19:30; Oct 10-Oct 16 sunrise-19:00; Oct 17-Oct 31 sunrise-18:30; Nov sunrise-17:30; Dec sunrise-16:30": "31 February is not 3 March",
	"PH,Mo-Su 12:00":                           "a time without an end is not supported",
	"21:00 closed":                             "a time without an end is not supported",
	"Mo-Fr 07:00-16:15; Summer 07:00-13:00":    "seasons are not supported",
	"Weekdays 7-3, Saturdays 7-6, Sundays 7-4": "prose is not supported",
}

// compare judges values, and lists those that differ.
func compare(t *testing.T, all []judged) (differing []string) {
	t.Helper()
	moments := instants()
	same, verdicts, alike := 0, 0, 0
	for _, x := range all {
		if len(x.verdicts) != len(moments) {
			t.Fatalf("%d verdicts of %q for %d instants: -update them", len(x.verdicts), x.value, len(moments))
		}
		i := slices.IndexFunc(towns, func(of town) bool { return of.name == x.town })
		zone, err := time.LoadLocation(towns[i].zone)
		if err != nil {
			t.Fatal(err)
		}
		p := &hours.Place{At: &geo.Point{Lon: towns[i].lon, Lat: towns[i].lat}, Holiday: holiday.In(towns[i].country, towns[i].state)}
		verdicts += len(moments)
		s, err := hours.Parse(x.value)
		if err != nil {
			t.Log(err)
			differing = append(differing, x.value)
			continue
		}
		differs := ""
		for k, text := range moments {
			at, err := time.ParseInLocation("2006-01-02T15:04", text, zone)
			if err != nil {
				t.Fatal(err)
			}
			if got := "cou"[s.In(at, p)]; got == x.verdicts[k] {
				alike++
			} else if differs == "" {
				differs = fmt.Sprintf("%s %s: %c, the reference has %c", text, at.Weekday(), got, x.verdicts[k])
			}
		}
		if differs == "" {
			same++
		} else {
			differing = append(differing, x.value)
			t.Logf("%q in %s differs at %s", x.value, x.town, differs)
		}
	}
	t.Logf("%d of %d values (%.2f %%) agree at all %d instants, %.3f %% of the verdicts do", same, len(all), 100*float64(same)/float64(len(all)), len(moments), 100*float64(alike)/float64(verdicts))
	return differing
}

// ask has the reference judge values, by the town they are of, in a process for
// each. What it does not read is left out.
func ask(t *testing.T, of map[string][]string) (all []judged) {
	t.Helper()
	if _, err := os.Stat("testdata/node_modules/opening_hours"); err != nil {
		t.Skip("the reference implementation is not installed: npm ci in hours/testdata")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("the reference implementation needs Node")
	}
	for _, at := range towns {
		list := of[at.name]
		if len(list) == 0 {
			continue
		}
		place := map[string]any{"lat": fmt.Sprint(at.lat), "lon": fmt.Sprint(at.lon), "address": map[string]string{"country_code": at.country, "state": at.state}}
		text, err := json.Marshal(map[string]any{"place": place, "values": list, "instants": instants()})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "node", "testdata/reference.cjs")
		cmd.Env, cmd.Stdin, cmd.Stderr = append(os.Environ(), "TZ="+at.zone), bytes.NewReader(text), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var verdicts []*string
		if err := json.Unmarshal(out, &verdicts); err != nil {
			t.Fatal(err)
		}
		for i, v := range verdicts {
			if v != nil {
				all = append(all, judged{at.name, list[i], *v})
			}
		}
	}
	return all
}

// form returns a value without its days and figures, which it may share with others.
func form(value string) string {
	value = regexp.MustCompile(`(?i)\b(mo|tu|we|th|fr|sa|su)\b`).ReplaceAllString(value, "D")
	value = regexp.MustCompile(`(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\b`).ReplaceAllString(value, "M")
	value = regexp.MustCompile(`"[^"]*"`).ReplaceAllString(value, `""`)
	return regexp.MustCompile(`\d+`).ReplaceAllString(value, "0")
}

// writeVerdicts keeps what the reference says of one value of each form.
func writeVerdicts(t *testing.T) {
	t.Helper()
	seen := map[string]bool{}
	some := map[string][]string{}
	of := values(t)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		for _, v := range of[name] {
			if f := form(v); !seen[f] {
				seen[f] = true
				some[name] = append(some[name], v)
			}
		}
	}
	var text strings.Builder
	for _, x := range ask(t, some) {
		fmt.Fprintf(&text, "%s\t%q\t%s\n", x.town, x.value, x.verdicts)
	}
	if err := os.WriteFile(verdictsFile, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// values returns the distinct opening_hours of the extracts, by the town that each is
// judged in.
func values(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.Dir(realdata.File(t, "osm/all-35-places.osm.pbf")), "*"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{} // the index of a town; -1 where no node has the value
	see := func(tags osm.Tags, where int) {
		if v := tags.Get("opening_hours"); v != "" {
			if had, ok := found[v]; !ok || had < 0 {
				found[strings.Clone(v)] = where
			}
		}
	}
	for _, f := range files {
		if strings.HasSuffix(f, ".osm") { // not sorted; it has no such tags
			continue
		}
		_, err := osm.Scan(t.Context(), f, osm.Options{}, func(b *osm.Block) error {
			for i := range b.Nodes {
				if n := &b.Nodes[i]; n.Tags.Get("opening_hours") != "" {
					see(n.Tags, nearest(float64(n.Lat)/1e7, float64(n.Lon)/1e7))
				}
			}
			for i := range b.Ways {
				see(b.Ways[i].Tags, -1)
			}
			for i := range b.Relations {
				see(b.Relations[i].Tags, -1)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	of := map[string][]string{}
	for _, v := range slices.Sorted(maps.Keys(found)) {
		name := towns[max(0, found[v])].name
		of[name] = append(of[name], v)
	}
	return of
}

func nearest(lat, lon float64) (best int) {
	least := math.Inf(1)
	for i, at := range towns {
		if d := geo.Distance(geo.Point{Lon: lon, Lat: lat}, geo.Point{Lon: at.lon, Lat: at.lat}); d < least {
			best, least = i, d
		}
	}
	return best
}
