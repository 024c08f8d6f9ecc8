package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/cmd/waygate/county"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/sample"
	samplefeeds "github.com/waygate/waygate/sample/feeds"
	"github.com/waygate/waygate/waittest"
)

// The sample county's feeds are read without anything left out.
func TestLiveFeeds(t *testing.T) {
	dir := t.TempDir()
	c := county.Feeds{Live: samplefeeds.NewLive(sample.Generate()), Dir: dir, Zone: time.UTC, Traffic: true}
	if err := c.Write(time.Now()); err != nil {
		t.Fatal(err)
	}
	s := feedSettings{Feeds: filepath.Join(dir, county.FeedsName)}
	f, err := s.feeds(feedOptions{dir: t.TempDir(), log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.set.Status()); n != 7 {
		t.Errorf("%d feeds", n)
	}
	ctx, stop := context.WithCancel(t.Context())
	var running parallel.Group
	defer running.Wait() // before the folder is removed, into which the feeds write
	defer stop()
	running.Go(func() { f.set.Run(ctx, nil) })
	waittest.Until(t, "every feed is read", func() bool {
		return !slices.ContainsFunc(f.set.Status(), func(s feed.Status) bool { return s.State == feed.Waiting })
	})
	for _, status := range f.set.Status() {
		buses := status.Kind == "vehicles" || status.Kind == "trip-updates" // of which there are none at night
		if status.State != feed.OK || status.Rejected > 0 || status.Records == 0 && !buses {
			t.Errorf("%+v", status)
		}
	}
}

// TestFolders has settings name folders, and an address or a file beside them.
func TestFolders(t *testing.T) {
	dir, single := t.TempDir(), filepath.Join(t.TempDir(), "own.csv")
	for _, path := range []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "own.csv"), single} {
		if err := os.WriteFile(path, []byte("1,2,50\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := feedSettings{Traffic: []string{dir, single, "https://traffic.example/speeds"}, Incidents: []string{t.TempDir()}}
	f, err := s.feeds(feedOptions{dir: t.TempDir(), log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, status := range f.set.Status() {
		ids = append(ids, status.ID)
	}
	if got := strings.Join(ids, " "); got != "traffic-a-csv traffic-own-csv traffic-own-csv-2 traffic-speeds" {
		t.Errorf("the feeds are %s", got)
	}
	s = feedSettings{Traffic: []string{filepath.Join(dir, "none")}}
	if _, err := s.feeds(feedOptions{dir: t.TempDir(), log: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("a file that is not there is a feed")
	}
}
