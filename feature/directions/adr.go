package directions

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
)

// load is the adr object of a request: a lorry and its dangerous goods.
type load struct {
	tunnelCode *string // as in costing.TunnelCodes, nil where the caller gave null
	hazmat     bool
	options    map[string]json.RawMessage // what it becomes under costing_options.truck
}

// dimension is one member of adr.dimensions and the truck option it sets.
var dimensions = []struct {
	member, option string
	required       bool
}{
	{"height_m", "height", true},
	{"width_m", "width", true},
	{"length_m", "length", true},
	{"gross_weight_t", "weight", true},
	{"axle_load_t", "axle_load", false},
	{"axle_count", "axle_count", false},
}

// load reads the adr object.
func (d *decoder) load(raw json.RawMessage) *load {
	all := d.Members(raw, "adr")
	if all == nil {
		return nil
	}
	if c := d.req.Route.Costing; c != costing.Truck {
		d.Refuse("adr", nil, "needs the costing truck; the costing is %s", c)
		return nil
	}
	l := &load{options: map[string]json.RawMessage{}}
	for _, name := range []string{"dimensions", "tunnel_code", "hazmat"} {
		if _, ok := all[name]; !ok {
			d.Refuse("adr."+name, nil, "is missing: dimensions, tunnel_code (null where there is none) and hazmat are all needed")
		}
	}
	for _, name := range body.Names(all) {
		at := "adr." + name
		switch name {
		case "dimensions":
			d.dimensions(all[name], at, l)
		case "tunnel_code":
			d.tunnelCode(all[name], at, l)
		case "hazmat":
			l.hazmat = d.Flag(all[name], at)
			if string(all[name]) == "null" {
				d.Refuse(at, nil, "must be true or false")
			}
			l.options["hazmat"] = json.RawMessage(strconv.FormatBool(l.hazmat))
		default:
			d.Warn(body.UnknownMember, "%s is not known here and had no effect", at)
		}
	}
	return l
}

func (d *decoder) tunnelCode(raw json.RawMessage, at string, l *load) {
	if string(raw) == "null" {
		return
	}
	var v string
	if json.Unmarshal(raw, &v) == nil {
		if code, ok := costing.ParseTunnelCode(v); ok {
			l.tunnelCode = &code
			l.options["adr_tunnel_code"] = quoted(code)
			return
		}
	}
	d.Refuse(at, raw, "must be null or one of %s", body.Listed(costing.TunnelCodes()))
}

func (d *decoder) dimensions(raw json.RawMessage, at string, l *load) {
	all := d.Members(raw, at)
	if all == nil {
		return
	}
	known := map[string]bool{}
	for _, dim := range dimensions {
		known[dim.member] = true
		if body.Absent(all[dim.member]) {
			if dim.required {
				d.Refuse(at+"."+dim.member, nil, "is missing")
			}
			continue
		}
		_, _, bad := costing.Parse(costing.Truck, map[string]json.RawMessage{dim.option: all[dim.member]}, at)
		for _, v := range bad {
			v.Location = at + "." + dim.member
			d.Violate(v)
		}
		l.options[dim.option] = all[dim.member]
	}
	for _, name := range body.Names(all) {
		if !known[name] {
			d.Warn(body.UnknownMember, "%s.%s is not known here and had no effect", at, name)
		}
	}
}

// conflict is an option that adr and costing_options set to different values.
type conflict struct {
	Option         string          `json:"option"`
	CostingOptions json.RawMessage `json:"costing_options"`
	ADR            json.RawMessage `json:"adr"`
}

// merge puts what the adr object says under the truck's options. The same
// value twice is agreement; another value is a conflict the caller must solve.
func (l *load) merge(chosen map[string]json.RawMessage) error {
	var conflicts []conflict
	for _, name := range body.Names(l.options) {
		own, given := chosen[name]
		if given && !body.Absent(own) && !body.SameValue(own, l.options[name]) {
			conflicts = append(conflicts, conflict{name, own, l.options[name]})
			continue
		}
		chosen[name] = l.options[name]
	}
	if len(conflicts) == 0 {
		return nil
	}
	c := conflicts[0]
	detail := fmt.Sprintf("costing_options.truck.%s is %s and adr makes it %s", c.Option, c.CostingOptions, c.ADR)
	if n := len(conflicts) - 1; n > 0 {
		detail += fmt.Sprintf(" (and %d more, see conflicts)", n)
	}
	return fault.New(fault.CostingConflict, "%s; leave one of the two out or make them equal", detail).With("conflicts", conflicts)
}

// decision says whether a load may pass a tunnel.
type decision struct {
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

// ADRTunnel is a tunnel of a route and whether its load may pass.
type ADRTunnel struct {
	Category string   `json:"category"`
	Decision decision `json:"decision"`
	Location place    `json:"location"`
	WayID    int64    `json:"way_id"`
}

type place struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

// ADR is the adr extension of a route's answer.
type ADR struct {
	EnforcedBy     string                     `json:"enforced_by"`
	TunnelCode     *string                    `json:"tunnel_code"`
	Hazmat         bool                       `json:"hazmat"`
	CostingOptions map[string]json.RawMessage `json:"costing_options"`
	Tunnels        []ADRTunnel                `json:"tunnels"`
	Caveats        []string                   `json:"caveats"`
}

func (l *load) block(enforced bool, tunnels []engine.Tunnel) *ADR {
	b := &ADR{EnforcedBy: "none", TunnelCode: l.tunnelCode, Hazmat: l.hazmat, CostingOptions: l.options, Tunnels: []ADRTunnel{}, Caveats: []string{}}
	switch {
	case l.tunnelCode == nil:
		b.Caveats = append(b.Caveats, "no tunnel restriction code was given, so no tunnel was kept from the route for one")
	case enforced:
		b.EnforcedBy = "engine"
	default:
		b.Caveats = append(b.Caveats, "the routing engine here does not enforce tunnel codes: the dimensions apply, the code does not; check every tunnel with POST /adr/check")
	}
	if tunnels == nil {
		b.Caveats = append(b.Caveats, "the routing engine here does not tell which tunnels the route passes: an empty list is no statement about them")
	} else {
		b.Caveats = append(b.Caveats, "tunnels without a category on the map are not listed; a category that is missing is not category A")
	}
	for _, t := range tunnels {
		d := decision{Status: "allowed"}
		if l.tunnelCode != nil && costing.TunnelForbids(*l.tunnelCode, t.Category) {
			d = decision{"blocked", costing.TunnelReason(*l.tunnelCode, t.Category)}
		}
		b.Tunnels = append(b.Tunnels, ADRTunnel{t.Category, d, place{t.Location.Lat, t.Location.Lon}, t.WayID})
	}
	return b
}
