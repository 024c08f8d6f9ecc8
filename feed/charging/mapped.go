package charging

import (
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Mapped is the stations that the map of a region has. It is immutable.
type Mapped struct {
	Stations    []Station
	Near        *corridor.Index // of Stations, by place
	Attribution string
	Updated     *time.Time // when the map was so; nil where that is not known
}

// MapOf makes it.
func MapOf(stations []Station, attribution string, updated *time.Time) *Mapped {
	points := make([]geo.Point, len(stations))
	for i := range stations {
		points[i] = stations[i].At
	}
	return &Mapped{stations, corridor.PointIndex(points), attribution, updated}
}
