package chosen

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// stub is an engine that answers routes and, where it can, matrices, or fails.
type stub struct {
	engine.Unimplemented

	can   engine.Can
	err   error
	waits bool // until its time is up
	calls int
}

func (s *stub) Can() engine.Can { return s.can }

func (s *stub) Status(context.Context) (engine.Status, error) {
	return engine.Status{Version: s.can.Name, Servers: []engine.Server{{Engine: s.can.Name, Number: 1, Condition: "up"}}}, s.err
}

func (s *stub) Route(ctx context.Context, _ *engine.RouteRequest) (*engine.RouteAnswer, error) {
	s.calls++
	if s.waits {
		<-ctx.Done()
		return nil, fault.New(fault.UpstreamTimeout, "slow")
	}
	if s.err != nil {
		return nil, s.err
	}
	return &engine.RouteAnswer{Language: s.can.Name}, nil
}

func three() (far, own, lane *stub, all map[string]engine.Engine) {
	far = &stub{can: engine.Can{Name: "valhalla", Calls: engine.Calls(), UnknownMembers: true}}
	own = &stub{can: engine.Can{Name: "embedded", Calls: engine.Calls(), TunnelCodes: true, SpeedSources: []string{"default"}}}
	lane = &stub{can: engine.Can{Name: "osrm", Calls: []engine.Call{engine.CallRoute}, ShapeFormats: true}}
	return far, own, lane, map[string]engine.Engine{"valhalla": far, "embedded": own, "osrm": lane}
}

// TestWhoAnswers calls by costing and region: the first rule that fits decides.
func TestWhoAnswers(t *testing.T) {
	_, _, _, all := three()
	rules := []Rule{
		{Costing: costing.Truck, Region: "alps", Engines: []string{"embedded"}},
		{Costing: costing.Truck, Engines: []string{"valhalla"}},
		{Costing: costing.Bicycle, Region: "coast", Engines: []string{"osrm"}},
		{Any: true, Region: "alps", Engines: []string{"embedded", "valhalla"}},
		{Costing: costing.Auto, Engines: []string{"osrm", "valhalla"}},
	}
	for _, c := range []struct {
		region string
		c      costing.Costing
		want   string // "" is a refusal
	}{
		{"alps", costing.Truck, "embedded"},
		{"coast", costing.Truck, "valhalla"},
		{"", costing.Truck, "valhalla"},
		{"alps", costing.Bicycle, "embedded"},
		{"coast", costing.Bicycle, "osrm"},
		{"coast", costing.Auto, "osrm"},
		{"coast", costing.Pedestrian, ""},
	} {
		a, err := New(c.region, rules, all).Route(t.Context(), &engine.RouteRequest{Costing: c.c})
		switch {
		case c.want == "" && !fault.Is(err, "costing-not-enabled"):
			t.Errorf("%s in %q: %v", c.c, c.region, err)
		case c.want != "" && (err != nil || a.Language != c.want || a.Warnings != nil):
			t.Errorf("%s in %q: %+v %v, want %s", c.c, c.region, a, err, c.want)
		}
	}
	// Outside all regions there is no embedded engine.
	a, err := New("", []Rule{{Any: true, Engines: []string{"embedded", "valhalla"}}}, map[string]engine.Engine{"valhalla": all["valhalla"]}).Route(t.Context(), &engine.RouteRequest{Costing: costing.Auto})
	if err != nil || a.Language != "valhalla" || a.Warnings != nil {
		t.Errorf("%+v %v", a, err)
	}
}

// TestTheNextAnswers has the preferred engine fail: what is its failure makes the next one
// answer, with a warning, and what is its word on the request does not.
func TestTheNextAnswers(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		next bool
		warn bool
	}{
		{"away", fault.New(fault.UpstreamUnavailable, "away"), true, true},
		{"slow", fault.New(fault.UpstreamTimeout, "slow"), true, true},
		{"broken", fault.New(fault.Upstream, "broken").With("upstream_status", 500), true, true},
		{"nonsense", fault.New(fault.Upstream, "nonsense").With("upstream_status", 200), true, true},
		{"unable", engine.NotEnabled("route"), true, false},
		{"no route", engine.Refused(engine.CodeNoRoute, "no"), false, false},
		{"no road, with another status", engine.Refused(engine.CodeNoSegment, "no").With("upstream_status", 200), false, false},
		{"a bad request", fault.New(fault.BadRequest, "bad"), false, false},
		{"refused", fault.New(fault.Upstream, "refused").With("upstream_status", 400), false, false},
		{"this process is busy", fault.New(fault.UpstreamUnavailable, "busy").With("retry_after", 1), false, false},
		{"the caller left", context.Canceled, false, false},
	} {
		far, own, _, all := three()
		far.err = c.err
		a, err := New("", []Rule{{Any: true, Engines: []string{"valhalla", "embedded"}}}, all).Route(t.Context(), &engine.RouteRequest{Costing: costing.Auto})
		if c.next != (err == nil) || (own.calls > 0) != c.next || far.calls != 1 {
			t.Errorf("%s: %v, %d calls of the first and %d of the next", c.name, err, far.calls, own.calls)
		}
		if err == nil && c.warn != slices.ContainsFunc(a.Warnings, func(w engine.Warning) bool { return w.Code == engine.WarnEngine }) {
			t.Errorf("%s: %+v", c.name, a.Warnings)
		}
	}
	far, own, _, all := three()
	far.err, own.err = fault.New(fault.UpstreamUnavailable, "away"), fault.New(fault.Internal, "broken")
	if _, err := New("", []Rule{{Any: true, Engines: []string{"valhalla", "embedded"}}}, all).Route(t.Context(), &engine.RouteRequest{Costing: costing.Auto}); !fault.Is(err, fault.Internal) {
		t.Errorf("%v, want the failure of the last", err)
	}
}

