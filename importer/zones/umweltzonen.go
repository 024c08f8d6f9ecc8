package zones

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
)

// UmweltzonenFile is the list in a folder of German Umweltzonen in the form of the
// Umweltzone project; the rings are files beside it.
const UmweltzonenFile = "zones_de.json"

// city is an entry of the list.
type city struct {
	Name  string `json:"name"`
	Pages string `json:"urlUmweltPlaketteDe"`
	Zones []struct {
		Type    string `json:"type"`
		File    string `json:"fileName"`
		Name    string `json:"displayName"`
		Number  any    `json:"zoneNumber"` // "" where there is none
		Since   string `json:"zoneNumberSince"`
		Source  string `json:"geometrySource"`
		Updated string `json:"geometryUpdatedAt"`
	} `json:"childZones"`
}

// badges are the standards from which a vehicle has the badge that a zone requires (35.
// BImSchV): 2 is red, 3 yellow, 4 green. A filter that was fitted later is unknown.
var badges = map[int]map[string]int{
	2: {"diesel": 2, "petrol": 1, "gas": 1},
	3: {"diesel": 3, "petrol": 1, "gas": 1},
	4: {"diesel": 4, "petrol": 1, "gas": 1},
}

var plainName = regexp.MustCompile(`^[a-z0-9_]+$`)

// Umweltzonen reads the low-emission zones of a folder. Its bans of diesel on single
// roads are left out, because they follow other rules.
func Umweltzonen(folder fs.FS) (list []zone.Zone, err error) {
	text, err := fs.ReadFile(folder, UmweltzonenFile)
	if err != nil {
		return nil, err
	}
	var cities []city
	if err := json.Unmarshal(text, &cities); err != nil {
		return nil, fmt.Errorf("%s: %w", UmweltzonenFile, err)
	}
	for _, c := range cities {
		for _, z := range c.Zones {
			number, _ := z.Number.(float64)
			least := badges[int(number)]
			if z.Type != "low-emission-zone" || least == nil || slices.ContainsFunc(list, func(other zone.Zone) bool { return other.ID == idOf(z.File) }) {
				continue
			}
			if !plainName.MatchString(z.File) {
				return nil, fmt.Errorf("%s: %q is no name of a file of rings", c.Name, z.File)
			}
			g, err := rings(folder, z.File+".json")
			if err != nil {
				return nil, err
			}
			boundary := zone.Source{Publisher: z.Source, URL: c.Pages, Licence: "CC-BY-SA-3.0", Checked: z.Updated}
			charges := zone.Source{Publisher: "Umweltzone project", URL: c.Pages, Licence: "CC-BY-SA-3.0", Checked: z.Updated}
			list = append(list, zone.Zone{
				ID: idOf(z.File), Name: "Umweltzone " + z.Name, Scheme: "Umweltzone", Website: c.Pages, Country: "DE", TimeZone: "Europe/Berlin",
				Rules: []zone.Rule{{
					Effect: "ban", Vehicles: []string{"car", "van", "minibus", "hgv", "bus", "coach", "taxi", "phv", "motorhome"}, Fuels: []string{"diesel", "petrol", "gas"}, MinimumEuro: least, From: z.Since,
					Note: "by the badge of 35. BImSchV; filters that were fitted later and exemptions are not known",
				}},
				Charges: &charges, Boundary: zone.Boundary{Source: boundary, Geometry: g},
			})
		}
	}
	return list, nil
}

func idOf(file string) string { return "de-" + strings.ReplaceAll(file, "_", "-") }

// rings reads a list of rings of objects with latitude and longitude. A ring inside
// another is a hole of it.
func rings(folder fs.FS, name string) (*zone.Geometry, error) {
	text, err := fs.ReadFile(folder, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // the check reports zones without a boundary
	}
	if err != nil {
		return nil, err
	}
	var list [][]struct{ Latitude, Longitude float64 }
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	g := &zone.Geometry{}
	for _, corners := range list {
		ring := make(geo.Ring, 0, len(corners))
		for _, c := range corners {
			ring = append(ring, geo.Point{Lon: c.Longitude, Lat: c.Latitude})
		}
		if n := len(ring); n > 1 && ring[0] == ring[n-1] {
			ring = ring[:n-1]
		}
		if len(ring) < 3 {
			continue
		}
		in := slices.IndexFunc(g.Polygons, func(p geo.Polygon) bool { return p[0].Contains(ring[0]) && p[0].Contains(ring[len(ring)/2]) })
		if in >= 0 {
			g.Polygons[in] = append(g.Polygons[in], ring)
			continue
		}
		g.Polygons = append(g.Polygons, geo.Polygon{ring})
	}
	return g, nil
}
