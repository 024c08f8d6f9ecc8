package engine

import (
	"errors"
	"fmt"
	"maps"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Codes of refusals, in Valhalla's numbering, carried as error_code.
const (
	CodeTooFar    = 154 // locations further apart than a limit
	CodeNoSegment = 171 // no usable road near a location
	CodeNoRoute   = 442 // roads near every location, no way between them
	CodeNoWalk    = 443 // a trace that does not follow the roads exactly
	CodeNoMatch   = 444 // a trace with roads near it and no way along it
)

// Refused returns an engine's refusal of a request: a client error of the engine,
// relayed.
func Refused(code int, format string, args ...any) *fault.Error {
	return fault.New(fault.Upstream, format, args...).With("upstream_status", 400).With("error_code", code)
}

// Code returns the error_code of a refusal, or 0 where err is none.
func Code(err error) int {
	var e *fault.Error
	if errors.As(err, &e) {
		if c, ok := e.Fields["error_code"].(int); ok {
			return c
		}
	}
	return 0
}

// SwappedHint returns a hint where a position makes sense only with lat and lon
// exchanged: in the region, or on the globe where there is no region.
func SwappedHint(p geo.Point, region geo.Bounds) string {
	other := geo.Point{Lon: p.Lat, Lat: p.Lon}
	if !other.Valid() {
		return ""
	}
	if region.Empty() || region == (geo.Bounds{}) {
		if p.Valid() {
			return ""
		}
		return fmt.Sprintf("are lat and lon swapped? lat %g, lon %g is on the globe", other.Lat, other.Lon)
	}
	if region.Contains(p) || !region.Contains(other) {
		return ""
	}
	return fmt.Sprintf("are lat and lon swapped? lat %g, lon %g lies in the region served here", other.Lat, other.Lon)
}

// WithHint adds to a refusal for want of a road what a swapped position would explain. named
// returns the caller's name for a place by its index; nil leaves it out.
func WithHint(err error, region geo.Bounds, places []geo.Point, named func(i int) string) error {
	var e *fault.Error
	if Code(err) != CodeNoSegment || !errors.As(err, &e) {
		return err
	}
	for i, p := range places {
		hint := SwappedHint(p, region)
		if hint == "" {
			continue
		}
		hinted := *e
		hinted.Fields = maps.Clone(e.Fields)
		if named != nil {
			hinted.Detail += "; " + named(i) + ": " + hint
		} else {
			hinted.Detail += "; " + hint
		}
		return hinted.With("hint", hint)
	}
	return err
}
