package ahead

// IncidentsRequest is the body of POST /v1/incidents/along.
type IncidentsRequest struct {
	Ahead
	BufferM float64  `json:"buffer_m,omitempty" minimum:"15" maximum:"2000" default:"50" unit:"metres" doc:"incidents no further from the route, straight; beyond 15 m they are beside it"`
	Kinds   []string `json:"kinds,omitempty" maxItems:"12" enum:"accident,closure,congestion,event,hazard,lane_closure,obstruction,other,restriction,roadworks,vehicle_breakdown,weather" doc:"only of these; all without it"`
	Limit   int      `json:"limit,omitempty" minimum:"1" maximum:"500" default:"100" doc:"how many incidents to answer with, the first on the route"`
}
