// Package osrm asks remote OSRM servers over their HTTP interface, as of version 26:
// https://project-osrm.org/docs/. A server has one profile, so that each costing has a
// server of its own.
package osrm

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/upstream"
)

// MaxAnswer is the longest answer taken from a server, in bytes.
const MaxAnswer = 128 << 20

// Engine is one or more remote OSRM servers. It implements engine.Engine.
type Engine struct {
	engine.Unable // of what OSRM does not answer

	servers map[costing.Costing]string // their addresses
	client  *http.Client
	longest int64 // answer in bytes
}

var _ engine.Engine = (*Engine)(nil)

// New makes an engine of the servers at some addresses (http://host:5000, with or without a
// path and a trailing slash), by the costing whose profile each has. A nil client is one with
// connections kept for reuse and a limit of a minute on each request; the context of a
// request may set a shorter one.
func New(servers map[costing.Costing]string, client *http.Client) *Engine {
	if client == nil {
		client = upstream.NewClient()
	}
	e := &Engine{servers: map[costing.Costing]string{}, client: client, longest: MaxAnswer}
	for c, base := range servers {
		e.servers[c] = strings.TrimRight(base, "/")
	}
	return e
}

// Can is what a stock OSRM does. It has no service for the edges of a trace, for places on
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

// Status asks each server for the road nearest to a place, which all answer, with a refusal
// where there is none. An OSRM says nothing of its version; the date of the graph is the
// oldest that the servers give.
func (e *Engine) Status(ctx context.Context) (engine.Status, error) {
	var s engine.Status
	for c := range e.servers {
		body, err := e.ask(ctx, c, "nearest", "0,0", nil)
		if err != nil && engine.Code(err) == 0 {
			return engine.Status{}, err
		}
		var answer struct {
			Version string `json:"data_version"`
		}
		// A refusal has no body, and then the date stays unknown.
		_ = json.Unmarshal(body, &answer)
		if at, err := time.Parse(time.RFC3339, answer.Version); err == nil && (s.GraphDate == nil || at.Before(*s.GraphDate)) {
			s.GraphDate = &at
		}
	}
	return s, nil
}

// profiles are the words for a costing in addresses. A server ignores them; they make its
// log readable.
var profiles = map[costing.Costing]string{costing.Bicycle: "cycling", costing.Pedestrian: "walking"}

// ask gets the answer of a service. A refusal is one of engine.Refused.
func (e *Engine) ask(ctx context.Context, c costing.Costing, service, coordinates string, q query) ([]byte, error) {
	base, ok := e.servers[c]
	if !ok {
		return nil, fault.NotEnabled("costing", "the costing %s is not enabled on this deployment: no OSRM server is configured for it", c).With("field", "costing")
	}
	profile, ok := profiles[c]
	if !ok {
		profile = "driving"
	}
	address := base + "/" + service + "/v1/" + profile + "/" + coordinates + q.encode()
	status, body, err := upstream.Server{Name: "the routing engine", Client: e.client}.Get(ctx, address, e.longest)
	switch {
	case err != nil:
		return nil, err
	case status != http.StatusOK:
		return nil, refusal(status, body)
	case !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) || !json.Valid(body):
		return nil, fault.New(fault.Upstream, "the routing engine answered %d bytes that are not a JSON object", len(body)).With("upstream_status", status)
	}
	return body, nil
}

// codes are Valhalla's numbers for OSRM's refusals. Those of malformed requests have none.
var codes = map[string]int{
	"NoRoute": engine.CodeNoRoute, "NoTable": engine.CodeNoRoute, "NoSegment": engine.CodeNoSegment, "NoMatch": engine.CodeNoMatch, "TooBig": engine.CodeTooFar,
}

// refusal reads an error.
func refusal(status int, body []byte) error {
	var answer struct{ Code, Message string }
	if json.Unmarshal(body, &answer) != nil || answer.Code == "" {
		return fault.New(fault.Upstream, "the routing engine answered with status %d and no reason", status).With("upstream_status", status)
	}
	text := answer.Message
	if text == "" {
		text = answer.Code
	}
	if status >= 500 {
		return fault.New(fault.Upstream, "the routing engine failed: %s", text).With("upstream_status", status)
	}
	if code := codes[answer.Code]; code != 0 {
		return engine.Refused(code, "%s", text)
	}
	return fault.New(fault.Upstream, "the routing engine refused: %s", text).With("upstream_status", status)
}
