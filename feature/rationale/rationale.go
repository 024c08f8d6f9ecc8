package rationale

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/waygate/waygate/engine"
)

// Rationale is the block of a route with what its declarations avoided.
type Rationale struct {
	Method   string    `json:"method" enum:"route_divergence"`
	Avoided  []Avoided `json:"avoided"`
	Caveats  string    `json:"caveats"`
	Note     string    `json:"note,omitempty" doc:"present where a probe failed"`
	Context  *Context  `json:"context,omitempty" doc:"present where incident data is configured"`
	Metering Metering  `json:"metering"`
}

// Context has facts of the way beside the declarations: never a cause of
// it.
type Context struct {
	Incidents   []ContextIncident `json:"incidents" nullable:"false" doc:"active ones that overlap the route's corridor; empty where none matched within coverage"`
	Coverage    string            `json:"coverage"`
	Attribution []string          `json:"attribution" nullable:"false"`
}

// ContextIncident is an incident on the route or beside it.
type ContextIncident struct {
	ID       string  `json:"id"`
	Kind     string  `json:"kind"`
	Road     *string `json:"road"`
	Severity string  `json:"severity"`
	Cause    *string `json:"cause" doc:"in the words of the source"`
	Arc      float64 `json:"arc_m" decimals:"1" doc:"metres along the route to where it comes to it"`
	ToArc    float64 `json:"to_arc_m" decimals:"1"`
	On       bool    `json:"on_route"`
	Source   string  `json:"source"`
	Licence  *string `json:"licence"`
}

// Avoided is one declaration that changed the route.
type Avoided struct {
	Kind       string     `json:"kind" enum:"max_height,max_width,max_length,max_weight,hazmat,adr_tunnel,highway_avoided,toll_avoided,ferry_avoided,living_street_avoided,hill_avoided,surface_avoided,road_avoided,primary_road_avoided,unlit_street_avoided,hiking_difficulty_limited,access_profile,combined"`
	Constraint string     `json:"constraint" doc:"the costing option that declared it; several, with commas between, of the kind combined"`
	Value      any        `json:"value" doc:"as declared, not the limit of a road"`
	Basis      string     `json:"basis" enum:"route_divergence"`
	Baseline   string     `json:"baseline" enum:"relaxed_to_non_binding,engine_default,cap_lifted"`
	Location   [2]float64 `json:"location" doc:"[lon, lat] where the ways part"`
	Divergence Divergence `json:"divergence"`
	TimeSaved  float64    `json:"time_saved_s" doc:"seconds that the other way is quicker; negative where it is slower"`
	Saved      float64    `json:"distance_saved_m" doc:"metres that the other way is shorter; negative where it is longer"`
	Reason     string     `json:"reason"`
}

// Metering gives the price of the explanation.
type Metering struct {
	Engine int   `json:"engine_computations"`
	Route  int   `json:"route_computations"`
	Probe  int   `json:"probe_computations"`
	Billed int64 `json:"billed_units"`
	Most   int64 `json:"max_billed_units"`
}

// Price is the price of a computation.
type Price struct {
	Units   int64 // of the quota, each
	Ceiling bool  // the most is paid whatever is used
}

const (
	divergence = "route_divergence"
	caveats    = "Each entry compares this route with the one that the same engine finds without the declaration. It shows that the declaration changed the way, " +
		"not which limit of which road did, and nothing of roads that the map data does not hold."
)

// Explain returns what the declarations of a request avoided on the route that
// answers it. A probe that fails leaves a note; only the context's end is an
// error.
func Explain(ctx context.Context, e engine.Engine, r *engine.RouteRequest, route *engine.Route, p Price) (*Rationale, error) {
	x := &explanation{engine: e, request: r, route: route, out: &Rationale{Method: divergence, Avoided: []Avoided{}, Caveats: caveats}}
	declared := declarations(r.Costing, &r.Options)
	if len(declared) > 0 {
		if err := x.probe(ctx, declared); err != nil {
			return nil, err
		}
	}
	m := &x.out.Metering
	m.Route, m.Probe, m.Engine = 1, x.probes, 1+x.probes
	m.Most = p.Units * int64(Most(r))
	m.Billed = p.Units * int64(m.Engine)
	if p.Ceiling {
		m.Billed = m.Most
	}
	return x.out, nil
}

