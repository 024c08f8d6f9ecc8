// Package pack has the phrases that the narration makes of a region's roads, and packs of
// their clips: a file that a client finds a phrase's clips in without a network.
package pack

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/guidance/narrate"
)

// Phrases yields, each once, what the narration says in a language: leads such as "In 400 metres,",
// sentences without a name, and those that name a road. Sentences that stand after a lead are
// found as the two (Pack.Find).
func Phrases(l *narrate.Language, miles bool, roads [][]guidance.Name) iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		say := func(text string) bool {
			if text == "" || seen[text] {
				return true
			}
			seen[text] = true
			return yield(text)
		}
		for _, lead := range leads(l, miles) {
			if !say(lead) {
				return
			}
		}
		for metres := range distances(longest) {
			if !say(post(l, metres, miles)) {
				return
			}
		}
		for side := range 3 {
			for metres := range distances(farthest) {
				if !say(l.Ahead(arriving(l, side), metres, miles)) {
					return
				}
			}
		}
		for _, names := range append([][]guidance.Name{nil}, roads...) {
			for _, text := range sentences(l, miles, names) {
				if !say(text) {
					return
				}
			}
		}
	}
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

var turns = []guidance.Type{guidance.SlightRight, guidance.Right, guidance.SharpRight, guidance.UturnRight, guidance.UturnLeft, guidance.SharpLeft, guidance.Left, guidance.SlightLeft}

// mostExits is how many exits of a roundabout that leads to a named road there are phrases for.
const mostExits = 6

// along is the stretch after a manoeuvre: long enough that no other is announced with it.
func along(m guidance.Manoeuvre) guidance.Manoeuvre {
	m.Metres, m.Seconds = 1500, 90
	return m
}

// leg puts a start and an end around manoeuvres.
func leg(middle ...guidance.Manoeuvre) []guidance.Manoeuvre {
	list := append([]guidance.Manoeuvre{along(guidance.Manoeuvre{Type: guidance.Start})}, middle...)
	return append(list, guidance.Manoeuvre{Type: guidance.Destination})
}

// sentences are those of manoeuvres onto a road, or onto one without names.
func sentences(l *narrate.Language, miles bool, names []guidance.Name) (list []string) {
	say := func(m ...guidance.Manoeuvre) {
		t := l.Leg(leg(m...), miles)[1]
		list = append(list, t.Pre, t.Succinct)
	}
	for i := range 8 {
		list = append(list, l.Leg([]guidance.Manoeuvre{along(guidance.Manoeuvre{Type: guidance.Start, After: 45 * i, Names: names}), {Type: guidance.Destination}}, miles)[0].Pre)
	}
	for _, t := range append([]guidance.Type{guidance.Continue, guidance.Becomes, guidance.Merge, guidance.MergeRight, guidance.MergeLeft, guidance.StayStraight, guidance.StayRight, guidance.StayLeft, guidance.RoundaboutExit}, turns...) {
		say(along(guidance.Manoeuvre{Type: t, Names: names}))
	}
	if len(names) > 0 {
		for _, t := range []guidance.Type{guidance.Right, guidance.Left, guidance.StayRight, guidance.StayLeft} {
			say(along(guidance.Manoeuvre{Type: t, Names: names, ToStayOn: true}))
		}
	} else {
		for _, t := range []guidance.Type{guidance.RampStraight, guidance.RampRight, guidance.RampLeft, guidance.ExitRight, guidance.ExitLeft, guidance.FerryEnter, guidance.FerryExit} {
			say(along(guidance.Manoeuvre{Type: t}))
		}
		for i := range 3 {
			list = append(list, arriving(l, i), l.Leg([]guidance.Manoeuvre{{Type: guidance.Start}, {Type: guidance.Destination + guidance.Type(i)}}, miles)[1].Pre)
		}
	}
	exits := mostExits
	if len(names) == 0 {
		exits = 2 * mostExits
	}
	for n := range exits + 1 { // 0 has no count
		say(guidance.Manoeuvre{Type: guidance.RoundaboutEnter, Exits: n, Metres: 130, Seconds: 20}, along(guidance.Manoeuvre{Type: guidance.RoundaboutExit, Exits: n, Names: names}))
	}
	return list
}

// arriving is the alert of a destination: ahead, on the right, on the left.
func arriving(l *narrate.Language, side int) string {
	return l.Leg([]guidance.Manoeuvre{{Type: guidance.Start}, {Type: guidance.Destination + guidance.Type(side)}}, false)[1].Alert
}

// post is what is said after a manoeuvre.
func post(l *narrate.Language, metres float64, miles bool) string {
	return l.Leg(leg(guidance.Manoeuvre{Type: guidance.Right, Metres: metres, Seconds: 1000}), miles)[1].Post
}

// leads are what may stand before a sentence: how far it is, that the road ends, that it follows
// at once.
func leads(l *narrate.Language, miles bool) (list []string) {
	add := func(text, sentence string, found bool) {
		if rest, ok := strings.CutSuffix(text, small(sentence)); ok && found {
			if rest = strings.TrimSpace(rest); rest != "" && (len(list) == 0 || list[len(list)-1] != rest) {
				list = append(list, rest)
			}
		}
	}
	turn := along(guidance.Manoeuvre{Type: guidance.Left})
	left := l.Leg(leg(turn), miles)[1].Pre
	for metres := range distances(farthest) {
		add(l.Ahead(left, metres, miles), left, true)
	}
	end := turn
	end.EndOfRoad = true
	add(l.Leg(leg(end), miles)[1].Pre, left, true)
	for metres := 10.0; metres < 120; metres += 2 {
		both := l.Leg(leg(guidance.Manoeuvre{Type: guidance.Left, Metres: metres, Seconds: 5}, turn), miles)[1].Pre
		then, found := strings.CutPrefix(both, left+" ")
		add(then, left, found)
	}
	return list
}

// small makes the first letter of a text small, as the narration does after a lead.
func small(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[n:]
}
