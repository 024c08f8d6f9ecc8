package native

// Caps on one request. Those of lists stand in the tags of the requests too.
const (
	MostLocations = 50     // of a route
	MostPositions = 20_000 // of a line or a trace
	MostContours  = 4      // of an isochrone
	MostCorners   = 1000   // of all excluded polygons
)
