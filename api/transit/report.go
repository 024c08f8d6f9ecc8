package transit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/feature/transit/report"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	wire "github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
	request "github.com/waygate/waygate/wire/native/transit"
	"github.com/waygate/waygate/wire/schema"
)

// mostReported is how many stops one call measures.
const mostReported = 500

type reportIn struct {
	edge.Regional
	Warnings schema.Warnings
	Body     request.StopReportRequest
}

// Points choose the region.
func (in *reportIn) Points() []geo.Point { return in.Body.Points() }

// ReportAnswer is the measures of an area and its stops.
type ReportAnswer struct {
	report.Report
	Coverage    transit.Coverage       `json:"coverage"`
	Attribution []string               `json:"attribution" nullable:"false" doc:"to be shown with the measures, word by word"`
	Warnings    []native.AnswerWarning `json:"warnings,omitempty"`
}

var reportDoc = edge.Doc{
	Summary: "How well stops are served, and what can be reached from them", Tags: []string{"transit"}, Fails: []int{http.StatusNotImplemented},
	Example: `{"polygon":[[[-7.28,49.32],[-7.23,49.32],[-7.23,49.34],[-7.28,49.34],[-7.28,49.32]]],"day":"2027-06-01","places":["hospital","supermarket"]}`,
	Answers: []edge.Answer{{Type: reflect.TypeFor[ReportAnswer]()}, {Media: "text/csv"}, {Media: "application/geo+json", Type: reflect.TypeFor[report.Features]()}},
	Description: "An extension. Five measures of the stops in an area, by the timetable: departures an hour, the first and the last departure with the longest gap, how many people or places are near a stop that is served so often, " +
		"what can be reached within 30, 45 and 60 minutes, and how long the nearest place takes. methods says how each is worked out; none of them says that a vehicle came. A call costs 10 Standard calls.",
}

func (s service) report(w http.ResponseWriter, r *http.Request, in *reportIn) error {
	here, err := edge.WorldOf(r.Context())
	if err != nil {
		return err
	}
	if in.Region.Timetable == nil {
		return transit.Enabled(nil)
	}
	effort := engine.Estimate{Kind: "transit-report", Work: time.Duration(mostReported/4) * reportWork(in), Bytes: 32 << 20, Cores: 1, Cheaper: "a smaller polygon, or fewer places"}
	media := map[string]string{"csv": "text/csv; charset=utf-8", "geojson": "application/geo+json"}[in.Body.Format]
	if media == "" {
		return edge.Respond(w, r, http.StatusOK, effort, func(ctx context.Context) (any, error) {
			made, warnings, err := s.measure(ctx, in)
			if err != nil {
				return nil, err
			}
			coverage, attribution := s.About(here.Timetables())
			answer := &ReportAnswer{*made, coverage, attribution, native.AnswerWarnings(warnings...)}
			wire.Shorten(answer)
			return answer, nil
		})
	}
	body, err := engine.WorkFor(r.Context(), effort, func(ctx context.Context) ([]byte, error) {
		made, _, err := s.measure(ctx, in)
		if err != nil {
			return nil, err
		}
		if in.Body.Format == "geojson" {
			return json.Marshal(made.GeoJSON())
		}
		var out bytes.Buffer
		err = made.CSV(&out)
		return out.Bytes(), err
	})
	if err != nil {
		return err
	}
	return edge.SendAs(w, media, body)
}

// reportWork is about what the measures of a stop take.
func reportWork(in *reportIn) time.Duration {
	if len(in.Body.Places)+len(in.Body.People) == 0 {
		return 100 * time.Microsecond
	}
	return 2 * time.Millisecond
}

func (s service) measure(ctx context.Context, in *reportIn) (*report.Report, []engine.Warning, error) {
	b := &in.Body
	q := &report.Request{Bounds: geo.NoBounds(), Contains: b.Polygon.Contains, Modes: timetable.Road, Most: mostReported}
	q.Day, _ = gtfs.ParseDate(b.Day) // it is one, or left out
	for _, ring := range b.Polygon {
		for _, p := range ring {
			q.Bounds = q.Bounds.Extend(p)
		}
	}
	if square := q.Bounds.Width() * (q.Bounds.Max.Lat - q.Bounds.Min.Lat); square > mostSquare {
		return nil, nil, fault.Invalid(fault.Violation{Location: "polygon", Message: fmt.Sprintf("is within a box of %.4g square degrees, and at most %d are measured", square, mostSquare)})
	}
	if len(b.Modes) > 0 {
		q.Modes = modesOf(b.Modes)
	}
	warnings := in.Warnings
	for i, phrase := range b.Places {
		if in.Region.Places == nil {
			return nil, nil, fault.Invalid(fault.Violation{Location: "places", Value: phrase, Message: "cannot be measured: the region was imported without an index of places"})
		}
		where := fmt.Sprintf("places[%d]", i)
		categories, wrong := geocode.KindOrToken(phrase, in.Region.Places, where)
		if wrong != nil {
			return nil, nil, fault.Invalid(*wrong)
		}
		set, err := report.PlacesOf(ctx, in.Region.Places, phrase, categories, q.Bounds)
		if err != nil {
			return nil, nil, err
		}
		if len(set.Points) == 0 {
			warnings = append(warnings, engine.Warning{Code: engine.WarnCategory, Text: fmt.Sprintf("no place of this region is of the kind %s", fault.Clip(phrase))})
		}
		q.Sets = append(q.Sets, set)
	}
	if len(b.People) > 0 {
		people := report.Set{Name: report.People}
		for i := range b.People {
			people.Points = append(people.Points, report.Point{At: b.People[i].Point(), Weight: b.People[i].People})
		}
		q.Sets = append(q.Sets, people)
	}
	if in.Region.Journeys != nil {
		q.Reach = report.ReachIn(in.Region.Journeys, q.Modes)
	}
	made, err := report.Measure(ctx, in.Region.Timetable, s.Now(), q)
	return made, warnings, err
}
