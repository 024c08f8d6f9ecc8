// Package transit is the endpoints about public transport.
package transit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// Deps are the dependencies of the endpoints.
type Deps struct {
	Vehicles *transit.Feeds       // nil has none
	Updates  *transit.UpdateFeeds // nil has none
	Now      func() time.Time
}

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	s := service{&transit.Service{Feeds: d.Vehicles, Updates: d.Updates, Now: d.Now}}
	row := func(path string, doc edge.Doc) edge.Row {
		return edge.Row{Method: http.MethodGet, Path: path, Auth: edge.Keyed, Maps: true, Class: edge.Standard, Doc: doc}
	}
	vehicles := row("/v1/transit/vehicles", vehiclesDoc)
	vehicles.Effort = engine.Estimate{Kind: "transit-vehicles", Work: 8 * time.Millisecond, Bytes: 4 << 20, Cores: 1, Cheaper: "a smaller bbox or limit"}
	return []edge.Row{
		edge.On(row("/v1/transit/stops", stopsDoc), s.stops),
		edge.On(row("/v1/transit/departures", departuresDoc), s.departures),
		edge.On(vehicles, s.vehicles),
		edge.On(edge.Row{Method: http.MethodPost, Path: "/v1/transit/journeys", Auth: edge.Keyed, Maps: true, Class: edge.Standard, BeyondContract: true, Needs: edge.Need{Call: engine.CallMatrix, Name: "transit"}, Doc: journeysDoc}, s.journeys),
		edge.Write(edge.Row{Method: http.MethodPost, Path: "/v1/transit/report", Auth: edge.Keyed, Class: edge.FlatTen, BeyondContract: true, Doc: reportDoc}, s.report),
	}
}

type service struct{ *transit.Service }

// modes is a query parameter.
type modes timetable.Modes

// UnmarshalText reads it.
func (m *modes) UnmarshalText(text []byte) error {
	for name := range strings.SplitSeq(string(text), ",") {
		mode, ok := timetable.ModeOf(strings.TrimSpace(name))
		if !ok {
			return fmt.Errorf("%q is none of %s", fault.Clip(name), strings.Join(timetable.ModeNames(), ", "))
		}
		*m |= modes(mode.Set())
	}
	return nil
}

// set returns the modes of the request.
func (m modes) set() timetable.Modes {
	if m == 0 {
		return timetable.Road
	}
	return timetable.Modes(m)
}

// ofModes is embedded by inputs that ask for kinds of vehicle.
type ofModes struct {
	Modes modes `query:"modes" doc:"kinds of vehicle, separated by commas: bus, coach, tram, metro, rail, ferry, cable_car, other; by default bus and coach. Beyond the contract"`
}

// inLanguage is embedded by inputs that ask for names.
type inLanguage struct {
	Lang string `query:"lang" maxLength:"35" doc:"language of names (BCP 47) where the feed has them in it, local names without it; beyond the contract"`
}

type stopsIn struct {
	ofModes
	inLanguage
	Warnings schema.Warnings
	Lat      float64 `query:"lat" required:"true" minimum:"-90" maximum:"90"`
	Lon      float64 `query:"lon" required:"true" minimum:"-180" maximum:"180"`
	Radius   float64 `query:"radius_m" minimum:"1" maximum:"2000" default:"500" doc:"metres"`
	Limit    int     `query:"limit" minimum:"1" maximum:"50" default:"10"`
}

var stopsDoc = edge.Doc{
	Summary: "Stops near a place", Tags: []string{"transit"}, Fails: []int{http.StatusNotImplemented},
	Description: "Stops of buses and coaches where the timetable has departures, the nearest first, with the lines that call there. 501 where no region was imported with a timetable.",
}

