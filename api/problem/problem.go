// Package problem translates failures into statuses and problem documents (RFC 9457).
package problem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/waygate/waygate/fault"
)

// urnPrefix starts the URN of every problem.
const urnPrefix = "urn:svc-gateway:problem:"

// Media is the media type of RFC 9457.
const Media = "application/problem+json"

// Problem is the error document of every endpoint without an Envelope of its own.
// Match on type, not on wording. Which members there are beyond the first four
// depends on the type.
type Problem struct {
	Type   string `json:"type" doc:"stable URN of the kind of problem" example:"urn:svc-gateway:problem:bad-request"`
	Title  string `json:"title" doc:"the kind of problem in words"`
	Status int    `json:"status" doc:"the HTTP status"`
	Detail string `json:"detail" doc:"what was wrong, with the value and the limit"`

	Errors         []fault.Violation `json:"errors,omitempty" doc:"of bad-request: each value that is wrong"`
	Line           int               `json:"line,omitempty" doc:"of bad-request: where the body is not JSON"`
	Column         int               `json:"column,omitempty"`
	Hint           string            `json:"hint,omitempty" doc:"what may be meant, such as lat and lon swapped"`
	LocationIndex  *int              `json:"location_index,omitempty" doc:"the location that cannot be used or reached"`
	ErrorCode      int               `json:"error_code,omitempty" doc:"of a place or a way that is not there, as Valhalla has it"`
	Regions        []any             `json:"regions,omitempty" doc:"id, name and bounds of the regions served, where a place lies in none"`
	NearestRoad    *Place            `json:"nearest_road,omitempty" doc:"of a place without a road: on the nearest that can be used"`
	NearestRoadM   float64           `json:"nearest_road_m,omitempty" doc:"metres to it"`
	NearestWayID   int64             `json:"nearest_way_id,omitempty" doc:"its OpenStreetMap way"`
	UpstreamStatus int               `json:"upstream_status,omitempty" doc:"of upstream-error: what the engine answered"`
	Capability     string            `json:"capability,omitempty" doc:"of a 501: what the deployment lacks"`
	Field          string            `json:"field,omitempty" doc:"of a 501: the member that asks for it"`
	RetryAfter     int64             `json:"retry_after,omitempty" doc:"seconds after which to try again"`
	LimitPerMinute int64             `json:"limit_per_min,omitempty" doc:"of rate-limited"`
	LimitBytes     int64             `json:"limit_bytes,omitempty" doc:"of too-large"`
	EstimatedMS    int64             `json:"estimated_ms,omitempty" doc:"of bad-request: about how long the call would work, where that is longer than it may"`
	LimitMS        int64             `json:"limit_ms,omitempty" doc:"of bad-request: how long a request may take"`
	Quota          int64             `json:"quota,omitempty" doc:"of quota-exceeded: units"`
	Used           int64             `json:"used,omitempty" doc:"of quota-exceeded: units"`
	Scope          string            `json:"scope,omitempty" doc:"of scope-insufficient: that of the key"`
	RequiredScope  string            `json:"required_scope,omitempty"`
	Endpoint       string            `json:"endpoint,omitempty" doc:"of scope-insufficient"`
	Limit          int64             `json:"limit,omitempty" doc:"of a velocity: as many are taken; of a size: bytes"`
	State          string            `json:"state,omitempty" doc:"of a link that does not verify: of the request behind it"`
	ActiveKeys     int64             `json:"active_keys,omitempty" doc:"of key-cap"`
	MaxKeys        int64             `json:"max_keys,omitempty" doc:"of key-cap"`
	Email          string            `json:"email,omitempty" doc:"of invalid-email: what was sent"`
	AcceptTOS      *bool             `json:"accept_tos,omitempty" doc:"of tos-not-accepted"`
	Problems       []any             `json:"problems,omitempty" doc:"of invalid-places: index, id, field, value and message of what is wrong, the first 100; of invalid-theme: path and message"`
	ProblemCount   int               `json:"problem_count,omitempty" doc:"of invalid-places: how many there are in all"`
	MaxLocations   int               `json:"max_locations,omitempty" doc:"of optimisation-too-large"`
	Locations      int               `json:"locations,omitempty" doc:"of optimisation-too-large: unique ones of the request"`
	Origin         *string           `json:"origin,omitempty" nullable:"true" doc:"of origin-not-allowed; null where none was sent"`
}

// Place is a place in degrees.
type Place struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

// Failure is an error as it goes out.
type Failure struct {
	*fault.Error
	Status int
	Title  string
	Header http.Header // that goes with it, such as Retry-After
}

// kind has the status and title of a slug.
type kind struct {
	status int
	title  string
}

