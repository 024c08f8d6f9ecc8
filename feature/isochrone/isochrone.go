// Package isochrone answers requests for what is within reach of a place: it
// reads and checks a request and asks the engine.
package isochrone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Limits of a request, those Valhalla has by default.
const (
	MaxContours   = 4
	MaxMinutes    = 120.0
	MaxKilometres = 200.0
	maxGeneralize = 10_000.0 // metres
)

// Service outlines what is within reach with one engine. Engine is required.
type Service struct {
	Engine engine.Engine
	Bounds geo.Bounds // of the region, for hints; empty where unknown
}

// Request is a checked request.
type Request struct {
	Isochrone engine.IsochroneRequest
	warnings  []engine.Warning
}

var (
	members = slices.Concat(
		[]string{"locations", "costing", "costing_options", "contours", "polygons", "denoise", "generalize", "reverse", "show_locations", "format", "id"}, body.Bending())
	harmless = []string{"units", "language", "directions_options"}
)

// Members lists every member of a request that the gateway knows.
func Members() []string {
	all := slices.Concat(members, harmless)
	slices.Sort(all)
	return all
}

// Read checks a request.
func (s *Service) Read(doc map[string]json.RawMessage) (*Request, error) {
	in := &body.Reader{Bounds: s.Bounds}
	req := &Request{}
	q := &req.Isochrone
	in.Elsewhere(doc)
	q.Costing, q.Options = in.Costing(doc)
	place(in, doc["locations"], q)
	contours(in, doc["contours"], q)
	for _, x := range []struct {
		name string
		into *bool
	}{{"polygons", &q.Polygons}, {"reverse", &q.Reverse}, {"show_locations", &q.ShowLocations}} {
		if !body.Absent(doc[x.name]) {
			*x.into = in.Flag(doc[x.name], x.name)
		}
	}
	for _, x := range []struct {
		name, unit string
		most       float64
		into       **float64
	}{{"denoise", "", 1, &q.Denoise}, {"generalize", " metres", maxGeneralize, &q.Generalize}} {
		if body.Absent(doc[x.name]) {
			continue
		}
		if v, ok := in.Number(doc[x.name], x.name, x.unit, 0, x.most); ok {
			*x.into = &v
		}
	}
	if !body.Absent(doc["format"]) {
		in.Word(doc["format"], "format", "geojson", "json")
	}
	if !body.Absent(doc["id"]) {
		q.ID = in.Text(doc["id"], "id")
	}
	q.Bends = in.Bends(doc)
	timely(in, q)
	if err := in.Err(); err != nil {
		return nil, err
	}
	extra, err := in.Beyond(doc, body.Rest{Known: members, Harmless: harmless, Passed: s.Engine.Can().UnknownMembers})
	if err != nil {
		return nil, err
	}
	delete(extra, "directions_options")
	q.Extra, req.warnings = extra, in.Warnings
	return req, nil
}

// timely refuses a time that is told of the wrong end: one sets out from the
// place or, in reverse, is to be there.
func timely(in *body.Reader, q *engine.IsochroneRequest) {
	if q.When == nil {
		return
	}
	switch t := q.When.Type; {
	case t == engine.Arrive && !q.Reverse:
		in.Refuse("date_time.type", json.RawMessage("2"), "is 2, a time of arrival, and needs reverse: what is within reach of a place begins with setting out")
	case t == engine.Depart && q.Reverse:
		in.Refuse("date_time.type", json.RawMessage("1"), "is 1, a time of departure, and cannot stand beside reverse: tell the time of arrival, 2")
	}
}

func place(in *body.Reader, raw json.RawMessage, q *engine.IsochroneRequest) {
	if body.Absent(raw) {
		in.Refuse("locations", nil, "is missing: a list of one object with lat and lon")
		return
	}
	list := in.List(raw, "locations", "one object with lat and lon")
	if list == nil {
		return
	}
	if len(list) != 1 {
		in.Refuse("locations", nil, "has %d locations and must have 1", len(list))
		return
	}
	q.Location = in.Location(list[0], "locations[0]")
}

// colour is one as Valhalla takes it, with or without its sign.
var colour = regexp.MustCompile(`^#?[0-9a-fA-F]{6}$`)

func contours(in *body.Reader, raw json.RawMessage, q *engine.IsochroneRequest) {
	if body.Absent(raw) {
		in.Refuse("contours", nil, "is missing: a list of 1 to %d objects with time in minutes or distance in kilometres", MaxContours)
		return
	}
	list := in.List(raw, "contours", "objects with time in minutes or distance in kilometres")
	if list == nil {
		return
	}
	if len(list) == 0 || len(list) > MaxContours {
		in.Refuse("contours", nil, "has %d contours and must have 1 to %d", len(list), MaxContours)
		return
	}
	for i, one := range list {
		contour(in, one, fmt.Sprintf("contours[%d]", i), q)
	}
}

// contour reads one entry: a time, a distance, or both for two contours.
func contour(in *body.Reader, raw json.RawMessage, at string, q *engine.IsochroneRequest) {
	all := in.Members(raw, at)
	if all == nil {
		return
	}
	shade := ""
	if !body.Absent(all["color"]) {
		shade = in.Text(all["color"], at+".color")
		if shade != "" && !colour.MatchString(shade) {
			in.Refuse(at+".color", all["color"], "must be six hexadecimal digits, such as ff0000")
		}
		shade = strings.TrimPrefix(shade, "#")
	}
	found := false
	for _, x := range []struct {
		name, unit string
		most       float64
		make       func(v float64) engine.Contour
	}{
		{"time", " minutes", MaxMinutes, func(v float64) engine.Contour { return engine.Contour{Minutes: v, Colour: shade} }},
		{"distance", " kilometres", MaxKilometres, func(v float64) engine.Contour { return engine.Contour{Kilometres: v, Colour: shade} }},
	} {
		if body.Absent(all[x.name]) {
			continue
		}
		found = true
		v, ok := in.Number(all[x.name], at+"."+x.name, x.unit, 0, x.most)
		if ok && v == 0 {
			in.Refuse(at+"."+x.name, all[x.name], "is 0 and must be above 0 and up to %g%s", x.most, x.unit)
		}
		q.Contours = append(q.Contours, x.make(v))
	}
	if !found {
		in.Refuse(at, raw, "needs time in minutes or distance in kilometres")
	}
	for _, name := range body.Names(all) {
		if !slices.Contains([]string{"time", "distance", "color"}, name) {
			in.Warn(body.UnknownMember, "%s.%s is not known here and had no effect", at, name)
		}
	}
}

// Answer outlines what is within reach. The warnings are those of the request and
// of the engine.
func (s *Service) Answer(ctx context.Context, r *Request) (*engine.IsochroneAnswer, []engine.Warning, error) {
	a, err := s.Engine.Isochrone(ctx, &r.Isochrone)
	if err != nil {
		return nil, nil, s.hinted(err, r)
	}
	return a, slices.Concat(r.warnings, a.Warnings), nil
}

// hinted adds to a refusal for want of a road what a swapped position would
// explain.
func (s *Service) hinted(err error, r *Request) error {
	var e *fault.Error
	if engine.Code(err) != engine.CodeNoSegment || !errors.As(err, &e) {
		return err
	}
	hint := body.Swapped(r.Isochrone.Location.Point, s.Bounds)
	if hint == "" {
		return err
	}
	told := *e
	told.Fields = maps.Clone(e.Fields)
	told.Detail += "; " + hint
	return told.With("hint", hint)
}
