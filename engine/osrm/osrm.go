// Package osrm asks remote OSRM servers over their HTTP interface, as of versions 6.0.0 and 26:
// https://project-osrm.org/docs/. A server has one profile, so that each costing has a
// server of its own.
package osrm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/canary"
	"github.com/waygate/waygate/engine/pooled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/upstream"
	wirejson "github.com/waygate/waygate/wire/json"
)

// MaxAnswer is the longest answer taken from a server, in bytes.
const MaxAnswer = 128 << 20

// Engine is one or more remote OSRM servers. It implements engine.Engine.
type Engine struct {
	engine.Unimplemented // of what OSRM does not answer

	pools  map[costing.Costing]*upstream.Pool
	to     map[costing.Costing]sender
	canary *canary.Source // nil has none
}

// sender sends requests: to all servers of a costing, or to one of them.
type sender interface {
	Send(ctx context.Context, r *upstream.Request) ([]byte, error)
}

var _ interface {
	engine.Engine
	engine.Watcher
} = (*Engine)(nil)

// New makes an engine of the servers at some addresses (http://host:5000, with or without a
// path and a trailing slash), by the costing whose profile each has. A nil client is one with
// connections kept for reuse and a limit of a minute on each request; the context of a
// request may set a shorter one.
func New(servers map[costing.Costing]string, client upstream.Doer) *Engine {
	lists := map[costing.Costing][]string{}
	for c, address := range servers {
		lists[c] = []string{address}
	}
	return NewPool(lists, upstream.PoolOptions{Client: client}, nil)
}

// NewPool makes an engine of servers of which those of a costing answer alike. Options' Probe
// is the engine's, and Most is MaxAnswer where it is 0. A server whose data have another date,
// which few have, is compared with one that has the date before by the questions of a source;
// nil compares none.
func NewPool(servers map[costing.Costing][]string, o upstream.PoolOptions, questions *canary.Source) *Engine {
	if o.Client == nil {
		o.Client = upstream.NewClient() // shared by all
	}
	o.Most = cmp.Or(o.Most, MaxAnswer)
	e := &Engine{pools: map[costing.Costing]*upstream.Pool{}, to: map[costing.Costing]sender{}, canary: questions}
	for c, list := range servers {
		if questions != nil {
			one := func(server *upstream.ProbedServer) canary.Answerer {
				return canary.Of(&Engine{to: map[costing.Costing]sender{c: server}})
			}
			o.Agree = func(ctx context.Context, fresh, old *upstream.ProbedServer) error {
				return questions.Compare(ctx, func(x costing.Costing) bool { return x == c }, one(old), one(fresh))
			}
		}
		o.Probe = func(ctx context.Context, server *upstream.ProbedServer) (upstream.Info, error) {
			return probe(ctx, server, c)
		}
		e.pools[c] = upstream.NewPool("the routing engine", list, o)
		e.to[c] = e.pools[c]
	}
	return e
}

// Watch probes the servers until ctx ends.
func (e *Engine) Watch(ctx context.Context) {
	var group parallel.Group
	for _, p := range e.pools {
		group.Go(func() { p.Watch(ctx) })
	}
	group.Wait()
}

// Servers returns the state of each server for the metrics.
func (e *Engine) Servers() (list []upstream.State) {
	for _, c := range costing.All {
		if p := e.pools[c]; p != nil {
			list = append(list, p.States()...)
		}
	}
	return list
}

// Can returns the abilities of a stock OSRM. It has no service for the edges of a trace, for places on
// the roads with all their facts, or for meeting points.
func (e *Engine) Can() engine.Can {
	return engine.Can{
		Name:         "osrm",
		Calls:        []engine.Call{engine.CallRoute, engine.CallTraceRoute, engine.CallMatrix, engine.CallIsochrone, engine.CallNearest},
		ShapeFormats: true,
		Languages:    narrate.Languages(),
	}
}

// Estimate is of memory alone: the servers do the work, and have their own limits.
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
	x.Bytes = 4 * x.Answer // as it came, as values, and as it goes out
	return x
}

// What a remote answer takes: of itself, for each cell of a matrix and for each
// position of a trace.
const (
	answerBytes   = 256 << 10
	cellBytes     = 40
	positionBytes = 1 << 10
)

