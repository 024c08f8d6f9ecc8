package narrate

import (
	"strings"

	"github.com/waygate/waygate/guidance"
)

// most returns the largest number of names in a sentence.
func (w *writer) most() int {
	if w.style == spoken {
		return 2
	}
	return 4
}

// namesOf returns the names of a manoeuvre's road where one comes onto it, none
// where the style wants none.
func (w *writer) namesOf(m *guidance.Manoeuvre) []guidance.Name {
	switch {
	case w.style == succinct:
		return nil
	case len(m.BeginNames) > 0:
		return m.BeginNames
	}
	return m.Names
}

// road joins the manoeuvre's road to the sentence; it writes nothing where the
// road has no name that the style wants, and no word of its own.
func (w *writer) road(m *guidance.Manoeuvre, s slot) {
	w.named, w.words = w.namesOf(m), nil
	if len(w.named) == 0 {
		w.unnamed(m, s)
		return
	}
	k := w.l.w.link(w.named[0].Text, w.named[0].Ref)
	switch s {
	case onRoad:
		w.say(k.On)
	case toRoad:
		w.say(k.To)
	case mergeOn:
		w.say(k.Merge)
	case backOn:
		w.say(stays(m, k.Stay, k.Merge))
	case road:
		w.say(stays(m, k.Stay, k.Onto))
	case intoRoad:
		w.say(stays(m, nil, k.Onto))
	case stayOn:
		w.say(stays(m, k.Stay, nil))
	default:
		w.say(k.Onto)
	}
}

// stays chooses by whether a manoeuvre keeps to its road.
func stays(m *guidance.Manoeuvre, yes, no phrase) phrase {
	if m.ToStayOn {
		return yes
	}
	return no
}

// unnamed joins a road without a name to the sentence.
func (w *writer) unnamed(m *guidance.Manoeuvre, s slot) {
	u := w.l.w.Unnamed.of(m.Way)
	switch {
	case s == mergeOn && (w.style == succinct || u.Onto == ""):
		w.b = append(w.b, w.l.w.Traffic...)
	case w.style == succinct || s == stayOn:
	case s == onRoad:
		w.b = append(w.b, u.On...)
	default:
		w.b = append(w.b, u.Onto...)
	}
}

func (u *ways) of(w guidance.Way) way {
	switch w {
	case guidance.Walkway:
		return u.Walkway
	case guidance.CycleTrack:
		return u.CycleTrack
	case guidance.MountainTrail:
		return u.MountainTrail
	case guidance.FieldTrack:
		return u.FieldTrack
	case guidance.CrossingWay:
		return u.Crossing
	case guidance.Stairs:
		return u.Stairs
	case guidance.FerryLine:
		return u.Ferry
	}
	return way{}
}

// signed returns what a ramp or an exit leads to: roads and places, else the
// name of the junction.
func (w *writer) signed(m *guidance.Manoeuvre) {
	if w.style == succinct {
		return
	}
	if b := m.Sign.Branch; len(b) > 0 {
		w.named, w.words = nil, b[:min(2, len(b))]
		w.say(w.l.w.link(b[0], strings.ContainsAny(b[0], "0123456789")).To)
	} else if len(m.Sign.Toward) == 0 && len(m.Sign.Name) > 0 {
		w.named, w.words = nil, m.Sign.Name
		if w.style == written {
			w.b = append(w.b, " ("...)
			w.slashed()
			w.b = append(w.b, ')')
		} else {
			w.b = append(w.b, ", "...)
			w.slashed()
		}
	}
	w.toward(m)
}

func (w *writer) toward(m *guidance.Manoeuvre) {
	if w.style == succinct || len(m.Sign.Toward) == 0 {
		return
	}
	w.named, w.words = nil, m.Sign.Toward
	w.say(w.l.w.Toward)
}

// slashed writes the names or words at hand: with strokes to read, with commas
// to speak.
func (w *writer) slashed() {
	between := " / "
	if w.style != written {
		between = ", "
	}
	for i := range min(w.most(), max(len(w.named), len(w.words))) {
		if i > 0 {
			w.b = append(w.b, between...)
		}
		if w.named != nil {
			w.b = append(w.b, w.named[i].Text...)
		} else {
			w.b = append(w.b, w.words[i]...)
		}
	}
}

// link finds how a name or a number is joined to a sentence.
func (v *wording) link(name string, ref bool) *link {
	list := v.Names
	if ref {
		list = v.Numbers
	}
	for i := range list {
		if list[i].holds(name, ref) {
			return &list[i]
		}
	}
	return &list[len(list)-1]
}

func (k *link) holds(name string, ref bool) bool {
	return begins(name, k.First, ref) || ends(name, k.Ending, k.Single) || len(k.First)+len(k.Ending) == 0
}

// begins reports whether a name's first words, or a number's first letters, are
// among those.
func begins(name string, first []string, ref bool) bool {
	for _, f := range first {
		if len(name) >= len(f) && strings.EqualFold(name[:len(f)], f) && (ref || len(name) == len(f) || name[len(f)] == ' ') {
			return true
		}
	}
	return false
}

// ends reports whether the first of those endings that a name has makes it
// theirs.
func ends(name string, endings []string, single bool) bool {
	for _, end := range endings {
		at := len(name) - len(end)
		if at >= 0 && strings.EqualFold(name[at:], end) {
			return !single || strings.IndexByte(name[:at], ' ') < 0
		}
	}
	return false
}

// landmark finds how a landmark is joined to a sentence.
func (v *wording) landmark(landmarkName string) *landmarkPhrases {
	for i := range v.Places {
		if s := &v.Places[i]; begins(landmarkName, s.First, false) || ends(landmarkName, s.Ending, s.Single) {
			return s
		}
	}
	return &v.Place
}
