package sample

import "github.com/waygate/waygate/osm"

// quays lays the streets that lead down to the water, where ferries leave,
// and the roads of the islet that none serves.
func (b *builder) quays() {
	quay := func(name string, from, towards pt) pt {
		end := towards
		if s, at, ok := b.barriers.hit(from, towards); ok && s.of == -1 {
			end = snap(at.lerp(from, 7/at.dist(from)))
		}
		line := spline([]pt{from, from.lerp(end, 0.4).add(end.sub(from).unit().left().mul(18)), end}, 25, false)
		line = reversed(b.joined(reversed(line)))
		b.add(&road{pts: line, rank: unclassified, fixed: true, street: b.street(), tags: tags(
			"highway", "unclassified", "name", name, "maxspeed", "20 mph", "lit", "yes", "surface", "sett", "sidewalk", "right")})
		return line[len(line)-1]
	}
	east := quay("Ferry Quay", km(23.8, 12.55), km(26.5, 12.45))
	far := quay("Farrock Quay", km(29.0, 14.42), km(27.5, 14.3))
	town := quay("Ferry Steps Road", km(16.5, 6.3), km(14.6, 5.9))
	west := quay("Hythe Hard", km(13.25, 5.05), km(15.2, 5.4))
	b.ferries = []ferry{
		{[]pt{east, east.add(pt{900, 120}), far.sub(pt{700, -60}), far}, tags("route", "ferry", "name", "Port Gwillan - Port Farrock", "operator", "Halvern Ferries",
			"duration", "00:35", "motor_vehicle", "yes", "motorcar", "yes", "hgv", "yes", "bicycle", "yes", "foot", "yes", "toll", "yes", "ref", "F1", "opening_hours", "Mo-Su 07:00-21:00", "interval", "01:30", "maxheight", "4.2 m", "maxweight", "18")},
		{[]pt{town, town.lerp(west, 0.5).add(pt{0, -60}), west}, tags("route", "ferry", "name", "Tarrow Foot Ferry", "operator", "Tarrow Watermen",
			"duration", "00:08", "foot", "yes", "bicycle", "yes", "motor_vehicle", "no", "toll", "yes", "opening_hours", "Apr-Oct 08:00-19:00; Nov-Mar Mo-Sa 08:00-17:00")},
	}
	b.marks["car ferry east"], b.marks["car ferry west"] = mark{at: far}, mark{at: east}
	holm := spline([]pt{km(21.0, 1.25), km(21.25, 1.3), km(21.5, 1.45)}, 30, false)
	b.add(&road{pts: holm, keep: true, rank: unclassified, fixed: true, street: b.street(), tags: tags("highway", "unclassified", "name", "Lighthouse Lane", "maxspeed", "20 mph", "surface", "gravel", "lit", "no")})
	b.marks["islet"] = mark{at: holm[1]}
}

// ferry is a line over the sea between two quays.
type ferry struct {
	line []pt
	tags osm.Tags
}
