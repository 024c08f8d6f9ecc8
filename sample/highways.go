package sample

import "github.com/waygate/waygate/osm"

// highways lays the classified roads between the settlements.
func (b *builder) highways() {
	primaryRoad := func(ref string, seed uint64, from, to bool, control ...pt) {
		b.classified(primary, ref, b.wind(seed, 38, control...), from, to)
	}
	secondaryRoad := func(ref string, seed uint64, from, to bool, control ...pt) {
		b.classified(secondary, ref, b.wind(seed, 62, control...), from, to)
	}
	at := map[string]pt{}
	for _, t := range b.towns {
		at[t.name] = t.centre
	}
	stannerford, tarrowmouth, gwillan := at["Stannerford"], at["Tarrowmouth"], at["Port Gwillan"]

	primaryRoad("A3950", 201, false, false, stannerford, km(9.3, 8.6), lowBridge, km(11.9, 7.95), junction1,
		km(14.2, 7.6), km(15.2, 7.42), km(15.95, 7.05), tarrowmouth, km(17.9, 6.3), bypassEast, km(20.6, 6.55), at["Chilverstoke"],
		km(23.3, 7.5), at["Ruddlecombe"], km(24.35, 9.9), km(23.9, 11.3), gwillan)
	primaryRoad("A3951", 202, false, false, tarrowmouth, km(16.35, 7.7), km(15.95, 8.7), km(15.93, 9.7), km(16.5, 11.0), tunnelSouth, tunnelNorth,
		km(17.75, 14.9), at["Marlowick"])
	primaryRoad("A3952", 203, false, false, junction5, km(23.1, 12.15), gwillan)
	primaryRoad("A3960", 204, false, false, bypassSouth, km(17.3, 4.3), km(16.2, 4.2), km(13.7, 4.25), at["Dunnaway Cross"].add(pt{-40, -500}), km(11.6, 4.35), km(10.2, 4.9), km(9.0, 5.7), km(8.5, 7.2), stannerford)

	secondaryRoad("B3953", 205, false, true, stannerford, km(8.5, 9.7), at["Lanwarrow"], km(7.3, 12.1), km(6.6, 13.4), km(7.1, 14.8), at["Boscarrel"],
		km(9.2, 15.6), km(10.9, 16.1), at["Wickerling"], km(14.3, 15.9), km(15.8, 15.5), km(17.2, 15.9), at["Marlowick"])
	secondaryRoad("B3954", 206, false, false, stannerford, km(7.3, 9.2), km(6.4, 9.5), at["Trevannock"])
	secondaryRoad("B3955", 207, false, false, km(8.5, 9.65), km(9.9, 9.75), at["Sedgeholme"], km(12.7, 9.4), km(13.1, 8.6), junction1)
	secondaryRoad("B3956", 208, false, false, at["Chilverstoke"], km(20.9, 8.5), junction3, km(19.85, 10.9), at["Hethercombe"], km(20.3, 13.1), km(20.9, 14.5), at["Saltrey"])
	secondaryRoad("B3957", 209, true, true, km(16.55, 11.9), km(16.0, 12.7), km(16.3, 13.3), km(15.9, 13.9), km(16.7, 14.3), km(17.3, 14.6), km(18.1, 14.9))
	secondaryRoad("B3958", 210, true, false, km(22.7, 7.2), km(22.9, 5.9), at["Pengarrow"])
	secondaryRoad("B3959", 211, false, false, gwillan, km(23.5, 14.0), km(24.0, 14.8), at["Skelling"])
	secondaryRoad("B3961", 212, false, true, junction1, km(13.45, 6.6), km(13.2, 5.6), at["Dunnaway Cross"], km(13.35, 4.3))
	secondaryRoad("B3962", 213, false, true, at["Hethercombe"], km(20.9, 11.65), junction4, km(22.5, 10.0), km(23.4, 9.3), km(24.2, 8.8))
	secondaryRoad("B3963", 214, true, false, km(10.1, 4.9), at["Nether Thorling"])
	secondaryRoad("B3964", 215, true, true, km(21.0, 14.7), km(22.1, 14.6), km(23.0, 14.75), km(23.7, 14.5))

	secondaryRoad("B3965", 216, true, true, km(14.4, 7.6), km(14.37, 8.2), junctionB, km(14.03, 8.87), km(13.4, 9.15), km(12.9, 9.2))

	b.classified(tertiary, "", b.wind(221, 60, at["Boscarrel"], km(6.4, 14.6), km(5.4, 12.8), km(5.7, 11.4), at["Trevannock"]), false, false)
	b.classified(tertiary, "", b.wind(222, 60, km(11.3, 4.4), at["Over Thorling"], km(11.3, 6.4), km(11.7, 7.9)), true, true)
	b.classified(tertiary, "", b.wind(223, 70, at["Sedgeholme"], km(12.3, 11.3), km(12.6, 12.6), km(12.2, 14.2), km(12.7, 15.3), at["Wickerling"]), false, false)
	b.classified(tertiary, "", b.wind(224, 60, at["Saltrey"], km(22.6, 15.4), km(23.5, 15.6), at["Skelling"]), false, false)
	b.classified(tertiary, "", b.wind(225, 60, at["Nether Thorling"], km(7.9, 3.9), km(6.9, 4.8), km(6.8, 5.9), km(7.3, 7.0), km(7.9, 7.9)), false, true)
	b.classified(tertiary, "", b.wind(226, 60, at["Pengarrow"], km(24.6, 5.3), km(24.1, 6.6), km(23.4, 7.4)), false, true)
	b.classified(tertiary, "", b.wind(227, 60, km(16.5, 11.3), km(17.8, 11.4), km(18.9, 12.0), at["Hethercombe"]), true, false)
	b.classified(tertiary, "", b.wind(228, 60, bypassSouth, km(19.2, 4.3), km(20.1, 4.6), km(21.6, 4.9), at["Pengarrow"]), false, false)
	b.classified(tertiary, "", b.wind(229, 50, at["Marlowick"], km(18.9, 16.5), zawnSouth, zawnNorth, at["Zawn Cove"]), false, false)
	b.classified(tertiary, "", b.wind(230, 40, at["Port Farrock"], km(29.5, 14.2), km(30.1, 14.7), km(29.6, 15.3), km(29.0, 15.0), at["Port Farrock"]), false, false)
	b.classified(tertiary, "", b.wind(231, 50, km(24.0, 11.0), km(24.9, 10.6), km(25.9, 10.2), km(25.6, 9.4), km(24.4, 9.2)), true, true)
	b.classified(tertiary, "", b.wind(233, 50, km(7.0, 9.3), km(5.9, 8.6), at["Quillet Sands"], km(4.3, 6.9), km(5.2, 6.3), km(6.8, 5.9)), true, true)
	// Two lanes that only lorries and tall vans curse.
	b.classified(unclassified, "", b.wind(232, 50, at["Over Thorling"], km(10.3, 6.5), km(9.9, 7.7), km(9.7, 8.5)), false, true)
}

