package native

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/schema"
)

// Travel is how one travels: by car, unless it is said. What only a lorry has is
// refused then, as with any other costing, so that nothing is taken for a car
// that is none without a word.
type Travel struct {
	Costing        costing.Costing `json:"costing,omitempty" default:"auto" doc:"way of travel"`
	CostingOptions CostingOptions  `json:"costing_options,omitempty" doc:"options by costing; those of another costing have no effect"`

	settings costing.Settings
	loaded   bool // an adr object says what the load is
}

// CostingOptions are options by costing, as they were written.
type CostingOptions map[string]map[string]json.RawMessage

// Check checks the options of the costing.
func (t *Travel) Check(c *schema.Context) {
	for _, name := range slices.Sorted(maps.Keys(t.CostingOptions)) {
		at := "costing_options." + name
		switch of := costing.Named(name); {
		case of == t.Costing:
		case !of.Valid():
			c.WarnOf(at, schema.UnknownMember, "%s is not one of the costings %s and had no effect", at, strings.Join(t.Costing.Words(), ", "))
		case len(t.CostingOptions[name]) == 0:
		case of == costing.Truck:
			c.Refuse(at, nil, "needs the costing truck; the costing is %s", t.Costing)
		default:
			c.WarnOf(at, schema.WithoutEffect, "%s has no effect: the costing is %s", at, t.Costing.String())
		}
	}
	t.ReadOptions(c)
}

// OwnOptions returns the options of the costing, which may be added to.
func (t *Travel) OwnOptions() map[string]json.RawMessage {
	all := maps.Clone(t.CostingOptions[t.Costing.String()])
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	return all
}

// ReadOptions reads the options of the costing.
func (t *Travel) ReadOptions(c *schema.Context) {
	all := t.CostingOptions[t.Costing.String()]
	var code string
	if raw := all["adr_tunnel_code"]; raw != nil && json.Unmarshal(raw, &code) == nil {
		if canonical, ok := costing.ParseTunnelCode(code); ok {
			all["adr_tunnel_code"] = quoted(canonical)
		}
	}
	at := "costing_options." + t.Costing.String()
	assumed := false
	if t.Costing == costing.Truck && !t.loaded {
		var note string
		if note, assumed = costing.Complete(all); note != "" {
			c.Warn(engine.WarnLoad, "%s: %s", at, note)
		}
	}
	settings, unknown, bad := costing.Parse(t.Costing, all, at)
	for _, name := range unknown {
		if costing.Find(name).OnlyLorries() {
			c.Refuse(at+"."+name, all[name], "needs the costing truck; the costing is %s", t.Costing)
			continue
		}
		c.WarnOf(at+"."+name, schema.UnknownOption, "%s.%s is not an option of %s and had no effect", at, name, t.Costing.String())
	}
	for _, v := range bad {
		c.Refuse(v.Location, v.Value, "%s", v.Message)
	}
	settings.CodeAssumed = assumed
	t.settings = settings
}

// Settings returns the options of the costing, checked.
func (t *Travel) Settings() costing.Settings { return t.settings }

// SetLoaded sets whether a load is given beside the costing.
func (t *Travel) SetLoaded(loaded bool) { t.loaded = loaded }

func quoted(s string) json.RawMessage {
	b, _ := json.Marshal(s) // a string always marshals
	return b
}
