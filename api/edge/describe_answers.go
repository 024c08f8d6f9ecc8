package edge

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/wire/schema"
)

// tags are the groups of endpoints, in the order in which a caller meets them.
var tags = []schema.Tag{
	{Name: "routing", Description: "Routes, traces and places on the road network."},
	{Name: "analysis", Description: "Tables, reach and what lies along a route."},
	{Name: "planning", Description: "Routes for many vehicles, and jobs for what takes long."},
	{Name: "adr", Description: "Dangerous goods and tunnels."},
	{Name: "compatible", Description: "Services in the forms of OSRM's, Photon's and Nominatim's."},
	{Name: "coordinates", Description: "Coordinate systems."},
	{Name: "transit", Description: "Public transport: stops, and what leaves from them."},
	{Name: "ground", Description: "What is at a place: heights, time zones."},
	{Name: "geocoding", Description: "Places by what people type, and by where they are."},
	{Name: "places", Description: "The places that a key has uploaded."},
	{Name: "maps", Description: "Vector tiles, their style and its letters."},
	{Name: "voice", Description: "Speech: clips of guidance."},
	{Name: "keys", Description: "Keys: how one gets them and how they stand."},
	{Name: "console", Description: "The account of who is signed in."},
	{Name: "reports", Description: "Reports of callers: errors of the map, and how an integration went."},
	{Name: "admin", Description: "What operators do."},
	{Name: "service", Description: "The service itself."},
}

// Names of headers that several places set or describe.
const (
	requestIDHeader = "X-Request-Id"
	cacheControl    = "Cache-Control"
	wholeTag        = "ETag"
	wholeSize       = "Content-Range"
)

// commonHeaders are the headers that endpoints share, with the schema of each.
var commonHeaders = map[string]*schema.Parameter{
	requestIDHeader:    {Description: "names the request in the operator's log; the caller's own where that is short and plain", Schema: &schema.Schema{Type: schema.String}},
	quotaHeader:        {Description: "units that the call was charged", Schema: &schema.Schema{Type: schema.Integer, Format: "int64"}},
	paymentResponse:    {Description: "of a call that paid for itself: what became of the payment, as x402 has it", Schema: &schema.Schema{Type: schema.String}},
	"Retry-After":      {Description: "seconds after which to try again, where they are known", Schema: &schema.Schema{Type: schema.Integer, Format: "int64"}},
	cacheControl:       {Description: "no-store where the endpoint is about an account", Schema: &schema.Schema{Type: schema.String}},
	"WWW-Authenticate": {Description: "the way in that is missing", Schema: &schema.Schema{Type: schema.String}},
	wholeTag:           {Description: "of the whole file", Schema: &schema.Schema{Type: schema.String}},
	wholeSize:          {Description: "bytes of the whole file, after `bytes */`", Schema: &schema.Schema{Type: schema.String}},
}

// common refers to headers that endpoints share.
func common(doc *schema.Document, names ...string) map[string]*schema.Parameter {
	out := map[string]*schema.Parameter{}
	for _, name := range names {
		doc.Components.Headers[name] = commonHeaders[name]
		out[name] = &schema.Parameter{Ref: "#/components/headers/" + name}
	}
	return out
}

// headers describes those of an answer of a status below 400.
func (r Row) headers(doc *schema.Document, status int) map[string]*schema.Parameter {
	if status >= http.StatusBadRequest {
		return failureHeaders(doc, status)
	}
	out := common(doc, requestIDHeader)
	if r.Metered() {
		maps.Copy(out, common(doc, quotaHeader))
	}
	if r.paysWithCall() {
		maps.Copy(out, common(doc, paymentResponse))
	}
	own := maps.Clone(r.Doc.Headers)
	if own == nil {
		own = map[string]string{}
	}
	if r.Cache != "" || r.uncacheable() {
		own[cacheControl] = cmp.Or(r.Cache, NoStore)
	}
	if r.Tagged {
		own["ETag"] = "changes with the answer"
	}
	for name, text := range own {
		out[name] = &schema.Parameter{Description: text, Schema: &schema.Schema{Type: schema.String}}
	}
	return out
}

