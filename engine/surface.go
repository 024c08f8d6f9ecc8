package engine

// SurfaceTagged is an attribute of edges, in a filter and as the member
// surface_tagged, that Valhalla does not have: whether the map says what the
// surface is, or it is assumed from the kind of road. The embedded engine
// writes it only where a filter includes it.
const SurfaceTagged = "edge.surface_tagged"
