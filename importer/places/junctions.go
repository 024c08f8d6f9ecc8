package places

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/osm"
)

// junction is a junction of a motorway, which has a number on the roads that it is of.
type junction struct {
	tags  osm.Tags
	at    geo.Fixed
	roads []string // their numbers, as they are written and without spaces
	near  []string // those of roads that it lies at without being a node of theirs
}

// exitWords has the words for junctions by country, the first in the name shown where
// they have no name. There is no space between J and the number.
var exitWords = map[string][]string{
	"GB": {"J"}, "IE": {"J"}, "NZ": {"J"}, "DE": {"Anschlussstelle", "AS", "Ausfahrt"}, "AT": {"Anschlussstelle", "AS", "Ausfahrt"}, "LI": {"Anschluss", "Ausfahrt"},
	"CH": {"Anschluss", "Ausfahrt", "Sortie", "Uscita"}, "FR": {"Sortie"}, "LU": {"Sortie"}, "MC": {"Sortie"}, "BE": {"Afrit", "Sortie", "Uitrit"}, "NL": {"Afrit"},
	"ES": {"Salida", "Sortida"}, "AD": {"Sortida", "Salida"}, "PT": {"Saída"}, "BR": {"Saída"}, "IT": {"Uscita"}, "SM": {"Uscita"}, "PL": {"Węzeł", "Zjazd"},
	"SE": {"Trafikplats", "Avfart"}, "DK": {"Afkørsel", "Frakørsel"}, "NO": {"Avkjørsel"}, "FI": {"Liittymä"}, "TR": {"Çıkış"}, "JP": {"IC"},
}

// everyExit has the words of English speakers anywhere.
var everyExit = []string{"Exit", "Junction"}

// Bounds of a junction.
const (
	mostRoads    = 6    // roads whose numbers it has
	junctionNear = 50.0 // metres from a road that it is not a node of
)

// numberJunctions gives the junctions on a way the numbers of its road.
func (c *collector) numberJunctions(w *osm.Way, line []geo.Fixed, box geo.Bounds) {
	if len(c.junctions) == 0 || !w.Tags.Has("highway") || !w.Tags.Has("ref") {
		return
	}
	roads := roadNumbers(osm.Tags{{Key: "ref", Value: strings.Clone(w.Tags.Get("ref"))}})
	for _, n := range w.Nodes {
		if j := c.junctions[n]; j != nil {
			j.roads = withNumbers(j.roads, roads)
		}
	}
	if kind := w.Tags.Get("highway"); kind != "motorway" && kind != "trunk" {
		return
	}
	around := geo.Around(box.Min, junctionNear).Union(geo.Around(box.Max, junctionNear))
	first, _ := slices.BinarySearchFunc(c.eastward, around.Min.Lon, func(j *junction, lon float64) int { return cmp.Compare(j.at.Point().Lon, lon) })
	for _, j := range c.eastward[first:] {
		p := j.at.Point()
		if p.Lon > around.Max.Lon {
			break
		}
		for i := 1; i < len(line) && around.Contains(p); i++ {
			if _, _, square := geo.Nearest(p, line[i-1].Point(), line[i].Point()); square <= junctionNear*junctionNear {
				j.near = withNumbers(j.near, roads)
				break
			}
		}
	}
}

func withNumbers(all, more []string) []string {
	for _, r := range more {
		if !slices.Contains(all, r) && len(all) < mostRoads {
			all = append(all, r)
		}
	}
	return all
}

// addJunctions makes the places that the junctions are.
func (c *collector) addJunctions() {
	for _, id := range slices.Sorted(maps.Keys(c.junctions)) {
		j := c.junctions[id]
		o := origin{source: place.Node, number: id, at: j.at, line: []geo.Fixed{j.at}}
		country := ""
		if c.builder.Country != nil {
			country = c.builder.Country(j.at.Point())
		}
		o.names = j.numbers(country)
		if len(o.names) > 0 && !hasName(j.tags) {
			j.tags = append(j.tags, osm.Tag{Key: "name", Value: o.names[0].Text})
			o.names = o.names[1:]
		}
		c.add(j.tags, o)
	}
	c.junctions, c.eastward = nil, nil
}

// numbers returns the names of a junction with a number: "M4 J24", "M4 Junction 24".
func (j *junction) numbers(country string) []place.Name {
	words := slices.Concat(exitWords[country], everyExit)
	roads := j.roads
	if len(roads) == 0 {
		roads = j.near
	}
	if len(roads) == 0 {
		roads = []string{""}
	}
	var all []place.Name
	for ref := range strings.SplitSeq(j.tags.Get("ref"), ";") {
		if ref = strings.TrimSpace(ref); ref == "" {
			continue
		}
		for _, road := range roads {
			for _, word := range words {
				if word != "J" {
					word += " "
				}
				all = append(all, place.Name{Text: strings.TrimSpace(road + " " + word + ref)})
			}
		}
	}
	return all
}
