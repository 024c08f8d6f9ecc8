package edge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/waygate/waygate/fault"
)

// problemType starts the URN of every problem.
const problemType = "urn:svc-gateway:problem:"

// ProblemMedia is the media type of RFC 9457.
const ProblemMedia = "application/problem+json"

// Problem is the error document of every endpoint but the compatible one.
// Match on type, not on wording. Further members depend on the type.
type Problem struct {
	Type   string         `json:"type" doc:"stable URN of the kind of problem" example:"urn:svc-gateway:problem:bad-request"`
	Title  string         `json:"title" doc:"the kind of problem in words"`
	Status int            `json:"status" doc:"the HTTP status"`
	Detail string         `json:"detail" doc:"what was wrong, with the value and the limit"`
	Fields map[string]any `json:"-"`
	header http.Header
	plain  map[string]any // a body instead of the document, as a 402 has it
}

// Error makes a problem an error that the typed endpoints return.
func (p *Problem) Error() string { return p.Type + ": " + p.Detail }

// GetStatus gives the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders gives headers that go with the answer, such as Retry-After.
func (p *Problem) GetHeaders() http.Header { return p.header }

// ContentType is that of a problem whatever the caller accepts.
func (p *Problem) ContentType(string) string {
	if p.plain != nil {
		return "application/json"
	}
	return ProblemMedia
}

// MarshalJSON puts the extra members beside the standard ones.
func (p *Problem) MarshalJSON() ([]byte, error) {
	if p.plain != nil {
		return json.Marshal(p.plain)
	}
	all := maps.Clone(p.Fields)
	if all == nil {
		all = map[string]any{}
	}
	all["type"], all["title"], all["status"], all["detail"] = p.Type, p.Title, p.Status, p.Detail
	return json.Marshal(all)
}

// kind is what a slug means on the wire.
type kind struct {
	status int
	title  string
}

// kinds is the one translation of failures into statuses. A slug that ends in
// -not-enabled and is not listed is a 501.
var kinds = map[fault.Slug]kind{
	fault.BadRequest:          {http.StatusBadRequest, "The request is not valid"},
	fault.CostingConflict:     {http.StatusBadRequest, "costing_options conflict with adr"},
	fault.InvalidAvoid:        {http.StatusBadRequest, "avoid or exclude is not valid"},
	fault.Upstream:            {http.StatusBadGateway, "Upstream failed"},
	fault.UpstreamUnavailable: {http.StatusServiceUnavailable, "Upstream cannot be reached"},
	fault.UpstreamTimeout:     {http.StatusGatewayTimeout, "Upstream did not answer in time"},
	fault.NotFound:            {http.StatusNotFound, "Not found"},
	fault.MethodNotAllowed:    {http.StatusMethodNotAllowed, "Method not allowed"},
	fault.TooLarge:            {http.StatusRequestEntityTooLarge, "The body is too large"},
	fault.Unauthorized:        {http.StatusUnauthorized, "A valid API key is needed"},
	fault.RateLimited:         {http.StatusTooManyRequests, "Too many requests"},
	fault.InvalidEmail:        {http.StatusBadRequest, "The e-mail address cannot be used"},
	fault.TOSNotAccepted:      {http.StatusBadRequest, "The terms must be accepted"},
	fault.AdminUnauthorized:   {http.StatusUnauthorized, "The admin token is needed"},
	fault.PaymentRequired:     {http.StatusPaymentRequired, "Payment required"},
	fault.Forbidden:           {http.StatusForbidden, "Not permitted"},
	fault.OriginNotAllowed:    {http.StatusForbidden, "The key may not be used from this origin"},
	fault.ScopeInsufficient:   {http.StatusForbidden, "The key's scope does not reach this endpoint"},
	fault.KeyCap:              {http.StatusConflict, "The identity has as many keys as it may"},
	fault.NoIdentityLedger:    {http.StatusConflict, "The key has no identity to credit"},
	fault.QuotaExceeded:       {http.StatusTooManyRequests, "The quota is used up"},
	fault.IssuanceVelocity:    {http.StatusTooManyRequests, "Too many keys were asked for"},
	fault.FeedbackVelocity:    {http.StatusTooManyRequests, "Too many retros"},
	fault.MapIssueVelocity:    {http.StatusTooManyRequests, "Too many map issues"},
	fault.Internal:            {http.StatusInternalServerError, "Internal error"},
}

const notEnabledTitle = "Not enabled on this deployment"

// upstreamStatus reads what the engine answered; 0 where it did not say.
func upstreamStatus(e *fault.Error) int {
	n, _ := e.Fields["upstream_status"].(int)
	return n
}

func kindOf(e *fault.Error) kind {
	if e.Slug == fault.Upstream {
		if s := upstreamStatus(e); s >= 400 && s < 500 {
			return kind{http.StatusBadRequest, "The engine refused the request"}
		}
	}
	if k, ok := kinds[e.Slug]; ok {
		return k
	}
	if e.Slug == fault.NotEnabled || strings.HasSuffix(string(e.Slug), "-not-enabled") {
		return kind{http.StatusNotImplemented, notEnabledTitle}
	}
	return kinds[fault.Internal]
}

// AsFault makes every error one of the kinds. What is none of them is
// internal, and its text stays inside.
func AsFault(err error) *fault.Error {
	var e *fault.Error
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &tooLarge):
		return fault.New(fault.TooLarge, "the body is larger than the limit of %d bytes", tooLarge.Limit).With("limit_bytes", tooLarge.Limit)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.Wrap(err, fault.UpstreamTimeout, "the answer took longer than the time a request may take")
	}
	return fault.Wrap(err, fault.Internal, "something went wrong here; the request id in X-Request-Id helps the operator find it")
}

// AsProblem translates an error into the document a caller gets.
func AsProblem(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	e := AsFault(err)
	k := kindOf(e)
	p = &Problem{Type: problemType + string(e.Slug), Title: k.title, Status: k.status, Detail: e.Detail, Fields: e.Fields, header: http.Header{}}
	if s, ok := e.Fields["retry_after"]; ok {
		p.header.Set("Retry-After", fmt.Sprint(s))
	}
	if e.Slug == fault.PaymentRequired {
		p.plain = map[string]any{"code": "payment_required"}
		maps.Copy(p.plain, e.Fields)
	}
	if p.Status == http.StatusUnauthorized {
		p.header.Set("WWW-Authenticate", `Bearer realm="waygate"`)
	}
	return p
}

func WriteProblem(w http.ResponseWriter, err error) error {
	p := AsProblem(err)
	maps.Copy(w.Header(), p.header)
	return WriteJSON(w, p.Status, p.ContentType(""), p)
}

// WriteJSON answers with a value.
func WriteJSON(w http.ResponseWriter, status int, media string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeBody(w, status, media, append(body, '\n'))
}
