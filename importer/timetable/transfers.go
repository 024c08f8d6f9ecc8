package timetable

import (
	"context"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// none stands for no stop, line or trip of a rule.
const none = -1

// transferColumns are those of transfers.txt, the key of a row first.
var transferColumns = []string{"from_stop_id", "to_stop_id", "from_route_id", "to_route_id", "from_trip_id", "to_trip_id", "transfer_type", "min_transfer_time"}

// readTransfers reads the rules of changing between vehicles. Of two rows of one key the
// first counts.
func (r *reader) readTransfers(ctx context.Context) error {
	known := map[timetable.Change]bool{}
	return r.Read(ctx, "transfers.txt", transferColumns, func(row *gtfs.Row) {
		c, ok := r.transfer(row)
		if !ok {
			return
		}
		key := c
		key.Kind, key.Seconds = 0, 0
		if c.Kind >= timetable.InSeat {
			key.Kind = timetable.InSeat
		}
		if known[key] {
			r.Faults.Add("transfers.txt: a rule twice, of which the first counts", row.Text(0)+" "+row.Text(1))
			return
		}
		known[key] = true
		r.AddChange(c)
	})
}

// transfer reads one rule; false where it is none, or about trips that are left out.
func (r *reader) transfer(row *gtfs.Row) (c timetable.Change, ok bool) {
	kind, ok := row.Int(6, timetable.NotInSeat, timetable.Recommended)
	if !ok {
		r.Faults.Add("transfers.txt: a transfer_type that is none", row.Text(6))
		return c, false
	}
	seconds, ok := row.Int(7, gtfs.Day, none)
	if !ok {
		r.Faults.Add("transfers.txt: a min_transfer_time that is none", row.Text(7))
	}
	if kind == timetable.Minimum && seconds == none {
		r.Faults.Add("transfers.txt: a least time that is not given", row.Text(0)+" "+row.Text(1))
		kind = timetable.Recommended
	}
	for i, all := range []map[string]int{r.stop, r.stop, r.lines, r.lines} {
		if id := row.Bytes(i); len(id) > 0 {
			if _, there := all[string(id)]; !there {
				r.Faults.Add("transfers.txt: a stop or a route that is not there", string(id))
				return c, false
			}
		}
	}
	of := func(all map[string]int, column int) int {
		if n, there := all[string(row.Bytes(column))]; there {
			return n
		}
		return none
	}
	c = timetable.Change{
		From: of(r.stop, 0), To: of(r.stop, 1), FromLine: of(r.lines, 2), ToLine: of(r.lines, 3), FromTrip: of(r.added, 4), ToTrip: of(r.added, 5),
		Kind: uint8(kind), Seconds: int32(seconds),
	}
	trips := kind >= timetable.InSeat // which those need
	if c.FromTrip == none && (trips || len(row.Bytes(4)) > 0) || c.ToTrip == none && (trips || len(row.Bytes(5)) > 0) {
		r.counts["timetable_transfers_of_no_trip"]++
		return c, false
	}
	changesAt := func(stop int) bool { return stop != none && r.stops[stop].Kind <= timetable.KindStation }
	if !trips && (!changesAt(c.From) || !changesAt(c.To)) {
		r.Faults.Add("transfers.txt: a change that is not between stops or stations", row.Text(0)+" "+row.Text(1))
		return c, false
	}
	if kind == timetable.Minimum && c.From != c.To && !timetable.Walkable(geo.Distance(r.stops[c.From].At, r.stops[c.To].At), int32(seconds)) {
		r.Faults.Add("transfers.txt: a least time that is faster than anybody walks", row.Text(0)+" "+row.Text(1))
	}
	if c.FromTrip != none { // which is of one line
		c.FromLine = none
	}
	if c.ToTrip != none {
		c.ToLine = none
	}
	return c, true
}
