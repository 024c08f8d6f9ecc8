package timetable

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
)

// town returns a timetable with something in every list of its section.
func town(t *testing.T) *Index {
	t.Helper()
	b := NewBuilder()
	agency, err := b.AddAgency(Agency{ID: "1", Name: "Buses", Zone: "Europe/London", Feed: b.AddFeed(Feed{Name: "town"})})
	if err != nil {
		t.Fatal(err)
	}
	line, service := b.AddLine(Line{ID: "1", ShortName: "1", Agency: agency, Mode: Bus, Colour: None, Ink: None}), b.AddService([]gtfs.Date{20000, 20070})
	station := b.AddStop(Stop{ID: "S", Name: "Station", NameIn: []Name{{Language: "cy", Text: "Gorsaf"}}, At: geo.Point{Lon: 9.5, Lat: 47.5}, Parent: -1, Kind: KindStation})
	var stops []int
	for i := range 3 {
		stops = append(stops, b.AddStop(Stop{ID: fmt.Sprint(i), Name: "Stop", At: geo.Point{Lon: 9.5, Lat: 47.5 + float64(i)/100}, Parent: -1}))
	}
	b.SetParent(stops[0], station)
	shape, _ := b.AddShape([]geo.Point{{Lon: 9.5, Lat: 47.49}, {Lon: 9.501, Lat: 47.51}, {Lon: 9.5, Lat: 47.53}})
	sign := b.Text("Circle")
	for n := range int32(6) {
		trip := Trip{ID: fmt.Sprint("t", n), Shape: shape, Block: fmt.Sprint(n / 2), Line: line, Service: service, Direction: 2, Wheelchair: Accessible}
		for i, s := range stops {
			at := n*600 + int32(i)*100
			trip.Visits = append(trip.Visits, Visit{Stop: int32(s), Sign: sign, Call: Call{Arrive: at, Depart: at}})
		}
		if n > 3 {
			trip.Headways = []Headway{{Start: 3600, End: 7200, Every: 300}}
		}
		b.AddTrip(trip)
	}
	b.AddChange(Change{From: station, To: stops[1], FromLine: line, ToLine: line, FromTrip: 3, ToTrip: 2, Kind: Minimum, Seconds: 90})
	b.AddChange(Change{From: stops[1], To: stops[2], FromLine: -1, ToLine: -1, FromTrip: -1, ToTrip: -1, Kind: Minimum, Seconds: 90})
	b.AddChange(Change{From: -1, To: -1, FromLine: -1, ToLine: -1, FromTrip: 1, ToTrip: 2, Kind: InSeat})
	b.AddWalk(stops[0], stops[1], 60, 70)
	b.AddStepFree(stops[0], stops[1], 80)
	x, _ := b.Build()
	return x
}

