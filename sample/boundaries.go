package sample

import (
	"slices"
	"strconv"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/extract"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// marches draws the lines between the parishes of the main island.
func marches() [][]plane.Point {
	x1, x2, x3, x4, x5, x6, x7 := plane.Km(11.45, 8.95), plane.Km(11.4, 13.4), plane.Km(17.0, 13.05), plane.Km(18.2, 10.55), plane.Km(20.4, 7.95), plane.Km(22.0, 12.7), plane.Km(11.5, 10.9)
	return [][]plane.Point{
		{plane.Km(12.5, 2.4), plane.Km(12.3, 4.2), plane.Km(12.4, 6.6), x1},
		{x1, plane.Km(10.9, 9.8), x7},
		{x7, plane.Km(11.6, 12.4), x2},
		{x2, plane.Km(11.6, 15.2), plane.Km(11.0, 17.1)},
		{x2, plane.Km(13.2, 14.55), plane.Km(15.4, 14.1), x3},
		{x3, plane.Km(17.1, 14.8), plane.Km(16.8, 16.9)},
		{x3, plane.Km(17.5, 11.7), x4},
		{x4, plane.Km(19.0, 9.1), x5},
		{x5, plane.Km(20.1, 6.2), plane.Km(20.2, 4.2), plane.Km(20.4, 3.4)},
		{x5, plane.Km(22.6, 7.9), plane.Km(25.1, 7.2)},
		{x4, plane.Km(20.1, 11.0), x6},
		{x6, plane.Km(22.3, 14.4), plane.Km(22.3, 16.2)},
		{x6, plane.Km(23.6, 11.3), plane.Km(25.9, 11.4)},
		{x7, plane.Km(8.9, 10.1), plane.Km(6.6, 9.9), plane.Km(4.6, 9.2)},
		{x1, plane.Km(9.8, 7.1), plane.Km(7.1, 6.5), plane.Km(3.7, 6.2)},
		{x2, plane.Km(9.2, 13.6), plane.Km(6.2, 13.0), plane.Km(2.8, 12.6)},
		{x4, plane.Km(15.6, 10.3), plane.Km(13.2, 9.3), x1},
	}
}

// parish is the smallest unit: its name and the district it belongs to.
type parish struct {
	name     string
	district int
	inside   string // a settlement that lies in it
}

var districtNames = []string{"West Halvern", "Tarrowside", "East Halvern"}

func parishes() []parish {
	return []parish{
		{"Thorling", 0, "Nether Thorling"},
		{"Stannerford", 0, "Stannerford"},
		{"Lanwarrow", 0, "Lanwarrow"},
		{"Boscarrel", 0, "Boscarrel"},
		{"Wickerling", 1, "Wickerling"},
		{"Marlowick and Hethercombe", 2, "Hethercombe"},
		{"Sedgeholme", 1, "Sedgeholme"},
		{"Tarrowmouth", 1, "Tarrowmouth"},
		{"Chilverstoke", 2, "Pengarrow"},
		{"Ruddlecombe", 2, "Ruddlecombe"},
		{"Port Gwillan", 2, "Port Gwillan"},
	}
}

// boundaries writes the coast and the county, its districts and parishes,
// which share their ways.
func (b countyWriter) boundaries() {
	coast := b.islands[0].Ring[:len(b.islands[0].Ring)-1]
	nearest := func(p plane.Point) plane.Point { return nearestVertex(coast, p) }
	var lines [][]plane.Point
	var ends []plane.Point
	raw := marches()
	meets := map[plane.Point]int{}
	for _, m := range raw {
		meets[m[0]]++
		meets[m[len(m)-1]]++
	}
	for i, m := range raw {
		for _, end := range []int{0, len(m) - 1} {
			if meets[m[end]] == 1 {
				m[end] = nearest(m[end])
				ends = append(ends, m[end])
			}
		}
		line := plane.Spline(m, 120, false)
		for k := 1; k < len(line)-1; k++ {
			n := line[k+1].Sub(line[k-1]).Unit().Left()
			line[k] = plane.Snap(line[k].Add(n.Mul(60 * plane.Noise(line[k], 350, uint64(400+i)))))
		}
		line[0], line[len(line)-1] = plane.Snap(m[0]), plane.Snap(m[len(m)-1])
		if meets[raw[i][0]] == 1 {
			line[0] = m[0]
		}
		lines = append(lines, line)
	}
	// The coast, in pieces from one end of a march to the next.
	start := 0
	for i, p := range coast {
		if slices.Contains(ends, p) {
			start = i
			break
		}
	}
	turned := append(slices.Clone(coast[start:]), coast[:start+1]...)
	var shores [][]plane.Point
	from := 0
	for i := 1; i < len(turned); i++ {
		if i == len(turned)-1 || slices.Contains(ends, turned[i]) {
			shores = append(shores, turned[from:i+1])
			from = i
		}
	}
	all := append(slices.Clone(lines), shores...)
	var net []*network.Road
	refs := make([]extract.Ref, len(all))
	for i, l := range all {
		net = append(net, &network.Road{Pts: l})
		if i < len(lines) {
			refs[i] = b.out.Way(l, network.Tags("boundary", "administrative", "admin_level", "10"))
		} else {
			refs[i] = b.out.Way(l, network.Tags("natural", "coastline"))
		}
	}
	rings := network.Faces(net)
	lineOf := map[[2]plane.Point]int{}
	for i, l := range all {
		for k := 1; k < len(l); k++ {
			lineOf[[2]plane.Point{l[k-1], l[k]}], lineOf[[2]plane.Point{l[k], l[k-1]}] = i, i
		}
	}
	var others []extract.Ref
	for _, is := range b.islands[1:] {
		others = append(others, b.out.Ring(is.Ring, network.Tags("natural", "coastline")))
	}
	admin := func(level int, name, code string, lines []int, outers []extract.Ref) extract.Ref {
		var m []osm.Member
		for _, l := range lines {
			m = append(m, refs[l].As("outer"))
		}
		for _, o := range outers {
			m = append(m, o.As("outer"))
		}
		t := network.Tags("type", "boundary", "boundary", "administrative", "admin_level", strconv.Itoa(level), "name", name, "ref:gss", code)
		if name == "Isle of Halvern" {
			t = append(t, osm.Tag{Key: "name:kw", Value: "Enys Halwern"}, osm.Tag{Key: "ISO3166-2", Value: "ZZ-HVN"})
		}
		r := b.out.Relation(m, t)
		b.noteRefs(name+" (level "+strconv.Itoa(level)+")", "boundary", "administrative", r)
		return r
	}
	districts := make([]map[int]int, len(districtNames))
	for i := range districts {
		districts[i] = map[int]int{}
	}
	county := map[int]int{}
	outline := func(count map[int]int) []int {
		var out []int
		for i := range all {
			if count[i] == 1 {
				out = append(out, i)
			}
		}
		return out
	}
	at := map[string]plane.Point{}
	for _, t := range b.towns {
		at[t.Name] = t.Centre
	}
	for i, p := range parishes() {
		for _, ring := range rings {
			if !plane.Inside(ring, at[p.inside]) {
				continue
			}
			of := map[int]int{}
			for k := range ring {
				of[lineOf[[2]plane.Point{ring[k], ring[(k+1)%len(ring)]}]] = 1
			}
			for l := range of {
				districts[p.district][l]++
				county[l]++
			}
			admin(10, p.name, "Z04"+strconv.Itoa(100001+i), outline(of), nil)
			break
		}
	}
	admin(10, "Farrock", "Z04100020", nil, others[:1])
	for i, name := range districtNames {
		var outers []extract.Ref
		if i == 2 {
			outers = others
		}
		admin(8, name, "Z07"+strconv.Itoa(100001+i), outline(districts[i]), outers)
	}
	admin(6, "Isle of Halvern", "Z06100001", outline(county), others)
}
