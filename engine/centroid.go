package engine

import "context"

// Convener is an engine that finds where travellers from several places meet.
type Convener interface {
	// Centroid finds the place that is reached from all locations at the least
	// total cost, and the way there from each: the answer has a route for each
	// location, in order, and all end at the meeting point. Locations all set
	// out, whatever their kind of stop; the format is Native, or none, and
	// Alternates have no meaning.
	Centroid(ctx context.Context, r *RouteRequest) (*RouteAnswer, error)
}

// WarnCentroid is the code of the warning that an engine chose the meeting
// point by another rule than the least total cost.
const WarnCentroid = 906