// Status lists the servers. The date of the graph is that of the first that works; an OSRM
// says nothing of its version. The error is that of the first server where none works.
func (e *Engine) Status(ctx context.Context) (engine.Status, error) {
	states := make([][]upstream.State, len(costing.All))
	var group parallel.Group
	for i, c := range costing.All {
		if p := e.pools[c]; p != nil {
			group.Go(func() { states[i] = p.Check(ctx) })
		}
	}
	group.Wait()
	var s engine.Status
	var failure error
	works := false
	for i, c := range costing.All {
		if states[i] == nil {
			continue
		}
		if err := pooled.Add(&s, "osrm", c.String(), states[i]); err != nil {
			failure = cmp.Or(failure, err)
		} else {
			works = true
		}
	}
	if works {
		failure = nil
	}
	return s, failure
}

// probe asks for the road nearest to a place, which every server answers, with a refusal
// where there is none.
func probe(ctx context.Context, server *upstream.ProbedServer, c costing.Costing) (upstream.Info, error) {
	body, err := server.Send(ctx, &upstream.Request{Path: path("nearest", c, "0,0", nil), Judge: judge})
	if err != nil && engine.Code(err) == 0 {
		return upstream.Info{}, err
	}
	var answer struct {
		Version string `json:"data_version"`
	}
	// A refusal has no body, and then the date stays unknown.
	_ = json.Unmarshal(body, &answer)
	at, err := time.Parse(time.RFC3339, answer.Version)
	if err != nil {
		return upstream.Info{}, nil //nolint:nilerr // the data of most servers have no date
	}
	return upstream.Info{Data: at}, nil
}

// profiles are the words for a costing in addresses. A server ignores them; they make its
// log readable.
var profiles = map[costing.Costing]string{costing.Bicycle: "cycling", costing.Pedestrian: "walking"}

// path returns that of a request.
func path(service string, c costing.Costing, coordinates string, q query) string {
	return "/" + service + "/v1/" + cmp.Or(profiles[c], "driving") + "/" + coordinates + q.encode()
}

// ask gets the answer of a service. A refusal is one of engine.Refused.
func (e *Engine) ask(ctx context.Context, c costing.Costing, service, coordinates string, q query) ([]byte, error) {
	p, ok := e.to[c]
	if !ok {
		return nil, fault.NotEnabled("costing", "the costing %s is not enabled on this deployment: no OSRM server is configured for it", c).With("field", "costing")
	}
	return p.Send(ctx, &upstream.Request{Path: path(service, c, coordinates, q), Judge: judge})
}

// judge reads an answer, which is a JSON object with the code Ok. A server has failed where it
// says so, and where it answers what no OSRM does.
func judge(status int, body []byte) (failed bool, err error) {
	if status != http.StatusOK {
		return refusal(status, body)
	}
	var code string
	valid := wirejson.Each(body, []string{"code"}, func(at wirejson.Place) { code = string(body[at.Begin:at.End]) })
	switch {
	case !valid || !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")):
		return true, fault.New(fault.Upstream, "the routing engine answered %d bytes that are not a JSON object", len(body)).With("upstream_status", status)
	case code != `"Ok"`:
		return refusal(http.StatusBadRequest, body)
	}
	return false, nil
}

// codes are Valhalla's numbers for OSRM's refusals. Those of malformed requests have none.
var codes = map[string]int{
	"NoRoute": engine.CodeNoRoute, "NoTable": engine.CodeNoRoute, "NoSegment": engine.CodeNoSegment, "NoMatch": engine.CodeNoMatch, "TooBig": engine.CodeTooFar,
}

// refusal reads an error. failed says that another server may do better.
func refusal(status int, body []byte) (failed bool, err error) {
	var answer struct{ Code, Message string }
	if json.Unmarshal(body, &answer) != nil || answer.Code == "" {
		return true, fault.New(fault.Upstream, "the routing engine answered with status %d and no reason", status).With("upstream_status", status)
	}
	text := fault.Clip(cmp.Or(answer.Message, answer.Code))
	if status >= 500 || status == http.StatusTooManyRequests {
		return true, fault.New(fault.Upstream, "the routing engine failed: %s", text).With("upstream_status", status)
	}
	if code := codes[answer.Code]; code != 0 {
		return false, engine.Refused(code, "%s", text)
	}
	return false, fault.New(fault.Upstream, "the routing engine refused: %s", text).With("upstream_status", status)
}
