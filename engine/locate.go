package engine

import (
	"encoding/json"

	"github.com/waygate/waygate/costing"
)

// LocateRequest asks where places lie. It is checked before an engine sees it.
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
	// Body is a JSON array in the form of Valhalla's locate: for each location
	// input_lat, input_lon, edges and nodes, the latter two null where no
	// usable road is near.
	Body []byte
}
