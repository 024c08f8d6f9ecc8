package county

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/feed"
	samplefeeds "github.com/waygate/waygate/sample/feeds"
)

// liveEvery is how often the sample county's feeds are written.
const liveEvery = 30 * time.Second

// FeedsName is the file that lists the sample county's feeds.
const FeedsName = "feeds.json"

// Feeds writes the live feeds of the sample county into a folder.
type Feeds struct {
	Live    *samplefeeds.Live
	Dir     string
	Traffic bool // also traffic, incidents and late buses
	Zone    *time.Location
}

// Write writes the feeds as of a time, and the list of them.
func (c *Feeds) Write(now time.Time) error {
	dir, l := c.Dir, c.Live
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
	kinds := []file{
		{"fuel", "prices.csv", l.Prices},
		{"charging", "chargers.json", l.Chargers},
		{"weather", "weather.csv", l.Weather},
		{"vehicles", "buses.xml", l.Buses},
	}
	if c.Traffic {
		kinds = append(kinds, file{"traffic", "traffic.json", l.Traffic}, file{"incidents", "incidents.json", l.Incidents}, file{"trip-updates", "bus-updates.xml", l.BusUpdates})
	}
	for _, one := range kinds {
		if err := files.Replace(filepath.Join(dir, one.name), func(w io.Writer) error { return one.write(w, now.In(c.Zone)) }); err != nil {
			return err
		}
		list.Feeds = append(list.Feeds, feed.Source{
			ID: "halvern-" + one.kind, Kind: one.kind, URL: one.name, Every: feed.Duration(liveEvery / 3), Name: "Halvern " + one.kind, Licence: "CC0-1.0", Area: "the Isle of Halvern", Attribution: invented,
		})
	}
	return files.Replace(filepath.Join(dir, FeedsName), func(w io.Writer) error { return json.NewEncoder(w).Encode(list) })
}

// Run writes the feeds until ctx ends.
func (c *Feeds) Run(ctx context.Context, log *slog.Logger) {
	tick := time.NewTicker(liveEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if err := c.Write(now); err != nil {
				log.Warn("the sample county's feeds cannot be written", "error", err)
			}
		}
	}
}
