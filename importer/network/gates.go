package network

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/waygate/waygate/road/graph"
)

// gate notes an edge that arrives at a node with a barrier that is closed at times.
func (a *assembler) gate(n nodeNumber, arriving graph.DirectedSegment) {
	if len(a.c.barriers[n].Closings) > 0 {
		a.gates[n] = append(a.gates[n], arriving)
	}
}

// closeGates forbids the ways past barriers at the times at which they are closed.
func (a *assembler) closeGates(ctx context.Context) error {
	for i, n := range slices.Sorted(maps.Keys(a.gates)) {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		arriving, id := a.gates[n], a.c.nodes.ids[n]
		if len(arriving)*len(arriving) > maxPathsOfRule {
			a.c.leaveOut("dropped_gate_hours_beyond_limits", "node", id)
			continue
		}
		for _, x := range a.c.barriers[n].Closings {
			pairs := []string{graph.GateKey, x.Tag + ", on node " + strconv.FormatInt(id, 10), "condition", x.Condition}
			if x.Open != "" {
				pairs[2], pairs[3] = graph.OpenKey, x.Open
			}
			set := a.b.Set(pairs...)
			for _, in := range arriving {
				for _, out := range arriving {
					if in != out {
						a.b.Restrict(graph.Restriction{Path: []graph.DirectedSegment{in, out.Reverse()}, Modes: x.Modes, Timed: true, Set: set})
					}
				}
			}
		}
		a.c.counts["gates_with_hours"]++
	}
	return nil
}