// explanation is one in the making.
type explanation struct {
	engine  engine.Engine
	request *engine.RouteRequest
	route   *engine.Route
	out     *Rationale
	probes  int // that ran
	failed  []string
}

// probe first requests a route without any declarations: where that changes nothing
// none of them did. Else each is taken back alone.
func (x *explanation) probe(ctx context.Context, all []declaration) error {
	together, changed, err := x.ask(ctx, all...)
	if err != nil {
		return err
	}
	defer x.note()
	switch {
	case together == nil || !changed:
		return nil
	case len(all) == 1:
		x.out.Avoided = append(x.out.Avoided, *together)
		return nil
	}
	for _, d := range all {
		alone, changed, err := x.ask(ctx, d)
		if err != nil {
			return err
		}
		if alone != nil && changed {
			x.out.Avoided = append(x.out.Avoided, *alone)
		}
	}
	if len(x.out.Avoided) == 0 && len(x.failed) == 0 {
		x.out.Avoided = append(x.out.Avoided, *together)
	}
	return nil
}

// ask finds the route without declarations and returns how it differs; nil where there was no
// answer.
func (x *explanation) ask(ctx context.Context, list ...declaration) (*Avoided, bool, error) {
	r := *x.request
	r.Alternates, r.Want, r.Output = 0, 0, engine.Output{}
	r.Options = without(r.Costing, &x.request.Options, list...)
	other, err := engine.Best(ctx, x.engine, &r)
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if err != nil {
		x.failed = append(x.failed, names(list))
		return nil, false, nil //nolint:nilerr // a failed probe is a note, not a failed route
	}
	x.probes++
	d, changed := diverge(x.route, other)
	a := avoided(list)
	a.Basis, a.Divergence, a.Location = divergence, d, d.Start
	a.TimeSaved, a.Saved = math.Round(x.route.Seconds-other.Seconds), math.Round(x.route.Metres-other.Metres)
	a.Reason = reason(&a)
	return &a, changed, nil
}

// avoided returns the entry of declarations, without what it changed.
func avoided(list []declaration) Avoided {
	if len(list) == 1 {
		d := list[0]
		return Avoided{Kind: d.kind, Constraint: d.constraint, Value: d.value, Baseline: d.baseline}
	}
	values := map[string]any{}
	for _, d := range list {
		values[d.constraint] = d.value
	}
	return Avoided{Kind: "combined", Constraint: names(list), Value: values, Baseline: list[0].baseline}
}

func names(list []declaration) string {
	all := make([]string, len(list))
	for i, d := range list {
		all[i] = d.constraint
	}
	return strings.Join(all, ",")
}

// reason words an entry.
func reason(a *Avoided) string {
	text := fmt.Sprintf("%s is %s", a.Constraint, worded(a.Value))
	if a.Kind == "combined" {
		text = "none of " + strings.ReplaceAll(a.Constraint, ",", ", ") + " alone changes the route, together they do"
	}
	return fmt.Sprintf("%s: without, the route would take another way of %.0f m from %.5f, %.5f on, %s and %s", text,
		a.Divergence.Length, a.Location[1], a.Location[0],
		compared(a.TimeSaved, "s", "quicker", "slower"), compared(a.Saved, "m", "shorter", "longer"))
}

func compared(saved float64, unit, less, more string) string {
	if saved < 0 {
		less, saved = more, -saved
	}
	return fmt.Sprintf("%.0f %s %s", saved, unit, less)
}

func (x *explanation) note() {
	if len(x.failed) > 0 {
		x.out.Note = "the comparison without " + strings.Join(x.failed, ", and that without ") + " failed; what these changed is not known"
	}
}
