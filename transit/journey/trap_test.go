package journey_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/transit/journey"
)

// drawing is a timetable of buses in London's time, unless a trip says Paris.
type drawing struct {
	// trips are an id with options, and stops with times and rules of boarding and alighting:
	// "t1,block=b,days=0-2,zone=Paris,every=600@8:00-9:00,exact,line=x A@8:00-8:05 B@8:10/1/0".
	// Days count from the first of drawnDay.
	trips   []string
	changes []string // "from to kind seconds from-trip to-trip", "-" for none
	walks   []string // "from to seconds", both ways
	stops   []string // "platform station"
	live    []string // "trip day late-minutes" or "trip day cancelled"
}

const drawnDay = gtfs.Date(19813) // Sunday, 31 March 2024: clocks go forward

func minutes(t testing.TB, text string) int32 {
	t.Helper()
	h, m, _ := strings.Cut(text, ":")
	hours, err := strconv.Atoi(h)
	minutes, err2 := strconv.Atoi(m)
	if err != nil || err2 != nil {
		t.Fatalf("time %q", text)
	}
	return int32(hours*3600 + minutes*60)
}

// drawn is a drawing with its ids.
type drawn struct {
	*town
	live *journey.Live
}

func (d drawing) build(t testing.TB) *drawn {
	t.Helper()
	b := timetable.NewBuilder()
	feed := b.AddFeed(timetable.Feed{Name: "town"})
	lines, stops, trips := map[string]int{}, map[string]int{}, map[string]int{"-": -1}
	stop := func(id string) int {
		n, there := stops[id]
		if !there {
			n = b.AddStop(timetable.Stop{ID: id, Name: id, At: geo.Point{Lon: -0.1, Lat: 51.5 + float64(id[0]-'A')*0.01 + float64(len(id))*0.0001}, Parent: -1})
			stops[id] = n
		}
		return n
	}
	for _, s := range d.stops {
		platform, station, _ := strings.Cut(s, " ")
		if _, there := stops[station]; !there {
			stops[station] = b.AddStop(timetable.Stop{ID: station, Name: station, At: geo.Point{Lon: -0.1, Lat: 51.9}, Parent: -1, Kind: timetable.KindStation})
		}
		b.SetParent(stop(platform), stops[station])
	}
	var changes []journey.Change
	calls := map[string][]timetable.Call{}
	for _, text := range d.trips {
		words := strings.Fields(text)
		options := strings.Split(words[0], ",")
		trip := timetable.Trip{ID: options[0], Direction: 2}
		zone, line, days := "London", options[0], []gtfs.Date{0, 1, 2}
		var every []string
		exact := uint32(0)
		for _, o := range options[1:] {
			name, value, _ := strings.Cut(o, "=")
			switch name {
			case "block":
				trip.Block = value
			case "zone":
				zone = value
			case "line":
				line = value
			case "every":
				every = append(every, value)
			case "exact":
				exact = 1
			case "days":
				days = nil
				for day := value[0]; day <= value[len(value)-1]; day++ {
					days = append(days, gtfs.Date(day-'0'))
				}
			default:
				t.Fatalf("option %q", o)
			}
		}
		days = slices.Clone(days)
		for i := range days {
			days[i] += drawnDay
		}
		for _, e := range every {
			seconds, span, _ := strings.Cut(e, "@")
			from, until, _ := strings.Cut(span, "-")
			n, err := strconv.Atoi(seconds)
			if err != nil {
				t.Fatal(err)
			}
			trip.Headways = append(trip.Headways, timetable.Headway{Start: minutes(t, from), End: minutes(t, until), Every: int32(n), Exact: exact})
		}
		if _, there := lines[line+zone]; !there {
			agency, err := b.AddAgency(timetable.Agency{ID: line + zone, Name: line + zone, Zone: "Europe/" + zone, Feed: feed})
			if err != nil {
				t.Fatal(err)
			}
			lines[line+zone] = b.AddLine(timetable.Line{ID: line, ShortName: line, Agency: agency, Mode: timetable.Bus, Colour: timetable.None, Ink: timetable.None})
		}
		trip.Line, trip.Service = lines[line+zone], b.AddService(days)
		for _, w := range words[1:] {
			id, at, _ := strings.Cut(w, "@")
			parts := strings.Split(at, "/")
			arrive, depart, both := strings.Cut(parts[0], "-")
			if !both {
				depart = arrive
			}
			v := timetable.Visit{Stop: int32(stop(id)), Call: timetable.Call{Arrive: minutes(t, arrive), Depart: minutes(t, depart)}}
			if len(parts) == 3 {
				v.Rules = (parts[1][0] - '0') | (parts[2][0]-'0')<<2
			}
			trip.Visits = append(trip.Visits, v)
			calls[trip.ID] = append(calls[trip.ID], v.Call)
		}
		trips[trip.ID] = b.AddTrip(trip)
	}
	for _, c := range d.changes {
		var from, to, fromTrip, toTrip string
		var kind, seconds int
		if _, err := fmt.Sscan(c, &from, &to, &kind, &seconds, &fromTrip, &toTrip); err != nil {
			t.Fatal(err)
		}
		change := timetable.Change{From: -1, To: -1, FromLine: -1, ToLine: -1, FromTrip: trips[fromTrip], ToTrip: trips[toTrip], Kind: uint8(kind), Seconds: int32(seconds)}
		if from != "-" {
			change.From, change.To = stop(from), stop(to)
		}
		b.AddChange(change)
	}
	out := &drawn{town: &town{x: read(t, b), walk: map[uint32][]journey.Walk{}}}
	for _, w := range d.walks {
		var from, to string
		var seconds int32
		if _, err := fmt.Sscan(w, &from, &to, &seconds); err != nil {
			t.Fatal(err)
		}
		a, z := out.stop(t, from), out.stop(t, to)
		out.walk[a] = append(out.walk[a], journey.Walk{To: z, Seconds: seconds})
		out.walk[z] = append(out.walk[z], journey.Walk{To: a, Seconds: seconds})
	}
	out.n = journey.NewNetwork(out.x, out.walks)
	for _, l := range d.live {
		words := strings.Fields(l)
		c := journey.Change{Day: drawnDay + gtfs.Date(words[1][0]-'0'), Cancelled: words[2] == "cancelled"}
		for p := range uint32(out.x.Patterns()) {
			first, count := out.x.PatternTrips(p)
			for i := range count {
				if out.x.TripID(first+i) == words[0] {
					c.Trip = first + i
				}
			}
		}
		late, _ := strconv.Atoi(words[2])
		for _, call := range calls[words[0]] {
			c.Calls = append(c.Calls, timetable.Call{Arrive: call.Arrive + int32(late*60), Depart: call.Depart + int32(late*60)})
		}
		changes = append(changes, c)
	}
	if len(changes) > 0 {
		out.live = out.n.Live(changes)
	}
	return out
}

