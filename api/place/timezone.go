package place

import (
	"context"
	"strconv"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/timezone"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

type timezoneIn struct {
	Warnings  schema.Warnings
	Lat       float64 `query:"lat" required:"true" minimum:"-90" maximum:"90"`
	Lon       float64 `query:"lon" required:"true" minimum:"-180" maximum:"180"`
	Timestamp string  `query:"timestamp" maxLength:"40" doc:"seconds since 1970, or RFC 3339; from year 1 to 9999, now without it"`
}

var timezoneDoc = edge.Doc{
	Summary: "The time zone of a place", Tags: []string{"ground"},
	Description: "The zone, and what its clocks show at an instant. At sea it is a nautical zone.",
}

// TimeZone is the zone of a place.
type TimeZone struct {
	timezone.Zone
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func zone(now func() time.Time) func(context.Context, *timezoneIn) (*TimeZone, error) {
	return func(_ context.Context, in *timezoneIn) (*TimeZone, error) {
		at, err := instant(in.Timestamp, now)
		if err != nil {
			return nil, err
		}
		z, err := timezone.At(geo.Point{Lon: in.Lon, Lat: in.Lat}, at)
		if err != nil {
			return nil, err
		}
		return &TimeZone{*z, native.AnswerWarnings(in.Warnings...)}, nil
	}
}

// instant reads a timestamp; without one it is now.
func instant(text string, now func() time.Time) (time.Time, error) {
	if text == "" {
		return now(), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if seconds, failed := strconv.ParseInt(text, 10, 64); failed == nil {
		at, err = time.Unix(min(max(seconds, -1<<40), 1<<40), 0), nil
	}
	if year := at.UTC().Year(); err != nil || year < 1 || year > 9999 {
		return at, fault.Invalid(fault.Violation{Location: "timestamp", Value: text, Message: "must be seconds since 1970 or RFC 3339, such as 2026-07-01T12:00:00Z, from year 1 to 9999"})
	}
	return at, nil
}
