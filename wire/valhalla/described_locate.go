package valhalla

import "github.com/waygate/waygate/wire/native"

// The types of this file describe located places in the document. The writer in answer_locate.go
// writes the members one by one; TestAnswersAreDescribed compares both.

// LocatedPlace is where one location lies.
type LocatedPlace struct {
	InputLat float64                `json:"input_lat"`
	InputLon float64                `json:"input_lon"`
	Edges    []LocatedEdge          `json:"edges" nullable:"true" doc:"one for each direction that may be travelled; null where no usable road is near"`
	Nodes    []LocatedNode          `json:"nodes" nullable:"true" doc:"where the place lies at the end of an edge"`
	Reason   string                 `json:"reason,omitempty" doc:"verbose: why edges is null"`
	Warnings []native.AnswerWarning `json:"warnings,omitempty" doc:"of the whole request, on the first element"`
}

// LocatedEdge is a place on an edge.
type LocatedEdge struct {
	WayID              int64            `json:"way_id,omitempty" doc:"OpenStreetMap way; in a verbose answer edge_info.way_id"`
	Lat                float64          `json:"correlated_lat"`
	Lon                float64          `json:"correlated_lon"`
	SideOfStreet       string           `json:"side_of_street" enum:"left,right,neither" doc:"of the edge, in its direction of travel"`
	PercentAlong       float64          `json:"percent_along" minimum:"0" maximum:"1" doc:"share of the edge's length before the place"`
	Distance           float64          `json:"distance,omitempty" doc:"verbose: metres from the location"`
	Heading            float64          `json:"heading,omitempty" doc:"verbose: degrees, of the edge at the place"`
	OutboundReach      int              `json:"outbound_reach,omitempty" doc:"verbose: edges that can be reached from here, counted to 50"`
	InboundReach       int              `json:"inbound_reach,omitempty" doc:"verbose: edges from which this one can be reached, counted to 50"`
	EdgeID             *GraphID         `json:"edge_id,omitempty" doc:"verbose"`
	EdgeInfo           *LocatedEdgeInfo `json:"edge_info,omitempty" doc:"verbose"`
	Edge               *LocatedFacts    `json:"edge,omitempty" doc:"verbose: what is known of the edge"`
	AccessRestrictions []any            `json:"access_restrictions,omitempty" doc:"verbose: always empty with the embedded engine"`
	LiveSpeed          map[string]any   `json:"live_speed,omitempty" doc:"verbose: always empty with the embedded engine"`
	PredictedSpeeds    []int            `json:"predicted_speeds,omitempty" doc:"verbose: always empty with the embedded engine"`
}

// GraphID is the number of an edge or a node in this build of the graph.
type GraphID struct {
	Level int   `json:"level"`
	Tile  int   `json:"tile_id"`
	ID    int64 `json:"id"`
	Value int64 `json:"value"`
}

// LocatedEdgeInfo has the facts that an edge shares with others of its way.
type LocatedEdgeInfo struct {
	WayID      int64    `json:"way_id" doc:"OpenStreetMap way"`
	Names      []string `json:"names"`
	Shape      string   `json:"shape" doc:"polyline of six digits"`
	SpeedLimit any      `json:"speed_limit" doc:"kilometres an hour; 0 where not known"`
	Elevation  *int     `json:"mean_elevation,omitempty" nullable:"true" doc:"metres"`
}

// LocatedFacts are the known facts of an edge.
type LocatedFacts struct {
	EndNode           GraphID       `json:"end_node"`
	Speeds            LocatedSpeeds `json:"speeds"`
	AccessRestriction bool          `json:"access_restriction"`
	HasSign           bool          `json:"has_sign"`
	Toll              bool          `json:"toll"`
	DestinationOnly   bool          `json:"destination_only"`
	DestinationTrucks bool          `json:"destination_only_hgv"`
	Tunnel            bool          `json:"tunnel"`
	Bridge            bool          `json:"bridge"`
	Roundabout        bool          `json:"round_about"`
	TrafficSignal     bool          `json:"traffic_signal"`
	Forward           bool          `json:"forward"`
	StopSign          bool          `json:"stop_sign"`
	YieldSign         bool          `json:"yield_sign"`
	CycleLane         string        `json:"cycle_lane"`
	BikeNetwork       bool          `json:"bike_network"`
	TruckRoute        bool          `json:"truck_route"`
	CountryCrossing   bool          `json:"country_crossing"`
	SidewalkLeft      bool          `json:"sidewalk_left"`
	SidewalkRight     bool          `json:"sidewalk_right"`
	SACScale          string        `json:"sac_scale"`
	DeadEnd           bool          `json:"deadend"`
	Geo               LocatedGeo    `json:"geo_attributes"`
	Access            LocatedAccess `json:"access"`
	Class             LocatedClass  `json:"classification"`
}

// LocatedSpeeds are the speeds of an edge in kilometres an hour.
type LocatedSpeeds struct {
	Default     int    `json:"default"`
	Type        string `json:"type" enum:"tagged,classified"`
	FreeFlow    int    `json:"free_flow"`
	Constrained int    `json:"constrained_flow"`
	Predicted   bool   `json:"predicted"`
}

// LocatedGeo is how long and how steep an edge is.
type LocatedGeo struct {
	Length   int     `json:"length" doc:"metres"`
	Grade    float64 `json:"weighted_grade,omitempty" doc:"percent"`
	UpSlope  float64 `json:"max_up_slope,omitempty" doc:"percent"`
	DownHill float64 `json:"max_down_slope,omitempty" doc:"percent"`
}

// LocatedAccess has the travellers who may use an edge or a node.
type LocatedAccess struct {
	Bicycle    bool `json:"bicycle"`
	Bus        bool `json:"bus"`
	Car        bool `json:"car"`
	Emergency  bool `json:"emergency"`
	HOV        bool `json:"HOV"`
	Pedestrian bool `json:"pedestrian"`
	Taxi       bool `json:"taxi"`
	Truck      bool `json:"truck"`
	Wheelchair bool `json:"wheelchair"`
	Moped      bool `json:"moped"`
	Motorcycle bool `json:"motorcycle"`
}

// LocatedClass is the class and the use of an edge's road.
type LocatedClass struct {
	Class   string `json:"classification"`
	Use     string `json:"use"`
	Surface string `json:"surface"`
	Link    bool   `json:"link"`
}

// LocatedNode is a node at which a place lies.
type LocatedNode struct {
	Lat            float64         `json:"lat"`
	Lon            float64         `json:"lon"`
	Elevation      *float64        `json:"elevation,omitempty" nullable:"true" doc:"verbose, as all below: metres"`
	Edges          int             `json:"edge_count,omitempty"`
	Access         *LocatedAccess  `json:"access,omitempty"`
	Kind           string          `json:"intersection_type,omitempty"`
	Administrative *LocatedCountry `json:"administrative,omitempty"`
	DriveOnRight   bool            `json:"drive_on_right,omitempty"`
	PrivateAccess  bool            `json:"private_access,omitempty"`
	TrafficSignal  bool            `json:"traffic_signal,omitempty"`
	Type           string          `json:"type,omitempty"`
	ID             *GraphID        `json:"node_id,omitempty"`
	OSM            int64           `json:"osm_node_id,omitempty" doc:"OpenStreetMap node"`
}

// LocatedCountry is where a node lies.
type LocatedCountry struct {
	Country *string `json:"iso_3166-1" nullable:"true" doc:"two letters; null where not known"`
	State   *string `json:"iso_3166-2" nullable:"true"`
}
