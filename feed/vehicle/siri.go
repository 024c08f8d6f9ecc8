package vehicle

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/waygate/waygate/feed/realtime"
)

// readSIRI reads the vehicle activities of a SIRI-VM document (CEN/TS 15531), as a stream.
func (r *reader) readSIRI(ctx context.Context) error {
	s := &siri{reader: r}
	if err := realtime.EachElement(ctx, r.in, s.begin, s.finish); err != nil {
		return err
	}
	return s.end()
}

// siri is where a document is being read.
type siri struct {
	*reader
	vehicle  Vehicle
	within   bool // a vehicle activity
	delivery bool // the document has one of vehicles
}

func (s *siri) begin(name string) {
	switch name {
	case "VehicleMonitoringDelivery":
		s.delivery = true
	case "VehicleActivity":
		s.vehicle, s.within = Vehicle{Bearing: -1}, true
	}
}

// finish takes what an element says once it ends.
func (s *siri) finish(name, text string) error {
	v := &s.vehicle
	if !s.within {
		if name == "ResponseTimestamp" {
			if at, err := time.Parse(time.RFC3339, text); err == nil {
				s.in.Report.Published(at)
			}
		}
		return nil
	}
	switch name {
	case "VehicleActivity":
		s.within = false
		return s.take(*v)
	case "RecordedAtTime":
		at, err := time.Parse(time.RFC3339, text)
		if err == nil {
			v.Seen = s.inSummer(at)
		}
	case "PublishedLineName":
		v.Line = text
	case "LineRef":
		v.Route = text
		if v.Line == "" {
			v.Line = text
		}
	case "DirectionRef":
		v.Direction = direction(text)
	case "OperatorRef":
		v.Operator = text
	case "OriginName":
		v.Origin = text
	case "DestinationName":
		v.Destination = text
	case "VehicleRef":
		v.ID = text
	case "DatedVehicleJourneyRef":
		v.Trip = text
	case "DataFrameRef":
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			v.StartDate = day.Format("20060102")
		}
	case "Longitude":
		v.At.Lon = degrees(text)
	case "Latitude":
		v.At.Lat = degrees(text)
	case "Bearing":
		if at, err := strconv.ParseFloat(text, 64); err == nil {
			v.Bearing = bearing(at)
		}
	}
	return nil
}

// inSummer takes an hour from a time that is an hour ahead: some operators write the local
// time of summer as if it were UTC.
func (s *siri) inSummer(at time.Time) time.Time {
	if ahead := at.Sub(s.in.Now); ahead > time.Hour-10*time.Minute && ahead < time.Hour+aheadAtMost {
		return at.Add(-time.Hour)
	}
	return at
}

// end refuses a document that has no delivery of vehicles.
func (s *siri) end() error {
	if !s.delivery {
		return errors.New("it has no VehicleMonitoringDelivery of SIRI")
	}
	if s.within {
		return errors.New("it ends within a vehicle")
	}
	return nil
}

// degrees reads a coordinate; what is none lies off the globe.
func degrees(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v != v {
		return 999
	}
	return v
}
