// Package api is the HTTP edge: the table of endpoints, admission, problems,
// OpenAPI, metrics. A handler decodes, checks, calls one feature and returns;
// what went wrong is written in one place.
package api

import (
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// Options configure the edge. Acquire is required; the rest has good zero
// values.
type Options struct {
	// Acquire gives the World to answer from, nil while there is none, and
	// the function that lets go of it.
	Acquire func() (*World, func())

	Version string // of the gateway
	Build   string // source revision

	BaseURL    string // public address without a slash at the end; "" is relative
	WebsiteURL string // of the companion website; "" is BaseURL
	Website    fs.FS  // the built website; nil has a plain page instead

	DemoRPM        int            // keyless calls a minute for one address; 0 closes the lane
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	MaxBody        int64          // bytes; 0 is 1 MiB
	RequestTimeout time.Duration  // 0 is 30 s
	Log            *slog.Logger   // nil is slog.Default
	Now            func() time.Time
}

const (
	defaultMaxBody        = 1 << 20
	defaultRequestTimeout = 30 * time.Second
)

// API is the edge, ready to serve.
type API struct {
	options Options
	log     *slog.Logger
	metrics *metrics
	demo    *limiter
	rows    []row
	mux     *http.ServeMux
	openapi []byte
	handler http.Handler
}

// New builds the edge. It fails where the table of endpoints is inconsistent,
// which is a defect.
func New(o Options) (*API, error) {
	if o.MaxBody == 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.RequestTimeout == 0 {
		o.RequestTimeout = defaultRequestTimeout
	}
	if o.WebsiteURL == "" {
		o.WebsiteURL = o.BaseURL
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &API{options: o, log: o.Log, mux: http.NewServeMux(), metrics: newMetrics(o.Version)}
	if a.log == nil {
		a.log = slog.Default()
	}
	if o.DemoRPM > 0 {
		a.demo = newLimiter(o.DemoRPM, demoClients, o.Now)
	}
	if err := a.mount(); err != nil {
		return nil, err
	}
	// Tiles come packed from the archive and pass as they are.
	packed, err := gzhttp.NewWrapper(gzhttp.MinSize(1024))
	if err != nil {
		return nil, err
	}
	a.handler = packed(a.observe(a.recovered(a.crossOrigin(http.HandlerFunc(a.dispatch)))))
	return a, nil
}

// ServeHTTP answers a request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// Swapped counts a change of region, for the metrics.
func (a *API) Swapped(ok bool) { a.metrics.swapped(ok) }
