// Package edge has the parts that all endpoints share over HTTP: the rows of the table,
// admission and metering, OpenAPI and access from other origins. It depends on no endpoint. A handler reads, calls one feature and returns; failures are
// written here.
package edge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/api/edge/httpfile"
	"github.com/waygate/waygate/api/edge/metrics"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
)

// Options configure the edge. Acquire, Gate, Session and Payments are required;
// the rest has good zero values.
type Options struct {
	// Acquire gives the World to answer from, nil while there is none, and
	// the function that lets go of it.
	Acquire func() (*world.World, func())

	Gate     *meter.Gate
	Session  func(ctx context.Context, token string) (*account.Identity, error) // whose a session of the console is
	Payments *x402.Payments

	Scheduler  *scheduled.Scheduler // that admits the engines' calls, for the metrics; nil where none does
	Metrics    *metrics.Metrics     // what the engines are counted in too; nil makes them
	Version    string               // of the gateway
	BaseURL    string               // public address without a slash at the end; "" is relative
	WebsiteURL string               // of the companion website; "" is BaseURL
	Lost       http.Handler         // the page for who follows a link to nowhere in a browser; nil has a problem
	AdminToken string               // opens the operator's endpoints; "" leaves them shut
	DemoRPM    int                  // keyless calls a minute for one client network, as the gate has it; 0 closes the lane

	// Backlog, where it is not nil, returns how many e-mails and webhooks wait
	// and how many were given up, for the metrics.
	Backlog func(context.Context) (waiting, failed int64, err error)

	Feeds *feed.Set // for the metrics; nil has none

	// Jobs, where it is not nil, returns the state of the queue of jobs, for the metrics.
	Jobs func(context.Context) (metrics.Jobs, error)

	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	MaxBody        int64          // bytes; 0 is 1 MiB
	RequestTimeout time.Duration  // 0 is 30 s
	Log            *slog.Logger   // nil is slog.Default
	Requests       *slog.Logger   // has a line for each request that did not fail here; nil is Log
	Now            func() time.Time
}

// The defaults of options.
const (
	DefaultMaxBody        = int64(1 << 20)
	DefaultRequestTimeout = 30 * time.Second
)

// Edge answers requests by the rows that are mounted on it.
type Edge struct {
	options  Options
	log      *slog.Logger
	requests *slog.Logger
	metrics  *metrics.Metrics
	guard    *guard
	bodies   *bodies
	rows     []Row
	secret   []string // how paths begin whose rest no log shows
	mux      *http.ServeMux
	document []byte
	older    func() []byte // document in OpenAPI 3.0, written when it is first asked for
	handler  http.Handler
	inside   http.Handler // of calls that do not come over HTTP
}

