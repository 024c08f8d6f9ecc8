// Package audited is an engine whose routes are judged by the roads of a region, for what
// does not bind in the engine's own costing: the tunnel code of a load with a Valhalla, and
// the size, the weight and the class of a vehicle too with an OSRM. Where a route runs through what is
// closed, the package requests another one until it is legal, with at most MostCalls calls.
// It excludes the closed places where the engine can do that. To any other engine it sends
// through locations, which lie on a legal way on the region's own network.
package audited

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/embedded/judge"
	"github.com/waygate/waygate/fault"
)

// MostCalls is the most calls of an engine for one route.
const MostCalls = 6

// Engine is an engine whose routes are judged. All calls but Route are those of the engine.
type Engine struct {
	engine.Engine
	roads *embedded.Engine
}

var _ engine.Engine = (*Engine)(nil)

// New returns an engine whose routes are judged by the roads of a region, which is open as
// long as the engine is used.
func New(e engine.Engine, roads *embedded.Engine) *Engine { return &Engine{e, roads} }

// Can returns that of the engine, whose routes are judged.
func (e *Engine) Can() engine.Can {
	can := e.Engine.Can()
	can.Audited = true
	return can
}

// Route finds a route that is open to the vehicle in all that does not bind in the engine's
// costing, or refuses with CodeNoRoute and blocked_by, which names the road that is closed.
// The answer's Audit says what was judged. The options of a lorry are judged whether the
// request sets them or not, those of other vehicles where it does. Where the engine has a fixed
// profile, which for lorries, buses and motorcycles may be that of cars, it is judged too which
// roads are open to them. Its tunnels are those of the region.
func (e *Engine) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	options, access := e.unenforced(r), e.foreign(r.Costing)
	if len(options) == 0 && !access && r.Want&engine.WantTunnels == 0 {
		return e.Engine.Route(ctx, r)
	}
	s := search{Engine: e, r: r, ask: *r, question: judge.Question{Costing: r.Costing, Settings: r.Options, Options: options, Access: access}, audit: engine.Audit{Options: options, Access: access}}
	s.ask.Want |= engine.WantLine
	return s.run(ctx)
}

// sizes are the options of vehicles that roads have limits for, but for the tunnel code.
var sizes = []costing.Option{costing.Height, costing.Width, costing.Length, costing.Weight, costing.AxleLoad, costing.AxleCount, costing.Hazmat}

// unenforced lists the options that do not bind in the engine's costing and close roads.
func (e *Engine) unenforced(r *engine.RouteRequest) (list []costing.Option) {
	can, own := e.Can(), r.Options.Of(r.Costing)
	add := func(o costing.Option) {
		if o.In(r.Costing) && o.Row().Forbids(&own) && (r.Costing == costing.Truck || r.Options.Given(o)) {
			list = append(list, o)
		}
	}
	if !can.TunnelCodes {
		add(costing.ADRTunnelCode)
	}
	for _, o := range sizes {
		if !can.Vehicles || can.Support(r.Costing, o) != engine.Heeded {
			add(o)
		}
	}
	return list
}

// foreign reports whether the engine may have another vehicle than that of a costing: it has
// fixed profiles, and stock ones are those of cars, bicycles and walkers.
func (e *Engine) foreign(c costing.Costing) bool {
	return !e.Engine.Can().Vehicles && c != costing.Auto && c != costing.Bicycle && c != costing.Pedestrian
}

// search requests one route until it is legal.
type search struct {
	*Engine
	r        *engine.RouteRequest // as it came
	ask      engine.RouteRequest  // as the engine gets it
	question judge.Question
	audit    engine.Audit

	guide  *engine.Route  // a legal way on the region's network; nil before it is looked for
	own    []int          // index in ask of each location of the request, where guide leads
	places map[int64]bool // ways whose middle is excluded already
}

func (s *search) run(ctx context.Context) (*engine.RouteAnswer, error) {
	for {
		s.audit.Asked++
		a, err := s.Engine.Engine.Route(ctx, &s.ask)
		if code := engine.Code(err); s.audit.Asked > 1 && (code == engine.CodeNoRoute || code == engine.CodeNoSegment) {
			return nil, s.blocked("there is no other way")
		}
		if err != nil {
			return nil, err
		}
		blocks, err := s.judge(ctx, a)
		if err != nil {
			return nil, err
		}
		if len(blocks) == 0 {
			s.unled(a)
			audit := s.audit
			a.Audit, a.Warnings = &audit, s.heeded(a.Warnings)
			engine.NoteAudit(ctx, &audit)
			return a, nil
		}
		s.audit.Kept = append(s.audit.Kept, blocks...)
		if s.audit.Asked >= MostCalls {
			return nil, s.blocked(fmt.Sprintf("none of %d routes that it answered keeps off what is closed", s.audit.Asked))
		}
		if s.Can().ExcludedPlaces {
			s.exclude(blocks)
		} else if err := s.lead(ctx); err != nil {
			return nil, err
		}
	}
}

