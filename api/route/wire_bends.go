package route

import (
	"encoding/json"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/world"
)

// Bends are the members that bend the roads for a request.
type Bends struct {
	DateTime *RouteTime `json:"date_time,omitempty" doc:"when the journey is: restrictions and ferries that are open at times only bind"`
	Exclusions
}

// Exclusions are those of them without a time.
type Exclusions struct {
	SpeedTypes       []string        `json:"speed_types,omitempty" enum:"freeflow,constrained,predicted,current" doc:"sources of speed that count; without current live traffic does not"`
	ExcludeLocations []RouteLocation `json:"exclude_locations,omitempty" maxItems:"50" doc:"places whose roads are not passed"`
	ExcludePolygons  [][][]float64   `json:"exclude_polygons,omitempty" doc:"rings of [lon, lat] that nothing touches: open ones are closed, none may cross itself, together at most 10,000 m round and 1,000 corners"`
	AvoidLocations   []RouteLocation `json:"avoid_locations,omitempty" maxItems:"50" doc:"older name of exclude_locations"`
	AvoidPolygons    [][][]float64   `json:"avoid_polygons,omitempty" doc:"older name of exclude_polygons"`
}

// bends reads them, of a body that was decoded already.
func (b *Bends) bends(w *world.World) (engine.Bends, error) {
	// What was decoded marshals, and comes back as an object.
	text, _ := json.Marshal(b)
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(text, &doc); err != nil {
		return engine.Bends{}, err
	}
	in := body.Reader{Bounds: w.Bounds()}
	bends := in.Bends(doc)
	return bends, in.Err()
}