// kinds is the one translation of failures into statuses. A slug of
// what the deployment lacks is a 501.
var kinds = map[fault.Slug]kind{
	fault.BadRequest:           {http.StatusBadRequest, "The request is not valid"},
	fault.CostingConflict:      {http.StatusBadRequest, "costing_options conflict with adr"},
	fault.InvalidAvoid:         {http.StatusBadRequest, "avoid or exclude is not valid"},
	fault.Upstream:             {http.StatusBadGateway, "Upstream failed"},
	fault.UpstreamUnavailable:  {http.StatusServiceUnavailable, "Upstream cannot be reached"},
	fault.UpstreamTimeout:      {http.StatusGatewayTimeout, "Upstream did not answer in time"},
	fault.NotFound:             {http.StatusNotFound, "Not found"},
	fault.MethodNotAllowed:     {http.StatusMethodNotAllowed, "Method not allowed"},
	fault.TooLarge:             {http.StatusRequestEntityTooLarge, "The body is too large"},
	fault.QueryTooLong:         {http.StatusRequestURITooLong, "The query is too long"},
	fault.RangeNotSatisfiable:  {http.StatusRequestedRangeNotSatisfiable, "No such part of the file"},
	fault.PreconditionFailed:   {http.StatusPreconditionFailed, "The file has changed"},
	fault.StaticMapUnavailable: {http.StatusGatewayTimeout, "The map was not drawn in time"},
	fault.Unauthorized:         {http.StatusUnauthorized, "A valid API key is needed"},
	fault.RateLimited:          {http.StatusTooManyRequests, "Too many requests"},
	fault.InvalidEmail:         {http.StatusBadRequest, "The e-mail address cannot be used"},
	fault.TOSNotAccepted:       {http.StatusBadRequest, "The terms must be accepted"},
	fault.AdminUnauthorized:    {http.StatusUnauthorized, "The admin token is needed"},
	fault.PaymentRequired:      {http.StatusPaymentRequired, "Payment required"},
	fault.Forbidden:            {http.StatusForbidden, "Not permitted"},
	fault.OriginNotAllowed:     {http.StatusForbidden, "The key may not be used from this origin"},
	fault.ScopeInsufficient:    {http.StatusForbidden, "The key's scope does not reach this endpoint"},
	fault.KeyCap:               {http.StatusConflict, "The identity has as many keys as it may"},
	fault.NoIdentityLedger:     {http.StatusConflict, "The key has no identity to credit"},
	fault.QuotaExceeded:        {http.StatusTooManyRequests, "The quota is used up"},
	fault.IssuanceVelocity:     {http.StatusTooManyRequests, "Too many keys were asked for"},
	fault.FeedbackVelocity:     {http.StatusTooManyRequests, "Too many retros"},
	fault.MapIssueVelocity:     {http.StatusTooManyRequests, "Too many map issues"},
	fault.InvalidTheme:         {http.StatusUnprocessableEntity, "The theme is not valid"},
	fault.PlacesTooMany:        {http.StatusRequestEntityTooLarge, "Too many places"},
	fault.OptimisationTooLarge: {http.StatusUnprocessableEntity, "The problem has too many locations"},
	fault.NoOptimiser:          {http.StatusServiceUnavailable, "Optimisation is not enabled on this deployment"},
	fault.WatchesTooMany:       {http.StatusTooManyRequests, "Too many watches are in force"},
	fault.PlansTooMany:         {http.StatusTooManyRequests, "Too many plans are published"},
	fault.JobsTooMany:          {http.StatusTooManyRequests, "Too many jobs wait"},
	fault.JobEnded:             {http.StatusConflict, "The job has come to its end"},
	fault.JobLost:              {http.StatusInternalServerError, "The job was lost"},
	fault.IdempotencyConflict:  {http.StatusConflict, "The idempotency key was used for another request"},
	fault.InvalidPlaces:        {http.StatusUnprocessableEntity, "Some places are not valid"},
	fault.Internal:             {http.StatusInternalServerError, "Internal error"},
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
	if e.Slug.NotEnabled() {
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

// FailureOf translates an error.
func FailureOf(err error) Failure {
	e := AsFault(err)
	k := kindOf(e)
	f := Failure{Error: e, Status: k.status, Title: k.title, Header: http.Header{}}
	if s, ok := e.Fields["retry_after"]; ok {
		f.Header.Set("Retry-After", fmt.Sprint(s))
	}
	if f.Status == http.StatusUnauthorized {
		f.Header.Set("WWW-Authenticate", `Bearer realm="waygate"`)
	}
	return f
}

// Write answers a failure with a problem document, or with the body of a
// 402, which is none.
func Write(w http.ResponseWriter, err error) error {
	f := FailureOf(err)
	return f.Write(w)
}

// Of returns the problem of a failure that stands within an answer, such as that of one
// question of many.
func Of(err error) *Problem {
	f := FailureOf(err)
	p := &Problem{}
	// The attributes of a failure become members of the problem, by the same names.
	if text, err := json.Marshal(f.members()); err == nil {
		_ = json.Unmarshal(text, p)
	}
	return p
}

func (f *Failure) members() map[string]any {
	members := maps.Clone(f.Fields)
	if members == nil {
		members = map[string]any{}
	}
	members["type"], members["title"], members["status"], members["detail"] = urnPrefix+string(f.Slug), f.Title, f.Status, f.Detail
	return members
}

// Write answers with the problem document of the failure, or with the body of a 402.
func (f *Failure) Write(w http.ResponseWriter) error {
	maps.Copy(w.Header(), f.Header)
	if f.Status != http.StatusRequestedRangeNotSatisfiable && f.Status != http.StatusPreconditionFailed { // the file is there, only not that part or version of it
		w.Header().Del("ETag") // that of the answer which did not come to be
	}
	members, media := f.members(), Media
	if f.Slug == fault.PaymentRequired {
		members, media = maps.Clone(f.Fields), "application/json"
		if members == nil {
			members = map[string]any{}
		}
		if members["code"] == nil {
			members["code"] = "payment_required"
		}
	}
	body, err := object(members)
	if err != nil {
		return err
	}
	body = append(body, '\n')
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(f.Status)
	_, err = w.Write(body)
	return err
}

// object writes members by name as encoding/json does with a map, without its cost:
// a refusal is not to be dearer than an answer.
func object(members map[string]any) ([]byte, error) {
	names := make([]string, 0, 16)
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	out := append(make([]byte, 0, 512), '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		value, err := json.Marshal(members[name])
		if err != nil {
			return nil, err
		}
		out = append(append(append(append(out, '"'), name...), `":`...), value...) // names are ours and plain
	}
	return append(out, '}'), nil
}