// failureHeaders describes those of a failure; 0 is any status.
func failureHeaders(doc *schema.Document, status int) map[string]*schema.Parameter {
	out := common(doc, requestIDHeader, cacheControl)
	switch status {
	case http.StatusUnauthorized:
		maps.Copy(out, common(doc, "WWW-Authenticate"))
	case http.StatusPaymentRequired:
		maps.Copy(out, common(doc, paymentResponse))
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		maps.Copy(out, common(doc, "Retry-After"))
	case http.StatusGatewayTimeout: // charged where the routing engine had worked
		maps.Copy(out, common(doc, quotaHeader))
	case http.StatusRequestedRangeNotSatisfiable:
		maps.Copy(out, common(doc, wholeTag, wholeSize))
	case http.StatusPreconditionFailed:
		maps.Copy(out, common(doc, wholeTag))
	case 0:
		maps.Copy(out, common(doc, "Retry-After", "WWW-Authenticate"))
	}
	return out
}

// failures describes what a row fails with: the statuses that follow from what it
// asks for, those that its Doc names, and by default any other.
func (r Row) failures(doc *schema.Document, op *schema.Operation) {
	statuses := append(r.refuses(op), r.Doc.Fails...)
	for _, status := range append(statuses, 0) {
		name := cmp.Or(map[bool]string{true: "default"}[status == 0], strconv.Itoa(status))
		if op.Responses[name] == nil {
			op.Responses[name] = r.failure(doc, status)
		}
	}
}

// refuses lists the statuses with which the edge and what lies behind it may
// refuse a request to the row.
func (r Row) refuses(op *schema.Operation) []int {
	all := []int{http.StatusBadRequest, http.StatusInternalServerError} // any may have an unknown parameter
	add := func(applies bool, status ...int) {
		if applies {
			all = append(all, status...)
		}
	}
	add(r.Auth != Public, http.StatusUnauthorized)
	add(r.Metered(), http.StatusPaymentRequired)
	add(r.Auth == Keyed || r.Auth == Verified, http.StatusForbidden)
	add(r.Failure == nil && (strings.Contains(r.Path, "{") || r.Auth == Linked), http.StatusNotFound)
	add(op.RequestBody != nil || r.Auth == Keyed && r.Method == http.MethodPost, http.StatusRequestEntityTooLarge)
	add(r.Auth == Keyed || r.Auth == Verified || r.Auth == Operators || r.Auth == Linked || r.Account || r.Keyless, http.StatusTooManyRequests)
	add(r.regional || r.Needs.Call != "", http.StatusNotImplemented, http.StatusBadGateway)
	// A row that uses the database, the engine or the region in service may find it away or
	// too slow.
	add(r.Auth != Public || r.Account || strings.Contains(r.Path, "{"), http.StatusServiceUnavailable, http.StatusGatewayTimeout)
	return all
}

// failure refers to the one description of a status in the row's form; 0 is any
// other status.
func (r Row) failure(doc *schema.Document, status int) *schema.Response {
	said, name := http.StatusText(status), ""
	for _, word := range strings.FieldsFunc(said, func(c rune) bool { return c == ' ' || c == '-' }) {
		name += word
	}
	switch status {
	case 0:
		said, name = "any other failure", "Failure"
	case statusNoRoute:
		said, name = "there is no way between two of the coordinates", "NoRoute"
	}
	media, body := problem.Media, reflect.TypeFor[problem.Problem]()
	switch {
	case status == http.StatusPaymentRequired:
		media, body = "application/json", reflect.TypeFor[PaymentRequired]()
		said = "the quota and the credit are used up, or the payment was not taken"
	case r.Failure != nil:
		media, body = "application/json", r.Failure.Body
		name = r.Failure.Body.Name() + name
	}
	if doc.Components.Responses[name] == nil {
		s := doc.Schema(body)
		if media == problem.Media {
			s = doc.Open(s) // its members depend on its type
		}
		doc.Components.Responses[name] = &schema.Response{
			Description: said, Headers: failureHeaders(doc, status), Content: map[string]*schema.MediaType{media: {Schema: s}},
		}
	}
	return &schema.Response{Ref: "#/components/responses/" + name}
}

// statusNoRoute is that of the compatible form for places that no way connects.
const statusNoRoute = 442

// unknownTag returns a tag of an operation that is not described; "" where all are.
func unknownTag(op *schema.Operation) string {
	for _, name := range op.Tags {
		if !slices.ContainsFunc(tags, func(t schema.Tag) bool { return t.Name == name }) {
			return name
		}
	}
	return ""
}
