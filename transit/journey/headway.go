package journey

import (
	"github.com/waygate/waygate/index/timetable"
)

// nextRepeat finds the best beginning of a trip of headways that can be boarded at a call,
// in seconds after Query.At. A trip of a headway that is not exact begins a whole headway
// after one could board it at its first stop.
func (s *frame) nextRepeat(v *vehicles, row int, call timetable.Call, at int32) (start, every int32, ok bool) {
	best := int32(never)
	for _, h := range v.headways {
		if int(h.Trip) != row || h.End <= h.Start {
			continue
		}
		begin, waits := int32(0), h.Every
		if h.Exact == 1 {
			waits = 0
		}
		last := h.Start + (h.End-1-h.Start)/h.Every*h.Every // of exact departures
		if s.back == forward {
			ready := at - v.begin - call.Depart
			switch {
			case ready <= h.Start:
				begin = h.Start + waits
			case waits > 0 && ready+waits <= h.End:
				begin = ready + waits
			case waits == 0 && ready <= last:
				begin = h.Start + (ready-h.Start+h.Every-1)/h.Every*h.Every
			default:
				continue
			}
		} else {
			due := -at - v.begin - call.Arrive
			switch {
			case due < h.Start+waits:
				continue
			case waits > 0:
				begin = min(due, max(h.End, h.Start+waits))
			default:
				begin = min(last, h.Start+(due-h.Start)/h.Every*h.Every)
			}
		}
		if from := s.repeatLeaves(v.begin+begin, waits, timetable.Call{}); from < best {
			best, start, every, ok = from, v.begin+begin, waits, true
		}
	}
	return start, every, ok
}

// repeatLeaves returns when a trip that begins at a time is left at a call. Backward in time it
// is left a whole headway before it comes.
func (s *frame) repeatLeaves(start, every int32, call timetable.Call) int32 {
	if s.back == backward {
		return -(start - every + call.Depart)
	}
	return start + call.Arrive
}
