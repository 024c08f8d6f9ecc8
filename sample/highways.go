package sample

import (
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// highways lays the classified roads between the settlements.
func (b roadPlanner) highways() {
	primaryRoad := func(ref string, seed uint64, from, to bool, control ...plane.Point) {
		b.classified(network.Primary, ref, b.wind(seed, 38, control...), from, to)
	}
	secondaryRoad := func(ref string, seed uint64, from, to bool, control ...plane.Point) {
		b.classified(network.Secondary, ref, b.wind(seed, 62, control...), from, to)
	}
	at := map[string]plane.Point{}
	for _, t := range b.towns {
		at[t.Name] = t.Centre
	}
	stannerford, tarrowmouth, gwillan := at["Stannerford"], at["Tarrowmouth"], at["Port Gwillan"]

	primaryRoad("A3950", 201, false, false, stannerford, plane.Km(9.3, 8.6), lowBridge, plane.Km(11.9, 7.95), junction1,
		plane.Km(14.2, 7.6), plane.Km(15.2, 7.42), plane.Km(15.95, 7.05), tarrowmouth, plane.Km(17.9, 6.3), bypassEast, plane.Km(20.6, 6.55), at["Chilverstoke"],
		plane.Km(23.3, 7.5), at["Ruddlecombe"], plane.Km(24.35, 9.9), plane.Km(23.9, 11.3), gwillan)
	primaryRoad("A3951", 202, false, false, tarrowmouth, plane.Km(16.35, 7.7), plane.Km(15.95, 8.7), plane.Km(15.93, 9.7), plane.Km(16.5, 11.0), tunnelSouth, tunnelNorth,
		plane.Km(17.75, 14.9), at["Marlowick"])
	primaryRoad("A3952", 203, false, false, junction5, plane.Km(23.1, 12.15), gwillan)
	primaryRoad("A3960", 204, false, false, bypassSouth, plane.Km(17.3, 4.3), plane.Km(16.2, 4.2), plane.Km(13.7, 4.25), at["Dunnaway Cross"].Add(plane.Point{X: -40, Y: -500}), plane.Km(11.6, 4.35), plane.Km(10.2, 4.9), plane.Km(9.0, 5.7), plane.Km(8.5, 7.2), stannerford)

	secondaryRoad("B3953", 205, false, true, stannerford, plane.Km(8.5, 9.7), at["Lanwarrow"], plane.Km(7.3, 12.1), plane.Km(6.6, 13.4), plane.Km(7.1, 14.8), at["Boscarrel"],
		plane.Km(9.2, 15.6), plane.Km(10.9, 16.1), at["Wickerling"], plane.Km(14.3, 15.9), plane.Km(15.8, 15.5), plane.Km(17.2, 15.9), at["Marlowick"])
	secondaryRoad("B3954", 206, false, false, stannerford, plane.Km(7.3, 9.2), plane.Km(6.4, 9.5), at["Trevannock"])
	secondaryRoad("B3955", 207, false, false, plane.Km(8.5, 9.65), plane.Km(9.9, 9.75), at["Sedgeholme"], plane.Km(12.7, 9.4), plane.Km(13.1, 8.6), junction1)
	secondaryRoad("B3956", 208, false, false, at["Chilverstoke"], plane.Km(20.9, 8.5), junction3, plane.Km(19.85, 10.9), at["Hethercombe"], plane.Km(20.3, 13.1), plane.Km(20.9, 14.5), at["Saltrey"])
	secondaryRoad("B3957", 209, true, true, plane.Km(16.55, 11.9), plane.Km(16.0, 12.7), plane.Km(16.3, 13.3), plane.Km(15.9, 13.9), plane.Km(16.7, 14.3), plane.Km(17.3, 14.6), plane.Km(18.1, 14.9))
	secondaryRoad("B3958", 210, true, false, plane.Km(22.7, 7.2), plane.Km(22.9, 5.9), at["Pengarrow"])
	secondaryRoad("B3959", 211, false, false, gwillan, plane.Km(23.5, 14.0), plane.Km(24.0, 14.8), at["Skelling"])
	secondaryRoad("B3961", 212, false, true, junction1, plane.Km(13.45, 6.6), plane.Km(13.2, 5.6), at["Dunnaway Cross"], plane.Km(13.35, 4.3))
	secondaryRoad("B3962", 213, false, true, at["Hethercombe"], plane.Km(20.9, 11.65), junction4, plane.Km(22.5, 10.0), plane.Km(23.4, 9.3), plane.Km(24.2, 8.8))
	secondaryRoad("B3963", 214, true, false, plane.Km(10.1, 4.9), at["Nether Thorling"])
	secondaryRoad("B3964", 215, true, true, plane.Km(21.0, 14.7), plane.Km(22.1, 14.6), plane.Km(23.0, 14.75), plane.Km(23.7, 14.5))

	secondaryRoad("B3965", 216, true, true, plane.Km(14.4, 7.6), plane.Km(14.37, 8.2), junctionB, plane.Km(14.03, 8.87), plane.Km(13.4, 9.15), plane.Km(12.9, 9.2))

	b.classified(network.Tertiary, "", b.wind(221, 60, at["Boscarrel"], plane.Km(6.4, 14.6), plane.Km(5.4, 12.8), plane.Km(5.7, 11.4), at["Trevannock"]), false, false)
	b.classified(network.Tertiary, "", b.wind(222, 60, plane.Km(11.3, 4.4), at["Over Thorling"], plane.Km(11.3, 6.4), plane.Km(11.7, 7.9)), true, true)
	b.classified(network.Tertiary, "", b.wind(223, 70, at["Sedgeholme"], plane.Km(12.3, 11.3), plane.Km(12.6, 12.6), plane.Km(12.2, 14.2), plane.Km(12.7, 15.3), at["Wickerling"]), false, false)
	b.classified(network.Tertiary, "", b.wind(224, 60, at["Saltrey"], plane.Km(22.6, 15.4), plane.Km(23.5, 15.6), at["Skelling"]), false, false)
	b.classified(network.Tertiary, "", b.wind(225, 60, at["Nether Thorling"], plane.Km(7.9, 3.9), plane.Km(6.9, 4.8), plane.Km(6.8, 5.9), plane.Km(7.3, 7.0), plane.Km(7.9, 7.9)), false, true)
	b.classified(network.Tertiary, "", b.wind(226, 60, at["Pengarrow"], plane.Km(24.6, 5.3), plane.Km(24.1, 6.6), plane.Km(23.4, 7.4)), false, true)
	b.classified(network.Tertiary, "", b.wind(227, 60, plane.Km(16.5, 11.3), plane.Km(17.8, 11.4), plane.Km(18.9, 12.0), at["Hethercombe"]), true, false)
	b.classified(network.Tertiary, "", b.wind(228, 60, bypassSouth, plane.Km(19.2, 4.3), plane.Km(20.1, 4.6), plane.Km(21.6, 4.9), at["Pengarrow"]), false, false)
	b.classified(network.Tertiary, "", b.wind(229, 50, at["Marlowick"], plane.Km(18.9, 16.5), zawnSouth, zawnNorth, at["Zawn Cove"]), false, false)
	b.classified(network.Tertiary, "", b.wind(230, 40, at["Port Farrock"], plane.Km(29.5, 14.2), plane.Km(30.1, 14.7), plane.Km(29.6, 15.3), plane.Km(29.0, 15.0), at["Port Farrock"]), false, false)
	b.classified(network.Tertiary, "", b.wind(231, 50, plane.Km(24.0, 11.0), plane.Km(24.9, 10.6), plane.Km(25.9, 10.2), plane.Km(25.6, 9.4), plane.Km(24.4, 9.2)), true, true)
	b.classified(network.Tertiary, "", b.wind(233, 50, plane.Km(7.0, 9.3), plane.Km(5.9, 8.6), at["Quillet Sands"], plane.Km(4.3, 6.9), plane.Km(5.2, 6.3), plane.Km(6.8, 5.9)), true, true)
	// Two lanes that only lorries and tall vans curse.
	b.classified(network.Unclassified, "", b.wind(232, 50, at["Over Thorling"], plane.Km(10.3, 6.5), plane.Km(9.9, 7.7), plane.Km(9.7, 8.5)), false, true)
}

// Places where the main roads meet or pass.
var (
	lowBridge   = plane.Km(10.8, 8.2)
	junction1   = plane.Km(12.95, 7.6)
	junctionB   = plane.Km(14.2, 8.55)
	junction2   = plane.Km(15.93, 9.2)
	junction3   = plane.Km(20.2, 10.0)
	junction4   = plane.Km(21.65, 10.85)
	junction5   = plane.Km(22.85, 11.75)
	bypassEast  = plane.Km(19.1, 6.3)
	bypassSouth = plane.Km(18.2, 4.5)
	tunnelSouth = plane.Km(16.9, 12.55)
	tunnelNorth = plane.Km(17.35, 13.75)
	zawnSouth   = plane.Km(19.3, 16.85)
	zawnNorth   = plane.Km(19.35, 17.1)
)

// classified adds a main road, whose ends may be joined to the roads there
// are. It is broken where it passes through a hill or over the sea.
func (b roadPlanner) classified(k network.Rank, ref string, line []plane.Point, from, to bool) {
	if from {
		line = plane.Reversed(b.joined(plane.Reversed(line)))
	}
	if to {
		line = b.joined(line)
	}
	street := b.street()
	lay := func(pts []plane.Point, level int, extra osm.Tags) {
		if len(pts) < 2 {
			return
		}
		r := &network.Road{Pts: pts, Rank: k, Level: level, Apart: level != 0, Street: street, Pinned: true}
		r.Tags = network.Tags("highway", network.RankValue[k])
		if ref != "" {
			r.Set("ref", ref)
		}
		for _, t := range extra {
			r.Set(t.Key, t.Value)
		}
		b.add(r)
	}
	cuts := b.spans(line)
	done := 0.0
	for _, c := range cuts {
		lay(plane.Slice(line, done, c.from), 0, nil)
		lay(plane.Slice(line, c.from, c.to), c.level, c.tags)
		done = c.to
	}
	if len(cuts) == 0 {
		lay(line, 0, nil)
		return
	}
	lay(plane.Slice(line, done, plane.Length(line)), 0, nil)
}

// span is a stretch of a line, in metres from its start, on a bridge or in a
// tunnel.
type span struct {
	from, to float64
	level    int
	tags     osm.Tags
}

// spans returns where a main road runs through a hill or over the sea.
func (b roadPlanner) spans(line []plane.Point) []span {
	var out []span
	for _, t := range tunnels() {
		s0, d0 := plane.Project(line, t.from)
		s1, d1 := plane.Project(line, t.to)
		if d0 < 45 && d1 < 45 && s1 > s0 {
			out = append(out, span{s0, s1, -1, t.tags})
			b.marks[t.name] = mark{at: t.from}
		}
	}
	// Over the sea from one coast to the next.
	wet, gone := -1.0, 0.0
	for i := 1; i < len(line); i++ {
		l := line[i-1].Dist(line[i])
		if s, at, ok := b.barriers.Hit(line[i-1], line[i]); ok && s.Of == -1 {
			here := gone + line[i-1].Dist(at)
			if wet < 0 {
				wet = here - 18
			} else {
				out = append(out, span{wet, here + 18, 1, network.Tags("bridge", "yes", "layer", "1", "name", "Tarrow Bridge", "toll", "yes", "maxspeed", "40 mph", "lit", "yes")})
				wet = -1
			}
		}
		gone += l
	}
	return out
}

// tunnel is a stretch of a main road under the ground.
type tunnel struct {
	name     string
	from, to plane.Point
	tags     osm.Tags
}

func tunnels() []tunnel {
	return []tunnel{
		{"Ridge Tunnel", tunnelSouth, tunnelNorth, network.Tags("tunnel", "yes", "layer", "-1", "name", "Carn Tunnel", "tunnel:category", "E", "maxheight", "5.0 m", "maxspeed", "50 mph", "lit", "yes")},
		{"Zawn Tunnel", zawnSouth, zawnNorth, network.Tags("tunnel", "yes", "layer", "-1", "name", "Zawn Tunnel", "hazmat:adr_tunnel_cat", "C", "maxspeed", "30 mph", "lit", "yes")},
	}
}
