package maps

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/style"
)

// PreviewIn is a theme to look at before it is published.
type PreviewIn struct {
	Territory string `query:"territory" maxLength:"60" doc:"region whose tiles are drawn; by default the first of those served"`
	Body      struct {
		Theme json.RawMessage `json:"theme" doc:"a theme document, as POST /styles takes it"`
	}
}

// Preview is the style that a theme becomes.
type Preview struct {
	Style *style.Document `json:"style" doc:"compiled for MapLibre, as a published style is"`
	Theme *style.Theme    `json:"theme" doc:"put together with all that it extends: every colour, factor, group and kind"`
	Fonts []string        `json:"fonts" doc:"families of fonts that this server has for labels.font"`
}

var previewDoc = edge.Doc{
	Summary: "What a theme becomes", Tags: []string{"maps"}, Fails: []int{http.StatusNotFound, http.StatusUnprocessableEntity},
	Description: "Compiles a theme as `POST /styles` does, and keeps nothing of it. Anything wrong in it is named in `problems` of a 422. No key; the rate of the demo lane.",
	Answers:     []edge.Answer{{Type: reflect.TypeFor[Preview]()}},
	Example:     `{"theme":{"extends":"dark","colours":{"water":"#0b2a4a"},"labels":{"size":1.1}}}`,
}

func (h hostedStyles) preview(w http.ResponseWriter, r *http.Request, in *PreviewIn) error {
	look, err := h.styles.PreviewTheme(r.Context(), in.Body.Theme)
	if err != nil {
		return err
	}
	return edge.Respond(w, r, http.StatusOK, styleEffort, func(ctx context.Context) (any, error) {
		m, err := served(ctx, in.Territory)
		if err != nil {
			return nil, err
		}
		doc, err := drawn(ctx, h.from(r), in.Territory, look)
		return Preview{Style: &doc, Theme: look.Theme(), Fonts: m.Families()}, err
	})
}
