package tiles

import (
	"context"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/sprite"
	"github.com/waygate/waygate/style"
)

// Style returns a territory's style in a look.
func (m *Maps) Style(ctx context.Context, base Base, id string, look *style.ResolvedTheme) (style.Document, error) {
	t, err := m.territory(ctx, id)
	if err != nil {
		return style.Document{}, err
	}
	h, meta := t.archive.Header(), t.archive.Metadata()
	about := map[string]any{"schema": "protomaps-4", "theme": look.Name()}
	if meta.View != nil {
		about["view"] = meta.View   // west, south, east, north of what to look at first
		about["areas"] = meta.Areas // the same of each box with land and sea in it; the east is beyond 180 across the antimeridian
	}
	zoom := float64(h.CentreZoom)
	sources := map[string]style.Source{style.SourceName: source(base, id, t)}
	under := style.Surroundings{Boxes: meta.Areas, WithoutWorld: goesRound(h.Bounds, meta.Areas)}
	if _, ok := m.territories[GlobeID]; ok {
		under.WithoutWorld = true // a region has the name, and with it the address
	}
	if under.Boxes == nil {
		under.Boxes = [][4]float64{corners(h.Bounds)}
	}
	if !under.WithoutWorld {
		world, err := m.territory(ctx, GlobeID)
		if err != nil {
			return style.Document{}, err
		}
		sources[style.GlobeName] = source(base, GlobeID, world)
	}
	return style.Document{
		Version:  8,
		Name:     t.Name + " (" + look.Name() + ")",
		Metadata: about,
		Center:   &[2]float64{h.Centre.Lon, h.Centre.Lat},
		Zoom:     &zoom,
		Light:    look.Lighting(),
		Sprite:   strings.TrimSuffix(base.URL, "/") + "/sprite/" + sprite.Pinned(),
		Glyphs:   strings.TrimSuffix(base.URL, "/") + "/fonts/{fontstack}/{range}.pbf",
		Sources:  sources,
		Layers:   style.Layers(look, under),
	}, nil
}

// goesRound reports whether a map goes round the world, so that nothing need lie under it: the
// boxes of its ground do where it has any, as bounds are those of the world where a region
// lies across the antimeridian.
func goesRound(bounds geo.Bounds, boxes [][4]float64) bool {
	const nearly = 359
	if len(boxes) == 0 {
		return bounds.Width() > nearly
	}
	return slices.ContainsFunc(boxes, func(b [4]float64) bool { return b[2]-b[0] > nearly })
}

func source(base Base, id string, t open) style.Source {
	h := t.archive.Header()
	return style.Source{
		Type: "vector", Tiles: []string{tileURL(base, id)},
		MinZoom: int(h.MinZoom), MaxZoom: int(h.MaxZoom), Bounds: corners(t.Bounds), Attribution: t.Attribution,
	}
}
