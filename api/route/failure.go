package route

import (
	"maps"
	"net/http"
	"reflect"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// osrmFailures is the envelope of the services in OSRM's form.
var osrmFailures = &edge.Envelope{
	Write: writeOSRM, Body: reflect.TypeFor[OSRMError](),
	Nowhere: func(row edge.Row, shown string) error {
		return fault.New(fault.BadRequest, "%s is not %s", shown, row.Path).With("code", "InvalidUrl")
	},
}

// OSRMError is the error envelope of the services in OSRM's form.
type OSRMError struct {
	Code    string `json:"code" doc:"what went wrong; Ok never appears here" example:"InvalidValue"`
	Message string `json:"message" doc:"what was wrong, with the value and the limit"`
}

// noRoute is the status of a NoRoute condition in OSRM's form.
const noRoute = 442

// osrmCodes names the failures that do not come from the request
// itself.
var osrmCodes = map[fault.Slug]string{
	fault.BadRequest:          "InvalidValue",
	fault.CostingConflict:     "InvalidOptions",
	fault.InvalidAvoid:        "InvalidValue",
	fault.NotFound:            "InvalidUrl",
	fault.MethodNotAllowed:    "InvalidUrl",
	fault.TooLarge:            "TooBig",
	fault.Unauthorized:        "Unauthorized",
	fault.Forbidden:           "Forbidden",
	fault.OriginNotAllowed:    "Forbidden",
	fault.ScopeInsufficient:   "Forbidden",
	fault.QuotaExceeded:       "TooManyRequests",
	fault.RateLimited:         "TooManyRequests",
	fault.Upstream:            "UpstreamError",
	fault.UpstreamUnavailable: "UpstreamUnavailable",
	fault.UpstreamTimeout:     "UpstreamTimeout",
	fault.Internal:            "InternalError",
}

// writeOSRM answers any failure as {"code", "message"}. A failure that
// carries a field "code" says itself which code it is.
func writeOSRM(w http.ResponseWriter, err error) error {
	f := problem.FailureOf(err)
	if f.Slug == fault.PaymentRequired {
		return problem.Write(w, err)
	}
	status, code := f.Status, osrmCodes[f.Slug]
	switch engine.Code(f.Error) {
	case engine.CodeNoRoute:
		status, code = noRoute, "NoRoute"
	case engine.CodeNoSegment:
		status, code = http.StatusBadRequest, "NoSegment"
	case engine.CodeTooFar:
		status, code = http.StatusBadRequest, "TooBig"
	}
	if _, tooDear := f.Fields["limit_ms"]; tooDear {
		code = "TooBig"
	}
	if own, ok := f.Fields["code"].(string); ok {
		code = own
	}
	if code == "" {
		code = "InvalidOptions"
		if status == http.StatusInternalServerError {
			code = "InternalError"
		}
	}
	maps.Copy(w.Header(), f.Header)
	return edge.WriteJSON(w, status, OSRMError{code, f.Detail})
}
