package county

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/sample"
	"github.com/waygate/waygate/wire/native"
)

// exampleTrip is an example on the sample county, between two of its well-known
// places.
type exampleTrip struct {
	title    string
	from, to string
	costing  costing.Costing
	options  map[string]any
	adr      *native.ADRProfile
}

// example is a journey in the explorer's form.
type example struct {
	Title          string             `json:"title"`
	Costing        costing.Costing    `json:"costing"`
	CostingOptions map[string]any     `json:"costing_options,omitempty"`
	ADR            *native.ADRProfile `json:"adr,omitempty"`
	Points         [][2]float64       `json:"points"` // lon, lat
}

// lorry is an articulated lorry of the usual British size.
var lorry = native.TruckDimensions{Height: 4.1, Width: 2.55, Length: 16.5, Weight: 38}

func load(code native.TunnelCode) *native.ADRProfile {
	return &native.ADRProfile{Dimensions: lorry, Hazmat: true, TunnelCode: &code}
}

var exampleTrips = []exampleTrip{
	{title: "Across the county by car", from: "Stannerford", to: "Port Gwillan", costing: costing.Auto},
	{title: "A lorry goes round the low bridge", from: "Low bridge, west", to: "Low bridge, east", costing: costing.Truck},
	{title: "The same by car, under it", from: "Low bridge, west", to: "Low bridge, east", costing: costing.Auto},
	{title: "Over the toll bridge", from: "Over Thorling", to: "Pengarrow", costing: costing.Auto},
	{title: "The toll avoided", from: "Over Thorling", to: "Pengarrow", costing: costing.Auto, options: map[string]any{"use_tolls": 0}},
	{title: "By ferry to Farrock Island", from: "Tarrowmouth", to: "Port Farrock", costing: costing.Auto},
	{title: "Dangerous goods, code E, through the category C tunnel", from: "Marlowick", to: "Zawn Cove", costing: costing.Truck, adr: load("E")},
	{title: "Dangerous goods, code C: refused, and why", from: "Marlowick", to: "Zawn Cove", costing: costing.Truck, adr: load("C")},
	{title: "By bicycle along the coast", from: "Pengarrow", to: "Tarrowmouth", costing: costing.Bicycle},
	{title: "By bicycle over the hills", from: "Wickerling", to: "Stannerford", costing: costing.Bicycle, options: map[string]any{"use_hills": 1}},
	{title: "The hills avoided", from: "Wickerling", to: "Stannerford", costing: costing.Bicycle, options: map[string]any{"use_hills": 0}},
	{title: "On foot up Carn Halvern", from: "Wickerling", to: "Carn Halvern", costing: costing.Pedestrian, options: map[string]any{"max_hiking_difficulty": 6}},
}

// examples returns the journeys that the explorer offers on the sample county.
func examples(s *sample.Sample) []example {
	at := map[string][2]float64{}
	for _, p := range s.Places {
		at[p.Name] = [2]float64{p.Point.Lon, p.Point.Lat}
	}
	var list []example
	for _, j := range exampleTrips {
		e := example{Title: j.title, Costing: j.costing, CostingOptions: j.options, ADR: j.adr}
		for _, name := range []string{j.from, j.to} {
			if p, ok := at[name]; ok {
				e.Points = append(e.Points, p)
			}
		}
		list = append(list, e)
	}
	return list
}
