package native

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/json"
)

// AnswerWarning reports that something was not as requested.
type AnswerWarning struct {
	Code int    `json:"code" doc:"901 a member that is not known, 902 a costing option that is not known, 903 a known member without effect here, 904 instructions in another language than was asked for, 905 a costing option the engine knows and cannot honour, 906 a place without a road or a meeting point by another rule, 907 the way waits for something to open, 908 a restriction at times was not heeded, 909 times are UTC, 910 the route leads over rough tracks, 911 some heights could not be read, 914 more roads lie within a radius than count, 915 closures that live feeds report changed the answer, 916 the route passes a private road, 917 a location was moved by more than 25 m past a nearer road, 918 a load is taken for more dangerous than it was said to be, 919 the route leads over what is discouraged or unsuitable, for want of another way, 920 what is known of clean-air zones is old, 921 no way leads on where a location heads, 922 outlines are drawn from sampled places, 923 another routing engine answered than the preferred one, which did not; other codes are the engine's"`
	Text string `json:"text"`
	Of   string `json:"parameter,omitempty" doc:"the members of the request that had no effect, separated by commas; absent where it is of none"`
}

// AnswerWarnings gives warnings as typed answers have them.
func AnswerWarnings(list ...engine.Warning) []AnswerWarning {
	all := make([]AnswerWarning, len(list))
	for i, w := range list {
		all[i] = AnswerWarning(w)
	}
	return all
}

// WarningBlock returns the block of warnings; nothing without any.
func WarningBlock(list []engine.Warning) []json.Block {
	if len(list) == 0 {
		return nil
	}
	return []json.Block{{Name: "warnings", Value: list, Join: true}}
}
