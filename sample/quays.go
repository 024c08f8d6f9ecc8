package sample

import (
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// quays lays the streets that lead down to the water, where ferries leave,
// and the roads of the islet that none serves.
func (b roadPlanner) quays() {
	quay := func(name string, from, towards plane.Point) plane.Point {
		end := towards
		if s, at, ok := b.barriers.Hit(from, towards); ok && s.Of == -1 {
			end = plane.Snap(at.Lerp(from, 7/at.Dist(from)))
		}
		line := plane.Spline([]plane.Point{from, from.Lerp(end, 0.4).Add(end.Sub(from).Unit().Left().Mul(18)), end}, 25, false)
		line = plane.Reversed(b.joined(plane.Reversed(line)))
		b.add(&network.Road{Pts: line, Rank: network.Unclassified, Fixed: true, Street: b.street(), Tags: network.Tags(
			"highway", "unclassified", "name", name, "maxspeed", "20 mph", "lit", "yes", "surface", "sett", "sidewalk", "right")})
		return line[len(line)-1]
	}
	east := quay("Ferry Quay", plane.Km(23.8, 12.55), plane.Km(26.5, 12.45))
	far := quay("Farrock Quay", plane.Km(29.0, 14.42), plane.Km(27.5, 14.3))
	town := quay("Ferry Steps Road", plane.Km(16.5, 6.3), plane.Km(14.6, 5.9))
	west := quay("Hythe Hard", plane.Km(13.25, 5.05), plane.Km(15.2, 5.4))
	b.ferries = []ferry{
		{[]plane.Point{east, east.Add(plane.Point{X: 900, Y: 120}), far.Sub(plane.Point{X: 700, Y: -60}), far}, network.Tags("route", "ferry", "name", "Port Gwillan - Port Farrock", "operator", "Halvern Ferries",
			"duration", "00:35", "motor_vehicle", "yes", "motorcar", "yes", "hgv", "yes", "bicycle", "yes", "foot", "yes", "toll", "yes", "ref", "F1", "opening_hours", "Mo-Su 07:00-21:00", "interval", "01:30", "maxheight", "4.2 m", "maxweight", "18")},
		{[]plane.Point{town, town.Lerp(west, 0.5).Add(plane.Point{X: 0, Y: -60}), west}, network.Tags("route", "ferry", "name", "Tarrow Foot Ferry", "operator", "Tarrow Watermen",
			"duration", "00:08", "foot", "yes", "bicycle", "yes", "motor_vehicle", "no", "toll", "yes", "opening_hours", "Apr-Oct 08:00-19:00; Nov-Mar Mo-Sa 08:00-17:00")},
	}
	b.marks["car ferry east"], b.marks["car ferry west"] = mark{at: far}, mark{at: east}
	holm := plane.Spline([]plane.Point{plane.Km(21.0, 1.25), plane.Km(21.25, 1.3), plane.Km(21.5, 1.45)}, 30, false)
	b.add(&network.Road{Pts: holm, Pinned: true, Rank: network.Unclassified, Fixed: true, Street: b.street(), Tags: network.Tags("highway", "unclassified", "name", "Lighthouse Lane", "maxspeed", "20 mph", "surface", "gravel", "lit", "no")})
	b.marks["islet"] = mark{at: holm[1]}
}

// ferry is a line over the sea between two quays.
type ferry struct {
	line []plane.Point
	tags osm.Tags
}
