package native

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/schema"
)

// ADRProfile is a lorry and its dangerous goods.
type ADRProfile struct {
	Dimensions TruckDimensions `json:"dimensions"`
	TunnelCode *TunnelCode     `json:"tunnel_code" nullable:"true" doc:"ADR tunnel restriction code such as B/D or C5000D; (—) where the load may pass every tunnel; null where none is known: a dangerous load then counts as B, the most restricted"`
	Hazmat     bool            `json:"hazmat" doc:"whether the load is dangerous goods; a code other than (—) says that it is"`
}

// TruckDimensions are those of the loaded vehicle, in the ranges of a truck's options.
type TruckDimensions struct {
	Height    float64  `json:"height_m" minimum:"0" maximum:"10" unit:"metres"`
	Width     float64  `json:"width_m" minimum:"0" maximum:"10" unit:"metres"`
	Length    float64  `json:"length_m" minimum:"0" maximum:"50" unit:"metres"`
	Weight    float64  `json:"gross_weight_t" minimum:"0" maximum:"100" unit:"tonnes"`
	AxleLoad  *float64 `json:"axle_load_t,omitempty" nullable:"true" minimum:"0" maximum:"40" unit:"tonnes"`
	AxleCount *int     `json:"axle_count,omitempty" nullable:"true" minimum:"2" maximum:"20"`
}

// TunnelCode is a tunnel restriction code, as in costing.TunnelCodes once it was
// read.
type TunnelCode string

// Check brings the code to its usual form.
func (t *TunnelCode) Check(c *schema.Context) {
	code, ok := costing.ParseTunnelCode(string(*t))
	if !ok {
		c.Refuse("", string(*t), "must be null or one of %s", strings.Join(costing.TunnelCodes(), ", "))
		return
	}
	*t = TunnelCode(code)
}

// Check warns where the load is taken for more dangerous than it was said to be.
func (l *ADRProfile) Check(c *schema.Context) {
	if _, _, note := costing.ResolveTunnelCode(l.Code(), l.Hazmat); note != "" {
		c.Warn(engine.WarnLoad, "%s: %s", c.Path(), note)
	}
}

// Code returns the tunnel restriction code; nil where none was given.
func (l *ADRProfile) Code() *string { return (*string)(l.TunnelCode) }

// options returns the load as options of a truck.
func (l *ADRProfile) options() map[string]json.RawMessage {
	d := &l.Dimensions
	all := map[string]json.RawMessage{"hazmat": json.RawMessage(strconv.FormatBool(l.Hazmat))}
	put := func(o costing.Option, v *float64) {
		if v != nil {
			all[o.String()] = strconv.AppendFloat(nil, *v, 'f', -1, 64)
		}
	}
	put(costing.Height, &d.Height)
	put(costing.Width, &d.Width)
	put(costing.Length, &d.Length)
	put(costing.Weight, &d.Weight)
	put(costing.AxleLoad, d.AxleLoad)
	if d.AxleCount != nil {
		all[costing.AxleCount.String()] = strconv.AppendInt(nil, int64(*d.AxleCount), 10)
	}
	if l.TunnelCode != nil {
		all[costing.ADRTunnelCode.String()] = quoted(string(*l.TunnelCode))
	}
	return all
}

// Conflict is an option that adr and costing_options set to different values.
type Conflict struct {
	Option         string          `json:"option"`
	CostingOptions json.RawMessage `json:"costing_options" doc:"the value there"`
	ADR            json.RawMessage `json:"adr" doc:"the value that adr becomes"`
}

// Merge puts what is made of a load among the truck's options, and gives it; assumed is as
// costing.Complete has it. The same value
// twice is agreement; another value, or a tunnel code where the load has none, is a
// conflict the caller must solve.
func (l *ADRProfile) Merge(chosen map[string]json.RawMessage) (load map[string]json.RawMessage, assumed bool, err error) {
	load = l.options()
	said := maps.Clone(load)
	if l.TunnelCode == nil {
		said[costing.ADRTunnelCode.String()] = json.RawMessage("null")
	}
	var conflicts []Conflict
	for _, name := range slices.Sorted(maps.Keys(said)) {
		own := chosen[name]
		if len(own) > 0 && string(own) != "null" && !costing.SameValue(own, said[name]) {
			conflicts = append(conflicts, Conflict{name, own, said[name]})
		}
	}
	if len(conflicts) == 0 {
		_, assumed = costing.Complete(load)
		maps.Copy(chosen, load)
		return load, assumed, nil
	}
	c := conflicts[0]
	detail := fmt.Sprintf("costing_options.truck.%s is %s and adr makes it %s", c.Option, c.CostingOptions, c.ADR)
	if n := len(conflicts) - 1; n > 0 {
		detail += fmt.Sprintf(" (and %d more, see conflicts)", n)
	}
	return nil, false, fault.New(fault.CostingConflict, "%s; leave one of the two out or make them equal", detail).With("conflicts", conflicts)
}

// ADRCheckRequest is a request to check whether a load may pass a tunnel.
type ADRCheckRequest struct {
	ADR            ADRProfile `json:"adr"`
	TunnelCategory string     `json:"tunnel_category" enum:"A,B,C,D,E" doc:"category of the tunnel"`
}
