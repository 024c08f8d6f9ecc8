package zones_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
)

// TestOutdated judges zones by the days on which their rules and their boundaries were
// last compared, at one time.
func TestOutdated(t *testing.T) {
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ rules, boundary, want string }{
		{"2026-10-01", "2026-10-01", ""},
		{"2024-11-24", "2024-11-24", ""},
		{"2024-11-23", "2026-10-01", "rules were last compared on 2024-11-23"},
		{"2026-10-01", "2013-05-01", "boundary was last compared on 2013-05-01"},
		{"2014-01-01", "2014-01-01", "rules and its boundary were last compared on 2014-01-01"},
		{"2014-01-01", "2013-01-01", "rules were last compared on 2014-01-01 and its boundary on 2013-01-01"},
		{"", "", ""},
		{"", "2013-01-01", "boundary"},
	} {
		z := scheme()
		charges := *z.Charges
		charges.Checked, z.Boundary.Checked = c.rules, c.boundary
		z.Charges = &charges
		if c.rules == "" {
			z.Charges, z.Rules = nil, nil
		}
		if got := zones.Outdated(&z, now); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("rules of %q, boundary of %q: %q, want %q", c.rules, c.boundary, got, c.want)
		}
	}
}

// TestOldZonesAreToldOf crosses and avoids an old zone and a new one.
func TestOldZonesAreToldOf(t *testing.T) {
	old, fresh := scheme(), scheme()
	old.ID, fresh.ID = "old", "fresh"
	charges := *old.Charges
	charges.Checked, old.Boundary.Checked = "2013-05-01", "2013-05-01"
	old.Charges = &charges
	fresh.Boundary.Geometry = square(0.2, 51, 0.1)
	x := zone.NewIndex(zone.Place([]zone.Zone{old, fresh}, false), nil)
	s := zones.Service{Now: func() time.Time { return at("2026-11-24T12:00") }}
	ends := []geo.Point{{Lon: -0.1, Lat: 51.05}, {Lon: 0.4, Lat: 51.05}}
	car := &zones.Vehicle{Category: "car", Fuel: "diesel", Euro: 5}
	b := s.Along(x, car, nil, []engine.Route{straight(-0.1, 0.4)})
	if b == nil || len(b.Zones) != 2 {
		t.Fatalf("%+v", b)
	}
	for _, z := range b.Zones {
		if (z.Outdated != "") != (z.ID == "old") {
			t.Errorf("%s: outdated is %q", z.ID, z.Outdated)
		}
	}
	if w := b.Warning(); !strings.HasSuffix(w, ": old") {
		t.Errorf("the warning is %q", w)
	}
	if a := s.Avoid(x, car, nil, ends); len(a.Areas) != 2 || !strings.HasSuffix(a.Warning(), ": old") {
		t.Errorf("avoiding: %d areas, %q", len(a.Areas), a.Warning())
	}
	if a := s.Avoid(x, &zones.Vehicle{Category: "motorcycle", Fuel: "petrol", Euro: 1}, nil, ends); a.Warning() != "" {
		t.Errorf("zones that are not avoided: %q", a.Warning())
	}
	for _, h := range s.Holding(x, car, nil, []geo.Point{{Lon: 0.05, Lat: 51.05}, {Lon: 0.25, Lat: 51.05}}) {
		if (h.Outdated != "") != (h.ID == "old") {
			t.Errorf("a place in %s: outdated is %q", h.ID, h.Outdated)
		}
	}
	for _, z := range zones.List([]*zone.Index{x}, false, s.Now()) {
		if (z.Outdated != "") != (z.ID == "old") {
			t.Errorf("%s is listed, and outdated is %q", z.ID, z.Outdated)
		}
	}
	if text := zones.Summary([]zone.Zone{old, fresh}, s.Now()); !strings.HasPrefix(text, "1 of 2 zones") || !strings.Contains(text, "2013-05-01") || !strings.HasSuffix(text, ": old") {
		t.Errorf("the summary is %q", text)
	}
	var many []zone.Zone
	for i := range 9 {
		z := old
		z.ID = fmt.Sprint("z", i)
		many = append(many, z)
	}
	if text := zones.Summary(many, s.Now()); !strings.HasSuffix(text, "z4 and 4 more") {
		t.Errorf("the summary of nine is %q", text)
	}
}
