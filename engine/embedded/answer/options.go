package answer

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/road/graph"
)

// Warnings lists the options and languages of a request that have no effect.
func Warnings(g *graph.Graph, c costing.Costing, s *costing.Settings, out *engine.Output) []engine.Warning {
	var list []engine.Warning
	for _, o := range costing.Of(c) {
		if !s.Given(o) {
			continue
		}
		why := o.Row().Idle
		if o == costing.UseHills && g.Grades == nil {
			why = "the region has no heights"
		}
		if why != "" {
			at := "costing_options." + c.String() + "." + o.String()
			list = append(list, engine.Warning{Code: engine.WarnOption, Of: at, Text: at + " had no effect: " + why})
		}
	}
	if l, asked := narrate.Find(out.Language); !asked && out.Speaks() {
		list = append(list, engine.Warning{Code: engine.WarnLanguage, Of: "language", Text: "there are no instructions in " + out.Language + " here; they are in " + l.Tag()})
	}
	return list
}
