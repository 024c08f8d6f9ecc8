package main

import (
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/sample"
)

// The sample county's feeds are read without anything left out.
func TestLiveFeeds(t *testing.T) {
	dir := t.TempDir()
	if err := writeLive(dir, sample.Generate().Live(), time.Now()); err != nil {
		t.Fatal(err)
	}
	s := feedSettings{Feeds: filepath.Join(dir, liveName)}
	f, err := s.feeds(feedOptions{dir: t.TempDir(), log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.set.Status()); n != 3 {
		t.Errorf("%d feeds", n)
	}
	for _, one := range f.fuel.Feeds() {
		if err := one.Poll(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for _, one := range f.charging.Feeds() {
		if err := one.Poll(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for _, one := range f.weather.Feeds.Feeds() {
		if err := one.Poll(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for _, status := range f.set.Status() {
		if status.State != feed.OK || status.Rejected > 0 || status.Records == 0 {
			t.Errorf("%+v", status)
		}
	}
}
