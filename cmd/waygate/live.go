package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/sample"
)

// liveEvery is how often the sample county tells what has changed.
const liveEvery = 30 * time.Second

// liveName is the list of the sample county's feeds, beside their files.
const liveName = "feeds.json"

// county is what the sample county tells as time goes on, and where.
type county struct {
	live    *sample.Live
	dir     string
	traffic bool // it tells of its roads, too
	zone    *time.Location
}

// write writes what the sample county tells at a moment, and the list of its feeds.
func (c *county) write(now time.Time) error {
	dir, l := c.dir, c.live
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	const invented = "invented, as the Isle of Halvern is"
	var list struct {
		Feeds []feed.Source `json:"feeds"`
	}
	type file struct {
		kind, name string
		write      func(io.Writer, time.Time) error
	}
	files := []file{
		{"fuel", "prices.csv", l.Prices},
		{"charging", "chargers.json", l.Chargers},
		{"weather", "weather.csv", l.Weather},
	}
	if c.traffic {
		files = append(files, file{"traffic", "traffic.json", l.Traffic}, file{"incidents", "incidents.json", l.Incidents})
	}
	for _, one := range files {
		if err := replace(filepath.Join(dir, one.name), func(w io.Writer) error { return one.write(w, now.In(c.zone)) }); err != nil {
			return err
		}
		list.Feeds = append(list.Feeds, feed.Source{
			ID: "halvern-" + one.kind, Kind: one.kind, URL: one.name, Every: feed.Duration(liveEvery / 3), Name: "Halvern " + one.kind, Licence: "CC0-1.0", Area: "the Isle of Halvern", Attribution: invented,
		})
	}
	return replace(filepath.Join(dir, liveName), func(w io.Writer) error { return json.NewEncoder(w).Encode(list) })
}

// keep goes on writing until ctx ends.
func (c *county) keep(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(liveEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if err := c.write(now); err != nil {
				log.Warn("the sample county's feeds cannot be written", "error", err)
			}
		}
	}
}
