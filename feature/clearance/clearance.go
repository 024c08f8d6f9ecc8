// Package clearance reports whether a vehicle clears what surveys have measured over and beside
// the roads of a line. It reads the artefacts of hosted datasets.
//
// A line is divided into stations of half a metre. At each the cells of a survey across the road
// make a cross-section, and the vehicle is surveyVerdict in every place of the carriageway: it passes
// where it does in all, and fails where it does in none that is known. What is not known never
// passes.
package clearance

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/geo"
)

// Request is a line and a vehicle, in metres.
type Request struct {
	Line   []geo.Point // two positions at least, and of some length
	Height float64
	Width  *float64 // nil is not assessed
	Margin float64  // that is added to the height
	// Datasets are those to use alone; nil is all that the viewer may read.
	Datasets  []string
	Wheelbase *float64 // of the longest rigid part; nil is UsualWheelbase
}

// Limits of a report.
const (
	longestLine = 20_000_000 // metres
	// mostSurveyed is how many metres of a line may have surveys near them, each survey counted.
	mostSurveyed = 1_000_000
	mostSurveys  = 64 // near a line
)

const basis = "surveyed_pointcloud_within_survey_difference"

const caveat = "What was measured at survey_dates, as differences of heights within one survey. It is no certificate of the route: roads are resurfaced, structures, cables and trees move, loads differ from what is declared, and signs, law and what stands on the road decide."

// Enabled returns an error where no artefacts are configured.
func (h *holdings) enabled() error {
	if len(h.all) == 0 {
		return fault.NotEnabled("clearance", "measured clearance is not enabled here: the deployment hosts no dataset with a clearance artefact")
	}
	return nil
}

// Along reports on a line for a viewer.
func (s *Service) Along(ctx context.Context, who pointclouds.Viewer, r *Request) (*Report, error) {
	held, err := s.holdings(ctx)
	if err != nil {
		return nil, err
	}
	if err := held.enabled(); err != nil {
		return nil, err
	}
	l := newLine(r.Line)
	if l.length > longestLine {
		return nil, fault.New(fault.BadRequest, "the line is %.0f km long and may be %d km; is it of six digits?", l.length/1000, longestLine/1000)
	}
	v := newVehicle(r)
	all, err := s.surveys(ctx, who, r, l, v, held)
	if err != nil {
		return nil, err
	}
	metres := surveyed(l, all)
	if metres > mostSurveyed {
		return nil, fault.New(fault.BadRequest, "%.0f km of the line have surveys near them and %d km may have; ask for parts of the line", metres/1000, mostSurveyed/1000)
	}
	return engine.WorkFor(ctx, effort(len(r.Line), metres), func(ctx context.Context) (*Report, error) {
		t := newTally(l, v)
		if err := walk(ctx, l, all, t); err != nil {
			return nil, err
		}
		return t.report(r, v, all), nil
	})
}

// effort returns the work of a report: some for each position, and for each metre near a survey.
func effort(positions int, metres float64) engine.Estimate {
	return engine.Estimate{
		Kind: "clearance", Work: time.Duration(positions)*time.Microsecond + time.Duration(metres*float64(time.Microsecond)),
		Bytes: 4<<20 + 64*int64(positions), Cores: 1, Cheaper: "a shorter line",
	}
}

// surveys returns the artefacts near a line that a viewer may use, the newest first.
func (s *Service) surveys(ctx context.Context, who pointclouds.Viewer, r *Request, l *line, v *vehicle, held *holdings) (all []*survey, err error) {
	box := geo.BoundsOf(r.Line)
	now := s.now()
	for _, h := range held.all {
		g := h.opened
		if g == nil || !g.bounds.Intersects(box) || r.Datasets != nil && !slices.Contains(r.Datasets, h.Dataset) {
			continue
		}
		seen, err := s.Clouds.Visible(ctx, who, h.Dataset)
		if err != nil {
			return nil, err
		}
		if !seen {
			continue
		}
		if len(all) == mostSurveys {
			return nil, fault.New(fault.BadRequest, "more than %d surveys are near the line; name those to use in datasets, or ask for parts of the line", mostSurveys)
		}
		all = append(all, &survey{walker: newWalker(g, l, v, grown(g.leaves, now)), dataset: h.Dataset, stale: h.stale})
	}
	slices.SortStableFunc(all, func(a, b *survey) int { return b.to.Compare(a.to) })
	return all, nil
}

// report writes what was found.
func (t *tally) report(r *Request, v *vehicle, all []*survey) *Report {
	out := &Report{
		Length:  t.line.length,
		Vehicle: Vehicle{Height: r.Height, Width: r.Width, Wheelbase: v.wheelbase, Swept: v.swept},
		Margin:  r.Margin, Height: t.height.axis(), Datasets: []Dataset{},
		Enforced: Enforced{Basis: basis, Caveat: caveat},
	}
	switch {
	case !t.width.given:
		out.Width = t.width.notAssessed(NoWidth)
	case !t.height.any:
		out.Width = t.width.notAssessed(NoHeight)
	default:
		out.Width = t.width.axis()
	}
	datums := map[string]bool{}
	for _, s := range all {
		if s.used {
			h := &s.file.Header
			datums[h.Vertical] = true
			out.Enforced.Datum = &h.Vertical
			out.Datasets = append(out.Datasets, Dataset{s.dataset, h.SurveyDates(), s.stale})
		}
	}
	if len(datums) > 1 {
		out.Enforced.Datum = nil
	}
	slices.SortFunc(out.Datasets, func(a, b Dataset) int { return strings.Compare(a.Dataset, b.Dataset) })
	return out
}

// Covers reports whether surveys cover any of the line.
func (r *Report) Covers() bool { return len(r.Datasets) > 0 }
