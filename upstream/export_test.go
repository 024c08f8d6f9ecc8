package upstream

import "context"

// ProbeNow probes the server of a number.
func (p *Pool) ProbeNow(ctx context.Context, i int) { p.probe(ctx, p.members[i], true) }

// Probes reports whether a probe asks the server of a number.
func (p *Pool) Probes(s *ProbedServer, i int) bool { return s.m == p.members[i] }
