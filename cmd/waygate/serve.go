package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/web"
)

type serveCommand struct {
	Region   string `env:"SVC_REGION_DIR" help:"Folder of the region to serve; may be empty with a remote engine." type:"path" placeholder:"DIR"`
	settings `embed:""`
}

// Run serves until the process is told to stop.
func (c *serveCommand) Run(ctx context.Context) error {
	return serve(ctx, c.settings, site{dir: c.Region})
}

// site is what a server serves, apart from its settings.
type site struct {
	dir      string        // the region's folder, "" for none
	examples []api.Example // journeys that the explorer offers
	ready    func(address string)
}

// serve serves a site until ctx ends. ready, where it is not nil, hears the
// address once the server listens.
func serve(ctx context.Context, s settings, here site) error {
	dir := here.dir
	log := s.log(os.Stderr)
	log.Info("settings", append([]any{"SVC_REGION_DIR", dir}, s.effective()...)...)
	if dir == "" && s.engine() == "embedded" {
		return errors.New("the embedded engine needs a region: set --region or SVC_REGION_DIR (waygate run builds a sample)")
	}
	fonts, err := glyph.New()
	if err != nil {
		return fmt.Errorf("the built-in fonts: %w", err)
	}
	o := opener{settings: s, fonts: fonts, examples: here.examples}
	k := &keeper{dir: dir, log: log, open: o.open}
	website, built := web.Files()
	if !built {
		log.Info("the map explorer is not in this binary; make web builds it")
	}
	edge, err := api.New(api.Options{
		Acquire: k.live.Acquire, Version: version, Build: revision(),
		BaseURL: s.BaseURL, WebsiteURL: s.WebsiteURL, Website: website,
		DemoRPM: s.DemoRPM, TrustedProxies: s.TrustedProxies, MaxBody: s.MaxBody, RequestTimeout: s.RequestTimeout, Log: log,
	})
	if err != nil {
		return err
	}
	k.swapped = edge.Swapped
	if err := k.start(ctx); err != nil {
		return err
	}
	defer k.live.Close()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", s.Listen)
	if err != nil {
		return fmt.Errorf("SVC_LISTEN: %w", err)
	}
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	// The watcher must have ended before the region is let go of.
	var watching sync.WaitGroup
	defer watching.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	watching.Go(func() { k.watch(ctx, hangup, s.RegionPoll) })
	address := "http://" + l.Addr().String()
	log.Info("listening", "address", address)
	if here.ready != nil {
		here.ready(address)
	}
	server := &api.Server{Handler: edge, ReadTimeout: s.ReadTimeout, WriteTimeout: s.WriteTimeout, IdleTimeout: s.IdleTimeout, Drain: s.DrainTimeout, Log: log}
	return server.Serve(ctx, l)
}

func announce(w io.Writer, address string) {
	_, _ = fmt.Fprintf(w, "\n  Waygate is running: %s\n  Press Ctrl-C to stop.\n\n", address) // nothing to do where nobody reads
}
