package directions

import (
	"encoding/json"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
)

// guiding are the members that say what a compatible answer to a native request
// holds besides the route.
var guiding = []string{"banner_instructions", "voice_instructions", "filters"}

// guidance reads them. They belong to the compatible form only.
func (d *decoder) guidance(doc map[string]json.RawMessage) {
	r := &d.req.Route
	if r.Format != engine.OSRM {
		for _, name := range guiding {
			if body.Wanted(doc[name]) {
				d.Warn(body.WithoutEffect, "%s has an effect with format osrm only", name)
			}
		}
		return
	}
	r.Banners, r.Voice = d.Switch(doc, "banner_instructions"), d.Switch(doc, "voice_instructions")
	if !body.Absent(doc["filters"]) {
		r.Annotations = d.filters(doc["filters"], "filters")
	}
}

type lineAttribute struct {
	name string
	set  engine.Annotations
}

// lineAttributes are the native engine's names for what is told of each piece
// of a line.
var lineAttributes = []lineAttribute{
	{"shape_attributes.length", engine.AnnotateDistance},
	{"shape_attributes.time", engine.AnnotateDuration},
	{"shape_attributes.speed", engine.AnnotateSpeed},
	{"shape_attributes.speed_limit", engine.AnnotateLimit},
}

// heeded reports whether an attribute is told where it is asked for. Countries
// always are.
func heeded(name string) bool {
	if name == "edge.is_urban" || name == "node.admin_index" {
		return true
	}
	return slices.ContainsFunc(lineAttributes, func(a lineAttribute) bool { return a.name == name })
}

// filters reads which of them are told.
func (d *decoder) filters(raw json.RawMessage, at string) engine.Annotations {
	all := d.Members(raw, at)
	if all == nil {
		return 0
	}
	for _, name := range body.Names(all) {
		if name != "attributes" && name != "action" {
			d.Warn(body.UnknownMember, "%s.%s is not known here and had no effect", at, name)
		}
	}
	include := body.Absent(all["action"]) || d.Word(all["action"], at+".action", "include", "exclude") == "include"
	var list []string
	if !body.Absent(all["attributes"]) && json.Unmarshal(all["attributes"], &list) != nil {
		d.Refuse(at+".attributes", all["attributes"], "must be a list of strings such as shape_attributes.time")
		return 0
	}
	for _, name := range list {
		if !heeded(name) {
			d.Warn(body.WithoutEffect, "%s.attributes has %s, which has no effect here", at, name)
		}
	}
	d.req.Route.Urban = include && slices.Contains(list, "edge.is_urban")
	var named, every engine.Annotations
	for _, a := range lineAttributes {
		every |= a.set
		if slices.Contains(list, a.name) {
			named |= a.set
		}
	}
	if include {
		return named
	}
	return every &^ named
}
