package evplan

import (
	"math"

	"github.com/waygate/waygate/ev"
)

// take lists the places of the problem: the locations, and between them the chosen
// stations.
func (j *journey) take() {
	j.places = append(j.places[:0], planPlace{location: 0, row: -1, at: j.Locations[0].Point, height: j.direct.height(0)})
	for i := range j.sections {
		s := &j.sections[i]
		for row, k := range s.chosen {
			c := &s.candidates[k]
			j.places = append(j.places, planPlace{candidate: c, location: -1, section: i, row: row, at: c.At, height: c.height})
		}
		next := planPlace{location: s.to, section: i, row: -1, at: j.Locations[s.to].Point, height: s.direct.height(len(s.direct.line) - 1)}
		if s.to < len(j.Locations)-1 {
			next.candidate = &j.calls[s.to-1]
		}
		j.places = append(j.places, next)
	}
	j.legs = nil
	for i := range j.sections {
		s := &j.sections[i]
		at, next := 0, 0
		for k := range j.places {
			switch j.places[k].location {
			case s.from:
				at = k
			case s.to:
				next = k
			}
		}
		j.measured[j.way(at, next)] = s.direct
	}
}

// calls reports whether the place is a location between the ends.
func (p *planPlace) calls() bool { return p.candidate != nil && p.call }

// ways fills the legs between all places: those that were measured, and guesses.
func (j *journey) ways() {
	n := len(j.places)
	j.legs = make([]ev.Leg, n*n)
	for i := range n {
		for k := range n {
			p, q := &j.places[i], &j.places[k]
			leaves := p.section
			if p.calls() {
				leaves++
			}
			j.legs[i*n+k].Seconds = math.Inf(1)
			if leaves == q.section && i != k && k > 0 && i < n-1 {
				j.legs[i*n+k] = j.guessed(p, q)
			}
		}
	}
	at := map[end]int{}
	for i := range j.places {
		at[j.places[i].end()] = i
	}
	for way, d := range j.measured {
		from, ok1 := at[way[0]]
		to, ok2 := at[way[1]]
		if ok1 && ok2 && d != nil {
			j.legs[from*n+to] = d.Leg
		}
	}
}

// guessed returns the leg that the search assumes for a way that was not measured.
func (j *journey) guessed(p, q *planPlace) ev.Leg {
	c := j.sections[q.section].cell(p.row, q.row)
	if j.certain || !c.Reached {
		return ev.Leg{Seconds: math.Inf(1)}
	}
	dearer, climb := j.dearer, q.height-p.height
	if j.optimistic {
		dearer = 1
	}
	if math.IsNaN(climb) {
		climb = 0
	}
	return guess(j.Request, c.Metres, max(c.Seconds, 1), climb, dearer)
}

// problem returns the journey as the problem of a search.
func (j *journey) problem() *ev.Problem {
	full := j.Battery.Capacity
	if j.legs == nil {
		j.ways()
	}
	n := len(j.places)
	p := &ev.Problem{
		Battery: j.Battery, Start: j.Start * full, MinStop: j.MinStop * full, MinEnd: j.MinEnd * full, MaxCharge: j.MaxCharge * full,
		MinCharge: j.MinCharge.Seconds(), Floor: j.floor, Leg: func(from, to int) ev.Leg { return j.legs[from*n+to] },
	}
	for i := 1; i < len(j.places)-1; i++ {
		x := j.station(j.places[i].candidate)
		x.Section = j.places[i].section
		p.Stations = append(p.Stations, x)
	}
	return p
}

// station returns a candidate as a station of the problem.
func (j *journey) station(c *candidate) ev.Station {
	if c.call {
		return ev.Station{Watts: c.watts, Call: true, Dwell: c.dwell.Seconds(), Least: c.least * j.Battery.Capacity}
	}
	return ev.Station{Watts: c.watts, Overhead: j.Overhead.Seconds(), Wait: c.wait.Seconds()}
}
