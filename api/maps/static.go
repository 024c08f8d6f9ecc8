package maps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/edge/httpfile"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/staticmap"
	"github.com/waygate/waygate/feature/styles"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/style"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
)

// staticMaps is the endpoints of images.
type staticMaps struct {
	hosted
	website string // address of the website
	styles  *styles.Service
	draws   *staticmap.Service
}

// staticIn is a request for an image.
type staticIn struct {
	*staticmap.Request
	noneMatch string
}

func staticDoc(post bool) edge.Doc {
	d := edge.Doc{
		Summary: "An image of a map", Tags: []string{"maps"}, Fails: []int{http.StatusNotFound, http.StatusRequestURITooLong, http.StatusNotImplemented, http.StatusGatewayTimeout},
		Description: "Drawn as MapLibre draws it, with routes, GeoJSON and markers on it. Without `center` and `bbox` all that is drawn on the map is seen in full. " +
			"The notice at the bottom right is always drawn; an image too narrow for it is refused with the minimum width. A query has at most 8,000 bytes. What is refused, and a 304, costs nothing.",
		Headers: map[string]string{"ETag": "changes with the image", "Cache-Control": "a day and for good with a built-in theme or a version of a style, five minutes with the newest version of one", edge.WarningsHeader: "a parameter that is not known and had no effect, or a pitch that was capped, one header for each"},
		Answers: []edge.Answer{{Media: "image/png"}, {Media: "image/webp"}, {Media: "image/jpeg"}, {Status: http.StatusNotModified, Description: "not changed"}},
	}
	for _, p := range staticmap.Parameters {
		d.Params = append(d.Params, &schema.Parameter{Name: p.Name, In: "query", Description: p.Doc, Schema: &schema.Schema{Type: schema.String}})
	}
	if post {
		d.Summary = "An image of a map with GeoJSON on it"
		d.Description += " The body, of at most 512,000 bytes, is a Feature, a FeatureCollection, a geometry or a list of these. Each value is painted as its own simplestyle properties say, a collection as those of its first feature."
	}
	d.Params = append(d.Params, &schema.Parameter{Name: "If-None-Match", In: "header", Description: "entity tags of images that the caller has", Schema: &schema.Schema{Type: schema.String}})
	return d
}

// readStatic reads a request for an image.
func readStatic(r *http.Request) (*staticIn, error) {
	var body []byte
	if r.Method == http.MethodPost {
		var err error
		var tooLarge *http.MaxBytesError
		if body, err = edge.Body(r); err != nil && !errors.As(err, &tooLarge) {
			return nil, err
		}
		if len(body) > staticmap.MaxBody || err != nil {
			return nil, fault.New(fault.TooLarge, "the body is larger than the limit of %d bytes", staticmap.MaxBody).With("limit_bytes", staticmap.MaxBody)
		}
	}
	in, err := staticmap.Read(r.URL.RawQuery, body)
	return &staticIn{in, r.Header.Get("If-None-Match")}, err
}

// image answers with one.
func (s staticMaps) image(w http.ResponseWriter, r *http.Request, in *staticIn) error {
	on, kept, err := s.drawnOn(r, in.Request)
	if err != nil {
		return err
	}
	p, err := s.draws.Picture(in.Request, on)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Cache-Control", kept)
	for _, warning := range in.Warnings {
		h.Add(edge.WarningsHeader, warning)
	}
	call := edge.CallOf(r.Context())
	if httpfile.Matches(in.noneMatch, p.ETag) {
		call.Use(0)
	}
	if httpfile.NotModified(w, in.noneMatch, p.ETag) {
		return nil
	}
	image, err := s.draws.Draw(r.Context(), p, call.Key() == nil)
	if err != nil {
		h.Del(edge.WarningsHeader)
		return err
	}
	h.Set("Content-Type", p.Media)
	h.Set("Content-Length", strconv.Itoa(len(image)))
	_, err = w.Write(image)
	return err
}

