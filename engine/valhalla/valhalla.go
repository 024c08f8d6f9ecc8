// Package valhalla asks a remote Valhalla over its HTTP interface, as of
// version 3.6.1: https://valhalla.github.io/valhalla/api/.
package valhalla

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/canary"
	"github.com/waygate/waygate/engine/pooled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/upstream"
	wirejson "github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/wire/valhalla"
)

// MaxAnswer is the longest answer taken from Valhalla, in bytes. A route
// across a continent with all guidance is about ten megabytes.
const MaxAnswer = 128 << 20

// Engine is a remote Valhalla: one server or several with the same tiles. It implements
// engine.Engine.
type Engine struct {
	pool   *upstream.Pool
	to     sender
	canary *canary.Source // nil has none
}

// sender sends requests: to all servers, or to one of them.
type sender interface {
	Send(ctx context.Context, r *upstream.Request) ([]byte, error)
}

var _ interface {
	engine.Engine
	engine.Watcher
} = (*Engine)(nil)

// New makes an engine of the Valhalla at baseURL (http://host:8002, with or
// without a path and a trailing slash). A nil client is one with connections
// kept for reuse and a limit of a minute on each request; the context of a
// request may set a shorter one.
func New(baseURL string, client upstream.Doer) *Engine {
	return NewPool([]string{baseURL}, upstream.PoolOptions{Client: client}, nil)
}

// NewPool makes an engine of Valhallas that answer alike. Options' Probe is the engine's, and
// Most is MaxAnswer where it is 0. A server with another version or other tiles is compared
// with one that has those before by the questions of a source; nil compares none.
func NewPool(addresses []string, o upstream.PoolOptions, questions *canary.Source) *Engine {
	o.Most, o.Probe = cmp.Or(o.Most, MaxAnswer), probe
	if questions != nil {
		o.Agree = func(ctx context.Context, fresh, old *upstream.ProbedServer) error {
			every := func(costing.Costing) bool { return true }
			return questions.Compare(ctx, every, canary.Of(&Engine{to: old}), canary.Of(&Engine{to: fresh}))
		}
	}
	pool := upstream.NewPool("the routing engine", addresses, o)
	return &Engine{pool: pool, to: pool, canary: questions}
}

// Watch probes the servers until ctx ends.
func (e *Engine) Watch(ctx context.Context) { e.pool.Watch(ctx) }

// Servers returns the state of each server for the metrics.
func (e *Engine) Servers() []upstream.State { return e.pool.States() }

// Can returns the abilities of a stock Valhalla. It accepts adr_tunnel_code and ignores it,
// and draws native lines as polylines of six digits whatever ShapeFormat says.
func (e *Engine) Can() engine.Can {
	return engine.Can{Name: "valhalla", Calls: engine.Calls(), Vehicles: true, ExcludedPlaces: true, MatchConditions: true, UnknownMembers: true, Doubts: doubt}
}

// Memory is none here: what Valhalla keeps is its own.
func (e *Engine) Memory() int64 { return 0 }

// Estimate is of memory alone: the server far away does the work, and knows its
// own limits.
func (e *Engine) Estimate(_ engine.Call, request any) engine.Estimate {
	x := engine.Estimate{Answer: answerBytes}
	switch r := request.(type) {
	case *engine.RouteRequest:
		x.Answer *= int64(1 + r.Alternates)
	case *engine.MatrixRequest:
		x.Answer += cellBytes * int64(len(r.Sources)*len(r.Targets))
	case *engine.MatchRequest:
		x.Answer += positionBytes * int64(len(r.Trace))
	}
	x.Bytes = 2 * x.Answer // as it came, and as it goes out
	return x
}

// What a remote answer takes: of itself, for each cell of a matrix and for each
// position of a trace.
const (
	answerBytes   = 256 << 10
	cellBytes     = 120
	positionBytes = 1 << 10
)

// Status is of the first server that works, and lists all.
func (e *Engine) Status(ctx context.Context) (engine.Status, error) {
	var s engine.Status
	return s, pooled.Add(&s, "valhalla", "", e.pool.Check(ctx))
}

// probe requests the version and the age of the tiles.
func probe(ctx context.Context, server *upstream.ProbedServer) (upstream.Info, error) {
	body, err := server.Send(ctx, &upstream.Request{Path: "/status", Body: []byte("{}"), Judge: judge("{")})
	if err != nil {
		return upstream.Info{}, err
	}
	var answer struct {
		Version string `json:"version"`
		Tiles   int64  `json:"tileset_last_modified"` // Unix time
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return upstream.Info{}, fault.Wrap(err, fault.Upstream, "the routing engine's status is not readable").With("upstream_status", http.StatusOK)
	}
	info := upstream.Info{Version: answer.Version}
	if answer.Tiles > 0 {
		info.Data = time.Unix(answer.Tiles, 0).UTC()
	}
	return info, nil
}

// Route passes the request on. In the native format Raw is what Valhalla
// answered, unread but for being an answer to the request. In OSRM's it is Valhalla's own OSRM
// format, altered as osrmAnswer says.
//
// Valhalla narrates in en-US, and does not say so, for a language it does not
// know; its native shapes are polylines of six digits whatever ShapeFormat
// says. It tells of no edges and no tunnels.
func (e *Engine) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	a, err := e.route(ctx, r)
	if err == nil {
		e.canary.Add(r)
	}
	return a, err
}

