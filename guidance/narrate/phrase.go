package narrate

import (
	"slices"
	"strings"
)

// slot is a place in a phrase that is filled when a manoeuvre is worded. Those
// that may have nothing to say begin with their own space or comma, or with
// the word that leads to them.
type slot uint8

const (
	noSlot       slot = iota
	goSlot            // the verb of moving: drive, cycle or walk
	compass           // "north"
	onRoad            // " on High Street": along it
	ontoRoad          // " into High Street"
	road              // a turn's: intoRoad and stayOn in one
	intoRoad          // " into High Street", unless the turn keeps to its road
	stayOn            // " to stay on High Street", where it does
	backOn            // the same choice for who turns round, with mergeOn
	toRoad            // " onto High Street", where an exit or a fork leads
	mergeOn           // " onto the M4"; " into traffic" where it has no name
	fork              // what a fork leads to, by its sign or its names
	signed            // what a ramp or an exit leads to, by its sign
	toward            // " towards Newport / Monmouth"
	out               // what the exit of a roundabout leads to
	exitNth           // "the 2nd exit"
	exitNumber        // of a motorway exit
	nth               // a count in digits
	names             // words given: names, places of a sign
	landmarkName      // a landmark's name
	lengthOf          // a length that something goes on for
	away              // a length to something ahead
)

var slots = map[string]slot{
	"go": goSlot, "compass": compass, "on": onRoad, "onto": ontoRoad, "road": road, "into": intoRoad, "stay": stayOn, "back": backOn, "to": toRoad, "merge": mergeOn,
	"fork": fork, "signed": signed, "toward": toward, "out": out, "exit": exitNth, "number": exitNumber,
	"n": nth, "names": names, "place": landmarkName, "for": lengthOf, "in": away,
}

// part is literal text and the slot after it.
type part struct {
	text string
	slot slot
}

// phrase is a template, taken apart once.
type phrase []part

// say takes a template apart: text with slots such as {compass}. It panics
// over a slot that does not exist, which is a mistake in a language's file.
func say(template string) phrase {
	var p phrase
	for rest := template; rest != ""; {
		text, after, open := strings.Cut(rest, "{")
		if !open {
			return append(p, part{text: text})
		}
		name, tail, closed := strings.Cut(after, "}")
		s, known := slots[name]
		if !closed || !known {
			panic("narrate: no slot {" + name + "} for the phrase " + template)
		}
		p = append(p, part{text, s})
		rest = tail
	}
	return p
}

// has reports whether a phrase has a slot.
func (p phrase) has(s slot) bool {
	return slices.ContainsFunc(p, func(t part) bool { return t.slot == s })
}
