package staticmap

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"golang.org/x/image/font/gofont/goregular"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/render"
)

// Origin is the address under which the page finds the tiles and letters of a
// style.
const Origin = render.Origin

// Page is the file of the website that draws.
const Page = "static-map.html"

// Service draws. Pool is nil where it cannot, and Why says what is missing.
type Service struct {
	Pool    *render.Pool
	Why     string
	Version string        // of the page; part of every entity tag
	Foreign *Foreign      // styles of other servers; nil takes none
	Public  chan struct{} // has as many places as images may be drawn for callers without a key at once
}

// Resource is the content of an address.
type Resource = render.Resource

// Map has the style and the data that a request is drawn on.
type Map struct {
	Style       any    // for MapLibre
	Attribution string // of its data; HTML
	Around      string // of what is drawn round it; named where there is room
	Foreign     bool   // the style is of another server
	// Fetch answers what the style names.
	Fetch func(ctx context.Context, address *url.URL) (*Resource, error)
}

// Picture is a request with the map that it is drawn on.
type Picture struct {
	Media string
	ETag  string // with its quotes

	job     job
	foreign bool
	fetch   func(context.Context, *url.URL) (*render.Resource, error)
}

// job is the message to the page.
type job struct {
	Style    any        `json:"style"`
	Width    int        `json:"width"`
	Height   int        `json:"height"`
	Ratio    int        `json:"ratio"`
	Center   [2]float64 `json:"center"`
	Zoom     float64    `json:"zoom"`
	Bearing  float64    `json:"bearing"`
	Pitch    float64    `json:"pitch"`
	Overlays []Overlay  `json:"overlays"`
	Markers  []Marker   `json:"markers"`
	Notice   Notice     `json:"notice"`
	Type     string     `json:"type"`
	Quality  float64    `json:"quality"`
}

// Picture puts a request together with its map. It refuses an image without room
// for the notice, and imagery that is not there.
func (s *Service) Picture(r *Request, m Map) (*Picture, error) {
	notice, err := NoticeOf(m.Attribution, r.Width)
	if err != nil {
		return nil, err
	}
	if m.Around != "" {
		whole, err := NoticeOf(m.Attribution+" · "+m.Around, r.Width)
		if err != nil {
			return nil, err
		}
		if whole.Width <= float64(r.Width) {
			notice = whole
		}
	}
	if err := r.fits(notice); err != nil {
		return nil, err
	}
	if r.Satellite {
		return nil, fault.NotEnabled("satellite", "this deployment has no imagery from satellites; leave satellite out").With("field", "satellite")
	}
	c := r.Camera()
	p := &Picture{Media: "image/" + r.Format, fetch: m.Fetch, foreign: m.Foreign, job: job{
		Style: m.Style, Width: r.Width, Height: r.Height, Ratio: r.Ratio, Center: [2]float64{c.Center.Lon, c.Center.Lat}, Zoom: c.Zoom, Bearing: c.Bearing, Pitch: c.Pitch,
		Overlays: append([]Overlay{}, r.Overlays...), Markers: append([]Marker{}, r.Markers...), Notice: notice, Type: "image/" + r.Format, Quality: float64(r.Quality) / 100,
	}}
	text, err := json.Marshal(p.job)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append(text, s.Version...))
	p.ETag = `"` + hex.EncodeToString(sum[:12]) + `"`
	return p, nil
}

// Draw draws a picture. Public says that the caller has no key: then only so many
// are drawn at once.
func (s *Service) Draw(ctx context.Context, p *Picture, public bool) ([]byte, error) {
	if s.Pool == nil {
		return nil, fault.NotEnabled("static-map", "%s", s.Why)
	}
	if public {
		select {
		case s.Public <- struct{}{}:
			defer func() { <-s.Public }()
		default:
			return nil, busy("as many maps are being drawn for callers without a key as may be at once")
		}
	}
	image, err := s.Pool.Image(ctx, render.Job{Data: p.job, Fetch: p.find})
	var page *render.PageError
	switch {
	case err == nil:
		return image, nil
	case errors.Is(ctx.Err(), context.Canceled): // the caller has left
		return nil, ctx.Err()
	case errors.Is(err, render.ErrClosed):
		return nil, fault.Wrap(err, fault.StaticMapUnavailable, "the server is stopping; try again in 2 s").With("retry_after", 2)
	case errors.Is(err, render.ErrBusy):
		return nil, busy("as many maps wait to be drawn as may")
	case errors.As(err, &page) && p.foreign:
		return nil, fault.Invalid(fault.Violation{Location: "style", Message: "could not be drawn: " + fault.Clip(page.Message)})
	}
	return nil, fault.Wrap(err, fault.StaticMapUnavailable, "no image came about in the time that a request has; try again, or with a smaller one")
}

func busy(why string) error {
	return fault.New(fault.RateLimited, "%s; try again in 2 s", why).With("retry_after", 2)
}

// find answers the requests of the page.
func (p *Picture) find(ctx context.Context, address *url.URL) (*render.Resource, error) {
	if address.Scheme+"://"+address.Host == Origin && address.Path == "/notice.ttf" {
		return &render.Resource{Header: http.Header{"Content-Type": {"font/ttf"}}, Body: goregular.TTF}, nil
	}
	if p.fetch == nil {
		return nil, fmt.Errorf("nothing is known of %s", address.Redacted())
	}
	return p.fetch(ctx, address)
}
