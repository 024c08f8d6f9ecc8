package zones

import (
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/wire/null"
)

// Listed is a zone in a list.
type Listed struct {
	ID       string       `json:"id"`
	Name     string       `json:"name"`
	Scheme   string       `json:"scheme,omitempty"`
	Website  *string      `json:"website" doc:"for drivers; null where not known"`
	Country  *string      `json:"country" doc:"ISO 3166-1 alpha-2; null where not known"`
	TimeZone *string      `json:"time_zone" doc:"IANA, of the hours"`
	Known    bool         `json:"rules_known" doc:"false of zones that the map has: whom they charge is not known here"`
	Rules    []ListedRule `json:"rules" doc:"the first that is for a vehicle at a time counts; a vehicle that none is for goes free"`
	Sources  Sources      `json:"sources"`
	Outdated string       `json:"outdated,omitempty" doc:"present where what is known of the zone was last compared more than two years ago: since when"`
	Bounds   [4]float64   `json:"bounds" doc:"west, south, east, north"`
	Geometry *Rings       `json:"geometry,omitempty" doc:"with geometry=true"`
}

// ListedRule is a rule for some vehicles.
type ListedRule struct {
	Effect      string         `json:"effect" enum:"charge,ban,free"`
	Vehicles    []string       `json:"vehicle_categories"`
	Fuels       []string       `json:"fuels" doc:"none is all"`
	MinimumEuro map[string]int `json:"minimum_euro" doc:"by fuel: from this standard on the rule is not for a vehicle"`
	Hours       *string        `json:"hours" doc:"in the syntax of opening_hours; null is always"`
	From        *string        `json:"from" format:"date" doc:"first day; null is since ever"`
	Until       *string        `json:"until" format:"date" doc:"last day; null is without end"`
	Amount      *float64       `json:"amount" doc:"of a charge; null where there is none or it is not known"`
	Currency    *string        `json:"currency"`
	Per         *string        `json:"per" enum:"day,hour,entry"`
	Note        string         `json:"note,omitempty"`
}

// Rings are a simplified boundary as a GeoJSON MultiPolygon.
type Rings struct {
	Type        string           `json:"type" enum:"MultiPolygon"`
	Coordinates [][][][2]float64 `json:"coordinates"`
	Tolerance   float64          `json:"simplified_m" doc:"metres that it may be off the boundary that routes are judged by"`
}

// simplified is how far, in metres, a ring in a list may be off the boundary.
const simplified = 15.0

// List lists zones, with their boundaries where rings is true. A zone of several indexes is
// listed once. The age of zones is judged at now.
func List(indexes []*zone.Index, rings bool, now time.Time) []Listed {
	list, seen := []Listed{}, map[string]bool{}
	for _, x := range indexes {
		all := x.All()
		for i := range all {
			if z := &all[i]; !seen[z.ID] {
				seen[z.ID] = true
				list = append(list, listed(z, rings, now))
			}
		}
	}
	return list
}

func listed(z *zone.Placed, rings bool, now time.Time) Listed {
	b := z.Area.Bounds()
	out := Listed{
		ID: z.ID, Name: z.Name, Scheme: z.Scheme, Website: null.IfZero(z.Website), Country: null.IfZero(z.Country), TimeZone: null.IfZero(z.TimeZone), Known: len(z.Rules) > 0, Rules: []ListedRule{},
		Sources: SourcesOf(z), Outdated: Outdated(&z.Zone, now), Bounds: [4]float64{b.Min.Lon, b.Min.Lat, b.Max.Lon, b.Max.Lat},
	}
	for i := range z.Rules {
		r := &z.Rules[i]
		rule := ListedRule{
			Effect: r.Effect, Vehicles: r.Vehicles, Fuels: append([]string{}, r.Fuels...), MinimumEuro: r.MinimumEuro, Hours: null.IfZero(r.Hours),
			From: null.IfZero(r.From), Until: null.IfZero(r.Until), Amount: r.Amount, Currency: null.IfZero(r.Currency), Per: null.IfZero(r.Per), Note: r.Note,
		}
		if rule.MinimumEuro == nil {
			rule.MinimumEuro = map[string]int{}
		}
		out.Rules = append(out.Rules, rule)
	}
	if rings {
		out.Geometry = outline(z.Boundary.Geometry)
	}
	return out
}

func outline(g *zone.Geometry) *Rings {
	out := &Rings{Type: "MultiPolygon", Coordinates: [][][][2]float64{}, Tolerance: simplified}
	for _, polygon := range g.Polygons {
		var rings [][][2]float64
		for i, r := range polygon {
			line := geo.Simplify(append(append([]geo.Point{}, r...), r[0]), simplified)
			if len(line) < 4 {
				if i == 0 {
					line = append(append([]geo.Point{}, r...), r[0]) // a small one as it is
				} else {
					continue
				}
			}
			ring := make([][2]float64, len(line))
			for j, p := range line {
				ring[j] = [2]float64{p.Lon, p.Lat}
			}
			rings = append(rings, ring)
		}
		out.Coordinates = append(out.Coordinates, rings)
	}
	return out
}
