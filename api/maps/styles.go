package maps

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/styles"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/style"
)

// hostedStyles is the endpoints of published styles.
type hostedStyles struct {
	hosted
	styles *styles.Service
}

// PublishStyleIn is a style to publish.
type PublishStyleIn struct {
	Body struct {
		Name  string          `json:"name" minLength:"1" maxLength:"120" doc:"for people; its slug becomes the id"`
		Theme json.RawMessage `json:"theme,omitempty" doc:"a theme document: name, description, extends, colours, roads, widths, labels, sizes, show, kinds; without one the default theme under that name"`
		ID    string          `json:"id,omitempty" maxLength:"80" doc:"an extension: of a style of this key, which gets its next version"`
	}
}

// PublishedStyle is a version of a style.
type PublishedStyle struct {
	ID       string       `json:"id"`
	Version  int64        `json:"version" minimum:"0" doc:"from 1; 0 of a theme that is built in"`
	StyleURL string       `json:"style_url" doc:"address of this version, compiled for MapLibre; its theme never changes, nor does what it extends"`
	Theme    *style.Theme `json:"theme" doc:"as published; what it extends is named with its version"`
}

// ListedStyle is a style of the caller's key.
type ListedStyle struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Version   int64  `json:"version" minimum:"1" doc:"the newest"`
	StyleURL  string `json:"style_url" doc:"address of the newest version, compiled for MapLibre"`
	UpdatedAt string `json:"updated_at" format:"date-time"`
}

// StyleList is the styles of a key.
type StyleList struct {
	Styles []ListedStyle `json:"styles" doc:"in the order of their ids"`
}

var publishDoc = edge.Doc{
	Summary: "Publish a map style", Tags: []string{"maps"}, Fails: []int{http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity},
	Description: "Makes a style of a theme, or with `id` the next version of one that the key owns. A key may have 100 styles of 1,000 versions each. Needs a key. A theme of at most 64 KiB names only what differs from the theme it extends; anything wrong in it is named in `problems` of a 422.",
	Answers:     []edge.Answer{{Type: reflect.TypeFor[PublishedStyle]()}},
	Example:     `{"name":"Harbour","theme":{"extends":"light","colours":{"water":"#7fb2d6"},"roads":{"width":1.2},"show":{"pois":false}}}`,
}

var listDoc = edge.Doc{Summary: "The caller's styles", Description: "The newest version of each style that the key owns. Needs a key.", Tags: []string{"maps"}, Answers: []edge.Answer{{Type: reflect.TypeFor[StyleList]()}}}

var hostedDoc = edge.Doc{
	Summary: "A published style", Tags: []string{"maps"},
	Description: "Compiled for MapLibre, with the tiles of a region. `spec` is an id or the name of a built-in theme, with `@version` for one that never changes; a version of a built-in theme is compiled as it first was, but for where its tiles are. Tiles need a key, which is sent with each of them or, as `api_key`, with this call; by a signed address of this call the tiles have signed addresses.",
	Headers:     map[string]string{"Cache-Control": ofAddresses + "; " + forDays + " of a version"}, Answers: []edge.Answer{{}},
}

var themeDoc = edge.Doc{
	Summary: "The theme of a style", Tags: []string{"maps"},
	Description: "As it was published, to read or to build on. `spec` as of the style.",
	Headers:     map[string]string{"Cache-Control": "no-cache; " + forDays + " of a version"}, Answers: []edge.Answer{{Type: reflect.TypeFor[style.Theme]()}},
}

// SpecIn names a style.
type SpecIn struct {
	Spec string `path:"spec" doc:"id of a style or a built-in theme, with or without @version"`
}

// pinned reports whether the version is named, so that the theme never changes.
func (s *SpecIn) pinned() bool { return strings.Contains(s.Spec, "@") }

// HostedIn is a request for a style.
type HostedIn struct {
	SpecIn
	Territory string `query:"territory" maxLength:"60" doc:"region whose tiles are drawn; by default the first of those served"`
}

func owner(ctx context.Context) (string, error) {
	if k := edge.CallOf(ctx).Key(); k != nil {
		return k.ID, nil
	}
	return "", fault.New(fault.Unauthorized, "styles belong to a key: send one, which POST /v1/keys gives")
}

func (h hostedStyles) publish(w http.ResponseWriter, r *http.Request, in *PublishStyleIn) error {
	key, err := owner(r.Context())
	if err != nil {
		return err
	}
	s, err := h.styles.Publish(r.Context(), styles.Draft{KeyID: key, ID: in.Body.ID, Name: in.Body.Name, Theme: in.Body.Theme})
	if err != nil {
		return err
	}
	return edge.WriteJSON(w, http.StatusCreated, PublishedStyle{s.ID, s.Version, h.address(r, s), s.Theme})
}

func (h hostedStyles) address(r *http.Request, s *styles.Style) string {
	return h.base(r) + "/styles/" + s.Spec()
}

func (h hostedStyles) list(w http.ResponseWriter, r *http.Request, _ *struct{}) error {
	key, err := owner(r.Context())
	if err != nil {
		return err
	}
	of, err := h.styles.Of(r.Context(), key)
	if err != nil {
		return err
	}
	out := StyleList{Styles: []ListedStyle{}}
	for i := range of {
		s := &of[i]
		out.Styles = append(out.Styles, ListedStyle{s.ID, s.Theme.Name, s.Version, h.address(r, s), s.At.Format(time.RFC3339)})
	}
	return edge.WriteJSON(w, http.StatusOK, out)
}

func (h hostedStyles) compiled(w http.ResponseWriter, r *http.Request, in *HostedIn) error {
	ctx := r.Context()
	s, err := h.styles.Find(ctx, in.Spec)
	if err != nil {
		return err
	}
	look, err := h.styles.ResolveTheme(ctx, s.Theme)
	if err != nil {
		return err
	}
	base := h.from(r)
	kept := keeping(base)
	if in.pinned() && base.Key == "" && base.Sign == nil {
		kept = forDays
	}
	w.Header().Set("Cache-Control", kept)
	return edge.Respond(w, r, http.StatusOK, styleEffort, func(ctx context.Context) (any, error) {
		return drawn(ctx, base, in.Territory, look)
	})
}

// drawn compiles a look for the tiles of a region, by default the first of those
// that are served.
func drawn(ctx context.Context, base tiles.Base, territory string, look *style.ResolvedTheme) (style.Document, error) {
	m, err := served(ctx, territory)
	if err != nil {
		return style.Document{}, err
	}
	if territory == "" {
		territory = slices.Min(m.IDs())
	}
	return m.Style(ctx, base, territory, look)
}

func (h hostedStyles) theme(w http.ResponseWriter, r *http.Request, in *SpecIn) error {
	s, err := h.styles.Find(r.Context(), in.Spec)
	if err != nil {
		return err
	}
	kept := edge.NoCache
	if in.pinned() {
		kept = forDays
	}
	w.Header().Set("Cache-Control", kept)
	return edge.Respond(w, r, http.StatusOK, engine.Estimate{}, func(context.Context) (any, error) { return s.Theme, nil })
}
