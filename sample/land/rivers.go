package land

import "github.com/waygate/waygate/sample/plane"

// River is a stream from spring to mouth. Its water is drawn as an area where
// width is 8 m or more.
type River struct {
	Name, Kernow string
	Stream       bool
	Width        float64
	Line         []plane.Point
}

// Rivers lists the rivers of the county.
func Rivers() []River {
	return []River{
		{"River Tarrow", "Dowr Tarow", false, 22, meander(31, plane.Km(13.2, 13.7), plane.Km(13.6, 12.4), plane.Km(13.2, 11.2), plane.Km(14.0, 10.2), plane.Km(14.6, 9.0), plane.Km(15.1, 8.0), plane.Km(15.38, 6.7))},
		{"River Sprill", "Dowr Spryl", false, 12, meander(32, plane.Km(9.2, 13.2), plane.Km(8.6, 11.8), plane.Km(9.0, 10.4), plane.Km(8.3, 9.4), plane.Km(7.75, 8.3), plane.Km(6.9, 7.0), plane.Km(6.0, 6.0), plane.Km(5.1, 5.35))},
		{"River Wend", "", false, 8, meander(33, plane.Km(15.6, 14.3), plane.Km(16.3, 15.2), plane.Km(16.2, 16.7))},
		{"Gwillan Water", "Dowr Gwylan", false, 10, meander(34, plane.Km(20.6, 13.7), plane.Km(22.0, 13.9), plane.Km(23.2, 13.5), plane.Km(23.9, 13.35), plane.Km(25.3, 12.8))},
		{"Lid Brook", "", true, 3, meander(35, plane.Km(11.1, 11.6), plane.Km(10.2, 11.1), plane.Km(9.02, 10.4))},
		{"Mell Brook", "", true, 3, meander(36, plane.Km(21.9, 8.9), plane.Km(21.0, 7.6), plane.Km(20.5, 5.6), plane.Km(20.75, 3.6))},
		{"Cold Brook", "", true, 2.5, meander(37, plane.Km(10.2, 14.7), plane.Km(10.0, 15.6), plane.Km(10.3, 17.2))},
		{"Thorling Brook", "", true, 2.5, meander(38, plane.Km(10.6, 6.3), plane.Km(10.2, 5.2), plane.Km(9.75, 4.4), plane.Km(9.45, 3.2))},
	}
}

// meander draws a stream through control points, winding from side to side.
func meander(seed uint64, control ...plane.Point) []plane.Point {
	line := plane.Spline(control, 35, false)
	out := make([]plane.Point, 0, len(line))
	for i, p := range line {
		a, b := line[max(0, i-1)], line[min(len(line)-1, i+1)]
		by := 60*plane.Noise(p, 260, seed) + 35*plane.Noise(p, 130, seed+50)
		if i == 0 || i == len(line)-1 {
			by = 0
		}
		out = plane.AppendPt(out, plane.Snap(p.Add(b.Sub(a).Unit().Left().Mul(by))))
	}
	return out
}
