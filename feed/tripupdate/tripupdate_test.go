package tripupdate_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/tripupdate"
	"github.com/waygate/waygate/realdata"
)

// polled reads documents one after the other as of a time.
func polled(t testing.TB, now time.Time, texts ...[]byte) (*feed.Snapshot[[]tripupdate.Update], error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "document")
	f, err := feed.New(feed.Options{Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}, feed.Source{ID: "u", Kind: "trip-updates", URL: path}, tripupdate.Kind())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err = f.Poll(t.Context()); err != nil && len(texts) == 1 {
			return nil, err
		}
	}
	return f.Latest(), err
}

func real(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(realdata.File(t, "feeds/gtfs-rt/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Trip updates of four operators: BART, Caltrain, Unitrans, and the one whose timetable is there.
func TestRealUpdates(t *testing.T) {
	for name, want := range map[string]struct {
		updates, calls, added, skipped int
		first                          string
	}{
		"bart-trip-updates.pb":     {91, 1060, 8, 0, "1011112WKDY    calls 19: DALY 1 1565201526"},
		"ct-trip-updates.pb":       {19, 220, 0, 0, "124 L1 20231107 937 calls 4: 70232 20 0"},
		"unitrans-trip-updates.pb": {37, 516, 0, 0, "U_39_outbound_1435 U 20250608  calls 5: 22274 1 0"},
		"raba-trip-updates.pb":     {9, 41, 0, 40, "28c61524-6da8-4506-9a92-22f2f6e91872 24 20250608 830 calls 1: 9902 1 1749418441"},
	} {
		s, err := polled(t, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), real(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		calls, added, skipped := 0, 0, 0
		for _, u := range s.Value {
			calls += len(u.Calls)
			if u.Relation == tripupdate.Added {
				added++
			}
			for _, c := range u.Calls {
				if c.Relation == tripupdate.Skipped {
					skipped++
				}
			}
		}
		u := s.Value[0]
		start := ""
		if u.StartTime != tripupdate.Unknown {
			start = fmt.Sprint(u.StartTime / 60)
		}
		first := fmt.Sprintf("%s %s %s %s calls %d: %s %d %d", u.Trip, u.Route, u.StartDate, start, len(u.Calls), u.Calls[0].Stop, u.Calls[0].Sequence, u.Calls[0].Arrive.At)
		if len(s.Value) != want.updates || calls != want.calls || added != want.added || skipped != want.skipped || first != want.first || len(s.Rejected) > 0 || s.Published.IsZero() {
			t.Errorf("%s: %d updates, %d calls, %d added, %d skipped, %q; %+v", name, len(s.Value), calls, added, skipped, first, s.Rejected)
		}
	}
}

const head = "<?xml version='1.0' encoding='utf-8'?>\n<Siri xmlns='http://www.siri.org.uk/siri'><ServiceDelivery><ResponseTimestamp>2026-07-01T12:00:00Z</ResponseTimestamp><EstimatedTimetableDelivery version='2.0'><EstimatedJourneyVersionFrame><RecordedAtTime>2026-07-01T11:59:00Z</RecordedAtTime>"

const tail = "</EstimatedJourneyVersionFrame></EstimatedTimetableDelivery></ServiceDelivery></Siri>"

func document(journeys ...string) []byte {
	var b strings.Builder
	b.WriteString(head)
	for _, j := range journeys {
		b.WriteString("<EstimatedVehicleJourney>" + j + "</EstimatedVehicleJourney>\n")
	}
	return []byte(b.String() + tail)
}

const named = "<LineRef>L7</LineRef><DirectionRef>Outbound</DirectionRef><FramedVehicleJourneyRef><DataFrameRef>2026-07-01</DataFrameRef><DatedVehicleJourneyRef>T1</DatedVehicleJourneyRef></FramedVehicleJourneyRef><OperatorRef>OP</OperatorRef>"

// call writes an EstimatedCall of a stop, aimed at 12:10 and left at 12:11.
func call(stop, members string) string {
	return "<EstimatedCall><StopPointRef>" + stop + "</StopPointRef><Order>3</Order>" + members + "</EstimatedCall>"
}

const aimed = "<AimedArrivalTime>2026-07-01T12:10:00Z</AimedArrivalTime><AimedDepartureTime>2026-07-01T12:11:00Z</AimedDepartureTime>"

func TestSIRI(t *testing.T) {
	calls := func(list ...string) string {
		return "<EstimatedCalls>" + strings.Join(list, "") + "</EstimatedCalls>"
	}
	expected := "<ExpectedArrivalTime>2026-07-01T12:13:00Z</ExpectedArrivalTime><ExpectedDepartureTime>2026-07-01T12:15:00Z</ExpectedDepartureTime>"
	for name, c := range map[string]struct{ journey, want string }{
		"delays":                            {named + calls(call("A", aimed+expected)), "T1 L7 OP 0 20260701 11:59: A#3 180,240"},
		"times without those aimed at":      {named + calls(call("A", expected)), "T1 L7 OP 0 20260701 11:59: A#3 12:13:00,12:15:00"},
		"local times written as UTC":        {named + calls(call("A", strings.ReplaceAll(aimed+expected, "T12:", "T13:"))), "T1 L7 OP 0 20260701 11:59: A#3 180,240"},
		"recorded calls":                    {named + "<RecordedCalls>" + strings.ReplaceAll(call("A", aimed+strings.ReplaceAll(expected, "Expected", "Actual")), "EstimatedCall", "RecordedCall") + "</RecordedCalls>", "T1 L7 OP 0 20260701 11:59: A#3 180,240"},
		"what was so counts before hopes":   {named + calls(call("A", aimed+expected+"<ActualArrivalTime>2026-07-01T12:12:00Z</ActualArrivalTime>")), "T1 L7 OP 0 20260701 11:59: A#3 120,240"},
		"recorded itself":                   {"<RecordedAtTime>2026-07-01T11:58:00Z</RecordedAtTime>" + named + calls(call("A", aimed+expected)), "T1 L7 OP 0 20260701 11:58: A#3 180,240"},
		"aimed times alone":                 {named + calls(call("A", aimed)), "T1 L7 OP 0 20260701 11:59: A#3 none"},
		"not monitored":                     {named + "<Monitored>false</Monitored>" + calls(call("A", aimed+expected), call("B", "<Cancellation>true</Cancellation>")), "T1 L7 OP 0 20260701 11:59: A#3 none B#3 skipped"},
		"a prediction that is inaccurate":   {named + calls(call("A", aimed+expected+"<PredictionInaccurate>true</PredictionInaccurate>")), "T1 L7 OP 0 20260701 11:59: A#3 none"},
		"cancelled":                         {named + "<Cancellation>true</Cancellation>", "T1 L7 OP 0 20260701 11:59 cancelled:"},
		"a call is cancelled":               {named + calls(call("A", aimed+expected+"<Cancellation>true</Cancellation>"), call("B", aimed+expected)), "T1 L7 OP 0 20260701 11:59: A#3 skipped B#3 180,240"},
		"a departure is cancelled":          {named + calls(call("A", aimed+"<DepartureStatus>cancelled</DepartureStatus>")), "T1 L7 OP 0 20260701 11:59: A#3 skipped"},
		"an extra call":                     {named + calls(call("A", aimed+expected), call("B", expected+"<ExtraCall>true</ExtraCall>")), "T1 L7 OP 0 20260701 11:59: A#3 180,240"},
		"an extra journey":                  {"<ExtraJourney>true</ExtraJourney>" + named, "T1 L7 OP 0 20260701 11:59 added:"},
		"no id, found by the time aimed at": {"<PublishedLineName>7</PublishedLineName>" + calls(call("A", aimed+expected), call("B", strings.ReplaceAll(aimed, "T12:1", "T12:2"))), "  7 -1  11:59: A#3 180,240 B#3 none leaves A 12:11 arrives B 12:20"},
		"a delay of two days":               {named + calls(call("A", aimed+strings.ReplaceAll(expected, "07-01", "07-03"))), "T1 L7 OP 0 20260701 11:59: A#3 none"},
		"times that are none":               {named + calls(call("A", "<ExpectedArrivalTime>soon</ExpectedArrivalTime><Order>x</Order>")), "T1 L7 OP 0 20260701 11:59: A#3 none"},
	} {
		s, err := polled(t, time.Date(2026, 7, 1, 12, 0, 30, 0, time.UTC), document(c.journey))
		if err != nil || len(s.Value) != 1 {
			t.Errorf("%s: %v", name, err)
			continue
		}
		u := s.Value[0]
		got := fmt.Sprintf("%s %s %s%s %d %s %s", u.Trip, u.Route, u.Operator, u.Line, u.Direction, u.StartDate, u.Seen.UTC().Format("15:04"))
		switch u.Relation {
		case tripupdate.Cancelled:
			got += " cancelled"
		case tripupdate.Added:
			got += " added"
		}
		got += ":"
		for _, c := range u.Calls {
			got += fmt.Sprintf(" %s#%d ", c.Stop, c.Sequence)
			switch c.Relation {
			case tripupdate.Skipped:
				got += "skipped"
			case tripupdate.NoData:
				got += "none"
			default:
				got += when(c.Arrive) + "," + when(c.Depart)
			}
		}
		if u.Trip == "" {
			got += fmt.Sprintf(" leaves %s %s arrives %s %s", u.Leaves.Stop, u.Leaves.At.Format("15:04"), u.Arrives.Stop, u.Arrives.At.Format("15:04"))
		}
		if got != c.want {
			t.Errorf("%s:\n%s, want\n%s", name, got, c.want)
		}
	}
}

func when(e tripupdate.Event) string {
	if e.At != 0 {
		return time.Unix(e.At, 0).UTC().Format(time.TimeOnly)
	}
	return fmt.Sprint(e.Delay)
}

// message writes a FeedMessage of a trip without calls, made at a time.
func message(at time.Time, incrementality uint64, trip string) []byte {
	head := protowire.AppendVarint(protowire.AppendTag(nil, 3, protowire.VarintType), uint64(at.Unix()))
	head = protowire.AppendVarint(protowire.AppendTag(head, 2, protowire.VarintType), incrementality)
	descriptor := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), trip)
	update := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), descriptor)
	entity := protowire.AppendBytes(protowire.AppendTag(nil, 3, protowire.BytesType), update)
	all := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), head)
	return protowire.AppendBytes(protowire.AppendTag(all, 2, protowire.BytesType), entity)
}

