package enginetest

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// traces: drives whose positions are off the road, and what they must be
// matched to.
func traces() []Scenario {
	return []Scenario{
		{
			Name: "traces of parallel roads",
			Plan: towntest.Plan{
				Cell: 12,
				Drawing: `
					a------------------------b
					|                        |
					|                        |
					c------------------------d
					|                        |
					|                        |
					e------------------------f`,
				Ways: towntest.Ways{
					{"ab", "residential"},
					{"cd", "residential"},
					{"ef", "residential"},
					{"ac", "residential"},
					{"ce", "residential"},
					{"bd", "residential"},
					{"df", "residential"},
				},
			},
			Traces: []Trace{
				{Along: "ab", Path: "ab"},
				{Along: "cd", Off: 8, Path: "cd"},
				{Along: "fe", Off: 8, Path: "fe"},
				{Along: "abdc", Path: "abdc"},
				{Along: "acdfe", Path: "acdfe"},
				{Along: "cd", Off: 8, Times: true, Path: "cd"},
			},
		},
		{
			Name: "traces of a dual carriageway",
			Plan: towntest.Plan{
				Cell: 10,
				Drawing: `
					     b------------------------------c
					a                                        d
					     f------------------------------e`,
				Ways: towntest.Ways{
					{"abcd", "primary oneway=yes"}, {"defa", "primary oneway=yes"},
				},
			},
			Traces: []Trace{
				{Along: "bc", Off: 6, Path: "bc"},
				{Along: "ef", Off: 6, Path: "ef"},
				// The positions are as near to the other side, which leads the other way.
				{Along: "bc", East: 0, North: -12, Path: "bc"},
				{Along: "ef", North: 12, Path: "ef"},
			},
		},
		{
			Name: "traces of a roundabout",
			Plan: towntest.Plan{
				Cell: 20,
				Drawing: `
					         n
					         |
					         p
					        / \
					w------q   s------e
					        \ /
					         r
					         |
					         u`,
				Ways: towntest.Ways{
					{"psrqp", "residential junction=roundabout name=Ring"},
					{"np", "residential"},
					{"wq", "residential"},
					{"es", "residential"},
					{"ur", "residential"},
				},
			},
			Traces: []Trace{
				{Along: "upn", Path: "urqpn", Every: 15}, {Along: "wqpse", Path: "wqpse", Every: 10, Off: 1},
			},
		},
		{
			Name: "traces over a bridge",
			Plan: towntest.Plan{
				Cell: 40,
				Drawing: `
					      n
					      |
					      1
					w--2  |  3--e
					      4
					      |
					      s`,
				Ways: towntest.Ways{
					{"n14s", "primary"}, {"w2", "secondary"}, {"23", "secondary bridge=yes layer=1"}, {"3e", "secondary"},
				},
			},
			Traces: []Trace{{Along: "we", Path: "w23e"}, {Along: "ns", Path: "n14s"}, {Along: "sn", Off: 8, Path: "s41n"}},
		},
		{
			Name: "traces of a dead end",
			Plan: towntest.Plan{
				Drawing: `
					a--b--c
					   |
					   |
					   d`,
				Ways: towntest.Ways{{"ab", "residential"}, {"bc", "residential"}, {"bd", "residential"}},
			},
			Traces: []Trace{{Along: "abdbc", Path: "abdbc"}, {Along: "abd", Path: "abd"}},
		},
		{
			Name: "traces with a gap",
			Plan: towntest.Plan{
				Drawing: `
					a----b          c----d`,
				Ways: towntest.Ways{{"ab", "residential"}, {"cd", "residential"}},
			},
			Traces: []Trace{
				{Along: "ad", Path: "ab", Then: "cd"},
				{Along: "ab", North: 5000, Code: engine.CodeNoSegment},
			},
		},
		{
			Name: "exact traces",
			Plan: towntest.Plan{
				Drawing: `
					a--b--c
					   |  |
					   d--e`,
				Ways: towntest.Ways{{"ab", "residential"}, {"bc", "residential"}, {"bd", "residential"}, {"ce", "residential"}, {"de", "residential"}},
			},
			Traces: []Trace{
				{Along: "abdec", How: engine.EdgeWalk, Off: -1, Every: 1000, Path: "abdec"},
				{Along: "abdec", How: engine.WalkOrSnap, Off: -1, Every: 1000, Path: "abdec"},
				{Along: "abdec", How: engine.WalkOrSnap, Path: "abdec"},
				{Along: "abdec", How: engine.EdgeWalk, Off: 20, Code: engine.CodeNoWalk},
				{Along: "abde", Alter: breakAt("d"), Path: "abde", Legs: 2},
			},
		},
	}
}

// breakAt lets a leg begin at the position nearest to a place.
func breakAt(place string) func(*towntest.Town, *engine.MatchRequest) {
	return func(town *towntest.Town, r *engine.MatchRequest) {
		at, nearest := town.Point(place), 0
		for i := range r.Trace {
			if geo.Distance(r.Trace[i].Point, at) < geo.Distance(r.Trace[nearest].Point, at) {
				nearest = i
			}
		}
		r.Trace[nearest].Stop = engine.Break
	}
}