func (d *drawn) stop(t testing.TB, id string) uint32 {
	t.Helper()
	n, ok := d.x.Find(id)
	if !ok {
		t.Fatalf("no stop %s", id)
	}
	return n
}

// ask finds the journeys of a question "A C 1T07:55": from, to, and the day and time in UTC,
// with "by" for the latest arrival, "+60" for a window of an hour, "min=300" for the least
// change and "rides=1". An end can be several stops with their walks: "A=60,B=120".
func (d *drawn) ask(t testing.TB, text string) []string {
	t.Helper()
	words := strings.Fields(text)
	q := &journey.Query{Direct: -1, Modes: timetable.All, Live: d.live}
	end := func(text string) (list []journey.Access) {
		for _, s := range strings.Split(text, ",") {
			id, walk, _ := strings.Cut(s, "=")
			seconds, _ := strconv.Atoi(walk)
			list = append(list, journey.Access{Stop: d.stop(t, id), Seconds: int32(seconds)})
		}
		return list
	}
	q.From, q.To = end(words[0]), end(words[1])
	day, at, _ := strings.Cut(words[2], "T")
	n, err := strconv.Atoi(day)
	if err != nil {
		t.Fatal(err)
	}
	q.At = time.Unix(int64(drawnDay+gtfs.Date(n))*gtfs.Day+int64(minutes(t, at)), 0)
	for _, w := range words[3:] {
		name, value, _ := strings.Cut(strings.Replace(w, "+", "+=", 1), "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "by":
			q.ArriveBy = true
		case "+":
			q.Window = time.Duration(n) * time.Minute
		case "min":
			q.MinChange = int32(n)
		case "rides":
			q.MaxRides = n
		case "direct":
			q.Direct = int32(n)
		default:
			t.Fatalf("option %q", w)
		}
	}
	list := []string{}
	for _, j := range find(t, d.n, q) {
		list = append(list, d.text(&j))
	}
	return list
}

