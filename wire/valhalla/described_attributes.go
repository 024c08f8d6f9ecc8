package valhalla

import "github.com/waygate/waygate/wire/native"

// The types of this file describe matched traces in the document. The writer in answer_attributes.go
// writes the members one by one; TestAnswersAreDescribed compares both.

// TraceEdges is an answer of trace_attributes.
type TraceEdges struct {
	Units      string                 `json:"units" enum:"kilometers,miles"`
	ID         string                 `json:"id,omitempty"`
	Shape      any                    `json:"shape,omitempty" doc:"of the matched way, all stretches one after another"`
	Confidence float64                `json:"confidence_score,omitempty" doc:"against the best way found, so 1 for that"`
	Score      float64                `json:"raw_score,omitempty" doc:"negative logarithm of the likelihood, up to a constant; lower is better"`
	Admins     []TraceAdmin           `json:"admins,omitempty"`
	Edges      []TraceEdge            `json:"edges,omitempty"`
	Points     []TraceMatched         `json:"matched_points,omitempty" doc:"one for each position"`
	Others     []any                  `json:"alternate_paths,omitempty" doc:"always empty with the embedded engine"`
	Warnings   []native.AnswerWarning `json:"warnings,omitempty"`
}

// TraceEdge is an edge of the matched way. What is not known is left out.
type TraceEdge struct {
	Names           []string   `json:"names,omitempty"`
	Length          float64    `json:"length,omitempty" doc:"of the part travelled, in units"`
	Speed           float64    `json:"speed,omitempty" doc:"that the costing expects, in units an hour"`
	SpeedLimit      float64    `json:"speed_limit,omitempty" doc:"posted, in units an hour"`
	RoadClass       string     `json:"road_class,omitempty"`
	Use             string     `json:"use,omitempty"`
	Surface         string     `json:"surface,omitempty"`
	SurfaceTagged   *bool      `json:"surface_tagged,omitempty" doc:"only where filters include it: whether the map says it, or it is the usual one"`
	WayID           int64      `json:"way_id,omitempty" doc:"OpenStreetMap way"`
	ID              int64      `json:"id,omitempty" doc:"number in this build of the graph"`
	BeginShapeIndex int        `json:"begin_shape_index,omitempty"`
	EndShapeIndex   int        `json:"end_shape_index,omitempty"`
	BeginHeading    int        `json:"begin_heading,omitempty" minimum:"0" maximum:"360" doc:"degrees"`
	EndHeading      int        `json:"end_heading,omitempty" minimum:"0" maximum:"360" doc:"degrees"`
	SpeedType       string     `json:"speed_type,omitempty" enum:"tagged,classified" doc:"whether the map says the speed, or it is that of the class"`
	TruckSpeed      float64    `json:"truck_speed,omitempty" doc:"posted for lorries, in units an hour"`
	Traversability  string     `json:"traversability,omitempty" enum:"none,forward,backward,both"`
	Forward         bool       `json:"forward,omitempty" doc:"whether it runs as the way is drawn"`
	Toll            bool       `json:"toll,omitempty"`
	Unpaved         bool       `json:"unpaved,omitempty"`
	Tunnel          bool       `json:"tunnel,omitempty"`
	Bridge          bool       `json:"bridge,omitempty"`
	Roundabout      bool       `json:"roundabout,omitempty"`
	Indoor          bool       `json:"indoor,omitempty"`
	DriveOnRight    bool       `json:"drive_on_right,omitempty"`
	TruckRoute      bool       `json:"truck_route,omitempty"`
	TrafficSignal   bool       `json:"traffic_signal,omitempty"`
	LaneCount       int        `json:"lane_count,omitempty"`
	Sidewalk        string     `json:"sidewalk,omitempty"`
	CycleLane       string     `json:"cycle_lane,omitempty"`
	SACScale        int        `json:"sac_scale,omitempty" minimum:"0" maximum:"6" doc:"difficulty of a hiking path"`
	WeightedGrade   float64    `json:"weighted_grade,omitempty" doc:"percent"`
	MaxUpward       int        `json:"max_upward_grade,omitempty" doc:"percent"`
	MaxDownward     int        `json:"max_downward_grade,omitempty" doc:"percent"`
	MeanElevation   *float64   `json:"mean_elevation,omitempty" nullable:"true" doc:"metres, or feet with miles"`
	TravelMode      string     `json:"travel_mode,omitempty" enum:"drive,pedestrian,bicycle"`
	VehicleType     string     `json:"vehicle_type,omitempty"`
	BicycleType     string     `json:"bicycle_type,omitempty"`
	PedestrianType  string     `json:"pedestrian_type,omitempty"`
	Sign            *TraceSign `json:"sign,omitempty"`
	SourceAlong     *float64   `json:"source_percent_along,omitempty" minimum:"0" maximum:"1" doc:"of the first edge: where on it the way begins"`
	TargetAlong     *float64   `json:"target_percent_along,omitempty" minimum:"0" maximum:"1" doc:"of the last edge: where on it the way ends"`
	EndNode         *TraceNode `json:"end_node,omitempty" doc:"the node at its end"`
}

// TraceAdmin is a country.
type TraceAdmin struct {
	CountryCode string `json:"country_code" doc:"ISO 3166-1, two letters"`
}

// TraceSign has the signs of an edge.
type TraceSign struct {
	Number []string `json:"exit_number,omitempty"`
	Branch []string `json:"exit_branch,omitempty"`
	Toward []string `json:"exit_toward,omitempty"`
}

// TraceNode is the node at the end of an edge.
type TraceNode struct {
	Elapsed       float64         `json:"elapsed_time,omitempty" doc:"seconds since the way began, to the end of the edge"`
	Cost          float64         `json:"elapsed_cost,omitempty"`
	Admin         *int            `json:"admin_index,omitempty" doc:"of admins"`
	Type          string          `json:"type,omitempty"`
	TrafficSignal bool            `json:"traffic_signal,omitempty"`
	Transition    float64         `json:"transition_time,omitempty" doc:"seconds lost at the node"`
	Crossing      []TraceCrossing `json:"intersecting_edges,omitempty"`
}

// TraceCrossing is another road at a node.
type TraceCrossing struct {
	Heading   int    `json:"begin_heading,omitempty" minimum:"0" maximum:"360" doc:"degrees"`
	Drive     string `json:"driveability,omitempty" enum:"none,forward,backward,both"`
	Cycle     string `json:"cyclability,omitempty" enum:"none,forward,backward,both"`
	Walk      string `json:"walkability,omitempty" enum:"none,forward,backward,both"`
	Use       string `json:"use,omitempty"`
	RoadClass string `json:"road_class,omitempty"`
	NamedFrom bool   `json:"from_edge_name_consistency,omitempty"`
	NamedTo   bool   `json:"to_edge_name_consistency,omitempty"`
}

// TraceMatched is the match of a position.
type TraceMatched struct {
	Lat      float64  `json:"lat,omitempty"`
	Lon      float64  `json:"lon,omitempty"`
	Type     string   `json:"type,omitempty" enum:"matched,interpolated,unmatched"`
	Edge     *int     `json:"edge_index,omitempty" doc:"in edges; absent where unmatched"`
	Along    *float64 `json:"distance_along_edge,omitempty" doc:"0 to 1"`
	Distance *float64 `json:"distance_from_trace_point,omitempty" doc:"metres"`
	Begins   bool     `json:"begin_route_discontinuity,omitempty" doc:"a gap begins here"`
	Ends     bool     `json:"end_route_discontinuity,omitempty" doc:"a gap ends here"`
}
