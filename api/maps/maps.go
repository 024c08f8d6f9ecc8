package maps

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/edge/httpfile"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/style"
)

// OfTerritory names a region.
type OfTerritory struct {
	Territory string `path:"territory" doc:"identifier of the region"`
}

type tileIn struct {
	OfTerritory
	Z         int    `path:"z" doc:"zoom"`
	X         int    `path:"x" doc:"column"`
	Y         int    `path:"y" doc:"row"`
	NoneMatch string `header:"If-None-Match" doc:"entity tags of tiles that the caller has"`
}

func tileDoc(note string) edge.Doc {
	return edge.Doc{
		Summary: "A vector tile" + note, Description: "The map of one square in Mapbox's vector format; 204 where the region has nothing there.", Tags: []string{"maps"}, Headers: map[string]string{"ETag": "changes with the tile, and is another where it is packed", "Vary": "Accept-Encoding"},
		Answers: []edge.Answer{
			{Description: "a vector tile"},
			{Status: http.StatusNoContent, Description: "the map has nothing there"},
			{Status: http.StatusNotModified, Description: "not changed"},
		},
	}
}

type styleIn struct {
	OfTerritory
	Theme    string `query:"theme" enum:"backdrop,dark,dataviz,fleet,light,midnight,navigator-day,navigator-night,outdoor,print,streets" doc:"one that is built in; light by default"`
	Language string `query:"language" maxLength:"35" doc:"of labels where the map has them; by default local names"`
	POIs     *bool  `query:"pois" doc:"false leaves points of interest out"`
}

// ofAddresses is Cache-Control of what holds addresses.
const ofAddresses = "no-cache, or no-store where the addresses hold the key of the call or are signed"

var styleDoc = edge.Doc{
	Summary: "A MapLibre style for a region", Description: "How a map of the region is drawn, with the addresses of its tiles, its letters and whom to name. By a signed address the tiles have signed addresses too, so that a page needs no key.", Tags: []string{"maps"}, Headers: map[string]string{"Cache-Control": ofAddresses}, Answers: []edge.Answer{{}},
}

var tileJSONDoc = edge.Doc{
	Summary: "TileJSON of a region", Description: "Where the region's tiles are, their zooms and bounds, and the age of the data. By a signed address the tiles have signed addresses too.", Tags: []string{"maps"}, Headers: map[string]string{"Cache-Control": ofAddresses},
	Answers: []edge.Answer{{Type: reflect.TypeFor[tiles.TileJSON]()}},
}

type glyphsIn struct {
	Fonts string `path:"fontstack" doc:"font names, comma-separated"`
	Range string `path:"range" doc:"such as 0-255.pbf"`
}

var glyphsDoc = edge.Doc{Summary: "Glyphs of labels", Description: "The letters of 256 code points in the fonts of a style, as MapLibre asks for them.", Tags: []string{"maps"}, Answers: []edge.Answer{{}}}

// served returns the maps in service, to look at one of a territory; "" for what
// lies in none.
func served(ctx context.Context, territory string) (*tiles.Maps, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	if err := w.InService(territory); err != nil {
		return nil, err
	}
	if w.Maps() == nil {
		return nil, fault.New(fault.NotFound, "no map is served here: the region was built without one")
	}
	return w.Maps(), nil
}

func tile(w http.ResponseWriter, r *http.Request, in *tileIn) error {
	m, err := served(r.Context(), in.Territory)
	if err != nil {
		return err
	}
	t, err := m.Tile(r.Context(), in.Territory, in.Z, in.X, in.Y)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Vary", "Accept-Encoding")
	if httpfile.NotModified(w, in.NoneMatch, t.ETag) {
		return nil
	}
	switch {
	case len(t.Data) == 0:
		w.WriteHeader(http.StatusNoContent)
		return nil
	case t.Gzip && httpfile.AcceptsGzip(r):
		h.Set("Content-Encoding", "gzip")
		h.Set("ETag", httpfile.GzippedTag(t.ETag))
	default:
		if t.Data, err = t.Unpacked(); err != nil {
			return err
		}
	}
	h.Set("Content-Type", tiles.ContentType)
	h.Set("Content-Length", strconv.Itoa(len(t.Data)))
	_, err = w.Write(t.Data)
	return err
}

