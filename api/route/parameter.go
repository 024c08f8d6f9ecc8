package route

import (
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/feature/directions"
)

// silent are parameters that clients of the kind send, that are taken and that
// say nothing; they are not described.
var silent = []string{"access_token", "api_key", "format", "generate_hints", "snapping"}

// compatibleParameters describes the compatible endpoint's path and query.
func compatibleParameters() []*edge.Param {
	return familyParameters("lon,lat;lon,lat… (2 to 50), or polyline(…) or polyline6(…)", directions.Parameters())
}

// familyParameters describes the path and the query of a service in OSRM's
// form that reads the parameters named.
func familyParameters(coordinates string, names []string) []*edge.Param {
	list := []*edge.Param{
		{Name: "profile", In: "path", Required: true, Description: "way of travel", Schema: edge.Choice(compatible.Profiles()...)},
		{Name: "coordinates", In: "path", Required: true, Description: coordinates, Schema: edge.Text()},
	}
	for _, p := range everyParameter() {
		if slices.Contains(names, p.Name) {
			list = append(list, p)
		}
	}
	return list
}

// everyParameter describes the parameters of all services in OSRM's form.
func everyParameter() []*edge.Param {
	str := edge.Text()
	truth := edge.Truth()
	number := edge.Number()
	return []*edge.Param{
		edge.Query("overview", "geometry of the whole route", edge.Choice("simplified", "full", "false")),
		edge.Query("steps", "manoeuvres of each leg", truth),
		edge.Query("geometries", "form of geometries; polyline has precision 5", edge.Choice("polyline", "polyline6", "geojson")),
		edge.Query("alternatives", "true, false or a number up to 3", str),
		edge.Query("annotations", "of each piece of the line: true for distance, duration, speed, weight, nodes and datasources, or a list of these and maxspeed; nodes are null where the region keeps no number. Nothing is known of congestion", str),
		edge.Query("height", "metres; truck only", number),
		edge.Query("width", "metres; truck only", number),
		edge.Query("length", "metres; truck only", number),
		edge.Query("weight", "tonnes; truck only", number),
		edge.Query("hazmat", "dangerous goods; truck only", truth),
		edge.Query("tunnel_code", "ADR tunnel restriction code, the slash escaped; truck only", str),
		edge.Query("avoid_tolls", "motorised profiles only", truth),
		edge.Query("avoid_motorways", "motorised profiles only", truth),
		edge.Query("avoid_ferries", "prefer routes without ferries", truth),
		edge.Query("shortest", "minimise length", truth),
		edge.Query("avoid", "preference, comma-separated: tolls, highways, ferries", str),
		edge.Query("exclude", "hard, comma-separated: tolls, highways, ferries, bridges, tunnels", str),
		edge.Query("approaches", "curb, opposite or unrestricted for each coordinate", str),
		edge.Query("bearings", "bearing or bearing,range in degrees for each coordinate", str),
		edge.Query("radiuses", "for each coordinate how far a road may be, in metres; unlimited is 35,000. For a trace how far positions may be off, up to 100", str),
		edge.Query("waypoints", "indices of the coordinates that begin or end a leg, rising from the first to the last", str),
		edge.Query("continue_straight", "no turning round at waypoints", edge.Choice("default", "true", "false")),
		edge.Query("skip_waypoints", "leave waypoints out of the answer", truth),
		edge.Query("voice_instructions", "what to say in each step, distances falling; needs steps=true", truth),
		edge.Query("voice_units", "of lengths that are said", edge.Choice("metric", "imperial", "british_imperial")),
		edge.Query("roundabout_exits", "false makes one step of entering a roundabout and leaving it; true where not given", truth),
		edge.Query("banner_instructions", "what to show in each step, with lanes; needs steps=true", truth),
		edge.Query("landmarks", "adds landmark_instruction to turns and forks near a well-known place; needs steps=true", truth),
		edge.Query("language", "BCP 47 tag of the narration; the embedded engine words it in cy, de, en-GB (the default), en-US, es, fr, it, nl, pl, pt-BR, pt-PT and sv, takes the nearest for any other", str),
		edge.Query("hints", "accepted and ignored", str),
		edge.Query("number", "of roads wanted, 1 to 100", edge.Whole()),
		edge.Query("sources", "indices of the coordinates that ways begin at, separated by semicolons, or all", str),
		edge.Query("destinations", "indices of the coordinates that ways end at, or all", str),
		edge.Query("fallback_speed", "metres a second in a straight line, for pairs without a way; from 0.001 to 1,000", number),
		edge.Query("fallback_coordinate", "where that line is drawn from", edge.Choice("input", "snapped")),
		edge.Query("scale_factor", "that durations are multiplied with, from 0.000001 to 1,000,000", number),
		edge.Query("timestamps", "whole seconds since 1970 for each coordinate, not falling", str),
		edge.Query("gaps", "whether a gap of more than 2 km splits the trace; with ignore one of 20 km does", edge.Choice("split", "ignore")),
		edge.Query("tidy", "accepted: positions close together never take part twice", truth),
		edge.Query("roundtrip", "come back to the beginning; true where not given", truth),
		edge.Query("source", "where the trip begins", edge.Choice("any", "first")),
		edge.Query("destination", "where it ends", edge.Choice("any", "last")),
	}
}
