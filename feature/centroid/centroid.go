// Package centroid finds where travellers from several places meet.
package centroid

// MinLocations and MaxLocations bound how many travellers one request may
// have.
const (
	MinLocations = 2
	MaxLocations = 10
)

// Bending lists the members that bend the roads to the meeting point. Of time
// there is none: everybody would have one of their own.
func Bending() []string {
	return []string{"avoid_locations", "avoid_polygons", "exclude_locations", "exclude_polygons", "speed_types"}
}
