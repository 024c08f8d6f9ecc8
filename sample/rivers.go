package sample

// river is a stream from spring to mouth. Its water is drawn as an area where
// width is 8 m or more.
type river struct {
	name, kernow string
	stream       bool
	width        float64
	line         []pt
}

func rivers() []river {
	return []river{
		{"River Tarrow", "Dowr Tarow", false, 22, meander(31, km(13.2, 13.7), km(13.6, 12.4), km(13.2, 11.2), km(14.0, 10.2), km(14.6, 9.0), km(15.1, 8.0), km(15.38, 6.7))},
		{"River Sprill", "Dowr Spryl", false, 12, meander(32, km(9.2, 13.2), km(8.6, 11.8), km(9.0, 10.4), km(8.3, 9.4), km(7.75, 8.3), km(6.9, 7.0), km(6.0, 6.0), km(5.1, 5.35))},
		{"River Wend", "", false, 8, meander(33, km(15.6, 14.3), km(16.3, 15.2), km(16.2, 16.7))},
		{"Gwillan Water", "Dowr Gwylan", false, 10, meander(34, km(20.6, 13.7), km(22.0, 13.9), km(23.2, 13.5), km(23.9, 13.35), km(25.3, 12.8))},
		{"Lid Brook", "", true, 3, meander(35, km(11.1, 11.6), km(10.2, 11.1), km(9.02, 10.4))},
		{"Mell Brook", "", true, 3, meander(36, km(21.9, 8.9), km(21.0, 7.6), km(20.5, 5.6), km(20.75, 3.6))},
		{"Cold Brook", "", true, 2.5, meander(37, km(10.2, 14.7), km(10.0, 15.6), km(10.3, 17.2))},
		{"Thorling Brook", "", true, 2.5, meander(38, km(10.6, 6.3), km(10.2, 5.2), km(9.75, 4.4), km(9.45, 3.2))},
	}
}

// meander draws a stream through control points, winding from side to side.
func meander(seed uint64, control ...pt) []pt {
	line := spline(control, 35, false)
	out := make([]pt, 0, len(line))
	for i, p := range line {
		a, b := line[max(0, i-1)], line[min(len(line)-1, i+1)]
		by := 60*noise(p, 260, seed) + 35*noise(p, 130, seed+50)
		if i == 0 || i == len(line)-1 {
			by = 0
		}
		out = appendPt(out, snap(p.add(b.sub(a).unit().left().mul(by))))
	}
	return out
}
