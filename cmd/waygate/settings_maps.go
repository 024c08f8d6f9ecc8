package main

import (
	"fmt"
	"log/slog"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/feature/territories"
)

// mapSettings are about what maps are drawn from, and packages of them.
type mapSettings struct {
	Fonts       folders `name:"fonts-dir" sep:"none" env:"SVC_FONTS_DIR" help:"Folders of fonts (.ttf, .otf, .ttc) for the labels of maps beside the built-in ones, separated as PATH is." placeholder:"DIR"`
	Territories string  `env:"SVC_TERRITORIES" help:"Offline territories that waygate territory build has published: a folder or s3://bucket/prefix; by default territories in the data folder." placeholder:"DIR"`
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
