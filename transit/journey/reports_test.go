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
	} {
		if got := c.drawing.build(t).ask(t, c.from); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.report, got, c.want)
		}
	}
}
