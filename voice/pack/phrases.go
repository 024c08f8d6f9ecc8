// Package pack has the phrases that the narration makes of a region's roads, and packs of
// their clips: a file that a client finds a phrase's clips in without a network.
package pack

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
)

// Kind is the kind of text that a phrase is.
type Kind uint8

// The kinds of phrases.
const (
	Leads   Kind = iota // that may stand before a sentence: how far it is
	Lengths             // of the way to go on, and to the destination
	Plain               // sentences without a name
	Named               // that name a road
	OnSigns             // that say what a sign has
	Kinds
)

// String names a kind.
func (k Kind) String() string {
	return [...]string{"leads", "lengths", "without names", "of roads", "of signs"}[k]
}

// Phrases yields, each once, what the narration says in a language: leads such as "In 400 metres,",
// sentences without a name, and those that name a road or what is on a sign. Sentences that stand
// after a lead are found as the two (Pack.Find). The names of landmarks are not among them.
func Phrases(l *narrate.Language, miles bool, what *Vocabulary) iter.Seq2[Kind, string] {
	return func(yield func(Kind, string) bool) {
		s := &speaker{l: l, miles: miles, what: what, seen: map[string]bool{}, yield: yield}
		s.leads()
		s.lengths()
		for _, s.travel = range what.Travels {
			s.sentences(Plain, nil)
			s.indoors()
		}
		for _, s.travel = range what.Travels {
			s.named()
			s.signed()
		}
	}
}

// speaker makes phrases.
type speaker struct {
	l      *narrate.Language
	miles  bool
	what   *Vocabulary
	travel guidance.Travel
	seen   map[string]bool
	yield  func(Kind, string) bool
	over   bool // the caller wants no more
}

// say yields texts that were not yielded before.
func (s *speaker) say(k Kind, texts ...string) {
	for _, text := range texts {
		if text == "" || s.over || s.seen[text] {
			continue
		}
		s.seen[text] = true
		s.over = !s.yield(k, text)
	}
}

// manoeuvre yields what is spoken at the first of some manoeuvres.
func (s *speaker) manoeuvre(k Kind, list ...guidance.Manoeuvre) {
	if s.over {
		return
	}
	for i := range list {
		list[i].Travel = s.travel
	}
	t := s.l.Leg(leg(s.travel, list...), s.miles)[1]
	s.say(k, t.Pre, t.Succinct)
}

// The longest stretch of a road, and the farthest manoeuvre, that there are phrases for, in metres.
const (
	longest  = 300_000
	farthest = 12_000
)

// distances yields distances up to one, in metres, such that every wording of one comes up.
func distances(end float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		step := 2.0
		for metres := 5.0; metres <= end; metres += step {
			if !yield(metres) {
				return
			}
			switch {
			case metres > 20_000:
				step = 900
			case metres > 2000:
				step = 225
			case metres > 100:
				step = 12
			}
		}
	}
}

// mostExits is how many exits of a roundabout that leads to a named road there are phrases for.
const mostExits = 6

// along returns the stretch after a manoeuvre: long enough that no other is announced with it.
func along(m guidance.Manoeuvre) guidance.Manoeuvre {
	m.Metres, m.Seconds = 1500, 90
	return m
}

// leg puts a start and an end around manoeuvres.
func leg(travel guidance.Travel, middle ...guidance.Manoeuvre) []guidance.Manoeuvre {
	list := append([]guidance.Manoeuvre{along(guidance.Manoeuvre{Type: guidance.Start, Travel: travel})}, middle...)
	return append(list, guidance.Manoeuvre{Type: guidance.Destination})
}

// types lists the kinds of manoeuvres but for starts, ends and the entrances of roundabouts, whose
// words the probe changes, or all where it is nil.
func (s *speaker) types(probe func(*guidance.Manoeuvre)) (list []guidance.Type) {
	words := func(m guidance.Manoeuvre) string { return s.l.Leg(leg(m.Travel, m), s.miles)[1].Pre }
	for t := guidance.Start; t <= guidance.LevelChange; t++ {
		m := along(guidance.Manoeuvre{Type: t})
		if t <= guidance.StartLeft || t.Arrival() || t == guidance.RoundaboutEnter {
			continue
		}
		with := m
		if probe != nil {
			probe(&with)
		}
		if probe == nil || words(with) != words(m) {
			list = append(list, t)
		}
	}
	return list
}

