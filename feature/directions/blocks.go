package directions

import (
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
)

// Blocks returns the members beside the routes in an answer, in their order. One that was not requested,
// or does not apply, is left out.
func (a *Answer) Blocks() []json.Block {
	var all []json.Block
	add := func(there bool, name string, value any) {
		if there {
			all = append(all, json.Block{Name: name, Value: value})
		}
	}
	add(a.ADR != nil, "adr", a.ADR)
	add(a.Avoid != nil, "avoid", a.Avoid)
	add(a.Scenic != nil, "scenic", a.Scenic)
	add(a.Coverage != nil, "restriction_coverage", a.Coverage)
	add(a.Clearance != nil, "clearance", a.Clearance)
	add(a.Zones != nil, "zones", a.Zones)
	all = append(all, native.WarningBlock(a.Warnings)...)
	add(a.Landmarks != nil, "landmarks", a.Landmarks)
	add(a.Rationale != nil, "rationale", a.Rationale)
	return all
}
