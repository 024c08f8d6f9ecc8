package county

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/sample"
	"github.com/waygate/waygate/wire/native"
)

// exampleTrip is an example on the sample county, between two of its well-known
// places.
type exampleTrip struct {
	title string
	// in the other languages of the page
	de, fr, es string
	from, to   string
	costing    costing.Costing
	options    map[string]any
	adr        *native.ADRProfile
}

// example is a journey in the explorer's form.
type example struct {
	Title          string             `json:"title"`
	Titles         map[string]string  `json:"titles"` // by language
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
	{
		title: "Across the county by car", de: "Mit dem Auto durch die Grafschaft", fr: "À travers le comté en voiture", es: "A través del condado en coche",
		from: "Stannerford", to: "Port Gwillan", costing: costing.Auto,
	},
	{
		title: "A lorry goes round the low bridge", de: "Ein Lkw umfährt die niedrige Brücke", fr: "Un camion contourne le pont bas", es: "Un camión rodea el puente bajo",
		from: "Low bridge, west", to: "Low bridge, east", costing: costing.Truck,
	},
	{
		title: "The same by car, under it", de: "Dasselbe mit dem Auto, darunter hindurch", fr: "Le même trajet en voiture, par-dessous", es: "Lo mismo en coche, por debajo",
		from: "Low bridge, west", to: "Low bridge, east", costing: costing.Auto,
	},
	{
		title: "Over the toll bridge", de: "Über die Mautbrücke", fr: "Par le pont à péage", es: "Por el puente de peaje",
		from: "Over Thorling", to: "Pengarrow", costing: costing.Auto,
	},
	{
		title: "The toll avoided", de: "Ohne Maut", fr: "En évitant le péage", es: "Sin pagar el peaje",
		from: "Over Thorling", to: "Pengarrow", costing: costing.Auto, options: map[string]any{"use_tolls": 0},
	},
	{
		title: "By ferry to Farrock Island", de: "Mit der Fähre nach Farrock Island", fr: "En ferry vers Farrock Island", es: "En ferry a Farrock Island",
		from: "Tarrowmouth", to: "Port Farrock", costing: costing.Auto,
	},
	{
		title: "Dangerous goods, code E, through the category C tunnel", de: "Gefahrgut mit Code E durch den Tunnel der Kategorie C", fr: "Matières dangereuses, code E, par le tunnel de catégorie C", es: "Mercancías peligrosas, código E, por el túnel de categoría C",
		from: "Marlowick", to: "Zawn Cove", costing: costing.Truck, adr: load("E"),
	},
	{
		title: "Dangerous goods, code C: refused, and why", de: "Gefahrgut mit Code C: abgelehnt, und warum", fr: "Matières dangereuses, code C : refusé, et pourquoi", es: "Mercancías peligrosas, código C: denegado, y por qué",
		from: "Marlowick", to: "Zawn Cove", costing: costing.Truck, adr: load("C"),
	},
	{
		title: "By bicycle along the coast", de: "Mit dem Rad an der Küste entlang", fr: "À vélo le long de la côte", es: "En bicicleta por la costa",
		from: "Pengarrow", to: "Tarrowmouth", costing: costing.Bicycle,
	},
	{
		title: "By bicycle over the hills", de: "Mit dem Rad über die Hügel", fr: "À vélo par les collines", es: "En bicicleta por las colinas",
		from: "Wickerling", to: "Stannerford", costing: costing.Bicycle, options: map[string]any{"use_hills": 1},
	},
	{
		title: "The hills avoided", de: "Ohne Hügel", fr: "En évitant les collines", es: "Sin colinas",
		from: "Wickerling", to: "Stannerford", costing: costing.Bicycle, options: map[string]any{"use_hills": 0},
	},
	{
		title: "On foot up Carn Halvern", de: "Zu Fuß auf den Carn Halvern", fr: "À pied jusqu’au Carn Halvern", es: "A pie hasta el Carn Halvern",
		from: "Wickerling", to: "Carn Halvern", costing: costing.Pedestrian, options: map[string]any{"max_hiking_difficulty": 6},
	},
}

// examples returns the journeys that the explorer offers on the sample county.
func examples(s *sample.Sample) []example {
	at := map[string][2]float64{}
	for _, p := range s.Places {
		at[p.Name] = [2]float64{p.Point.Lon, p.Point.Lat}
	}
	var list []example
	for _, j := range exampleTrips {
		e := example{Title: j.title, Titles: map[string]string{"de": j.de, "fr": j.fr, "es": j.es}, Costing: j.costing, CostingOptions: j.options, ADR: j.adr}
		for _, name := range []string{j.from, j.to} {
			if p, ok := at[name]; ok {
				e.Points = append(e.Points, p)
			}
		}
		list = append(list, e)
	}
	return list
}
