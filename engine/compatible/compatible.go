// Package compatible reads the URLs of the endpoints in OSRM's form:
// /service/v1/profile/coordinates?query. What the services have in common is
// here; each feature adds its own parameters.
package compatible

import (
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
)

// Codes of the envelope of a failure.
const (
	InvalidURL     = "InvalidUrl"
	InvalidQuery   = "InvalidQuery"
	InvalidValue   = "InvalidValue"
	InvalidOptions = "InvalidOptions"
	TooBig         = "TooBig"
)

// Refuse is a failure of a request with its code.
func Refuse(code, format string, args ...any) *fault.Error {
	return fault.New(fault.BadRequest, format, args...).With("code", code)
}

// profiles are the words for a way of travel, in the contract's order.
var profiles = []struct {
	word    string
	costing costing.Costing
}{
	{"driving", costing.Auto},
	{"car", costing.Auto},
	{"auto", costing.Auto},
	{"truck", costing.Truck},
	{"bus", costing.Bus},
	{"bicycle", costing.Bicycle},
	{"bike", costing.Bicycle},
	{"cycling", costing.Bicycle},
	{"walking", costing.Pedestrian},
	{"foot", costing.Pedestrian},
	{"pedestrian", costing.Pedestrian},
	{"scooter", costing.MotorScooter},
	{"motorcycle", costing.Motorcycle},
	{"motorbike", costing.Motorcycle},
}

// Profiles lists the words for a way of travel.
func Profiles() []string {
	words := make([]string, len(profiles))
	for i, p := range profiles {
		words[i] = p.word
	}
	return words
}

// Costing gives the way of travel that a profile means.
func Costing(profile string) (costing.Costing, error) {
	for _, p := range profiles {
		if p.word == profile {
			return p.costing, nil
		}
	}
	return 0, Refuse(InvalidValue, "profile %q is not one of %s", fault.Clip(profile), strings.Join(Profiles(), ", "))
}
