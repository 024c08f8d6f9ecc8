package api

import (
	"github.com/danielgtaylor/huma/v2"

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

// compatibleParameters describes the compatible endpoint's path and query.
func compatibleParameters() []*huma.Param {
	str := &huma.Schema{Type: huma.TypeString}
	truth := &huma.Schema{Type: huma.TypeBoolean}
	number := &huma.Schema{Type: huma.TypeNumber}
	return []*huma.Param{
		{Name: "profile", In: "path", Required: true, Description: "way of travel", Schema: choice(directions.Profiles()...)},
		{Name: "coordinates", In: "path", Required: true, Description: "lon,lat;lon,lat… (2 to 50), or polyline(…) or polyline6(…)", Schema: str},
		parameter("overview", "geometry of the whole route", choice("simplified", "full", "false")),
		parameter("steps", "manoeuvres of each leg", truth),
		parameter("geometries", "form of geometries; polyline has precision 5", choice("polyline", "polyline6", "geojson")),
		parameter("alternatives", "true, false or a number up to 3; only between two coordinates", str),
		parameter("annotations", "accepted; the answer carries none", str),
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
		parameter("radiuses", "metres or unlimited for each coordinate", str),
		parameter("waypoints", "indices of the coordinates that begin a leg", str),
		parameter("continue_straight", "no turning round at waypoints", choice("default", "true", "false")),
		parameter("skip_waypoints", "leave waypoints out of the answer", truth),
		parameter("voice_instructions", "needs steps=true; a 501 for now", truth),
		parameter("banner_instructions", "needs steps=true; a 501 for now", truth),
		parameter("landmarks", "needs steps=true; a 501 for now", truth),
		parameter("language", "BCP 47 tag of the narration; the embedded engine words it in cy, de, en-GB (the default), en-US, es, fr, it, nl, pl, pt-BR, pt-PT and sv, takes the nearest for any other", str),
		parameter("hints", "accepted and ignored", str),
	}
}
