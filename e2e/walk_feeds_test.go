package e2e

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/sample/feeds"
)

// liveFeeds writes the live data of the sample county at a moment, its roads included, and
// returns the list of feeds. The files stay as they are, so that nothing is read anew while a
// request is measured.
func liveFeeds(t *testing.T) string {
	t.Helper()
	dir, live, now := t.TempDir(), feeds.NewLive(generated()), time.Now()
	var list struct {
		Feeds []feed.Source `json:"feeds"`
	}
	for _, f := range []struct {
		kind, name string
		write      func(io.Writer, time.Time) error
	}{
		{"fuel", "prices.csv", live.Prices},
		{"charging", "chargers.json", live.Chargers},
		{"weather", "weather.csv", live.Weather},
		{"traffic", "traffic.json", live.Traffic},
		{"incidents", "incidents.json", live.Incidents},
		{"vehicles", "buses.xml", live.Buses},
		{"trip-updates", "bus-updates.xml", live.BusUpdates},
	} {
		out, err := os.Create(filepath.Join(dir, f.name))
		assert.NilError(t, err)
		assert.NilError(t, f.write(out, now))
		assert.NilError(t, out.Close())
		list.Feeds = append(list.Feeds, feed.Source{
			ID: "walk-" + f.kind, Kind: f.kind, URL: f.name, Every: feed.Duration(time.Hour), Name: f.kind, Licence: "CC0-1.0", Area: "the Isle of Halvern", Attribution: "invented",
		})
	}
	text, err := json.Marshal(list)
	assert.NilError(t, err)
	file := filepath.Join(dir, "feeds.json")
	assert.NilError(t, os.WriteFile(file, text, 0o644))
	return file
}
