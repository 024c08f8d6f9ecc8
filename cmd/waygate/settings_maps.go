package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/feature/territories"
	"github.com/waygate/waygate/feature/tiles"
	"github.com/waygate/waygate/territory"
)

// mapSettings are about what maps are drawn from, and packages of them.
type mapSettings struct {
	Tiles       []string `sep:";" env:"SVC_TILES" help:"Tile archives (.pmtiles, vector) to serve, as ID=PLACE with ; between them: a path, an http(s) address whose server sends parts of files, or s3://bucket/key. One with the id of a region is served in place of its map, others beside." placeholder:"ID=PLACE" secret:"tiles"`
	Fonts       folders  `name:"fonts-dir" sep:"none" env:"SVC_FONTS_DIR" help:"Folders of fonts (.ttf, .otf, .ttc) for the labels of maps beside the built-in ones, separated as PATH is." placeholder:"DIR"`
	Territories string   `env:"SVC_TERRITORIES" help:"Offline territories that waygate territory build has published: a folder or s3://bucket/prefix; by default territories in the data folder." placeholder:"DIR"`
}

// hosted opens the tile archives.
func (s *mapSettings) hosted(ctx context.Context, log *slog.Logger) (list []tiles.Territory, err error) {
	cache := tiles.NewCache(tiles.DefaultCache)
	for _, one := range s.Tiles {
		id, place, ok := strings.Cut(one, "=")
		if id = strings.TrimSpace(id); !ok || !territory.ValidID(id) || id == tiles.GlobeID {
			return nil, fmt.Errorf("SVC_TILES: %q: want ID=PLACE with an id of lower-case letters, digits and hyphens other than %s", maskedPlace(one), tiles.GlobeID)
		}
		shown := maskedPlace(place)
		archive, err := tiles.Host(ctx, tiles.HostedOptions{Place: place, Shown: shown, Cache: cache, Log: log})
		if err != nil {
			return nil, fmt.Errorf("SVC_TILES: %s: %w", id, hinted(err, place))
		}
		list = append(list, tiles.Territory{ID: id, Tiles: archive})
	}
	return list, nil
}

// maskedPlace is a place without a password and a query, which may hold one.
func maskedPlace(place string) string {
	id, at, ok := strings.Cut(place, "=")
	if ok && territory.ValidID(strings.TrimSpace(id)) {
		return id + "=" + maskedPlace(at)
	}
	return fmt.Sprint(masked("url", place))
}

// offline opens the store of offline territories.
func (s *mapSettings) offline(data string, log *slog.Logger) (*territories.Service, error) {
	place, err := territoryStore(s.Territories, data)
	if err != nil {
		return &territories.Service{}, nil //nolint:nilerr // without a folder for data none can have been published there
	}
	store, err := blob.Open(place)
	if err != nil {
		return nil, fmt.Errorf("SVC_TERRITORIES: %w", err)
	}
	return &territories.Service{Files: store, Log: log}, nil
}
