package directions

import "github.com/waygate/waygate/engine"

func WarningsOf(r *Request) []engine.Warning { return r.warnings }
