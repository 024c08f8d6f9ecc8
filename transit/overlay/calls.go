package overlay

import (
	"slices"
	"time"

	"github.com/waygate/waygate/feed/tripupdate"
)

const (
	// mostOff is how far from the timetable a time may be that counts, in seconds.
	mostOff = 6 * 60 * 60
	// backwards is by how many seconds a time may be before that of the call before it and still
	// count: as both.
	backwards = 60
)

// take keeps what an update says of a run, unless a newer one has said it. It says why the
// update is of another trip after all.
func (j *joiner) take(u *tripupdate.Update, f found, seen time.Time) string {
	k := key{f.Trip, f.day, f.start}
	if old := j.o.runs[k]; old != nil && old.seen.After(seen) {
		return ""
	}
	r := &run{seen: seen, cancelled: u.Relation == tripupdate.Cancelled}
	j.o.runs[k] = r
	if r.cancelled {
		return ""
	}
	begin := f.day.Begin(j.x.LineZone(f.Line)).Unix()
	if f.start != noStart {
		begin += int64(f.start)
	}
	j.align(u, f, begin)
	r.calls, r.marks = slices.Clone(f.Calls), make([]uint8, len(f.Calls))
	j.fill(r, u, begin)
	any, all := uint8(0), uint8(skipped)
	for _, m := range r.marks {
		any, all = any|m, all&m
	}
	switch {
	case all != 0:
		r.cancelled, r.calls, r.marks = true, nil, nil
	case any == 0:
		r.calls, r.marks = nil, nil
	default:
		orderCalls(r)
		for i, c := range r.calls {
			if r.marks[i]&(departureKnown|skipped) == departureKnown {
				j.o.late = max(j.o.late, c.Depart-f.Calls[i].Depart)
			}
			if f.start != noStart {
				r.calls[i].Arrive, r.calls[i].Depart = c.Arrive+f.start, c.Depart+f.start
			}
		}
	}
	return ""
}

// fill writes what is known of each call: what an update says of it, else the delay of the
// last call before it of which there is one.
func (j *joiner) fill(r *run, u *tripupdate.Update, begin int64) {
	delay, known := u.Delay, u.Delay != tripupdate.Unknown
	next := 0 // of the update's calls
	for i := range r.calls {
		c := &r.calls[i]
		due := *c
		if known {
			c.Arrive, c.Depart = due.Arrive+delay, due.Depart+delay
			r.marks[i] = arrivalKnown | departureKnown
		}
		for next < len(u.Calls) && j.at[next] < i {
			next++
			j.o.counts.Surplus++
		}
		if next == len(u.Calls) || j.at[next] != i {
			continue
		}
		said := &u.Calls[next]
		next++
		switch said.Relation {
		case tripupdate.Skipped:
			r.marks[i] = r.marks[i]&^(arrivalKnown|departureKnown) | skipped
			continue
		case tripupdate.NoData:
			*c, r.marks[i], known = due, 0, false
			continue
		}
		arrive, comes := timeOf(said.Arrive, due.Arrive, begin)
		depart, leaves := timeOf(said.Depart, due.Depart, begin)
		switch {
		case comes && leaves:
			c.Arrive, c.Depart = arrive, max(arrive, depart)
		case comes:
			c.Arrive, c.Depart = arrive, max(arrive, due.Depart+arrive-due.Arrive)
		case leaves && !known:
			c.Arrive, c.Depart = min(due.Arrive+depart-due.Depart, depart), depart
		case leaves:
			c.Arrive, c.Depart = min(c.Arrive, depart), depart
		default:
			continue
		}
		r.marks[i], known = arrivalKnown|departureKnown, true
		delay = c.Depart - due.Depart
	}
	j.o.counts.Surplus += len(u.Calls) - next
}

// timeOf returns when an event is, in seconds after begin; false where that is not known, or so
// far from the timetable that it cannot be meant.
func timeOf(e tripupdate.Event, due int32, begin int64) (int32, bool) {
	at := int64(due) + int64(e.Delay)
	if e.At != 0 {
		at = e.At - begin
	}
	if off := at - int64(due); !e.Known || off < -mostOff || off > mostOff {
		return due, false
	}
	return int32(at), true
}

// orderCalls puts calls in order. A time well before a known one does not count, and times of the
// timetable give way to known ones.
func orderCalls(r *run) {
	last := int32(-1 << 31)
	for i := range r.calls {
		c := &r.calls[i]
		if r.marks[i]&arrivalKnown == 0 {
			continue
		}
		if int64(c.Arrive) < int64(last)-backwards {
			r.marks[i] &^= arrivalKnown | departureKnown
			c.Arrive, c.Depart = last, last
			continue
		}
		c.Arrive = max(c.Arrive, last)
		c.Depart = max(c.Depart, c.Arrive)
		last = c.Depart
	}
	next := int32(1<<31 - 1)
	for i := len(r.calls) - 1; i >= 0; i-- {
		c := &r.calls[i]
		if r.marks[i]&arrivalKnown == 0 {
			c.Arrive, c.Depart = min(c.Arrive, next), min(c.Depart, next)
		} else {
			next = c.Arrive
		}
	}
	last = -1 << 31
	for i := range r.calls {
		c := &r.calls[i]
		c.Arrive = max(c.Arrive, last)
		c.Depart = max(c.Depart, c.Arrive)
		last = c.Depart
	}
}
