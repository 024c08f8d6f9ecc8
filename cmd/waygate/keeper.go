package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/region"
)

// keeper keeps the World in service: it opens the region, watches for a newly
// sealed one and takes it into service when it verifies.
type keeper struct {
	dir     string // "" serves a remote engine without a region
	open    func(r *region.Region) (*api.World, error)
	swapped func(ok bool)
	log     *slog.Logger
	live    region.Live[*api.World]
	sealed  stamp // of the manifest that was looked at last
}

// stamp tells one sealed manifest from the next.
type stamp struct {
	modified time.Time
	size     int64
}

func (k *keeper) stamp() (stamp, error) {
	info, err := os.Stat(filepath.Join(k.dir, region.ManifestName))
	if err != nil {
		return stamp{}, err
	}
	return stamp{info.ModTime(), info.Size()}, nil
}

// start takes the first World into service. It opens the region without
// reading all of it, so that a server starts in milliseconds.
func (k *keeper) start() error {
	if k.dir == "" {
		return k.take()
	}
	var err error
	if k.sealed, err = k.stamp(); err != nil {
		return fmt.Errorf("%s: %w", k.dir, region.ErrNotSealed)
	}
	return k.take()
}

// reload takes the region in the folder into service if every section matches
// its checksum; otherwise the one in service stays.
func (k *keeper) reload() {
	err := k.verified()
	if err != nil {
		k.log.Error("the new region is turned down; the one in service stays", "dir", k.dir, "error", err)
	}
	if k.swapped != nil {
		k.swapped(err == nil)
	}
}

func (k *keeper) verified() error {
	if k.dir == "" {
		return errors.New("no region folder is set")
	}
	now, err := k.stamp()
	if err != nil {
		return err
	}
	k.sealed = now
	if err := region.Verify(k.dir); err != nil {
		return err
	}
	return k.take()
}

func (k *keeper) take() error {
	var r *region.Region
	if k.dir != "" {
		var err error
		if r, err = region.Open(k.dir); err != nil {
			return err
		}
	}
	began := time.Now()
	w, err := k.open(r)
	if err != nil {
		if r != nil {
			err = errors.Join(err, r.Close())
		}
		return err
	}
	k.live.Swap(w, func() {
		if r == nil {
			return
		}
		if err := r.Close(); err != nil {
			k.log.Error("close a region", "error", err)
		}
	})
	k.log.Info("in service", "engine", w.Engine.Can().Name, "region", w.Territory.ID, "took", time.Since(began))
	return nil
}

// watch reloads on a signal of hangup and when the manifest changes, until ctx
// ends.
func (k *keeper) watch(ctx context.Context, hangup <-chan os.Signal, every time.Duration) {
	var tick <-chan time.Time
	if every > 0 && k.dir != "" {
		t := time.NewTicker(every)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangup:
			k.reload()
		case <-tick:
			if now, err := k.stamp(); err == nil && now != k.sealed {
				k.reload()
			}
		}
	}
}
