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
	quiet   bool          // nothing is above the carriageways about the stations that follow
	now     surveyVerdict // of the station that is looked at
}

// walk judges all stations of a line by surveys, the newest first.
func walk(ctx context.Context, l *line, all []*survey, v *vehicle, t *tally) error {
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
			if (k-begin)%calmStations == 0 {
				end := l.middle(min(k+calmStations, station) - 1)
				for _, s := range near {
					s.quiet = s.calm(s.along(p, arc), s.along(p, end), centimetres(max(s.file.Header.Ceiling, v.height+v.lift)))
				}
			}
			for _, s := range near {
				s.now = s.station(s.along(p, arc), s.pending, arc, s.quiet, t.wanted())
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

// calmStations is how many stations are looked at together for whether anything is above them.
const calmStations = 16

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
