package cch

// Work is how many arcs a sweep of the last run went over.
func (x *Table) Work() int { return len(x.arcs) }

// The most work between two looks at the context.
const (
	ArcsBetween    = arcsBetween
	TargetsBetween = targetsBetween
)
