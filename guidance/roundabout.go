package guidance

// JoinRoundabouts makes one manoeuvre of entering a roundabout and of leaving
// it: its stretch is that of both, its kind, names and courses those of the
// entry, and Out is what the exit was. It changes the list and gives what is
// left of it.
func JoinRoundabouts(list []Manoeuvre) []Manoeuvre {
	kept := list[:0]
	for i := 0; i < len(list); i++ {
		m := list[i]
		if m.Type == RoundaboutEnter && i+1 < len(list) && list[i+1].Type == RoundaboutExit {
			i++
			out := list[i]
			m.Out = &out
			m.End, m.EndShape = out.End, out.EndShape
			m.Metres += out.Metres
			m.Seconds += out.Seconds
			m.Cost += out.Cost
			m.Toll, m.Highway, m.Ferry = m.Toll || out.Toll, m.Highway || out.Highway, m.Ferry || out.Ferry
			m.Unpaved, m.Gate, m.Timed = m.Unpaved || out.Unpaved, m.Gate || out.Gate, m.Timed || out.Timed
		}
		kept = append(kept, m)
	}
	clear(list[len(kept):])
	return kept
}

// Leaving returns the exit of the roundabout that manoeuvre i of a list enters;
// nil where it enters none, or does not leave it.
func Leaving(list []Manoeuvre, i int) *Manoeuvre {
	switch {
	case list[i].Type != RoundaboutEnter:
		return nil
	case list[i].Out != nil:
		return list[i].Out
	case i+1 < len(list) && list[i+1].Type == RoundaboutExit:
		return &list[i+1]
	}
	return nil
}
