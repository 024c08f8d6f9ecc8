package transit

import (
	"fmt"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/wire/null"
)

// DeparturesRequest asks for the board of a stop.
type DeparturesRequest struct {
	Stop   string
	At     time.Time // zero is now
	Window time.Duration
	Limit  int
	Modes  timetable.Modes
	Lang   string // of names; "" for the local ones
}

// Departures is a board: what the timetable has, never what came.
type Departures struct {
	Stop        BoardStop   `json:"stop"`
	At          string      `json:"at" doc:"from when on, RFC 3339 in the zone of the stop"`
	Window      int         `json:"window_minutes"`
	Basis       string      `json:"basis" enum:"timetable"`
	Label       string      `json:"label" doc:"to be shown with the departures"`
	Departures  []Departure `json:"departures" nullable:"false" doc:"in the order of their times"`
	Coverage    Coverage    `json:"coverage"`
	Attribution []string    `json:"attribution" nullable:"false" doc:"to be shown with the departures, word by word"`
	// Beyond the contract.
	Updates *UpdatesState `json:"trip_updates,omitempty" doc:"how far expected times and cancelled trips can be relied on; absent where the deployment has no feed of trip updates. Beyond the contract"`
}

// BoardStop is the stop of a board.
type BoardStop struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Indicator *string `json:"indicator"`
	Locality  *string `json:"locality"`
	Lat       float64 `json:"lat"`
	Lon       float64 `json:"lon"`
}

// Departure is one of a board.
type Departure struct {
	Line        string  `json:"line"`
	Destination string  `json:"destination" doc:"what the vehicle shows, else the name of its last stop"`
	Operator    string  `json:"operator" doc:"code of the operator, as a national operator code"`
	Mode        string  `json:"mode" doc:"bus or coach, or what modes asks for"`
	Colour      *string `json:"colour,omitempty" doc:"of the line, #rrggbb; absent where the timetable has none"`
	TextColour  *string `json:"text_colour,omitempty" doc:"of the line's name on its colour"`
	Scheduled   string  `json:"scheduled_at" doc:"RFC 3339 in the zone of the stop"`
	Trip        string  `json:"trip" doc:"id of the trip in its feed"`
	Stop        string  `json:"stop" doc:"stop code; another than was asked about where that is a station"`
	Every       *int    `json:"every_s,omitempty" doc:"seconds between vehicles where the timetable gives a headway and no times: scheduled_at is one of them then"`
	Live        *Live   `json:"live,omitempty" doc:"a vehicle that was seen on its way to the stop in the last five minutes; absent where none is known"`
	Booking     *string `json:"booking,omitempty" enum:"phone,driver" doc:"the vehicle calls only if one phones or arranges it with the driver"`
	Onward      *Onward `json:"continues_as,omitempty" doc:"the trip that the vehicle goes on as from the last stop: passengers may stay seated. Left out where there is none, and of a trip that is cancelled. Beyond the contract"`
	// Beyond the contract.
	Cancelled bool     `json:"cancelled,omitempty" doc:"true where a fresh trip update says that the trip does not run. Beyond the contract, as are the next four"`
	Skipped   bool     `json:"skipped,omitempty" doc:"true where the vehicle does not call at the stop"`
	Expected  *string  `json:"expected_at,omitempty" doc:"when the vehicle is expected to leave, RFC 3339 in the zone of the stop: no claim that it has come or will; absent where no fresh trip update gives a time"`
	Basis     *string  `json:"expected_basis,omitempty" enum:"trip_update" doc:"of cancelled, skipped and expected_at"`
	UpdateAge *float64 `json:"expected_age_s,omitempty" decimals:"0" doc:"seconds since the update was so"`
}

// Onward is the trip that a vehicle goes on as.
type Onward struct {
	Line        string `json:"line"`
	Destination string `json:"destination" doc:"what the vehicle shows then, else the name of the trip's last stop"`
	Trip        string `json:"trip" doc:"id of the trip in its feed"`
}

