package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"syscall"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/edge/metrics"
	"github.com/waygate/waygate/cmd/waygate/version"
	"github.com/waygate/waygate/cmd/waygate/zones"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/canary"
	"github.com/waygate/waygate/engine/chosen"
	"github.com/waygate/waygate/engine/osrm"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/elevation"
	boundaries "github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/upstream"
	"github.com/waygate/waygate/web"
	"github.com/waygate/waygate/world"
)

// process has everything that a server opens, and the options of the API that it makes of it.
type process struct {
	settings
	serveOptions
	text *lines
	log  *slog.Logger

	listener  net.Listener
	address   string            // of the listener, as a URL
	base      string            // public address, or that of the listener
	scraped   net.Listener      // of the metrics; nil where they have none of their own
	remote    []remoteEngine    // the engines on other servers
	questions []canary.Question // of the operator; nil without
	regions   *world.Set
	accounts  *accounts
	live      *feeds
	options   api.Options

	closers []func() error
}

// open opens everything. A new service is opened in the step of its group of options,
// or in a step of its own.
func (p *process) open(ctx context.Context) error {
	p.options.Limits = api.Limits{
		MaxBody: p.MaxBody, MaxPlacesBody: p.MaxPlacesBody, MatrixCells: p.MatrixCells, RequestTimeout: p.RequestTimeout, DemoRPM: p.DemoRPM, UnitPrice: p.UnitPrice,
	}
	for _, step := range []func(context.Context) error{
		p.openRegions, p.listen, p.openPlaces, p.openAccounts, p.openMetrics, p.openLive, p.openMaps, p.openVoice,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// closing has a function called when the process closes, before those that came earlier.
func (p *process) closing(f func() error) { p.closers = append(p.closers, f) }

// close closes what was opened, the last first.
func (p *process) close() (err error) {
	for _, f := range slices.Backward(p.closers) {
		err = errors.Join(err, f())
	}
	return err
}

// openRegions opens the regions with their engines.
func (p *process) openRegions(ctx context.Context) (err error) {
	if p.RegionCanary != "" && p.RegionCanary != noCanary {
		if p.questions, err = canary.Read(p.RegionCanary); err != nil {
			return fmt.Errorf("SVC_REGION_CANARY: %w", err)
		}
	}
	served, err := p.engines()
	if err != nil {
		return err
	}
	datasets, err := zones.Placed(p.log, p.Zones)
	if err != nil {
		return err
	}
	archives, err := p.hosted(ctx, p.log)
	if err != nil {
		return err
	}
	website, built := web.Files()
	if !built {
		p.log.Info("the website is not in this binary; make web builds it")
	}
	figures := metrics.New(version.Number)
	scheduler := scheduled.New(scheduled.Options{Memory: int64(p.RequestMemory) << 20})
	served.Dirs, served.MetricMemory, served.Zones, served.Fonts, served.Maps = p.serveOptions.regions, p.metricMemory(), datasets, p.Fonts, archives
	served.Canary = world.Canary{On: p.RegionCanary != noCanary, Questions: p.questions}
	served.Observe, served.Scheduler, served.Swapped, served.Log = figures.EngineCall, scheduler, figures.Swapped, p.log
	for _, e := range p.remote {
		figures.Register(metrics.OfServers(e.Can().Name, e.Servers))
	}
	if p.regions, err = world.Open(served); err != nil {
		return err
	}
	p.closing(func() error { p.regions.Close(); return nil })
	p.options.Server = api.Server{
		Acquire: p.regions.Acquire, Scheduler: scheduler, Version: version.Number, Build: version.Revision(),
		BaseURL: p.BaseURL, WebsiteURL: p.WebsiteURL, Website: website,
		AdminToken: p.AdminToken, TrustedProxies: p.TrustedProxies, Metrics: figures, MetricsApart: p.Metrics != "",
		Stopping: func() bool { return ctx.Err() != nil }, Log: p.log, Requests: p.settings.log(p.text),
	}
	return nil
}

// engines opens the engines on other servers, and returns options with them and the rules of
// which engine answers.
func (p *process) engines() (o world.Options, err error) {
	var source *canary.Source
	if p.RegionCanary != noCanary {
		source = canary.NewSource(p.questions)
	}
	if p.remote, err = p.remotes(source, p.log); err != nil {
		return o, err
	}
	o.Rules, err = p.rules()
	for _, e := range p.remote {
		if o.Rules == nil {
			o.Remote = e
		} else {
			o.Remotes = append(o.Remotes, e)
		}
	}
	if err != nil || o.Rules != nil {
		return o, err
	}
	second, err := p.second(p.log)
	if second != nil {
		o.Second, p.remote = second, append(p.remote, second) // whose servers are probed and measured too
	}
	return o, err
}

// listen opens the listener, whose address stands in links where no base URL is set.
func (p *process) listen(ctx context.Context) (err error) {
	if p.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", p.Listen); err != nil {
		return listenFailure("SVC_LISTEN", err)
	}
	p.closing(func() error { _ = p.listener.Close(); return nil }) // again, where serving did not come about
	p.address = "http://" + p.listener.Addr().String()
	p.base = cmp.Or(p.BaseURL, p.address)
	return nil
}

// openPlaces opens what answers questions about places.
func (p *process) openPlaces(context.Context) error {
	geocoder, done, err := p.geocoder()
	if err != nil {
		return err
	}
	p.closing(done)
	heights, err := p.heights()
	if err != nil {
		return err
	}
	borders, err := p.boundaries()
	if err != nil {
		return err
	}
	p.options.PlaceServices = api.PlaceServices{Geocode: geocoder, Heights: heights, Boundaries: borders}
	return nil
}

// openAccounts opens the database and what works on it.
func (p *process) openAccounts(ctx context.Context) error {
	a, err := openAccounts(ctx, p.settings, accountsOptions{dir: p.data, base: p.base, show: p.show, log: p.log})
	if err != nil {
		return err
	}
	p.accounts = a
	p.closing(a.close)
	p.options.AccountServices = api.AccountServices{
		Gate: a.gate, Accounts: a.accounts, Overview: a.overview, Notices: a.notices, Billing: a.billing, Payments: a.payments, Signer: a.signer, Backlog: a.outbox.Backlog, Redis: a.redisWorks(),
	}
	p.options.CallerServices = api.CallerServices{Feedback: a.feedback, Styles: a.styles, Places: a.places, Selections: a.picked, Dispatch: a.dispatch}
	p.options.PlanServices = api.PlanServices{Solver: p.solver(), Queue: a.queue, Jobs: a.jobs}
	return nil
}

// openMetrics opens the listener of the metrics where they have one of their own.
func (p *process) openMetrics(ctx context.Context) (err error) {
	if p.Metrics == "" {
		return nil
	}
	if p.scraped, err = new(net.ListenConfig).Listen(ctx, "tcp", p.Metrics); err != nil {
		return listenFailure("SVC_METRICS_LISTEN", err)
	}
	p.closing(func() error { _ = p.scraped.Close(); return nil }) // again, where serving did not come about
	return nil
}

// openLive makes the feeds and restores what they had when the process last ended.
func (p *process) openLive(ctx context.Context) (err error) {
	p.live, err = p.feeds(feedOptions{dir: p.data, base: p.base, log: p.log, counts: countsAs(p.regions)})
	if err != nil {
		return err
	}
	p.live.set.Restore(ctx)
	p.options.LiveServices = api.LiveServices{Feeds: p.live.set, Live: p.live.live(p.accounts.watches), Vehicles: p.live.vehicles, Updates: p.live.updates}
	return p.profile(p.live.roads, p.log)
}

// openMaps opens what draws maps, and the store of offline packages.
func (p *process) openMaps(context.Context) error {
	images, done := p.images(p.options.Website, p.log)
	p.closing(func() error { done(); return nil })
	offline, err := p.offline(p.data, p.log)
	if err != nil {
		return err
	}
	clouds, err := p.clouds(p.log)
	if err != nil {
		return err
	}
	p.options.MapServices = api.MapServices{Images: images, Territories: offline, Clouds: clouds}
	if clouds != nil {
		p.options.Clearance = &clearance.Service{Clouds: clouds, Share: p.share, Log: p.log}
	}
	return nil
}

// openVoice opens what makes clips of speech.
func (p *process) openVoice(ctx context.Context) (err error) {
	if p.options.Voice, err = p.voice(ctx, p.data, p.log); p.options.Voice != nil {
		p.closing(func() error { p.options.Voice.Close(); return nil })
		p.options.Voice.Share = p.share
	}
	return err
}

// share waits for a processor for work in the background that steps aside for callers.
func (p *process) share(ctx context.Context, bytes int64) (context.Context, func(), error) {
	return p.options.Scheduler.Share(ctx, engine.Estimate{Bytes: bytes, Cores: 1})
}

// listenFailure explains why a listener of a setting did not open, and what to do where its
// port is taken.
func listenFailure(setting string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s: %w: another program listens there; stop it, or set %[1]s to another port (0 is any that is free)", setting, err)
	}
	return fmt.Errorf("%s: %w", setting, err)
}

