package narrate

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/guidance"
)

// style is the length of a sentence.
type style uint8

const (
	written  style = iota // every name
	spoken                // two names
	succinct              // none
)

// writer words one manoeuvre of a list after the other.
type writer struct {
	l     *Language
	list  []guidance.Manoeuvre
	at    int
	style style
	miles bool
	b     []byte

	// The values of the slots of the phrase at hand.
	named  []guidance.Name
	words  []string
	metres float64
	n      int
	place  string
}

// sentence words the manoeuvre at hand, with its full stop.
func (w *writer) sentence(s style) stretch {
	w.style = s
	from := len(w.b)
	m := &w.list[w.at]
	if m.EndOfRoad && m.Type.Turn() && s != succinct {
		w.say(w.l.w.EndOfRoad)
		core := len(w.b)
		w.core(m)
		w.small(core)
	} else {
		w.core(m)
	}
	w.finish(m)
	return stretch{from, len(w.b)}
}

// finish ends the sentence of the current manoeuvre, and adds when the bicycle
// is to be pushed from there.
func (w *writer) finish(m *guidance.Manoeuvre) {
	w.b = append(w.b, '.')
	if m.Travel == guidance.Pushing && (w.at == 0 || w.list[w.at-1].Travel != guidance.Pushing) && !m.Type.Arrival() {
		w.b = append(w.b, ' ')
		w.say(w.l.w.Push)
		w.b = append(w.b, '.')
	}
}

func (w *writer) core(m *guidance.Manoeuvre) {
	v := &w.l.w
	switch m.Type {
	case guidance.Becomes:
		if len(w.namesOf(m)) == 0 {
			w.say(v.CarryOn)
			return
		}
		w.named, w.words = w.namesOf(m), nil
		w.say(v.Becomes)
	case guidance.Continue:
		if len(w.namesOf(m)) == 0 && (m.Way == guidance.Street || w.style == succinct) {
			w.say(v.GoOnAhead)
			return
		}
		w.say(v.Continue)
	case guidance.ExitRight, guidance.ExitLeft:
		w.say(v.exit(m))
	case guidance.RoundaboutEnter:
		if m.Exits == 0 {
			w.say(v.EnterRoundabout)
			return
		}
		w.n = m.Exits
		if named := w.namesOf(m); len(named) > 0 && !named[0].Ref {
			w.named, w.words = named[:1], nil
			w.say(v.RoundaboutNamed)
			return
		}
		w.say(v.Roundabout)
	case guidance.FerryEnter:
		w.ferry(m)
	case guidance.Elevator, guidance.Steps, guidance.Escalator, guidance.LevelChange:
		w.say(v.plain(m.Type))
		w.level(m)
	case guidance.EnterBuilding, guidance.LeaveBuilding:
		w.say(v.plain(m.Type))
		if len(w.namesOf(m)) > 0 {
			w.say(v.AndOn)
		}
	default:
		w.say(v.plain(m.Type))
	}
}

// plain returns the phrases that need no choosing.
func (v *wording) plain(t guidance.Type) phrase {
	switch t {
	case guidance.Start, guidance.StartRight, guidance.StartLeft:
		return v.Start
	case guidance.Destination:
		return v.Arrived
	case guidance.DestinationRight:
		return v.ArrivedRight
	case guidance.DestinationLeft:
		return v.ArrivedLeft
	case guidance.SlightRight:
		return v.SlightRight
	case guidance.Right:
		return v.Right
	case guidance.SharpRight:
		return v.SharpRight
	case guidance.SharpLeft:
		return v.SharpLeft
	case guidance.Left:
		return v.Left
	case guidance.SlightLeft:
		return v.SlightLeft
	case guidance.UturnRight, guidance.UturnLeft:
		return v.Uturn
	case guidance.RampStraight:
		return v.RampStraight
	case guidance.RampRight:
		return v.RampRight
	case guidance.RampLeft:
		return v.RampLeft
	case guidance.StayStraight:
		return v.KeepStraight
	case guidance.StayRight:
		return v.KeepRight
	case guidance.StayLeft:
		return v.KeepLeft
	case guidance.Merge:
		return v.Merge
	case guidance.MergeRight:
		return v.MergeRight
	case guidance.MergeLeft:
		return v.MergeLeft
	case guidance.RoundaboutExit:
		return v.LeaveRoundabout
	case guidance.FerryExit:
		return v.LeaveFerry
	case guidance.Elevator:
		return v.Lift
	case guidance.Steps:
		return v.Steps
	case guidance.Escalator:
		return v.Escalator
	case guidance.EnterBuilding:
		return v.EnterBuilding
	case guidance.LeaveBuilding:
		return v.LeaveBuilding
	}
	return v.CarryOn
}

// level writes which floor a manoeuvre leads to, where that is known.
func (w *writer) level(m *guidance.Manoeuvre) {
	if w.place = m.Level.Text; w.place == "" {
		return
	}
	if m.Level.Named {
		w.say(w.l.w.ToPlace)
	} else {
		w.say(w.l.w.ToLevel)
	}
}

// exit names the exit of a motorway; with its number, the side only where it
// is not the usual one.
func (v *wording) exit(m *guidance.Manoeuvre) phrase {
	left := m.Type == guidance.ExitLeft
	switch {
	case len(m.Sign.Number) == 0 && left:
		return v.ExitLeft
	case len(m.Sign.Number) == 0:
		return v.ExitRight
	case left == m.DriveOnLeft:
		return v.ExitNumber
	case left:
		return v.ExitNumberLeft
	}
	return v.ExitNumberRight
}

