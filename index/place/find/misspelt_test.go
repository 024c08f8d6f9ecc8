package find_test

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
)

// TestMisspeltWords asks for streets with one typo: beside an e that folding takes away, and in
// words that could be cut in two common ones. Words that are run together are cut nevertheless, and
// those whose space is a letter too early or too late are put right.
func TestMisspeltWords(t *testing.T) {
	g := ground{geo.Point{Lon: -3, Lat: 51.58}}
	b := &build.Builder{}
	names := []string{"Gaer Park Drive", "Park Drive", "Queen Street", "Quill Street", "Westmoor Close", "Nant-y-moor Close", "Muellerweg", "Millerweg", "Tree View", "Dock Street", "Water Lane"}
	for i := range 25 {
		names = append(names, fmt.Sprintf("West %c", 'A'+i), fmt.Sprintf("Mor %c", 'A'+i), fmt.Sprintf("%c Street", 'A'+i))
	}
	for i, name := range names {
		at := g.at(500*float64(i), 0)
		b.Add(&build.Entry{Kind: place.Street, Source: place.Way, Number: int64(i + 1), At: at.Fix(), Line: []geo.Fixed{at.Fix(), g.at(500*float64(i)+100, 0).Fix()}, Class: "residential", Names: []place.Name{{Text: name}}})
	}
	x := index(t, b)
	for q, want := range map[string]string{
		"Gater Park Drive": "Gaer Park Drive", "Gear Park Drive": "Gaer Park Drive", "Ager Park Drive": "Gaer Park Drive", "Wtaer Lane": "Water Lane", "Gar Park Drive": "Gaer Park Drive",
		"Qween Street": "Queen Street", "Quxeen Street": "Queen Street", "Mueellerweg": "Muellerweg", "Muxellerweg": "Muellerweg", "Müllrweg": "Muellerweg",
		"Westmor Close": "Westmoor Close", "Dockstreet": "Dock Street", "WestA": "West A",
		"Doc kStreet": "Dock Street", "DockS treet": "Dock Street", "Wate rLane": "Water Lane", "WaterL ane": "Water Lane", "Gaer ParkD rive": "Gaer Park Drive", "Dock qStreet": "Dock Street",
	} {
		if hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 1}); err != nil || len(hits) == 0 || hits[0].Name != want {
			t.Errorf("%q finds %v, %v, want %s", q, hits, err, want)
		}
	}
}