// poolOptions returns those of the pools of servers.
func (s *settings) poolOptions(log *slog.Logger) upstream.PoolOptions {
	o := upstream.PoolOptions{Hedge: s.UpstreamHedge, Every: s.UpstreamProbe, Client: upstream.NewClient(), Log: log}
	if o.Hedge == 0 {
		o.Hedge = -1
	}
	return o
}

// noCanary is the setting that takes regions and servers into service unasked.
const noCanary = "none"

// remotes opens the engines on other servers that are used. New versions of these are compared
// with the others by the questions of a source; nil compares none.
func (s *settings) remotes(questions *canary.Source, log *slog.Logger) ([]remoteEngine, error) {
	o := s.poolOptions(log)
	rules, err := s.rules()
	if err != nil {
		return nil, err
	}
	used := func(name string) bool {
		if rules == nil {
			return s.engine() == name
		}
		return slices.ContainsFunc(rules, func(r chosen.Rule) bool { return slices.Contains(r.Engines, name) })
	}
	var list []remoteEngine
	if used("valhalla") {
		list = append(list, valhalla.NewPool(s.ValhallaURL, o, questions))
	}
	if used("osrm") {
		servers, err := s.osrmServers()
		if err != nil {
			return nil, err
		}
		list = append(list, osrm.NewPool(servers, o, questions))
	}
	return list, nil
}

// remoteEngine is an engine on other servers.
type remoteEngine interface {
	engine.Engine
	engine.Watcher
	Servers() []upstream.State
}

// watchRemotes probes the servers of the engines.
func (p *process) watchRemotes(ctx context.Context) {
	var group parallel.Group
	for _, e := range p.remote {
		group.Go(func() { e.Watch(ctx) })
	}
	group.Wait()
}

// second returns a remote engine besides the one that answers, for second opinions; nil without.
func (s *settings) second(log *slog.Logger) (remoteEngine, error) {
	o := s.poolOptions(log)
	if len(s.ValhallaURL) > 0 && s.engine() != "valhalla" {
		return valhalla.NewPool(s.ValhallaURL, o, nil), nil
	}
	if len(s.OSRMURL) == 0 || s.engine() == "osrm" {
		return nil, nil //nolint:nilnil // having none is no failure
	}
	servers, err := s.osrmServers()
	if err != nil {
		return nil, err
	}
	return osrm.NewPool(servers, o, nil), nil
}

// heights returns those of the ground, nil where there are none.
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
