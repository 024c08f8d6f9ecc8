// Package locate tells where places lie on the road network.
package locate

import (
	"encoding/json"

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
