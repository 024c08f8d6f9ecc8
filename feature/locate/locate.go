// Package locate tells where places lie on the road network.
package locate

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// MaxLocations is how many places one request may ask for.
const MaxLocations = 100

// Verbose reads the member verbose of a request: false where it is absent.
func Verbose(raw json.RawMessage) (bool, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return false, nil
	}
	var v bool
	if json.Unmarshal(raw, &v) != nil {
		return false, fault.Invalid(fault.Violation{Location: "verbose", Value: string(raw), Message: "must be true or false"})
	}
	return v, nil
}

// Locate answers a checked request with the engine's JSON array, one element
// for each location. notes, which any JSON marshals, become the member
// warnings of the first element, for an array has no place of its own for them.
func Locate(ctx context.Context, eng engine.Engine, r *engine.LocateRequest, notes []any) ([]byte, error) {
	answer, err := eng.Locate(ctx, r)
	if err != nil {
		return nil, err
	}
	if len(notes) == 0 {
		return answer.Body, nil
	}
	var list []json.RawMessage
	if json.Unmarshal(answer.Body, &list) != nil || len(list) != len(r.Locations) {
		return nil, fault.New(fault.Upstream, "the engine's answer is not a list of %d located places", len(r.Locations)).With("upstream_status", 200)
	}
	text, err := json.Marshal(notes)
	if err != nil {
		return nil, err
	}
	first := list[0]
	if len(first) < 2 || first[0] != '{' {
		return nil, fault.New(fault.Upstream, "the engine's answer holds no objects").With("upstream_status", 200)
	}
	told := bytes.TrimRight(first[:len(first)-1], " \n\r\t")
	told = told[:len(told):len(told)] // what follows must not write over the answer
	if len(told) > 1 {
		told = append(told, ',')
	}
	list[0] = append(append(append(told, `"warnings":`...), text...), '}')
	all := make([][]byte, len(list))
	for i, one := range list {
		all[i] = one
	}
	return append(append([]byte{'['}, bytes.Join(all, []byte{','})...), ']'), nil
}
