package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/feature/elevation"
	boundaries "github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/web"
	"github.com/waygate/waygate/world"
)

type serveCommand struct {
	Region   folders `env:"SVC_REGION_DIR" help:"Folder of a region to serve; given several times, or separated as in PATH, for several regions. May be empty with a remote engine." placeholder:"DIR"`
	Data     string  `env:"SVC_DATA_DIR" help:"Folder for the database where none is set; by default waygate in the user's folder for data." type:"path" placeholder:"DIR"`
	settings `embed:""`
}

// Run serves until the process is told to stop.
func (c *serveCommand) Run(ctx context.Context) error {
	return serve(ctx, c.settings, serveOptions{regions: c.Region, data: c.Data})
}

// folders are folders of regions or of heights, or files of zones.
type folders []string

// Decode reads one or more folders from the command line or the environment and
// adds them.
func (f *folders) Decode(line *kong.DecodeContext) error {
	var list string
	if err := line.Scan.PopValueInto("folder", &list); err != nil {
		return err
	}
	for _, dir := range filepath.SplitList(list) {
		if dir != "" {
			*f = append(*f, kong.ExpandPath(dir))
		}
	}
	return nil
}

// serveOptions say where and how to serve.
type serveOptions struct {
	regions folders // none serves a remote engine without a region
	data    string  // folder of the database where none is set
	// ready, where it is not nil, hears the address once the server listens.
	ready func(address string)
	show  func(outbox.Mail) // hears mails where there is no relay
}