// A document that is no feed of trip updates is refused whole, so that the snapshot before it
// stays.
func TestRefused(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for name, text := range map[string][]byte{
		"a web page":            []byte("<!DOCTYPE html><html><body>Log in</body></html>"),
		"another document":      []byte("<Siri><ServiceDelivery><VehicleMonitoringDelivery/></ServiceDelivery></Siri>"),
		"cut within a journey":  document(named)[:len(head)+80],
		"JSON":                  []byte(`{"error":"quota"}`),
		"an entity of 2 GB":     []byte("\x12\xff\xff\xff\xff\x07"),
		"cut within an entity":  message(now, 0, "1")[:20],
		"changes only":          message(now, 1, "1"),
		"another character set": []byte("<?xml version='1.0' encoding='iso-8859-1'?><Siri/>"),
		"updates of no trip":    message(now, 0, ""),
	} {
		if s, err := polled(t, now, text); err == nil {
			t.Errorf("%s: %+v", name, s.Value)
		}
	}
	if s, err := polled(t, now, message(now, 0, "new"), message(now.Add(-time.Minute), 0, "old")); err == nil || s.Value[0].Trip != "new" {
		t.Errorf("a feed that goes back in time: %v, %+v", err, s)
	}
	if s, err := polled(t, now, message(now, 0, "1"), []byte("<html>down</html>")); err == nil || len(s.Value) != 1 {
		t.Errorf("a web page in place of data: %v, %+v", err, s)
	}
	if _, err := feed.New(feed.Options{}, feed.Source{ID: "v", Kind: "trip-updates", URL: "/none", Format: "netex"}, tripupdate.Kind()); err == nil || !strings.Contains(err.Error(), "siri-et") {
		t.Errorf("%v", err)
	}
}

