// Package narrate puts manoeuvres into words, to read and to speak. A language
// is a file of phrases; what is said of a manoeuvre, and when, is the same in
// all of them. To add one, write its file beside the others, name it in find.go,
// and let -update write its golden texts, to be read by a speaker of it.
package narrate

import "github.com/waygate/waygate/guidance"

// Text is the wording of one manoeuvre. An empty string is an absent text.
type Text struct {
	Instruction string // to read
	Alert       string // spoken well ahead; nothing at the start and within a roundabout
	Succinct    string // spoken, where there is little time
	Pre         string // spoken just before
	Post        string // spoken once done
	Multi       bool   // Pre and Succinct announce the next manoeuvre too
}

// marks are the positions of a manoeuvre's texts in the words of a leg.
type marks struct{ instruction, alert, succinct, pre, post stretch }

type stretch struct{ from, to int }

// Leg words a leg's manoeuvres, with miles and yards (in America, feet) rather
// than kilometres and metres where miles is set. The texts are those of the
// manoeuvres of the same index; all share one string.
func (l *Language) Leg(list []guidance.Manoeuvre, miles bool) []Text {
	return l.leg(list, miles, true)
}

// Written is Leg without what is spoken.
func (l *Language) Written(list []guidance.Manoeuvre, miles bool) []Text {
	return l.leg(list, miles, false)
}

func (l *Language) leg(list []guidance.Manoeuvre, miles, aloud bool) []Text {
	size := 64
	if aloud {
		size = 256
	}
	w := writer{l: l, list: list, miles: miles, b: make([]byte, 0, size*len(list))}
	all := make([]marks, len(list))
	for i := range list {
		w.at = i
		t := &all[i]
		t.instruction = w.sentence(written)
		if !aloud {
			continue
		}
		t.pre = w.sentence(spoken)
		m := &list[i]
		if i > 0 && m.Type != guidance.RoundaboutExit {
			t.alert = t.pre
		}
		if m.Type.Arrival() {
			t.alert = w.text(l.arriving[m.Type-guidance.Destination])
			continue
		}
		t.succinct = w.sentence(succinct)
		switch {
		case m.Out != nil:
			t.post = w.carryOn(m.Out)
		case m.Type != guidance.RoundaboutEnter && m.Metres > 0:
			t.post = w.carryOn(m)
		}
	}
	for i := range list[:max(0, len(list)-1)] {
		if !aloud || !quick(&list[i]) {
			continue
		}
		w.at = i
		all[i].pre = w.then(all[i].pre)
		all[i].succinct = w.then(all[i].succinct)
	}
	words := string(w.b)
	texts := make([]Text, len(list))
	for i := range all {
		cut := func(s stretch) string { return words[s.from:s.to] }
		t := &all[i]
		texts[i] = Text{
			Instruction: cut(t.instruction), Alert: cut(t.alert), Succinct: cut(t.succinct), Pre: cut(t.pre), Post: cut(t.post),
			Multi: i+1 < len(list) && quick(&list[i]),
		}
	}
	return texts
}

// Ahead announces a manoeuvre that is so many metres away, given its Alert or
// its Instruction: "In 400 metres, turn right into Mill Lane."
func (l *Language) Ahead(alert string, metres float64, miles bool) string {
	if alert == "" {
		return ""
	}
	w := writer{l: l, metres: metres, miles: miles, b: make([]byte, 0, 64+len(alert))}
	w.lead(l.w.Ahead, alert)
	return string(w.b)
}

// Distance puts a length into words: "1.5 kilometres", "a quarter of a mile".
func (l *Language) Distance(metres float64, miles bool) string {
	return string(l.w.appendLength(make([]byte, 0, 32), &l.w.Length, metres, miles))
}

// Past adds a landmark to an instruction: "After the Red Lion, turn right into
// Mill Lane." The place is a name, in the form that the map has.
func (l *Language) Past(instruction, landmarkName string, where guidance.Placement) string {
	if instruction == "" || landmarkName == "" {
		return instruction
	}
	s := l.w.landmark(landmarkName)
	lead := s.At
	switch where {
	case guidance.Before:
		lead = s.Before
	case guidance.After:
		lead = s.After
	}
	w := writer{l: l, place: landmarkName, b: make([]byte, 0, 32+len(landmarkName)+len(instruction))}
	w.lead(lead, instruction)
	return string(w.b)
}

// quick reports whether the next manoeuvre comes so soon that it must be
// announced together with this one.
func quick(m *guidance.Manoeuvre) bool {
	if m.Type == guidance.RoundaboutEnter && m.Out == nil || m.Type == guidance.FerryEnter {
		return false
	}
	if m.Travel == guidance.Walking {
		return m.Metres < 25
	}
	return m.Metres < 120 && m.Seconds < 12
}
