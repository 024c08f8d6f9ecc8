// Package metrics counts requests, calls of engines and admissions, and collects the state of
// the feeds, the queues and the regions, for Prometheus.
package metrics

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/engine"
)

// Metrics has everything that /metrics shows.
type Metrics struct {
	registry   *prometheus.Registry
	requests   *prometheus.CounterVec
	latency    *prometheus.HistogramVec
	engine     *prometheus.HistogramVec
	solver     *prometheus.HistogramVec
	swaps      *prometheus.CounterVec
	admissions *prometheus.CounterVec
	units      *prometheus.CounterVec
}

// buckets span a warm query (under a millisecond) to the request timeout.
var buckets = []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 30}

// New counts from nothing, for a gateway of a version.
func New(version string) *Metrics {
	m := &Metrics{
		registry:   prometheus.NewRegistry(),
		requests:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waygate_requests_total", Help: "Requests answered, by endpoint and status; 499 is a client that left before all of the answer was written."}, []string{"route", "status"}),
		latency:    prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "waygate_request_seconds", Help: "Time to answer a request, by endpoint.", Buckets: buckets}, []string{"route"}),
		engine:     prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "waygate_engine_seconds", Help: "Time of a routing engine's calls.", Buckets: buckets}, []string{"engine", "call", "outcome"}),
		solver:     prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "waygate_solver_seconds", Help: "Time of a solver for the plan of one problem.", Buckets: append(buckets[:len(buckets):len(buckets)], 60, 300, 600)}, []string{"solver", "outcome"}),
		swaps:      prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waygate_region_swaps_total", Help: "Regions taken into service or turned down."}, []string{"outcome"}),
		admissions: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waygate_admissions_total", Help: "Metered calls let in or refused, by lane (key, demo, payment; none before a lane is known) and outcome."}, []string{"lane", "outcome"}),
		units:      prometheus.NewCounterVec(prometheus.CounterOpts{Name: "waygate_units_total", Help: "Units of answered calls, by lane and class."}, []string{"lane", "class"}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{Name: "waygate_info", Help: "The gateway's version.", ConstLabels: prometheus.Labels{"version": version}})
	info.Set(1)
	m.registry.MustRegister(m.requests, m.latency, m.engine, m.solver, m.swaps, m.admissions, m.units, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Request counts an answered request of an endpoint and its duration.
func (m *Metrics) Request(label string, status int, took time.Duration) {
	m.requests.WithLabelValues(label, strconv.Itoa(status)).Inc()
	m.latency.WithLabelValues(label).Observe(took.Seconds())
}

// Swapped counts a change of region.
func (m *Metrics) Swapped(ok bool) { m.swaps.WithLabelValues(outcome(ok)).Inc() }

// Admitted counts a call that was let in.
func (m *Metrics) Admitted(lane string) { m.admissions.WithLabelValues(lane, "admitted").Inc() }

// Refused counts a call that was refused, by the slug of its failure.
func (m *Metrics) Refused(lane string, err error) {
	m.admissions.WithLabelValues(lane, string(problem.AsFault(err).Slug)).Inc()
}

// Charged counts the units of an answered call.
func (m *Metrics) Charged(lane, class string, units int64) {
	m.units.WithLabelValues(lane, class).Add(float64(units))
}

// EngineCall counts a call of a routing engine; it is a counted.Observer.
func (m *Metrics) EngineCall(ctx context.Context, name string, call engine.Call, took time.Duration, err error) {
	m.engine.WithLabelValues(name, string(call), ending(ctx, err)).Observe(took.Seconds())
}

// Solved counts a problem that a solver was given.
func (m *Metrics) Solved(ctx context.Context, solver string, took time.Duration, err error) {
	m.solver.WithLabelValues(solver, ending(ctx, err)).Observe(took.Seconds())
}

// ending returns how a call ended.
func ending(ctx context.Context, err error) string {
	switch {
	case err == nil:
		return outcome(true)
	case ctx.Err() != nil:
		return "cancelled"
	}
	return string(problem.AsFault(err).Slug)
}

func outcome(ok bool) string {
	if ok {
		return "ok"
	}
	return "refused"
}

// Register adds collectors to what is shown.
func (m *Metrics) Register(c ...prometheus.Collector) { m.registry.MustRegister(c...) }

// Handler serves the metrics in the form of Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
