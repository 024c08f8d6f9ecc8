package tripupdate

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/feed/realtime"
)

// readSIRI reads the journeys of a SIRI-ET document (CEN/TS 15531-3), as a stream.
func (r *reader) readSIRI(ctx context.Context) error {
	s := &siri{reader: r}
	if err := realtime.EachElement(ctx, r.in, s.begin, s.finish); err != nil {
		return err
	}
	switch {
	case !s.delivery:
		return errors.New("it has no EstimatedTimetableDelivery of SIRI")
	case s.journey:
		return errors.New("it ends within a journey")
	}
	return nil
}

// siri is where a document is being read.
type siri struct {
	*reader
	delivery bool // the document has one of estimated timetables
	journey  bool // an EstimatedVehicleJourney is being read
	call     bool // a call of it is
	update   Update
	one      visit
	blind    bool      // the journey's times are those of the timetable, or not to be relied on
	framed   time.Time // when the journeys of the frame were recorded, where they do not say so
}

// visit is a call that is being read.
type visit struct {
	Call
	aimed, expected, actual [2]time.Time // arrival and departure
	cancelled               [2]bool
	extra, blind            bool
}

func (s *siri) begin(name string) {
	switch name {
	case "EstimatedTimetableDelivery":
		s.delivery = true
	case "EstimatedJourneyVersionFrame":
		s.framed = time.Time{}
	case "EstimatedVehicleJourney":
		s.journey, s.blind = true, false
		s.update = Update{Direction: -1, StartTime: Unknown, Delay: Unknown, Seen: s.framed, Calls: s.room[:0]}
	case "EstimatedCall", "RecordedCall":
		s.call, s.one = s.journey, visit{Call: Call{Sequence: Unknown}}
	}
}

// finish takes what an element says once it ends.
func (s *siri) finish(name, text string) error {
	switch {
	case s.call:
		s.ofCall(name, text)
	case s.journey:
		return s.ofJourney(name, text)
	case name == "ResponseTimestamp":
		s.in.Report.Published(at(text))
	case name == "RecordedAtTime":
		s.framed = at(text)
	}
	return nil
}

func (s *siri) ofJourney(name, text string) error {
	u := &s.update
	switch name {
	case "EstimatedVehicleJourney":
		s.journey = false
		if s.blind {
			for i := range u.Calls {
				if c := &u.Calls[i]; c.Relation == Scheduled {
					c.Relation, c.Arrive, c.Depart = NoData, Event{}, Event{}
				}
			}
		}
		return s.take(u)
	case "RecordedAtTime":
		u.Seen = at(text)
	case "LineRef":
		u.Route = s.once([]byte(text))
	case "PublishedLineName":
		u.Line = s.once([]byte(text))
	case "OperatorRef":
		u.Operator = s.once([]byte(text))
	case "DirectionRef":
		switch strings.ToLower(text) {
		case "outbound":
			u.Direction = 0
		case "inbound":
			u.Direction = 1
		}
	case "DatedVehicleJourneyRef":
		u.Trip = text
	case "DataFrameRef":
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			u.StartDate = s.once([]byte(day.Format("20060102")))
		}
	case "Cancellation":
		if isTrue(text) {
			u.Relation = Cancelled
		}
	case "ExtraJourney":
		if isTrue(text) {
			u.Relation = Added
		}
	case "Monitored":
		s.blind = s.blind || text != "" && !isTrue(text)
	case "PredictionInaccurate":
		s.blind = s.blind || isTrue(text)
	}
	return nil
}

func (s *siri) ofCall(name, text string) {
	c := &s.one
	switch name {
	case "EstimatedCall", "RecordedCall":
		s.call = false
		s.end(c)
	case "StopPointRef":
		c.Stop = s.once([]byte(text))
	case "Order":
		if n, err := strconv.ParseInt(text, 10, 31); err == nil && n >= 0 {
			c.Sequence = int32(n)
		}
	case "Cancellation":
		if isTrue(text) {
			c.Relation = Skipped
		}
	case "ExtraCall":
		c.extra = isTrue(text)
	case "PredictionInaccurate":
		c.blind = isTrue(text)
	case "ArrivalStatus":
		c.cancelled[0] = strings.EqualFold(text, "cancelled")
	case "DepartureStatus":
		c.cancelled[1] = strings.EqualFold(text, "cancelled")
	case "AimedArrivalTime":
		c.aimed[0] = at(text)
	case "AimedDepartureTime":
		c.aimed[1] = at(text)
	case "ExpectedArrivalTime":
		c.expected[0] = at(text)
	case "ExpectedDepartureTime":
		c.expected[1] = at(text)
	case "ActualArrivalTime":
		c.actual[0] = at(text)
	case "ActualDepartureTime":
		c.actual[1] = at(text)
	}
}

// end takes a call that has been read. One that the timetable does not have is left out.
func (s *siri) end(c *visit) {
	u := &s.update
	if c.extra || c.Stop == "" || len(u.Calls) > mostOfTrip {
		return
	}
	if u.Leaves.Stop == "" && !c.aimed[1].IsZero() {
		u.Leaves = Aimed{c.Stop, c.aimed[1]}
	}
	if !c.aimed[0].IsZero() {
		u.Arrives = Aimed{c.Stop, c.aimed[0]}
	}
	if c.cancelled[1] { // nobody boards there any more, whether or not passengers alight
		c.Relation = Skipped
	}
	if c.Relation == Scheduled {
		c.Arrive, c.Depart = c.event(0), c.event(1)
		if c.blind || !c.Arrive.Known && !c.Depart.Known {
			c.Relation, c.Arrive, c.Depart = NoData, Event{}, Event{}
		}
	}
	u.Calls = append(u.Calls, c.Call)
}

// event returns when the vehicle comes (0) or leaves (1). Where the time of the timetable stands
// beside it, only their difference counts: some publishers write local times as UTC.
func (c *visit) event(n int) Event {
	when := c.actual[n]
	if when.IsZero() {
		when = c.expected[n]
	}
	switch {
	case when.IsZero():
		return Event{}
	case c.aimed[n].IsZero():
		return Event{At: when.Unix(), Known: true}
	}
	if late := seconds(uint64(int64(when.Sub(c.aimed[n]).Seconds()))); late != Unknown {
		return Event{Delay: late, Known: true}
	}
	return Event{}
}

// at reads a time; zero where it is none.
func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

func isTrue(text string) bool { return text == "true" || text == "1" }
