package geocode

import (
	"slices"

	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/geocode/geocoded"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// Geocoded is places that were found, as GeoJSON.
type Geocoded struct {
	Type        string                 `json:"type" enum:"FeatureCollection"`
	Features    []geocoded.Feature     `json:"features" nullable:"false" doc:"the best, or the nearest, first"`
	Kinds       []geocoded.Kind        `json:"kinds,omitempty" maxItems:"3" doc:"an extension, of suggestions: the kinds of places that q is, or begins, of which there are some here. GET /geocode finds them by their name, alone or with a place"`
	Attribution []string               `json:"attribution" nullable:"false" doc:"whose data the places are; show it beside them"`
	Warnings    []native.AnswerWarning `json:"warnings,omitempty"`
}

// collection returns an answer as GeoJSON; brief leaves details out.
func collection(a *geocode.Answer, warnings schema.Warnings, brief bool) *Geocoded {
	out := &Geocoded{Type: "FeatureCollection", Features: geocoded.Features(a, brief), Attribution: a.Attribution}
	for _, k := range a.Kinds {
		out.Kinds = append(out.Kinds, geocoded.Kind{Name: k.Text, Categories: k.Categories})
	}
	warnings = slices.Clone(warnings)
	for _, note := range a.Notes {
		warnings = schema.AppendWarning(warnings, schema.WithoutEffect, "%s", note)
	}
	out.Warnings = native.AnswerWarnings(warnings...)
	return out
}
