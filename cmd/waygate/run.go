package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/waygate/waygate/cmd/waygate/county"
	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/cmd/waygate/regions"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/parallel"
)

type runCommand struct {
	Data            string   `env:"SVC_DATA_DIR" help:"Folder for the built region and for accounts; by default waygate in the user's cache folder and in the user's data folder." type:"path" placeholder:"DIR"`
	RegionSource    string   `help:"OpenStreetMap extract to use instead of the sample county: a file or an address." placeholder:"FILE"`
	SampleTraffic   bool     `env:"SVC_SAMPLE_TRAFFIC" negatable:"" default:"true" help:"Add invented live traffic, incidents and late buses to the sample county, with a closure that comes and goes. Without it routes do not depend on the time."`
	SampleSurvey    bool     `env:"SVC_SAMPLE_SURVEY" negatable:"" default:"true" help:"Host a drawn survey of a lane of the sample county, with measured clearance, where --pointclouds names no store."`
	RegionElevation []string `sep:"none" help:"Heights for the extract: SRTM tiles (.hgt, .hgt.gz, .hgt.zip), GeoTIFF files, terrain tiles (.pmtiles), or a folder of them." placeholder:"DIR_OR_FILE"`
	settings        `embed:""`
}

// sampleZone is the time zone of the sample county's days and nights.
const sampleZone = "Europe/London"

// runDemoRPM is the rate without a key of waygate run, which serves one person's own
// machine.
const runDemoRPM = 6000

// AfterApply raises the rate without a key and the number of keys a day above a
// server's defaults, unless they were set.
func (c *runCommand) AfterApply() error {
	if os.Getenv("SVC_DEMO_RPM") == "" && c.DemoRPM == 600 {
		c.DemoRPM = runDemoRPM
	}
	if os.Getenv("SVC_KEYS_LOOPBACK_EXEMPT") == "" {
		c.KeysLoopbackExempt = true
	}
	return nil
}

// Run builds the region if it is missing or its source has changed, and serves it.
func (c *runCommand) Run(ctx context.Context) error {
	accounts := c.Data // what must not be lost does not belong in a cache
	if c.Data == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("no data folder was found; set --data: %w", err)
		}
		c.Data = filepath.Join(cache, "waygate")
	}
	o := importer.Options{Sources: []string{c.RegionSource}, Heights: c.RegionElevation}
	if c.RegionSource == "" {
		o.ID, o.Name, o.Country = "halvern", "Isle of Halvern", "GB"
		o.Dir = filepath.Join(c.Data, "regions", o.ID)
		w, err := county.Write(filepath.Join(c.Data, "sample"), o.Dir)
		if err != nil {
			return fmt.Errorf("write the sample county: %w", err)
		}
		o.Sources[0], o.Heights, o.Terrain, o.Timetables = w.Extract, []string{w.Heights}, county.Terrain, []string{w.Buses}
		o.Heritage = []string{w.Heritage}
		if c.Clouds == "" && c.SampleSurvey {
			c.Clouds = filepath.Join(c.Data, "sample", "pointclouds")
			if err := county.WriteSurvey(ctx, c.Clouds, w.Sample); err != nil {
				return fmt.Errorf("write the sample county's survey: %w", err)
			}
		}
		if len(c.Zones) == 0 {
			c.Zones = files.Folders{w.Zones}
		}
		if c.Feeds == "" { // everything moves on the first start
			l := county.Feeds{Live: w.Live, Dir: filepath.Join(c.Data, "sample", "live"), Zone: time.UTC, Traffic: c.SampleTraffic && len(c.Traffic)+len(c.Incidents) == 0}
			if zone, err := time.LoadLocation(sampleZone); err == nil {
				l.Zone = zone
			}
			if err := l.Write(time.Now()); err != nil {
				return fmt.Errorf("write the sample county's feeds: %w", err)
			}
			c.Feeds = filepath.Join(l.Dir, county.FeedsName)
			log := c.log(os.Stderr)
			parallel.Go(func() { l.Run(ctx, log) }, func(p *parallel.Panic) { log.Error("the sample county's feeds panicked", "error", p) })
		}
	} else {
		o.Dir = filepath.Join(c.Data, "regions", importer.IDFrom(c.RegionSource))
	}
	if err := regions.Build(ctx, os.Stderr, o); err != nil {
		return err
	}
	if len(c.Elevation) == 0 {
		c.Elevation = o.Heights
		if o.Terrain != "" {
			c.ElevationDataset = o.Terrain
		}
	}
	generated := c.AdminToken == ""
	if generated {
		c.AdminToken = rand.Text()
	}
	return serve(ctx, c.settings, serveOptions{
		regions: files.Folders{o.Dir}, data: accounts, show: func(m outbox.Mail) { showMail(os.Stdout, m) },
		ready: func(address string) {
			announce(os.Stdout, address)
			if generated {
				_, _ = fmt.Fprintf(os.Stdout, "  Operator's pages: %s/admin with the token %s (of this run; SVC_ADMIN_TOKEN sets one)\n\n", address, c.AdminToken)
			}
		},
	})
}

// announce prints the address of the server on a terminal.
func announce(w io.Writer, address string) {
	_, _ = fmt.Fprintf(w, "\n  Waygate is running: %s\n  Get an API key:     %[1]s/keys\n  Press Ctrl-C to stop.\n\n", address)
}

// showMail prints a mail that no relay carries.
func showMail(w io.Writer, m outbox.Mail) {
	_, _ = fmt.Fprintf(w, "\n  A mail to %s (SVC_SMTP_URL is not set, so it stays here): %s\n\n    %s\n\n", m.To, m.Subject, strings.ReplaceAll(strings.TrimSpace(m.Text), "\n", "\n    "))
}
