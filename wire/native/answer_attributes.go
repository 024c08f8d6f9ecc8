package native

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/json"
)

// WriteAttributes writes what is told of a matched trace, with blocks at the top.
func WriteAttributes(_ *engine.MatchRequest, a *engine.AttributesAnswer, blocks ...json.Block) ([]byte, error) {
	return json.Blend(a.Raw, blocks, nil)
}
