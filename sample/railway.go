package sample

// stations are on the line from Stannerford by Tarrowmouth to Port Gwillan.
type station struct {
	name, code string
	at         pt
}

func stations() []station {
	return []station{
		{"Stannerford", "ZSF", km(8.95, 9.25)},
		{"Tarrowmouth", "ZTM", km(16.15, 7.38)},
		{"Port Gwillan", "ZPG", km(23.35, 12.1)},
	}
}

// railway lays the single line of the island.
func (b *builder) railway() {
	line := spline([]pt{
		km(8.8, 9.3), km(9.25, 9.1), km(10.05, 8.75), lowBridge, km(11.6, 7.5), km(13.2, 6.95), km(14.6, 6.95), km(15.42, 7.1), km(16.15, 7.38),
		km(17.2, 7.75), km(18.4, 7.85), km(20.2, 8.1), km(21.9, 9.0), km(22.9, 10.3), km(23.2, 11.5), km(23.45, 12.35),
	}, 40, false)
	b.add(&road{pts: line, rank: rail, apart: true, fixed: true, street: b.street(), tags: tags(
		"railway", "rail", "name", "Halvern Line", "gauge", "1435", "usage", "main", "electrified", "no", "maxspeed", "60 mph", "passenger_lines", "1")})
}
