package embedded

import (
	"github.com/waygate/waygate/road/graph"
)

// edgeFacts is what the graph holds of an edge, in Valhalla's names.
type edgeFacts struct {
	EndNode           graphID        `json:"end_node"`
	Speeds            edgeSpeeds     `json:"speeds"`
	AccessRestriction bool           `json:"access_restriction"` // bounds on size, weight or load
	HasSign           bool           `json:"has_sign"`
	Toll              bool           `json:"toll"`
	DestinationOnly   bool           `json:"destination_only"`
	DestinationHGV    bool           `json:"destination_only_hgv"`
	Tunnel            bool           `json:"tunnel"`
	Bridge            bool           `json:"bridge"`
	RoundAbout        bool           `json:"round_about"`
	TrafficSignal     bool           `json:"traffic_signal"`
	Forward           bool           `json:"forward"` // runs as the way is drawn
	StopSign          bool           `json:"stop_sign"`
	YieldSign         bool           `json:"yield_sign"`
	CycleLane         string         `json:"cycle_lane"`
	BikeNetwork       bool           `json:"bike_network"`
	TruckRoute        bool           `json:"truck_route"`
	CountryCrossing   bool           `json:"country_crossing"`
	SidewalkLeft      bool           `json:"sidewalk_left"`
	SidewalkRight     bool           `json:"sidewalk_right"`
	SACScale          string         `json:"sac_scale"`
	DeadEnd           bool           `json:"deadend"`
	GeoAttributes     geoAttributes  `json:"geo_attributes"`
	Access            access         `json:"access"`
	Classification    classification `json:"classification"`
}

type edgeSpeeds struct {
	Default         int    `json:"default"` // km/h
	Type            string `json:"type"`    // tagged or classified
	FreeFlow        int    `json:"free_flow"`
	ConstrainedFlow int    `json:"constrained_flow"`
	Predicted       bool   `json:"predicted"`
}

// geoAttributes are an edge's length and, where its heights are known, slopes.
type geoAttributes struct {
	Length        int      `json:"length"`                   // metres
	WeightedGrade *float64 `json:"weighted_grade,omitempty"` // per cent; climbs count more
	MaxUpSlope    *int     `json:"max_up_slope,omitempty"`   // per cent
	MaxDownSlope  *int     `json:"max_down_slope,omitempty"` // per cent, not positive
}

func geoAttributesOf(g *graph.Graph, e graph.Edge) geoAttributes {
	a := geoAttributes{Length: metresOf(g.EdgeLength(e))}
	if slope, ok := g.SlopeOf(e); ok {
		grade, down := round(weightedGrade(slope), 2), -slope.Down
		a.WeightedGrade, a.MaxUpSlope, a.MaxDownSlope = &grade, &slope.Up, &down
	}
	return a
}

// weightedGrade puts the grade of a slope in per cent, as Valhalla does.
func weightedGrade(s graph.Slope) float64 { return (float64(s.Grade) - graph.FlatGrade) / 0.6 }

