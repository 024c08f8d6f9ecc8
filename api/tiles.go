package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/tiles"
)

func pathParam(name, doc string, kind string) *huma.Param {
	return &huma.Param{Name: name, In: "path", Required: true, Description: doc, Schema: &huma.Schema{Type: kind}}
}

func tileDoc(note string) huma.Operation {
	return huma.Operation{
		Summary: "A vector tile" + note, Tags: []string{"maps"},
		Parameters: []*huma.Param{
			pathParam("territory", "identifier of the region", huma.TypeString), pathParam("z", "zoom", huma.TypeInteger),
			pathParam("x", "column", huma.TypeInteger), pathParam("y", "row", huma.TypeInteger),
		},
		Responses: map[string]*huma.Response{
			"200": {Description: "a vector tile", Content: map[string]*huma.MediaType{tiles.ContentType: {Schema: binary()}}},
			"204": {Description: "the map has nothing there"},
			"304": {Description: "not changed"},
		},
	}
}

func binary() *huma.Schema { return &huma.Schema{Type: huma.TypeString, Format: "binary"} }

func styleDoc() huma.Operation {
	return huma.Operation{
		Summary: "A MapLibre style for a region", Tags: []string{"maps"},
		Parameters: []*huma.Param{
			pathParam("territory", "identifier of the region", huma.TypeString),
			parameter("theme", "colours", choice("light", "dark")),
			parameter("language", "of labels where the map has them; by default local names", &huma.Schema{Type: huma.TypeString}),
			parameter("pois", "false leaves points of interest out", &huma.Schema{Type: huma.TypeBoolean}),
		},
		Responses: answers("application/json", &huma.Schema{Type: huma.TypeObject}),
	}
}

func tileJSONDoc(b *binding) huma.Operation {
	return huma.Operation{
		Summary: "TileJSON of a region", Tags: []string{"maps"},
		Parameters: []*huma.Param{pathParam("territory", "identifier of the region", huma.TypeString)},
		Responses:  answers("application/json", schema[tiles.TileJSON](b)),
	}
}

func glyphsDoc() huma.Operation {
	return huma.Operation{
		Summary: "Glyphs of labels", Tags: []string{"maps"},
		Parameters: []*huma.Param{pathParam("fontstack", "font names, comma-separated", huma.TypeString), pathParam("range", "such as 0-255.pbf", huma.TypeString)},
		Responses:  answers(tiles.GlyphType, binary()),
	}
}

// served gives the maps in service.
func served(ctx context.Context) (*tiles.Maps, error) {
	w, err := worldOf(ctx)
	if err != nil {
		return nil, err
	}
	if w.Maps() == nil {
		return nil, fault.New(fault.NotFound, "no map is served here: the region was built without one")
	}
	return w.Maps(), nil
}

func (a *API) tile(w http.ResponseWriter, r *http.Request) error {
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
	h.Set("Cache-Control", "public, max-age=3600")
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
	h.Set("Content-Length", itoa(len(t.Data)))
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

func (a *API) style(w http.ResponseWriter, r *http.Request) error {
	m, err := served(r.Context())
	if err != nil {
		return err
	}
	q := r.URL.Query()
	look := tiles.Look{Theme: tiles.Theme(q.Get("theme")), Language: q.Get("language"), HidePOIs: q.Get("pois") == "false"}
	base := a.base(r)
	style, err := m.Style(base, r.PathValue("territory"), look)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", keeping(base))
	return writeJSON(w, http.StatusOK, "application/json", style)
}

// keeping says how an answer with addresses may be kept: not at all where they
// hold the caller's key.
func keeping(b tiles.Base) string {
	if b.Key != "" {
		return "no-store"
	}
	return "no-cache"
}

func (a *API) tileJSON(w http.ResponseWriter, r *http.Request) error {
	m, err := served(r.Context())
	if err != nil {
		return err
	}
	base := a.base(r)
	doc, err := m.TileJSON(base, r.PathValue("territory"))
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", keeping(base))
	return writeJSON(w, http.StatusOK, "application/json", doc)
}

func (a *API) glyphs(w http.ResponseWriter, r *http.Request) error {
	m, err := served(r.Context())
	if err != nil {
		return err
	}
	data, err := m.Glyphs(r.PathValue("fontstack"), r.PathValue("range"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", tiles.GlyphType)
	w.Header().Set("Cache-Control", "public, max-age=86400")
	w.Header().Set("Content-Length", itoa(len(data)))
	_, err = w.Write(data)
	return err
}

// base is the address of this server as the caller sees it: the configured
// one, or the one the request was sent to.
func (a *API) base(r *http.Request) tiles.Base {
	b := tiles.Base{URL: a.options.BaseURL}
	if b.URL == "" {
		scheme := "http"
		if r.TLS != nil || a.trusted(peer(r)) && r.Header.Get("X-Forwarded-Proto") == "https" {
			scheme = "https"
		}
		b.URL = scheme + "://" + r.Host
	}
	b.Key = r.URL.Query().Get("api_key")
	return b
}
