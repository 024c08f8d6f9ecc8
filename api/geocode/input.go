package geocode

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/geo"
)

// lonLat is a point as a parameter: lon,lat.
type lonLat struct{ geo.Point }

// UnmarshalText reads it.
func (p *lonLat) UnmarshalText(text []byte) error {
	v, err := numbers(string(text), 2)
	if err != nil {
		return errors.New("must be lon,lat in degrees")
	}
	if p.Point = (geo.Point{Lon: v[0], Lat: v[1]}); !p.Valid() {
		return errors.New("must be lon,lat: lon from -180 to 180, lat from -90 to 90")
	}
	return nil
}

// box is a box as a parameter: minLon,minLat,maxLon,maxLat.
type box struct{ geo.Bounds }

// UnmarshalText reads it.
func (b *box) UnmarshalText(text []byte) error {
	v, err := numbers(string(text), 4)
	if err != nil {
		return errors.New("must be minLon,minLat,maxLon,maxLat in degrees")
	}
	b.Bounds, err = bounds(v)
	return err
}

// bounds makes a box of four numbers.
func bounds(v []float64) (geo.Bounds, error) {
	b := geo.Bounds{Min: geo.Point{Lon: v[0], Lat: v[1]}, Max: geo.Point{Lon: v[2], Lat: v[3]}}
	switch {
	case !b.Min.Valid() || !b.Max.Valid():
		return b, errors.New("must be minLon,minLat,maxLon,maxLat: longitudes from -180 to 180, latitudes from -90 to 90")
	case b.Min.Lat > b.Max.Lat:
		return b, fmt.Errorf("has minLat %g above maxLat %g; only longitudes may be turned round, where the box crosses the antimeridian", b.Min.Lat, b.Max.Lat)
	}
	return b, nil
}

// numbers reads so many numbers with commas between them.
func numbers(text string, n int) ([]float64, error) {
	parts := strings.Split(text, ",")
	if len(parts) != n {
		return nil, errors.New("another number of numbers")
	}
	v := make([]float64, n)
	for i, part := range parts {
		var err error
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil || v[i] != v[i] {
			return nil, errors.New("no number")
		}
	}
	return v, nil
}

// kinds are kinds of places as a parameter, with commas between them.
type kinds struct{ set geocode.Kinds }

// UnmarshalText reads them.
func (k *kinds) UnmarshalText(text []byte) error {
	var ok bool
	if k.set, ok = geocode.KindsOf(strings.Split(string(text), ",")); !ok {
		return fmt.Errorf("must be of %s, with commas between them", geocode.KnownKinds)
	}
	return nil
}
