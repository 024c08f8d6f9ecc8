package staticmap

import (
	"math"
	"strconv"
	"testing"

	"github.com/waygate/waygate/style"
)

// simulations take linear RGB to what people see who lack one kind of cone
// (Machado, Oliveira, Fernandes, 2009, severity 1).
var simulations = map[string][9]float64{
	"usual":        {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

// lab returns a colour as it looks, in CIE L*a*b*, under D65.
func lab(t *testing.T, colour, sight string) [3]float64 {
	t.Helper()
	var rgb [3]float64
	for i := range rgb {
		v, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatalf("%q: %v", colour, err)
		}
		if rgb[i] = float64(v) / 255; rgb[i] <= 0.04045 {
			rgb[i] /= 12.92
		} else {
			rgb[i] = math.Pow((rgb[i]+0.055)/1.055, 2.4)
		}
	}
	m := simulations[sight]
	var seen [3]float64
	for i := range seen {
		seen[i] = min(1, max(0, m[3*i]*rgb[0]+m[3*i+1]*rgb[1]+m[3*i+2]*rgb[2]))
	}
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124564*seen[0] + 0.3575761*seen[1] + 0.1804375*seen[2]) / 0.95047)
	y := f(0.2126729*seen[0] + 0.7151522*seen[1] + 0.0721750*seen[2])
	z := f((0.0193339*seen[0] + 0.1191920*seen[1] + 0.9503041*seen[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// apart returns how different two colours look (ΔE*ab): 2.3 is just to be seen.
func apart(t *testing.T, a, b, sight string) float64 {
	t.Helper()
	p, q := lab(t, a, sight), lab(t, b, sight)
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}

// A route that is drawn in the usual colour differs from the roads, waters and
// grounds of every theme, and from a marker, by the colour-blind too.
func TestColoursAreToldApart(t *testing.T) {
	const least = 20
	for sight := range simulations {
		if d := apart(t, usualColour, usualMarker, sight); d < least {
			t.Errorf("%s: route and marker are %.0f apart", sight, d)
		}
		for _, name := range style.Names() {
			theme, _ := style.Builtin(name)
			look, problems := style.Resolve(theme, nil)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			colours := style.Colours(look)
			for _, ground := range []string{"earth", "housing", "wood", "park", "field", "water", "building", "street", "primary", "trunk", "motorway"} {
				if d := apart(t, usualColour, colours[ground], sight); d < least {
					t.Errorf("%s, %s: the route %s and %s %s are %.0f apart", name, sight, usualColour, ground, colours[ground], d)
				}
			}
		}
	}
}
