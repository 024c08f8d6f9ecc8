package main

import (
	"github.com/waygate/waygate/feature/geocode"
)

// geocoder is what finds places beside the indexes of the regions in service.
func (s *settings) geocoder() (*geocode.Service, error) {
	g := &geocode.Service{ForwardProxy: s.GeocodeForward == "proxy"}
	if s.GeocoderProxyURL != "" {
		g.Proxy = geocode.NewPhoton(s.GeocoderProxyURL, nil)
	}
	return g, nil
}
