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

// writeLive writes what the sample county tells at a moment into dir, and the list
// of its feeds.
func writeLive(dir string, l *sample.Live, now time.Time) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	const invented = "invented, as the Isle of Halvern is"
	var list struct {
		Feeds []feed.Source `json:"feeds"`
	}
	for _, one := range []struct {
		kind, file string
		write      func(io.Writer, time.Time) error
	}{
		{"fuel", "prices.csv", l.Prices},
		{"charging", "chargers.json", l.Chargers},
		{"weather", "weather.csv", l.Weather},
	} {
		if err := replace(filepath.Join(dir, one.file), func(w io.Writer) error { return one.write(w, now) }); err != nil {
			return err
		}
		list.Feeds = append(list.Feeds, feed.Source{
			ID: "halvern-" + one.kind, Kind: one.kind, URL: one.file, Every: feed.Duration(liveEvery / 3), Name: "Halvern " + one.kind, Licence: "CC0-1.0", Area: "the Isle of Halvern", Attribution: invented,
		})
	}
	return replace(filepath.Join(dir, liveName), func(w io.Writer) error { return json.NewEncoder(w).Encode(list) })
}

// keepLive goes on writing until ctx ends.
func keepLive(ctx context.Context, dir string, l *sample.Live, log *slog.Logger) {
	tick := time.NewTicker(liveEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if err := writeLive(dir, l, now); err != nil {
				log.Warn("the sample county's feeds cannot be written", "error", err)
			}
		}
	}
}
