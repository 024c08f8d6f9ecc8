package osrm

import (
	"github.com/waygate/waygate/guidance"
)

// lanes writes the lanes before a manoeuvre, from left to right.
func (w *legWriter) lanes(m *guidance.Manoeuvre) {
	if len(m.Lanes) == 0 {
		return
	}
	w.Open('[', "lanes")
	for i := range m.Lanes {
		l := &m.Lanes[i]
		w.Open('{')
		w.indications("indications", l.Indications, m.DriveOnLeft)
		w.Bool("valid", l.Valid)
		w.Bool("active", l.Active)
		if l.Take != 0 {
			w.String("valid_indication", indication(l.Take))
		}
		w.Close('}')
	}
	w.Close(']')
}

// indications writes a lane's arrows from left to right; "none" for a lane
// without. To turn round is on the left, or where traffic keeps left, on the
// right.
func (w *legWriter) indications(member string, d guidance.Directions, onLeft bool) {
	w.Open('[', member)
	back := d&guidance.Reverse != 0
	if back && !onLeft {
		w.StringElement("uturn")
	}
	some := back
	for _, x := range arrowWords {
		if d&x.direction&^guidance.Reverse != 0 {
			w.StringElement(x.word)
			some = true
		}
	}
	if back && onLeft {
		w.StringElement("uturn")
	}
	if !some {
		w.StringElement("none")
	}
	w.Close(']')
}

func indication(d guidance.Directions) string {
	for _, x := range arrowWords {
		if d&x.direction != 0 {
			return x.word
		}
	}
	return "none"
}

// arrowWords are OSRM's words for arrows, from left to right. Lanes that merge
// have no word of their own there.
var arrowWords = [...]struct {
	direction guidance.Directions
	word      string
}{
	{guidance.Reverse, "uturn"},
	{guidance.LaneSharpLeft, "sharp left"},
	{guidance.LaneLeft, "left"},
	{guidance.LaneSlightLeft | guidance.MergeToLeft, "slight left"},
	{guidance.Through, "straight"},
	{guidance.LaneSlightRight | guidance.MergeToRight, "slight right"},
	{guidance.LaneRight, "right"},
	{guidance.LaneSharpRight, "sharp right"},
}
