package main

import (
	"errors"
	"fmt"

	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/region"
)

// geocoder makes the geocoder beside the indexes of the served regions; done closes it.
func (s *settings) geocoder() (_ *geocode.Service, done func() error, err error) {
	g, done := &geocode.Service{ForwardProxy: s.GeocodeForward == "proxy"}, func() error { return nil }
	if s.GeocoderProxyURL != "" {
		g.Proxy = geocode.NewPhoton(s.GeocoderProxyURL, nil)
	}
	if s.GeocodeDir == "" {
		return g, done, nil
	}
	files, err := region.Open(s.GeocodeDir)
	if err != nil {
		return nil, nil, fmt.Errorf("SVC_GEOCODE_DIR: %w", err)
	}
	index, err := find.Open(files)
	if err == nil && index == nil {
		err = fmt.Errorf("the region in %s was built without an index of places: import it again", s.GeocodeDir)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("SVC_GEOCODE_DIR: %w", errors.Join(err, files.Close()))
	}
	m := files.Manifest
	g.Own = []geocode.Source{{ID: m.ID, Name: m.Name, Bounds: m.Bounds, Attribution: m.Attribution, Index: index}}
	return g, files.Close, nil
}
