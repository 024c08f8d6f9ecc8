package graph

import (
	"strconv"
	"strings"
)

// LevelKey and LevelNameKey are the keys of a name set with the floors on which a
// segment with the flag HasLevels lies: OSM's level and level:ref.
const (
	LevelKey     = "level"
	LevelNameKey = "level:ref"
)

// Levels are the floors that a road lies on or leads over.
type Levels struct {
	Changes bool    // it leads from one floor to another
	Single  bool    // it keeps to one floor, Level
	Level   float64 // 0 is the ground
	Names   int     // number of names tagged
	Name    string  // the first of them, as signs have it: "Lobby"
}

// LevelsOf returns the floors of a segment, the zero value where none are tagged.
func (g *Graph) LevelsOf(s Segment) Levels {
	if g.BySegment[s].Flags&HasLevels == 0 {
		return Levels{}
	}
	return ParseLevels(g.Attribute(g.BySegment[s].Name, LevelKey), g.Attribute(g.BySegment[s].Name, LevelNameKey))
}

// ParseLevels reads the values of level and level:ref: numbers and ranges of
// them ("0;1", "-2-3"), and names, parted by semicolons. What cannot be read is
// left out.
func ParseLevels(levels, names string) (l Levels) {
	parts := 0
	for part := range strings.SplitSeq(levels, ";") {
		low, high, ok := levelRange(strings.TrimSpace(part))
		if !ok {
			continue
		}
		parts++
		l.Level, l.Single = low, parts == 1 && low == high
	}
	l.Changes = parts > 0 && !l.Single
	if !l.Single {
		l.Level = 0
	}
	for part := range strings.SplitSeq(names, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if l.Names++; l.Names == 1 {
			l.Name = part
		}
	}
	return l
}

// ShareLevel reports whether two values of level have a floor in common. One that
// cannot be read may be on any.
func ShareLevel(a, b string) bool {
	readable := [2]bool{}
	for x := range strings.SplitSeq(a, ";") {
		low, high, ok := levelRange(strings.TrimSpace(x))
		if !ok {
			continue
		}
		readable[0] = true
		for y := range strings.SplitSeq(b, ";") {
			from, to, ok := levelRange(strings.TrimSpace(y))
			if !ok {
				continue
			}
			if readable[1] = true; low <= to && from <= high {
				return true
			}
		}
	}
	return !readable[0] || !readable[1]
}

// levelRange reads "1", "-1", "0.5", "1-3" or "-2--1".
func levelRange(s string) (low, high float64, ok bool) {
	if s == "" {
		return 0, 0, false
	}
	from, to := s, s
	if dash := strings.IndexByte(s[1:], '-') + 1; dash > 0 {
		from, to = s[:dash], s[dash+1:]
	}
	low, err := strconv.ParseFloat(from, 64)
	if err != nil || !(low > -1000 && low < 1000) {
		return 0, 0, false
	}
	high, err = strconv.ParseFloat(to, 64)
	return low, high, err == nil && low <= high && high < 1000
}