type access struct {
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

type classification struct {
	Classification string `json:"classification"`
	Use            string `json:"use"`
	Surface        string `json:"surface"`
	Link           bool   `json:"link"`
}

var sacScales = [...]string{
	"none", "hiking", "mountain_hiking", "demanding_mountain_hiking", "alpine_hiking", "demanding_alpine_hiking", "difficult_alpine_hiking",
}

func factsOf(g *graph.Graph, e graph.Edge) edgeFacts {
	s := g.Segment(e)
	flags, own := g.SegFlags[s], g.EdgeFlags[e]
	f := edgeFacts{
		EndNode:           idOf(g.Head[e]),
		Speeds:            edgeSpeeds{Default: int(g.Speed[e]), Type: "classified"},
		AccessRestriction: g.Limits[g.Limit[e]] != graph.Limits{},
		HasSign:           hasSign(g, e),
		Toll:              flags&graph.Toll != 0,
		DestinationOnly:   g.Destination[e]&graph.Auto != 0, DestinationHGV: g.Destination[e]&graph.Truck != 0,
		Tunnel: flags&graph.Tunnel != 0, Bridge: flags&graph.Bridge != 0, RoundAbout: flags&graph.Roundabout != 0,
		TrafficSignal: own&graph.HeadSignal != 0, StopSign: own&graph.HeadStop != 0, YieldSign: own&graph.HeadGiveWay != 0,
		Forward: !g.Backward(e), CycleLane: "none", BikeNetwork: flags&graph.BikeNetwork != 0, TruckRoute: own&graph.TruckRoute != 0,
		CountryCrossing: g.NodeFlags[g.Head[e]]&graph.BorderControl != 0,
		SidewalkLeft:    own&graph.SidewalkLeft != 0, SidewalkRight: own&graph.SidewalkRight != 0,
		SACScale: sacScales[g.Hiking[s]], DeadEnd: own&graph.DeadEnd != 0,
		GeoAttributes:  geoAttributesOf(g, e),
		Access:         accessOf(g.Access[e]),
		Classification: classification{g.Class[s].String(), g.Use[s].String(), g.Surface[s].String(), flags&graph.Link != 0},
	}
	if flags&graph.SpeedTagged != 0 {
		f.Speeds.Type = "tagged"
	}
	switch {
	case own&graph.BikeTrack != 0:
		f.CycleLane = "separated"
	case own&graph.BikeLane != 0:
		f.CycleLane = "dedicated"
	case own&graph.BikeShared != 0:
		f.CycleLane = "shared"
	}
	return f
}

func hasSign(g *graph.Graph, e graph.Edge) bool {
	for _, key := range []string{"destination", "destination:ref", "junction:ref"} {
		if g.EdgeAttribute(e, key) != "" {
			return true
		}
	}
	return false
}

func accessOf(m graph.Modes) access {
	return access{
		Bicycle: m&graph.Bicycle != 0, Bus: m&graph.Bus != 0, Car: m&graph.Auto != 0, Emergency: m&graph.Emergency != 0, HOV: m&graph.HOV != 0,
		Pedestrian: m&graph.Pedestrian != 0, Taxi: m&graph.Taxi != 0, Truck: m&graph.Truck != 0, Wheelchair: m&graph.Wheelchair != 0,
		Moped: m&graph.MotorScooter != 0, Motorcycle: m&graph.Motorcycle != 0,
	}
}

// nodeDetail is what a verbose answer tells of a node, in Valhalla's names.
type nodeDetail struct {
	Elevation        *float64       `json:"elevation"` // metres; null: a region keeps the heights of edges
	EdgeCount        int            `json:"edge_count"`
	Access           access         `json:"access"`
	IntersectionType string         `json:"intersection_type"`
	Administrative   administrative `json:"administrative"`
	DriveOnRight     bool           `json:"drive_on_right"`
	PrivateAccess    bool           `json:"private_access"`
	TrafficSignal    bool           `json:"traffic_signal"`
	Type             string         `json:"type"`
	NodeID           graphID        `json:"node_id"`
	OSMID            int64          `json:"osm_node_id"`
}

// administrative is what is known of whose ground a node lies on; a part that
// is not known is null.
type administrative struct {
	Country *string `json:"iso_3166-1"`
	State   *string `json:"iso_3166-2"`
}

func (p *planner) nodeDetail(n graph.Node) *nodeDetail {
	g := p.e.g
	first, end := g.FirstOut[n], g.FirstOut[n+1]
	d := &nodeDetail{
		EdgeCount: int(end - first), Access: accessOf(g.NodeAccess[n]), IntersectionType: "regular", Type: nodeType(g.NodeFlags[n]),
		PrivateAccess: g.NodeFlags[n]&graph.PrivateAccess != 0, TrafficSignal: g.NodeFlags[n]&graph.Signal != 0,
		NodeID: idOf(n), OSMID: g.NodeID[n],
	}
	if d.EdgeCount == 1 {
		d.IntersectionType = "dead-end"
	}
	if first < end {
		s := g.Segment(first)
		d.DriveOnRight = g.SegFlags[s]&graph.DriveOnLeft == 0
		d.Administrative.Country = countryOf(g, s)
	}
	return d
}

// countryOf is the ISO 3166-1 code of the country a segment lies in; nil where
// it is not known.
func countryOf(g *graph.Graph, s graph.Segment) *string {
	c := g.Country[s]
	if c == 0 {
		return nil
	}
	code := string([]byte{byte(c >> 8), byte(c)})
	return &code
}