// Places where the main roads meet or pass.
var (
	lowBridge   = km(10.8, 8.2)
	junction1   = km(12.95, 7.6)
	junctionB   = km(14.2, 8.55)
	junction2   = km(15.93, 9.2)
	junction3   = km(20.2, 10.0)
	junction4   = km(21.65, 10.85)
	junction5   = km(22.85, 11.75)
	bypassEast  = km(19.1, 6.3)
	bypassSouth = km(18.2, 4.5)
	tunnelSouth = km(16.9, 12.55)
	tunnelNorth = km(17.35, 13.75)
	zawnSouth   = km(19.3, 16.85)
	zawnNorth   = km(19.35, 17.1)
)

// classified adds a main road, whose ends may be joined to the roads there
// are. It is broken where it passes through a hill or over the sea.
func (b *builder) classified(k rank, ref string, line []pt, from, to bool) {
	if from {
		line = reversed(b.joined(reversed(line)))
	}
	if to {
		line = b.joined(line)
	}
	street := b.street()
	lay := func(pts []pt, level int, extra osm.Tags) {
		if len(pts) < 2 {
			return
		}
		r := &road{pts: pts, rank: k, level: level, apart: level != 0, street: street, keep: true}
		r.tags = tags("highway", rankValue[k])
		if ref != "" {
			r.set("ref", ref)
		}
		for _, t := range extra {
			r.set(t.Key, t.Value)
		}
		b.add(r)
	}
	cuts := b.spans(line)
	done := 0.0
	for _, c := range cuts {
		lay(slice(line, done, c.from), 0, nil)
		lay(slice(line, c.from, c.to), c.level, c.tags)
		done = c.to
	}
	if len(cuts) == 0 {
		lay(line, 0, nil)
		return
	}
	lay(slice(line, done, length(line)), 0, nil)
}

// span is a stretch of a line, in metres from its start, on a bridge or in a
// tunnel.
type span struct {
	from, to float64
	level    int
	tags     osm.Tags
}

// spans gives where a main road runs through a hill or over the sea.
func (b *builder) spans(line []pt) []span {
	var out []span
	for _, t := range tunnels() {
		s0, d0 := project(line, t.from)
		s1, d1 := project(line, t.to)
		if d0 < 45 && d1 < 45 && s1 > s0 {
			out = append(out, span{s0, s1, -1, t.tags})
			b.marks[t.name] = mark{at: t.from}
		}
	}
	// Over the sea from one coast to the next.
	wet, gone := -1.0, 0.0
	for i := 1; i < len(line); i++ {
		l := line[i-1].dist(line[i])
		if s, at, ok := b.barriers.hit(line[i-1], line[i]); ok && s.of == -1 {
			here := gone + line[i-1].dist(at)
			if wet < 0 {
				wet = here - 18
			} else {
				out = append(out, span{wet, here + 18, 1, tags("bridge", "yes", "layer", "1", "name", "Tarrow Bridge", "toll", "yes", "maxspeed", "40 mph", "lit", "yes")})
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
	from, to pt
	tags     osm.Tags
}

func tunnels() []tunnel {
	return []tunnel{
		{"Ridge Tunnel", tunnelSouth, tunnelNorth, tags("tunnel", "yes", "layer", "-1", "name", "Carn Tunnel", "tunnel:category", "E", "maxheight", "5.0 m", "maxspeed", "50 mph", "lit", "yes")},
		{"Zawn Tunnel", zawnSouth, zawnNorth, tags("tunnel", "yes", "layer", "-1", "name", "Zawn Tunnel", "hazmat:adr_tunnel_cat", "C", "maxspeed", "30 mph", "lit", "yes")},
	}
}
