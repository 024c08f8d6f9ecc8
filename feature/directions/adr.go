package directions

import (
	"encoding/json"
	"fmt"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/native"
)

// Load is a lorry and its dangerous goods.
type Load struct {
	TunnelCode *string                    // as in costing.TunnelCodes; nil where none was given
	Hazmat     bool                       // the load was said to be dangerous
	Options    map[string]json.RawMessage // of a truck, that it became
}

// TunnelDecision is whether the load may pass.
type TunnelDecision struct {
	Status string `json:"status" enum:"allowed,blocked"`
	Reason string `json:"reason,omitempty"`
}

// ADRTunnel is a tunnel of a route and whether its load may pass.
type ADRTunnel struct {
	Category string          `json:"category" enum:"A,B,C,D,E"`
	Decision TunnelDecision  `json:"decision"`
	Location native.Position `json:"location" doc:"where the route enters"`
	WayID    int64           `json:"way_id" doc:"OpenStreetMap way"`
}

// ADR is the adr extension of a route's answer.
type ADR struct {
	EnforcedBy     string                     `json:"enforced_by" enum:"engine,gateway,none" doc:"who kept the load out of tunnels closed to it"`
	TunnelCode     *string                    `json:"tunnel_code"`
	Hazmat         bool                       `json:"hazmat"`
	CostingOptions map[string]json.RawMessage `json:"costing_options" doc:"what the profile became under costing_options.truck"`
	Tunnels        []ADRTunnel                `json:"tunnels" doc:"tunnels with a category along the route, in order"`
	Caveats        []string                   `json:"caveats"`
}

// block returns the extension for a route. enforced says that codes bind in the engine's costing;
// audit has the gateway's own judgement, nil where there is none.
func (l *Load) block(enforced bool, audit *engine.Audit, tunnels []engine.Tunnel) *ADR {
	code, hazmat, note := costing.ResolveTunnelCode(l.TunnelCode, l.Hazmat)
	b := &ADR{EnforcedBy: "none", TunnelCode: code, Hazmat: hazmat, CostingOptions: l.Options, Tunnels: []ADRTunnel{}, Caveats: []string{}}
	if note != "" {
		b.Caveats = append(b.Caveats, note)
	}
	switch {
	case code == nil:
		b.Caveats = append(b.Caveats, "no tunnel restriction code was given, so no tunnel was kept from the route for one")
	case enforced:
		b.EnforcedBy = "engine"
	case audit.Enforces(costing.ADRTunnelCode) || *code == costing.NoTunnelForbidden && audit != nil && audit.Unknown == 0:
		b.EnforcedBy = "gateway"
		b.Caveats = append(b.Caveats, audited(audit)...)
	case audit != nil && audit.Unknown > 0:
		b.Caveats = append(b.Caveats, fmt.Sprintf("%.0f m of the %.0f m of the routes are on no road that the gateway's region has: the tunnel code is enforced on the rest only, and is not claimed to be; check every tunnel with POST /adr/check", audit.Unknown, audit.Metres))
	default:
		b.Caveats = append(b.Caveats, "the routing engine here does not enforce tunnel codes: the dimensions apply, the code does not; check every tunnel with POST /adr/check")
	}
	if tunnels == nil {
		b.Caveats = append(b.Caveats, "the routing engine here does not report which tunnels the route passes: an empty list is no statement about them")
	} else {
		b.Caveats = append(b.Caveats, "tunnels without a category on the map are not listed; a category that is missing is not category A")
	}
	for _, t := range tunnels {
		d := TunnelDecision{Status: "allowed"}
		if code != nil && costing.TunnelForbids(*code, t.Category) {
			d = TunnelDecision{"blocked", costing.TunnelReason(*code, l.TunnelCode == nil, t.Category)}
		}
		b.Tunnels = append(b.Tunnels, ADRTunnel{t.Category, d, native.Position{Lat: t.Location.Lat, Lon: t.Location.Lon}, t.WayID})
	}
	return b
}

// audited says how the gateway enforced a code.
func audited(a *engine.Audit) []string {
	list := []string{"the routing engine here does not enforce tunnel codes: the gateway judged all roads of the route by its own region; restrictions that hold at times only were not judged"}
	if len(a.Kept) > 0 {
		list = append(list, fmt.Sprintf("the routing engine was asked %d times until its route was legal: it led over way %d first, which is closed to the vehicle or its load", a.Asked, a.Kept[0].WayID))
	}
	return list
}
