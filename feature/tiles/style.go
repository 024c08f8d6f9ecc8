package tiles

import (
	"strings"

	"github.com/waygate/waygate/style"
)

// Style gives a territory's style in a look.
func (m *Maps) Style(base Base, id string, look *style.Look) (style.Document, error) {
	t, err := m.territory(id)
	if err != nil {
		return style.Document{}, err
	}
	h, meta := t.Tiles.Header(), t.Tiles.Metadata()
	about := map[string]any{"schema": "protomaps-4", "theme": look.Name()}
	if meta.View != nil {
		about["view"] = meta.View   // west, south, east, north of what to look at first
		about["areas"] = meta.Areas // the same of each box with land and sea in it
	}
	zoom := float64(h.CentreZoom)
	return style.Document{
		Version:  8,
		Name:     t.Name + " (" + look.Name() + ")",
		Metadata: about,
		Center:   &[2]float64{h.Centre.Lon, h.Centre.Lat},
		Zoom:     &zoom,
		Glyphs:   strings.TrimSuffix(base.URL, "/") + "/fonts/{fontstack}/{range}.pbf",
		Sources: map[string]style.Source{style.SourceName: {
			Type: "vector", Tiles: []string{tileURL(base, id)},
			MinZoom: int(h.MinZoom), MaxZoom: int(h.MaxZoom),
			Bounds:      [4]float64{t.Bounds.Min.Lon, t.Bounds.Min.Lat, t.Bounds.Max.Lon, t.Bounds.Max.Lat},
			Attribution: t.Attribution,
		}},
		Layers: style.Layers(look, meta.Island),
	}, nil
}
