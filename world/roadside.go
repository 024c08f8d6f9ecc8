package world

import (
	"fmt"
	"strings"

	"github.com/waygate/waygate/feed/camera"
	"github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/index/roadside"
)

// ofMap is the source of records from the map, with its licence.
const (
	ofMap      = "osm"
	mapLicence = "ODbL-1.0"
)

func openRoadside(r *Region, _ *Options) error {
	x, err := roadside.Open(r.files)
	if x == nil {
		return err
	}
	attribution := strings.Join(r.Attribution, " · ")
	cameras := make([]camera.Listed, len(x.Cameras))
	for i := range x.Cameras {
		cameras[i] = camera.Listed{Camera: cameraOf(&x.Cameras[i]), Source: ofMap, Licence: mapLicence, Attribution: attribution}
	}
	r.Cameras = camera.NewIndex(cameras)
	if len(x.Chargers) > 0 {
		stations := make([]charging.Station, len(x.Chargers))
		for i := range x.Chargers {
			stations[i] = stationOf(&x.Chargers[i])
		}
		r.Chargers = charging.MapOf(stations, attribution, r.OSMTimestamp)
	}
	return nil
}

func cameraOf(c *roadside.Camera) camera.Camera {
	out := camera.Camera{ID: c.ID, At: c.At.Point(), Kind: c.Kind, Limit: c.Limit, Travel: c.Travel, Country: c.Country}
	switch {
	case c.Limit == 0:
	case c.OfRoad:
		out.Confidence = camera.OfRoad
	default:
		out.Confidence = camera.OSM
	}
	if c.To.Lon != 0 || c.To.Lat != 0 {
		to := c.To.Point()
		out.To = &to
	}
	return out
}

func stationOf(c *roadside.Charger) charging.Station {
	out := charging.Station{ID: c.ID, Name: c.Name, Operator: c.Operator, At: c.At.Point(), Country: c.Country, Hours: c.Hours, Always: c.Hours == "24/7", Private: c.Private}
	for _, s := range c.Sockets {
		standard := charging.Named(s.Kind)
		for range max(1, s.Count) {
			out.Points = append(out.Points, charging.Point{Connectors: []charging.Connector{{Standard: standard, KW: s.KW, Count: min(1, s.Count), Cable: strings.HasSuffix(s.Kind, "_cable")}}})
		}
	}
	for range c.Capacity - len(out.Points) {
		if len(c.Sockets) > 0 {
			break // capacity may count parking spaces as well
		}
		out.Points = append(out.Points, charging.Point{})
	}
	if out.Name == "" {
		out.Name = fmt.Sprintf("%.4f, %.4f", out.At.Lat, out.At.Lon)
		if out.Operator != "" {
			out.Name = out.Operator
		}
	}
	return out
}