// TestReadRefusesWhatDoesNotFit spoils one number of a timetable that is read, for each rule of
// the section.
func TestReadRefusesWhatDoesNotFit(t *testing.T) {
	if _, err := Read(sectionOf(t, town(t), false)); err != nil {
		t.Fatal(err)
	}
	sizes := town(t)
	stops, lines, trips, patterns := uint32(len(sizes.stops)), uint32(len(sizes.lines)), uint32(len(sizes.trips)), uint32(len(sizes.patterns))
	text := uint32(len(sizes.text))
	repeated := -1
	for i := range sizes.patterns {
		if sizes.patterns[i].Repeats > 0 {
			repeated = i
		}
	}
	named := -1 // the change that names lines and trips
	for i := range sizes.transfers {
		if sizes.transfers[i].FromLine != None {
			named = i
		}
	}
	if repeated < 0 || named < 0 || len(sizes.onward) == 0 || len(sizes.patternSigns) == 0 || len(sizes.tripAccess) == 0 || len(sizes.child) == 0 || len(sizes.stepFree) == 0 {
		t.Fatal("the town lacks something")
	}
	for name, spoil := range map[string]func(x *Index){
		"a span of two numbers":                func(x *Index) { x.span = x.span[:2] },
		"days before the span":                 func(x *Index) { x.span[1] = -1 },
		"trips that go on backwards":           func(x *Index) { x.span[2] = -1 },
		"trips that go on too long":            func(x *Index) { x.span[2] = mostLag + 1 },
		"two southern rows":                    func(x *Index) { x.southRow = append(x.southRow, 1) },
		"no southern row":                      func(x *Index) { x.southRow = nil },
		"half a service":                       func(x *Index) { x.services = x.services[:1] },
		"services without days":                func(x *Index) { x.span[1] = 0 },
		"a rule too few":                       func(x *Index) { x.patternRules = x.patternRules[1:] },
		"calls of a stop too few":              func(x *Index) { x.callAt = x.callAt[:stops] },
		"calls that do not begin at 0":         func(x *Index) { x.callAt[0] = 1 },
		"calls that end elsewhere":             func(x *Index) { x.callAt[stops]-- },
		"calls out of order":                   func(x *Index) { x.callAt[1] = uint32(len(x.calls)) + 1 },
		"children that end elsewhere":          func(x *Index) { x.childAt[stops]++ },
		"transfers that end elsewhere":         func(x *Index) { x.transferAt[stops]++ },
		"walks that end elsewhere":             func(x *Index) { x.walkAt[stops]++ },
		"no rows":                              func(x *Index) { x.stopRow = nil },
		"rows that end elsewhere":              func(x *Index) { x.stopRow[len(x.stopRow)-1]++ },
		"a pattern of no stop":                 func(x *Index) { x.patternStops[0] = stops },
		"a child that is no stop":              func(x *Index) { x.child[0] = stops },
		"a call of no pattern":                 func(x *Index) { x.calls[0].Pattern = patterns },
		"a call after the last":                func(x *Index) { x.calls[0].Position = uint32(x.patterns[x.calls[0].Pattern].Length) },
		"a transfer from no stop":              func(x *Index) { x.transfers[0].From = stops },
		"a transfer to no stop":                func(x *Index) { x.transfers[0].To = stops },
		"a transfer of no kind":                func(x *Index) { x.transfers[0].Kind = Impossible + 1 },
		"a transfer from no line":              func(x *Index) { x.transfers[named].FromLine = lines },
		"a transfer to no line":                func(x *Index) { x.transfers[named].ToLine = lines },
		"a transfer from no trip":              func(x *Index) { x.transfers[named].FromTrip = trips },
		"a transfer to no trip":                func(x *Index) { x.transfers[named].ToTrip = trips },
		"a walk to no stop":                    func(x *Index) { x.walks[0].To = stops },
		"a way without steps too many":         func(x *Index) { x.stepFree = append(x.stepFree, 1) },
		"trips that go on elsewhere":           func(x *Index) { x.onwardAt[trips]++ },
		"a trip that goes on as none":          func(x *Index) { x.onward[0] = trips },
		"a pattern of no line":                 func(x *Index) { x.patterns[0].Line = lines },
		"a pattern without stops":              func(x *Index) { x.patterns[0].Length = 0 },
		"a pattern's stops after the last":     func(x *Index) { x.patterns[0].Stops = uint32(len(x.patternStops)) - 2 },
		"a pattern's signs after the last":     func(x *Index) { x.patterns[0].Signs = uint32(len(x.patternSigns)) - 2 },
		"a pattern's trips after the last":     func(x *Index) { x.patterns[0].Trips = trips - x.patterns[0].Count + 1 },
		"a pattern's times after the last":     func(x *Index) { x.patterns[repeated].Times = uint32(len(x.times)) - 5 },
		"a pattern's headways after the last":  func(x *Index) { x.patterns[repeated].Headways++ },
		"a headway of no trip":                 func(x *Index) { x.headways[0].Trip = x.patterns[repeated].Count },
		"a headway of no time":                 func(x *Index) { x.headways[0].Every = 0 },
		"a headway that ends before it begins": func(x *Index) { x.headways[0].End = x.headways[0].Start - 1 },
		"an id of no stop":                     func(x *Index) { x.stopIDs[0].Of = stops },
		"an id of no trip":                     func(x *Index) { x.tripIDs[0].Of = trips },
		"an id of no text":                     func(x *Index) { x.stopIDs[0].ID = text },
		"a wheelchair too few":                 func(x *Index) { x.tripAccess = x.tripAccess[1:] },
		"a trip of no service":                 func(x *Index) { x.trips[0].Service = 99 },
		"an agency of no feed":                 func(x *Index) { x.agencies[0].Feed = 1 },
		"a line of no agency":                  func(x *Index) { x.lines[0].Agency = 1 },
		"a stop in no station":                 func(x *Index) { x.stops[0].Parent = stops },
		"a feed of no name":                    func(x *Index) { x.feeds[0].Licence = text - 1 },
		"an agency of no zone":                 func(x *Index) { x.agencies[0].Zone = x.agencies[0].Name },
		"a line of no name":                    func(x *Index) { x.lines[0].LongName = text },
		"a stop of no name":                    func(x *Index) { x.stops[0].Heading = text },
		"a trip of no sign":                    func(x *Index) { x.trips[0].Sign = text },
		"a stop of no sign":                    func(x *Index) { x.patternSigns[0] = text },
		"a translation of no text":             func(x *Index) { x.translations[0].Text = text },
		"a text that is longer than all":       func(x *Index) { x.text[x.lines[0].ID] = 255; x.text[x.lines[0].ID+1] = 255 },
	} {
		x := town(t)
		spoil(x)
		if _, err := Read(sectionOf(t, x, false)); err == nil {
			t.Errorf("%s: it is read", name)
		}
	}
	// What is just within a limit is read.
	for name, change := range map[string]func(x *Index){
		"the last stop of a transfer":  func(x *Index) { x.transfers[0].To = stops - 1 },
		"the last trip of a transfer":  func(x *Index) { x.transfers[named].ToTrip = trips - 1 },
		"a transfer of any trip":       func(x *Index) { x.transfers[named].FromTrip, x.transfers[named].ToTrip = None, None },
		"a transfer of any line":       func(x *Index) { x.transfers[named].FromLine, x.transfers[named].ToLine = None, None },
		"a transfer that cannot be":    func(x *Index) { x.transfers[0].Kind = Impossible },
		"the longest trip":             func(x *Index) { x.span[2] = mostLag },
		"no ways without steps":        func(x *Index) { x.stepFree = nil },
		"no wheelchairs":               func(x *Index) { x.tripAccess = nil },
		"no trip that goes on":         func(x *Index) { x.onwardAt, x.onward = nil, nil },
		"a headway without departures": func(x *Index) { x.headways[0].End = x.headways[0].Start },
	} {
		x := town(t)
		change(x)
		if _, err := Read(sectionOf(t, x, false)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
