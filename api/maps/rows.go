// Package maps is the endpoints that maps are drawn from: tiles, styles, fonts.
package maps

import (
	"net/http"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/feature/staticmap"
	"github.com/waygate/waygate/feature/styles"
	"github.com/waygate/waygate/feature/territories"
	"github.com/waygate/waygate/feature/tiles"
)

// Deps are the dependencies of the endpoints.
type Deps struct {
	Base   func(*http.Request) string // address of this server as the caller sees it
	Styles *styles.Service

	Territories *territories.Service // nil has none
	Downloads   Downloads            // that layers are counted on
	Upgrade     func() string        // address where more is bought; "" is nowhere

	Clouds *pointclouds.Service // nil has none

	Website string             // its address
	Images  *staticmap.Service // that draws maps
}

// How long answers may be kept. What an address with a version answers does not change, but
// for the names of the region's data in a style.
const (
	fiveMinutes = "public, max-age=300"
	anHour      = "public, max-age=3600"
	aDay        = "public, max-age=86400"
	forDays     = "public, max-age=86400, immutable"
	forEver     = "public, max-age=31536000, immutable"
)

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	const get, post = http.MethodGet, http.MethodPost
	const keyed, public, standard, free = edge.Keyed, edge.Public, edge.Standard, edge.Free
	h := hosted{d.Base}
	s := hostedStyles{h, d.Styles}
	o := offline{d.Territories, d.Downloads, d.Upgrade}
	i := staticMaps{h, d.Website, d.Styles, d.Images}
	image := edge.Row{Media: "image/png", Auth: keyed, Maps: true, Class: edge.PerImage, Path: "/v1/static-map"}
	demo := edge.Row{Media: "image/png", Auth: public, Keyless: true, Class: free, Host: edge.Website, Path: "/api/static-map"}
	as := func(row edge.Row, method string) edge.Row {
		row.Method, row.Doc = method, staticDoc(method == post)
		if method == get && row.Auth == keyed {
			row.Signed = edge.Whole
		}
		return edge.Read(row, readStatic, i.image)
	}
	return []edge.Row{
		edge.Write(edge.Row{Method: get, Path: "/tiles/{territory}/{z}/{x}/{y}.mvt", Signed: 1, Auth: keyed, Maps: true, Class: standard, Media: tiles.ContentType, Cache: anHour, Doc: tileDoc("")}, tile),
		edge.Write(edge.Row{Method: get, Path: "/tiles/{territory}/{z}/{x}/{y}.pbf", Signed: 1, Auth: keyed, Maps: true, Class: standard, Media: tiles.ContentType, Cache: anHour, Doc: tileDoc(" (other name)")}, tile),
		edge.Write(edge.Row{Method: get, Path: "/tiles/{territory}/style.json", Signed: 1, Auth: keyed, Maps: true, Tagged: true, Class: standard, Doc: styleDoc}, h.style),
		edge.Write(edge.Row{Method: get, Path: "/tiles/{territory}/tiles.json", Signed: 1, Auth: keyed, Maps: true, Tagged: true, Class: standard, Doc: tileJSONDoc}, h.tileJSON),
		edge.Write(edge.Row{Method: get, Path: "/fonts/{fontstack}/{range}", Auth: public, Maps: true, Tagged: true, Class: free, Media: tiles.GlyphType, Cache: aDay, Doc: glyphsDoc}, glyphs),
		edge.Write(edge.Row{Method: get, Path: "/sprite/{file}", Auth: public, Maps: true, Tagged: true, Class: free, Media: "image/png", Cache: aDay, Doc: spriteDoc}, icons),
		edge.Write(edge.Row{Method: get, Path: "/territories", DropUnknown: true, Auth: keyed, Class: standard, Cache: edge.NoCache, Doc: territoriesDoc}, o.index),
		edge.Write(edge.Row{Method: get, Path: "/territories/index.sig", DropUnknown: true, Auth: keyed, Class: standard, Media: "text/plain", Cache: edge.NoCache, Doc: indexSigDoc}, o.indexSignature),
		edge.Write(edge.Row{Method: get, Path: "/territories/{id}/{version}/manifest", DropUnknown: true, Auth: keyed, Class: standard, Cache: forDays, Doc: manifestDoc}, o.manifest),
		edge.Write(edge.Row{Method: get, Path: "/territories/{id}/{version}/manifest.sig", DropUnknown: true, Auth: keyed, Class: standard, Media: "text/plain", Cache: forDays, Doc: manifestSigDoc}, o.manifestSignature),
		edge.Write(edge.Row{Method: get, Path: "/territories/{id}/{version}/layers/{addr}/{file}", DropUnknown: true, Auth: edge.Verified, Class: edge.Downloads, Streams: true, Media: "application/octet-stream", Cache: "private, max-age=31536000, immutable", Doc: layerDoc}, o.layer),

		edge.Write(edge.Row{Method: get, Path: "/pointclouds/{dataset}/{file}", Signed: 2, DropUnknown: true, Auth: keyed, Class: edge.PerChunk, Streams: true, Media: "application/octet-stream", Cache: "private, no-cache", Doc: cloudDoc}, clouds{d.Clouds}.file),

		edge.On(edge.Row{Method: post, Host: edge.Website, Path: "/api/map-as-text", Effort: engine.Estimate{Kind: "map-as-text", Work: 4 * time.Millisecond, Bytes: 8 << 20, Cores: 1, Cheaper: "a smaller radius"}, Auth: public, Keyless: true, Class: free, Doc: schematicDoc}, mapAsText),
		as(image, get), as(image, post), as(demo, get), as(demo, post),

		edge.Write(edge.Row{Method: post, Path: "/styles", Auth: keyed, Class: standard, Status: http.StatusCreated, Doc: publishDoc}, s.publish),
		edge.Write(edge.Row{Method: get, Path: "/styles", Auth: keyed, Maps: true, Class: standard, Doc: listDoc}, s.list),
		edge.Write(edge.Row{Method: get, Path: "/styles/{spec}", Signed: edge.Whole, Auth: public, Maps: true, Tagged: true, Class: free, Doc: hostedDoc}, s.compiled),
		edge.Write(edge.Row{Method: post, Path: "/api/style-preview", Host: edge.Website, Auth: public, Keyless: true, Class: free, BeyondContract: true, Cache: edge.NoStore, Doc: previewDoc}, s.preview),
		edge.Write(edge.Row{Method: get, Path: "/styles/{spec}/theme", Auth: public, Maps: true, Tagged: true, Class: free, Doc: themeDoc}, s.theme),
	}
}
