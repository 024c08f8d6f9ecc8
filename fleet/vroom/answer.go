package vroom

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/fleet"
)

// answered is the part of an answer that is read.
type answered struct {
	Code    *int   `json:"code"`
	Error   string `json:"error"`
	Summary struct {
		Times struct {
			Solving int64 `json:"solving"` // milliseconds
		} `json:"computing_times"`
	} `json:"summary"`
	Routes []struct {
		Vehicle int `json:"vehicle"`
		Steps   []struct {
			Type string `json:"type"`
			ID   int    `json:"id"`
		} `json:"steps"`
	} `json:"routes"`
}

// longest returns the most bytes that an answer may have: VROOM writes about 200 for
// each step, and its load in each dimension.
func longest(p *fleet.Problem) int64 {
	steps := len(p.Jobs) + 2*len(p.Shipments) + 2*len(p.Vehicles)
	for i := range p.Vehicles {
		steps += len(p.Vehicles[i].Breaks)
	}
	return 1<<16 + int64(steps)*(1<<10)
}

// read returns the orders of the vehicles' stops. cut reports whether the time limit
// probably ended the search: VROOM does not say so, but the search took more than half
// of it.
func read(body []byte, p *fleet.Problem, limit time.Duration) (orders [][]fleet.Stop, cut bool, err error) {
	var a answered
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, false, broken(err, "did not answer as VROOM does")
	}
	if a.Code == nil {
		return nil, false, broken(nil, "did not answer as VROOM does: there is no code")
	}
	if *a.Code != 0 {
		return nil, false, failed(&a, http.StatusOK)
	}
	orders = make([][]fleet.Stop, len(p.Vehicles))
	for i := range a.Routes {
		r := &a.Routes[i]
		if r.Vehicle < 0 || r.Vehicle >= len(orders) || orders[r.Vehicle] != nil {
			return nil, false, broken(nil, "answered with a route of no vehicle, or two of one")
		}
		orders[r.Vehicle] = []fleet.Stop{}
		for k := range r.Steps {
			stop := fleet.Stop{Index: r.Steps[k].ID}
			switch r.Steps[k].Type {
			case "start", "end", "break":
				continue
			case "job":
				if stop.Index >= len(p.Jobs) {
					stop = fleet.Stop{Kind: fleet.AtDelivery, Index: stop.Index - len(p.Jobs)}
				}
			case "pickup":
				stop.Kind = fleet.AtPickup
			case "delivery":
				stop.Kind = fleet.AtDelivery
			default:
				return nil, false, broken(nil, "answered with a step of no kind that is known")
			}
			orders[r.Vehicle] = append(orders[r.Vehicle], stop)
		}
	}
	return orders, limit > 0 && 2*a.Summary.Times.Solving > limit.Milliseconds(), nil
}

// broken is the error for an answer that is not VROOM's. The cause is for the log only.
func broken(cause error, what string) error {
	return fault.Wrap(cause, fault.Upstream, "the optimisation server (VROOM) %s", what).With("upstream_status", http.StatusOK)
}

// failed is the error for an answer that reports a failure. Its message may name
// internals, so it is for the log only.
func failed(a *answered, status int) error {
	cause := error(errText(a.Error))
	if *a.Code == codeInput {
		cause = errors.Join(errRefused, cause)
	}
	what := map[int]string{1: "failed", codeInput: "refused the problem", 3: "asked a router, which it is not to"}[*a.Code]
	if what == "" {
		what = "failed"
	}
	return fault.Wrap(cause, fault.Upstream, "the optimisation server (VROOM) %s (its code %d)", what, *a.Code).With("upstream_status", status)
}

// errRefused is the cause of a failure where VROOM finds something wrong with the problem.
var errRefused = errors.New("input error")

const codeInput = 2

type errText string

func (e errText) Error() string { return fault.Clip(string(e)) }