// TestTimeIsLeft gives an engine that does not answer half of the time, and the next the rest.
func TestTimeIsLeft(t *testing.T) {
	far, _, _, all := three()
	far.waits = true
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	e := New("", []Rule{{Any: true, Engines: []string{"valhalla", "embedded"}}}, all)
	a, err := e.Route(ctx, &engine.RouteRequest{Costing: costing.Auto})
	if ctx.Err() == nil && (err != nil || len(a.Warnings) != 1) { // unless this machine was too slow for both
		t.Errorf("%+v %v", a, err)
	}
}

// TestJoined sees what engines can together, and that a call goes to the first that can it.
func TestJoined(t *testing.T) {
	far, _, _, all := three()
	e := New("", []Rule{{Costing: costing.Auto, Engines: []string{"osrm", "embedded"}}, {Any: true, Engines: []string{"embedded", "valhalla"}}}, all)
	can := e.Can()
	if can.Name != "osrm+embedded+valhalla" || !can.Does(engine.CallLocate) || can.TunnelCodes || can.UnknownMembers || can.ShapeFormats || can.SpeedSources != nil {
		t.Errorf("%+v", can)
	}
	if _, err := e.Locate(t.Context(), &engine.LocateRequest{Costing: costing.Auto}); !fault.IsNotEnabled(err) { // the stub of the embedded engine says so
		t.Error(err)
	}
	if _, err := New("", []Rule{{Any: true, Engines: []string{"osrm"}}}, all).Locate(t.Context(), &engine.LocateRequest{Costing: costing.Auto}); !fault.Is(err, "locate-not-enabled") {
		t.Error(err)
	}
	far.err = fault.New(fault.UpstreamUnavailable, "away")
	s, err := e.Status(t.Context())
	if err != nil || s.Version != "osrm" && s.Version != "embedded" || len(s.Servers) != 3 {
		t.Errorf("%+v %v", s, err)
	}
}

// TestTheAnsweringEngineIsNoted checks that the engine of the first answer is noted for all who
// note it, and none where no engine had others answer.
func TestTheAnsweringEngineIsNoted(t *testing.T) {
	far, own, _, all := three()
	far.err = fault.New(fault.UpstreamUnavailable, "away")
	e := New("", []Rule{{Any: true, Engines: []string{"valhalla", "embedded"}}}, all)
	ctx, outer := engine.WithNote(t.Context())
	ctx, inner := engine.WithNote(ctx)
	if outer.Engine(e) != engine.Engine(e) {
		t.Error("an engine is noted before one has answered")
	}
	for range 2 {
		if _, err := e.Route(ctx, &engine.RouteRequest{Costing: costing.Auto}); err != nil {
			t.Fatal(err)
		}
		far.err = nil
	}
	if outer.Engine(e) != engine.Engine(own) || inner.Engine(e) != engine.Engine(own) {
		t.Errorf("noted %v and %v", outer.Engine(e).Can().Name, inner.Engine(e).Can().Name)
	}
}

// TestDoubtsOfSeveral is of engines of which one has doubts.
func TestDoubtsOfSeveral(t *testing.T) {
	far, _, _, all := three()
	far.can.Doubts = func(_ costing.Costing, o costing.Option) engine.OptionSupport {
		return map[costing.Option]engine.OptionSupport{costing.Weight: engine.Unsure}[o]
	}
	can := New("", []Rule{{Any: true, Engines: []string{"embedded", "valhalla"}}}, all).Can()
	if can.Support(costing.Auto, costing.Weight) != engine.Unsure || can.Support(costing.Auto, costing.Height) != engine.Heeded {
		t.Error("the doubts of the second engine are lost")
	}
}

// TestOther checks which engine gives a second opinion: the next of the rule, else one of
// another rule that answers routes.
func TestOther(t *testing.T) {
	far, own, lane, all := three()
	e := New("", []Rule{{Costing: costing.Truck, Engines: []string{"embedded"}}, {Any: true, Engines: []string{"valhalla", "osrm"}}}, all)
	for _, c := range []struct {
		c        costing.Costing
		by, want engine.Engine
	}{
		{costing.Auto, nil, lane},
		{costing.Auto, far, lane},
		{costing.Auto, lane, far},
		{costing.Truck, own, far},
	} {
		if got := e.Other(c.c, c.by); got != c.want {
			t.Errorf("%s by %v: %v, want %v", c.c, c.by, got, c.want)
		}
	}
	if got := New("", []Rule{{Any: true, Engines: []string{"osrm"}}}, all).Other(costing.Auto, nil); got != nil {
		t.Errorf("of one engine there is another: %v", got)
	}
}
