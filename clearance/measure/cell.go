package measure

import (
	"math"

	"github.com/waygate/waygate/clearance/artefact"
)

const (
	reachOver  = 1    // cells around one whose returns count for it
	layer      = 0.10 // in which returns support each other
	decides    = 0.15 // above the lowest, the returns that decide
	closeTo    = 0.08 // in height, of returns that support a single one from farther away
	farSupport = 5    // cells
	// seenFromBelow in metres is how high an underside is at least that scanners on vehicles, which
	// are up to 2.6 m high, see from below. What hangs under a lower one shows its sides alone.
	seenFromBelow = 3.0
)

// lnVoid is the logarithm of the probability with which an empty circle is larger.
var lnVoid = math.Log(1e6)

// neighbourhood has the returns above a cell and those around it.
type neighbourhood struct {
	near []return3
	low  [9]float64 // by cell, the lowest
}

// cell works out what is known about a cell.
func (w *judge) cell(i int, near *neighbourhood) artefact.Cell {
	c := artefact.NewCell()
	c.Lane = int(min(255, w.Lane[i]))
	size := w.o.Cell
	pl := &w.planes[i]
	if w.surveyed(i) {
		c.Flags |= artefact.Surveyed
		c.Surface = w.Base + pl.at(float64(i%w.W)+0.5, float64(i/w.W)+0.5)
		c.SlopeX, c.SlopeY = pl.a/size, pl.b/size
		c.SurfaceReturns = int(w.ground[i].n)
		if w.dense[w.patchOf(i)] {
			c.Flags |= artefact.Dense
		}
	}
	if w.blocked[i] {
		c.Flags |= artefact.Obstructed
		if o := w.obstacle[i]; o.n > 0 {
			c.ObstacleFrom, c.ObstacleTo = float64(o.low), float64(o.high)
		}
	}
	w.gather(i, near)
	if at := w.deciding(near); at >= 0 {
		w.overheadOf(&c, near, at, i)
	}
	w.between(&c, i)
	return c
}

// gather collects the returns overhead of a cell and those around it, from the lowest.
func (w *judge) gather(i int, near *neighbourhood) {
	near.near = near.near[:0]
	for k := range near.low {
		near.low[k] = math.NaN()
	}
	var lists [9][]return3 // each from its lowest
	n := 0
	w.around(i, reachOver, func(c, dx, dy int) {
		if list := w.overhead(c); len(list) > 0 {
			near.low[(dy+1)*3+dx+1] = float64(list[0].h)
			lists[n] = list
			n++
		}
	})
	for n > 0 {
		lowest := 0
		for k := 1; k < n; k++ {
			if lists[k][0].h < lists[lowest][0].h {
				lowest = k
			}
		}
		near.near = append(near.near, lists[lowest][0])
		if lists[lowest] = lists[lowest][1:]; len(lists[lowest]) == 0 {
			n--
			lists[lowest] = lists[n]
		}
	}
}

// deciding returns the place of the lowest return that others support, or -1.
func (w *judge) deciding(near *neighbourhood) int {
	list := near.near
	for i := range list {
		if i+support <= len(list) && list[i+support-1].h-list[i].h <= layer {
			return i
		}
		if w.supported(&list[i]) {
			return i
		}
	}
	return -1
}

// supported reports whether a return is in a line with others of its height.
func (w *judge) supported(r *return3) bool {
	if k := w.things[r.thing].kind; k == artefact.Wire || k == artefact.Unexplained || k == artefact.Foliage {
		return true
	}
	n := 0
	w.around(int(r.cell), farSupport, func(c, _, _ int) {
		for _, o := range w.overhead(c) {
			if o.h > r.h+closeTo {
				break
			}
			if o.h >= r.h-closeTo {
				n++
			}
		}
	})
	return n >= support
}

