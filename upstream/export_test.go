package upstream

import "context"

// ProbeNow probes the server of a number.
func (p *Pool) ProbeNow(ctx context.Context, i int) { p.probe(ctx, p.members[i]) }
