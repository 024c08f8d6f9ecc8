// Package fault has the few kinds of error that cross packages. A kind is its
// stable slug; what it means on the wire (status, title) is decided once, in
// the api room.
package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Slug names a kind of failure; it ends the problem URN
// urn:svc-gateway:problem:<slug> and never changes.
type Slug string

// The slugs of the contract that exist so far.
const (
	BadRequest           Slug = "bad-request"
	CostingConflict      Slug = "costing-conflict"
	InvalidAvoid         Slug = "invalid-avoid"
	InvalidEmail         Slug = "invalid-email"
	TOSNotAccepted       Slug = "tos-not-accepted"
	Upstream             Slug = "upstream-error"       // an engine refused the request, or failed
	UpstreamUnavailable  Slug = "upstream-unavailable" // an engine or the database could not be reached
	UpstreamTimeout      Slug = "upstream-timeout"     // an engine did not answer in time
	NotFound             Slug = "not-found"
	MethodNotAllowed     Slug = "method-not-allowed"
	TooLarge             Slug = "body-too-large"
	QueryTooLong         Slug = "query-too-long"
	RangeNotSatisfiable  Slug = "range-not-satisfiable"
	PreconditionFailed   Slug = "precondition-failed"    // the file is another than the caller began to read
	StaticMapUnavailable Slug = "static-map-unavailable" // nothing drew the image in time
	Unauthorized         Slug = "unauthorized"
	AdminUnauthorized    Slug = "admin-unauthorized"
	PaymentRequired      Slug = "payment-required" // plain JSON on the wire
	Forbidden            Slug = "forbidden"
	OriginNotAllowed     Slug = "origin-not-allowed"
	ScopeInsufficient    Slug = "scope-insufficient"
	KeyCap               Slug = "key-cap"
	NoIdentityLedger     Slug = "no-identity-ledger"
	QuotaExceeded        Slug = "quota-exceeded"
	RateLimited          Slug = "rate-limited"
	IssuanceVelocity     Slug = "issuance-velocity"
	FeedbackVelocity     Slug = "feedback-velocity"
	MapIssueVelocity     Slug = "map-issue-velocity"
	InvalidTheme         Slug = "invalid-theme"
	PlacesTooMany        Slug = "places-too-many"
	InvalidPlaces        Slug = "invalid-places"
	OptimisationTooLarge Slug = "optimisation-too-large"
	NoOptimiser          Slug = "optimisation-not-enabled" // a 503: the operator switched the solver off
	JobsTooMany          Slug = "jobs-too-many"
	WatchesTooMany       Slug = "watches-too-many"
	PlansTooMany         Slug = "plans-too-many"
	JobEnded             Slug = "job-ended"
	JobLost              Slug = "job-lost" // its servers died, as often as it may be begun
	IdempotencyConflict  Slug = "idempotency-conflict"
	Internal             Slug = "internal"
)

// Error is a failure with a cause a caller may read. Detail and Fields reach
// the caller; the wrapped error goes only to the log.
type Error struct {
	Slug   Slug
	Detail string         // a sentence: what, which value, which limit, what to do next
	Fields map[string]any // extra members of the problem document
	cause  error
}

// New makes a failure of a kind with a formatted detail.
func New(slug Slug, format string, args ...any) *Error {
	return &Error{Slug: slug, Detail: fmt.Sprintf(format, args...)}
}

// Wrap makes a failure of a kind that keeps err for the log.
func Wrap(err error, slug Slug, format string, args ...any) *Error {
	e := New(slug, format, args...)
	e.cause = err
	return e
}

// With sets an extra field and returns e.
func (e *Error) With(key string, value any) *Error {
	if e.Fields == nil {
		e.Fields = map[string]any{}
	}
	e.Fields[key] = value
	return e
}

func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Slug, e.Detail, e.cause)
	}
	return fmt.Sprintf("%s: %s", e.Slug, e.Detail)
}

func (e *Error) Unwrap() error { return e.cause }

// Violations returns what is wrong with a request, of an error that Invalid made; nil of
// others.
func (e *Error) Violations() []Violation {
	list, _ := e.Fields["errors"].([]Violation)
	return list
}

// notEnabled ends the slugs of what a deployment lacks.
const notEnabled = "-not-enabled"

// NotEnabled returns the failure of a capability that the deployment lacks. Its slug
// and the field capability name it, with hyphens: trace-route-not-enabled.
func NotEnabled(capability, format string, args ...any) *Error {
	capability = strings.ReplaceAll(capability, "_", "-")
	return New(Slug(capability+notEnabled), format, args...).With("capability", capability)
}

// IsNotEnabled reports whether err is a failure of NotEnabled.
func IsNotEnabled(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Slug.NotEnabled()
}

// NotEnabled reports whether the slug is one of what a deployment lacks.
func (s Slug) NotEnabled() bool { return strings.HasSuffix(string(s), notEnabled) }

// Is reports whether err is a failure of the kind.
func Is(err error, slug Slug) bool {
	var e *Error
	return errors.As(err, &e) && e.Slug == slug
}

// Violation is one thing wrong with one field of a request.
type Violation struct {
	Location string `json:"location"`        // where, as a path: locations[1].lat
	Value    any    `json:"value,omitempty"` // what was sent
	Message  string `json:"message"`         // what was expected, with the limit
}

// longestShown bounds in bytes what of a request is shown back.
const longestShown = 120

// Clip bounds a text of a request that is shown back in a failure.
func Clip(s string) string { return ClipTo(s, longestShown) }

// ClipTo cuts a text that is longer than so many bytes.
func ClipTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// shown bounds a value of a request that is shown back.
func shown(v any) any {
	if s, ok := v.(string); ok {
		return Clip(s)
	}
	if text, err := json.Marshal(v); err == nil && len(text) > longestShown {
		return Clip(string(text))
	}
	return v
}

// Invalid makes one BadRequest from all that is wrong with a request; nil
// when nothing is. Values that are long are cut.
func Invalid(violations ...Violation) error {
	if len(violations) == 0 {
		return nil
	}
	for i := range violations {
		v := &violations[i]
		v.Location, v.Value = Clip(v.Location), shown(v.Value)
	}
	first := violations[0]
	e := New(BadRequest, "%s: %s", first.Location, first.Message)
	if n := len(violations) - 1; n > 0 {
		e.Detail += fmt.Sprintf(" (and %d more, see errors)", n)
	}
	return e.With("errors", violations)
}
