package verify

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/towntest"
)

// gazetteer gives the places that share a token with the query.
type gazetteer []place.Place

func (g gazetteer) Search(_ context.Context, text string, limit int) (hits []Place, err error) {
	if strings.Contains(text, "Broken") {
		return nil, fault.New(fault.UpstreamUnavailable, "the proxy is away")
	}
	for _, p := range g {
		if shared(tokens(text), tokens(p.Name), nil) > 0 && len(hits) < limit {
			hits = append(hits, p)
		}
	}
	return hits, nil
}

func begin(t *testing.T) *Service {
	town := towntest.Draw(t, `
		a---b---c---d---k     x--y`,
		towntest.Ways{{"abcdk", "residential"}, {"xy", "residential"}}, towntest.Cell(3000))
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	poi := func(at, id, name, locality string) place.Place {
		return place.Place{ID: id, Kind: place.POI, At: town.Point(at), Name: name, Locality: locality, Categories: []string{"pub", "amenity"}}
	}
	var many gazetteer
	for i := range 12 {
		many = append(many, poi("k", "many"+string(rune('a'+i)), "The Crown", "Everywhere"))
	}
	places := append(gazetteer{
		poi("a", "lion", "The Red Lion", "Newport"), poi("k", "ship", "Ship Inn", "Caerleon"), poi("b", "bell1", "The Bell", "Newport"), poi("k", "bell2", "Bell", "Caerleon"),
		poi("y", "far", "Café Île", "Skye"), poi("c", "bridge", "Newport Transporter Bridge", "Newport"),
	}, many...)
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	return &Service{
		Places: places, Source: "OpenStreetMap of 2026-01-01", Engine: func(...geo.Point) engine.Engine { return e },
		Now:  func() time.Time { return time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC) },
		Zone: func(geo.Point) *time.Location { return zone },
	}
}

// journey is claims one after the other: a name, and when.
func journey(stops ...string) (claims []Claim) {
	for i, s := range stops {
		text, at, timed := strings.Cut(s, "@")
		c := Claim{ID: string(rune('p' + i))}
		c.Name, c.Locality, _ = strings.Cut(text, ",")
		if timed {
			n := float64(i)
			c.Sequence = &n
			form, local := time.RFC3339, false
			if !strings.Contains(at, "Z") {
				form, local = "2006-01-02T15:04:05", true
			}
			when, err := time.Parse(form, at)
			if err != nil {
				panic(err)
			}
			c.At = &Moment{when, local}
		}
		claims = append(claims, c)
	}
	return claims
}

func TestExistence(t *testing.T) {
	s := begin(t)
	for claim, want := range map[string]string{
		"Red Lion": "lion", "the red lion,Newport": "lion", "RED LION,Caerleon": "", "Red Lion Hotel": "", "Lion": "", "Transporter Bridge,Newport": "bridge", "Newport Transporter Bridge": "bridge", "Newport": "",
		"cafe ile": "far", "Nowhere at all": "", "Bell,Caerleon": "bell2", "???": "",
	} {
		a, err := s.Verify(t.Context(), journey(claim), costing.Auto)
		if err != nil {
			t.Fatal(err)
		}
		r := a.Results[0]
		if got := r.Match; (got == nil) != (want == "") || got != nil && got.ID != want || (r.Verdict == Verified) != (want != "") || r.Verdict == Contradicted || len(r.Evidence) != 1 || r.Feasibility != nil {
			t.Errorf("%s: %+v, want %s", claim, r, want)
		}
		if r.Evidence[0].CheckedAt != "2026-09-01T12:00:00Z" || r.Evidence[0].Source != "OpenStreetMap of 2026-01-01" || a.Checks != 1 || a.Legs != 0 {
			t.Errorf("%+v", r.Evidence)
		}
		if r.Verdict == Unverified && !strings.Contains(a.Summary, "does not say that there is none") {
			t.Errorf("%s", a.Summary)
		}
	}
}

func TestWays(t *testing.T) {
	s := begin(t)
	for name, c := range map[string]struct {
		stops  []string
		status string // of the last one's way; "" without one
		travel bool
	}{
		"time enough":               {[]string{"Red Lion@2026-09-01T10:00:00Z", "Ship Inn@2026-09-01T12:00:00Z"}, Feasible, true},
		"too fast":                  {[]string{"Red Lion@2026-09-01T10:00:00Z", "Ship Inn@2026-09-01T10:02:00Z"}, Impossible, true},
		"by the clocks there":       {[]string{"Red Lion@2026-09-01T10:00:00Z", "Ship Inn@2026-09-01T11:02:00"}, Impossible, true},
		"one name, two places":      {[]string{"Red Lion@2026-09-01T10:00:00Z", "The Bell@2026-09-01T10:30:00Z"}, Feasible, true},
		"the other one":             {[]string{"Red Lion@2026-09-01T10:00:00Z", "The Bell,Caerleon@2026-09-01T10:30:00Z"}, Impossible, true},
		"more than are looked at":   {[]string{"Red Lion@2026-09-01T10:00:00Z", "Crown@2026-09-01T10:02:00Z"}, Implausible, false},
		"an island":                 {[]string{"Red Lion@2026-09-01T10:00:00Z", "Cafe Ile@2026-09-01T10:02:00Z"}, Implausible, false},
		"not found":                 {[]string{"Red Lion@2026-09-01T10:00:00Z", "Nowhere@2026-09-01T10:02:00Z"}, Implausible, false},
		"back in time":              {[]string{"Red Lion@2026-09-01T10:00:00Z", "Ship Inn@2026-09-01T09:00:00Z"}, "", false},
		"no time":                   {[]string{"Red Lion", "Ship Inn@2026-09-01T09:00:00Z"}, "", false},
		"one without a time amidst": {[]string{"Red Lion@2026-09-01T10:00:00Z", "The Bell", "Ship Inn@2026-09-01T10:02:00Z"}, Impossible, true},
	} {
		t.Run(name, func(t *testing.T) {
			claims := journey(c.stops...)
			a, err := s.Verify(t.Context(), claims, costing.Auto)
			if err != nil {
				t.Fatal(err)
			}
			last := a.Results[len(claims)-1]
			f := last.Feasibility
			if (f == nil) != (c.status == "") || f != nil && (f.Status != c.status || (f.Travel != nil) != c.travel || f.FromID != "p" || f.ToID != last.ID) {
				t.Fatalf("%+v", f)
			}
			if (last.Verdict == Contradicted) != (c.status == Impossible) {
				t.Errorf("%s is %s", c.status, last.Verdict)
			}
			if n := map[bool]int{true: 1}[c.travel]; a.Legs != n || a.Checks != len(claims) || a.Checks+a.Legs > len(claims)+Legs(claims) {
				t.Errorf("%d checks, %d legs", a.Checks, a.Legs)
			}
			if f != nil && len(last.Evidence) != 2 {
				t.Errorf("%+v", last.Evidence)
			}
		})
	}
}

// A failure behind a check is a failure of the whole, not a verdict.
func TestFailedChecks(t *testing.T) {
	s := begin(t)
	if _, err := s.Verify(t.Context(), journey("Broken Inn"), costing.Auto); !fault.Is(err, fault.Upstream) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Verify(ctx, journey("Red Lion@2026-09-01T10:00:00Z", "Ship Inn@2026-09-01T12:00:00Z"), costing.Auto); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
