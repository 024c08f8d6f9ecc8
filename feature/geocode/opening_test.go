package geocode

import (
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

func TestOpens(t *testing.T) {
	at := geo.Point{Lon: -3, Lat: 51.6}
	s := &Service{Zone: func(p geo.Point) *time.Location {
		if p == at {
			return time.UTC
		}
		return nil
	}, Now: func() time.Time { return time.Date(2026, 11, 27, 12, 30, 0, 0, time.UTC) }} // a Friday
	opens := s.Opens()
	for tag, want := range map[string]place.Opening{
		"24/7": place.IsOpen, "Mo-Fr 09:00-17:00": place.IsOpen, "Sa,Su 09:00-17:00": place.IsShut, "Mo-Fr 14:00-17:00": place.IsShut,
		"by appointment": place.MayBeOpen, "": place.MayBeOpen, "SH 09:00-17:00": place.MayBeOpen,
	} {
		if got := opens(tag, at, "GB", ""); got != want {
			t.Errorf("%q is %v, want %v", tag, got, want)
		}
	}
	if got := opens("24/7", geo.Point{}, "GB", ""); got != place.MayBeOpen {
		t.Errorf("where no time zone is known it is %v", got)
	}
	if (&Service{}).Opens() != nil {
		t.Error("opening hours are judged without time zones")
	}
}

func TestKindOrToken(t *testing.T) {
	for said, want := range map[string]string{"pub": "pub", "Kneipen": "pub", "volcano": "volcano", "water_slide": "water_slide", "pharmcy": "", "Petrol sation": "", "qwerty uiop": ""} {
		got, wrong := KindOrToken(said, nil, "categories")
		if (wrong == nil) != (want != "") || want != "" && got[0] != want {
			t.Errorf("%q is %v: %v", said, got, wrong)
		}
	}
}
