// Package elevation returns the height of places and the ups and downs of a line.
package elevation

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/wire/null"
)

// MostPlaces is how many places, or samples of a line, one call may ask for.
const MostPlaces = 500

// Heights is where heights are from: height.Shared. Of a place that is not
// known it gives NaN.
type Heights interface {
	Heights(ctx context.Context, places []geo.Point) (metres []float64, damaged []error, err error)
}

// Service finds heights.
type Service struct {
	Heights Heights
	Dataset string // what the heights are, as answers name it
}

// Point is a place and its height.
type Point struct {
	Lat       float64  `json:"lat" unit:"degrees"`
	Lon       float64  `json:"lon" unit:"degrees"`
	Elevation *float64 `json:"elevation_m" unit:"metres" doc:"of the ground above sea level; null where it is not known"`
}

// placeNanos is about what it takes to find the height of a place.
const placeNanos = 2000

// Effort is about what it takes to find the heights of so many places or along a line of so
// many.
func Effort(places int) engine.Estimate {
	return engine.Estimate{Kind: "elevation", Work: time.Duration(places) * placeNanos, Bytes: int64(places) * 200, Cores: 1}
}

// Points returns the height of each place, in their order.
func (s *Service) Points(ctx context.Context, places []geo.Point) (all []Point, damaged []error, err error) {
	metres, damaged, err := s.of(ctx, places)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range places {
		all = append(all, at(p, metres[i]))
	}
	return all, damaged, nil
}

// of reads heights; places on too many tiles are a bad request.
func (s *Service) of(ctx context.Context, places []geo.Point) (metres []float64, damaged []error, err error) {
	metres, damaged, err = s.Heights.Heights(ctx, places)
	var wide *height.SpreadError
	if errors.As(err, &wide) {
		err = fault.New(fault.BadRequest, "%s", wide)
	}
	return metres, damaged, err
}

// at returns a place, to six digits, and its height.
func at(p geo.Point, metres float64) Point {
	return Point{Lat: math.Round(p.Lat*1e6) / 1e6, Lon: math.Round(p.Lon*1e6) / 1e6, Elevation: null.IfNaN(decimetres(metres))}
}