// heeded returns the warnings of an engine without those of options that had no effect there
// and were judged here.
func (s *search) heeded(list []engine.Warning) []engine.Warning {
	return slices.DeleteFunc(slices.Clone(list), func(w engine.Warning) bool {
		if w.Of == "costing" {
			return s.audit.Access && s.audit.Unknown == 0
		}
		return slices.ContainsFunc(s.audit.Options, func(o costing.Option) bool {
			return s.audit.Enforces(o) && w.Of == "costing_options."+s.r.Costing.String()+"."+o.String()
		})
	})
}

// judge judges all routes of an answer and gives them their tunnels.
func (s *search) judge(ctx context.Context, a *engine.RouteAnswer) (blocks []engine.Block, err error) {
	lined, err := s.lined(ctx, a)
	if err != nil {
		return nil, err
	}
	s.audit.Metres, s.audit.Unknown = 0, 0
	for i := range lined {
		v, err := s.roads.Judge(ctx, &s.question, &lined[i])
		if err != nil {
			return nil, err
		}
		a.Routes[i].Tunnels = v.Tunnels
		if v.Unknown > 0 && len(v.Tunnels) == 0 {
			a.Routes[i].Tunnels = nil // that there are none is not known
		}
		s.audit.Metres, s.audit.Unknown = s.audit.Metres+v.Metres, s.audit.Unknown+v.Unknown
		for _, b := range v.Blocks {
			if !slices.ContainsFunc(blocks, func(o engine.Block) bool { return o.WayID == b.WayID && o.Option == b.Option && o.Middle == b.Middle }) {
				blocks = append(blocks, b)
			}
		}
	}
	return blocks, nil
}

// lined returns the routes of an answer with whole lines. Where the form of the answer
// has less of them, such as a simplified overview, it requests the route once more in full,
// and the two must be alike.
func (s *search) lined(ctx context.Context, a *engine.RouteAnswer) ([]engine.Route, error) {
	if len(a.Routes) == 0 {
		return nil, fault.New(fault.Upstream, "the routing engine answered no route").With("upstream_status", http.StatusOK)
	}
	if a.Raw == nil || s.ask.Format == engine.Native && whole(a.Routes) {
		return a.Routes, nil
	}
	plain := s.ask
	plain.Output, plain.Want = engine.Output{}, engine.WantLine
	b, err := s.Engine.Engine.Route(ctx, &plain)
	if err != nil {
		return nil, err
	}
	same := len(b.Routes) == len(a.Routes)
	for i := range a.Routes {
		same = same && math.Abs(a.Routes[i].Metres-b.Routes[i].Metres) <= 1
	}
	if !same {
		return nil, fault.New(fault.Upstream, "the routing engine answered two routes for one request: which of them is legal cannot be said").With("upstream_status", http.StatusOK)
	}
	return b.Routes, nil
}

// whole reports whether the lines of routes are there.
func whole(list []engine.Route) bool {
	for i := range list {
		for k := range list[i].Legs {
			if l := &list[i].Legs[k]; l.Metres > 0 && len(l.Line) < 2 {
				return false
			}
		}
	}
	return len(list) > 0
}

// blocked is the refusal for want of a legal way. It names the first road that is closed.
func (s *search) blocked(why string) error {
	b := &s.audit.Kept[0]
	what, constraint, value := "a road closed by "+b.Option.String()+" = "+b.Value, b.Option.String(), b.Value
	if b.Option == 0 {
		what, constraint, value = "a road closed to it", "costing", s.r.Costing.String()
	}
	if b.Category != "" {
		what = "a tunnel of category " + b.Category + " closed to it: " + costing.TunnelReason(b.Value, s.r.Options.CodeAssumed, b.Category)
	}
	var ways []string
	for i := range s.audit.Kept {
		if id := strconv.FormatInt(s.audit.Kept[i].WayID, 10); !slices.Contains(ways, id) && len(ways) < mostNamed {
			ways = append(ways, id)
		}
	}
	if len(ways) > 1 {
		what += " (closed to it are the ways " + strings.Join(ways, ", ") + ")"
	}
	return engine.Refused(engine.CodeNoRoute, "no legal %s route was found: the routing engine leads over way %d at %s, %s; %s", s.r.Costing, b.WayID, b.From, what, why).
		With("blocked_by", map[string]any{"constraint": constraint, "value": value, "location": b.From.Fix().Point(), "way_id": b.WayID})
}

// mostNamed is how many ways a refusal names.
const mostNamed = 20
