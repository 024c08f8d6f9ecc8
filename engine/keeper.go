package engine

// Keeper is an engine that keeps in memory what it works out for callers who
// come back.
type Keeper interface {
	// MetricMemory is how many bytes that takes.
	MetricMemory() int64
}
