package native

import (
	"bytes"
	"encoding/json"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	wire "github.com/waygate/waygate/wire/json"
)

// WriteIsochrone writes the outlines, with the warnings of the request and the
// engine's.
func WriteIsochrone(a *engine.IsochroneAnswer, warnings []engine.Warning) ([]byte, error) {
	return wire.Blend(bytes.TrimSpace(a.Body), Warned(append(warnings, a.Warnings...)), nil)
}

// WriteLocate writes where so many places lie: a list, whose first element has
// the warnings, for a list has no place of its own for them.
func WriteLocate(a *engine.LocateAnswer, places int, warnings []engine.Warning) ([]byte, error) {
	if len(warnings) == 0 {
		return a.Body, nil
	}
	var list []wire.Place
	if !json.Valid(a.Body) || bytes.TrimSpace(a.Body)[0] != '[' {
		return nil, fault.New(fault.Upstream, "the engine's answer is not a list of %d located places", places).With("upstream_status", 200)
	}
	wire.Each(a.Body, []string{"*"}, func(p wire.Place) { list = append(list, p) })
	switch {
	case len(list) != places:
		return nil, fault.New(fault.Upstream, "the engine's answer is not a list of %d located places", places).With("upstream_status", 200)
	case a.Body[list[0].Begin] != '{':
		return nil, fault.New(fault.Upstream, "the engine's answer holds no objects").With("upstream_status", 200)
	}
	member, err := wire.Member("warnings", warnings)
	if err != nil {
		return nil, err
	}
	return wire.Splice(a.Body, []wire.Edit{wire.Added(a.Body, list[0], member)}), nil
}

// AnswerWarning says that something in the request was not as asked.
type AnswerWarning struct {
	Code int    `json:"code" doc:"901 a member that is not known, 902 a costing option that is not known, 903 a known member without effect here, 904 instructions in another language than was asked for, 905 a costing option the engine knows and cannot honour, 906 a place without a road or a meeting point by another rule, 907 the way waits for something to open, 908 a restriction at times was not heeded, 909 times are UTC; other codes are the engine's"`
	Text string `json:"text"`
}

// Told gives warnings as typed answers have them.
func Told(list ...engine.Warning) []AnswerWarning {
	all := make([]AnswerWarning, len(list))
	for i, w := range list {
		all[i] = AnswerWarning(w)
	}
	return all
}

// Warned is the block of warnings; nothing without any.
func Warned(list []engine.Warning) []wire.Block {
	if len(list) == 0 {
		return nil
	}
	return []wire.Block{{Name: "warnings", Value: list, Join: true}}
}