// serve serves until ctx ends.
func serve(ctx context.Context, s settings, o serveOptions) (err error) {
	text := newLines(os.Stderr)
	log := s.log(text.prompt())
	s.tell(log, "SVC_REGION_DIR", strings.Join(o.regions, string(filepath.ListSeparator)), "SVC_DATA_DIR", o.data)
	if len(o.regions) == 0 && s.engine() == "embedded" {
		return errors.New("the embedded engine needs a region: set --region or SVC_REGION_DIR (waygate run builds a sample)")
	}
	defer endAnyhow(ctx, s.DrainDelay+s.DrainTimeout+stopGrace, log)() // after all that is deferred below
	remote, err := s.remote()
	if err != nil {
		return err
	}
	defer runtime.KeepAlive(collectEarly())
	metrics := edge.NewMetrics(version)
	scheduler := scheduled.New(scheduled.Options{Memory: int64(s.RequestMemory) << 20})
	datasets, err := s.zones(log)
	if err != nil {
		return err
	}
	archives, err := s.hosted(ctx, log)
	if err != nil {
		return err
	}
	deployment, err := world.Open(world.Options{
		Dirs: o.regions, Remote: remote, MetricMemory: s.metricMemory(),
		Zones: datasets, Fonts: s.Fonts, Maps: archives, Observe: metrics.EngineCall, Scheduler: scheduler, Swapped: metrics.Swapped, Log: log,
	})
	if err != nil {
		return err
	}
	defer deployment.Close()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", s.Listen)
	if err != nil {
		return listenFailure("SVC_LISTEN", err)
	}
	defer func() { _ = l.Close() }() // again, where serving did not come about
	address := "http://" + l.Addr().String()
	base := s.BaseURL
	if base == "" {
		base = address // links in mails need one
	}
	geocoder, letGo, err := s.geocoder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, letGo()) }()
	a, err := openAccounts(ctx, s, accountsOptions{dir: o.data, base: base, show: o.show, log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	scraped, err := s.listenForMetrics(ctx)
	if err != nil {
		return err
	}
	if scraped != nil {
		defer func() { _ = scraped.Close() }() // again, where serving did not come about
	}
	heights, err := s.heights()
	if err != nil {
		return err
	}
	borders, err := s.boundaries()
	if err != nil {
		return err
	}
	live, err := s.feeds(feedOptions{dir: o.data, base: base, log: log, counts: countsAs(deployment)})
	if err != nil {
		return err
	}
	live.set.Restore(ctx)
	if err := s.profile(live.roads, log); err != nil {
		return err
	}
	website, built := web.Files()
	if !built {
		log.Info("the website is not in this binary; make web builds it")
	}
	images, closeImages := s.images(website, log)
	defer closeImages()
	offline, err := s.offline(o.data, log)
	if err != nil {
		return err
	}
	options := api.Options{
		Acquire: deployment.Acquire, Metrics: metrics, Scheduler: scheduler, Version: version, Build: revision(),
		BaseURL: s.BaseURL, WebsiteURL: s.WebsiteURL, Website: website,
		Gate: a.gate, Accounts: a.accounts, Overview: a.overview, Notices: a.notices, Billing: a.billing, Payments: a.payments, Feedback: a.feedback, Styles: a.styles, Images: images, Territories: offline, Places: a.places, Geocode: geocoder, Selections: a.picked,
		Queue: a.queue, Jobs: a.jobs, Solver: s.solver(),
		Backlog: a.outbox.Backlog, Heights: heights, Boundaries: borders, Feeds: live.set, Redis: a.redisWorks(),
		Live: live.live(a.watches), Stopping: func() bool { return ctx.Err() != nil }, AdminToken: s.AdminToken, DemoRPM: s.DemoRPM, UnitPrice: s.UnitPrice, MetricsApart: scraped != nil,
		TrustedProxies: s.TrustedProxies, MaxBody: s.MaxBody, MaxPlacesBody: s.MaxPlacesBody, MatrixCells: s.MatrixCells, RequestTimeout: s.RequestTimeout, Log: log, Requests: s.log(text),
	}
	handler, err := api.New(options)
	if err != nil {
		return err
	}
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	// What goes on in the background must have ended before the region and the
	// database are let go of, and after the last request has been counted.
	var background parallel.Group
	defer background.Wait()
	working, rest := context.WithCancel(context.WithoutCancel(ctx))
	defer rest()
	background.Go(func() { text.Run(working) })
	background.Go(func() { giveBackAtRest(working) })
	background.Go(func() { a.run(working) })
	background.Go(func() { keep(working, log, func(ctx context.Context) { s.reach(ctx, log) }) })
	background.Go(func() { keep(working, log, func(ctx context.Context) { a.queue.Run(ctx, api.Kinds(options)) }) })
	background.Go(func() {
		live.set.Run(working, func(p *parallel.Panic) { log.Error("a feed panicked", "error", p, "stack", string(p.Stack)) })
	})
	background.Go(func() {
		keep(working, log, func(ctx context.Context) { live.roads.Run(ctx, deployment) })
	})
	background.Go(func() {
		keep(working, log, func(ctx context.Context) { live.watch(ctx, a.watches, deployment) })
	})
	background.Go(func() {
		keep(working, log, func(ctx context.Context) { deployment.Watch(ctx, hangup, s.RegionPoll) })
	})
	background.Go(func() {
		keep(working, log, func(ctx context.Context) { deployment.Check(ctx, s.VerifyEvery) })
	})
	if scraped != nil {
		log.Info("metrics", "address", "http://"+scraped.Addr().String()+"/metrics")
		alone := &edge.Server{Handler: onlyMetrics(handler.Metrics()), ReadTimeout: s.ReadTimeout, WriteTimeout: s.WriteTimeout, IdleTimeout: s.IdleTimeout, Drain: time.Second, Log: log}
		background.Go(func() {
			if err := alone.Serve(working, scraped); err != nil {
				log.Error("the metrics are no longer served", "error", err)
			}
		})
	}
	log.Info("listening", "address", address)
	if o.ready != nil {
		o.ready(address)
	}
	server := &edge.Server{Handler: handler, ReadTimeout: s.ReadTimeout, WriteTimeout: s.WriteTimeout, IdleTimeout: s.IdleTimeout, Linger: s.DrainDelay, Drain: s.DrainTimeout, Log: log}
	return server.Serve(ctx, l)
}

// stopGrace is how long, after the drain, what goes on in the background has to end.
const stopGrace = 4 * time.Second

// endAnyhow ends the process so long after ctx has ended, unless the function that it
// returns is called before: work that does not heed the order to stop must not keep the
// process. Jobs and messages under way are left to their leases, after which another
// replica, or the next start, takes them up.
func endAnyhow(ctx context.Context, after time.Duration, log *slog.Logger) (ended func()) {
	over := make(chan struct{})
	parallel.Go(func() {
		select {
		case <-over:
			return
		case <-ctx.Done():
		}
		select {
		case <-over:
		case <-time.After(after):
			log.Error("the server ends though something is still under way: jobs and messages are left to their leases", "after", after)
			os.Exit(1)
		}
	}, func(p *parallel.Panic) { log.Error("a panic while stopping", "error", p, "stack", string(p.Stack)) })
	return func() { close(over) }
}

// listenForMetrics opens the listener of the metrics; nil where they have none
// of their own.
func (s *settings) listenForMetrics(ctx context.Context) (net.Listener, error) {
	if s.Metrics == "" {
		return nil, nil //nolint:nilnil // having none is no failure
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", s.Metrics)
	if err != nil {
		return nil, listenFailure("SVC_METRICS_LISTEN", err)
	}
	return l, nil
}

// listenFailure says why a listener of a setting did not open, and what to do where its
// port is taken.
func listenFailure(setting string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s: %w: another program listens there; stop it, or set %[1]s to another port (0 is any that is free)", setting, err)
	}
	return fmt.Errorf("%s: %w", setting, err)
}

// onlyMetrics answers GET /metrics and nothing else.
func onlyMetrics(metrics http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	return mux
}

// remote is the engine that answers in place of the embedded one, nil for that.
func (s *settings) remote() (engine.Engine, error) {
	switch s.engine() {
	case "valhalla":
		return valhalla.New(s.ValhallaURL, nil), nil
	case "osrm":
		return nil, errors.New("SVC_ROUTING_ENGINE: OSRM as an engine is not in this build yet; use embedded or valhalla")
	}
	return nil, nil //nolint:nilnil // having none is no failure
}

// heights are those of the ground, nil where there are none.
func (s *settings) heights() (*elevation.Service, error) {
	if len(s.Elevation) == 0 {
		return nil, nil //nolint:nilnil // having none is no failure
	}
	tiles, err := height.Find(s.Elevation...)
	if err != nil {
		return nil, fmt.Errorf("SVC_ELEVATION_DIR: %w", err)
	}
	return &elevation.Service{Heights: height.NewShared(tiles), Dataset: s.ElevationDataset}, nil
}

// boundaries answers for all regions where a region of its own is named for
// that. It stays open as long as the process.
func (s *settings) boundaries() (*boundary.Service, error) {
	if s.Boundaries == "" {
		return &boundary.Service{}, nil
	}
	r, err := region.Open(s.Boundaries)
	if err != nil {
		return nil, fmt.Errorf("SVC_ADMIN_BOUNDARIES_DB: %w", err)
	}
	x, err := boundaries.Open(r)
	if err == nil && x == nil {
		err = fmt.Errorf("the region in %s was built without boundaries: import it again", s.Boundaries)
	}
	if err != nil {
		return nil, fmt.Errorf("SVC_ADMIN_BOUNDARIES_DB: %w", errors.Join(err, r.Close()))
	}
	return &boundary.Service{Instead: x}, nil
}

// collectEarly has garbage collected when the heap has grown by half, unless the
// operator says otherwise (GOGC). Most of the heap is arrays without pointers,
// which cost the collector next to nothing, and scratch of queries that it lets
// go of: to wait until the heap has doubled is to hold it twice.
//
// The half of a small heap is a few hundred requests, and then collecting takes a
// quarter of the processor's time. Whoever keeps what is given back has the heap
// counted as larger than it is: memory that nobody writes to is not there.
func collectEarly() (larger []byte) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
	return make([]byte, unusedHeap)
}

// unusedHeap lets half as many bytes be allocated between two collections, beside
// half of the heap.
const unusedHeap = 24 << 20
