package roadside_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	stage "github.com/waygate/waygate/importer/roadside"
	"github.com/waygate/waygate/index/roadside"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
)

// built runs the stage over an extract.
func built(t testing.TB, source string) (*roadside.Index, map[string]int64) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "section")
	counts, err := stage.Build(t.Context(), stage.Options{Sources: []string{source}, Country: "GB", Out: out})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := region.ReadSection(roadside.SectionName, data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := roadside.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return x, counts
}

// nodeAt returns a node of OSM, in metres east and north of a place in England.
func nodeAt(id int, x, y float64, tags string) string {
	return fmt.Sprintf(`<node id="%d" version="1" lat="%.7f" lon="%.7f">%s</node>`, id, 51.5+y/111195, -1.5+x/111195/0.6225, tagged(tags))
}

func tagged(tags string) string {
	text := ""
	for tag := range strings.FieldsSeq(tags) {
		k, v, _ := strings.Cut(tag, "=")
		text += fmt.Sprintf(`<tag k="%s" v="%s"/>`, k, strings.ReplaceAll(v, "_", " "))
	}
	return text
}

func way(id int, nodes []int, tags string) string {
	text := fmt.Sprintf(`<way id="%d" version="1">`, id)
	for _, n := range nodes {
		text += fmt.Sprintf(`<nd ref="%d"/>`, n)
	}
	return text + tagged(tags) + `</way>`
}

func relation(id int, members, tags string) string {
	text := fmt.Sprintf(`<relation id="%d" version="1">`, id)
	for m := range strings.FieldsSeq(members) {
		role, ref, _ := strings.Cut(m, "=")
		text += fmt.Sprintf(`<member type="node" ref="%s" role="%s"/>`, ref, role)
	}
	return text + strings.ReplaceAll(tagged(tags), "average speed", "average_speed") + `</relation>`
}

func TestCameras(t *testing.T) {
	camera := "highway=speed~camera "
	text := `<osm version="0.6">` + strings.Join([]string{
		nodeAt(1, 0, 0, ""), nodeAt(2, 500, 0, camera+"maxspeed=40_mph"), nodeAt(3, 1000, 0, ""),
		nodeAt(4, 500, 100, camera+"direction=forward"), nodeAt(5, 0, 100, ""), nodeAt(6, 1000, 100, ""),
		nodeAt(7, 500, 210, camera+"direction=SW"), nodeAt(8, 500, 310, camera+"direction=backward maxspeed=none"),
		nodeAt(9, 500, 400, camera), nodeAt(10, 100, 400, ""), nodeAt(11, 900, 400, ""),
		nodeAt(12, 0, 500, ""), nodeAt(13, 5000, 500, ""), nodeAt(14, 2500, 500, camera),
		nodeAt(15, 500, 600, camera+"disused=yes"),
		way(1, []int{1, 2, 3}, "highway=primary oneway=yes"), way(2, []int{5, 4, 6}, "highway=primary maxspeed=50"),
		relation(1, "device=9 from=10 to=11", "type=enforcement enforcement=maxspeed maxspeed=30_mph"),
		relation(2, "from=12 to=13 device=14", "type=enforcement enforcement=average_speed maxspeed=50_mph"),
		relation(3, "device=999 from=10", "type=enforcement enforcement=maxspeed"),
		relation(4, "device=9", "type=restriction"),
	}, "\n") + `</osm>`
	text = strings.ReplaceAll(text, "~", "_")
	path := filepath.Join(t.TempDir(), "x.osm")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x, counts := built(t, path)
	var got []string
	for _, c := range x.Cameras {
		line := fmt.Sprintf("%s %s %d", c.ID, c.Kind, c.Limit)
		if c.OfRoad {
			line += " of the road"
		}
		if c.Travel != nil {
			line += fmt.Sprintf(" to %d", *c.Travel)
		}
		if c.To.Lon != 0 {
			line += fmt.Sprintf(" over %.0f m", float64(c.To.Lon-c.At.Lon)*1e-7*111195*0.6225)
		}
		got = append(got, line+" "+c.Country)
	}
	want := []string{"r1 fixed 48 to 90 GB", "r2 average 80 over 5000 m GB", "n2 fixed 64 to 90 GB", "n4 fixed 50 of the road to 90 GB", "n7 fixed 0 to 45 GB", "n8 fixed 0 GB"}
	if !slices.Equal(got, want) || counts["cameras"] != 6 || counts["camera_sections"] != 1 {
		t.Errorf("%q, want %q (%v)", got, want, counts)
	}
}

func TestChargers(t *testing.T) {
	text := `<osm version="0.6">` + strings.Join([]string{
		nodeAt(1, 0, 0, "amenity=charging~station name=One operator=Op capacity=4 socket:type2=2 socket:type2:output=22_kW socket:type2~combo=2 socket:type2~combo:output=150000_W;50_kW socket:chademo=no"),
		nodeAt(2, 0, 0, "amenity=charging~station bicycle=yes"), nodeAt(3, 0, 0, "amenity=charging~station bicycle=yes motorcar=yes access=private network=Net"),
		nodeAt(4, 0, 0, "amenity=charging~station socket:type2=yes socket:type2:output=lots capacity=-3"), nodeAt(5, 100, 0, ""), nodeAt(6, 100, 100, ""), nodeAt(7, 0, 100, ""),
		way(1, []int{1, 5, 6, 7, 1}, "amenity=charging~station"), way(2, []int{1, 5}, "amenity=parking"),
	}, "\n") + `</osm>`
	text = strings.ReplaceAll(text, "~", "_")
	path := filepath.Join(t.TempDir(), "x.osm")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x, _ := built(t, path)
	for i := range x.Chargers {
		x.Chargers[i].At.Lat, x.Chargers[i].At.Lon = 0, 0
	}
	got, _ := json.Marshal(x.Chargers)
	want := `[{"id":"n1","at":{"Lon":0,"Lat":0},"name":"One","operator":"Op","country":"GB","capacity":4,"sockets":[{"kind":"type2","count":2,"kw":22},{"kind":"type2_combo","count":2,"kw":150}]},` +
		`{"id":"n3","at":{"Lon":0,"Lat":0},"operator":"Net","private":true,"country":"GB"},{"id":"n4","at":{"Lon":0,"Lat":0},"country":"GB","sockets":[{"kind":"type2"}]},{"id":"w1","at":{"Lon":0,"Lat":0},"country":"GB"}]`
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestRealExtracts counts what extracts have.
func TestRealExtracts(t *testing.T) {
	for name, want := range map[string][3]int64{
		"osm/newport-wales-20230613.osm.pbf": {11, 0, 13},
		"osm/all-35-places.osm.pbf":          {278, 1, 86},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && strings.Contains(name, "all-35") {
				t.Skip("a large extract")
			}
			_, counts := built(t, realdata.File(t, name))
			if got := [3]int64{counts["cameras"], counts["camera_sections"], counts["charging_stations"]}; got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
