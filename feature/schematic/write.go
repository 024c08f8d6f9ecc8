package schematic

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// streetsForOne is how many streets are named for one landmark.
const streetsForOne = 2

// fit writes as much as the budget has room for, what is of most weight first.
func (s *scene) fit(ctx context.Context, budget int) (*Answer, error) {
	whole := max((len(s.streets)+1)/streetsForOne, len(s.landmarks))
	for _, columns := range []int{gridColumns(budget), 0} {
		// The most that fits, by halving.
		var best *Answer
		low, high := 0, whole
		for low <= high {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			n := (low + high + 1) / 2
			a := s.write(n, columns)
			if a.Tokens <= budget {
				best, low = a, n+1
			} else {
				high = n - 1
			}
		}
		if best != nil {
			best.Truncated = best.Truncated || s.dropped || columns == 0
			return best, nil
		}
	}
	return &Answer{Legend: map[string]string{}, Truncated: true}, nil
}

// gridColumns returns how wide the map may be, to take about a third of the budget: a
// character takes half a token, and there are half as many rows.
func gridColumns(budget int) int {
	columns := int(math.Sqrt(1.4*float64(budget))) | 1
	if columns < 19 {
		return 0
	}
	return min(columns, 79)
}

// write makes the text with so many landmarks and twice as many streets.
func (s *scene) write(n, columns int) *Answer {
	streets, landmarks := s.streets[:min(len(s.streets), streetsForOne*n)], s.landmarks[:min(len(s.landmarks), n)]
	a := &Answer{Legend: map[string]string{}, Truncated: len(streets) < len(s.streets) || len(landmarks) < len(s.landmarks)}
	for _, st := range s.streets {
		st.symbol = ""
	}
	for i, st := range streets {
		st.symbol = letters(i)
	}
	for i, l := range landmarks {
		l.symbol = strconv.Itoa(i + 1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Square of %.0f m round %.5f,%.5f (lat,lon), north is up.\n", 2*s.radius, s.at.Lat, s.at.Lon)
	if columns > 0 {
		s.grid(&b, a.Legend, columns, streets, landmarks)
	}
	if len(streets) > 0 {
		b.WriteString("STREETS (letter, name: kind, metres here, its ends, where it is from the centre; meets, in order from the first end, metres on the way)\n")
	}
	for _, st := range streets {
		b.WriteString(st.symbol + " " + st.name + ": " + st.kind)
		if st.oneWay {
			b.WriteString(" in part one-way")
		}
		fmt.Fprintf(&b, ", %.0f, %s to %s, %s", st.length, compass(st.to, st.from), compass(st.from, st.to), direction(st.closest()))
		between := "; meets "
		for _, m := range st.meets {
			if m.other.symbol != "" {
				fmt.Fprintf(&b, "%s%s %.0f", between, m.other.symbol, m.at)
				between = ", "
			}
		}
		b.WriteString("\n")
	}
	if len(landmarks) > 0 {
		b.WriteString("LANDMARKS (number, name: kind, metres and direction from the centre, @ street)\n")
	}
	for _, l := range landmarks {
		b.WriteString(l.symbol + " " + l.name + ": " + l.kind + ", " + direction(l.at))
		if l.on != nil && l.on.symbol != "" {
			b.WriteString(" @" + l.on.symbol)
		}
		b.WriteString("\n")
	}
	if len(s.streets)+len(s.landmarks) == 0 {
		b.WriteString("The map has no named street and no landmark here.\n")
	}
	a.Schematic = b.String()
	a.Tokens = Tokens(a.Schematic)
	for symbol, name := range a.Legend {
		a.Tokens += Tokens(symbol+name) + 4 // quotes, colon, comma
	}
	return a
}

// letters counts A to Z, a to z, then AA, AB and so on.
func letters(i int) string {
	const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	if i < len(all) {
		return all[i : i+1]
	}
	i -= len(all)
	return string(all[i/26%26]) + string(all[i%26])
}

// closest returns the place of a street that is nearest to the middle.
func (st *street) closest() (best planePoint) {
	least := math.Inf(1)
	for _, l := range st.lines {
		for i := 1; i < len(l.points); i++ {
			a, b := l.points[i-1], l.points[i]
			dx, dy := b.x-a.x, b.y-a.y
			t := 0.0
			if n := dx*dx + dy*dy; n > 0 {
				t = max(0, min(1, -(a.x*dx+a.y*dy)/n))
			}
			if p := (planePoint{a.x + t*dx, a.y + t*dy}); (planePoint{}).to(p) < least {
				least, best = (planePoint{}).to(p), p
			}
		}
	}
	return best
}

// compass returns the direction from one place to another, in one of eight.
func compass(from, to planePoint) string {
	names := [...]string{"N", "NE", "E", "SE", "S", "SW", "W", "NW"}
	turn := math.Atan2(to.x-from.x, to.y-from.y) / (math.Pi / 4)
	return names[(int(math.Round(turn))+8)%8]
}

// direction returns where a place is from the middle.
func direction(p planePoint) string {
	if d := (planePoint{}).to(p); d >= 10 {
		return fmt.Sprintf("%.0f %s", d, compass(planePoint{}, p))
	}
	return "at the centre"
}

// Tokens estimates how many tokens a language model reads a text as: rather more
// than the usual ones take.
func Tokens(text string) (n int) {
	letters, digits, spaces := 0, 0, 0
	flush := func() {
		n += (letters + 3) / 4
		n += (digits + 2) / 3
		if spaces > 1 {
			n += (spaces + 15) / 16
		}
		letters, digits, spaces = 0, 0, 0
	}
	for _, r := range text {
		switch {
		case r < unicode.MaxASCII && unicode.IsLetter(r):
			if digits+spaces > 0 {
				flush()
			}
			letters++
		case r >= '0' && r <= '9':
			if letters+spaces > 0 {
				flush()
			}
			digits++
		case r == ' ':
			if letters+digits > 0 {
				flush()
			}
			spaces++
		default:
			flush()
			n++
		}
	}
	flush()
	return n
}
