package transit_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/tripupdate"
)

// journey returns an update of a trip of line 10, whose first call is late by so many minutes.
func journey(trip string, late int, members string) string {
	aimed := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	if trip == "77" { // by whose times no other is found
		aimed = aimed.Add(7 * time.Minute)
	}
	return fmt.Sprintf("<EstimatedVehicleJourney><LineRef>10</LineRef><FramedVehicleJourneyRef><DataFrameRef>2026-03-02</DataFrameRef><DatedVehicleJourneyRef>%s</DatedVehicleJourneyRef></FramedVehicleJourneyRef>%s<EstimatedCalls><EstimatedCall><StopPointRef>N1</StopPointRef><AimedDepartureTime>%s</AimedDepartureTime><ExpectedDepartureTime>%s</ExpectedDepartureTime></EstimatedCall></EstimatedCalls></EstimatedVehicleJourney>",
		trip, members, aimed.Format(time.RFC3339), aimed.Add(time.Duration(late)*time.Minute).Format(time.RFC3339))
}

// published returns a feed of SIRI-ET, and a function that writes its document anew and has it
// polled.
func published(t *testing.T) (updates *transit.UpdateFeeds, publish func(journeys []string)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "siri.xml")
	updates = transit.NewUpdateFeeds(nil)
	m, err := updates.Add(feed.Options{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "siri", Kind: "trip-updates", URL: path, Attribution: "Updates by Town"})
	if err != nil {
		t.Fatal(err)
	}
	return updates, func(journeys []string) {
		t.Helper()
		text := "<Siri><ServiceDelivery><ResponseTimestamp>" + now.Format(time.RFC3339) + "</ResponseTimestamp><EstimatedTimetableDelivery><EstimatedJourneyVersionFrame>" + strings.Join(journeys, "") + "</EstimatedJourneyVersionFrame></EstimatedTimetableDelivery></ServiceDelivery></Siri>"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := m.(*feed.Feed[[]tripupdate.Update]).Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// A board has what fresh updates say, in the order of the timetable; its basis stays.
func TestUpdates(t *testing.T) {
	skipped := strings.Replace(journey("10-8", 0, ""), "</EstimatedCall>", "<Cancellation>true</Cancellation></EstimatedCall>", 1)
	updates, publish := published(t)
	at := now
	g := servedWith(t, drawn(t), func(o *api.Options) { o.Updates, o.Now = updates, func() time.Time { return at } })
	for _, c := range []struct {
		name     string
		age      time.Duration
		journeys []string
		want     string
	}{
		{"nothing has come yet", 0, nil, "08:00, 09:00"},
		{"late", 30 * time.Second, []string{journey("10-8", 7, "")}, "08:00 expected 08:07 age 30, 09:00"},
		{"cancelled", 0, []string{journey("10-8", 0, "<Cancellation>true</Cancellation>")}, "08:00 cancelled age 0, 09:00"},
		{"the stop is left out", 0, []string{skipped, journey("10-9", 1, "")}, "08:00 skipped age 0, 09:00 expected 09:01 age 0"},
		{"later than the next", 0, []string{journey("10-8", 75, ""), journey("10-9", 0, "")}, "08:00 expected 09:15 age 0, 09:00 expected 09:00 age 0"},
		{"late into the board", 0, []string{journey("10-7", 50, "")}, "07:00 expected 07:50 age 0, 08:00, 09:00"},
		{"late, and gone by now", 0, []string{journey("10-7", 20, "")}, "08:00, 09:00"},
		{"an hour and more late", 0, []string{journey("10-6", 100, "")}, "08:00, 09:00"},
		{"late before, and cancelled", 0, []string{journey("10-7", 50, "<Cancellation>true</Cancellation>")}, "08:00, 09:00"},
		{"of a trip that is not there", 0, []string{journey("77", 7, "")}, "08:00, 09:00"},
		{"of a trip beside the others", 0, []string{journey("77", 7, "<ExtraJourney>true</ExtraJourney>")}, "08:00, 09:00"},
		{"without a time expected", 0, []string{strings.ReplaceAll(journey("10-8", 7, ""), "ExpectedDepartureTime", "Other")}, "08:00, 09:00"},
		{"stale", 181 * time.Second, []string{journey("10-8", 7, "")}, "08:00, 09:00"},
	} {
		if len(c.journeys) > 0 {
			publish(c.journeys)
		}
		name := c.name
		at = now.Add(c.age)
		r := g.Send("GET", "/v1/transit/departures?stop=N1&window_minutes=120", "")
		if r.Status != 200 || r.At(t, "basis") != "timetable" || r.At(t, "label") != transit.Label {
			t.Fatalf("%s: %s", name, r.Body)
		}
		var got []string
		for _, d := range r.At(t, "departures").([]any) {
			d := d.(apitest.Object)
			clock := func(text any) string { return fmt.Sprint(text)[11:16] }
			one := clock(d["scheduled_at"])
			if d["cancelled"] == true {
				one += " cancelled"
			}
			if d["skipped"] == true {
				one += " skipped"
			}
			if d["expected_at"] != nil {
				one += " expected " + clock(d["expected_at"])
			}
			if d["expected_basis"] != nil {
				one += fmt.Sprint(" age ", d["expected_age_s"])
			}
			got = append(got, one)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s, want %s", name, strings.Join(got, ", "), c.want)
		}
		state, status := fmt.Sprint(r.At(t, "trip_updates")), "ok"
		switch name {
		case "stale":
			status = "stale"
		case "nothing has come yet":
			status = "unknown"
		case "of a trip that is not there":
			status = "ok trips:0 unmatched:1"
		case "of a trip beside the others":
			status = "ok trips:0 unmatched:0"
		}
		if !strings.Contains(state, "status:"+status) {
			t.Errorf("%s: %s", name, state)
		}
		if attributed := strings.Contains(fmt.Sprint(r.At(t, "attribution")), "Updates by Town"); attributed != strings.HasPrefix(status, "ok") {
			t.Errorf("%s: %v", name, r.At(t, "attribution"))
		}
	}
}

// A journey takes the times that fresh updates say and no trip that is cancelled, and each
// of its times says which it is.
func TestJourneysWithUpdates(t *testing.T) {
	updates, publish := published(t)
	at := now
	g := apitest.Many(t, nil, with(t, drawn(t), func(o *api.Options) { o.Updates, o.Now = updates, func() time.Time { return at } }))
	for _, c := range []struct {
		name     string
		age      time.Duration
		journeys []string
		want     string
	}{
		{"nothing has come yet", 0, nil, "timetable: 08:00 to 08:05, 09:00 to 09:05"},
		{"late", 0, []string{journey("10-8", 7, "")}, "live: 08:07 (08:00) to 08:12 (08:05), 09:00 to 09:05"},
		{"cancelled", 0, []string{journey("10-8", 0, "<Cancellation>true</Cancellation>")}, "timetable: 09:00 to 09:05"},
		{"later than the next", 0, []string{journey("10-8", 75, "")}, "live: 09:00 to 09:05, 09:15 (08:00) to 09:20 (08:05)"},
		{"late into the window", 0, []string{journey("10-7", 50, "")}, "live: 07:50 (07:00) to 07:55 (07:05), 08:00 to 08:05, 09:00 to 09:05"},
		{"stale", 181 * time.Second, []string{journey("10-8", 7, "")}, "timetable: 08:00 to 08:05, 09:00 to 09:05"},
	} {
		if len(c.journeys) > 0 {
			publish(c.journeys)
		}
		at = now.Add(c.age)
		r := g.Send("POST", "/v1/transit/journeys", `{"from":{"lat":47.5,"lon":9.5},"to":{"lat":47.502,"lon":9.5},"at":"2026-03-02T07:30:00Z","window_minutes":120,"max_walk_m":150,"modes":["bus"]}`)
		if r.Status != 200 || r.At(t, "label") != transit.Label {
			t.Fatalf("%s: %s", c.name, r.Body)
		}
		clock := func(live, scheduled any) string {
			text := fmt.Sprint(live)[11:16]
			if scheduled != nil {
				text += " (" + fmt.Sprint(scheduled)[11:16] + ")"
			}
			return text
		}
		var got []string
		for _, j := range r.At(t, "journeys").([]any) {
			stops := j.(apitest.Object)["legs"].([]any)[0].(apitest.Object)["stops"].([]any)
			first, last := stops[0].(apitest.Object), stops[len(stops)-1].(apitest.Object)
			if (first["basis"] == "live") != (first["scheduled_depart_at"] != nil) {
				t.Errorf("%s: %s", c.name, r.Body)
			}
			got = append(got, clock(first["depart_at"], first["scheduled_depart_at"])+" to "+clock(last["arrive_at"], last["scheduled_arrive_at"]))
		}
		if text := fmt.Sprint(r.At(t, "basis"), ": ", strings.Join(got, ", ")); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
		if said := strings.Contains(fmt.Sprint(r.At(t, "attribution")), "Updates by Town"); said != (c.age == 0 && len(c.journeys) > 0) {
			t.Errorf("%s: attribution %v", c.name, r.At(t, "attribution"))
		}
	}
}

// The area within reach counts fresh trip updates, and says so.
func TestReachWithUpdates(t *testing.T) {
	updates, publish := published(t)
	g := apitest.Many(t, nil, with(t, drawn(t), func(o *api.Options) { o.Updates = updates }))
	publish([]string{journey("10-8", 7, "")})
	r := g.Send("POST", "/matrix", `{"sources":[{"lat":47.5,"lon":9.5}],"targets":[{"lat":47.502,"lon":9.5}],"costing":"transit","date_time":{"type":1,"value":"2026-03-02T07:50"},"transit":{"max_walk_m":150,"modes":["bus"]}}`)
	if r.Status != 200 || fmt.Sprint(r.At(t, "durations")) != "[[1320]]" || r.At(t, "transit", "basis") != "live" || r.At(t, "transit", "trip_updates", "status") != "ok" || !strings.Contains(fmt.Sprint(r.At(t, "transit", "attribution")), "Updates by Town") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}
