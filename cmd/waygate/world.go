package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/region"
)

// opener makes Worlds of regions.
type opener struct {
	settings settings
	fonts    *glyph.Fonts
	examples []api.Example
}

// open makes the World of a region, nil where none is served.
func (o *opener) open(ctx context.Context, r *region.Region) (*api.World, error) {
	w := &api.World{Backend: o.settings.engine(), Since: time.Now().UTC().Truncate(time.Second), Examples: o.examples}
	var err error
	switch w.Backend {
	case "valhalla":
		w.Engine, w.Remote = valhalla.New(o.settings.ValhallaURL, nil), true
	case "osrm":
		return nil, errors.New("SVC_ROUTING_ENGINE: OSRM as an engine is not in this build yet; use embedded or valhalla")
	default:
		w.Engine, err = embedded.New(r)
	}
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", w.Backend, err)
	}
	w.Enforces = enforces(ctx, w.Engine)
	if r == nil {
		return w, nil
	}
	m := r.Manifest
	w.Territory = api.Territory{ID: m.ID, Name: m.Name, Bounds: m.Bounds, Attribution: m.Attribution, OSMTimestamp: m.OSMTimestamp, Built: m.Built}
	w.Maps, err = o.maps(r)
	return w, err
}

// maps opens the basemap of a region, nil where it has none.
func (o *opener) maps(r *region.Region) (*tiles.Maps, error) {
	data, ok := r.Bytes(tileset.SectionName)
	if !ok {
		return nil, nil
	}
	archive, err := tileset.FromBytes(r.Dir, data)
	if err != nil {
		return nil, err
	}
	t := tiles.Territory{ID: r.Manifest.ID, Name: r.Manifest.Name, Tiles: archive}
	if at := r.Manifest.OSMTimestamp; at != nil {
		t.Updated = *at
	}
	return tiles.New(o.fonts, t)
}

// enforces asks an engine whether tunnel codes bind; one that does not answer
// is taken not to enforce them.
func enforces(ctx context.Context, e engine.Engine) bool {
	status, err := e.Status(ctx)
	return err == nil && status.EnforcesADR
}