// sentences yields those of manoeuvres onto a road, or onto one without names.
func (s *speaker) sentences(k Kind, names []guidance.Name) {
	last := guidance.FerryLine // of the ways that have words where there is no name
	if len(names) > 0 {
		last = guidance.Street
	}
	for i := range 8 {
		for way := guidance.Street; way <= last; way++ {
			start := along(guidance.Manoeuvre{Type: guidance.Start, After: 45 * i, Names: names, Way: way, Travel: s.travel})
			s.say(k, s.l.Leg([]guidance.Manoeuvre{start, {Type: guidance.Destination}}, s.miles)[0].Pre)
		}
	}
	if len(names) == 0 {
		for _, t := range s.types(nil) {
			for way := guidance.Street; way <= last; way++ {
				s.manoeuvre(k, along(guidance.Manoeuvre{Type: t, Way: way}))
			}
		}
		for i := range 3 {
			s.say(k, arriving(s.l, i), s.l.Leg([]guidance.Manoeuvre{{Type: guidance.Start}, {Type: guidance.Destination + guidance.Type(i)}}, s.miles)[1].Pre)
		}
		for way := guidance.Street; way <= last; way++ {
			s.exits(k, 2*mostExits, guidance.Manoeuvre{}, guidance.Manoeuvre{Way: way})
		}
	} else {
		s.exits(k, mostExits, guidance.Manoeuvre{}, guidance.Manoeuvre{Names: names})
	}
}

// exits yields the sentences of the exits of a roundabout up to a number, and of one without one.
func (s *speaker) exits(k Kind, most int, enter, exit guidance.Manoeuvre) {
	enter.Type, enter.Metres, enter.Seconds = guidance.RoundaboutEnter, 130, 20
	exit.Type = guidance.RoundaboutExit
	for n := range most + 1 {
		enter.Exits, exit.Exits = n, n
		s.manoeuvre(k, enter, along(exit))
	}
}

// indoors yields what is said of floors, lifts and stairs, and when a bicycle is to be pushed.
func (s *speaker) indoors() {
	if s.travel == guidance.Driving {
		return
	}
	for _, t := range s.types(func(m *guidance.Manoeuvre) { m.Level.Text = "2" }) {
		for _, level := range s.what.Levels {
			s.manoeuvre(Plain, along(guidance.Manoeuvre{Type: t, Level: level}))
		}
	}
	if s.travel == guidance.Pushing {
		turn := along(guidance.Manoeuvre{Type: guidance.Left})
		turn.Travel = s.travel
		before := s.l.Leg(leg(s.travel, turn), s.miles)[1].Pre // pushed already at the start
		if push, ok := strings.CutPrefix(s.l.Leg(leg(guidance.Cycling, turn), s.miles)[1].Pre, before+" "); ok {
			s.say(Plain, push)
		}
	}
}

var probed = []guidance.Name{{Text: "§"}}

// named yields what names a road, a roundabout or a ferry.
func (s *speaker) named() {
	stays := s.types(func(m *guidance.Manoeuvre) { m.Names, m.ToStayOn = probed, true })
	var turns, doors []guidance.Type
	for _, t := range s.types(func(m *guidance.Manoeuvre) { m.Names = probed }) {
		switch t {
		case guidance.FerryEnter, guidance.FerryExit:
		case guidance.EnterBuilding, guidance.LeaveBuilding:
			doors = append(doors, t)
		default:
			turns = append(turns, t)
		}
	}
	if s.travel == guidance.Walking {
		turns = append(turns, doors...)
	}
	for _, names := range s.what.Roads {
		if s.over {
			return
		}
		s.sentences(Named, names)
		for _, t := range turns {
			s.manoeuvre(Named, along(guidance.Manoeuvre{Type: t, Names: names}))
		}
		for _, t := range stays {
			if slices.Contains(turns, t) {
				s.manoeuvre(Named, along(guidance.Manoeuvre{Type: t, Names: names, ToStayOn: true}))
			}
		}
	}
	for _, names := range s.what.Ferries {
		s.manoeuvre(Named, along(guidance.Manoeuvre{Type: guidance.FerryEnter, Names: names}))
	}
	for _, names := range s.what.Landings {
		s.manoeuvre(Named, along(guidance.Manoeuvre{Type: guidance.FerryExit, Names: names}))
	}
	for i := range s.what.Roundabouts {
		r := &s.what.Roundabouts[i]
		for way := guidance.Street; way <= guidance.FerryLine; way++ {
			s.exits(Named, mostExits, guidance.Manoeuvre{Names: []guidance.Name{r.Roundabout}}, guidance.Manoeuvre{Names: r.Names, Way: way})
		}
	}
}

