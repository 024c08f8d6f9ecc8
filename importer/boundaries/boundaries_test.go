package boundaries

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/osm/osmtest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
)

// sketch draws relations on a grid: a node for every x, y from 0 to 99, in
// thousandths of a degree north-east of 49 N, 8 W, where only the sea is.
type sketch struct {
	osm.Data
	seen map[int64]bool
}

func (s *sketch) node(x, y int) int64 {
	id := int64(x*100 + y + 1)
	if s.seen == nil {
		s.seen = map[int64]bool{}
	}
	if !s.seen[id] {
		s.seen[id] = true
		p := at(float64(x), float64(y)).Fix()
		s.Nodes = append(s.Nodes, osm.Node{ID: id, Lon: p.Lon, Lat: p.Lat})
	}
	return id
}

func at(x, y float64) geo.Point { return geo.Point{Lon: -8 + x/1000, Lat: 49 + y/1000} }

// way returns a line through x, y pairs.
func (s *sketch) way(xy ...int) int64 {
	w := osm.Way{ID: int64(len(s.Ways) + 1)}
	for i := 0; i < len(xy); i += 2 {
		w.Nodes = append(w.Nodes, s.node(xy[i], xy[i+1]))
	}
	s.Ways = append(s.Ways, w)
	return w.ID
}

// relation has ways for members, negative ones with the role inner.
func (s *sketch) relation(tags string, ways ...int64) {
	r := osm.Relation{ID: int64(len(s.Relations) + 1), Tags: read("type=boundary boundary=administrative " + tags)}
	for _, w := range ways {
		m := osm.Member{Kind: osm.KindWay, Ref: max(w, -w), Role: "outer"}
		if w < 0 {
			m.Role = "inner"
		}
		r.Members = append(r.Members, m)
	}
	s.Relations = append(s.Relations, r)
}

func read(text string) (tags osm.Tags) {
	for _, f := range strings.Fields(text) {
		k, v, _ := strings.Cut(f, "=")
		tags = append(tags, osm.Tag{Key: k, Value: strings.ReplaceAll(v, "_", " ")})
	}
	return tags
}

func (s *sketch) build(t *testing.T) (*boundary.Index, map[string]int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "drawn.osm")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := osmtest.WriteXML(f, &s.Data); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return built(t, path)
}

func built(t *testing.T, sources ...string) (x *boundary.Index, counts map[string]int64) {
	t.Helper()
	r := regiontest.Of(t, boundary.SectionName, boundary.Version, func(path string) (err error) {
		counts, err = Build(t.Context(), Options{Sources: sources, Out: path})
		return err
	})
	x, err := boundary.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	return x, counts
}

// in lists the areas of a place as level:name, without coarse ones.
func in(x *boundary.Index, p geo.Point) string {
	var list []string
	for _, a := range x.At(p) {
		if !a.Coarse {
			list = append(list, strconv.Itoa(a.Level)+":"+a.Name)
		}
	}
	return strings.Join(list, " ")
}

func TestDrawn(t *testing.T) {
	s := &sketch{}
	// A state in two halves, one of its ways backwards, with a lake out of it and an
	// island in that.
	west, east := s.way(0, 0, 0, 40, 20, 40), s.way(0, 0, 40, 0, 40, 40, 20, 40)
	lake, island := s.way(10, 10, 20, 10, 20, 20, 10, 20, 10, 10), s.way(14, 14, 16, 14, 16, 16, 14, 16, 14, 14)
	s.relation("admin_level=4 name=State ISO3166-2=XX-ST name:fr=État name:etymology=x", west, east, -lake, island)
	// Two counties share a border.
	middle := s.way(20, 0, 20, 40)
	s.relation("admin_level=6 name=West", west, s.way(0, 0, 20, 0), middle)
	s.relation("admin_level=6 name=East", middle, s.way(20, 0, 40, 0, 40, 40, 20, 40))
	// One whose border misses its last 70 m, and one that misses a kilometre.
	s.relation("admin_level=8 name=Gap", s.way(2, 1, 8, 1, 8, 8, 1, 8, 1, 1))
	s.relation("admin_level=8 name=Open", s.way(30, 30, 38, 30, 38, 38, 30, 38))
	// One of which the extract lacks a way, with an exclave and another's
	// enclave whole.
	s.relation("admin_level=8 name=Partly", 999, s.way(30, 2, 32, 2, 32, 4, 30, 4, 30, 2), -s.way(34, 2, 36, 2, 36, 4, 34, 4, 34, 2))
	s.relation("admin_level=8", s.way(22, 22, 24, 22, 24, 24, 22, 22))
	s.relation("admin_level=x name=Levelless", s.way(22, 26, 24, 26, 24, 28, 22, 26))
	s.way(24, 30, 28, 30, 28, 34, 24, 34, 24, 30)
	s.Ways[len(s.Ways)-1].Tags = read("boundary=administrative admin_level=10 name=Parish")
	x, counts := s.build(t)
	for _, c := range []struct {
		x, y float64
		want string
	}{
		{5, 30, "4:State 6:West"},
		{35, 10, "4:State 6:East"},
		{12, 12, "6:West"},
		{15, 15, "4:State 6:West"},
		{-1, 5, ""},
		{19.9, 39.9, "4:State 6:West"},
		{4, 4, "4:State 6:West 8:Gap"},
		{36, 36, "4:State 6:East"},
		{31, 3, "4:State 6:East 8:Partly"},
		{35, 3, "4:State 6:East"},
		{23, 22.5, "4:State 6:East"},
		{26, 32, "4:State 6:East 10:Parish"},
	} {
		if got := in(x, at(c.x, c.y)); got != c.want {
			t.Errorf("at %v, %v: %q, want %q", c.x, c.y, got, c.want)
		}
	}
	for name, want := range map[string]int64{countAreas: 6, countOpen: 1, countPartly: 1, countJoined: 1, countNoName: 1, countCoarse: 0} {
		if counts[name] != want {
			t.Errorf("%s is %d, want %d", name, counts[name], want)
		}
	}
	if a := x.At(at(5, 30))[0]; a.ISO != "XX-ST" || a.In("fr") != "État" || len(a.Names) != 1 || a.Relation != 1 {
		t.Errorf("%+v", a)
	}
}

