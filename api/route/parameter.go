package route

import (
	"slices"

	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/wire/schema"
)

func query(name, doc string, s *schema.Schema) *schema.Parameter {
	return &schema.Parameter{Name: name, In: "query", Description: doc, Schema: s}
}

func choice(words ...string) *schema.Schema {
	s := &schema.Schema{Type: schema.String}
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

// silent are parameters that clients of the kind send, that are taken and that
// say nothing; they are not described.
var silent = []string{"access_token", "api_key", "format", "generate_hints", "snapping"}

// compatibleParameters describes the compatible endpoint's path and query.
func compatibleParameters() []*schema.Parameter {
	return familyParameters("lon,lat;lon,lat… (2 to 50), or polyline(…) or polyline6(…)", directions.Parameters())
}

// familyParameters describes the path and the query of a service in OSRM's
// form that reads the parameters named.
func familyParameters(coordinates string, names []string) []*schema.Parameter {
	list := []*schema.Parameter{
		{Name: "profile", In: "path", Required: true, Description: "way of travel", Schema: choice(compatible.Profiles()...)},
		{Name: "coordinates", In: "path", Required: true, Description: coordinates, Schema: &schema.Schema{Type: schema.String}},
	}
	for _, p := range everyParameter() {
		if slices.Contains(names, p.Name) {
			list = append(list, p)
		}
	}
	return list
}

// everyParameter describes the parameters of all services in OSRM's form.
func everyParameter() []*schema.Parameter {
	str := &schema.Schema{Type: schema.String}
	truth := &schema.Schema{Type: schema.Boolean}
	number := &schema.Schema{Type: schema.Number}
	return []*schema.Parameter{
		query("overview", "geometry of the whole route", choice("simplified", "full", "false")),
		query("steps", "manoeuvres of each leg", truth),
		query("geometries", "form of geometries; polyline has precision 5", choice("polyline", "polyline6", "geojson")),
		query("alternatives", "true, false or a number up to 3", str),
		query("annotations", "of each piece of the line: true for distance, duration, speed, weight, nodes and datasources, or a list of these and maxspeed; nodes are null where the region keeps no number. Nothing is known of congestion", str),
		query("height", "metres; truck only", number),
		query("width", "metres; truck only", number),
		query("length", "metres; truck only", number),
		query("weight", "tonnes; truck only", number),
		query("hazmat", "dangerous goods; truck only", truth),
		query("tunnel_code", "ADR tunnel restriction code, the slash escaped; truck only", str),
		query("avoid_tolls", "motorised profiles only", truth),
		query("avoid_motorways", "motorised profiles only", truth),
		query("avoid_ferries", "prefer routes without ferries", truth),
		query("shortest", "minimise length", truth),
		query("avoid", "preference, comma-separated: tolls, highways, ferries", str),
		query("exclude", "hard, comma-separated: tolls, highways, ferries, bridges, tunnels", str),
		query("approaches", "curb, opposite or unrestricted for each coordinate", str),
		query("bearings", "bearing or bearing,range in degrees for each coordinate", str),
		query("radiuses", "for each coordinate how far a road may be, in metres; unlimited is 35,000. For a trace how far positions may be off, up to 100", str),
		query("waypoints", "indices of the coordinates that begin or end a leg, rising from the first to the last", str),
		query("continue_straight", "no turning round at waypoints", choice("default", "true", "false")),
		query("skip_waypoints", "leave waypoints out of the answer", truth),
		query("voice_instructions", "what to say in each step, distances falling; needs steps=true", truth),
		query("voice_units", "of lengths that are said", choice("metric", "imperial", "british_imperial")),
		query("roundabout_exits", "false makes one step of entering a roundabout and leaving it; true where not given", truth),
		query("banner_instructions", "what to show in each step, with lanes; needs steps=true", truth),
		query("landmarks", "adds landmark_instruction to turns and forks near a well-known place; needs steps=true", truth),
		query("language", "BCP 47 tag of the narration; the embedded engine words it in {languages}, takes the nearest for any other", str),
		query("hints", "accepted and ignored", str),
		query("number", "of roads wanted, 1 to 100", &schema.Schema{Type: schema.Integer}),
		query("sources", "indices of the coordinates that ways begin at, separated by semicolons, or all", str),
		query("destinations", "indices of the coordinates that ways end at, or all", str),
		query("fallback_speed", "metres a second in a straight line, for pairs without a way; from 0.001 to 1,000", number),
		query("fallback_coordinate", "where that line is drawn from", choice("input", "snapped")),
		query("scale_factor", "that durations are multiplied with, from 0.000001 to 1,000,000", number),
		query("timestamps", "whole seconds since 1970 for each coordinate, not falling", str),
		query("gaps", "whether a gap of more than 2 km splits the trace; with ignore one of 20 km does", choice("split", "ignore")),
		query("tidy", "accepted: positions close together never take part twice", truth),
		query("roundtrip", "come back to the beginning; true where not given", truth),
		query("source", "where the trip begins", choice("any", "first")),
		query("destination", "where it ends", choice("any", "last")),
	}
}
