package nominatim

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/wire/country"
)

// countries are codes of countries as a parameter.
type countries []string

// UnmarshalText reads them.
func (c *countries) UnmarshalText(text []byte) error {
	const most = 60
	for code := range strings.SplitSeq(string(text), ",") {
		found, ok := country.Find(strings.TrimSpace(code))
		switch {
		case len(strings.TrimSpace(code)) != 2 || !ok:
			return fmt.Errorf("has %q, which is no code of a country in two letters, as gb", fault.Clip(code))
		case len(*c) == most:
			return fmt.Errorf("has more than the %d codes that it may have", most)
		}
		*c = append(*c, found)
	}
	return nil
}

// layers are layers as a parameter.
type layers []string

var knownLayers = []string{addressLayer, poiLayer, railwayLayer, naturalLayer, manmadeLayer}

// UnmarshalText reads them.
func (l *layers) UnmarshalText(text []byte) error {
	for one := range strings.SplitSeq(string(text), ",") {
		one = strings.ToLower(strings.TrimSpace(one))
		if !slices.Contains(knownLayers, one) {
			return fmt.Errorf("must be of %s, with commas between them", strings.Join(knownLayers, ", "))
		}
		if !slices.Contains(*l, one) {
			*l = append(*l, one)
		}
	}
	return nil
}

func (l layers) has(s *place.Sort) bool {
	return slices.ContainsFunc(l, func(one string) bool { return inLayer(s, one) })
}

// excluded are places to leave out as a parameter, as Place.reference names them.
type excluded []string

// UnmarshalText reads them.
func (e *excluded) UnmarshalText(text []byte) error {
	for one := range strings.SplitSeq(string(text), ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		if len(*e) == MostExcluded {
			return fmt.Errorf("has more than the %d places that it may have", MostExcluded)
		}
		o, isObject := object(one)
		_, err := strconv.ParseInt(one, 10, 64)
		switch {
		case isObject:
			p := Place{Place: place.Place{Object: o}}
			one = p.object()
		case err == nil:
		case one[0] == 'P' && len(one) > 4 && one[3] == ':' && len(one) <= 32:
		default:
			return fmt.Errorf("has %q, which is neither N, W or R with a number nor a place_id nor a postcode_id", fault.Clip(one))
		}
		*e = append(*e, one)
	}
	return nil
}

// viewBox is a box as a parameter: two corners, whichever.
type viewBox struct{ geo.Bounds }

// UnmarshalText reads it.
func (b *viewBox) UnmarshalText(text []byte) error {
	parts := strings.SplitN(string(text), ",", 5)
	if len(parts) != 4 {
		return errors.New("must be lon,lat,lon,lat of two corners in degrees")
	}
	var v [4]float64
	for i, part := range parts {
		var err error
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil || v[i] != v[i] {
			return errors.New("must be lon,lat,lon,lat of two corners in degrees")
		}
	}
	b.Bounds = geo.Bounds{Min: geo.Point{Lon: min(v[0], v[2]), Lat: min(v[1], v[3])}, Max: geo.Point{Lon: max(v[0], v[2]), Lat: max(v[1], v[3])}}
	switch {
	case !b.Min.Valid() || !b.Max.Valid():
		return errors.New("must be lon,lat,lon,lat of two corners: longitudes from -180 to 180, latitudes from -90 to 90")
	case b.Min.Lon == b.Max.Lon || b.Min.Lat == b.Max.Lat:
		return errors.New("has no width or no height: its corners must differ in both")
	}
	return nil
}

// objects are objects of OpenStreetMap as a parameter.
type objects []place.Object

// UnmarshalText reads them.
func (o *objects) UnmarshalText(text []byte) error {
	for one := range strings.SplitSeq(string(text), ",") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		if len(*o) == MostObjects {
			return fmt.Errorf("has more than the %d objects that it may have", MostObjects)
		}
		found, ok := object(one)
		if !ok {
			return fmt.Errorf("has %q, which is not N, W or R and a number", fault.Clip(one))
		}
		*o = append(*o, found)
	}
	if len(*o) == 0 {
		return errors.New("is empty: name at least one object, such as N240109189")
	}
	return nil
}

// object reads an object, as N240109189.
func object(text string) (o place.Object, ok bool) {
	if len(text) < 2 || text[1] == '+' || text[1] == '-' {
		return o, false
	}
	at := strings.IndexByte("NWR", text[0]&^0x20)
	n, err := strconv.ParseInt(text[1:], 10, 44)
	return place.Object{Source: place.Source(max(0, at)), Number: n}, at >= 0 && err == nil && n > 0
}
