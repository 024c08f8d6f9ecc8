package transit

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/wire/native"
	request "github.com/waygate/waygate/wire/native/transit"
	"github.com/waygate/waygate/wire/schema"
)

type journeysIn struct {
	edge.Regional
	Warnings schema.Warnings
	Body     request.JourneysRequest
}

// Points choose the region.
func (in *journeysIn) Points() []geo.Point { return in.Body.Points() }

// JourneysAnswer is journeys from door to door.
type JourneysAnswer struct {
	transit.Journeys
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

var journeysDoc = edge.Doc{
	Summary: "Journeys by public transport", Tags: []string{"transit"}, Fails: []int{http.StatusNotImplemented},
	Example: `{"from":{"lat":49.3267,"lon":-7.2675},"to":{"lat":49.3215,"lon":-7.2357},"at":"2027-06-01T09:00:00+01:00"}`,
	Description: "An extension. Door to door by walking and public transport: all journeys of a window of time of which no other is at least as good in departure, arrival, vehicles and steps of five minutes of walking, and better in one. " +
		"Walks are routes of the costing pedestrian, and their times those that were counted. Times of vehicles are those of the timetable: basis says so, and label is to be shown. " +
		"Where no vehicle goes, none says why, and names the next departure. next and previous are pages of later and of earlier journeys, which neither repeat nor leave out one. " +
		"All places must be in one region. 501 where it was imported without a timetable.",
}

func (s service) journeys(ctx context.Context, in *journeysIn) (*JourneysAnswer, error) {
	w, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	speed, err := json.Marshal(b.WalkingSpeed)
	if err != nil {
		return nil, err
	}
	who := map[string]json.RawMessage{"walking_speed": speed}
	if b.Wheelchair {
		who["type"] = json.RawMessage(`"wheelchair"`)
	}
	walking, _, _ := costing.Parse(costing.Pedestrian, who, "") // in its range
	r := transit.JourneysRequest{
		From: b.From.Point(), To: b.To.Point(), ArriveBy: b.ArriveBy, Window: time.Duration(orElse(b.Window, 60)) * time.Minute, Limit: b.Limit,
		MaxChanges: orElse(b.MaxChanges, 4), MaxWalk: orElse(b.MaxWalk, 1500), Walking: walking, Speed: b.WalkingSpeed,
		MinChange: int32(orElse(b.MinChange, 60)), Modes: timetable.All, Wheelchair: b.Wheelchair, Page: b.Page,
	}
	if b.At != nil {
		r.At = *b.At
	}
	if len(b.Modes) > 0 {
		r.Modes = modesOf(b.Modes)
	}
	here := transit.Place{Timetable: in.Region.Timetable, Network: in.Region.Journeys, Engine: in.Region.Engine}
	found, err := s.Journeys(ctx, w.Timetables(), here, r)
	if err != nil {
		return nil, err
	}
	return &JourneysAnswer{*found, native.AnswerWarnings(in.Warnings...)}, nil
}

// modesOf returns the set of modes of names, each of which is one.
func modesOf(names []string) (set timetable.Modes) {
	for _, name := range names {
		mode, _ := timetable.ModeOf(name)
		set |= mode.Set()
	}
	return set
}

// orElse returns a member's value or its default.
func orElse[T any](v *T, usual T) T {
	if v == nil {
		return usual
	}
	return *v
}
