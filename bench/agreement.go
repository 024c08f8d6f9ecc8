package bench

import (
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Agreement compares the answers of two servers.
type Agreement struct {
	Requests    int // that both answered
	Lengths     int // within 2 per cent or 50 m
	Times       int // within 10 per cent
	SumOwn      float64
	SumOther    float64 // seconds
	overlaps    []float64
	Differences []Difference
}

// Difference is a request on which two servers disagree by more than Lengths
// and Times allow, or go another way.
type Difference struct {
	Number              int // of the request in its set, from 1
	Request             *Request
	Metres, Seconds     [2]float64 // of the first and of the other
	Overlap             float64    // part of the other's line that is near the first's
	LengthOff, TimesOff bool
}

func (a *Agreement) add(number int, q *Request, own, other *Answer) {
	a.Requests++
	a.SumOwn, a.SumOther = a.SumOwn+own.Seconds, a.SumOther+other.Seconds
	d := Difference{Number: number, Request: q, Metres: [2]float64{own.Metres, other.Metres}, Seconds: [2]float64{own.Seconds, other.Seconds}, Overlap: 1}
	d.LengthOff = !SameLength(own.Metres, other.Metres)
	d.TimesOff = math.Abs(own.Seconds-other.Seconds) > 0.1*other.Seconds
	if len(own.Line) > 0 && len(other.Line) > 0 {
		d.Overlap = Overlap(own.Line, other.Line)
		a.overlaps = append(a.overlaps, d.Overlap)
	}
	if !d.LengthOff {
		a.Lengths++
	}
	if !d.TimesOff {
		a.Times++
	}
	if d.LengthOff || d.TimesOff {
		a.Differences = append(a.Differences, d)
	}
}

// SameLength reports whether two lengths in metres are within 2 per cent of
// the second, or 50 m.
func SameLength(a, b float64) bool { return math.Abs(a-b) <= max(50, 0.02*b) }

// near is how far apart two lines may be, in metres, to be the same way.
const near = 25

// Overlap returns the part of the second line's length that runs near the first, 0
// to 1.
func Overlap(first, second []geo.Point) float64 {
	own := map[[2]int]bool{}
	cell := func(p geo.Point) [2]int {
		const degree = 111_195
		return [2]int{int(math.Floor(p.Lat * degree / near)), int(math.Floor(p.Lon * degree * math.Cos(p.Lat*math.Pi/180) / near))}
	}
	walk(first, near/2, func(p geo.Point) { own[cell(p)] = true })
	total, shared := 0, 0
	walk(second, near/2, func(p geo.Point) {
		total++
		c := cell(p)
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if own[[2]int{c[0] + dy, c[1] + dx}] {
					shared++
					return
				}
			}
		}
	})
	if total == 0 {
		return 0
	}
	return float64(shared) / float64(total)
}

// walk calls yield for points along a line, at most step metres apart.
func walk(line []geo.Point, step float64, yield func(geo.Point)) {
	for i := range line {
		yield(line[i])
		if i+1 == len(line) {
			return
		}
		n := int(geo.Distance(line[i], line[i+1]) / step)
		for k := 1; k <= n; k++ {
			t := float64(k) / float64(n+1)
			yield(geo.Point{Lon: line[i].Lon + (line[i+1].Lon-line[i].Lon)*t, Lat: line[i].Lat + (line[i+1].Lat-line[i].Lat)*t})
		}
	}
}

// SameWay returns the share of requests whose lines overlap by at least part.
func (a *Agreement) SameWay(part float64) float64 {
	n := 0
	for _, o := range a.overlaps {
		if o >= part {
			n++
		}
	}
	return float64(n) / float64(max(1, len(a.overlaps)))
}

// Worst returns the n differences of length that are largest, those of time
// after them.
func (a *Agreement) Worst(n int) []Difference {
	all := slices.Clone(a.Differences)
	off := func(d *Difference) float64 {
		return math.Abs(d.Metres[0]-d.Metres[1])/max(1, d.Metres[1]) + 0.1*math.Abs(d.Seconds[0]-d.Seconds[1])/max(1, d.Seconds[1])
	}
	slices.SortFunc(all, func(x, y Difference) int {
		switch a, b := off(&x), off(&y); {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	return all[:min(n, len(all))]
}

func percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}
