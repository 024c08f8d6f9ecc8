package transit

import (
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/stopwalk"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/transit/journey"
)

// Network prepares a timetable for journeys, with the walks between its stops over the
// streets: nil has none. Walks within a station that its feed states take the place of those.
func Network(x *timetable.Index, streets *stopwalk.Index) *journey.Network {
	var list []journey.Walk
	return journey.NewNetwork(x, func(stop uint32) []journey.Walk {
		list = list[:0]
		inside := x.Walks(stop)
		for _, w := range inside {
			if x.ServedBy(w.To, timetable.All) {
				list = append(list, journey.Walk{To: w.To, Seconds: int32(w.Seconds)})
			}
		}
		if streets == nil {
			return list
		}
	streets:
		for _, w := range streets.From(stop) {
			for _, i := range inside {
				if i.To == w.To {
					continue streets
				}
			}
			list = append(list, journey.Walk{To: w.To, Seconds: w.Seconds})
		}
		return list
	})
}

// Place has the data that journeys of a region are found with.
type Place struct {
	Timetable *timetable.Index // nil has none
	Network   *journey.Network // of the timetable
	Engine    engine.Engine

	updates liveUpdates
}

// JourneysRequest asks for journeys from door to door.
type JourneysRequest struct {
	From, To   geo.Point
	At         time.Time // zero is now
	ArriveBy   bool
	Window     time.Duration // 0: the best at At alone
	Limit      int
	MaxChanges int
	MaxWalk    float64          // metres
	Walking    costing.Settings // of who walks
	Speed      float64          // of Walking, km/h
	MinChange  int32            // seconds
	Modes      timetable.Modes
	Wheelchair bool // trips and stops alone that are known as accessible; Walking is of a wheelchair then
	Page       string
}

// Journeys are ways from door to door.
type Journeys struct {
	From        JourneyEnd    `json:"from"`
	To          JourneyEnd    `json:"to"`
	At          string        `json:"at" doc:"when to set out, or with arrive_by to be there, RFC 3339 in the zone of the timetable; of a page that of its window"`
	ArriveBy    bool          `json:"arrive_by"`
	Window      int           `json:"window_minutes"`
	Basis       string        `json:"basis" enum:"timetable,live" doc:"live where a time of a journey is"`
	Label       string        `json:"label" doc:"to be shown with the journeys"`
	Journeys    []Journey     `json:"journeys" nullable:"false" doc:"in the order of their departures, with arrive_by of their arrivals. The walk all the way is the first, where it is no longer than max_walk_m"`
	None        *None         `json:"none" doc:"why none of the journeys is by public transport; null where one is"`
	Previous    *string       `json:"previous" doc:"page of the journeys before these; null where there is none"`
	Next        *string       `json:"next" doc:"page of the journeys after these; null where there is none"`
	Coverage    Coverage      `json:"coverage"`
	Updates     *UpdatesState `json:"trip_updates,omitempty" doc:"an extension: how far trip updates can be relied on; absent where no feed of them is configured"`
	Attribution []string      `json:"attribution" nullable:"false" doc:"to be shown with the journeys, word by word"`
}

// JourneyEnd is where journeys begin or end.
type JourneyEnd struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

// Journey is a way from door to door.
type Journey struct {
	Depart   string       `json:"depart_at" doc:"RFC 3339, as all times of the answer"`
	Arrive   string       `json:"arrive_at"`
	Duration int          `json:"duration_s"`
	Changes  int          `json:"changes" doc:"vehicles less one; who stays seated does not change"`
	WalkM    float64      `json:"walk_m" decimals:"1"`
	WalkS    int          `json:"walk_s"`
	Legs     []JourneyLeg `json:"legs" nullable:"false"`
}

