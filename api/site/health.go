package site

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/world"
)

// deployment reports the health of the deployment.
type deployment struct {
	version, build string
	stopping       func() bool // nil never stops
	geocoder       func(*world.World) string
	feeds          *feed.Set // nil has none
	territoryKey   func(context.Context) string
	answerKey      string
	solver         optimise.Solver // nil makes no plans
	stuck          func() bool     // nil never is
	redis          func() bool     // whether Redis answers; nil counts rates in this process
}

// probeTimeout limits how long /health waits for the engine.
const probeTimeout = 2 * time.Second

// Health is the answer of GET /health.
type Health struct {
	Status    string           `json:"status" enum:"ok,degraded" doc:"ok when the routing engine answers its probe, with a server for each costing that it has, and no region is damaged"`
	Backend   string           `json:"backend" doc:"the routing engine's name; none before a region is served"`
	Version   string           `json:"version" doc:"gateway version"`
	Build     string           `json:"build" doc:"source revision, or unknown"`
	Detail    string           `json:"detail,omitempty" doc:"which regions are damaged, and which new ones were turned down, where some are"`
	Upstreams []HealthUpstream `json:"upstreams,omitempty" doc:"servers of remote routing engines"`
	Optimiser *HealthOptimiser `json:"optimiser,omitempty" doc:"where another server makes the plans"`
	Rates     *HealthRates     `json:"rate_limits,omitempty" doc:"where rates are counted in a Redis that replicas share"`
	Feeds     []Feed           `json:"feeds,omitempty" doc:"live feeds; one that fails makes the gateway no worse, only its own answers"`
}

// HealthUpstream is the state of one server of a remote routing engine.
type HealthUpstream struct {
	Engine  string `json:"engine" enum:"valhalla,osrm"`
	Costing string `json:"costing,omitempty" doc:"whose profile it has; absent where it has all"`
	Number  int    `json:"number" doc:"among those of its engine and costing, from 1, as the settings list them"`
	State   string `json:"state" enum:"unknown,up,trial,checking,refused,down" doc:"unknown: it has not answered so far; trial: it has come back and gets one call at a time; checking: its version or data have changed, and it gets no calls until its answers are found like those before; refused: they were not, and it gets calls only where no other server does; down: it gets none until it answers a probe"`
}

// HealthOptimiser is the state of the server that makes the plans.
type HealthOptimiser struct {
	Solver string `json:"solver" enum:"vroom"`
	State  string `json:"state" enum:"ok,failing,unknown" doc:"failing: the last problem found no server that answers it; unknown: none was given yet; the gateway is no worse for it"`
}

// HealthRates is the state of the Redis that counts rates.
type HealthRates struct {
	Store string `json:"store" enum:"redis"`
	State string `json:"state" enum:"ok,failing" doc:"failing: it did not answer the last time, and this replica counts by itself; the gateway is no worse for it"`
}

// Feed is the state of a live feed.
type Feed struct {
	ID    string     `json:"id"`
	Kind  string     `json:"kind" doc:"of its records"`
	State feed.State `json:"state" enum:"waiting,ok,failing,stale,down" doc:"failing: the last poll failed and what is in force is not stale; stale: it is; down: nothing is in force"`
	AgeS  *float64   `json:"age_s" decimals:"0" doc:"seconds since what is in force was so; null where nothing is"`
}

var healthDoc = edge.Doc{
	Summary: "Liveness", Tags: []string{"service"},
	Description: "Always 200 while the gateway runs; status says whether it can route. A load balancer should ask GET /ready.",
}

// Readiness is the answer of GET /ready.
type Readiness struct {
	Status string `json:"status" enum:"ready"`
}

var readyDoc = edge.Doc{
	Summary: "Readiness", Tags: []string{"service"}, Fails: []int{http.StatusServiceUnavailable},
	Description: "200 while this replica should be sent requests: it serves a region whose engine answers, is not stopping, and has had a processor free for calls within the time that a request may take. Otherwise 503, which says why. The database is not asked: without it, known keys are served.",
}

func (d deployment) ready(ctx context.Context, _ *struct{}) (*Readiness, error) {
	if d.stopping != nil && d.stopping() {
		return nil, fault.New(fault.UpstreamUnavailable, "this replica is stopping")
	}
	if d.stuck != nil && d.stuck() {
		return nil, fault.New(fault.UpstreamUnavailable, "calls that should have ended have kept every processor for longer than a request may take")
	}
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	for _, r := range w.Regions() {
		if _, err = r.Engine.Status(ctx); err == nil {
			return &Readiness{Status: "ready"}, nil
		}
	}
	return nil, fault.New(fault.UpstreamUnavailable, "no routing engine answers")
}

func (d deployment) health(ctx context.Context, _ *struct{}) (*Health, error) {
	out := &Health{Status: "degraded", Backend: "none", Version: d.version, Build: d.build}
	if out.Build == "" {
		out.Build = "unknown"
	}
	if _, own := d.solver.(optimise.Embedded); d.solver != nil && !own {
		out.Optimiser = &HealthOptimiser{d.solver.Name(), d.solver.State()}
	}
	if d.redis != nil {
		out.Rates = &HealthRates{"redis", "failing"}
		if d.redis() {
			out.Rates.State = "ok"
		}
	}
	for _, s := range d.feeds.Status() {
		out.Feeds = append(out.Feeds, Feed{s.ID, s.Kind, s.State, s.AgeS})
	}
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return out, nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	out.Backend = w.Engine().Can().Name
	works := true
	var details []string
	for _, r := range w.Regions() {
		trouble := r.Trouble()
		works = works && trouble == ""
		for _, text := range []string{trouble, r.Notice()} {
			if text != "" {
				details = append(details, text)
			}
		}
	}
	out.Detail = strings.Join(details, "; ")
	for _, r := range w.Regions() {
		status, err := r.Engine.Status(ctx)
		works = works && err == nil && !status.Lacking()
		for i := range status.Servers {
			x := &status.Servers[i]
			if u := (HealthUpstream{x.Engine, x.Costing, x.Number, x.Condition}); !slices.Contains(out.Upstreams, u) {
				out.Upstreams = append(out.Upstreams, u)
			}
		}
	}
	if works {
		out.Status = "ok"
	}
	return out, nil
}
