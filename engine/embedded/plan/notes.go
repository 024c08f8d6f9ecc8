package plan

import (
	"fmt"

	"github.com/waygate/waygate/engine"
)

// notes are the warnings of a request.
type notes struct {
	Warnings []engine.Warning
	moves    int // warnings that a location was moved
}

func (p *notes) warn(code int, format string, args ...any) {
	p.Warnings = append(p.Warnings, engine.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
}

// WarnPlace adds the warnings that only so many roads within a location's radius count, that a
// journey does not head there where the location does, or that it was moved past a nearer road.
func (p *notes) WarnPlace(name string, index int, r SnapWarnings, l *engine.Location) {
	add := func(code int, format string, args ...any) {
		w := engine.Warning{Code: code, Text: fmt.Sprintf("%s[%d]: ", name, index) + fmt.Sprintf(format, args...)}
		if n := len(p.Warnings); n == 0 || p.Warnings[n-1] != w {
			p.Warnings = append(p.Warnings, w)
		}
	}
	if r.cut > 0 {
		add(engine.WarnRoads, "only the nearest %d roads within its radius of %g m count", r.cut, l.Radius)
	}
	if r.headingIgnored {
		add(engine.WarnHeading, "no way leads on where it heads, at %g degrees: the journey is planned as though it turned round there", *l.Heading)
	}
	p.warnMoved(name, index, r.moved)
}

// warnMoved adds the warning that a location was moved past a nearer road.
func (p *notes) warnMoved(name string, index int, m moved) {
	if m.metres == 0 || p.moves > mostMoves {
		return
	}
	why := "is not open to this traveller, or not as the location asks"
	if m.island {
		why = "leads nowhere"
	}
	w := engine.Warning{Code: engine.WarnMoved, Text: fmt.Sprintf("%s[%d] was moved %s to a road: the nearest one, %s away, %s", name, index, InWords(m.metres), InWords(m.nearest), why)}
	if p.moves++; p.moves > mostMoves {
		w.Text = fmt.Sprintf("more than %d locations were moved past nearer roads; the others are not listed", mostMoves)
	}
	p.Warnings = append(p.Warnings, w)
}
