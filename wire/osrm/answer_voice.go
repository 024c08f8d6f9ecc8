package osrm

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/json"
)

// prompt is something to say in a step, so many metres before the manoeuvre
// that the step leads to.
type prompt struct {
	text   string
	metres float64
}

const (
	lettersPerSecond = 14.0 // of clear speech
	breath           = 1.0  // seconds between two prompts
	lead             = 2.0  // seconds to act in once all is said
	early, far       = 35.0, 100.0
	fast             = 20.0 // metres a second from which a turn is announced twice ahead
	carryOnSeconds   = 25.0 // a shorter stretch needs no word of its own
	soonShare        = 0.6  // of a step is left when what is said next comes soon
	leastMetres      = 12.0 // before a manoeuvre, for the slowest
)

// speaking returns how many seconds a text takes to say.
func speaking(text string) float64 {
	return breath + float64(utf8.RuneCountInString(text))/lettersPerSecond
}

// ahead are the distances that are said well, nearest first.
var (
	aheadMetric   = []float64{100, 150, 200, 300, 400, 500, 600, 800, 1000, 1500, 2000, 3000, 4000, 5000}
	aheadImperial = []float64{91.44, 137.16, 182.88, 274.32, 402.336, 804.672, 1207.008, 1609.344, 2414.016, 3218.688, 4828.032, 8046.72}
)

// voice writes what is said in a step, along the intersections that it passes.
func (w *legWriter) voice(i int, passed []engine.Intersection) {
	w.Open('[', "voiceInstructions")
	if i+1 < len(w.leg.Manoeuvres) {
		w.speak(i, passed)
	}
	for k := range w.prompts {
		p := &w.prompts[k]
		w.Open('{')
		w.Number("distanceAlongGeometry", p.metres, 1)
		w.String("announcement", p.text)
		w.Key("ssmlAnnouncement")
		w.Append(func(dst []byte) []byte {
			return append(appendMarkup(append(dst, `"<speak>`...), p.text), `</speak>"`...)
		})
		w.Close('}')
	}
	w.Close(']')
	w.prompts = w.prompts[:0]
}

// speak collects what is said in a step, the distances falling. Each prompt is
// over before the next begins, and the last before the manoeuvre, at the speed
// of the step, unless the step itself is too short for it.
func (w *legWriter) speak(i int, passed []engine.Intersection) {
	m, next, said := &w.leg.Manoeuvres[i], &w.leg.Manoeuvres[i+1], &w.texts[i+1]
	length := m.Metres
	pace := 1.0 // metres a second
	if m.Seconds > 0 {
		pace = math.Max(0.5, length/m.Seconds)
	}
	// The last prompt stands as near as it may; what goes before it is fitted in
	// front.
	last := final(passed, said.Pre, next.Type.Arrival(), pace)
	if last.metres >= length && said.Succinct != "" {
		last = final(passed, said.Succinct, false, pace)
	}
	last.metres = math.Min(last.metres, length)
	first := prompt{metres: length}
	switch {
	case i == 0:
		first.text = w.texts[0].Pre
	case w.texts[i].Post != "" && m.Seconds >= carryOnSeconds:
		first.text = w.texts[i].Post
		first.metres = length - math.Min(10, length/10)
	}
	if first.text != "" && first.metres-pace*speaking(first.text) < last.metres {
		switch {
		case i > 0:
			first.text = "" // there is no time for it
		case w.texts[0].Multi:
			last.text = "" // it is said already
		default:
			// Both in few words, as late as may be; else only the manoeuvre.
			if said.Succinct != "" {
				last.text = said.Succinct
			}
			rest := length - pace*speaking(first.text)
			if rest < pace*(speaking(last.text)-breath) {
				first.text, rest = "", length
			}
			last.metres = rest
		}
	}
	room, begin := length, len(w.prompts)
	if first.text != "" {
		w.prompts = append(w.prompts, first)
		room = first.metres - pace*speaking(first.text)
	}
	if last.text == "" {
		return
	}
	if said.Alert != "" {
		if pace >= fast {
			room = w.announce(said.Alert, pace, pace*far, room, last.metres)
		}
		w.announce(said.Alert, pace, pace*early, room, last.metres)
	}
	w.prompts = append(w.prompts, last)
	// "Carry on" is left out where another instruction follows at once.
	if rest := w.prompts[begin:]; i > 0 && first.text != "" && rest[1].metres > length*soonShare {
		w.prompts = slices.Delete(w.prompts, begin, begin+1)
	}
}

// final places the prompt that is said just before a manoeuvre: so early that
// it is over with time to act, at the speed of the step and at that of its end,
// whichever is higher.
func final(passed []engine.Intersection, text string, arrival bool, pace float64) prompt {
	seconds := speaking(text)
	if !arrival {
		seconds += lead
	}
	at := math.Max(pace*seconds, leastMetres)
	// How far the end of the step goes in that time.
	left, metres := seconds, 0.0
	for k := len(passed) - 1; k >= 0 && left > 0; k-- {
		x := &passed[k]
		travelled := x.Seconds - x.Turn
		if travelled > left {
			metres += x.Metres * left / travelled
			break
		}
		metres += x.Metres
		left -= x.Seconds
	}
	return prompt{text, math.Max(at, metres)}
}

// announce adds a prompt that says how far the manoeuvre is, at the distance
// nearest to the one aimed at of those that are said well. It must be over
// before the last prompt, and begin within the room that is left; what room is
// left then is given back.
func (w *legWriter) announce(alert string, pace, aim, room, last float64) float64 {
	choices := aheadMetric
	if w.out.Miles {
		choices = aheadImperial
	}
	// The words for the distance add about as much as this.
	needs := pace * (speaking(alert) + breath + 2)
	best, off := 0.0, math.Inf(1)
	for _, metres := range choices {
		if metres <= room && metres >= last+needs && math.Abs(metres-aim) < off {
			best, off = metres, math.Abs(metres-aim)
		}
	}
	if best == 0 || best < aim/2 {
		return room
	}
	text := w.words.Ahead(alert, best, w.out.Miles)
	w.prompts = append(w.prompts, prompt{text, best})
	return best - pace*speaking(text)
}

// appendMarkup appends text to stand within XML within a JSON string.
func appendMarkup(dst []byte, s string) []byte {
	from := 0
	for i := range len(s) {
		entity := ""
		switch s[i] {
		case '&':
			entity = "&amp;"
		case '<':
			entity = "&lt;"
		case '>':
			entity = "&gt;"
		default:
			continue
		}
		dst = append(json.AppendEscaped(dst, s[from:i]), entity...)
		from = i + 1
	}
	return json.AppendEscaped(dst, s[from:])
}
