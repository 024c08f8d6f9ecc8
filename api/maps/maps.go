package maps

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/tiles"
)

func territory() *edge.Param { return edge.Path("territory", "identifier of the region", edge.Text()) }

func tileDoc(note string) edge.Doc {
	return edge.Doc{
		Summary: "A vector tile" + note, Tags: []string{"maps"},
		Params: []*edge.Param{territory(), edge.Path("z", "zoom", edge.Whole()), edge.Path("x", "column", edge.Whole()), edge.Path("y", "row", edge.Whole())},
		Answers: []edge.Answer{
			{Description: "a vector tile", Media: tiles.ContentType, Schema: edge.Binary()},
			{Status: http.StatusNoContent, Description: "the map has nothing there"},
			{Status: http.StatusNotModified, Description: "not changed"},
		},
	}
}

func styleDoc() edge.Doc {
	return edge.Doc{
		Summary: "A MapLibre style for a region", Tags: []string{"maps"},
		Params: []*edge.Param{
			territory(),
			edge.Query("theme", "colours", edge.Choice("light", "dark")),
			edge.Query("language", "of labels where the map has them; by default local names", edge.Text()),
			edge.Query("pois", "false leaves points of interest out", edge.Truth()),
		},
		Answers: []edge.Answer{{Schema: edge.Object()}},
	}
}

func tileJSONDoc() edge.Doc {
	return edge.Doc{
		Summary: "TileJSON of a region", Tags: []string{"maps"},
		Params: []*edge.Param{territory()}, Answers: []edge.Answer{{Type: reflect.TypeFor[tiles.TileJSON]()}},
	}
}

func glyphsDoc() edge.Doc {
	return edge.Doc{
		Summary: "Glyphs of labels", Tags: []string{"maps"},
		Params:  []*edge.Param{edge.Path("fontstack", "font names, comma-separated", edge.Text()), edge.Path("range", "such as 0-255.pbf", edge.Text())},
		Answers: []edge.Answer{{Media: tiles.GlyphType, Schema: edge.Binary()}},
	}
}

// served gives the maps in service.
func served(ctx context.Context) (*tiles.Maps, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	if w.Maps == nil {
		return nil, fault.New(fault.NotFound, "no map is served here: the region was built without one")
	}
	return w.Maps, nil
}

func tile(w http.ResponseWriter, r *http.Request) error {
	m, err := served(r.Context())
	if err != nil {
		return err
	}
	var at [3]int
	for i, name := range []string{"z", "x", "y"} {
		if at[i], err = strconv.Atoi(r.PathValue(name)); err != nil {
			return fault.Invalid(fault.Violation{Location: "path." + name, Value: r.PathValue(name), Message: "must be a whole number"})
		}
	}
	t, err := m.Tile(r.PathValue("territory"), at[0], at[1], at[2])
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("ETag", t.ETag)
	h.Set("Vary", "Accept-Encoding")
	switch {
	case matches(r.Header.Get("If-None-Match"), t.ETag):
		w.WriteHeader(http.StatusNotModified)
		return nil
	case len(t.Data) == 0:
		w.WriteHeader(http.StatusNoContent)
		return nil
	case t.Gzip && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"):
		h.Set("Content-Encoding", "gzip")
	case t.Gzip:
		if t.Data, err = unpacked(t.Data); err != nil {
			return err
		}
	}
	h.Set("Content-Type", tiles.ContentType)
	h.Set("Content-Length", strconv.Itoa(len(t.Data)))
	_, err = w.Write(t.Data)
	return err
}

func unpacked(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// matches reports whether a list of entity tags has the tag.
func matches(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == tag || one == "*" {
			return true
		}
	}
	return false
}

func (h hosted) style(w http.ResponseWriter, r *http.Request) error {
	m, err := served(r.Context())
	if err != nil {
		return err
	}
	q := r.URL.Query()
	look := tiles.Look{Theme: tiles.Theme(q.Get("theme")), Language: q.Get("language"), HidePOIs: q.Get("pois") == "false"}
	base := h.from(r)
	style, err := m.Style(base, r.PathValue("territory"), look)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", keeping(base))
	return edge.WriteJSON(w, http.StatusOK, "application/json", style)
}

// keeping says how an answer with addresses may be kept: not at all where they
// hold the caller's key.
func keeping(b tiles.Base) string {
	if b.Key != "" {
		return "no-store"
	}
	return "no-cache"
}

func (h hosted) tileJSON(w http.ResponseWriter, r *http.Request) error {
	m, err := served(r.Context())
	if err != nil {
		return err
	}
	base := h.from(r)
	doc, err := m.TileJSON(base, r.PathValue("territory"))
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", keeping(base))
	return edge.WriteJSON(w, http.StatusOK, "application/json", doc)
}

func glyphs(w http.ResponseWriter, r *http.Request) error {
	m, err := served(r.Context())
	if err != nil {
		return err
	}
	data, err := m.Glyphs(r.PathValue("fontstack"), r.PathValue("range"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", tiles.GlyphType)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, err = w.Write(data)
	return err
}

// hosted is what names its own address.
type hosted struct {
	base func(*http.Request) string // address of this server as the caller sees it
}

func (h hosted) from(r *http.Request) tiles.Base {
	return tiles.Base{URL: h.base(r), Key: r.URL.Query().Get("api_key")}
}
