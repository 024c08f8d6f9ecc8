package api

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/feature/directions"
)

func parameter(name, doc string, s *huma.Schema) *huma.Param {
	return &huma.Param{Name: name, In: "query", Description: doc, Schema: s}
}

func choice(words ...string) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

// silent are parameters that clients of the kind send, that are taken and that
// say nothing; they are not described.
var silent = []string{"access_token", "api_key", "format", "generate_hints", "snapping"}

// compatibleParameters describes the compatible endpoint's path and query.
func compatibleParameters() []*huma.Param {
	return familyParameters("lon,lat;lon,lat… (2 to 50), or polyline(…) or polyline6(…)", directions.Parameters())
}

// familyParameters describes the path and the query of a service in OSRM's
// form that reads the parameters named.
func familyParameters(coordinates string, names []string) []*huma.Param {
	list := []*huma.Param{
		{Name: "profile", In: "path", Required: true, Description: "way of travel", Schema: choice(compatible.Profiles()...)},
		{Name: "coordinates", In: "path", Required: true, Description: coordinates, Schema: &huma.Schema{Type: huma.TypeString}},
	}
	for _, p := range everyParameter() {
		if slices.Contains(names, p.Name) {
			list = append(list, p)
		}
	}
	return list
}

// everyParameter describes the parameters of all services in OSRM's form.
func everyParameter() []*huma.Param {
	str := &huma.Schema{Type: huma.TypeString}
	truth := &huma.Schema{Type: huma.TypeBoolean}
	number := &huma.Schema{Type: huma.TypeNumber}
	return []*huma.Param{
		parameter("overview", "geometry of the whole route", choice("simplified", "full", "false")),
		parameter("steps", "manoeuvres of each leg", truth),
		parameter("geometries", "form of geometries; polyline has precision 5", choice("polyline", "polyline6", "geojson")),
		parameter("alternatives", "true, false or a number up to 3", str),
		parameter("annotations", "of each piece of the line: true for distance, duration, speed, weight, nodes and datasources, or a list of these and maxspeed; nodes are null where the region keeps no number. Nothing is known of congestion", str),
		parameter("height", "metres; truck only", number),
		parameter("width", "metres; truck only", number),
		parameter("length", "metres; truck only", number),
		parameter("weight", "tonnes; truck only", number),
		parameter("hazmat", "dangerous goods; truck only", truth),
		parameter("tunnel_code", "ADR tunnel restriction code, the slash escaped; truck only", str),
		parameter("avoid_tolls", "motorised profiles only", truth),
		parameter("avoid_motorways", "motorised profiles only", truth),
		parameter("avoid_ferries", "prefer routes without ferries", truth),
		parameter("shortest", "minimise length", truth),
		parameter("avoid", "preference, comma-separated: tolls, highways, ferries", str),
		parameter("exclude", "hard, comma-separated: tolls, highways, ferries, bridges, tunnels", str),
		parameter("approaches", "curb, opposite or unrestricted for each coordinate", str),
		parameter("bearings", "bearing or bearing,range in degrees for each coordinate", str),
		parameter("radiuses", "for each coordinate how far a road may be, in metres; unlimited is 35,000. For a trace how far positions may be off, up to 100", str),
		parameter("waypoints", "indices of the coordinates that begin or end a leg, rising from the first to the last", str),
		parameter("continue_straight", "no turning round at waypoints", choice("default", "true", "false")),
		parameter("skip_waypoints", "leave waypoints out of the answer", truth),
		parameter("voice_instructions", "what to say in each step, distances falling; needs steps=true", truth),
		parameter("voice_units", "of lengths that are said", choice("metric", "imperial", "british_imperial")),
		parameter("roundabout_exits", "false makes one step of entering a roundabout and leaving it; true where not given", truth),
		parameter("banner_instructions", "what to show in each step, with lanes; needs steps=true", truth),
		parameter("landmarks", "adds landmark_instruction to turns and forks near a well-known place; needs steps=true", truth),
		parameter("language", "BCP 47 tag of the narration; the embedded engine words it in {languages}, takes the nearest for any other", str),
		parameter("hints", "accepted and ignored", str),
		parameter("number", "of roads wanted, 1 to 100", &huma.Schema{Type: huma.TypeInteger}),
		parameter("sources", "indices of the coordinates that ways begin at, separated by semicolons, or all", str),
		parameter("destinations", "indices of the coordinates that ways end at, or all", str),
		parameter("fallback_speed", "metres a second in a straight line, for pairs without a way; from 0.001 to 1,000", number),
		parameter("fallback_coordinate", "where that line is drawn from", choice("input", "snapped")),
		parameter("scale_factor", "that durations are multiplied with, from 0.000001 to 1,000,000", number),
		parameter("timestamps", "whole seconds since 1970 for each coordinate, not falling", str),
		parameter("gaps", "whether a gap of more than 2 km splits the trace; with ignore one of 20 km does", choice("split", "ignore")),
		parameter("tidy", "accepted: positions close together never take part twice", truth),
		parameter("roundtrip", "come back to the beginning; true where not given", truth),
		parameter("source", "where the trip begins", choice("any", "first")),
		parameter("destination", "where it ends", choice("any", "last")),
	}
}
