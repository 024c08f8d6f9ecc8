package sample

import (
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// stations are on the line from Stannerford by Tarrowmouth to Port Gwillan.
type station struct {
	name, code string
	at         plane.Point
}

func stations() []station {
	return []station{
		{"Stannerford", "ZSF", plane.Km(8.95, 9.25)},
		{"Tarrowmouth", "ZTM", plane.Km(16.15, 7.38)},
		{"Port Gwillan", "ZPG", plane.Km(23.35, 12.1)},
	}
}

// railway lays the single line of the island.
func (b roadPlanner) railway() {
	line := plane.Spline([]plane.Point{
		plane.Km(8.8, 9.3), plane.Km(9.25, 9.1), plane.Km(10.05, 8.75), lowBridge, plane.Km(11.6, 7.5), plane.Km(13.2, 6.95), plane.Km(14.6, 6.95), plane.Km(15.42, 7.1), plane.Km(16.15, 7.38),
		plane.Km(17.2, 7.75), plane.Km(18.4, 7.85), plane.Km(20.2, 8.1), plane.Km(21.9, 9.0), plane.Km(22.9, 10.3), plane.Km(23.2, 11.5), plane.Km(23.45, 12.35),
	}, 40, false)
	b.add(&network.Road{Pts: line, Rank: network.Rail, Apart: true, Fixed: true, Street: b.street(), Tags: network.Tags(
		"railway", "rail", "name", "Halvern Line", "gauge", "1435", "usage", "main", "electrified", "no", "maxspeed", "60 mph", "passenger_lines", "1")})
}
