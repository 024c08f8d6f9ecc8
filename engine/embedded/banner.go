package embedded

import (
	"math"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
)

// laneSeconds is how long before a manoeuvre its lanes and what follows it are
// shown.
const laneSeconds, laneMetres = 30.0, 400.0

// banners writes what is shown in a step: the next manoeuvre from its begin,
// and nearer to it the lanes or what follows at once.
func (w *compatibleWriter) banners(d *guided, i int) {
	w.put(`,"bannerInstructions":[`)
	defer w.put(`]`)
	if i+1 >= len(d.list) {
		return
	}
	m, next := &d.list[i], &d.list[i+1]
	sub := len(next.Lanes) > 0 || w.texts[i+1].Multi && i+2 < len(d.list)
	near := m.Metres
	if sub {
		near = math.Min(near, laneMetres)
		if m.Seconds > 0 {
			near = math.Min(m.Metres, math.Max(near, laneSeconds*m.Metres/m.Seconds))
		}
	}
	if sub && near < 0.9*m.Metres {
		w.banner(d, i, m.Metres, false)
		w.put(`,`)
		w.banner(d, i, near, true)
		return
	}
	w.banner(d, i, m.Metres, sub)
}

func (w *compatibleWriter) banner(d *guided, i int, metres float64, sub bool) {
	w.number(`{"distanceAlongGeometry":`, metres, 1)
	next := &d.list[i+1]
	w.put(`,"primary":`)
	second := w.primary(d.list, i+1)
	if len(second) > 0 {
		w.put(`,"secondary":`)
		w.content(second)
		w.maneuver(d.list, i+1)
		w.put(`}`)
	}
	switch {
	case !sub:
	case len(next.Lanes) > 0:
		w.put(`,"sub":{"text":"","components":[`)
		for k := range next.Lanes {
			w.comma(k)
			w.lane(&next.Lanes[k], next.DriveOnLeft)
		}
		w.put(`]}`)
	default:
		w.put(`,"sub":`)
		w.primary(d.list, i+2)
	}
	w.put(`}`)
}

// component is a piece of a banner: a text, a road number (shown as an icon
// where a client has one), a delimiter, or an exit and its number.
type component struct{ kind, text string }

// primary writes a manoeuvre's own banner and gives what goes below it.
func (w *compatibleWriter) primary(list []guidance.Manoeuvre, i int) (second []component) {
	m := &list[i]
	var first []component
	if len(m.Sign.Number) > 0 {
		first = append(first, component{"exit", narrated(w.r).Exit()}, component{"exit-number", strings.Join(m.Sign.Number, "; ")})
	}
	switch toward := texts("text", m.Sign.Toward); {
	case m.Type.Arrival(), m.Type >= guidance.Elevator: // the words say more than a name
	case len(m.Sign.Branch) > 0:
		first, second = appendParts(first, texts("icon", m.Sign.Branch)), appendParts(nil, toward)
	case len(toward) > 0:
		first = appendParts(first, toward)
	default:
		first = appendParts(first, roads(roadOf(list, i), m))
	}
	if len(first) == 0 {
		first = append(first, component{"text", w.texts[i].Instruction})
	}
	w.content(first)
	w.maneuver(list, i)
	w.put(`}`)
	return second
}

func texts(kind string, all []string) []component {
	out := make([]component, len(all))
	for i, t := range all {
		out[i] = component{kind, t}
	}
	return out
}

// roads are the names of the road behind a manoeuvre, where it begins.
func roads(names []guidance.Name, m *guidance.Manoeuvre) []component {
	if len(m.BeginNames) > 0 && m.Type != guidance.RoundaboutEnter {
		names = m.BeginNames
	}
	out := make([]component, len(names))
	for i, n := range names {
		out[i] = component{"text", n.Text}
		if n.Ref {
			out[i].kind = "icon"
		}
	}
	return out
}

// appendParts adds parts with delimiters between them.
func appendParts(dst, parts []component) []component {
	for i, p := range parts {
		if i > 0 {
			dst = append(dst, component{"delimiter", "/"})
		}
		dst = append(dst, p)
	}
	return dst
}

// content opens the object of a banner's line and writes its text, whole and in
// components.
func (w *compatibleWriter) content(parts []component) {
	w.put(`{"text":"`)
	for i, p := range parts {
		if i > 0 {
			w.put(` `)
		}
		w.dst = appendEscaped(w.dst, p.text)
	}
	w.put(`","components":[`)
	for i, p := range parts {
		w.comma(i)
		w.text(`{"text":`, p.text)
		w.text(`,"type":`, p.kind)
		w.put(`}`)
	}
	w.put(`]`)
}

// maneuver writes the members of a banner's line that choose its arrow.
func (w *compatibleWriter) maneuver(list []guidance.Manoeuvre, i int) {
	x := maneuverOf(list, i)
	w.text(`,"type":`, x.kind)
	w.optional(`,"modifier":`, x.modifier)
	if m := &list[i]; m.Type == guidance.RoundaboutEnter || m.Type == guidance.RoundaboutExit {
		w.whole(`,"degrees":`, roundaboutDegrees(list, i))
		w.text(`,"driving_side":`, drivingSide(m))
	}
}

// roundaboutDegrees is how far round a roundabout is travelled, straight through
// being 180.
func roundaboutDegrees(list []guidance.Manoeuvre, i int) int {
	in, out := &list[i], &list[i]
	if in.Type == guidance.RoundaboutExit {
		in = &list[max(0, i-1)]
	} else if exit := guidance.Leaving(list, i); exit != nil {
		out = exit
	}
	turn := geo.Turn(float64(in.Before), float64(out.After)) // clockwise
	if list[i].DriveOnLeft {
		turn = -turn
	}
	d := (int(math.Round(180-turn)) + 720) % 360
	if d == 0 {
		return 360
	}
	return d
}

// lane writes one lane of a banner.
func (w *compatibleWriter) lane(l *guidance.Lane, onLeft bool) {
	w.put(`{"text":"","type":"lane","directions":[`)
	w.indications(l.Indications, onLeft)
	w.put(`],"active":`)
	w.flag(l.Active)
	if l.Take != 0 {
		w.text(`,"active_direction":`, indication(l.Take))
	}
	w.put(`}`)
}
