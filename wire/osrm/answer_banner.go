package osrm

import (
	"math"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/wire/json"
)

// laneSeconds is how long before a manoeuvre its lanes and what follows it are
// shown.
const laneSeconds, laneMetres = 30.0, 400.0

// banners writes what is shown in a step: the next manoeuvre from its begin,
// and nearer to it the lanes or what follows at once.
func (w *legWriter) banners(i int) {
	list := w.leg.Manoeuvres
	w.Open('[', "bannerInstructions")
	defer w.Close(']')
	if i+1 >= len(list) {
		return
	}
	m, next := &list[i], &list[i+1]
	sub := len(next.Lanes) > 0 || w.texts[i+1].Multi && i+2 < len(list)
	near := m.Metres
	if sub {
		near = math.Min(near, laneMetres)
		if m.Seconds > 0 {
			near = math.Min(m.Metres, math.Max(near, laneSeconds*m.Metres/m.Seconds))
		}
	}
	if sub && near < 0.9*m.Metres {
		w.banner(i, m.Metres, false)
		w.banner(i, near, true)
		return
	}
	w.banner(i, m.Metres, sub)
}

func (w *legWriter) banner(i int, metres float64, sub bool) {
	list := w.leg.Manoeuvres
	next := &list[i+1]
	w.Open('{')
	w.Number("distanceAlongGeometry", metres, 1)
	second := w.primary("primary", i+1)
	if len(second) > 0 {
		w.Open('{', "secondary")
		w.content(second)
		w.arrow(i + 1)
		w.Close('}')
	}
	switch {
	case !sub:
	case len(next.Lanes) > 0:
		w.Open('{', "sub")
		w.String("text", "")
		w.Open('[', "components")
		for k := range next.Lanes {
			w.lane(&next.Lanes[k], next.DriveOnLeft)
		}
		w.Close(']')
		w.Close('}')
	default:
		w.primary("sub", i+2)
	}
	w.Close('}')
}

// component is a piece of a banner: a text, a road number (shown as an icon
// where a client has one), a delimiter, or an exit and its number.
type component struct{ kind, text string }

// primary writes a manoeuvre's own banner and gives what goes below it.
func (w *legWriter) primary(member string, i int) (second []component) {
	list := w.leg.Manoeuvres
	m := &list[i]
	var first []component
	if len(m.Sign.Number) > 0 {
		first = append(first, component{"exit", w.words.Exit()}, component{"exit-number", strings.Join(m.Sign.Number, "; ")})
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
	w.Open('{', member)
	w.content(first)
	w.arrow(i)
	w.Close('}')
	return second
}

func texts(kind string, all []string) []component {
	out := make([]component, len(all))
	for i, t := range all {
		out[i] = component{kind, t}
	}
	return out
}

// roads returns the names of the road behind a manoeuvre, where it begins.
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

// content writes the text of a banner's line, whole and in components.
func (w *legWriter) content(parts []component) {
	w.Key("text")
	w.Append(func(dst []byte) []byte {
		dst = append(dst, '"')
		for i, p := range parts {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = json.AppendEscaped(dst, p.text)
		}
		return append(dst, '"')
	})
	w.Open('[', "components")
	for _, p := range parts {
		w.Open('{')
		w.String("text", p.text)
		w.String("type", p.kind)
		w.Close('}')
	}
	w.Close(']')
}

// arrow writes the members of a banner's line that choose its arrow.
func (w *legWriter) arrow(i int) {
	list := w.leg.Manoeuvres
	x := maneuverOf(list, i)
	w.String("type", x.kind)
	w.StringIf("modifier", x.modifier)
	if m := &list[i]; m.Type == guidance.RoundaboutEnter || m.Type == guidance.RoundaboutExit {
		w.Int("degrees", roundaboutDegrees(list, i))
		w.String("driving_side", drivingSide(m))
	}
}

// roundaboutDegrees returns how far round a roundabout is travelled, straight through
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
func (w *legWriter) lane(l *guidance.Lane, onLeft bool) {
	w.Open('{')
	w.String("text", "")
	w.String("type", "lane")
	w.indications("directions", l.Indications, onLeft)
	w.Bool("active", l.Active)
	if l.Take != 0 {
		w.String("active_direction", indication(l.Take))
	}
	w.Close('}')
}
