package world

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/towntest"
)

// TestEverySectionHasASource fails where an import makes a section that nothing
// opens and verifies, and where something opens a section that no import makes.
func TestEverySectionHasASource(t *testing.T) {
	var opened []string
	for _, s := range sources() {
		opened = append(opened, s.sections...)
	}
	made := importer.Sections()
	slices.Sort(opened)
	slices.Sort(made)
	if !slices.Equal(opened, made) {
		t.Errorf("imports make %v, sources() opens %v", made, opened)
	}
}

// whole returns a folder with a region that has every section there is.
func whole(t *testing.T) string {
	t.Helper()
	town := towntest.Draw(t, "a---b---c\n|   |   |\nd---e---f", towntest.Ways{
		{"abc", "primary name=High"}, {"def", "residential"}, {"ad", "residential"}, {"be", "residential oneway=yes"}, {"cf", "service"},
	}, towntest.Nodes{{"e", "amenity=pub name=Lion"}})
	dir, heights := t.TempDir(), t.TempDir()
	corner := height.CornerOf(town.Point("a"))
	tile := height.Draw(corner, height.ThreeArcSeconds, func(geo.Point) (float64, bool) { return 50, true })
	if err := os.WriteFile(filepath.Join(heights, corner.String()+".hgt"), tile, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := importer.Run(t.Context(), importer.Options{Dir: dir, Sources: []string{town.PBF(t)}, ID: "town", Name: "Town", Heights: []string{heights}, Timetables: []string{bus(t)}, Heritage: []string{street(t, town.Point("a"))}}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// broken copies a region and damages one section of it so that its checksum
// still holds.
func broken(t *testing.T, dir, name string, damage func(data []byte) []byte) string {
	t.Helper()
	again := t.TempDir()
	if err := os.CopyFS(again, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	m, err := region.ReadManifest(again)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(m.Sections, func(s region.SectionInfo) bool { return s.Name == name })
	data, err := os.ReadFile(filepath.Join(again, m.Sections[i].File))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(again, "damaged")
	if err := os.WriteFile(file, damage(data), 0o600); err != nil {
		t.Fatal(err)
	}
	if m.Sections[i], err = region.Adopt(again, file, name, m.Sections[i].Version); err != nil {
		t.Fatal(err)
	}
	if err := region.Seal(again, m); err != nil {
		t.Fatal(err)
	}
	return again
}

// street writes a file of a heritage corridor.
func street(t *testing.T, at geo.Point) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "heritage.json")
	text := fmt.Sprintf(`{"format":"waygate-heritage","version":1,"corridor":{"id":"high","name":"High","road":"High","line":[[%[1]g,%[2]g],[%[1]g,%[3]g]]},"reviewed_on":"2026-11-01","attribution":["Town"],
"entries":[{"id":"mill","lat":%[2]g,"lon":%[1]g,"text":"A mill.","subject":"Mill","basis":"record","source":"https://archive.example/mill","licence":"CC0-1.0","reviewer":"A. Smith"}]}`, at.Lon, at.Lat, at.Lat+0.001)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// bus writes a timetable of one bus.
func bus(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"agency.txt":     "agency_id,agency_name,agency_timezone\n1,Town Buses,Europe/London\n",
		"stops.txt":      "stop_id,stop_name,stop_lat,stop_lon\nA,Alpha,47.5,9.5\nB,Beta,47.51,9.5\n",
		"routes.txt":     "route_id,route_short_name,route_type\n1,1,3\n",
		"calendar.txt":   "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nall,1,1,1,1,1,1,1,20260101,20261231\n",
		"trips.txt":      "route_id,service_id,trip_id\n1,all,t\n",
		"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:00:00,08:00:00,A,1\nt,08:10:00,08:10:00,B,2\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestVerifyFindsEveryBrokenSection damages each section there is. Checksums do
// not tell, as of a file that was written wrongly.
func TestVerifyFindsEveryBrokenSection(t *testing.T) {
	dir := whole(t)
	m, err := Verify(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range m.Sections {
		names = append(names, s.Name)
	}
	made := importer.Sections()
	slices.Sort(names)
	slices.Sort(made)
	if !slices.Equal(names, made) {
		t.Errorf("the region has %v of %v", names, made)
	}
	for _, name := range names {
		for what, damage := range map[string]func(data []byte) []byte{
			"cut short":  func(data []byte) []byte { return data[:len(data)/2] },
			"of nothing": func([]byte) []byte { return nil },
			"scribbled over": func(data []byte) []byte {
				from := len(data) / 2
				if string(data[:7]) == "WGARRAY" { // all of the arrays, behind what says where they are
					from = (16 + 64*int(binary.LittleEndian.Uint32(data[8:])) + 63) / 64 * 64
				}
				for i := from; i < len(data); i++ {
					data[i] = 0xff
				}
				return data
			},
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				if _, err := Verify(t.Context(), broken(t, dir, name, damage)); err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("%v", err)
				}
			})
		}
	}
}

// TestVerifyTellsOfEveryBrokenSource has two sections broken at once.
func TestVerifyTellsOfEveryBrokenSource(t *testing.T) {
	half := func(data []byte) []byte { return data[:len(data)/2] }
	dir := broken(t, broken(t, whole(t), "landmarks", half), "snap", half)
	if _, err := Verify(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "section landmarks") || !strings.Contains(err.Error(), "section snap") {
		t.Errorf("%v", err)
	}
}