// JourneyLeg is a walk or a ride. It ends where the next one begins; what is between their
// times is spent waiting.
type JourneyLeg struct {
	Mode      string       `json:"mode" enum:"walk,other,bus,coach,tram,metro,rail,ferry,cable_car"`
	From      JourneyPlace `json:"from"`
	To        JourneyPlace `json:"to"`
	Depart    string       `json:"depart_at"`
	Arrive    string       `json:"arrive_at"`
	Duration  int          `json:"duration_s"`
	DistanceM float64      `json:"distance_m" decimals:"1"`
	Geometry  string       `json:"geometry" doc:"encoded polyline with six digits"`
	// Of a walk alone, and where the timetable states the ways within a station.
	Exit     *JourneyPlace `json:"exit,omitempty" doc:"an extension: the entrance of the station by which a walk goes out; absent where the timetable states no ways within the station"`
	Entrance *JourneyPlace `json:"entrance,omitempty" doc:"an extension: the entrance of the station by which a walk goes in; absent where the timetable states no ways within the station"`
	JourneyRide
}

// JourneyPlace is where a leg begins or ends.
type JourneyPlace struct {
	Lat       float64 `json:"lat"`
	Lon       float64 `json:"lon"`
	Name      *string `json:"name" doc:"of the stop; null where the journey begins and ends"`
	Stop      *string `json:"stop" doc:"stop code, as /v1/transit/departures takes it"`
	Indicator *string `json:"indicator"`
}

// JourneyRide has the members of a leg by a vehicle that a walk lacks.
type JourneyRide struct {
	Line         string        `json:"line,omitempty"`
	LineName     string        `json:"line_name,omitempty" doc:"the long name; left out where there is none"`
	Colour       string        `json:"colour,omitempty" doc:"of the line, #rrggbb; left out where the timetable has none"`
	TextColour   string        `json:"text_colour,omitempty"`
	Headsign     string        `json:"headsign,omitempty" doc:"what the vehicle shows, else the name of its last stop"`
	Operator     string        `json:"operator,omitempty" doc:"code of the operator"`
	OperatorName string        `json:"operator_name,omitempty"`
	Trip         string        `json:"trip,omitempty" doc:"id of the trip in its feed"`
	ServiceDay   string        `json:"service_day,omitempty" format:"date"`
	Every        int           `json:"every_s,omitempty" doc:"seconds between vehicles where the timetable gives a headway and no times: the times are the latest then"`
	StaySeated   bool          `json:"stay_seated,omitempty" doc:"one stays in the vehicle of the leg before"`
	Booking      string        `json:"booking,omitempty" enum:"phone,driver" doc:"the vehicle calls only if one phones or arranges it with the driver"`
	Stops        []JourneyStop `json:"stops,omitempty" doc:"of the ride, the first and the last included"`
}

// JourneyStop is a stop of a ride.
type JourneyStop struct {
	Stop      string  `json:"stop"`
	Name      string  `json:"name"`
	Indicator *string `json:"indicator"`
	Lat       float64 `json:"lat"`
	Lon       float64 `json:"lon"`
	Arrive    *string `json:"arrive_at" doc:"null of the first stop"`
	Depart    *string `json:"depart_at" doc:"null of the last stop"`
	Basis     string  `json:"basis" enum:"timetable,live" doc:"live where the times are expected by a trip update"`
	// Of a stop whose times are live alone.
	ScheduledArrive *string `json:"scheduled_arrive_at,omitempty" doc:"of the timetable, where basis is live"`
	ScheduledDepart *string `json:"scheduled_depart_at,omitempty" doc:"of the timetable, where basis is live"`
}

// Reasons why there is no journey by public transport.
const (
	samePlace   = "same_place"
	noStopsFrom = "no_stops_near_from"
	noStopsTo   = "no_stops_near_to"
	outOfSpan   = "out_of_span"
	noService   = "no_service"
	wheelchairs = "wheelchair"
)

// None is why there is no journey by public transport.
type None struct {
	_       struct{}    `nullable:"true"`
	Reason  string      `json:"reason" enum:"same_place,no_stops_near_from,no_stops_near_to,out_of_span,no_service,wheelchair"`
	Message string      `json:"message"`
	Next    *NextDepart `json:"next" doc:"the first ride of the next journey within a day, else the next departure near from within a week; with arrive_by that of the last journey before; null where there is none"`
}

// NextDepart is a departure.
type NextDepart struct {
	_           struct{}     `nullable:"true"`
	Depart      string       `json:"depart_at"`
	Line        string       `json:"line"`
	Mode        string       `json:"mode"`
	Destination string       `json:"destination"`
	Stop        JourneyPlace `json:"stop"`
}
