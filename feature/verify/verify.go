// Package verify checks claims about places: whether there is a place of the name,
// and whether whoever claims to have been at one and then at another can have
// made the way in the time between.
//
// It never says that a place does not exist or has closed. The one negative
// verdict is that of a way whose real travel time exceeds the time available.
package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// Caps on one request.
const (
	MostClaims = 20
	MostText   = 8000 // characters
)

// Places finds places by what people call them, the best first.
type Places interface {
	Search(ctx context.Context, text string, limit int) ([]Place, error)
}

// Place is one that was found.
type Place = place.Place

// Service verifies claims.
type Service struct {
	Places Places
	Source string // of what is found, with its date where that is known
	// Engine is one that has roads at all of some places; nil where none has.
	Engine func(points ...geo.Point) engine.Engine
	Now    func() time.Time
	Zone   func(geo.Point) *time.Location // nil where it is not known
}

// Claim is a claim about a place.
type Claim struct {
	ID, Name, Locality string
	Sequence           *float64
	At                 *Moment
}

// Moment is a claimed time, with an offset from UTC or by the clocks of the place.
type Moment struct {
	Time  time.Time // in UTC where Local
	Local bool
}

// Verdicts.
const (
	Verified     = "verified"
	Contradicted = "contradicted"
	Unverified   = "unverified"
)

// Statuses of ways.
const (
	Feasible    = "feasible"
	Implausible = "implausible"
	Impossible  = "impossible"
)

// Answer has the results of all claims, in their order.
type Answer struct {
	Results []Result `json:"results" nullable:"false"`
	Summary string   `json:"summary"`

	Checks, Legs int `json:"-"` // that were made
}

// Result is the result of checking a claim.
type Result struct {
	ID          string       `json:"id"`
	Claim       Claimed      `json:"claim"`
	Verdict     string       `json:"verdict" enum:"verified,contradicted,unverified" doc:"contradicted only where the way to the place takes longer than the time available; unverified says nothing against the claim"`
	Match       *Match       `json:"match,omitempty" doc:"the place that was found; left out where there is none"`
	Evidence    []Evidence   `json:"evidence" nullable:"false"`
	Feasibility *Feasibility `json:"feasibility,omitempty" doc:"of the way that arrives there, from the claim before it by sequence"`
}

// Claimed is the claim as it was made.
type Claimed struct {
	Name     string   `json:"name"`
	Locality string   `json:"locality,omitempty"`
	Sequence *float64 `json:"sequence,omitempty"`
}

// Match is a place.
type Match struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Lat      float64 `json:"lat" decimals:"6"`
	Lon      float64 `json:"lon" decimals:"6"`
	Category string  `json:"category"`
}

// Evidence has the facts that a verdict rests on.
type Evidence struct {
	Source    string `json:"source"`
	CheckedAt string `json:"checked_at" format:"date-time"`
	Detail    string `json:"detail"`
}

// Feasibility is whether a way can have been made in time.
type Feasibility struct {
	FromID    string   `json:"from_id"`
	FromName  string   `json:"from_name"`
	ToID      string   `json:"to_id"`
	ToName    string   `json:"to_name"`
	Available float64  `json:"available_minutes" decimals:"1" unit:"minutes"`
	Travel    *float64 `json:"travel_time_minutes" unit:"minutes" nullable:"true" doc:"free of traffic, between the nearest places of these names; null where it cannot be worked out"`
	Status    string   `json:"status" enum:"feasible,implausible,impossible" doc:"impossible only where a travel time was worked out and exceeds what is available; implausible where none can be"`
}

// Verify checks claims, with ways by a costing.
func (s *Service) Verify(ctx context.Context, claims []Claim, by costing.Costing) (*Answer, error) {
	now := s.Now().UTC().Truncate(time.Second)
	a := &Answer{Results: make([]Result, len(claims))}
	found := make([]existence, len(claims))
	for i := range claims {
		c := &claims[i]
		a.Checks++
		var err error
		if found[i], err = s.exists(ctx, c); err != nil {
			return nil, upstream(err)
		}
		a.Results[i] = found[i].result(c, s.Source, now)
	}
	for _, leg := range s.legs(claims, found) {
		f, evidence, err := s.travel(ctx, leg, claims, found, by, now)
		if err != nil {
			return nil, upstream(err)
		}
		if f.Travel != nil {
			a.Legs++
		}
		r := &a.Results[leg.to]
		r.Feasibility = f
		r.Evidence = append(r.Evidence, evidence)
		if f.Status == Impossible {
			r.Verdict = Contradicted
		}
	}
	a.Summary = summary(a.Results)
	return a, nil
}

// upstream makes what a check failed with one failure of the contract, but for
// what asks to come again or ends with the caller.
func upstream(err error) error {
	var e *fault.Error
	if !errors.As(err, &e) || e.Slug == fault.UpstreamTimeout {
		return err
	}
	if _, later := e.Fields["retry_after"]; later || e.Slug.NotEnabled() || e.Slug == fault.Internal {
		return err
	}
	return fault.Wrap(err, fault.Upstream, "a check could not be made: %s", e.Detail)
}

func summary(results []Result) string {
	counts := map[string]int{}
	for i := range results {
		counts[results[i].Verdict]++
	}
	text := fmt.Sprintf("%d of %d claims verified", counts[Verified], len(results))
	if n := counts[Contradicted]; n > 0 {
		text += fmt.Sprintf(", %d contradicted by the time that the way there takes", n)
	}
	if n := counts[Unverified]; n > 0 {
		text += fmt.Sprintf(", %d neither way: that a place was not found does not say that there is none", n)
	}
	return text + "."
}
