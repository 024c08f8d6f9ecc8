package overlay_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feed/tripupdate"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/transit/overlay"
)

// monday is a day of service, as are the next two. The day before it clocks went forward.
var monday = gtfs.DateOf(time.Date(2026, 3, 30, 0, 0, 0, 0, time.UTC))

const unknown = tripupdate.Unknown

// drawn draws a timetable. Each row is "id line direction minute stops…": a trip that calls at
// stops of one letter every five minutes; P and Q are platforms of one station. A row that ends in "/20" repeats every
// 20 minutes for two hours, to the second.
func drawn(t testing.TB, rows ...string) *timetable.Index {
	t.Helper()
	b := timetable.NewBuilder()
	agency, err := b.AddAgency(timetable.Agency{ID: "1", Code: "TOWN", Name: "Town Buses", Zone: "Europe/London", Feed: b.AddFeed(timetable.Feed{Name: "town"})})
	if err != nil {
		t.Fatal(err)
	}
	service := b.AddService([]gtfs.Date{monday - 1, monday, monday + 1, monday + 2})
	stops, lines := map[rune]int{}, map[string]int{}
	station := b.AddStop(timetable.Stop{ID: "station", Name: "Station", At: geo.Point{Lon: 9, Lat: 47}, Parent: -1, Kind: timetable.KindStation})
	for _, row := range rows {
		var id, line, calls string
		var direction, minute int32
		if _, err := fmt.Sscan(row, &id, &line, &direction, &minute, &calls); err != nil {
			t.Fatal(err)
		}
		if _, there := lines[line]; !there {
			lines[line] = b.AddLine(timetable.Line{ID: "L" + line, ShortName: line, Agency: agency, Mode: timetable.Bus, Colour: timetable.None, Ink: timetable.None})
		}
		trip := timetable.Trip{ID: id, Line: lines[line], Service: service, Direction: uint8(direction)}
		calls, every, repeats := strings.Cut(calls, "/")
		for i, c := range calls {
			if _, there := stops[c]; !there {
				stops[c] = b.AddStop(timetable.Stop{ID: string(c), Name: string(c), At: geo.Point{Lon: 9 + float64(len(stops))/100, Lat: 47}, Parent: -1})
				if c == 'P' || c == 'Q' {
					b.SetParent(stops[c], station)
				}
			}
			at := minute*60 + int32(i)*300
			trip.Visits = append(trip.Visits, timetable.Visit{Stop: int32(stops[c]), Call: timetable.Call{Arrive: at, Depart: at}})
		}
		if repeats {
			n := int32(0)
			_, _ = fmt.Sscan(every, &n)
			trip.Headways = []timetable.Headway{{Start: minute * 60, End: minute*60 + 7200, Every: n * 60, Exact: 1}}
		}
		b.AddTrip(trip)
	}
	x, _ := b.Build()
	s, err := region.ReadSection(timetable.SectionName, regiontest.Written(t, x.Write))
	if err != nil {
		t.Fatal(err)
	}
	read, err := timetable.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// at returns a minute of Monday in the town.
func at(minute float64) time.Time {
	zone, _ := time.LoadLocation("Europe/London")
	return monday.Begin(zone).Add(time.Duration(minute * float64(time.Minute)))
}

// update makes one of a trip; each call is "stop#sequence=when": when is +minutes of delay,
// @minute of Monday, x for skipped, ? for no data, and "stop" and "#sequence" may be left out.
// An arrival alone is written a+5, a departure alone d+5.
func update(trip string, calls ...string) tripupdate.Update {
	u := tripupdate.Update{Trip: trip, Direction: -1, StartTime: unknown, Delay: unknown}
	for _, c := range calls {
		name, when, _ := strings.Cut(c, "=")
		stop, sequence, numbered := strings.Cut(name, "#")
		call := tripupdate.Call{Stop: stop, Sequence: unknown}
		if numbered {
			_, _ = fmt.Sscan(sequence, &call.Sequence)
		}
		which := ""
		if when != "" && strings.ContainsAny(when[:1], "ad") {
			which, when = when[:1], when[1:]
		}
		e, minutes := tripupdate.Event{}, 0.0
		switch {
		case when == "x":
			call.Relation = tripupdate.Skipped
		case when == "?":
			call.Relation = tripupdate.NoData
		case strings.HasPrefix(when, "@"):
			_, _ = fmt.Sscan(when[1:], &minutes)
			e = tripupdate.Event{At: at(minutes).Unix(), Known: true}
		default:
			_, _ = fmt.Sscan(when, &minutes)
			e = tripupdate.Event{Delay: int32(minutes * 60), Known: true}
		}
		if which != "d" {
			call.Arrive = e
		}
		if which != "a" {
			call.Depart = e
		}
		u.Calls = append(u.Calls, call)
	}
	return u
}

// shown writes the departures of a trip on a day as an overlay has them: minutes, in brackets
// where they are not known, x where they are left out.
func shown(x *timetable.Index, o *overlay.Overlay, trip string, day gtfs.Date) string {
	id := x.TripsByID(trip)[0]
	if o.Cancelled(id, day) {
		return "cancelled"
	}
	calls := o.Calls(id, day)
	if calls == nil {
		return "timetable"
	}
	r, _ := x.RunOf(id)
	var out []string
	for i, c := range calls {
		d := departure(x, r, day, i)
		news, _ := o.Departure(x, d)
		switch minutes := fmt.Sprint(float64(c.Depart) / 60); {
		case news.Skipped:
			out = append(out, "x")
		case news.At.IsZero():
			out = append(out, "("+minutes+")")
		default:
			out = append(out, minutes)
		}
	}
	return strings.Join(out, " ")
}

// departure returns that of a trip at one of its positions, as a board has it.
func departure(x *timetable.Index, r timetable.Run, day gtfs.Date, position int) timetable.Departure {
	for _, d := range x.Departures(timetable.DepartureQuery{Stops: []uint32{r.Stops[position]}, Modes: timetable.All, From: at(-1440 * 2), Window: 7 * 24 * time.Hour, Limit: 1000}) {
		if d.Trip == r.Trip && d.Day == day && d.Position == position {
			return d
		}
	}
	p := timetable.Departure{Trip: r.Trip, Day: day, Position: position}
	return p
}

func TestJoin(t *testing.T) {
	// A row's times: t1 leaves A at 8:00 (480), B 485, C 490, D 495, E 500.
	rows := []string{
		"t1 1 0 480 ABCDE", "t2 1 0 540 ABCDE", "back 1 1 480 EDCBA", "loop 2 0 480 ABCDAE", "night 3 0 1510 ABC", "platform 4 0 480 APB", "both 4 0 480 APQB",
		"often 5 0 480 ABC/20", "round 6 0 600 ABCDEFGHA", "twin-1 7 0 480 ABC", "twin-2 7 0 480 ABCD", "65 8 0 480 ABC",
	}
	x := drawn(t, rows...)
	dated := func(u tripupdate.Update, day gtfs.Date) tripupdate.Update { u.StartDate = day.Digits(); return u }
	with := func(u tripupdate.Update, change func(*tripupdate.Update)) tripupdate.Update { change(&u); return u }
	cancelled := func(u tripupdate.Update) tripupdate.Update { u.Relation = tripupdate.Cancelled; return u }
	unnamed := func(route string, direction int8, minute int32, calls ...string) tripupdate.Update {
		u := update("", calls...)
		u.Route, u.Direction, u.StartTime = route, direction, minute*60
		return u
	}
	for name, c := range map[string]struct {
		made    float64 // minute of Monday
		updates []tripupdate.Update
		trip    string
		day     gtfs.Date // 0 is Monday
		want    string
		counts  string
	}{
		"a delay goes on to the next update":          {480, []tripupdate.Update{update("t1", "B=+3", "D=+1")}, "t1", 0, "(480) 488 493 496 501", "1"},
		"times in place of delays":                    {480, []tripupdate.Update{update("t1", "B=@488")}, "t1", 0, "(480) 488 493 498 503", "1"},
		"of a trip as a whole":                        {480, []tripupdate.Update{with(update("t1"), func(u *tripupdate.Update) { u.Delay = 120 })}, "t1", 0, "482 487 492 497 502", "1"},
		"of a trip as a whole, until it is put right": {480, []tripupdate.Update{with(update("t1", "C=+0"), func(u *tripupdate.Update) { u.Delay = 120 })}, "t1", 0, "482 487 490 495 500", "1"},
		"no data from a stop on":                      {480, []tripupdate.Update{update("t1", "A=+2", "C=?")}, "t1", 0, "482 487 (490) (495) (500)", "1"},
		"no data first":                               {480, []tripupdate.Update{update("t1", "A=?", "C=+4")}, "t1", 0, "(480) (485) 494 499 504", "1"},
		"no data at all":                              {480, []tripupdate.Update{update("t1", "A=?")}, "t1", 0, "timetable", "1"},
		"a delay that no data follow is kept behind":  {480, []tripupdate.Update{update("t1", "A=+20", "B=?")}, "t1", 0, "500 (500) (500) (500) (500)", "1"},
		"a stop is left out":                          {480, []tripupdate.Update{update("t1", "B=+2", "C=x")}, "t1", 0, "(480) 487 x 497 502", "1"},
		"all stops are left out":                      {480, []tripupdate.Update{update("t1", "A=x", "B=x", "C=x", "D=x", "E=x")}, "t1", 0, "cancelled", "1"},
		"the arrival alone":                           {480, []tripupdate.Update{update("t1", "B=a+3")}, "t1", 0, "(480) 488 493 498 503", "1"},
		"the departure alone":                         {480, []tripupdate.Update{update("t1", "B=d+3")}, "t1", 0, "(480) 488 493 498 503", "1"},
		"the first arrival is missing":                {480, []tripupdate.Update{update("t1", "A=d+3", "B=a+4")}, "t1", 0, "483 489 494 499 504", "1"},
		"early, and the stops before give way":        {480, []tripupdate.Update{update("t1", "B=@478")}, "t1", 0, "(478) 478 483 488 493", "1"},
		"times that go backwards do not count":        {480, []tripupdate.Update{update("t1", "B=@495", "C=@486", "D=@505")}, "t1", 0, "(480) 495 (495) 505 510", "1"},
		"half a minute backwards is one time":         {480, []tripupdate.Update{update("t1", "B=@495", "C=@494.5")}, "t1", 0, "(480) 495 495 499.5 504.5", "1"},
		"a time of another day does not count":        {480, []tripupdate.Update{dated(update("t1", "B=@2000", "C=+1"), monday)}, "t1", 0, "(480) (485) 491 496 501", "1"},
		"one surplus stop":                            {480, []tripupdate.Update{update("t1", "A=+2", "X=+9", "C=+3")}, "t1", 0, "482 487 493 498 503", "1 surplus 1"},
		"a stop of another trip alone":                {480, []tripupdate.Update{update("t1", "X=+9")}, "t1", 0, "timetable", "0 " + "the trip calls at none of the stops"},
		"stops out of order":                          {480, []tripupdate.Update{update("t1", "E=+9", "B=+2", "C=+3")}, "t1", 0, "(480) 487 493 498 503", "1 surplus 1"},
		"another platform of the station":             {480, []tripupdate.Update{update("platform", "Q=+3")}, "platform", 0, "(480) 488 493", "1"},
		"both platforms":                              {480, []tripupdate.Update{update("both", "Q=+3")}, "both", 0, "(480) (485) 493 498", "1"},
		"a cancelled trip":                            {480, []tripupdate.Update{cancelled(update("t1"))}, "t1", 0, "cancelled", "1"},
		"the other direction is not cancelled":        {480, []tripupdate.Update{cancelled(update("t1"))}, "back", 0, "timetable", "1"},
		"tomorrow is not cancelled":                   {480, []tripupdate.Update{cancelled(update("t1"))}, "t1", monday + 1, "timetable", "1"},
		"tomorrow's is cancelled today":               {480, []tripupdate.Update{dated(cancelled(update("t1")), monday+1)}, "t1", monday + 1, "cancelled", "1"},
		"the nearest day, in the evening":             {480 + 720 + 60, []tripupdate.Update{cancelled(update("t1"))}, "t1", monday + 1, "cancelled", "1"},
		"a day without the trip":                      {480, []tripupdate.Update{dated(update("t1", "A=+1"), monday+5)}, "t1", 0, "timetable", "0 the trip does not run on its day"},
		"a day that is none":                          {480, []tripupdate.Update{with(update("t1", "A=+1"), func(u *tripupdate.Update) { u.StartDate = "tomorrow" })}, "t1", 0, "timetable", "0 the trip does not run on its day"},
		"a trip that is not there":                    {480, []tripupdate.Update{update("none", "A=+1")}, "t1", 0, "timetable", "0 the timetable does not have the trip"},
		"yesterday's trip after midnight":             {60, []tripupdate.Update{update("night", "B=+4")}, "night", monday - 1, "(1510) 1519 1524", "1"},
		"tonight's trip in the evening":               {1400, []tripupdate.Update{update("night", "B=+4")}, "night", 0, "(1510) 1519 1524", "1"},
		"yesterday's trip by its times":               {800, []tripupdate.Update{update("night", "B=@79")}, "night", monday - 1, "(1510) 1519 1524", "1"},
		"yesterday's trip by its date":                {60, []tripupdate.Update{dated(update("night", "B=@79"), monday-1)}, "night", monday - 1, "(1510) 1519 1524", "1"},
		"a loop by what is between":                   {480, []tripupdate.Update{update("loop", "A=+1", "C=+2", "A=+3")}, "loop", 0, "481 486 492 497 503 508", "1"},
		"the rest of a loop":                          {495, []tripupdate.Update{update("loop", "D=+2", "A=+3", "E=+3")}, "loop", 0, "(480) (485) (490) 497 503 508", "1"},
		"the second time round by its time":           {495, []tripupdate.Update{update("loop", "A=@503")}, "loop", 0, "(480) (485) (490) (495) 503 508", "1"},
		"the second time round by its sequence":       {495, []tripupdate.Update{update("loop", "A#5=+3")}, "loop", 0, "(480) (485) (490) (495) 503 508", "1"},
		"the first time round by its sequence":        {475, []tripupdate.Update{update("loop", "A#1=+3")}, "loop", 0, "483 488 493 498 503 508", "1"},
		"a round trip that is late":                   {600, []tripupdate.Update{update("round", "A=@612")}, "round", 0, "612 617 622 627 632 637 642 647 652", "1"},
		"the end of a round trip":                     {600, []tripupdate.Update{update("round", "A=@645")}, "round", 0, "(600) (605) (610) (615) (620) (625) (630) (635) 645", "1"},
		"sequences alone where others show them":      {480, []tripupdate.Update{update("t1", "B#20=+1", "#21=+4")}, "t1", 0, "(480) 486 494 499 504", "1"},
		"sequences alone":                             {480, []tripupdate.Update{update("t1", "#2=+1")}, "t1", 0, "timetable", "1 surplus 1"},
		"no id: route, direction and start":           {480, []tripupdate.Update{unnamed("L1", 1, 480, "D=+4")}, "back", 0, "(480) 489 494 499 504", "1"},
		"no id: a name of the line":                   {480, []tripupdate.Update{unnamed("1", 1, 480, "D=+4")}, "back", 0, "(480) 489 494 499 504", "1"},
		"no id, no direction: by where it calls":      {480, []tripupdate.Update{unnamed("L2", -1, 480, "A=+1", "D=+4")}, "loop", 0, "481 486 491 499 504 509", "1"},
		"no id: another start":                        {480, []tripupdate.Update{unnamed("L1", 1, 481, "D=+4")}, "back", 0, "timetable", "0 no trip of the route leaves at that time"},
		"no id: two trips fit":                        {480, []tripupdate.Update{unnamed("L7", 0, 480, "B=+4")}, "twin-1", 0, "timetable", "0 several trips fit"},
		// OneBusAway 237
		"a start as the clock has it":                            {60, []tripupdate.Update{dated(with(update("night", "B=+4"), func(u *tripupdate.Update) { u.StartTime = 70 * 60 }), monday)}, "night", monday - 1, "(1510) 1519 1524", "1"},
		"that day's own run is as it was":                        {60, []tripupdate.Update{dated(with(update("night", "B=+4"), func(u *tripupdate.Update) { u.StartTime = 70 * 60 }), monday)}, "night", 0, "timetable", "1"},
		"no id, and a start as the clock has it":                 {60, []tripupdate.Update{dated(unnamed("L3", 0, 70, "B=+4"), monday)}, "night", monday - 1, "(1510) 1519 1524", "1"},
		"a service day, and a start as the clock has it":         {1500, []tripupdate.Update{dated(with(update("night", "B=+4"), func(u *tripupdate.Update) { u.StartTime = 70 * 60 }), monday)}, "night", 0, "(1510) 1519 1524", "1"},
		"no id, a service day and a start as the clock has it":   {1500, []tripupdate.Update{dated(unnamed("L3", 0, 70, "B=+4"), monday)}, "night", 0, "(1510) 1519 1524", "1"},
		"the first service day, and a start as the clock has it": {-1440 + 60, []tripupdate.Update{dated(with(update("night", "B=+4"), func(u *tripupdate.Update) { u.StartTime = 70 * 60 }), monday-1)}, "night", monday - 1, "(1510) 1519 1524", "1"},
		// OpenTripPlanner 2780
		"delays of some stops, and one that is left out": {480, []tripupdate.Update{update("t1", "A=d+1", "C=+1", "D=x", "E=@501")}, "t1", 0, "481 486 491 x 501", "1"},
		// OneBusAway 216
		"another trip of the vehicle has no update": {480, []tripupdate.Update{update("t1", "A=+9")}, "t2", 0, "timetable", "1"},
		"no id after midnight":                      {60, []tripupdate.Update{unnamed("L3", 0, 1510, "B=+4")}, "night", monday - 1, "(1510) 1519 1524", "1"},
		"an id of another line":                     {480, []tripupdate.Update{with(update("65", "A=+4"), func(u *tripupdate.Update) { u.Route = "L1" })}, "65", 0, "timetable", "0 the timetable does not have the trip"},
		"an aimed time of the timetable": {480, []tripupdate.Update{with(update("x", "D=+4"), func(u *tripupdate.Update) {
			u.Line, u.Operator, u.Leaves, u.Arrives = "1", "town", tripupdate.Aimed{Stop: "E", At: at(480)}, tripupdate.Aimed{Stop: "A", At: at(500)}
		})}, "back", 0, "(480) 489 494 499 504", "1"},
		"an aimed time that is none": {480, []tripupdate.Update{with(update("x", "D=+4"), func(u *tripupdate.Update) {
			u.Line, u.Leaves, u.Arrives = "1", tripupdate.Aimed{Stop: "E", At: at(480)}, tripupdate.Aimed{Stop: "A", At: at(501)}
		})}, "back", 0, "timetable", "0 no trip of the route leaves at that time"},
		"the newest of two":       {480, []tripupdate.Update{with(update("t1", "A=+1"), func(u *tripupdate.Update) { u.Seen = at(479) }), with(update("t1", "A=+9"), func(u *tripupdate.Update) { u.Seen = at(478) })}, "t1", 0, "481 486 491 496 501", "2"},
		"the last of two":         {480, []tripupdate.Update{update("t1", "A=+1"), update("t1", "A=+9")}, "t1", 0, "489 494 499 504 509", "2"},
		"a delay, then cancelled": {480, []tripupdate.Update{update("t1", "A=+1"), cancelled(update("t1"))}, "t1", 0, "cancelled", "2"},
		"an added trip":           {480, []tripupdate.Update{with(update("t1", "A=+9"), func(u *tripupdate.Update) { u.Relation = tripupdate.Added })}, "t1", 0, "timetable", "0 added 1"},
		"a run of a headway":      {480, []tripupdate.Update{with(update("often", "B=+3"), func(u *tripupdate.Update) { u.StartTime = 500 * 60 })}, "often", 0, "timetable", "1"},
		"which run is not known":  {480, []tripupdate.Update{update("often", "B=+3")}, "often", 0, "timetable", "0 the trip repeats at a headway without times"},
		"between two runs":        {480, []tripupdate.Update{with(update("often", "B=+3"), func(u *tripupdate.Update) { u.StartTime = 501 * 60 })}, "often", 0, "timetable", "0 the trip repeats at a headway without times"},
	} {
		o := overlay.Build(x, []overlay.Source{{Updates: c.updates, At: at(c.made)}})
		day := c.day
		if day == 0 {
			day = monday
		}
		if got := shown(x, o, c.trip, day); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		n := o.Count()
		counts := fmt.Sprint(n.Joined)
		for why := range n.Unmatched {
			counts += " " + why
		}
		if n.Added > 0 {
			counts += fmt.Sprint(" added ", n.Added)
		}
		if n.Surplus > 0 {
			counts += fmt.Sprint(" surplus ", n.Surplus)
		}
		for trip, on := range o.Trips() {
			if !o.Cancelled(trip, on) && o.Calls(trip, on) == nil {
				t.Errorf("%s: of %s on %s nothing is known", name, x.TripID(trip), on)
			}
		}
		if counts != c.counts {
			t.Errorf("%s: %s, want %s", name, counts, c.counts)
		}
	}
}

// A run of a headway is late on the board, and the others are not.
func TestHeadways(t *testing.T) {
	x := drawn(t, "often 5 0 480 ABC/20")
	u := update("often", "B=+3")
	u.StartTime = 500 * 60
	o := overlay.Build(x, []overlay.Source{{Updates: []tripupdate.Update{u}, At: at(490)}})
	stop, _ := x.Find("B")
	got := ""
	for _, d := range x.Departures(timetable.DepartureQuery{Stops: []uint32{stop}, Modes: timetable.All, From: at(480), Window: time.Hour, Limit: 9}) {
		news, known := o.Departure(x, d)
		got += fmt.Sprint(" ", d.At.Sub(at(0)).Minutes())
		if known {
			got += fmt.Sprint("+", news.At.Sub(d.At).Minutes())
		}
	}
	if got != " 485 505+3 525" {
		t.Error(got)
	}
}

// Whatever part of a trip that goes round an update has, and however late it is, its calls are
// those that were meant; calls are always in order.
func TestRandomLoops(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 120 {
		stops, last := "", byte(0)
		for range 4 + random.IntN(12) {
			c := "ABCDE"[random.IntN(5)]
			if c == last {
				continue
			}
			stops, last = stops+string(c), c
		}
		if len(stops) < 2 {
			continue
		}
		x := drawn(t, "trip 1 0 480 "+stops)
		late := random.IntN(4)
		from := random.IntN(len(stops))
		var calls []string
		var meant []int
		for i := from; i < len(stops); i++ {
			if i > from && random.IntN(4) == 0 {
				continue
			}
			meant = append(meant, i)
			calls = append(calls, fmt.Sprintf("%c=@%d", stops[i], 480+5*i+late))
		}
		o := overlay.Build(x, []overlay.Source{{Updates: []tripupdate.Update{update("trip", calls...)}, At: at(480)}})
		got := o.Calls(x.TripsByID("trip")[0], monday)
		for _, i := range meant {
			if want := int32(480+5*i+late) * 60; got[i].Depart != want {
				t.Fatalf("%d: %s of %s: %v at %d, want %d", n, calls, stops, got, i, want)
			}
		}
		if !slices.IsSortedFunc(got, func(a, b timetable.Call) int { return int(a.Depart - b.Depart) }) {
			t.Fatalf("%s: %v", calls, got)
		}
	}
}

// FuzzJoin joins updates that anything may be in: calls stay in order and within reason.
func FuzzJoin(f *testing.F) {
	x := drawn(f, "t1 1 0 480 ABCDE", "loop 2 0 480 ABCDAE", "night 3 0 1510 ABC", "often 5 0 480 ABC/20")
	f.Add("t1", "20260330", int32(unknown), int32(480), []byte("B+3 D-1"))
	f.Add("loop", "", int32(480*60), int32(60), []byte("A@4 A@9"))
	f.Fuzz(func(t *testing.T, trip, date string, start, made int32, calls []byte) {
		u := tripupdate.Update{Trip: trip, Route: "L1", StartDate: date, StartTime: start, Direction: int8(start % 2), Delay: unknown}
		for i := 0; i+2 < len(calls) && i < 300; i += 3 {
			c := tripupdate.Call{Stop: string(calls[i : i+1]), Sequence: int32(calls[i+1]), Relation: []tripupdate.Relation{tripupdate.Scheduled, tripupdate.Skipped, tripupdate.NoData}[calls[i+1]%3]}
			if calls[i+1]%2 == 0 {
				c.Arrive = tripupdate.Event{Delay: int32(int8(calls[i+2])) * 600, Known: true}
			} else {
				c.Depart = tripupdate.Event{At: at(float64(made)).Unix() + int64(int8(calls[i+2]))*100, Known: true}
			}
			u.Calls = append(u.Calls, c)
		}
		o := overlay.Build(x, []overlay.Source{{Updates: []tripupdate.Update{u}, At: at(float64(made))}})
		for _, id := range []string{"t1", "loop", "night"} {
			n := x.TripsByID(id)[0]
			for day := monday - 2; day <= monday+3; day++ {
				last := int32(-1 << 30)
				for _, c := range o.Calls(n, day) {
					if c.Arrive < last || c.Depart < c.Arrive || c.Depart > 3*gtfs.Day {
						t.Fatalf("%s on %s: %v", id, day, o.Calls(n, day))
					}
					last = c.Depart
				}
			}
		}
	})
}
