// Package chosen is an engine that has others answer: by costing, by region, and in order of
// preference.
package chosen

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// Rule says which engines answer.
type Rule struct {
	Costing costing.Costing // whose requests; the zero value of Any is not looked at
	Any     bool            // the requests of all costings
	Region  string          // the id of the region that they are answered from; "" is any, and outside all regions
	Engines []string        // names, in order of preference
}

// Engine has the engines of the first rule that fits a request answer it: the first of them
// that can, and the next where that one is not available, fails or does not answer in half of
// the time that is left. An answer of another engine than the first that can has the warning
// engine.WarnEngine. It implements engine.Engine.
type Engine struct {
	can     engine.Can
	engines []engine.Engine // each once
	lists   [len(costing.All)][]engine.Engine
}

var _ engine.Engine = (*Engine)(nil)

// New makes the engine of a region, whose id is "" outside of all, of engines by their names.
// Names without an engine are passed over: so a rule may name the embedded engine where a
// place outside all regions has none. A costing that is left without an engine is refused
// with slug costing-not-enabled.
func New(region string, rules []Rule, engines map[string]engine.Engine) *Engine {
	e := &Engine{}
	for i, c := range costing.All {
		for _, name := range names(rules, c, region) {
			x := engines[name]
			if x == nil {
				continue
			}
			e.lists[i] = append(e.lists[i], x)
			if !slices.Contains(e.engines, x) {
				e.engines = append(e.engines, x)
			}
		}
	}
	e.can = joined(e.engines)
	return e
}

// names returns those of the first rule that fits.
func names(rules []Rule, c costing.Costing, region string) []string {
	for _, r := range rules {
		if (r.Any || r.Costing == c) && (r.Region == "" || r.Region == region) {
			return r.Engines
		}
	}
	return nil
}

// joined returns the abilities of several engines: the calls of any, and the other abilities of all.
func joined(list []engine.Engine) engine.Can {
	var can engine.Can
	for i, e := range list {
		x := e.Can()
		if i == 0 {
			can = x
			can.Calls, can.SpeedSources, can.Languages = slices.Clone(x.Calls), slices.Clone(x.SpeedSources), slices.Clone(x.Languages)
			continue
		}
		can.Name += "+" + x.Name
		for _, c := range x.Calls {
			if !can.Does(c) {
				can.Calls = append(can.Calls, c)
			}
		}
		can.Audited = (can.Audited || can.TunnelCodes && can.Vehicles) && (x.Audited || x.TunnelCodes && x.Vehicles)
		can.TunnelCodes, can.Exclusions, can.MatchConditions = can.TunnelCodes && x.TunnelCodes, can.Exclusions && x.Exclusions, can.MatchConditions && x.MatchConditions
		can.AlternatesVia, can.ShapeFormats, can.IsochroneStarts = can.AlternatesVia && x.AlternatesVia, can.ShapeFormats && x.ShapeFormats, can.IsochroneStarts && x.IsochroneStarts
		can.Vehicles, can.Rounds, can.ExcludedPlaces = can.Vehicles && x.Vehicles, can.Rounds && x.Rounds, can.ExcludedPlaces && x.ExcludedPlaces
		can.UnknownMembers, can.TaggedSurface = can.UnknownMembers && x.UnknownMembers, can.TaggedSurface && x.TaggedSurface
		can.Doubts = doubts(can, x)
		can.SpeedSources, can.Languages = common(can.SpeedSources, x.SpeedSources), common(can.Languages, x.Languages)
	}
	return can
}

// doubts returns those of both, the greater of each.
func doubts(a, b engine.Can) func(costing.Costing, costing.Option) engine.OptionSupport {
	if a.Doubts == nil {
		return b.Doubts
	}
	return func(c costing.Costing, o costing.Option) engine.OptionSupport {
		return max(a.Support(c, o), b.Support(c, o))
	}
}

// common returns the members of both lists; nil, which is unknown, where one is nil.
func common(a, b []string) []string {
	if a == nil || b == nil {
		return nil
	}
	return slices.DeleteFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}

// Can returns the calls of any of the engines, and the abilities that all have.
func (e *Engine) Can() engine.Can { return e.can }

