package world

import (
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/guidance/narrate"
)

// placements in the terms of the narration.
var placements = map[landmarks.Placement]narrate.Placement{
	landmarks.Beside: narrate.At, landmarks.Before: narrate.Before, landmarks.After: narrate.After,
}

// speak words landmarks in a language; nil where it is none of ours.
func speak(language string) landmarks.Phrase {
	l, asked := narrate.Find(language)
	if !asked {
		return nil
	}
	return func(instruction, place string, where landmarks.Placement) string {
		return l.Past(instruction, place, placements[where])
	}
}
