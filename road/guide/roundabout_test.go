package guide_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

// TestRoundaboutExits counts exits as a driver sees them, on both sides of the road: what
// leaves at the node of the entry is one of them, unless nobody takes it for an exit or
// it is the road that one comes on.
func TestRoundaboutExits(t *testing.T) {
	for _, c := range []struct {
		name    string
		private bool      // the ring
		use     graph.Use // of the ring
		aux     []sketch.Way
		path    string // of the places of traffic that keeps right, mirrored for the left
		want    int
	}{
		{name: "nothing else", path: "xsREUn", want: 2},
		{name: "a road at the entry", aux: []sketch.Way{{Places: "Ra", Name: "Side"}}, path: "xsREUn", want: 3},
		{name: "a service road at the entry", aux: []sketch.Way{{Places: "Ra", Use: graph.ServiceRoad, Class: graph.ServiceOther}}, path: "xsREUn", want: 3},
		{name: "a driveway at the entry", aux: []sketch.Way{{Places: "Ra", Use: graph.Driveway, Class: graph.ServiceOther}}, path: "xsREUn", want: 2},
		{name: "an aisle at the entry", aux: []sketch.Way{{Places: "Ra", Use: graph.ParkingAisle, Class: graph.ServiceOther}}, path: "xsREUn", want: 2},
		{name: "a private way at the entry", aux: []sketch.Way{{Places: "Ra", Private: true}}, path: "xsREUn", want: 2},
		{name: "a driveway on the way", aux: []sketch.Way{{Places: "Eb", Use: graph.Driveway, Class: graph.ServiceOther}}, path: "xsREUn", want: 2},
		{name: "a driveway is taken", aux: []sketch.Way{{Places: "Eb", Use: graph.Driveway, Class: graph.ServiceOther}}, path: "xsREb", want: 1},
		{name: "a road inside, after which the roundabout goes on", aux: []sketch.Way{{Places: "Em", Name: "Island"}}, path: "xsREm", want: 2},
		{name: "a road inside is passed", aux: []sketch.Way{{Places: "Em", Name: "Island"}}, path: "xsREUn", want: 2},
		{name: "a road that only leads in", aux: []sketch.Way{{Places: "bE", Name: "Side", Oneway: true}}, path: "xsREUn", want: 2},
		{name: "a road on the way", aux: []sketch.Way{{Places: "Eb", Name: "Side"}}, path: "xsREUn", want: 3},
		{name: "aisles of a car park with a circle of its own", use: graph.ParkingAisle, aux: []sketch.Way{{Places: "Eb", Use: graph.ParkingAisle, Class: graph.ServiceOther}}, path: "xsREUn", want: 3},
		{name: "private ways of private grounds", private: true, aux: []sketch.Way{{Places: "Eb", Private: true}}, path: "xsREUn", want: 3},
		{name: "carriageways of one road", aux: []sketch.Way{{Places: "Rcd", Name: "South", Oneway: true}, {Places: "fgR", Name: "South", Oneway: true}}, path: "fgREUn", want: 2},
		{name: "nameless carriageways", aux: []sketch.Way{{Places: "Rcd", Oneway: true}, {Places: "fgR", Oneway: true}}, path: "fgREUn", want: 2},
		{name: "arms of a fork", aux: []sketch.Way{{Places: "Rcdx", Name: "Out", Oneway: true}, {Places: "xfgR", Name: "In", Oneway: true}}, path: "xfgREUn", want: 2},
		{name: "one-way roads of two names", aux: []sketch.Way{{Places: "Ra", Name: "Out", Oneway: true}, {Places: "fgR", Name: "In", Oneway: true}}, path: "fgREUn", want: 3},
		{name: "back on the road come from", aux: []sketch.Way{{Places: "Rcd", Name: "South", Oneway: true}, {Places: "fgR", Name: "South", Oneway: true}}, path: "fgREUWRcd", want: 4},
	} {
		for _, left := range []bool{false, true} {
			s := sketch.Sketch{
				Left: left,
				Picture: `
          n
          .
          U
        .   .
w......W  m  E.....e
        .   .     b
          R

                 a
         gsc
         ...
         f.d
          x`,
			}
			ring := sketch.Way{Places: "REUWR", Flags: graph.Roundabout, Private: c.private, Use: c.use, Oneway: true, Class: graph.Primary}
			arms := []sketch.Way{{Places: "nU", Name: "North"}, {Places: "eE", Name: "East"}, {Places: "wW", Name: "West"}}
			if strings.Contains(c.path, "s") {
				arms = append(arms, sketch.Way{Places: "xsR", Name: "Approach"})
			}
			s.Ways = append(append([]sketch.Way{ring}, arms...), c.aux...)
			if left {
				s.Picture = mirrored(s.Picture)
			}
			d := s.Draw()
			path := d.Path(c.path)
			exits := 0
			for _, m := range guide.Manoeuvres(d.Graph, path, guide.Shape(d.Graph, path), guide.Options{}) {
				if m.Type == guidance.RoundaboutEnter {
					exits = m.Exits
				}
			}
			if exits != c.want {
				t.Errorf("%s, left %v: the exit is number %d, want %d", c.name, left, exits, c.want)
			}
		}
	}
}

// mirrored returns a picture with west and east exchanged.
func mirrored(picture string) string {
	rows := strings.Split(picture, "\n")
	wide := 0
	for _, row := range rows {
		wide = max(wide, len(row))
	}
	for i, row := range rows {
		b := []byte(row + strings.Repeat(" ", wide-len(row)))
		for x := range len(b) / 2 {
			b[x], b[len(b)-1-x] = b[len(b)-1-x], b[x]
		}
		rows[i] = string(b)
	}
	return strings.Join(rows, "\n")
}