// signed yields what says what is on a sign.
func (s *speaker) signed() {
	on := s.types(func(m *guidance.Manoeuvre) { m.Sign.Toward = []string{"§"} })
	for i := range s.what.Signs {
		if s.over {
			return
		}
		sign := &s.what.Signs[i]
		if sign.Leaves {
			s.exits(OnSigns, mostExits, guidance.Manoeuvre{}, guidance.Manoeuvre{Names: sign.Names, Sign: sign.Sign})
		}
		for _, t := range on {
			if (t == guidance.RoundaboutExit) != sign.Leaves {
				continue
			}
			for _, stay := range []bool{false, true} {
				for _, left := range []bool{false, true} {
					s.manoeuvre(OnSigns, along(guidance.Manoeuvre{Type: t, Names: sign.Names, Sign: sign.Sign, ToStayOn: stay && len(sign.Names) > 0, DriveOnLeft: left}))
				}
			}
		}
	}
}

// arriving returns the alert of a destination: ahead, on the right, on the left.
func arriving(l *narrate.Language, side int) string {
	return l.Leg([]guidance.Manoeuvre{{Type: guidance.Start}, {Type: guidance.Destination + guidance.Type(side)}}, false)[1].Alert
}

// lengths yields what is said of how far to go on, and how far the destination is.
func (s *speaker) lengths() {
	for _, travel := range s.what.Travels {
		for metres := range distances(longest) {
			for _, ferry := range []bool{false, true} {
				m := guidance.Manoeuvre{Type: guidance.Right, Metres: metres, Seconds: 1000, Travel: travel, Ferry: ferry}
				s.say(Lengths, s.l.Leg(leg(travel, m), s.miles)[1].Post)
			}
		}
	}
	for side := range 3 {
		for metres := range distances(farthest) {
			s.say(Lengths, s.l.Ahead(arriving(s.l, side), metres, s.miles))
		}
	}
}

// leads yields what may stand before a sentence: how far it is, that the road ends, that it follows
// at once.
func (s *speaker) leads() {
	add := func(text, sentence string, found bool) {
		if rest, ok := strings.CutSuffix(text, small(sentence)); ok && found {
			s.say(Leads, strings.TrimSpace(rest))
		}
	}
	turn := along(guidance.Manoeuvre{Type: guidance.Left})
	left := s.l.Leg(leg(guidance.Driving, turn), s.miles)[1].Pre
	for metres := range distances(farthest) {
		add(s.l.Ahead(left, metres, s.miles), left, true)
	}
	end := turn
	end.EndOfRoad = true
	add(s.l.Leg(leg(guidance.Driving, end), s.miles)[1].Pre, left, true)
	for metres := 10.0; metres < 120; metres += 2 {
		near := guidance.Manoeuvre{Type: guidance.Left, Metres: metres, Seconds: 5}
		both := s.l.Leg(leg(guidance.Driving, near, turn), s.miles)[1].Pre
		then, found := strings.CutPrefix(both, left+" ")
		add(then, left, found)
		// The destination, whose words some languages change after a lead.
		for side := range 3 {
			list := []guidance.Manoeuvre{along(guidance.Manoeuvre{Type: guidance.Start}), near, {Type: guidance.Destination + guidance.Type(side)}}
			if then, found := strings.CutPrefix(s.l.Leg(list, s.miles)[1].Pre, left+" "); found {
				s.say(Leads, then)
			}
		}
	}
}

// small makes the first letter of a text small, as the narration does after a lead.
func small(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[n:]
}
