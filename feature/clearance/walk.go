package clearance

import (
	"context"
	"math"

	"github.com/waygate/waygate/geo"
)

// survey is a walker with what is known of its dataset.
type survey struct {
	*walker
	dataset string
	stale   bool
	used    bool
	// What tiles have on the carriageways about the stations that follow, as of leastAbout.
	least, leaves uint16
	now           surveyVerdict // of the station that is looked at
}

// walk judges all stations of a line by surveys, the newest first.
func walk(ctx context.Context, l *line, all []*survey, t *tally) error {
	station, stations := 0, l.stations()
	var near []*survey
	for p := range l.pieces {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		begin := station
		for station < stations && (l.middle(station) < p.arc+p.length || p.arc+p.length >= l.length) {
			station++
		}
		near = near[:0]
		for _, s := range all {
			if s.enter(p) {
				near = append(near, s)
			}
		}
		if len(near) == 0 {
			t.nothing(begin, station)
			continue
		}
		for k := begin; k < station; k++ {
			arc := l.middle(k)
			if (k-begin)%togetherStations == 0 {
				next := min(k+togetherStations, station)
				end := l.middle(next - 1)
				free := true
				for _, s := range near {
					s.least, s.leaves = s.leastAbout(s.along(p, arc), s.along(p, end), s.reach+step)
					free = free && s.allFree(l, p, k, next)
				}
				if free {
					t.clear(k, next, near[0])
					k = next - 1
					continue
				}
			}
			for _, s := range near {
				s.now = s.station(s.along(p, arc), s.pending, arc, s.least, s.leaves, t.wanted())
				s.pending = s.pending[:0]
				s.used = s.used || s.now.covers()
			}
			t.add(k, resolve(near, heights), resolve(near, widths))
		}
		for _, s := range near {
			if s.err != nil {
				return s.err
			}
		}
	}
	t.end()
	return nil
}

// allFree reports whether the vehicle passes at stations of a piece, as nothing is overhead.
func (s *survey) allFree(l *line, p piece, from, to int) bool {
	ceiling := s.file.Header.Ceiling
	grows := s.grown > 0 && s.leaves < math.MaxUint16
	if s.stale || grows || len(s.pending) > 0 || s.least < centimetres(ceiling) || s.vehicle.height+s.vehicle.lift >= ceiling {
		return false
	}
	for k := from; k < to; k++ {
		if !s.free(s.along(p, l.middle(k)), s.vehicle.swept) {
			return false
		}
	}
	s.used = true
	return true
}

// togetherStations is how many stations are looked at together for what is above them.
const togetherStations = 16

// leastTurn is the least change of the line's course, in radians, at which what lies beside a
// position is looked at in between.
const leastTurn = 0.005

// enter begins a piece of the line. It reports whether the survey has anything near it.
func (w *walker) enter(p piece) bool {
	if !w.bounds.Contains(p.from) && !w.bounds.Contains(p.to) {
		return false
	}
	follows := math.Abs(w.lastArc-p.arc) < 1e-6 && p.arc > 0
	x0, y0, ok0 := w.ends.at(w, p.point, p.part, p.parts)
	x1, y1, ok1 := w.ends.at(w, p.point, p.part+1, p.parts)
	d := math.Hypot(x1-x0, y1-y0)
	if !ok0 || !ok1 || d == 0 {
		return false
	}
	before := w.last
	w.first = at{x0, y0, (x1 - x0) / d, (y1 - y0) / d}
	w.last = at{x1, y1, w.first.ux, w.first.uy}
	w.lastArc = p.arc + p.length
	if !w.near(x0, y0) && !w.near(x1, y1) {
		w.pending = w.pending[:0]
		return false
	}
	if follows && math.Abs(before.ux*w.first.uy-before.uy*w.first.ux) > leastTurn || follows && before.ux*w.first.ux+before.uy*w.first.uy < 0 {
		w.pending = append(w.pending, turn{before, w.first})
	}
	return true
}

// along returns a place of the piece that was entered.
func (w *walker) along(p piece, arc float64) at {
	t := max(0, min(1, (arc-p.arc)/p.length))
	return at{w.first.x + t*(w.last.x-w.first.x), w.first.y + t*(w.last.y-w.first.y), w.first.ux, w.first.uy}
}

// resolved is the finding of several surveys at a station.
type resolved struct {
	finding
	by *survey // nil where there is none
}

func heights(j *surveyVerdict) *finding { return &j.height }
func widths(j *surveyVerdict) *finding  { return &j.width }

// resolve decides between surveys, the newest first. The newest that is confirmed and shows
// enough decides. Another that may be as new, and one that is newer and not confirmed, counts
// where it is worse. Without a confirmed one nothing passes.
func resolve(all []*survey, axis func(*surveyVerdict) *finding) resolved {
	decides := -1
	for i, s := range all {
		if f := axis(&s.now); f.class != gap && (decides < 0 || all[decides].stale && !s.stale) {
			decides = i
			if !s.stale {
				break
			}
		}
	}
	if decides < 0 {
		out := resolved{finding: finding{class: gap, reason: NotSurveyed}}
		for _, s := range all {
			if f := axis(&s.now); f.reason == InsufficientData {
				out = resolved{*f, s}
			}
		}
		return out
	}
	by := all[decides]
	out := resolved{*axis(&by.now), by}
	if by.stale && out.class == clear {
		out.class, out.reason = doubt, Unconfirmed
	}
	for _, s := range all {
		f := axis(&s.now)
		if s == by || f.class == gap || s.stale && f.class == clear {
			continue
		}
		if asNew := !s.to.Before(by.from); asNew && f.worse(out.finding) {
			out = resolved{*f, s}
		}
	}
	return out
}

// surveyed is about how many metres of a line have a survey near them.
func surveyed(l *line, all []*survey) (metres float64) {
	box := geo.BoundsOf(l.points)
	var near []*survey
	for _, s := range all {
		if s.bounds.Intersects(box) {
			near = append(near, s)
		}
	}
	for p := range l.pieces {
		for _, s := range near {
			if s.bounds.Contains(p.from) || s.bounds.Contains(p.to) {
				if x, y, ok := s.project(p.from); ok && s.near(x, y) {
					metres += p.length
				}
			}
		}
	}
	return metres
}
