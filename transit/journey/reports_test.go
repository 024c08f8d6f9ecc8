package journey_test

import (
	"slices"
	"testing"
)

// Journeys that other systems were reported to get wrong.
func TestReports(t *testing.T) {
	none := []string{}
	for _, c := range []struct {
		report  string
		drawing drawing
		from    string
		want    []string
	}{
		{
			"motis 1224: off a stop early to walk to where the vehicle goes",
			drawing{trips: []string{"t A@8:00 B@8:10 C@8:13", "u C@8:20 D@8:40"}, walks: []string{"B C 100"}},
			"A D 1T06:50",
			[]string{"07:00, t A 07:00 C, u C 07:20 D, 07:40"},
		},
		{
			"motis 1224, of a window",
			drawing{trips: []string{"t A@8:00 B@8:10 C@8:13", "u C@8:20 D@8:40"}, walks: []string{"B C 100"}},
			"A D 1T06:50 +30",
			[]string{"07:00, t A 07:00 C, u C 07:20 D, 07:40"},
		},
		{
			"motis 1224, the other way: a walk past where the second vehicle calls",
			drawing{trips: []string{"t A@8:00 B@8:10", "u B@8:15 C@8:18 D@8:40"}, walks: []string{"B C 100"}},
			"A D 1T08:00 by",
			[]string{"07:00, t A 07:00 B, u B 07:15 D, 07:40"},
		},
		{
			"motis 1237: a block whose first trip is late and of whose second nothing is known",
			drawing{trips: []string{"t,block=b A@8:00 B@8:10", "u,block=b B@8:12 C@8:30"}, live: []string{"t 1 60"}},
			"A C 1T06:50", none,
		},
		{
			"motis 1237, its second trip alone",
			drawing{trips: []string{"t,block=b A@8:00 B@8:10", "u,block=b B@8:12 C@8:30"}, live: []string{"t 1 60"}},
			"B C 1T06:50",
			[]string{"07:12, u B 07:12 C, 07:30"},
		},
		{
			"motis 1400: a change that saves no time",
			drawing{trips: []string{"v A@8:00 M@8:10 B@8:30", "x M@8:12 B@8:30"}},
			"A B 1T06:50",
			[]string{"07:00, v A 07:00 B, 07:30"},
		},
		{
			"OpenTripPlanner 372: a day bus and a night bus of the same stops",
			drawing{trips: []string{"day,line=75 A@7:00 B@7:20", "night,line=249 A@23:30 B@23:50"}},
			"A B 1T05:30",
			[]string{"06:00, day A 06:00 B, 06:20"},
		},
		{
			"OpenTripPlanner 4467: one block on different days",
			drawing{trips: []string{"t,block=b,days=1 A@8:00 B@8:10", "u,block=b,days=2 B@8:12 C@8:30"}},
			"A C 1T06:50 rides=1", none,
		},
		{
			"OpenTripPlanner 6962: an arrival by a trip over midnight",
			drawing{trips: []string{"n A@23:50 B@24:20"}},
			"A B 1T23:30 by",
			[]string{"22:50, n A 22:50 B, 23:20"},
		},
		{
			"OpenTripPlanner 6962, asked for the day after",
			drawing{trips: []string{"n A@23:50 B@25:20"}},
			"A B 2T00:30 by",
			[]string{"22:50, n A 22:50 B, 00:20"},
		},
		{
			"OpenTripPlanner 798: yesterday's trip in the early morning",
			drawing{trips: []string{"n,days=0 A@24:50 B@25:20"}},
			"A B 0T23:30",
			[]string{"23:50, n A 23:50 B, 00:20"},
		},
		{
			"transitous 2460: a timed change between platforms",
			drawing{trips: []string{"r A@8:00 P@8:10", "o Q@8:11 B@8:30", "o2,line=o Q@8:26 B@8:45"}, walks: []string{"P Q 60"}, changes: []string{"P Q 1 -1 - -"}},
			"A B 1T06:50 min=300",
			[]string{"07:00, r A 07:00 P, walk 60 Q, o Q 07:11 B, 07:30"},
		},
		{
			"OpenTripPlanner 87: walks one after another",
			drawing{trips: []string{"t A@8:00 B@8:10", "w C@6:00 F@6:10", "u D@8:20 E@8:30"}, walks: []string{"B C 0", "C D 0"}},
			"A E 1T06:50", none,
		},
		{
			"transitous 601: a ride of more than a day, which no journey has",
			drawing{trips: []string{"t,days=1 A@8:00 B@33:00 C@35:00"}},
			"A C 1T06:50", none,
		},
		{
			"rrrr 74: an arrival at the very minute, and the sooner one with a change",
			drawing{trips: []string{"sprinter V@10:01 G@10:30 U@11:00", "ic G@10:35 U@10:45"}},
			"V U 1T10:00 by +60",
			[]string{"09:01, sprinter V 09:01 U, 10:00", "09:01, sprinter V 09:01 G, ic G 09:35 U, 09:45"},
		},
		{
			"rrrr 109: a walk back to where the bus comes from",
			drawing{trips: []string{"train L@10:11 X@11:13", "bus K@11:20 X@11:30 D@11:57"}, walks: []string{"X K 256"}},
			"L D 1T11:00 by",
			[]string{"09:11, train L 09:11 X, bus X 10:30 D, 10:57"},
		},
		{
			"trRouting 298: past the destination and back on foot, to be there on time",
			drawing{trips: []string{"t A@7:11 B@7:49 C@7:53"}},
			"A B=180,C=420 1T07:00 by",
			[]string{"06:11, t A 06:11 B, walk 180 end, 06:52"},
		},
		{
			"trRouting 298, the other way: back on foot to where the vehicle comes from",
			drawing{trips: []string{"t A@7:11 B@7:15 C@7:53"}},
			"A=420,B=180 C 1T06:00",
			[]string{"06:12, walk 180 B, t B 06:15 C, 06:53"},
		},
		{
			"trRouting 330: a change a stop too late",
			drawing{trips: []string{"a A@8:00 X@8:10 Y@8:12", "b X@8:15 D@8:30"}, walks: []string{"X Y 100"}},
			"A D 1T06:50",
			[]string{"07:00, a A 07:00 X, b X 07:15 D, 07:30"},
		},
		{
			"OpenTripPlanner 556: past the change and back to spend the wait",
			drawing{trips: []string{"g A@8:00 W@8:10 Z@8:20", "back Z@8:25 W@8:35", "m W@8:40 P@9:00"}},
			"A P 1T08:00 by",
			[]string{"07:00, g A 07:00 W, m W 07:40 P, 08:00"},
		},
		{
			"navitia 2580: a stop where one only gets off, near one of an earlier bus",
			drawing{trips: []string{"v A@18:50/0/1 B@19:20/1/0", "w A@17:00 C@17:20"}, walks: []string{"C B 120"}},
			"A B,C=120 1T18:20 by",
			[]string{"17:50, v A 17:50 B, 18:20"},
		},
		{
			"OpenTripPlanner 2228: on where the ring begins",
			drawing{trips: []string{"r1,line=r A@8:00 B@8:10 Z@8:30 A@8:40", "r2,line=r A@8:45 B@8:55 Z@9:15 A@9:25"}},
			"Z B 1T07:20",
			[]string{"07:30, r1 Z 07:30 A, r2 A 07:45 B, 07:55"},
		},
		{
			"OpenTripPlanner 840: round the whole ring rather than the other way",
			drawing{trips: []string{"one A@8:00 B@8:20 C@8:40 A@9:00", "other A@8:05 C@8:25 B@8:45 A@9:05"}},
			"A C 1T06:50",
			[]string{"07:05, other A 07:05 C, 07:25"},
		},
		{
			"R5 560: a faster headway of the evening, before it begins",
			drawing{trips: []string{"slow,line=f,every=600@7:00-8:00 A@7:00 B@7:30", "fast,line=f,every=600@20:00-21:00 A@20:00 B@20:10"}},
			"A B 1T06:00",
			[]string{"06:00, slow A 06:10 B every 600, 06:40"},
		},
		{
			"OpenTripPlanner 6212: the last headway of the day",
			drawing{trips: []string{"f,every=300@6:00-23:00 A@6:00 B@6:10"}},
			"A B 1T21:55",
			[]string{"21:55, f A 22:00 B every 300, 22:10"},
		},
		{
			"r5r 488: asked a minute before midnight",
			drawing{trips: []string{"n A@24:30 B@24:50"}},
			"A B 1T22:59",
			[]string{"23:30, n A 23:30 B, 23:50"},
		},
	} {
		if got := c.drawing.build(t).ask(t, c.from); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.report, got, c.want)
		}
	}
}
