package directions

import (
	"encoding/json"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// lorryOnly are options that only a truck has and that matter for safety:
// with another costing they are refused, not merely reported.
var lorryOnly = []string{"adr_tunnel_code", "axle_count", "axle_load", "hazmat"}

func (d *decoder) costing(raw json.RawMessage) {
	var v string
	if !absent(raw) && json.Unmarshal(raw, &v) == nil && engine.Costing(v).Known() {
		d.req.Route.Costing = engine.Costing(v)
		return
	}
	if absent(raw) {
		d.refuse("costing", nil, "is missing: one of %s", names(engine.Costings()))
		return
	}
	d.refuse("costing", raw, "must be one of %s", names(engine.Costings()))
}

// options reads the options of the chosen costing out of costing_options.
// Entries for other costings are allowed, as engines allow them, and have no
// effect.
func (d *decoder) options(raw json.RawMessage) map[string]json.RawMessage {
	chosen := map[string]json.RawMessage{}
	if absent(raw) {
		return chosen
	}
	all := d.members(raw, "costing_options")
	for _, name := range sorted(all) {
		at := "costing_options." + name
		switch {
		case absent(all[name]):
		case !engine.Costing(name).Known():
			d.warn(unknownMember, "%s is not one of the costings %s and had no effect", at, names(engine.Costings()))
		case engine.Costing(name) == d.req.Route.Costing:
			if m := d.members(all[name], at); m != nil {
				chosen = m
			}
		default:
			d.members(all[name], at)
		}
	}
	if code, ok := chosen["adr_tunnel_code"]; ok {
		chosen["adr_tunnel_code"] = canonicalCode(code)
	}
	return chosen
}

// canonicalCode brings a tunnel code to the form the engines know; what is no
// code stays, to be refused with the others.
func canonicalCode(raw json.RawMessage) json.RawMessage {
	var v string
	if json.Unmarshal(raw, &v) == nil {
		if code, ok := engine.ParseTunnelCode(v); ok {
			return quoted(code)
		}
	}
	return raw
}

func quoted(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		return nil // a string always marshals
	}
	return b
}

// settle checks the options once everything that sets one has done so.
func (d *decoder) settle(chosen map[string]json.RawMessage, at string) {
	c := d.req.Route.Costing
	settings, unknown, bad := engine.ParseSettings(c, chosen, at)
	for _, name := range unknown {
		if slices.Contains(lorryOnly, name) {
			d.bad = append(d.bad, fault.Violation{Location: at + "." + name, Value: shown(chosen[name]), Message: "needs the costing truck; the costing is " + string(c)})
			continue
		}
		d.warn(unknownOption, "%s.%s is not an option of %s and had no effect", at, name, c)
	}
	d.bad = append(d.bad, bad...)
	d.req.Route.Options = settings
}