// The newest version of a relation counts, whichever extract has it.
func TestOverlappingExtracts(t *testing.T) {
	var paths []string
	for i, name := range []string{"Old", "New", "Older"} {
		s := &sketch{}
		s.relation("admin_level=8 name="+name, s.way(0, 0, 4, 0, 4, 4, 0, 4, 0, 0))
		s.Relations[0].Version = []int32{2, 3, 1}[i]
		path := filepath.Join(t.TempDir(), "drawn.osm")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := osmtest.WriteXML(f, &s.Data); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	x, _ := built(t, paths...)
	if got := in(x, at(2, 2)); got != "8:New" {
		t.Errorf("%q", got)
	}
}

// Every parish of Andorra and every commune of Liechtenstein is found by places
// in it, with the code and the driving side of its country; cities whose extract
// cuts their country have that from the data package.
func TestRealPlaces(t *testing.T) {
	for file, places := range map[string]map[string]geo.Point{
		"andorra-20211028": {
			"AD Andorra AD-07 Andorra la Vella": {Lon: 1.5218, Lat: 42.5063}, "AD Andorra AD-02 Canillo": {Lon: 1.5976, Lat: 42.5672}, "AD Andorra AD-03 Encamp": {Lon: 1.5836, Lat: 42.5361},
			"AD Andorra AD-04 La Massana": {Lon: 1.5148, Lat: 42.5449}, "AD Andorra AD-05 Ordino": {Lon: 1.5332, Lat: 42.5562}, "AD Andorra AD-06 Sant Julià de Lòria": {Lon: 1.4913, Lat: 42.4637},
			"AD Andorra AD-08 Escaldes-Engordany": {Lon: 1.5386, Lat: 42.5085},
			"~FR France":                          {Lon: 1.9, Lat: 42.5},
		},
		"liechtenstein-20221215": {
			"LI Liechtenstein LI-11 Vaduz": {Lon: 9.5209, Lat: 47.1392}, "LI Liechtenstein LI-07 Schaan": {Lon: 9.5086, Lat: 47.1653}, "LI Liechtenstein LI-01 Balzers": {Lon: 9.5027, Lat: 47.0665},
			"LI Liechtenstein LI-06 Ruggell": {Lon: 9.5269, Lat: 47.2381}, "~CH Switzerland": {Lon: 9.45, Lat: 47.16},
		},
		"newport-wales-20230613":      {"~GB United Kingdom ~GB-WLS Wales Stow Hill": {Lon: -2.997, Lat: 51.585}},
		"rutland-england-20220720":    {"~GB United Kingdom ~GB-ENG England GB-RUT Rutland Oakham": {Lon: -0.7312, Lat: 52.6705}},
		"malta-20180827":              {"MT Malta Malta Valletta": {Lon: 14.5131, Lat: 35.8983}},
		"delft-station":               {"~NL Kingdom of the Netherlands": {Lon: 4.356, Lat: 52.007}},
		"london-westminster-20200720": {"~GB United Kingdom ~GB-ENG England": {Lon: -0.13, Lat: 51.5}},
	} {
		t.Run(file, func(t *testing.T) {
			x, counts := built(t, realdata.File(t, "osm/"+file+".osm.pbf"))
			for want, p := range places {
				var words []string
				areas := x.At(p)
				for _, a := range areas {
					if a.Level != 2 && a.ISO == "" && slices.ContainsFunc(areas, func(o boundary.Area) bool {
						return o.Level > 2 && o.ISO != "" && !o.Coarse && strings.HasPrefix(want, "AD")
					}) {
						continue // quarters and regions without a code
					}
					if strings.HasPrefix(want, "LI") && a.Level == 6 {
						continue
					}
					word := strings.TrimSpace(a.ISO + " " + a.Name)
					if a.Coarse {
						word = "~" + word
					}
					words = append(words, word)
					left := strings.HasPrefix(boundary.Country(areas), "GB") || boundary.Country(areas) == "MT"
					if (a.Drives == boundary.Left) != left || a.Drives == boundary.Unknown {
						t.Errorf("%s drives on %d", a.Name, a.Drives)
					}
				}
				if got := strings.Join(words, " "); got != want {
					t.Errorf("%v: %q, want %q", p, got, want)
				}
			}
			if counts[countAreas]+counts[countCoarse] != int64(x.Len()) {
				t.Errorf("%d areas of %v", x.Len(), counts)
			}
		})
	}
}