func (e *Engine) route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	body, err := e.post(ctx, "/route", routeBody(r))
	if err != nil {
		return nil, err
	}
	if r.Format != engine.OSRM {
		if err := checkTrip(body, r); err != nil {
			return nil, err
		}
		return routeAnswer(body, r.Want, &r.Output)
	}
	if err := checkWaypoints(body, r.Locations); err != nil {
		return nil, err
	}
	if body, err = osrmAnswer(body, &r.Output); err != nil {
		return nil, fault.Wrap(err, fault.Upstream, "the routing engine's answer is not a route in OSRM's format").With("upstream_status", http.StatusOK)
	}
	return routeAnswer(body, r.Want, &r.Output)
}

// routeAnswer returns an answer as it came, where it is to be written, and what was
// read of it, where somebody reads it.
func routeAnswer(body []byte, want engine.Want, o *engine.Output) (*engine.RouteAnswer, error) {
	a := &engine.RouteAnswer{}
	if o.Format != engine.NoFormat {
		a.Raw = body
	}
	if a.Raw != nil && want == 0 {
		return a, nil
	}
	read := valhalla.ReadRoutes
	if o.Format == engine.OSRM {
		read = osrm.ReadRoutes
	}
	var err error
	a.Routes, a.Language, err = read(body, o)
	return a, err
}

// post sends one request and gives the JSON object it was answered with.
func (e *Engine) post(ctx context.Context, path string, request any) ([]byte, error) {
	return e.ask(ctx, path, request, "{")
}

// postList is post for what is answered with a JSON list.
func (e *Engine) postList(ctx context.Context, path string, request any) ([]byte, error) {
	return e.ask(ctx, path, request, "[")
}

// ask sends one request and gives the JSON value it was answered with, which
// must open as configured.
func (e *Engine) ask(ctx context.Context, path string, request any, opening string) ([]byte, error) {
	payload, err := json.Marshal(request)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the request to the routing engine could not be written")
	}
	body, err := e.to.Send(ctx, &upstream.Request{Path: path, Body: payload, Judge: judge(opening)})
	if engine.Code(err) == codeNoAction {
		return nil, engine.NotEnabled(strings.TrimPrefix(path, "/")) // the request is in order
	}
	return body, err
}

// codeNoAction is the error_code of a Valhalla that is not configured to answer a call, and of
// an address with a wrong path.
const codeNoAction = 106

// judge returns the judgement of an answer, which must be a JSON value that opens so. A
// server has failed where it says so, and where it answers what no Valhalla does.
func judge(opening string) func(status int, body []byte) (failed bool, err error) {
	return func(status int, body []byte) (failed bool, err error) {
		if status != http.StatusOK {
			return refusal(status, body)
		}
		isError := false
		valid := wirejson.Each(body, []string{"error_code", "error"}, func(wirejson.Place) { isError = true })
		switch {
		case !valid || !bytes.HasPrefix(bytes.TrimSpace(body), []byte(opening)):
			what := map[string]string{"{": "object", "[": "list"}[opening]
			return true, fault.New(fault.Upstream, "the routing engine answered %d bytes that are not a JSON %s", len(body), what).With("upstream_status", status)
		case isError:
			return refusal(status, body)
		}
		return false, nil
	}
}

// refusal reads an error in either of Valhalla's envelopes: its own, or that
// of its OSRM format, which has fewer codes. failed says that another server may do better.
func refusal(status int, body []byte) (failed bool, err error) {
	var answer struct {
		Number  int    `json:"error_code"`
		Text    string `json:"error"`
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	unreadable := json.Unmarshal(body, &answer) != nil
	if answer.Text == "" {
		answer.Text = answer.Message
	}
	own := answer.Number != 0 || answer.Code != ""
	if status == http.StatusOK && own {
		status = http.StatusBadRequest // Valhalla refuses by status
	}
	if answer.Number == 0 {
		answer.Number = map[string]int{
			"NoRoute": engine.CodeNoRoute, "NoSegment": engine.CodeNoSegment, "DistanceExceeded": engine.CodeTooFar,
		}[answer.Code]
	}
	switch {
	case unreadable || answer.Text == "":
		return true, fault.New(fault.Upstream, "the routing engine answered with status %d and no reason", status).With("upstream_status", status)
	case status >= 500 || status == http.StatusTooManyRequests || status == http.StatusOK:
		return true, failure(status, answer.Text, own)
	case answer.Number == 0:
		return false, failure(status, answer.Text, own)
	}
	return false, engine.Refused(answer.Number, "%s", fault.ClipTo(answer.Text, longestRefusal)).With("upstream_status", status)
}

// failure is that of a server. Words that are not Valhalla's own, as those of a proxy before
// it, may name addresses: they are for the log.
func failure(status int, text string, own bool) error {
	if own {
		return fault.New(fault.Upstream, "the routing engine failed: %s", fault.Clip(text)).With("upstream_status", status)
	}
	return fault.Wrap(errors.New(fault.ClipTo(text, longestRefusal)), fault.Upstream, "the routing engine failed with status %d", status).With("upstream_status", status)
}

// longestRefusal bounds in bytes what a server says of a request that it refuses; the longest
// of Valhalla's own texts have some 200.
const longestRefusal = 500
