package tripupdate

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/waygate/waygate/feed/realtime"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/message"
)

// Fields of GTFS-Realtime (https://gtfs.org/documentation/realtime/proto/).
const (
	entityTripUpdate         = 3
	updateTrip, updateCall   = 1, 2
	updateTime, updateDelay  = 4, 5
	tripID, tripStart        = 1, 2
	tripDate, tripRelation   = 3, 4
	tripRoute, tripDirection = 5, 6
	callSequence, callArrive = 1, 2
	callDepart, callStop     = 3, 4
	callRelation             = 5
	eventDelay, eventTime    = 1, 2
)

// relations are those of trips by their numbers. A trip that is deleted is not run, and that
// nobody is to be told of it changes nothing for who would wait for it.
var relations = map[uint64]Relation{0: Scheduled, 1: Added, 2: Unscheduled, 3: Cancelled, 5: Added, 6: Duplicated, 7: Cancelled, 8: Added}

// relationsOfCalls are those of calls by their numbers.
var relationsOfCalls = map[uint64]Relation{1: Skipped, 2: NoData, 3: NoData}

// update reads a TripUpdate.
func (r *reader) update(raw []byte) error {
	u := Update{Direction: -1, StartTime: Unknown, Delay: Unknown, Calls: r.room[:0]}
	err := message.Fields(raw, realtime.ErrDamaged, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case updateTrip:
			return r.trip(bytes, &u)
		case updateCall:
			c, err := r.call(bytes)
			if len(u.Calls) <= mostOfTrip {
				u.Calls = append(u.Calls, c)
			}
			return err
		case updateTime:
			u.Seen = realtime.Time(value)
		case updateDelay:
			u.Delay = seconds(value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.take(&u)
}

func (r *reader) trip(raw []byte, u *Update) error {
	return message.Fields(raw, realtime.ErrDamaged, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case tripID:
			u.Trip = realtime.Word(bytes)
		case tripRoute:
			u.Route = r.once(bytes)
		case tripDate:
			u.StartDate = r.once(bytes)
		case tripStart:
			if at, ok := gtfs.Time(bytes); ok {
				u.StartTime = int32(at)
			}
		case tripDirection:
			if value < 2 {
				u.Direction = int8(value)
			}
		case tripRelation:
			relation, known := relations[value]
			if !known {
				relation = Unscheduled
			}
			u.Relation = relation
		}
		return nil
	})
}

func (r *reader) call(raw []byte) (Call, error) {
	c := Call{Sequence: Unknown}
	err := message.Fields(raw, realtime.ErrDamaged, func(number protowire.Number, value uint64, bytes []byte) (err error) {
		switch number {
		case callSequence:
			if value < 1<<30 {
				c.Sequence = int32(value)
			}
		case callStop:
			c.Stop = r.once(bytes)
		case callArrive:
			c.Arrive, err = event(bytes)
		case callDepart:
			c.Depart, err = event(bytes)
		case callRelation:
			c.Relation = relationsOfCalls[value]
		}
		return err
	})
	if c.Relation != Scheduled { // whose times, if there are some, are those of the timetable
		c.Arrive, c.Depart = Event{}, Event{}
	}
	return c, err
}

// event reads a StopTimeEvent, of which a time counts before a delay.
func event(raw []byte) (e Event, err error) {
	err = message.Fields(raw, realtime.ErrDamaged, func(number protowire.Number, value uint64, _ []byte) error {
		switch number {
		case eventTime:
			if at := realtime.Time(value); !at.IsZero() {
				e.At, e.Known = at.Unix(), true
			}
		case eventDelay:
			if e.Delay = seconds(value); e.Delay != Unknown {
				e.Known = true
			}
		}
		return nil
	})
	return e, err
}

// seconds reads a number of seconds, Unknown where it is more than a day.
func seconds(value uint64) int32 {
	if s := int64(value); s >= -gtfs.Day && s <= gtfs.Day {
		return int32(s)
	}
	return Unknown
}