func (w *writer) ferry(m *guidance.Manoeuvre) {
	v := &w.l.w
	w.named, w.words = w.namesOf(m), nil
	if len(w.named) == 0 {
		w.say(v.Ferry)
		return
	}
	name := strings.ToLower(w.named[0].Text)
	for _, word := range v.FerryWords {
		if strings.Contains(name, word) {
			w.say(v.FerryItself)
			return
		}
	}
	w.say(v.FerryNamed)
}

// say writes a phrase.
func (w *writer) say(p phrase) {
	for i := range p {
		w.b = append(w.b, p[i].text...)
		if p[i].slot != noSlot {
			w.fill(p[i].slot)
		}
	}
}

func (w *writer) fill(s slot) {
	v := &w.l.w
	switch s {
	case names:
		w.slashed()
		return
	case exitNumber:
		w.named, w.words = nil, w.list[w.at].Sign.Number
		w.words = w.words[:min(2, len(w.words))]
		w.slashed()
		return
	case nth:
		w.b = strconv.AppendInt(w.b, int64(w.n), 10)
		return
	case exitNth:
		if w.n <= len(v.Exits) {
			w.b = append(w.b, v.Exits[w.n-1]...)
		} else {
			w.say(v.ExitN)
		}
		return
	case lengthOf:
		w.b = v.appendLength(w.b, &v.For, w.metres, w.miles)
		return
	case away:
		w.b = v.appendLength(w.b, &v.In, w.metres, w.miles)
		return
	case landmarkName:
		w.b = append(w.b, w.place...)
		return
	}
	m := &w.list[w.at]
	switch s {
	case goSlot:
		w.b = append(w.b, v.Go[moving(m.Travel)]...)
	case compass:
		w.b = append(w.b, v.Compass[(2*m.After+45)/90%8]...)
	case out:
		if exit := guidance.Leaving(w.list, w.at); exit != nil {
			w.road(exit, toRoad)
			w.toward(exit)
		}
	case toward:
		w.toward(m)
	case signed:
		w.signed(m)
	case fork:
		if len(m.Sign.Number) > 0 {
			w.say(v.AtExit)
		}
		if !m.ToStayOn && (len(m.Sign.Branch) > 0 || len(m.Names) == 0) {
			w.signed(m)
			return
		}
		if m.ToStayOn {
			w.road(m, stayOn)
		} else {
			w.road(m, toRoad)
		}
		w.toward(m)
	default:
		w.road(m, s)
	}
}

func moving(t guidance.Travel) int {
	switch t {
	case guidance.Cycling:
		return 1
	case guidance.Pushing, guidance.Walking:
		return 2
	}
	return 0
}

func (w *writer) carryOn(m *guidance.Manoeuvre) stretch {
	from := len(w.b)
	w.metres = m.Metres
	if m.Ferry {
		w.say(w.l.w.Aboard)
	} else {
		w.say(w.l.w.Carry)
	}
	w.b = append(w.b, '.')
	return stretch{from, len(w.b)}
}

func (w *writer) text(s string) stretch {
	from := len(w.b)
	w.b = append(w.b, s...)
	return stretch{from, len(w.b)}
}

// then announces the next manoeuvre after this one's words. That the road ends
// there goes without saying, being that near.
func (w *writer) then(words stretch) stretch {
	if words.from == words.to {
		return words
	}
	v := &w.l.w
	from := len(w.b)
	w.b = append(w.b, w.b[words.from:words.to]...)
	w.b = append(w.b, ' ')
	lead := v.Then
	if w.metres = w.list[w.at].Metres; w.metres >= 50 {
		lead = v.ThenAhead
	}
	if m := &w.list[w.at+1]; m.Type.Arrival() {
		w.reach(lead, int(m.Type-guidance.Destination))
	} else {
		w.say(lead)
		core := len(w.b)
		w.at++
		w.style = spoken
		w.core(m)
		w.small(core)
		w.finish(m)
		w.at--
	}
	return stretch{from, len(w.b)}
}

// lead writes a whole sentence after a lead.
func (w *writer) lead(lead phrase, sentence string) {
	for i, s := range w.l.arriving {
		if sentence == s {
			w.reach(lead, i)
			return
		}
	}
	w.say(lead)
	core := len(w.b)
	w.b = append(w.b, sentence...)
	w.small(core)
}

// reach writes that the destination is ahead.
func (w *writer) reach(lead phrase, which int) {
	w.say(lead)
	if w.l.w.Inverted {
		w.b = append(bytes.TrimRight(w.b, " ,:"), ' ')
	}
	w.b = append(w.b, w.l.reach[which]...)
}

// small makes the letter at an index of the text small.
func (w *writer) small(at int) {
	if at >= len(w.b) {
		return
	}
	if c := w.b[at]; c < utf8.RuneSelf {
		if 'A' <= c && c <= 'Z' {
			w.b[at] += 'a' - 'A'
		}
		return
	}
	r, n := utf8.DecodeRune(w.b[at:])
	if r == utf8.RuneError {
		return
	}
	var lower [utf8.UTFMax]byte
	if k := utf8.EncodeRune(lower[:], unicode.ToLower(r)); k == n {
		copy(w.b[at:], lower[:k])
	}
}
