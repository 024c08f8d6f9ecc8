package engine

import (
	"encoding/json"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
)

// LocateRequest is a request to locate places. It is checked before an engine sees it.
type LocateRequest struct {
	Locations []Location // one or more
	Costing   costing.Costing
	Options   costing.Settings
	Verbose   bool // with all that is known of each edge and node

	// Extra holds members that the gateway has no use for; see RouteRequest.
	Extra map[string]json.RawMessage
}

// LocateAnswer is where the places of a request lie.
type LocateAnswer struct {
	Places   []Located // by location
	Warnings []Warning
	// Raw is a JSON array in the form of Valhalla's locate, as a remote engine
	// wrote it: Places are nil then.
	Raw []byte
}

// Located is where a place lies. Where no usable road is near it has no edges.
type Located struct {
	Edges []LocatedEdge
	Nodes []LocatedNode // that it lies at
}

// LocatedEdge is a place on an edge.
type LocatedEdge struct {
	Way    int64     // OSM
	On     geo.Point // the place on the edge
	Side   string    // of the edge on which the location lies: left, right, neither
	Along  float64   // part of the edge's length before the place
	Detail *EdgeDetail
}

// LocatedNode is a node at which a place lies.
type LocatedNode struct {
	At     geo.Point
	Detail *NodeDetail
}

// EdgeDetail is all that is known of an edge. What an engine does not hold (lane
// counts, road shoulders, live and predicted speeds) is not there.
type EdgeDetail struct {
	ID                uint32  // good for this build of the engine's data only, as is EndNode
	Metres            float64 // from the location
	Heading           float64 // of the edge at the place, in degrees
	Outbound, Inbound int     // edges within reach from it, and from which it is within reach, counted to 50
	EndNode           uint32
	Names             []string
	Line              []geo.Point // in the way's direction
	Length            float64     // metres
	Slope             *Slope      // nil where heights are not known

	Class, Use, Surface  string // in Valhalla's words
	Link                 bool
	Speed, SpeedLimit    uint8 // km/h; a limit of 0 is not known
	SpeedTagged          bool  // the map says the speed; else it is assumed from the kind of road
	Access               Access
	Bounded              bool // has bounds on size, weight or load
	Signed               bool
	Toll, Tunnel, Bridge bool
	Roundabout           bool
	DestinationOnly      bool
	DestinationOnlyTruck bool
	Signal, StopSign     bool
	GiveWay              bool
	Forward              bool // runs as the way is drawn
	DeadEnd              bool
	TruckRoute           bool
	BikeNetwork          bool
	CycleLane            string // separated, dedicated, shared, "" for none
	BorderControl        bool   // at its end
	SidewalkLeft         bool
	SidewalkRight        bool
	Hiking               uint8 // SAC grade, 0 to 6
}

// Access has the travellers who may go along an edge or over a node.
type Access struct {
	Bicycle, Bus, Car, Emergency, HOV, Pedestrian, Taxi, Truck, Wheelchair, Moped, Motorcycle bool
}

// NodeDetail is all that is known of a node.
type NodeDetail struct {
	ID            uint32 // good for this build of the engine's data only
	OSM           int64
	Edges         int // that begin at it
	Type          string
	Access        Access
	DriveOnLeft   bool
	PrivateAccess bool
	Signal        bool
	Country       string // ISO 3166-1; "" where not known
	Lonely        bool   // no edge begins at it
}
