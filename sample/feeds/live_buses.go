package feeds

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/sample"
)

// runningBus is a trip of a service day.
type runningBus struct {
	busTrip
	line  *sample.BusLine
	calls []busCall
	begin time.Time // from which its seconds count
	day   string
	late  time.Duration // all the way
	off   bool          // the trip is cancelled
	bus   string        // number of the vehicle
}

// under lists the trips that are under way at a moment, or begin within some time after it.
// Hours are those of now's location.
func (l *Live) under(now time.Time, ahead time.Duration) (list []runningBus) {
	for back := range 2 { // trips of yesterday go on after midnight
		y, m, d := now.AddDate(0, 0, -back).Date()
		begin := time.Date(y, m, d, 12, 0, 0, 0, now.Location()).Add(-12 * time.Hour)
		day := begin.Add(12 * time.Hour).Format(time.DateOnly)
		service := 0
		if begin.Add(12*time.Hour).Weekday() == time.Sunday {
			service = 1
		}
		for n := range l.lines {
			line := &l.lines[n]
			for _, t := range tripsOf(line, n, service) {
				r := runningBus{busTrip: t, line: line, begin: begin, day: day, bus: fmt.Sprintf("%d%02d", 10+2*n+t.direction, t.run%40)}
				if r.at(t.start).Sub(now) > ahead || now.Sub(r.at(t.start)) > 4*time.Hour {
					continue
				}
				switch d := chance("bus", t.id, day); {
				case d < 0.04:
					r.off = true
				case d < 0.12:
					r.late = time.Duration(6+chance("late", t.id, day)*8) * time.Minute
				case d < 0.4:
					r.late = time.Duration(1+chance("late", t.id, day)*4) * time.Minute
				}
				r.calls = callsOf(line, t, l.places)
				if !now.After(r.at(r.calls[len(r.calls)-1].second).Add(r.late)) {
					list = append(list, r)
				}
			}
		}
	}
	return list
}

// at returns the time of a second of the trip's service day.
func (r *runningBus) at(second int) time.Time {
	return r.begin.Add(time.Duration(second) * time.Second)
}

// next returns the first call that a bus has not made at a moment.
func (r *runningBus) next(now time.Time) int {
	for i, c := range r.calls {
		if !r.at(c.second).Add(r.late).Before(now) {
			return i
		}
	}
	return len(r.calls) - 1
}

// where returns the place of a bus at a moment, and its direction of travel in degrees.
func (r *runningBus) where(now time.Time) (geo.Point, float64) {
	i := max(1, r.next(now))
	from, to := r.calls[i-1], r.calls[i]
	path := r.line.Path[min(from.place, to.place) : max(from.place, to.place)+1]
	share := min(1, max(0, now.Sub(r.at(from.second).Add(r.late)).Seconds()/float64(to.second-from.second)))
	if r.direction == 1 {
		share = 1 - share
	}
	left := share * geo.Length(path)
	for k := 1; k < len(path); k++ {
		length := geo.Distance(path[k-1], path[k])
		if left > length && k < len(path)-1 {
			left -= length
			continue
		}
		p, q := path[k-1], path[k]
		part := min(1, left/max(length, 1e-9))
		bearing := geo.Bearing(p, q)
		if r.direction == 1 {
			bearing = math.Mod(bearing+180, 360)
		}
		return geo.Point{Lon: p.Lon + part*(q.Lon-p.Lon), Lat: p.Lat + part*(q.Lat-p.Lat)}, bearing
	}
	return path[0], 0
}

// ends names where a bus comes from and where it goes.
func (r *runningBus) ends() (origin, destination string) {
	if r.direction == 1 {
		return r.line.To, r.line.From
	}
	return r.line.From, r.line.To
}