// styleEffort is about what it takes to make a style.
var styleEffort = engine.Estimate{Kind: "style", Work: 2 * time.Millisecond, Bytes: 2 << 20, Cores: 1}

func (h hosted) style(w http.ResponseWriter, r *http.Request, in *styleIn) error {
	m, err := served(r.Context(), in.Territory)
	if err != nil {
		return err
	}
	theme, ok := style.Builtin(cmp.Or(in.Theme, style.Default))
	if !ok {
		return fault.Invalid(fault.Violation{Location: "query.theme", Value: in.Theme, Message: "must be one of " + strings.Join(style.Names(), ", ")})
	}
	base := h.from(r)
	w.Header().Set("Cache-Control", keeping(base))
	return edge.Respond(w, r, http.StatusOK, styleEffort, func(ctx context.Context) (any, error) {
		look, problems := style.Resolve(theme, nil)
		if len(problems) > 0 {
			return nil, fmt.Errorf("theme %s: %v", in.Theme, problems)
		}
		look.Language = in.Language
		if in.POIs != nil && !*in.POIs {
			look.Hide("pois")
			look.Hide("stations")
		}
		return m.Style(ctx, base, in.Territory, look)
	})
}

// keeping returns how an answer with addresses may be kept: not at all where they
// hold the caller's key or expire.
func keeping(b tiles.Base) string {
	if b.Key != "" || b.Sign != nil {
		return "no-store"
	}
	return "no-cache"
}

func (h hosted) tileJSON(w http.ResponseWriter, r *http.Request, in *OfTerritory) error {
	m, err := served(r.Context(), in.Territory)
	if err != nil {
		return err
	}
	base := h.from(r)
	doc, err := m.TileJSON(r.Context(), base, in.Territory)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", keeping(base))
	return edge.WriteJSON(w, http.StatusOK, doc)
}

func glyphs(w http.ResponseWriter, r *http.Request, in *glyphsIn) error {
	m, err := served(r.Context(), "")
	if err != nil {
		return err
	}
	data, err := m.Glyphs(in.Fonts, in.Range)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", tiles.GlyphType)
	_, err = w.Write(data)
	return err
}

type spriteIn struct {
	File string `path:"file" doc:"sprite.json, sprite.png, sprite@2x.json or sprite@2x.png; with a version after sprite, as styles name them, for good"`
}

var spriteDoc = edge.Doc{Summary: "Icons of map styles", Description: "The icons of points of interest, called by the kinds they stand for, as MapLibre asks for them: a picture and the places of the icons in it, for plain and for fine screens. They are signed distance fields, which a style gives its colours.", Tags: []string{"maps"}, Headers: map[string]string{"Cache-Control": aDay + "; " + forEver + " where the name has the version of the icons"}, Answers: []edge.Answer{{Description: "the picture"}, {Description: "where the icons are in it", Media: "application/json"}}}

func icons(w http.ResponseWriter, _ *http.Request, in *spriteIn) error {
	file, err := tiles.Sprite(in.File)
	if err != nil {
		return err
	}
	if file.Pinned {
		w.Header().Set("Cache-Control", forEver)
	}
	w.Header().Set("Content-Type", file.Media)
	_, err = w.Write(file.Data)
	return err
}

// hosted can be asked for its own address.
type hosted struct {
	base func(*http.Request) string // address of this server as the caller sees it
}

func (h hosted) from(r *http.Request) tiles.Base {
	return tiles.Base{URL: h.base(r), Key: r.URL.Query().Get("api_key"), Sign: edge.AddressSigner(r.Context())}
}
