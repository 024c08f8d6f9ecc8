package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/waygate/waygate/feed"
)

// feeds is what the process knows of the world at the moment.
type feeds struct {
	set *feed.Set
}

// adding makes a feed of a source of one kind.
type adding func(feed.Options, feed.Source) (feed.Member, error)

// kinds are the kinds of records that feeds bring.
func (*feeds) kinds() map[string]adding {
	return map[string]adding{}
}

// feedOptions say where feeds are kept, and who asks.
type feedOptions struct {
	dir  string // of data; "" is the user's
	base string // address of this server
	log  *slog.Logger
}

// feeds makes the feeds that the settings list. Nothing is fetched yet.
func (s *feedSettings) feeds(o feedOptions) (*feeds, error) {
	f := &feeds{set: &feed.Set{}}
	list, err := s.listed()
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return f, nil
	}
	if o.dir == "" {
		if o.dir, err = userDataDir(); err != nil {
			return nil, fmt.Errorf("no folder to keep feeds in; set SVC_DATA_DIR: %w", err)
		}
	}
	options := feed.Options{Dir: filepath.Join(o.dir, "feeds"), Agent: fmt.Sprintf("waygate/%s %s", version, o.base), Log: o.log}
	kinds := f.kinds()
	for _, source := range list {
		add := kinds[source.Kind]
		if add == nil {
			return nil, fmt.Errorf("feed %s: kind %q is none that this build reads", source.ID, source.Kind)
		}
		m, err := add(options, source)
		if err != nil {
			return nil, err
		}
		f.set.Add(m)
	}
	return f, nil
}

// listed gives the sources of all settings.
func (s *feedSettings) listed() (list []feed.Source, err error) {
	if s.Feeds == "" {
		return nil, nil
	}
	file, err := os.Open(s.Feeds)
	if err != nil {
		return nil, fmt.Errorf("SVC_FEEDS: %w", err)
	}
	defer func() { _ = file.Close() }()
	list, err = feed.ReadList(file, filepath.Dir(s.Feeds), os.LookupEnv)
	if err != nil {
		return nil, fmt.Errorf("SVC_FEEDS: %s: %w", filepath.Base(s.Feeds), err)
	}
	return list, nil
}