// Other returns an engine that answers requests of a costing for a route besides the one that
// answered, as engine.Note names it (nil for the first of the rule): the next of the rule,
// else one of another rule; nil where there is none.
func (e *Engine) Other(c costing.Costing, by engine.Engine) engine.Engine {
	if by == nil && len(e.of(c)) > 0 {
		by = e.of(c)[0]
	}
	for _, x := range slices.Concat(e.of(c), e.engines) {
		if can := x.Can(); x != by && can.Does(engine.CallRoute) {
			return x
		}
	}
	return nil
}

// Memory returns that of all engines.
func (e *Engine) Memory() (sum int64) {
	for _, x := range e.engines {
		sum += x.Memory()
	}
	return sum
}

// Estimate returns the estimate of the engine that is called first.
func (e *Engine) Estimate(call engine.Call, request any) engine.Estimate {
	for _, x := range e.of(costingOf(request)) {
		if can := x.Can(); can.Does(call) {
			return x.Estimate(call, request)
		}
	}
	return engine.Estimate{}
}

func costingOf(request any) costing.Costing {
	switch r := request.(type) {
	case *engine.RouteRequest:
		return r.Costing
	case *engine.MatchRequest:
		return r.Costing
	case *engine.MatrixRequest:
		return r.Costing
	case *engine.IsochroneRequest:
		return r.Costing
	case *engine.LocateRequest:
		return r.Costing
	case *engine.NearestRequest:
		return r.Costing
	}
	return costing.Auto
}

// Status lists the servers of all engines. Its version and date are those of the first engine
// that works; the error is that of the first where none does.
func (e *Engine) Status(ctx context.Context) (engine.Status, error) {
	var out engine.Status
	var failure error
	works := false
	for _, x := range e.engines {
		s, err := x.Status(ctx)
		out.Servers = append(out.Servers, s.Servers...)
		if err != nil {
			failure = errors.Join(failure, err)
			continue
		}
		if !works {
			out.Version, out.GraphDate, works = s.Version, s.GraphDate, true
		}
	}
	if works {
		return out, nil
	}
	return out, failure
}

func (e *Engine) of(c costing.Costing) []engine.Engine {
	if i := slices.Index(costing.All[:], c); i >= 0 {
		return e.lists[i]
	}
	return nil
}

// ask makes a call of the engines for a costing in turn. told adds a warning to an answer.
func ask[R, A any](ctx context.Context, e *Engine, call engine.Call, r R, do func(engine.Engine, context.Context, R) (A, error), noted func(A, engine.Warning)) (answer A, err error) {
	c := costingOf(r)
	var able []engine.Engine
	for _, x := range e.of(c) {
		if can := x.Can(); can.Does(call) {
			able = append(able, x)
		}
	}
	if len(able) == 0 {
		if len(e.of(c)) > 0 {
			return answer, engine.NotEnabled(string(call))
		}
		return answer, fault.NotEnabled("costing", "the costing %s is not enabled on this deployment: no routing engine is configured for it", c).With("field", "costing")
	}
	var failed []string
	for i, x := range able {
		last := i == len(able)-1
		answer, err = callInHalf(ctx, last, func(ctx context.Context) (A, error) { return do(x, ctx, r) })
		switch {
		case err == nil:
			engine.NoteEngine(ctx, x)
			if len(failed) > 0 {
				noted(answer, engine.Warning{Code: engine.WarnEngine, Text: fmt.Sprintf("%s answered, as %s did not: its map and costs may differ", x.Can().Name, strings.Join(failed, " and "))})
			}
			return answer, nil
		case last || ctx.Err() != nil:
			return answer, err
		case fault.IsNotEnabled(err): // another may do it, which is no failure
		case !down(err):
			return answer, err
		default:
			failed = append(failed, x.Can().Name)
		}
	}
	return answer, err
}

// callInHalf calls with half of the time that is left, unless it is the last call.
func callInHalf[A any](ctx context.Context, last bool, call func(context.Context) (A, error)) (A, error) {
	if until, ok := ctx.Deadline(); ok && !last {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(until)/2)
		defer cancel()
	}
	return call(ctx)
}

// down reports whether an error says that an engine is not available or fails, and not that
// it refuses the request or that this process is busy.
func down(err error) bool {
	var f *fault.Error
	if !errors.As(err, &f) || f.Fields["retry_after"] != nil {
		return false
	}
	switch f.Slug {
	case fault.UpstreamUnavailable, fault.UpstreamTimeout:
		return true
	case fault.Upstream:
		status, _ := f.Fields["upstream_status"].(int)
		return engine.Code(err) == 0 && (status >= 500 || status == 200)
	}
	return false
}
