package guidance

// Sum adds up the stretches of a leg's manoeuvres.
func Sum(list []Manoeuvre) Manoeuvre {
	var sum Manoeuvre
	for i := range list {
		m := &list[i]
		sum.Metres += m.Metres
		sum.Seconds += m.Seconds
		sum.Cost += m.Cost
		sum.Toll, sum.Highway, sum.Ferry = sum.Toll || m.Toll, sum.Highway || m.Highway, sum.Ferry || m.Ferry
		sum.Unpaved, sum.Gate, sum.Timed = sum.Unpaved || m.Unpaved, sum.Gate || m.Gate, sum.Timed || m.Timed
	}
	return sum
}
