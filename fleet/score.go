package fleet

// Score is how good a plan is: first by priorities, then by tasks served, then by cost with what
// Stability charges.
type Score struct {
	Priority int   // sum of the tasks served
	Absent   int   // tasks
	Cost     int64 // in units of CostUnit
}

// Better reports whether a plan of score a is better than one of score b.
func (a Score) Better(b Score) bool {
	if a.Priority != b.Priority {
		return a.Priority > b.Priority
	}
	if a.Absent != b.Absent {
		return a.Absent < b.Absent
	}
	return a.Cost < b.Cost
}
