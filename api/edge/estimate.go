package edge

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
)

// Estimate is the price of a call, in place of its answer.
type Estimate struct {
	Class       meter.Class    `json:"class" enum:"standard,premium"`
	Units       int64          `json:"units" doc:"that the call would be charged at the most"`
	EstimatedMS float64        `json:"estimated_ms" doc:"work of the routing engine and of searches for plans, in milliseconds of one core, as far as it is known before; 0 where there is none to do, as where it takes a job"`
	MemoryBytes int64          `json:"memory_bytes" doc:"memory that this would hold, the answer included"`
	Lane        string         `json:"lane" enum:"small,dear,remote" doc:"small calls wait for no dear one; remote is another server's work"`
	Accepted    bool           `json:"accepted" doc:"false where the call would be refused for taking too long"`
	Reason      string         `json:"reason" doc:"why it would be refused and what would do, else empty"`
	Limits      EstimateLimits `json:"limits"`
}

// HeadedEstimate is an Estimate of an endpoint whose answers have headers of their
// own. Generated Go code has one type for a body and the headers beside it.
type HeadedEstimate struct{ Estimate }

// WarnedEstimate is an Estimate of an endpoint whose answers have warnings as headers.
type WarnedEstimate struct{ Estimate }

// UnkeptEstimate is one of an endpoint whose answers say that they are not to be kept.
type UnkeptEstimate struct{ Estimate }

// EstimateLimits are the limits that would apply to the call.
type EstimateLimits struct {
	TimeoutMS   int64 `json:"timeout_ms" doc:"time that one request may take"`
	MemoryBytes int64 `json:"memory_bytes" doc:"memory that all calls under way may hold together"`
}

// WarningsHeader names what of a request had no effect, or another than was asked for, in
// answers whose body has no member for it.
const WarningsHeader = "X-Svc-Warnings"

// EstimateMedia is the media type of an Estimate, so that none is taken for an
// answer.
const EstimateMedia = "application/vnd.svc-gateway.estimate+json"

const (
	estimateParameter = "estimate"
	estimateHelp      = "1 answers what the call would cost in place of its answer, from the request fully checked: nothing is run or charged"
)

// estimates reports whether callers may ask what a call to the row would cost: not
// where it computes nothing, as of what a caller has stored and of files, which say
// how they may be kept. A POST makes a job or a watch, and never answers with a file.
func (r Row) estimates() bool {
	return r.Metered() && !r.Maps && (r.Cache == "" || r.Method == http.MethodPost)
}

// estimateOf reports whether a request wants an estimate, and takes the
// question out of its query. Where it cannot be asked it is refused: the call would
// be made and charged.
func (r Row) estimateOf(req *http.Request) (asked bool, err error) {
	if !r.Metered() || !strings.Contains(req.URL.RawQuery, estimateParameter+"=") {
		return false, nil
	}
	var rest []string
	for part := range strings.SplitSeq(req.URL.RawQuery, "&") {
		name, value, _ := strings.Cut(part, "=")
		if name != estimateParameter {
			rest = append(rest, part)
			continue
		}
		switch value {
		case "1":
			asked = true
		case "0", "":
		default:
			shown, _ := url.QueryUnescape(value)
			return false, fault.Invalid(fault.Violation{Location: "query." + estimateParameter, Value: shown, Message: "must be 0 or 1"})
		}
	}
	if asked && !r.estimates() {
		return false, fault.Invalid(fault.Violation{Location: "query." + estimateParameter, Value: "1", Message: "is not taken here: /openapi.json and GET /v1/limits have what the call costs"})
	}
	req.URL.RawQuery = strings.Join(rest, "&")
	return asked, nil
}

// estimate answers what a call that was read and priced would cost. run is its
// handler, whose calls of the engine are estimated in place of being made, and which
// ends with scheduled.ErrEstimated before it keeps anything.
func (c *Call) estimate(w http.ResponseWriter, run func(http.ResponseWriter) error) error {
	out := Estimate{Class: c.class, Units: c.quoted, Accepted: true, Lane: "small", Limits: EstimateLimits{TimeoutMS: c.edge.options.RequestTimeout.Milliseconds()}}
	var err error
	if run != nil {
		err = run(nowhereWriter{http.Header{}})
	}
	sum, some := c.work.Estimated()
	if !some && err != nil && !errors.Is(err, scheduled.ErrEstimated) {
		return err
	}
	if run != nil || some {
		if s := c.edge.options.Scheduler; s != nil {
			sum.Work *= time.Duration(max(1, c.quoted/c.Units())) // the first computation stands for all
			f := s.Forecast(sum, c.edge.options.RequestTimeout)
			out.Lane, out.Accepted, out.Reason, out.Limits.MemoryBytes = f.Class, f.Accepted, f.Reason, s.Limits().Memory
		}
		out.EstimatedMS, out.MemoryBytes = math.Round(float64(sum.Work.Microseconds()))/1000, sum.Bytes
	}
	body, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("an estimate: %w", err)
	}
	return writeBody(w, http.StatusOK, EstimateMedia, append(body, '\n'))
}

// Expecting is the input of an endpoint whose handler is not run for an estimate. Expected is about
// what each computation takes that its price counts. It is called after Price.
type Expecting interface{ Expected() engine.Estimate }

// Expect adds e to the estimate of a call that requests nothing but its estimate
// (?estimate=1), and does nothing in any other call.
func (c *Call) Expect(e engine.Estimate) {
	if c.work.EstimateOnly {
		c.work.Note(e)
	}
}

// nowhereWriter takes an answer that nobody reads.
type nowhereWriter struct{ header http.Header }

func (w nowhereWriter) Header() http.Header         { return w.header }
func (w nowhereWriter) Write(p []byte) (int, error) { return len(p), nil }
func (w nowhereWriter) WriteHeader(int)             {}
