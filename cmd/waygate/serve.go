package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/server"
	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/parallel"
)

type serveCommand struct {
	Region   files.Folders `env:"SVC_REGION_DIR" help:"Folder of a region to serve; given several times, or separated as in PATH, for several regions. May be empty with a remote engine." placeholder:"DIR"`
	Data     string        `env:"SVC_DATA_DIR" help:"Folder for the database where none is set; by default waygate in the user's folder for data." type:"path" placeholder:"DIR"`
	settings `embed:""`
}

// Run serves until the process receives a signal to stop.
func (c *serveCommand) Run(ctx context.Context) error {
	return serve(ctx, c.settings, serveOptions{regions: c.Region, data: c.Data})
}

// serveOptions say where and how to serve.
type serveOptions struct {
	regions files.Folders // none serves a remote engine without a region
	data    string        // folder of the database where none is set
	// ready, where it is not nil, is called with the address once the server listens.
	ready func(address string)
	show  func(outbox.Mail) // is called with mails where there is no relay
}

// serve serves until ctx ends.
func serve(ctx context.Context, s settings, o serveOptions) (err error) {
	text := newLines(os.Stderr)
	p := &process{settings: s, serveOptions: o, text: text, log: s.log(text.prompt())}
	s.tell(p.log, "SVC_REGION_DIR", strings.Join(o.regions, string(filepath.ListSeparator)), "SVC_DATA_DIR", o.data)
	if len(o.regions) == 0 && s.engine() == "embedded" {
		return errors.New("the embedded engine needs a region: set --region or SVC_REGION_DIR (waygate run builds a sample)")
	}
	defer endAnyhow(ctx, s.DrainDelay+s.DrainTimeout+stopGrace, p.log)() // after all that is deferred below
	defer runtime.KeepAlive(collectEarly())
	defer func() { err = errors.Join(err, p.close()) }()
	if err := p.open(ctx); err != nil {
		return err
	}
	handler, err := api.New(p.options)
	if err != nil {
		return err
	}
	defer p.work(ctx, handler)()
	p.log.Info("listening", "address", p.address)
	if o.ready != nil {
		o.ready(p.address)
	}
	public := &server.Server{Handler: handler, ReadTimeout: s.ReadTimeout, WriteTimeout: s.WriteTimeout, IdleTimeout: s.IdleTimeout, Linger: s.DrainDelay, Drain: s.DrainTimeout, Log: p.log}
	return public.Serve(ctx, p.listener)
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