// journey returns how SIRI names a trip.
func (r *runningBus) journey() string {
	return fmt.Sprintf("<LineRef>%s</LineRef><DirectionRef>%s</DirectionRef><FramedVehicleJourneyRef><DataFrameRef>%s</DataFrameRef><DatedVehicleJourneyRef>%s</DatedVehicleJourneyRef></FramedVehicleJourneyRef><PublishedLineName>%[1]s</PublishedLineName><OperatorRef>HALV</OperatorRef>",
		r.line.Ref, []string{"outbound", "inbound"}[r.direction], r.day, r.id)
}

// Buses writes where the county's buses are, as SIRI-VM: along their roads at the times of
// the timetable, but for those that are late. A bus waits at its first stop for ten minutes.
func (l *Live) Buses(w io.Writer, now time.Time) error {
	return inSIRI(w, now, "VehicleMonitoringDelivery", func() error {
		for _, r := range l.under(now, 10*time.Minute) {
			if r.off {
				continue
			}
			// Each was heard of at a moment of its own within the last seconds.
			seen := now.Add(-time.Duration(chance("seen", r.bus, now.Unix()) * float64(15*time.Second))).Truncate(time.Second)
			place, bearing := r.where(seen)
			origin, destination := r.ends()
			if _, err := fmt.Fprintf(w, "<VehicleActivity><RecordedAtTime>%s</RecordedAtTime><MonitoredVehicleJourney>%s<OriginName>%s</OriginName><DestinationName>%s</DestinationName><VehicleLocation><Longitude>%.6f</Longitude><Latitude>%.6f</Latitude></VehicleLocation><Bearing>%.0f</Bearing><VehicleRef>%s</VehicleRef></MonitoredVehicleJourney></VehicleActivity>\n",
				seen.UTC().Format(time.RFC3339), r.journey(), origin, destination, place.Lon, place.Lat, max(1, bearing), r.bus); err != nil {
				return err
			}
		}
		return nil
	})
}

// aheadOfBuses is how long before it begins something is said of a trip.
const aheadOfBuses = 90 * time.Minute

// BusUpdates writes how the county's buses differ from the timetable, as SIRI-ET: who is late,
// who keeps to it, and who does not run.
func (l *Live) BusUpdates(w io.Writer, now time.Time) error {
	return inSIRI(w, now, "EstimatedTimetableDelivery", func() error {
		if _, err := fmt.Fprintln(w, "<EstimatedJourneyVersionFrame>"); err != nil {
			return err
		}
		for _, r := range l.under(now, aheadOfBuses) {
			text := "<Cancellation>true</Cancellation>"
			if !r.off {
				i := r.next(now)
				c := r.calls[i]
				due, kind := r.at(c.second), "Departure"
				if i == len(r.calls)-1 {
					kind = "Arrival"
				}
				text = fmt.Sprintf("<EstimatedCalls><EstimatedCall><StopPointRef>%s</StopPointRef><Order>%d</Order><Aimed%[3]sTime>%[4]s</Aimed%[3]sTime><Expected%[3]sTime>%[5]s</Expected%[3]sTime></EstimatedCall></EstimatedCalls>",
					l.stops[c.stop].Code, i, kind, due.UTC().Format(time.RFC3339), due.Add(r.late).UTC().Format(time.RFC3339))
			}
			if _, err := fmt.Fprintf(w, "<EstimatedVehicleJourney>%s%s</EstimatedVehicleJourney>\n", r.journey(), text); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintln(w, "</EstimatedJourneyVersionFrame>")
		return err
	})
}

// inSIRI writes a document of one delivery.
func inSIRI(w io.Writer, now time.Time, delivery string, content func() error) error {
	made := now.UTC().Format(time.RFC3339)
	if _, err := fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Invented, as the Isle of Halvern is. -->\n<Siri xmlns=\"http://www.siri.org.uk/siri\" version=\"2.0\"><ServiceDelivery><ResponseTimestamp>%s</ResponseTimestamp><%s version=\"2.0\">\n", made, delivery); err != nil {
		return err
	}
	if err := content(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "</%s></ServiceDelivery></Siri>\n", delivery)
	return err
}
