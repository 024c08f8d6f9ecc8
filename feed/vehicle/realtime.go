package vehicle

import (
	"context"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/waygate/waygate/feed/realtime"
	"github.com/waygate/waygate/index/message"
)

// Fields of GTFS-Realtime (https://gtfs.org/documentation/realtime/proto/).
const (
	entityVehicle                = 4
	vehicleTrip, vehiclePosition = 1, 2
	vehicleTime, vehicleName     = 5, 8
	tripID, tripDate, tripRoute  = 1, 3, 5
	nameID, nameLabel, namePlate = 1, 2, 3
	positionLat, positionLon     = 1, 2
	positionBearing              = 3
)

// readGTFSRealtime reads a FeedMessage entity by entity.
func (r *reader) readGTFSRealtime(ctx context.Context) error {
	return realtime.EachEntity(ctx, r.in, entityVehicle, r.position)
}

func (r *reader) position(raw []byte) error {
	v := Vehicle{Bearing: -1}
	err := message.Fields(raw, realtime.ErrDamaged, func(number protowire.Number, value uint64, bytes []byte) error {
		switch number {
		case vehicleTrip:
			return readTrip(bytes, &v)
		case vehiclePosition:
			return readPosition(bytes, &v)
		case vehicleName:
			return readName(bytes, &v)
		case vehicleTime:
			v.Seen = realtime.Time(value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.take(v)
}

func readTrip(raw []byte, v *Vehicle) error {
	return message.Fields(raw, realtime.ErrDamaged, func(number protowire.Number, _ uint64, bytes []byte) error {
		switch number {
		case tripID:
			v.Trip = realtime.Word(bytes)
		case tripRoute:
			v.Route = realtime.Word(bytes)
		case tripDate:
			v.StartDate = realtime.Word(bytes)
		}
		return nil
	})
}

func readName(raw []byte, v *Vehicle) error {
	return message.Fields(raw, realtime.ErrDamaged, func(number protowire.Number, _ uint64, bytes []byte) error {
		switch number {
		case nameID:
			v.ID = realtime.Word(bytes)
		case nameLabel, namePlate:
			if v.ID == "" {
				v.ID = realtime.Word(bytes)
			}
		}
		return nil
	})
}

// readPosition reads a place. A bearing of 0 mostly means that none is known, and counts
// as such.
func readPosition(raw []byte, v *Vehicle) error {
	return message.Fields(raw, realtime.ErrDamaged, func(number protowire.Number, value uint64, _ []byte) error {
		degrees := float64(math.Float32frombits(uint32(value)))
		switch number {
		case positionLat:
			v.At.Lat = degrees
		case positionLon:
			v.At.Lon = degrees
		case positionBearing:
			v.Bearing = bearing(degrees)
		}
		return nil
	})
}

// bearing returns a direction in whole degrees, -1 for one of 0 and for what is none.
func bearing(degrees float64) int {
	if !(degrees > 0 && degrees <= 360) {
		return -1
	}
	return int(math.Round(degrees)) % 360
}
