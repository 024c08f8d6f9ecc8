// Package adr answers whether a load may pass a tunnel, by the table of
// ADR 8.6.4. It needs no route and no map.
package adr

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
)

// Basis is the provision every answer rests on.
const Basis = "ADR 8.6.4"

// categories are those of tunnels, least restricted first.
var categories = []string{"A", "B", "C", "D", "E"}

// Decision is whether the load may pass.
type Decision struct {
	Status string `json:"status" enum:"allowed,blocked" doc:"whether the load may pass"`
	Reason string `json:"reason,omitempty" doc:"why not; only where it may not"`
}

// Answer is the answer of POST /adr/check.
type Answer struct {
	Decision       Decision `json:"decision"`
	TunnelCategory string   `json:"tunnel_category" enum:"A,B,C,D,E"`
	TunnelCode     *string  `json:"tunnel_code" doc:"the code as it was understood: B, the most restricted, for a dangerous load without one; null where there is none and the load is not dangerous"`
	Basis          string   `json:"basis" doc:"the provision the decision rests on"`
	Caveats        []string `json:"caveats" doc:"what the decision does not cover"`
}

// Check decides for a load with a tunnel restriction code, nil where none is given, and
// a tunnel of category "A" to "E".
func Check(code *string, hazmat bool, category string) (*Answer, error) {
	if !slices.Contains(categories, category) {
		return nil, fault.Invalid(fault.Violation{Location: "tunnel_category", Value: category, Message: "must be one of A, B, C, D, E"})
	}
	a := &Answer{Decision: Decision{Status: "allowed"}, TunnelCategory: category, Basis: Basis, Caveats: []string{}}
	if code != nil {
		known, ok := costing.ParseTunnelCode(*code)
		if !ok {
			return nil, fault.Invalid(fault.Violation{Location: "adr.tunnel_code", Value: *code, Message: "must be null or one of " + strings.Join(costing.TunnelCodes(), ", ")})
		}
		code = &known
	}
	assumed := code == nil
	code, _, note := costing.ResolveTunnelCode(code, hazmat)
	if note != "" {
		a.Caveats = append(a.Caveats, note)
	}
	if code == nil {
		return a, nil
	}
	a.TunnelCode = code
	if costing.TunnelForbids(*code, category) {
		a.Decision = Decision{"blocked", costing.TunnelReason(*code, assumed, category)}
	}
	if strings.ContainsAny(*code, "/0") {
		a.Caveats = append(a.Caveats, "the code depends on carriage in tanks or on the net explosive mass, which was not given: the stricter reading holds")
	}
	return a, nil
}