// New makes an edge without rows.
func New(o Options) (*Edge, error) {
	if o.Acquire == nil || o.Gate == nil || o.Session == nil || o.Payments == nil {
		return nil, errors.New("edge: Acquire, Gate, Session and Payments are required")
	}
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.RequestTimeout == 0 {
		o.RequestTimeout = DefaultRequestTimeout
	}
	if o.WebsiteURL == "" {
		o.WebsiteURL = o.BaseURL
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Metrics == nil {
		o.Metrics = metrics.New(o.Version)
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Requests == nil {
		o.Requests = o.Log
	}
	e := &Edge{
		options: o, log: o.Log, requests: o.Requests, metrics: o.Metrics, mux: http.NewServeMux(),
	}
	e.bodies = &bodies{edge: e, largeBodies: make(chan struct{}, largeBodies)}
	e.guard = &guard{
		edge: e, publicCallers: newNetworkLimiter(publicPerMinute, o.Now), payers: newNetworkLimiter(payersPerMinute, o.Now), links: newLinks(o.Now),
		admin: newAdminAuth(o.AdminToken, o.Now),
	}
	if o.Feeds != nil {
		e.metrics.Register(metrics.OfFeeds(o.Feeds))
	}
	if o.Backlog != nil {
		e.metrics.Register(metrics.OfOutbox(o.Backlog, o.Now))
	}
	if o.Jobs != nil {
		e.metrics.Register(metrics.OfJobs(o.Jobs))
	}
	e.metrics.Register(metrics.OfMemory(o.Acquire), metrics.OfDamaged(o.Acquire))
	if o.Scheduler != nil {
		e.metrics.Register(metrics.OfSchedule(o.Scheduler))
	}
	// Tiles come packed from the archive and pass as they are.
	packed, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.SuffixETag(httpfile.GzipTag))
	if err != nil {
		return nil, err
	}
	e.handler = packed(e.observe(e.recovered(crossOrigin(http.HandlerFunc(e.dispatch)))))
	e.inside = e.observe(e.recovered(http.HandlerFunc(e.dispatch)))
	return e, nil
}

// Mount puts rows on the mux and describes them. It is called once; a row that
// is not bound is a defect.
func (e *Edge) Mount(rows []Row) error {
	doc := newDocument(&e.options)
	e.rows = rows
	bySuffix := map[string]*suffixes{}
	for i := range rows {
		row := &rows[i]
		if row.handler == nil {
			return fmt.Errorf("edge: %s has no handler", row.Label())
		}
		row.label = row.Label()
		if row.Secret {
			e.secret = append(e.secret, stem(row.Path)+"/")
		}
		if !row.Operational {
			op := operation(&e.options, doc, *row)
			if tag := unknownTag(op); tag != "" {
				return fmt.Errorf("edge: %s has the tag %s, which is not described", row.Label(), tag)
			}
			doc.Add(row.Method, row.Path, op)
		}
		h := &mounted{row, e.bodies.bounded(row, e.inWorld(e.guard.opened(row, e.guard.guarded(row, e.needing(row, cached(row, tagged(row, row.handler)))))))}
		pattern, name, suffix := row.pattern()
		if suffix == "" {
			for _, path := range row.Also {
				e.mux.Handle(row.Method+" "+path, h)
			}
			e.mux.Handle(pattern, h)
			continue
		}
		if bySuffix[pattern] == nil {
			bySuffix[pattern] = &suffixes{edge: e, name: name, handlers: map[string]http.Handler{}}
			e.mux.Handle(pattern, bySuffix[pattern])
		}
		bySuffix[pattern].handlers[suffix] = h
	}
	var err error
	e.document, err = json.Marshal(doc)
	e.older = sync.OnceValue(func() []byte {
		older, err := schema.Older(e.document)
		if err != nil {
			panic(err) // the document was written above, and can be read
		}
		return older
	})
	return err
}

// ServeHTTP answers a request.
func (e *Edge) ServeHTTP(w http.ResponseWriter, r *http.Request) { e.handler.ServeHTTP(w, r) }

// Metrics serves the metrics in the form of Prometheus.
func (e *Edge) Metrics() http.Handler { return e.metrics.Handler() }

// Rows lists what is mounted.
func (e *Edge) Rows() []Row { return e.rows }

// Document returns the description of the rows in OpenAPI 3.1.
func (e *Edge) Document() []byte { return e.document }

// OlderDocument returns the description in the words of OpenAPI 3.0.
func (e *Edge) OlderDocument() []byte { return e.older() }

// uncached sets Cache-Control so that no cache keeps an answer or a failure.
func uncached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", NoStore)
		next.ServeHTTP(w, r)
	})
}

// cached sets the Cache-Control of a row.
func cached(row *Row, next http.Handler) http.Handler {
	if row.Cache == "" || row.uncacheable() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", row.Cache)
		next.ServeHTTP(w, r)
	})
}

// suffixes is the handler of paths that differ in the suffix of their last segment only,
// such as {y}.mvt and {y}.pbf.
type suffixes struct {
	edge     *Edge
	name     string
	handlers map[string]http.Handler
}

// ServeHTTP takes the suffix off and calls the handler of its row.
func (s *suffixes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	segment := r.PathValue(s.name)
	for suffix, h := range s.handlers {
		bare, ok := strings.CutSuffix(segment, suffix)
		if at := strings.LastIndexByte(segment, '.'); strings.HasPrefix(suffix, ".{") && at >= 0 {
			bare, ok = segment[:at], true
			r.SetPathValue(strings.Trim(suffix, ".{}"), segment[at+1:])
		}
		if ok {
			r.SetPathValue(s.name, bare)
			h.ServeHTTP(w, r)
			return
		}
	}
	refuse(w, r, nowhere(r), s.edge.envelopeFor(r))
}
