// Package errands plans a chain of errands between two places against a time of
// arrival: where to run each, in which order, and what to leave out where not all
// can be done.
//
// Candidates are found around the direct route, one matrix measures the drives
// between all of them, and every order and choice is tried. A stop whose tag of
// opening hours proves it shut at any moment of the stay is never planned; one
// without a tag that can be judged is planned and flagged.
package errands

import (
	"context"
	"math"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/index/place"
)

// Caps on one plan.
const (
	MostErrands       = 5
	MostPerErrand     = 6  // candidates
	MostCandidates    = 24 // of all errands together, those that callers bring among them
	MostDwellMinutes  = 240
	MostDetourMinutes = 45
)

// Places finds candidates. Around yields the nearest first.
type Places interface {
	Around(ctx context.Context, at geo.Point, metres float64, categories []string, lang string, yield func(place.Near) bool) error
}

// Service plans errands.
type Service struct {
	Engine engine.Engine
	Places Places // nil plans errands at places that callers bring alone
	// Zone is the time zone of a place, nil where it is not known.
	Zone func(geo.Point) *time.Location
	// Holidays are the public holidays of a country, by its code, and of a state of
	// it by name; nil where they are not known.
	Holidays func(country, state string) hours.Holidays
}

// Request describes the errands to be planned. It is checked before it comes here.
type Request struct {
	Origin, Destination geo.Point
	DestinationName     string
	DepartAt, ArriveBy  time.Time
	Errands             []Errand // 1 to MostErrands
	MaxDetour           time.Duration
	Options             costing.Settings // of auto
}

// Errand is one thing to do: at a place that the caller brings, or at any that
// has one of the categories.
type Errand struct {
	ID         string
	Categories []string
	Place      *Supplied
	Dwell      time.Duration
}

// Supplied is a place that a caller brings.
type Supplied struct {
	Point geo.Point
	Name  string
}

// NeedsPlaces reports whether some errand has to be given a place.
func (r *Request) NeedsPlaces() bool {
	for i := range r.Errands {
		if r.Errands[i].Place == nil {
			return true
		}
	}
	return false
}

// candidate is a place where an errand may be run.
type candidate struct {
	errand   int
	supplied bool
	place    place.Place
	hours    *opening
}

// Plan plans. That not all can be done is no error: the answer says so.
func (s *Service) Plan(ctx context.Context, r *Request) (*Answer, error) {
	j := &job{Service: s, request: r, search: Search{Errands: make([]Searched, len(r.Errands)), MaxDetourMinutes: r.MaxDetour.Minutes(), PerErrand: MostPerErrand, Total: MostCandidates}}
	for i := range r.Errands {
		j.search.Errands[i] = Searched{ID: r.Errands[i].ID, Categories: r.Errands[i].Categories}
	}
	var o *outcome
	err := j.gather(ctx)
	if err == nil && j.refused == nil {
		err = j.measure(ctx)
	}
	if err == nil && j.refused == nil {
		o, err = engine.WorkFor(ctx, solveEffort(), j.solve)
	}
	return j.answer(ctx, o, err)
}

// job is one plan in the making.
type job struct {
	*Service
	request    *Request
	candidates []candidate
	drive      [][]drive // from the origin and then each candidate, to each candidate and then the destination
	snapped    []engine.Snapped
	search     Search
	refused    *Reason // there is no plan at all
	warnings   []engine.Warning
}

// drive is the way from one place to another.
type drive struct {
	millis int64 // below 0 there is none
	metres float64
}

// measure requests the matrix of the drives between all places, and drops what a
// plan cannot use.
func (j *job) measure(ctx context.Context) error {
	r := j.request
	sources, targets := []geo.Point{r.Origin}, []geo.Point{}
	for i := range j.candidates {
		sources, targets = append(sources, j.candidates[i].place.At), append(targets, j.candidates[i].place.At)
	}
	targets = append(targets, r.Destination)
	j.search.Matrices++
	m, err := j.Engine.Matrix(ctx, &engine.MatrixRequest{Sources: engine.Stops(sources), Targets: engine.Stops(targets), Costing: costing.Auto, Options: r.Options})
	if j.unroutable(err) {
		return nil
	}
	if err != nil {
		return err
	}
	j.warnings = m.Warnings
	j.drive = make([][]drive, len(m.Cells))
	for i, row := range m.Cells {
		j.drive[i] = make([]drive, len(row))
		for k, c := range row {
			j.drive[i][k] = drive{millis: -1}
			if c.Reached {
				j.drive[i][k] = drive{int64(math.Round(c.Seconds * 1000)), c.Metres}
			}
		}
	}
	j.snapped = m.Targets
	if direct := j.direct(); direct.millis < 0 {
		j.refuse(Unroutable, "the network has no way from the origin to the destination")
	} else if late := r.DepartAt.Add(time.Duration(direct.millis) * time.Millisecond).Sub(r.ArriveBy); late > 0 {
		j.refuse(DestinationTooFar, "the drive without any errand arrives too late")
		j.refused.late(late, r.ArriveBy)
	}
	return nil
}

// direct returns the drive without any errand.
func (j *job) direct() drive { return j.drive[0][len(j.candidates)] }

// unroutable takes the engine's refusal of a place without a road, or of places
// without a way between them, for an answer.
func (j *job) unroutable(err error) bool {
	switch engine.Code(err) {
	case engine.CodeNoRoute, engine.CodeNoSegment, engine.CodeTooFar:
		j.refuse(Unroutable, detail(err))
		return true
	}
	return false
}

func (j *job) refuse(code, detail string) {
	j.refused = &Reason{Code: code, Detail: detail, Blocking: []string{}}
	for i := range j.request.Errands {
		j.search.Errands[i].dropped = code
	}
}
