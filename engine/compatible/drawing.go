package compatible

import (
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
)

// Drawing are the parameters that say what an answer shows of a way.
var Drawing = map[string]Reader{
	"overview":    Word(func(q *Query, v string) { q.Route.Overview = v }, "simplified", "full", "false"),
	"geometries":  Word(func(q *Query, v string) { q.Route.Geometries = v }, "polyline", "polyline6", "geojson"),
	"steps":       Flag(func(q *Query, v bool) { q.Route.Steps = v }),
	"annotations": annotations,
	"language":    language,

	"voice_instructions":  Flag(func(q *Query, v bool) { q.Route.Voice = v }),
	"banner_instructions": Flag(func(q *Query, v bool) { q.Route.Banners = v }),
	"roundabout_exits":    Flag(func(q *Query, v bool) { q.Route.JoinRoundabouts = !v }),
	"voice_units":         Word(func(q *Query, v string) { q.Route.Miles = v != "metric" }, "metric", "imperial", "british_imperial"),
}

func annotations(q *Query, name, value string) error {
	set, unknown, ok := engine.ParseAnnotations(value)
	if !ok {
		return Refuse(InvalidValue, "%s has %q, which is none of %s", name, fault.Clip(unknown), strings.Join(engine.AnnotationNames(), ", "))
	}
	q.Route.Annotations = set
	return nil
}

func language(q *Query, name, value string) error {
	if value != "" && !body.IsLanguage(value) {
		return Refuse(InvalidValue, "%s is %q and must be a BCP 47 language tag such as en-GB", name, fault.Clip(value))
	}
	q.Route.Language = value
	return nil
}
