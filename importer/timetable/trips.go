package timetable

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

func (r *reader) readTrips(ctx context.Context) error {
	columns := []string{"trip_id", "route_id", "service_id", "trip_headsign", "block_id", "direction_id", "shape_id", "wheelchair_accessible"}
	return r.Read(ctx, "trips.txt", columns, func(row *gtfs.Row) {
		id := row.Text(0)
		line, ok := r.lines[string(row.Bytes(1))]
		if !ok {
			r.Faults.Add("trips.txt: a trip of no route", id)
			return
		}
		service, ok := r.services[string(row.Bytes(2))]
		if !ok {
			r.Faults.Add("trips.txt: a trip of no service", id)
			return
		}
		if service == never {
			r.counts["timetable_trips_without_a_day"]++
			return
		}
		if _, repeated := r.trips[id]; repeated || id == "" {
			r.Faults.Add("trips.txt: a trip twice, or without an id", id)
			return
		}
		direction, ok := row.Int(5, 1, 2)
		if !ok {
			r.Faults.Add("trips.txt: a direction_id that is none", id)
		}
		wheelchair, _ := row.Int(7, timetable.Inaccessible, 0)
		r.trips[id] = len(r.list)
		sign := row.Text(3)
		r.shapeOf = append(r.shapeOf, row.Text(6))
		r.list = append(r.list, timetable.Trip{ID: id, Sign: sign, SignIn: r.namesOf(tripSign, id, "", sign), Block: row.Text(4), Line: line, Service: service, Direction: uint8(direction), Wheelchair: uint8(wheelchair)})
	})
}

// leastHeadway is the fewest seconds between vehicles of one line.
const leastHeadway = 1

func (r *reader) readHeadways(ctx context.Context) error {
	return r.Read(ctx, "frequencies.txt", []string{"trip_id", "start_time", "end_time", "headway_secs", "exact_times"}, func(row *gtfs.Row) {
		n, there := r.trips[string(row.Bytes(0))]
		if !there {
			r.Faults.Add("frequencies.txt: a headway of no trip", row.Text(0))
			return
		}
		start, ok := gtfs.Time(row.Bytes(1))
		end, too := gtfs.Time(row.Bytes(2))
		every, whole := row.Int(3, gtfs.Day, 0)
		exact, _ := row.Int(4, 1, 0)
		if !ok || !too || !whole || every < leastHeadway || end <= start {
			r.Faults.Add("frequencies.txt: times or a headway that are none", row.Text(0))
			return
		}
		r.list[n].Headways = append(r.list[n].Headways, timetable.Headway{Start: int32(start), End: int32(end), Every: int32(every), Exact: uint32(exact)})
	})
}

// unknown stands for a time that is not given.
const unknown = -1

// readCalls reads stop_times.txt and adds the trips.
func (r *reader) readCalls(ctx context.Context) error {
	r.order = make([][]int32, len(r.list))
	last, n, there := []byte(nil), 0, false
	// The calls of a trip follow each other mostly, and are kept once all of them are known.
	var visits []timetable.Visit
	var order []int32
	keep := func() {
		if len(visits) > 0 {
			t := &r.list[n]
			if t.Visits == nil {
				t.Visits, r.order[n] = slices.Clone(visits), slices.Clone(order)
			} else {
				t.Visits, r.order[n] = append(t.Visits, visits...), append(r.order[n], order...)
			}
			visits, order = visits[:0], order[:0]
		}
	}
	columns := []string{"trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence", "pickup_type", "drop_off_type", "stop_headsign", "start_pickup_drop_off_window", "location_id", "location_group_id"}
	err := r.Read(ctx, "stop_times.txt", columns, func(row *gtfs.Row) {
		if id := row.Bytes(0); last == nil || !bytes.Equal(id, last) {
			keep()
			n, there = r.trips[string(id)]
			last = append(last[:0], id...)
		}
		if !there {
			r.counts["timetable_calls_of_no_trip"]++
			return
		}
		if len(row.Bytes(8))+len(row.Bytes(9))+len(row.Bytes(10)) > 0 {
			r.onDemand[n] = true
			return
		}
		if visit, sequence, ok := r.visit(row); ok {
			visits, order = append(visits, visit), append(order, sequence)
		}
	})
	keep()
	for n := range r.list {
		r.addTrip(n)
	}
	r.countOnDemand()
	r.list, r.order = nil, nil
	return err
}

// visit reads a call of a trip.
func (r *reader) visit(row *gtfs.Row) (v timetable.Visit, sequence int32, ok bool) {
	stop, there := r.stop[string(row.Bytes(3))]
	if !there {
		r.Faults.Add("stop_times.txt: a call at no stop", row.Text(3))
		return v, 0, false
	}
	at, ok := row.Int(4, 1<<30, 0)
	if !ok {
		r.Faults.Add("stop_times.txt: a stop_sequence that is none", row.Text(0))
		return v, 0, false
	}
	arrive, depart := r.time(row, 1), r.time(row, 2)
	if arrive == unknown {
		arrive = depart
	}
	if depart == unknown {
		depart = arrive
	}
	board, known := row.Int(5, 3, timetable.Regular)
	alight, too := row.Int(6, 3, timetable.Regular)
	if !known || !too {
		r.Faults.Add("stop_times.txt: a rule of boarding that is none", row.Text(0))
	}
	return timetable.Visit{Stop: int32(stop), Call: timetable.Call{Arrive: arrive, Depart: depart}, Rules: uint8(board | alight<<2), Sign: r.sign(row)}, int32(at), true
}