// Label is the sentence in every departure board that its times are scheduled ones.
const Label = "Scheduled times from the timetable. Whether a vehicle comes is not known."

// Departures returns the board of a stop, or of the stops of a station. It fails where no
// timetable has the stop, or the time is not within the service days from today.
func (s *Service) Departures(indexes []*timetable.Index, r DeparturesRequest) (*Departures, error) {
	if err := Enabled(indexes); err != nil {
		return nil, err
	}
	for _, x := range indexes {
		stop, there := x.Find(r.Stop)
		if !there {
			continue
		}
		zone := x.Zone(stop)
		at, err := s.time(r.At, zone)
		if err != nil {
			return nil, err
		}
		return s.departureBoard(indexes, x, stop, at, r), nil
	}
	return nil, fault.New(fault.NotFound, "stop: no timetable in service has a stop %q; /v1/transit/stops lists stops near a place", fault.Clip(r.Stop))
}

// time returns the time of the request, in the zone of the stop.
func (s *Service) time(at time.Time, zone *time.Location) (time.Time, error) {
	now := s.Now()
	if at.IsZero() {
		return now.In(zone).Truncate(time.Second), nil
	}
	today := gtfs.DateOf(now.In(zone))
	first, end := today.Begin(zone), (today + ServiceDays).Begin(zone)
	if at.Before(first) || !at.Before(end) {
		return at, fault.Invalid(fault.Violation{Location: "at", Value: at.Format(time.RFC3339), Message: fmt.Sprintf("is not within the %d service days from today: from %s until before %s", ServiceDays, first.Format(time.RFC3339), end.Format(time.RFC3339))})
	}
	return at.In(zone), nil
}

func (s *Service) departureBoard(indexes []*timetable.Index, x *timetable.Index, stop uint32, at time.Time, r DeparturesRequest) *Departures {
	info := x.Stop(stop)
	out := &Departures{
		Stop: BoardStop{info.ID, x.StopName(stop, r.Lang), null.IfZero(info.Indicator), null.IfZero(info.Locality), info.At.Lat, info.At.Lon},
		At:   at.Format(time.RFC3339), Window: int(r.Window / time.Minute), Basis: "timetable", Label: Label,
		Departures: []Departure{}, Coverage: s.coverage(indexes), Attribution: attribution(indexes),
	}
	zone := at.Location()
	updates := s.updatesOn(x)
	list := updates.departureBoard(x, timetable.DepartureQuery{Stops: x.Within(stop), Modes: r.Modes, From: at, Window: r.Window, Limit: r.Limit})
	out.Updates, out.Attribution = updates.state, append(out.Attribution, updates.attribution...)
	now := s.Now()
	live := s.live(indexes, x, list)
	for i, d := range list {
		line := x.Line(x.LineOf(d))
		departure := Departure{
			Line: x.LineNameIn(x.LineOf(d), r.Lang), Destination: x.SignIn(d, r.Lang), Operator: x.Agency(line.Agency).Code, Mode: line.Mode.String(),
			Colour: colour(line.Colour), TextColour: colour(line.Ink),
			Scheduled: d.At.In(zone).Format(time.RFC3339), Trip: x.TripID(d.Trip), Stop: x.Stop(d.Stop).ID, Live: live[i],
		}
		if d.Every > 0 {
			every := int(d.Every)
			departure.Every = &every
		}
		switch x.Boarding(d) {
		case timetable.ByPhone:
			departure.Booking = null.IfZero("phone")
		case timetable.AskDriver:
			departure.Booking = null.IfZero("driver")
		}
		departure.Onward = updates.onward(x, d, r.Lang)
		updates.tell(x, d, &departure, zone, now)
		out.Departures = append(out.Departures, departure)
	}
	return out
}

// colour writes the colour of a line as #rrggbb, nil where it has none.
func colour(rgb uint32) *string {
	if rgb == timetable.None {
		return nil
	}
	text := fmt.Sprintf("#%06x", rgb)
	return &text
}
