package valhalla

import (
	"encoding/json"
	"net/http"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// ReadAttributes reads the edges of an answer to trace_attributes that was asked
// for in an output: the attributes of the roads themselves, and what they take.
func ReadAttributes(doc []byte, o *engine.Output) (*engine.AttributesAnswer, error) {
	var answer struct {
		Admins []struct {
			CountryCode string `json:"country_code"`
			Country     string `json:"country_text"`
			StateCode   string `json:"state_code"`
			State       string `json:"state_text"`
		}
		Edges []struct {
			Way                  int64 `json:"way_id"`
			Length               float64
			Class                string `json:"road_class"`
			Use, Surface         string
			Tagged               *bool `json:"surface_tagged"`
			Toll, Bridge, Tunnel bool
			Begin                int `json:"begin_shape_index"`
			EndPoint             int `json:"end_shape_index"`
			End                  struct {
				Elapsed float64 `json:"elapsed_time"`
				Admin   *int    `json:"admin_index"`
			} `json:"end_node"`
		}
	}
	if err := json.Unmarshal(doc, &answer); err != nil {
		return nil, fault.Wrap(err, fault.Upstream, "the routing engine's answer has no edges").With("upstream_status", http.StatusOK)
	}
	unit := 1000.0
	if o.Miles {
		unit = metresPerMile
	}
	a := &engine.AttributesAnswer{Admins: make([]engine.Admin, len(answer.Admins)), Edges: make([]engine.AttributeEdge, len(answer.Edges))}
	for i, x := range answer.Admins {
		a.Admins[i] = engine.Admin{CountryCode: x.CountryCode, Country: x.Country, StateCode: x.StateCode, State: x.State}
	}
	elapsed := 0.0
	for i := range answer.Edges {
		e := &answer.Edges[i]
		a.Edges[i].Edge = engine.Edge{
			Way: e.Way, Class: e.Class, Use: e.Use, Surface: e.Surface, SurfaceTagged: e.Tagged == nil || *e.Tagged,
			Toll: e.Toll, Bridge: e.Bridge, Tunnel: e.Tunnel, Admin: -1, FromPoint: e.Begin, ToPoint: e.EndPoint,
			Metres: e.Length * unit, Seconds: max(0, e.End.Elapsed-elapsed),
		}
		elapsed = max(elapsed, e.End.Elapsed)
		if n := e.End.Admin; n != nil && *n >= 0 && *n < len(a.Admins) {
			a.Edges[i].Admin = *n
		}
	}
	return a, nil
}
