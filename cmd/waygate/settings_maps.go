package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/cmd/waygate/offline"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/feature/territories"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/territory"
)

// mapSettings are the settings of maps and offline packages.
type mapSettings struct {
	Tiles       []string      `sep:";" env:"SVC_TILES" help:"Vector tile archives (.pmtiles) to serve, as ID=PLACE separated by semicolons. PLACE is a path, an http(s) address on a server with range requests, or s3://bucket/key. An archive with the id of a region replaces its map; others are added." placeholder:"ID=PLACE" secret:"tiles"`
	Fonts       files.Folders `name:"fonts-dir" sep:"none" env:"SVC_FONTS_DIR" help:"Folders of more fonts (.ttf, .otf, .ttc) for map labels, separated like PATH." placeholder:"DIR"`
	Territories string        `env:"SVC_TERRITORIES" help:"Offline territories that waygate territory build has published: a folder or s3://bucket/prefix; by default territories in the data folder." placeholder:"DIR"`
	Clouds      string        `name:"pointclouds" env:"SVC_POINTCLOUDS" help:"Point clouds to host: a folder or s3://bucket/prefix with manifests/DATASET.json (files, identity_id, key_ids, public) and the files of each in DATASET. By default none." placeholder:"DIR"`
}

// hosted opens the tile archives.
func (s *mapSettings) hosted(ctx context.Context, log *slog.Logger) (list []tiles.Territory, err error) {
	cache := tiles.NewCache(tiles.DefaultCache)
	for _, one := range s.Tiles {
		id, place, ok := strings.Cut(one, "=")
		if id = strings.TrimSpace(id); !ok || !territory.ValidID(id) || id == tiles.GlobeID {
			return nil, fmt.Errorf("SVC_TILES: %q is invalid; use ID=PLACE with an id of lower-case letters, digits and hyphens other than %s", maskedPlace(one), tiles.GlobeID)
		}
		shown := maskedPlace(place)
		archive, err := tiles.Host(ctx, tiles.HostedOptions{Place: place, Shown: shown, Cache: cache, Log: log})
		if err != nil {
			return nil, fmt.Errorf("SVC_TILES: %s: %w", id, files.WithHint(err, place))
		}
		list = append(list, tiles.Territory{ID: id, Tiles: archive})
	}
	return list, nil
}

// maskedPlace returns a place without password and query, which may be secret.
func maskedPlace(place string) string {
	id, at, ok := strings.Cut(place, "=")
	if ok && territory.ValidID(strings.TrimSpace(id)) {
		return id + "=" + maskedPlace(at)
	}
	return fmt.Sprint(masked("url", place))
}

// offline opens the store of offline territories.
func (s *mapSettings) offline(data string, log *slog.Logger) (*territories.Service, error) {
	place, err := offline.Store(s.Territories, data)
	if err != nil {
		return &territories.Service{}, nil //nolint:nilerr // without a data folder none can have been published there
	}
	store, err := blob.Open(place)
	if err != nil {
		return nil, fmt.Errorf("SVC_TERRITORIES: %w", err)
	}
	return &territories.Service{Files: store, Log: log}, nil
}

// clouds opens the store of hosted point clouds; nil without one.
func (s *mapSettings) clouds(log *slog.Logger) (*pointclouds.Service, error) {
	if s.Clouds == "" {
		return nil, nil //nolint:nilnil // a deployment may have none
	}
	store, err := blob.Open(s.Clouds)
	if err != nil {
		return nil, fmt.Errorf("SVC_POINTCLOUDS: %w", err)
	}
	return &pointclouds.Service{Store: store, Log: log}, nil
}