// overheadOf fills in what decides the headroom of a cell.
func (w *judge) overheadOf(c *artefact.Cell, near *neighbourhood, at, i int) {
	first := &near.near[at]
	low := float64(first.h)
	var n, below, layerCount, doubted int
	var sum, squares float64
	things := [6]int{}
	for _, r := range near.near[at:] {
		h := float64(r.h)
		if h <= low+decides {
			n++
			sum += h - low
			squares += (h - low) * (h - low)
			if r.bits&Below != 0 {
				below++
			}
			if r.bits&Doubted != 0 {
				doubted++
			}
			things[w.things[r.thing].kind]++
		}
		if h <= low+0.5 {
			layerCount++
		}
	}
	mean := sum / float64(n)
	c.Headroom, c.OverheadReturns = low, n
	c.Spread = math.Sqrt(max(0, squares/float64(n)-mean*mean))
	c.Source = int(first.source)
	c.Kind = w.things[first.thing].kind
	if below < min(support, n) && c.Kind != artefact.Unexplained {
		c.Kind = artefact.Deck
	}
	if 2*doubted >= n {
		c.Kind = artefact.Unexplained
	}
	c.Sigma = w.sigma(i)
	c.Gap = w.gap(c.Kind, near, low, layerCount)
	if math.IsInf(c.Gap, 1) && c.Kind == artefact.Structure {
		c.Gap = w.edgeGap(i, near, low)
	}
	if low < seenFromBelow {
		c.Gap = math.Inf(1)
	}
}

// edgeGap bounds how much lower than the lowest return above a cell things may be of which the
// cell's neighbourhood reaches the edge alone, so that it has few of their returns. Each return
// is above a cell whose own neighbourhood covers the cell as well: where all of these have
// returns enough, the lowest that their bounds leave is the bound. It is infinite otherwise.
func (w *judge) edgeGap(i int, near *neighbourhood, low float64) float64 {
	least := low
	var beside neighbourhood
	w.around(i, reachOver, func(c, dx, dy int) {
		if math.IsNaN(near.low[(dy+1)*3+dx+1]) {
			return
		}
		w.gather(c, &beside)
		at := w.deciding(&beside)
		if at < 0 || w.things[beside.near[at].thing].kind != artefact.Structure {
			least = math.Inf(-1)
			return
		}
		there, n := float64(beside.near[at].h), 0
		for _, r := range beside.near[at:] {
			if float64(r.h) <= there+0.5 {
				n++
			}
		}
		least = min(least, there-w.gap(artefact.Structure, &beside, there, n))
	})
	return low - least
}

// sigma returns the standard uncertainty of a headroom above a cell.
func (w *judge) sigma(i int) float64 {
	noise, rms, passes := max(w.o.Noise, w.noise(i)), w.planes[i].rms, w.o.Registration
	sigma := math.Sqrt(noise*noise+rms*rms+passes*passes) + Margin
	if e := w.epochAt(i); e != nil {
		sigma += e.apart / 2
	}
	return sigma
}

// noise returns the standard deviation of the road's returns around a cell from their means.
func (w *judge) noise(i int) float64 {
	squares, n := 0.0, 0
	w.around(i, 2, func(c, _, _ int) {
		if g := &w.ground[c]; g.n > 1 {
			squares += g.squares
			n += int(g.n) - 1
		}
	})
	if n == 0 {
		return 0
	}
	return math.Sqrt(squares / float64(n))
}

// gap bounds how much lower than the lowest return the thing may be.
func (w *judge) gap(kind artefact.Kind, near *neighbourhood, low float64, n int) float64 {
	edge := w.o.Cell * (2*reachOver + 1)
	if kind == artefact.Wire {
		return WireSlope * min(linkThin, support*edge/float64(n))
	}
	density := float64(n) / (edge * edge)
	r := math.Sqrt(lnVoid / (math.Pi * density))
	if r > w.o.Cell {
		return math.Inf(1)
	}
	slope := MinSlope
	for _, v := range near.low {
		if v <= low+0.5 {
			slope = max(slope, (v-low)/(2*w.o.Cell))
		}
	}
	return r * slope
}
