package timetable

import "math"

// noWay is the time of a way that is not known to be step-free.
const noWay = math.MaxUint16

// StepFree lists those of Walks that have neither stairs nor escalators, nor anything else by
// which a wheelchair cannot pass, as far as the feed states it, with what they take so.
func (x *Index) StepFree(from uint32) (list []Walk) {
	if len(x.stepFree) == 0 {
		return nil
	}
	for i := x.walkAt[from]; i < x.walkAt[from+1]; i++ {
		if x.stepFree[i] != noWay {
			w := x.walks[i]
			w.Seconds = x.stepFree[i]
			list = append(list, w)
		}
	}
	return list
}

// Doors lists the ways between a stop of a station and its entrances, to which To is set: those
// from the street with in, else those to the street. Where the feed states none the stop is at
// the street itself, and its own door. With stepFree it lists only those that are step-free, by
// entrances that are not stated to be inaccessible.
func (x *Index) Doors(stop uint32, in, stepFree bool) []Walk {
	way := 0
	if in {
		way = 1
	}
	list, stated := x.doors[way][0][stop]
	switch {
	case !stated:
		return []Walk{{To: stop}}
	case stepFree:
		return x.doors[way][1][stop]
	}
	return list
}

// listDoors finds the ways between stops and entrances.
func (x section) listDoors() {
	for i := range x.doors {
		x.doors[i] = [2]map[uint32][]Walk{{}, {}}
	}
	for from := range uint32(len(x.stops)) {
		for i := x.walkAt[from]; i < x.walkAt[from+1]; i++ {
			w := x.walks[i]
			stop, way := from, 0
			if x.stops[from].Kind == KindEntrance {
				stop, w.To, way = w.To, from, 1
			}
			if x.stops[stop].Kind != KindStop || x.stops[w.To].Kind != KindEntrance {
				continue
			}
			doors := &x.doors[way]
			doors[0][stop] = append(doors[0][stop], w)
			if len(x.stepFree) > 0 && x.stepFree[i] != noWay && !x.shut(w.To) {
				w.Seconds = x.stepFree[i]
				doors[1][stop] = append(doors[1][stop], w)
			}
		}
	}
}

// shut reports whether a feed states that a wheelchair cannot pass an entrance.
func (x *Index) shut(entrance uint32) bool {
	s := &x.stops[entrance]
	if s.Wheelchair == 0 && s.Parent != None {
		s = &x.stops[s.Parent]
	}
	return s.Wheelchair == Inaccessible
}
