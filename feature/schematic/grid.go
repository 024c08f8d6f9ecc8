package schematic

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// canvas is a map of characters, twice as wide as it is high.
type canvas struct {
	columns, rows int
	radius        float64
	cells         []byte
}

func (c *canvas) at(p planePoint) (index int, ok bool) {
	x := int(math.Floor((p.x + c.radius) / (2 * c.radius) * float64(c.columns)))
	y := int(math.Floor((c.radius - p.y) / (2 * c.radius) * float64(c.rows)))
	return y*c.columns + x, x >= 0 && x < c.columns && y >= 0 && y < c.rows
}

func (c *canvas) draw(points []planePoint, with byte) {
	step := c.radius / float64(c.columns) / 2
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		n := math.Ceil(a.to(b)/step) + 1
		for k := range int(n) + 1 {
			t := float64(k) / n
			if at, ok := c.at(planePoint{a.x + t*(b.x-a.x), a.y + t*(b.y-a.y)}); ok {
				c.cells[at] = with
			}
		}
	}
}

// grid writes the map: streets by their letters, those of most weight above the
// others, landmarks by their numbers up to 9.
func (s *scene) grid(b *strings.Builder, legend map[string]string, columns int, streets []*street, landmarks []*landmark) {
	rows := columns/2 | 1 // odd, as columns is, so that the middle is that of a character
	c := &canvas{columns: columns, rows: rows, radius: s.radius, cells: []byte(strings.Repeat(" ", columns*rows))}
	for _, w := range s.water {
		c.draw(w, '~')
	}
	for _, u := range s.unnamed {
		c.draw(u, '.')
	}
	for _, st := range slices.Backward(streets) {
		if len(st.symbol) > 1 {
			continue
		}
		for _, l := range st.lines {
			c.draw(l.points, st.symbol[0])
		}
	}
	for _, l := range slices.Backward(landmarks[:min(9, len(landmarks))]) {
		if at, ok := c.at(l.at); ok {
			c.cells[at] = l.symbol[0]
		}
	}
	if at, ok := c.at(planePoint{}); ok {
		c.cells[at] = '+'
	}
	fmt.Fprintf(b, "MAP (a character is %.0f m wide and %.0f m high)\n", 2*s.radius/float64(c.columns), 2*s.radius/float64(c.rows))
	for y := range c.rows {
		b.WriteString(strings.TrimRight(string(c.cells[y*columns:(y+1)*columns]), " ") + "\n")
	}
	shown := func(symbol string) bool { return strings.Contains(string(c.cells), symbol) }
	for symbol, what := range map[string]string{"+": "the centre", "~": "river or stream", ".": "road without a name"} {
		if shown(symbol) {
			legend[symbol] = what
		}
	}
	for _, st := range streets {
		if len(st.symbol) == 1 && shown(st.symbol) {
			legend[st.symbol] = st.name
		}
	}
	for _, l := range landmarks[:min(9, len(landmarks))] {
		if shown(l.symbol) {
			legend[l.symbol] = l.name
		}
	}
}
