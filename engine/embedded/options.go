package embedded

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/guidance/narrate"
)

// warnings tell of options and languages that were asked for in vain.
func (e *Engine) warnings(r *engine.RouteRequest) []engine.Warning {
	var list []engine.Warning
	for _, o := range costing.Of(r.Costing) {
		if !r.Options.Given(o) {
			continue
		}
		why := o.Row().Idle
		if o == costing.UseHills && e.g.Grades == nil {
			why = "the region has no heights"
		}
		if why != "" {
			list = append(list, engine.Warning{Code: engine.WarnOption, Text: "costing_options." + r.Costing.String() + "." + o.String() + " had no effect: " + why})
		}
	}
	if l, asked := narrate.Find(r.Language); !asked && r.Speaks() {
		list = append(list, engine.Warning{Code: engine.WarnLanguage, Text: "there are no instructions in " + r.Language + " here; they are in " + l.Tag()})
	}
	return list
}
