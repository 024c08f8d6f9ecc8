package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/engine/counted"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/web"
)

type serveCommand struct {
	Region   string `env:"SVC_REGION_DIR" help:"Folder of the region to serve; may be empty with a remote engine." type:"path" placeholder:"DIR"`
	Data     string `env:"SVC_DATA_DIR" help:"Folder for the database where none is set; by default waygate in the user's folder for data." type:"path" placeholder:"DIR"`
	settings `embed:""`
}

// Run serves until the process is told to stop.
func (c *serveCommand) Run(ctx context.Context) error {
	return serve(ctx, c.settings, shop{region: c.Region, data: c.Data})
}

// shop is where and how to serve.
type shop struct {
	region string // folder; "" serves a remote engine without a region
	data   string // folder of the database where none is set
	// ready, where it is not nil, hears the address once the server listens.
	ready func(address string)
	show  func(outbox.Mail) // hears mails where there is no relay
}

// serve serves until ctx ends.
func serve(ctx context.Context, s settings, p shop) (err error) {
	log := s.log(os.Stderr)
	log.Info("settings", append([]any{"SVC_REGION_DIR", p.region, "SVC_DATA_DIR", p.data}, s.effective()...)...)
	if p.region == "" && s.engine() == "embedded" {
		return errors.New("the embedded engine needs a region: set --region or SVC_REGION_DIR (waygate run builds a sample)")
	}
	fonts, err := glyph.New()
	if err != nil {
		return err
	}
	metrics := api.NewMetrics(version)
	k := &keeper{dir: p.region, log: log, open: (&opener{s, fonts, metrics.EngineCall}).open, swapped: metrics.Swapped}
	if err := k.start(); err != nil {
		return err
	}
	defer k.live.Close()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", s.Listen)
	if err != nil {
		return fmt.Errorf("SVC_LISTEN: %w", err)
	}
	defer func() { _ = l.Close() }() // again, where serving did not come about
	address := "http://" + l.Addr().String()
	base := s.BaseURL
	if base == "" {
		base = address // links in mails need one
	}
	o, err := openOffice(ctx, s, premises{dir: p.data, base: base, show: p.show, log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.close()) }()
	website, built := web.Files()
	if !built {
		log.Info("the website is not in this binary; make web builds it")
	}
	edge, err := api.New(api.Options{
		Acquire: k.live.Acquire, Metrics: metrics, Version: version, Build: revision(),
		BaseURL: s.BaseURL, WebsiteURL: s.WebsiteURL, Website: website,
		Office: api.Office{
			Gate: o.gate, Accounts: o.accounts, Overview: o.overview, Notices: o.notices, Desk: o.desk, Till: o.till, Feedback: o.feedback,
		},
		Backlog: o.outbox.Backlog, AdminToken: s.AdminToken, DemoRPM: s.DemoRPM, UnitPrice: s.UnitPrice,
		TrustedProxies: s.TrustedProxies, MaxBody: s.MaxBody, MatrixCells: s.MatrixCells, RequestTimeout: s.RequestTimeout, Log: log,
	})
	if err != nil {
		return err
	}
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	// What goes on in the background must have ended before the region and the
	// database are let go of, and after the last request has been counted.
	var background sync.WaitGroup
	defer background.Wait()
	working, rest := context.WithCancel(context.WithoutCancel(ctx))
	defer rest()
	background.Go(func() { o.run(working) })
	background.Go(func() { k.watch(working, hangup, s.RegionPoll) })
	log.Info("listening", "address", address)
	if p.ready != nil {
		p.ready(address)
	}
	server := &api.Server{Handler: edge, ReadTimeout: s.ReadTimeout, WriteTimeout: s.WriteTimeout, IdleTimeout: s.IdleTimeout, Drain: s.DrainTimeout, Log: log}
	return server.Serve(ctx, l)
}

// opener makes Worlds.
type opener struct {
	settings settings
	fonts    *glyph.Fonts
	observe  counted.Observer
}

// open makes the World of a region, nil where none is served.
func (o *opener) open(r *region.Region) (*api.World, error) {
	w := &api.World{Since: time.Now().UTC().Truncate(time.Second)}
	var err error
	switch o.settings.engine() {
	case "valhalla":
		w.Engine = valhalla.New(o.settings.ValhallaURL, nil)
	case "osrm":
		return nil, errors.New("SVC_ROUTING_ENGINE: OSRM as an engine is not in this build yet; use embedded or valhalla")
	default:
		kernel, err := embedded.New(r)
		if err != nil {
			return nil, fmt.Errorf("engine embedded: %w", err)
		}
		kernel.SetMetricMemory(int64(o.settings.MetricMemory) << 20)
		w.Engine = kernel
	}
	w.Engine = counted.New(w.Engine, o.observe)
	if r == nil {
		return w, nil
	}
	m := r.Manifest
	w.Territory = api.Territory{ID: m.ID, Name: m.Name, Bounds: m.Bounds, Attribution: m.Attribution, Elevation: m.Facts[importer.TerrainFact], OSMTimestamp: m.OSMTimestamp, Built: m.Built}
	if w.Maps, err = openMaps(r, o.fonts); err != nil {
		return nil, err
	}
	if w.Landmarks, err = openLandmarks(r); err != nil {
		return nil, err
	}
	w.Examples, err = readExamples(r.Dir)
	return w, err
}

// openMaps opens a region's basemap; nil where it was built without one.
func openMaps(r *region.Region, fonts *glyph.Fonts) (*tiles.Maps, error) {
	data, err := r.Bytes(tileset.SectionName, tileset.Version, tileset.Version)
	if err != nil || data == nil {
		return nil, err
	}
	archive, err := tileset.FromBytes(tileset.SectionName, data)
	if err != nil {
		return nil, err
	}
	m := r.Manifest
	t := tiles.Territory{ID: m.ID, Name: m.Name, Tiles: archive, Bounds: m.Bounds, Attribution: strings.Join(m.Attribution, " · ")}
	if m.OSMTimestamp != nil {
		t.Updated = *m.OSMTimestamp
	}
	return tiles.New(fonts, t)
}