// drawnOn returns the map of an image, and how long it may be kept.
func (s staticMaps) drawnOn(r *http.Request, in *staticmap.Request) (on staticmap.Map, kept string, err error) {
	ctx := r.Context()
	spec := cmp.Or(in.Style, style.Default)
	for _, own := range []string{s.base(r), s.website} {
		if rest, ok := strings.CutPrefix(spec, own+"/styles/"); ok && own != "" {
			spec = rest
		}
	}
	if strings.Contains(spec, "://") {
		return s.elsewhere(ctx, in, spec)
	}
	published, err := s.find(ctx, spec)
	if err != nil {
		return on, "", err
	}
	look, err := s.styles.ResolveTheme(ctx, published.Theme)
	if err != nil {
		return on, "", err
	}
	if in.Language != nil {
		look.Language = *in.Language
	}
	if in.POIs != nil {
		look.Show("pois", *in.POIs)
		look.Show("stations", *in.POIs)
	}
	if in.Buildings {
		look.Show("buildings_3d", true)
	}
	current, err := edge.WorldOf(ctx)
	if err != nil {
		return on, "", err
	}
	id, err := current.Shown(in.Camera().View(in.Width, in.Height))
	if err != nil {
		return on, "", err
	}
	m, err := served(ctx, id)
	if err != nil {
		return on, "", err
	}
	doc, err := m.Style(ctx, tiles.Base{URL: staticmap.Origin}, id, look)
	if err != nil {
		return on, "", err
	}
	source := doc.Sources[style.SourceName]
	for i := range source.Tiles {
		source.Tiles[i] += "?v=" + m.Version(id) // another one's are other tiles
	}
	kept = forDays
	if published.Version > 0 && !strings.Contains(spec, "@") {
		kept = fiveMinutes
	}
	return staticmap.Map{Style: doc, Attribution: named(current, id, &doc), Around: doc.Sources[style.GlobeName].Attribution, Fetch: pieces{m}.fetch}, kept, nil
}

// named is whose data an image of a region shows: not the heights where the style
// draws none.
func named(w *world.World, id string, doc *style.Document) string {
	relief := slices.ContainsFunc(doc.Layers, func(l style.Layer) bool { return l.Type == "hillshade" })
	for _, r := range w.Regions() {
		if r.ID == id && !w.Maps().Hosted(id) && !relief && len(r.Attribution) > 0 {
			return strings.Join(slices.DeleteFunc(slices.Clone(r.Attribution), func(whose string) bool { return whose == "Heights: "+r.Elevation }), " · ")
		}
	}
	return doc.Sources[style.SourceName].Attribution
}

// elsewhere returns the map of a style on another server, in which nothing of ours
// can be chosen.
func (s staticMaps) elsewhere(ctx context.Context, in *staticmap.Request, address string) (on staticmap.Map, kept string, err error) {
	if in.Language != nil || in.POIs != nil || in.Buildings {
		return on, "", fault.Invalid(fault.Violation{Location: "style", Value: fault.Clip(address), Message: "decides for itself: lang, pois and buildings3d are for themes and hosted styles"})
	}
	on, err = s.draws.Foreign.Map(ctx, address)
	return on, fiveMinutes, err
}

// find returns a style of the caller: who has a key draws with its own, who has none
// with any that is published.
func (s staticMaps) find(ctx context.Context, spec string) (*styles.Style, error) {
	found, err := s.styles.Find(ctx, spec)
	key := edge.CallOf(ctx).Key()
	if err != nil || found.Version == 0 || key == nil {
		return found, err
	}
	own, err := s.styles.Owns(ctx, found.ID, key.ID)
	if err == nil && !own {
		err = fault.New(fault.NotFound, "no style %q of this key is hosted here", fault.Clip(spec))
	}
	return found, err
}

// pieces serves the page the files that a style of our own names.
type pieces struct{ maps *tiles.Maps }

func (p pieces) fetch(ctx context.Context, address *url.URL) (*staticmap.Resource, error) {
	parts := strings.Split(strings.TrimPrefix(address.Path, "/"), "/")
	switch {
	case address.Scheme+"://"+address.Host != staticmap.Origin:
	case len(parts) == 5 && parts[0] == "tiles":
		return p.tile(ctx, parts[1:])
	case len(parts) == 3 && parts[0] == "fonts":
		data, err := p.maps.Glyphs(parts[1], parts[2])
		return &staticmap.Resource{Header: http.Header{"Content-Type": {tiles.GlyphType}}, Body: data}, err
	case len(parts) == 2 && parts[0] == "sprite":
		file, err := tiles.Sprite(parts[1])
		return &staticmap.Resource{Header: http.Header{"Content-Type": {file.Media}}, Body: file.Data}, err
	}
	return nil, fmt.Errorf("nothing is known of %s", address.Redacted())
}

func (p pieces) tile(ctx context.Context, at []string) (*staticmap.Resource, error) {
	var n [3]int
	for i, text := range []string{at[1], at[2], strings.TrimSuffix(at[3], ".mvt")} {
		var err error
		if n[i], err = strconv.Atoi(text); err != nil {
			return nil, err
		}
	}
	t, err := p.maps.Tile(ctx, at[0], n[0], n[1], n[2])
	switch {
	case err != nil:
		return nil, err
	case len(t.Data) == 0:
		return &staticmap.Resource{Status: http.StatusNoContent}, nil
	}
	if t.Data, err = t.Unpacked(); err != nil {
		return nil, err
	}
	return &staticmap.Resource{Header: http.Header{"Content-Type": {tiles.ContentType}}, Body: t.Data}, nil
}
