package engine

import "context"

// Convener is an engine that finds where travellers from several places meet.
type Convener interface {
	// Centroid finds the place that is reached from all locations at the least
	// total cost, and the way there from each. Body is a JSON object in the
	// form of Valhalla's centroid: the route from the first location is the
	// trip, those from the others stand among the alternates, in order; every
	// route ends at the meeting point. Locations all set out, whatever their
	// kind of stop; the face is Native and Alternates have no meaning.
	Centroid(ctx context.Context, r *RouteRequest) (*RouteAnswer, error)
}

// WarnCentroid is the code of the warning that an engine chose the meeting
// point by another rule than the least total cost.
const WarnCentroid = 906