// text writes a journey in UTC: "07:59 walk 60 A, t1 A 08:00 C 08:20, 08:20".
func (d *drawn) text(j *journey.Journey) string {
	text := j.Depart.Format("15:04")
	for _, l := range j.Legs {
		name := func(stop uint32) string {
			if stop == timetable.None {
				return "end"
			}
			return d.x.Stop(stop).ID
		}
		switch {
		case !l.Ride:
			text += fmt.Sprintf(", walk %d %s", l.Walk, name(l.To))
		case l.StaySeated:
			text += ", on as " + d.x.TripID(l.Trip) + " to " + name(l.To)
		default:
			text += ", " + d.x.TripID(l.Trip) + " " + name(l.From) + " " + l.Depart.Format("15:04") + " " + name(l.To)
		}
		if l.Every > 0 {
			text += fmt.Sprint(" every ", l.Every)
		}
	}
	return text + ", " + j.Arrive.Format("15:04")
}

// Each of these was wrong in a system that others run. Days are from Sunday 31 March 2024, on
// which clocks go forward in London and Paris.
func TestTraps(t *testing.T) {
	type ask struct {
		text string
		want []string
	}
	none := []string{}
	for name, c := range map[string]struct {
		draw drawing
		asks []ask
	}{
		"a headway does not end a round of the search early": {
			drawing{trips: []string{"f,every=600@8:00-10:00 A@8:00 B@8:10", "t C@9:00 D@9:30", "u,every=300@9:00-11:00,exact D@9:00 E@9:07"}, walks: []string{"B C 300"}},
			[]ask{
				{"A E 1T07:00", []string{"07:35, f A 07:45 B every 600, walk 300 C, t C 08:00 D, u D 08:30 E, 08:37"}},
				{"A E 1T08:40 by", []string{"07:35, f A 07:45 B every 600, walk 300 C, t C 08:00 D, u D 08:30 E, 08:37"}},
			},
		},
		"a headway that is not exact is waited for in full, an exact one is not": {
			drawing{trips: []string{"f,every=600@8:00-10:00 A@8:00 B@8:10", "g,every=600@8:00-10:00,exact C@8:00 D@8:10"}},
			[]ask{
				{"A B 1T07:03", []string{"07:03, f A 07:13 B every 600, 07:23"}},
				{"A B 1T06:30", []string{"07:00, f A 07:10 B every 600, 07:20"}},
				{"A B 1T08:50", []string{"08:50, f A 09:00 B every 600, 09:10"}},
				{"A B 2T08:51", none},
				{"A B 1T07:30 by", []string{"07:10, f A 07:20 B every 600, 07:30"}},
				{"A B 1T07:00 +15", []string{"07:00, f A 07:10 B every 600, 07:20", "07:10, f A 07:20 B every 600, 07:30"}},
				{"C D 1T07:03", []string{"07:10, g C 07:10 D, 07:20"}},
				{"C D 2T08:51", none},
			},
		},
		"a headway of seven seconds": {
			drawing{trips: []string{"f,every=7@5:00-25:00 A@8:00 B@8:10"}},
			[]ask{{"A B 1T07:00", []string{"07:00, f A 07:00 B every 7, 07:10"}}},
		},
		"yesterday's trip after midnight does not hide today's": {
			drawing{trips: []string{"late A@27:34 B@28:35", "early A@3:35 B@3:55", "late2 A@26:30 B@26:50"}},
			[]ask{
				{"A B 2T02:00", []string{"02:35, early A 02:35 B, 02:55"}},
				{"A B 2T01:20", []string{"01:30, late2 A 01:30 B, 01:50"}},
				{"A B 2T04:00 by", []string{"02:35, early A 02:35 B, 02:55"}},
			},
		},
		"yesterday's and today's trips of one line overtake each other": {
			drawing{trips: []string{"slow,line=1 A@26:30 B@27:30 C@27:40", "slow2,line=1 A@2:40 B@2:50 C@3:00"}},
			[]ask{{"A C 2T01:00", []string{"01:40, slow2 A 01:40 C, 02:00"}}},
		},
		"clocks go forward: times count from noon minus twelve hours": {
			drawing{trips: []string{"t A@12:00 B@12:30", "dawn A@0:30 B@1:00"}},
			[]ask{
				{"A B 0T10:00", []string{"11:00, t A 11:00 B, 11:30"}},
				{"A B 0T11:30 by", []string{"11:00, t A 11:00 B, 11:30"}},
				{"A B -1T23:00", []string{"23:30, dawn A 23:30 B, 00:00"}},
			},
		},
		"agencies of two zones": {
			drawing{trips: []string{"l A@8:00 B@8:20", "p,zone=Paris B@9:30 C@10:00"}},
			[]ask{{"A C 1T06:00", []string{"07:00, l A 07:00 B, p B 07:30 C, 08:00"}}},
		},
		"a loop: both visits of a stop": {
			drawing{trips: []string{"t A@8:00 B@8:10 C@8:20 B@8:30 A@8:40"}},
			[]ask{
				{"B A 1T07:00", []string{"07:30, t B 07:30 A, 07:40"}},
				{"B C 1T07:00", []string{"07:10, t B 07:10 C, 07:20"}},
				{"A B 1T07:00", []string{"07:00, t A 07:00 B, 07:10"}},
				{"C B 1T08:00 by", []string{"07:20, t C 07:20 B, 07:30"}},
				{"B A 1T08:00 by", []string{"07:30, t B 07:30 A, 07:40"}},
				{"A B 1T07:25 by", []string{"07:00, t A 07:00 B, 07:10"}},
				{"A B 1T07:35 by", []string{"07:00, t A 07:00 B, 07:10"}},
				{"B B 1T07:00", []string{"07:10, t B 07:10 B, 07:30"}},
			},
		},
		"a change that is forbidden, at a stop and by a walk": {
			drawing{trips: []string{"t A@8:00 B@8:10", "u B@8:15 C@8:30", "v D@8:20 C@8:40"}, walks: []string{"B D 60"}, changes: []string{"B B 3 -1 - -"}},
			[]ask{{"A C 1T06:00", []string{"07:00, t A 07:00 B, walk 60 D, v D 07:20 C, 07:40"}}},
		},
		"a change that is forbidden between two trips": {
			drawing{trips: []string{"t A@8:00 B@8:10", "t2,line=t A@8:02 B@8:12", "u B@8:15 C@8:30", "w,line=u B@8:45 C@9:00"}, changes: []string{"B B 3 -1 t u"}},
			[]ask{
				{"A C 1T06:50 rides=2", []string{"07:02, t2 A 07:02 B, u B 07:15 C, 07:30"}},
				{"A C 1T07:40 by", []string{"07:02, t2 A 07:02 B, u B 07:15 C, 07:30"}},
			},
		},
		"a change takes the time that a rule gives, longer or shorter than usual, with its walk": {
			drawing{trips: []string{"t A@8:00 B@8:10", "u B@8:15 C@8:30", "v B@8:25 C@8:40", "x D@8:12 E@8:20", "y D@8:30 E@8:40"}, walks: []string{"B D 60"}, changes: []string{"B B 2 900 - -", "B D 2 1200 - -", "B D 2 600 - -"}},
			[]ask{
				{"A C 1T06:00", []string{"07:00, t A 07:00 B, v B 07:25 C, 07:40"}},
				{"A E 1T06:00", []string{"07:00, t A 07:00 B, walk 60 D, y D 07:30 E, 07:40"}},
				{"A C 1T08:00 by", []string{"07:00, t A 07:00 B, v B 07:25 C, 07:40"}},
			},
		},
		"a timed change needs no time, only that of the trip that waits": {
			drawing{trips: []string{"t A@8:00 B@8:10", "u B@8:10 C@8:30", "v B@8:11 C@8:25"}, changes: []string{"B B 1 -1 t u"}},
			[]ask{{"A C 1T06:00 min=300", []string{"07:00, t A 07:00 B, u B 07:10 C, 07:30"}}, {"A C 1T07:30 by min=300", []string{"07:00, t A 07:00 B, u B 07:10 C, 07:30"}}},
		},
		"least time of a change": {
			drawing{trips: []string{"t A@8:00 B@8:10", "u B@8:12 C@8:30", "v B@8:20 C@8:40"}},
			[]ask{{"A C 1T06:00 min=300", []string{"07:00, t A 07:00 B, v B 07:20 C, 07:40"}}, {"A C 1T06:00 min=120", []string{"07:00, t A 07:00 B, u B 07:12 C, 07:30"}}},
		},
		"a block goes on with its passengers, who do not change": {
			drawing{trips: []string{"t,block=b A@8:00 B@8:10", "u,block=b B@8:10 C@8:30", "v B@8:10 C@8:29"}},
			[]ask{
				{"A C 1T06:00 min=600", []string{"07:00, t A 07:00 B, on as u to C, 07:30"}},
				{"A C 1T06:00 rides=1", []string{"07:00, t A 07:00 B, on as u to C, 07:30"}},
				{"A C 1T07:30 by rides=1", []string{"07:00, t A 07:00 B, on as u to C, 07:30"}},
				{"B C 1T06:00", []string{"07:10, v B 07:10 C, 07:29"}},
				{"A B 1T06:00", []string{"07:00, t A 07:00 B, 07:10"}},
			},
		},
		"a rule of two trips comes before their blocks, and type 5 parts a block": {
			drawing{trips: []string{"t,block=b A@8:00 B@8:10", "u,block=b B@8:10 C@8:30", "w B@8:10 D@8:30", "x,block=c A@9:00 B@9:10", "y,block=c B@9:10 C@9:30"}, changes: []string{"- - 4 -1 t w", "- - 5 -1 x y"}},
			[]ask{
				{"A D 1T06:00 rides=1", []string{"07:00, t A 07:00 B, on as w to D, 07:30"}},
				{"A C 1T07:30 rides=1", none},
			},
		},
		"nobody boards or gets off where a rule says so, either way of the search": {
			drawing{trips: []string{"t A@8:00 B@8:10/1/0 C@8:20/0/1 D@8:30", "u B@9:00 C@9:10 D@9:20"}},
			[]ask{
				{"B D 1T06:00", []string{"08:00, u B 08:00 D, 08:20"}},
				{"B D 0T07:40 by", none},
				{"A C 1T06:00 rides=1", none},
				{"A C 0T08:00 by rides=1", none},
				{"A B 1T08:00 by", []string{"07:00, t A 07:00 B, 07:10"}},
				{"C D 1T08:00 by", []string{"07:20, t C 07:20 D, 07:30"}},
			},
		},
		"by phone and by asking the driver one boards": {
			drawing{trips: []string{"t A@8:00/2/0 B@8:10/0/3"}},
			[]ask{{"A B 1T06:00", []string{"07:00, t A 07:00 B, 07:10"}}},
		},
		"platforms of a station: its rules are theirs, and it is asked as all of them": {
			drawing{trips: []string{"t A@8:00 P@8:10", "u Q@8:12 C@8:30", "v Q@8:40 C@9:00"}, stops: []string{"P S", "Q S"}, walks: []string{"P Q 100"}, changes: []string{"S S 2 300 - -"}},
			[]ask{
				{"A C 1T06:00", []string{"07:00, t A 07:00 P, walk 100 Q, v Q 07:40 C, 08:00"}},
				{"S C 1T06:00", []string{"07:12, u Q 07:12 C, 07:30"}},
				{"A S 1T06:00", []string{"07:00, t A 07:00 P, 07:10"}},
			},
		},
		"a walk counts its own time, and a second too much is too late": {
			drawing{trips: []string{"t A@8:00 B@8:10", "u C@8:15 D@8:30", "v C@8:25 D@8:40"}, walks: []string{"B C 301"}},
			[]ask{{"A D 1T06:00", []string{"07:00, t A 07:00 B, walk 301 C, v C 07:25 D, 07:40"}}},
		},
		"a stop of an end twice: the shorter walk counts": {
			drawing{trips: []string{"t A@8:00 B@8:10"}},
			[]ask{
				{"A=60,A=600,A=120 B=50,B=900 1T06:30", []string{"06:59, walk 60 A, t A 07:00 B, walk 50 end, 07:10"}},
				{"A=600,A=60 B=900,B=50 1T06:30 +60", []string{"06:59, walk 60 A, t A 07:00 B, walk 50 end, 07:10"}},
			},
		},
		"fewer rides, a later arrival: both; less walking too": {
			drawing{trips: []string{"t A@8:00 B@8:10", "u B@8:15 C@8:30", "v A@8:00 C@8:50", "w A@8:00 D@8:20"}, walks: []string{"D C 200"}},
			[]ask{
				{"A C=0,D=1200 1T06:30", []string{"07:00, t A 07:00 B, u B 07:15 C, 07:30", "07:00, w A 07:00 D, walk 1200 end, 07:40", "07:00, v A 07:00 C, 07:50"}},
				{"A C 1T06:30 rides=1", []string{"07:00, v A 07:00 C, 07:50"}},
			},
		},
		"walking all the way is better than some journeys": {
			drawing{trips: []string{"t A@8:00 B@8:10"}},
			[]ask{
				{"A=600 B=600 1T06:30 direct=900", []string{"06:30, walk 900 end, 06:45"}},
				{"A B 1T06:55 direct=1800", []string{"06:55, walk 1800 end, 07:25", "07:00, t A 07:00 B, 07:10"}},
			},
		},
		"cancelled and late trips": {
			drawing{trips: []string{"t,line=1 A@8:00 B@8:20", "u,line=1 A@8:10 B@8:30", "v,line=1 A@8:20 B@8:40", "w B@8:35 C@8:50", "x B@8:55 C@9:00"}, live: []string{"t 1 cancelled", "u 1 25"}},
			[]ask{
				{"A B 1T06:30", []string{"07:20, v A 07:20 B, 07:40"}},
				{"A B 1T07:25", []string{"07:35, u A 07:35 B, 07:55"}},
				{"A C 1T06:30", []string{"07:20, v A 07:20 B, x B 07:55 C, 08:00"}},
				{"A B 2T06:30", []string{"07:00, t A 07:00 B, 07:20"}},
				{"A B 1T07:56 by", []string{"07:35, u A 07:35 B, 07:55"}},
			},
		},
		"a late vehicle that goes on as a trip of which nothing is known": {
			drawing{trips: []string{"t,block=b A@8:00 B@8:10", "u,block=b B@8:12 C@8:30"}, live: []string{"t 1 5"}},
			[]ask{{"A C 1T06:30", none}, {"A B 1T06:30", []string{"07:05, t A 07:05 B, 07:15"}}},
		},
	} {
		d := c.draw.build(t)
		for _, a := range c.asks {
			if got := d.ask(t, a.text); !slices.Equal(got, a.want) {
				t.Errorf("%s: %s:\n%q, want\n%q", name, a.text, got, a.want)
			}
		}
	}
}