// BenchmarkRead takes in the updates of 2,000 trips of 30 calls.
func BenchmarkRead(b *testing.B) {
	var list []string
	for i := range 2_000 {
		var calls strings.Builder
		for c := range 30 {
			calls.WriteString(call(fmt.Sprint("stop", (i*30+c)%5000), aimed+"<ExpectedDepartureTime>2026-07-01T12:13:00Z</ExpectedDepartureTime>"))
		}
		list = append(list, strings.Replace(named, "T1", fmt.Sprint("T", i), 1)+"<EstimatedCalls>"+calls.String()+"</EstimatedCalls>")
	}
	text := document(list...)
	b.ReportAllocs()
	for b.Loop() {
		s, err := polled(b, time.Date(2026, 7, 1, 12, 0, 30, 0, time.UTC), text)
		if err != nil || len(s.Value) != len(list) {
			b.Fatal(err)
		}
	}
}

// FuzzRead reads documents that are damaged: an error, or updates within bounds.
func FuzzRead(f *testing.F) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	f.Add(document(named + "<EstimatedCalls>" + call("A", aimed) + "</EstimatedCalls>"))
	f.Add(message(now, 0, "trip"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := polled(t, now, text)
		if err != nil || s == nil {
			return
		}
		for _, u := range s.Value {
			if u.Trip == "" && u.Route == "" && u.Line == "" || len(u.Trip) > 200 || u.Direction < -1 || u.Direction > 1 {
				t.Errorf("%+v", u)
			}
		}
	})
}