// sign returns the headsign of a call.
func (r *reader) sign(row *gtfs.Row) timetable.Text {
	if len(row.Bytes(7)) == 0 {
		return 0
	}
	text := row.Text(7)
	return r.Text(text, r.namesOf(callSign, row.Text(0), row.Text(4), text)...)
}

func (r *reader) time(row *gtfs.Row, column int) int32 {
	text := row.Bytes(column)
	if len(text) == 0 {
		return unknown
	}
	seconds, ok := gtfs.Time(text)
	if !ok {
		r.Faults.Add("stop_times.txt: a time that is none", string(text))
		return unknown
	}
	return int32(seconds)
}

// addTrip puts the visits of a trip in order and adds it, if it has two.
func (r *reader) addTrip(n int) {
	t, order := &r.list[n], r.order[n]
	if !slices.IsSorted(order) {
		places := make([]int, len(order))
		for i := range places {
			places[i] = i
		}
		slices.SortStableFunc(places, func(i, j int) int { return cmp.Compare(order[i], order[j]) })
		visits := make([]timetable.Visit, len(order))
		for to, from := range places {
			visits[to] = t.Visits[from]
		}
		t.Visits = visits
	}
	r.fillTimes(t)
	passed := len(t.Visits)
	t.Visits = slices.DeleteFunc(t.Visits, func(v timetable.Visit) bool { return v.Rules == timetable.Never|timetable.Never<<2 })
	r.counts["timetable_calls_without_boarding"] += int64(passed - len(t.Visits))
	if len(t.Visits) < 2 {
		if passed > 0 && !r.onDemand[n] {
			r.counts["timetable_trips_of_one_stop"]++
		}
		return
	}
	for _, v := range t.Visits {
		r.visited[v.Stop] = true
	}
	r.added[t.ID] = r.AddTrip(*t)
}

// fillTimes gives calls without a time one by their distance between those that have, and
// takes back times that run backwards. A trip that begins or ends without a time begins
// or ends at the first or last call that has one.
func (r *reader) fillTimes(t *timetable.Trip) {
	known := func(v timetable.Visit) bool { return v.Call.Arrive != unknown }
	first := slices.IndexFunc(t.Visits, known)
	if first < 0 {
		if len(t.Visits) > 0 {
			r.Faults.Add("stop_times.txt: a trip without a time", t.ID)
		}
		t.Visits = nil
		return
	}
	last := len(t.Visits) - 1
	for !known(t.Visits[last]) {
		last--
	}
	if first > 0 || last < len(t.Visits)-1 {
		r.Faults.Add("stop_times.txt: a trip that begins or ends without a time", t.ID)
	}
	t.Visits = t.Visits[first : last+1]
	for i := 0; i < len(t.Visits)-1; {
		next := i + 1
		for !known(t.Visits[next]) {
			next++
		}
		r.interpolate(t.Visits[i : next+1])
		i = next
	}
	latest := int32(0)
	for i := range t.Visits {
		c := &t.Visits[i].Call
		if c.Arrive < latest || c.Depart < c.Arrive {
			r.Faults.Add("stop_times.txt: times that run backwards", t.ID)
		}
		c.Arrive = max(c.Arrive, latest)
		c.Depart = max(c.Depart, c.Arrive)
		latest = c.Depart
	}
}

// interpolate gives the visits between the first and the last their times.
func (r *reader) interpolate(visits []timetable.Visit) {
	if len(visits) < 3 {
		return
	}
	along := make([]float64, len(visits))
	for i := 1; i < len(visits); i++ {
		along[i] = along[i-1] + geo.Distance(r.stops[visits[i-1].Stop].At, r.stops[visits[i].Stop].At) + 1
	}
	begin, end := visits[0].Call.Depart, visits[len(visits)-1].Call.Arrive
	for i := 1; i < len(visits)-1; i++ {
		at := begin + int32(math.Round(float64(end-begin)*along[i]/along[len(along)-1]))
		visits[i].Call = timetable.Call{Arrive: at, Depart: at}
	}
}

// mostNamed bounds the lines on demand that are named.
const mostNamed = 20

// countOnDemand counts the trips on demand (GTFS-Flex), which are not served, and notes the
// names of their lines. What such a trip has of calls with times is served.
func (r *reader) countOnDemand() {
	r.counts["timetable_trips_on_demand"] += int64(len(r.onDemand))
	r.CountOnDemand(r.number, len(r.onDemand))
	for _, n := range slices.Sorted(maps.Keys(r.onDemand)) {
		if name := r.lineNames[r.list[n].Line]; len(r.demanded) < mostNamed && !slices.Contains(r.demanded, name) {
			r.demanded = append(r.demanded, name)
		}
	}
}

// countRest counts what a feed has and is not read.
func (r *reader) countRest(ctx context.Context) error {
	if (r.Has("locations.geojson") || r.Has("booking_rules.txt")) && len(r.onDemand) == 0 {
		r.Faults.Add("services on demand (GTFS-Flex) are not served", r.Name)
	}
	return ctx.Err()
}
