package observations

// Kind is the kind of thing that was observed.
type Kind string

// The kinds.
const (
	Crossing    Kind = "crossing"
	Landscape   Kind = "landscape"
	Settlement  Kind = "settlement"
	Watercourse Kind = "watercourse"
	Road        Kind = "road"
	Climb       Kind = "climb"
)

// Basis is the evidence for an observation.
type Basis string

// Answer lists the things that a line passes.
type Answer struct {
	Route        Route         `json:"route"`
	Observations []Observation `json:"observations" nullable:"false" doc:"in the order of the line"`
	Coverage     Coverage      `json:"coverage"`
	Attribution  []string      `json:"attribution" nullable:"false" doc:"of the map; must be shown"`
	Caveat       string        `json:"caveat"`
}

// Route is the line.
type Route struct {
	Length float64 `json:"length_m" unit:"metres"`
	Points int     `json:"shape_points"`
}

// Observation is one thing that the line passes.
type Observation struct {
	At        float64  `json:"at_m" minimum:"0" unit:"metres" doc:"from the start of the line: where it crosses, where it comes nearest to a settlement, where it enters a park or comes upon a road or a watercourse, and the top of a climb"`
	Kind      Kind     `json:"kind" enum:"crossing,landscape,settlement,watercourse,road,climb" doc:"crossing: of the line of a named watercourse that is not in a tunnel; landscape: inside a named park or protected area for 3 km or more; settlement: within 2000 m of the label of a city, 1200 m of a town, 600 m of a village, 300 m of a hamlet; watercourse: within 60 m of a named one for 3 km or more; road: within 25 m of a numbered road, and of no other that it could be, for 4 km or more; climb: the road rose by 120 m or more and then falls"`
	Subject   string   `json:"subject" doc:"the name on the map, a road's number, or climb"`
	Say       string   `json:"say" doc:"a sentence to be spoken"`
	Basis     Basis    `json:"basis" enum:"crossing-of-lines,inside-area,within-class-radius,near-line,near-one-road,height-profile" doc:"what proves it"`
	Run       *float64 `json:"run_m,omitempty" unit:"metres" doc:"of a road: for how long"`
	Elevation *float64 `json:"elevation_m,omitempty" unit:"metres" doc:"of a climb: the height of the ground at its top above sea level"`
	Offset    *float64 `json:"offset_m,omitempty" minimum:"0" unit:"metres" doc:"of a settlement: how far its label is from the line"`
}

// Coverage names the data that the observations rest on.
type Coverage struct {
	Zooms    []int    `json:"zooms" nullable:"false" doc:"of the tiles that were read"`
	Read     int      `json:"tiles_read"`
	Missing  int      `json:"tiles_missing" doc:"tiles along the line that the map has not, that are damaged, or that are beyond the 6000 that are read for one answer; nothing is claimed of them"`
	Measured float64  `json:"route_share_measured" minimum:"0" maximum:"1" doc:"share of the line within 60 m of which all tiles were read"`
	Dataset  *string  `json:"elevation_dataset" doc:"what the heights are; null without any, and then there are no climbs"`
	Heights  *float64 `json:"elevation_share" minimum:"0" maximum:"1" doc:"share of the line whose height is known"`
	LeftOut  int      `json:"left_out" doc:"observations that were found and are not in the answer, for min_gap_m or max_observations"`
}

const caveat = "What is claimed follows from the geometry of the map and the heights of the ground; it is not known whether it can be seen from the road. No observations means that the map and the heights prove none, not that there is nothing. Heights on bridges and in tunnels are taken between their ends."
