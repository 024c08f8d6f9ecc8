package sample

import "math"

// island is a ring of coast, anticlockwise: land on the left.
type island struct {
	name, kernow string
	ring         []pt // closed: the first point is repeated at the end
}

func coasts() []island {
	return []island{
		{"Isle of Halvern", "Enys Halwern", shore([]pt{
			km(2.6, 11.8), km(3.4, 10.2), km(4.7, 9.5), km(3.9, 8.0), km(2.9, 6.9), km(3.8, 5.8), km(5.3, 5.5),
			km(5.6, 4.4), km(5.0, 3.2), km(6.6, 2.3), km(8.3, 2.7), km(9.4, 3.5), km(10.8, 2.9), km(12.0, 2.2),
			km(13.2, 2.1), km(14.1, 2.9), km(14.5, 3.6), km(14.25, 4.3), km(14.0, 4.75), km(14.35, 5.3), km(14.95, 5.75), km(14.85, 6.35), km(15.28, 6.95), km(15.47, 7.0),
			km(15.35, 6.3), km(15.6, 5.7), km(15.2, 5.1), km(15.55, 4.75), km(15.3, 4.1), km(15.55, 3.3), km(15.9, 2.8), km(16.6, 2.2), km(18.2, 2.0), km(19.8, 2.8),
			km(20.8, 3.9), km(22.2, 3.6), km(23.8, 3.3), km(25.2, 4.2), km(25.6, 5.8), km(24.9, 7.4), km(25.6, 8.8),
			km(26.9, 9.6), km(27.0, 10.8), km(25.8, 11.6), km(24.8, 12.4), km(25.0, 13.6), km(26.4, 14.3),
			km(26.0, 15.8), km(24.2, 16.4), km(22.4, 16.0), km(21.0, 16.6), km(19.3, 17.9), km(17.6, 17.2),
			km(16.2, 16.4), km(14.6, 17.0), km(12.8, 17.7), km(11.0, 17.0), km(9.4, 16.6), km(8.0, 17.0),
			km(6.4, 16.2), km(5.6, 14.8), km(4.2, 14.2), km(3.0, 13.2),
		}, 1, 70)},
		{"Farrock Island", "Enys Pell", shore([]pt{
			km(28.3, 14.6), km(28.7, 13.6), km(29.6, 13.1), km(30.6, 13.7), km(30.9, 14.8), km(30.2, 15.8), km(29.2, 15.7),
		}, 7, 45)},
		{"Tern Holm", "Enys an Scrawik", shore([]pt{
			km(20.6, 1.3), km(21.1, 0.9), km(21.7, 1.1), km(21.8, 1.6), km(21.0, 1.8),
		}, 9, 25)},
	}
}

// shore draws a coast through control points: coves and small headlands come
// from noise that pushes the line in and out.
func shore(control []pt, seed uint64, reach float64) []pt {
	smooth := spline(control, 32, true)
	out := make([]pt, 0, len(smooth))
	for i := range smooth {
		a, b := smooth[max(0, i-1)], smooth[min(len(smooth)-1, i+1)]
		p := smooth[i]
		// A quiet estuary: mud and quays, no coves.
		calm := 1.0
		if p.y < 7200 && p.y > 3000 && math.Abs(p.x-15000) < 1000 {
			calm = 0.25
		}
		by := (rough(p, 1500, seed)*5.5 + rough(p, 430, seed+20)*2.2 + noise(p, 120, seed+9)*0.45) * reach * calm
		out = appendPt(out, snap(p.add(b.sub(a).unit().left().mul(by))))
	}
	out[len(out)-1] = out[0]
	return out
}