// StopsAnswer is stops near a place.
type StopsAnswer struct {
	transit.Stops
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func (s service) stops(ctx context.Context, in *stopsIn) (*StopsAnswer, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.Stops(w.Timetables(), transit.StopsRequest{At: geo.Point{Lon: in.Lon, Lat: in.Lat}, Radius: in.Radius, Limit: in.Limit, Modes: in.Modes.set(), Lang: in.Lang})
	if err != nil {
		return nil, err
	}
	return &StopsAnswer{*found, native.AnswerWarnings(in.Warnings...)}, nil
}

// timeParameter is a query parameter of RFC 3339.
type timeParameter struct{ time.Time }

// UnmarshalText reads it.
func (m *timeParameter) UnmarshalText(text []byte) error {
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		return errors.New("must be a time with its offset, as RFC 3339 writes it: 2026-05-01T08:30:00Z or 2026-05-01T09:30:00%2B01:00 (a + in an address is a space)")
	}
	m.Time = at
	return nil
}

type departuresIn struct {
	ofModes
	inLanguage
	Warnings schema.Warnings
	Stop     string        `query:"stop" required:"true" minLength:"1" maxLength:"200" doc:"stop code, as /v1/transit/stops has it, or that of a station"`
	At       timeParameter `query:"at" doc:"from when on, RFC 3339 with an offset; by default now. On one of three service days from today"`
	Window   int           `query:"window_minutes" minimum:"1" maximum:"180" default:"60"`
	Limit    int           `query:"limit" minimum:"1" maximum:"30" default:"8"`
}

var departuresDoc = edge.Doc{
	Summary: "Departures from a stop", Tags: []string{"transit"}, Fails: []int{http.StatusNotFound, http.StatusNotImplemented},
	Description: "The board of a stop, as the timetable has it: basis is always timetable, and label is to be shown with it. Departures are in the order of scheduled_at, also where trip updates say that one is late; one that is due before at and expected after it is the first. A trip that only ends at the stop is not on the board. 404 for a stop that no timetable has, 501 where no region was imported with a timetable.",
}

// DeparturesAnswer is the board of a stop.
type DeparturesAnswer struct {
	transit.Departures
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func (s service) departures(ctx context.Context, in *departuresIn) (*DeparturesAnswer, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	board, err := s.Departures(w.Timetables(), transit.DeparturesRequest{
		Stop: in.Stop, At: in.At.Time, Window: time.Duration(in.Window) * time.Minute, Limit: in.Limit, Modes: in.Modes.set(), Lang: in.Lang,
	})
	if err != nil {
		return nil, err
	}
	return &DeparturesAnswer{*board, native.AnswerWarnings(in.Warnings...)}, nil
}

// mostSquare is how many square degrees a box may have.
const mostSquare = 4

// box is a query parameter.
type box geo.Bounds

// UnmarshalText reads it.
func (b *box) UnmarshalText(text []byte) error {
	of, ok := edge.ReadBox(string(text))
	if !ok {
		return errBox
	}
	if square := of.Width() * (of.Max.Lat - of.Min.Lat); square > mostSquare {
		return fmt.Errorf("is %.4g square degrees large, and at most %d are answered", square, mostSquare)
	}
	*b = box(of)
	return nil
}

var errBox = errors.New("must be west,south,east,north in degrees, the south below the north")

type vehiclesIn struct {
	Warnings schema.Warnings
	BBox     box    `query:"bbox" required:"true" doc:"west,south,east,north, at most 4 square degrees; across the antimeridian west is the larger"`
	Operator string `query:"operator" maxLength:"50" doc:"code of an operator"`
	Line     string `query:"line" maxLength:"50"`
	Limit    int    `query:"limit" minimum:"1" maximum:"5000" default:"2000"`
}

var vehiclesDoc = edge.Doc{
	Summary: "Where buses are", Tags: []string{"transit"}, Fails: []int{http.StatusNotImplemented},
	Description: "The last known positions of vehicles in a box, as GeoJSON. feed says how far they can be relied on: a stale feed still has its features. Data come about every minute. 501 where the deployment has no feed of vehicles.",
}

// VehiclesAnswer is where vehicles were.
type VehiclesAnswer struct {
	transit.Vehicles
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func (s service) vehicles(ctx context.Context, in *vehiclesIn) (*VehiclesAnswer, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.Vehicles(w.Timetables(), transit.VehiclesRequest{Box: geo.Bounds(in.BBox), Operator: in.Operator, Line: in.Line, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	return &VehiclesAnswer{*found, native.AnswerWarnings(in.Warnings...)}, nil
}
