package main

import (
	"context"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/server"
	"github.com/waygate/waygate/parallel"
)

// work starts what goes on in the background while the server serves. The function that
// it returns ends all of that and waits for it: it is called after the last request was
// counted, and before the regions and the database are closed.
func (p *process) work(ctx context.Context, handler *edge.Edge) (end func()) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	var group parallel.Group
	for _, run := range []func(context.Context){
		p.text.Run,
		giveBackAtRest,
		p.accounts.run,
		p.runFeeds,
		p.metricsServer(handler),
		p.kept(func(ctx context.Context) { p.reach(ctx, p.log) }),
		p.kept(p.watchRemotes),
		p.kept(func(ctx context.Context) { p.accounts.queue.Run(ctx, api.Kinds(p.options)) }),
		p.kept(func(ctx context.Context) { p.live.roads.Run(ctx, p.regions) }),
		p.kept(func(ctx context.Context) { p.live.watch(ctx, p.accounts.watches, p.regions) }),
		p.kept(func(ctx context.Context) { p.live.joinUpdates(ctx, p.regions) }),
		p.kept(func(ctx context.Context) { p.regions.Watch(ctx, hangup, p.RegionPoll) }),
		p.kept(func(ctx context.Context) { p.options.Clearance.Run(ctx) }),
		p.kept(func(ctx context.Context) { p.regions.Check(ctx, p.VerifyEvery) }),
	} {
		group.Go(func() { run(working) })
	}
	return func() {
		stop()
		group.Wait()
		signal.Stop(hangup)
	}
}

// kept is f, started again after a panic, which is logged.
func (p *process) kept(f func(context.Context)) func(context.Context) {
	return func(ctx context.Context) { supervise(ctx, p.log, f) }
}

// runFeeds polls the feeds.
func (p *process) runFeeds(ctx context.Context) {
	p.live.set.Run(ctx, func(v *parallel.Panic) { p.log.Error("a feed panicked", "error", v, "stack", string(v.Stack)) })
}

// metricsServer serves the metrics on a listener of their own, where they have one.
func (p *process) metricsServer(handler *edge.Edge) func(context.Context) {
	return func(ctx context.Context) {
		if p.scraped == nil {
			return
		}
		p.log.Info("metrics", "address", "http://"+p.scraped.Addr().String()+"/metrics")
		alone := &server.Server{Handler: onlyMetrics(handler.Metrics()), ReadTimeout: p.ReadTimeout, WriteTimeout: p.WriteTimeout, IdleTimeout: p.IdleTimeout, Drain: time.Second, Log: p.log}
		if err := alone.Serve(ctx, p.scraped); err != nil {
			p.log.Error("the metrics are no longer served", "error", err)
		}
	}
}

// onlyMetrics answers GET /metrics and nothing else.
func onlyMetrics(metrics http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	return mux
}
