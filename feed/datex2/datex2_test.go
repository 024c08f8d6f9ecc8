package datex2

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/openlr"
)

func read(t *testing.T, path string) *traffic.Document {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", filepath.Base(path), err)
	}
	return d
}

// TestReal reads what national access points publish.
func TestReal(t *testing.T) {
	dir := realdata.File(t, "feeds/datex2-eu")
	t.Run("Netherlands", func(t *testing.T) {
		d := read(t, filepath.Join(dir, "netherlands-situations.xml"))
		if d.Delta || d.Taken.IsZero() || len(d.Records) == 0 {
			t.Fatalf("delta %v, taken %v, %d records, rejected %v", d.Delta, d.Taken, len(d.Records), d.Rejected)
		}
		kinds := map[string]int{}
		for i := range d.Records {
			r := &d.Records[i]
			kinds[r.Incident.Kind]++
			if at := r.Place.Line[0]; at.Lat < 50 || at.Lat > 54 || at.Lon < 3 || at.Lon > 8 {
				t.Errorf("%s is at %v, not in the Netherlands", r.ID, at)
			}
			if r.Closed && r.Incident.Kind != "closure" {
				t.Errorf("%s closes as %s", r.ID, r.Incident.Kind)
			}
		}
		if kinds["lane_closure"] == 0 {
			t.Errorf("kinds %v", kinds)
		}
	})
	t.Run("safety messages", func(t *testing.T) {
		d := read(t, filepath.Join(dir, "netherlands-srti.xml"))
		r := d.Records[0]
		if len(d.Records) != 1 || r.Incident.Kind != "obstruction" || *r.Place.Heading != 121 || r.Place.Line[0] != (geo.Point{Lon: 4.0216646, Lat: 51.46491}) || r.Incident.Description != "Botsabsorber" {
			t.Errorf("read %+v %+v", r, r.Incident)
		}
	})
	t.Run("France", func(t *testing.T) {
		d := read(t, filepath.Join(dir, "france-events.xml"))
		r := d.Records[0]
		if len(d.Records) != 1 || r.Incident.Kind != "vehicle_breakdown" || *r.Place.Heading != 270 || r.Incident.Roads[0] != "A0004" || r.Incident.Severity != "medium" || r.Closed {
			t.Errorf("read %+v %+v", r, r.Incident)
		}
		d = read(t, filepath.Join(dir, "france-speeds.xml"))
		if len(d.Records) < 2 || d.Records[len(d.Records)-1].Kmh != 85 {
			t.Errorf("read %+v", d.Records)
		}
	})
	t.Run("Finland", func(t *testing.T) {
		d := read(t, filepath.Join(dir, "finland-roadworks.xml"))
		if len(d.Records) != 0 || d.Rejected.Sum() == 0 {
			t.Errorf("TMC codes alone gave %+v, rejected %v", d.Records, d.Rejected)
		}
	})
	t.Run("not traffic", func(t *testing.T) {
		d := read(t, filepath.Join(dir, "netherlands-truckparking-status.xml"))
		if len(d.Records) != 0 {
			t.Errorf("read %+v", d.Records)
		}
	})
}

// TestNTIS reads the samples of England's trunk roads.
func TestNTIS(t *testing.T) {
	dir := realdata.File(t, "uk/datex2-ntis")
	events, err := filepath.Glob(filepath.Join(dir, "Event_Data_*.xml"))
	if err != nil || len(events) == 0 {
		t.Fatal("no events")
	}
	linked := 0
	for _, name := range events {
		d := read(t, name)
		if !d.Delta || len(d.Records)+len(d.Ended) != 1 {
			t.Errorf("%s: delta %v, %d records, rejected %v", filepath.Base(name), d.Delta, len(d.Records), d.Rejected)
			continue
		}
		for i := range d.Records {
			linked += len(d.Records[i].Place.Links)
			if len(d.Records[i].Windows) == 0 {
				t.Errorf("%s has no times", filepath.Base(name))
			}
		}
	}
	if linked == 0 {
		t.Error("no event names a link")
	}
	for name, measured := range map[string]func(*traffic.Record) bool{
		"ANPR_Journey_Time_Data_3794915029662987.xml":  func(r *traffic.Record) bool { return r.Seconds > 0 && r.Kmh == 0 },
		"MIDAS_Loop_Traffic_Data_3793828281116175.xml": func(r *traffic.Record) bool { return r.Kmh > 5 && r.Kmh < 200 && r.Seconds == 0 },
	} {
		d := read(t, filepath.Join(dir, name))
		if len(d.Records) < 50 {
			t.Errorf("%s: %d records, rejected %v", name, len(d.Records), d.Rejected)
		}
		for i := range d.Records {
			if r := &d.Records[i]; !measured(r) || r.At.IsZero() {
				t.Fatalf("%s: %+v", name, r)
			}
		}
	}
}

const envelope = `<?xml version="1.0"?><S:Envelope xmlns:S="s"><S:Body><x:d2LogicalModel modelBaseVersion="2"><x:payloadPublication><x:publicationTime>2026-05-01T10:00:00Z</x:publicationTime>%s</x:payloadPublication></x:d2LogicalModel></S:Body></S:Envelope>`

func situationOf(inner string) string {
	return fmt.Sprintf(envelope, `<x:situation id="s1"><x:situationRecord id="r1" xsi:type="x:RoadOrCarriagewayOrLaneManagement">`+inner+`</x:situationRecord></x:situation>`)
}

func TestRead(t *testing.T) {
	at := `<pointByCoordinates><pointCoordinates><latitude>50</latitude><longitude>7</longitude></pointCoordinates></pointByCoordinates>`
	closed := `<roadOrCarriagewayOrLaneManagementType>roadClosed</roadOrCarriagewayOrLaneManagementType>`
	for _, c := range []struct {
		name, text string
		records    int
		closed     bool
	}{
		{"a closure in an envelope", situationOf(at + closed), 1, true},
		{"what is not known", situationOf(`<ext:new a="<'x"><ext:deep/></ext:new>` + at + `<!-- > -->` + closed), 1, true},
		{"lanes", situationOf(at + strings.Replace(closed, "roadClosed", "laneClosures", 1)), 1, false},
		{"at some hours", situationOf(at + closed + `<validPeriod><recurringTimePeriodOfDay/></validPeriod>`), 1, false},
		{"ended", situationOf(at + closed + `<management><lifeCycleManagement><end>true</end></lifeCycleManagement></management>`), 0, false},
		{"suspended", situationOf(at + closed + `<validity><validityStatus>suspended</validityStatus></validity>`), 0, false},
		{"swapped", situationOf(`<posList>150 7 151 8</posList>` + closed), 0, false},
		{"an odd line", situationOf(`<posList>7 50 8</posList>` + closed), 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Read(strings.NewReader(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Records) != c.records || c.records > 0 && d.Records[0].Closed != c.closed {
				t.Errorf("read %+v, rejected %v", d.Records, d.Rejected)
			}
			if !d.Taken.Equal(time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)) {
				t.Errorf("taken %v", d.Taken)
			}
		})
	}
}

func TestLinks(t *testing.T) {
	d, err := Read(strings.NewReader(fmt.Sprintf(envelope, `<predefinedLocationContainer id="A"><location><predefinedLocation><gmlLineString><posList>50 7 50.1 7.1</posList></gmlLineString></predefinedLocation></location></predefinedLocationContainer>
		<measurementSiteRecord id="M"><measurementSiteLocation><predefinedLocationReference id="A"/><predefinedLocationReference id="B"/></measurementSiteLocation></measurementSiteRecord>
		<predefinedLocation id="C"><tpegLinearLocation><to><pointCoordinates><latitude>51</latitude><longitude>8</longitude></pointCoordinates></to><from><pointCoordinates><latitude>50</latitude><longitude>7</longitude></pointCoordinates></from></tpegLinearLocation></predefinedLocation>`)))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.Links); got != fmt.Sprint([]traffic.Link{
		{ID: "A", Line: []geo.Point{{Lon: 7, Lat: 50}, {Lon: 7.1, Lat: 50.1}}},
		{ID: "M", Parts: []string{"A", "B"}},
		{ID: "C", Line: []geo.Point{{Lon: 7, Lat: 50}, {Lon: 8, Lat: 51}}},
	}) {
		t.Errorf("read %v", got)
	}
}

// TestNetworkModel reads links as the model of England's trunk roads has them: their kinds in
// one container, each line in one of its own, nodes and sections in others. A record about a
// link takes its line.
func TestNetworkModel(t *testing.T) {
	point := func(id string, lat, lon float64) string {
		return fmt.Sprintf(`<predefinedLocation id=%q version="1"><location xsi:type="Point"><pointByCoordinates><pointCoordinates><latitude>%g</latitude><longitude>%g</longitude></pointCoordinates></pointByCoordinates></location></predefinedLocation>`, id, lat, lon)
	}
	d, err := Read(strings.NewReader(fmt.Sprintf(envelope, `<predefinedLocationContainer id="NTIS_Network_Nodes">`+point("7", 50, 7)+point("8", 51, 8)+`</predefinedLocationContainer>
		<predefinedLocationContainer id="NTIS_Network_Links"><predefinedLocation id="125041701"><location xsi:type="Linear"><tpegLinearLocation>
			<to><pointCoordinates><latitude>51</latitude><longitude>8</longitude></pointCoordinates></to><from><pointCoordinates><latitude>50</latitude><longitude>7</longitude></pointCoordinates></from></tpegLinearLocation></location></predefinedLocation>
			<predefinedLocation id="125041801"><location><supplementaryPositionalDescription/></location></predefinedLocation></predefinedLocationContainer>
		<predefinedLocationContainer id="NTIS_Link_Shape_125041701">`+point("1", 50, 7)+point("2", 50.4, 7.9)+point("3", 51, 8)+`</predefinedLocationContainer>
		<predefinedLocationContainer id="NTIS_HATRIS_Section_9"><location><predefinedLocationReference id="125041701"/></location></predefinedLocationContainer>
		<predefinedLocation id="tmc"><location xsi:type="Linear"><alertCLinear><alertCLocation><specificLocation>4711</specificLocation></alertCLocation></alertCLinear></location></predefinedLocation>`)))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.Links); got != fmt.Sprint([]traffic.Link{
		{ID: "7", Line: []geo.Point{{Lon: 7, Lat: 50}}},
		{ID: "8", Line: []geo.Point{{Lon: 8, Lat: 51}}},
		{ID: "125041701", Line: []geo.Point{{Lon: 7, Lat: 50}, {Lon: 7.9, Lat: 50.4}, {Lon: 8, Lat: 51}}},
		{ID: "NTIS_HATRIS_Section_9", Parts: []string{"125041701"}},
	}) {
		t.Errorf("read %v", got)
	}
	if d.Rejected[tmcAlone] != 1 || d.Rejected.Sum() != 1 {
		t.Errorf("rejected %v", d.Rejected)
	}
}

func TestReadRefuses(t *testing.T) {
	whole := situationOf("<a/>")
	for name, text := range map[string]string{
		"nothing": "", "half": whole[:len(whole)-40], "HTML": "<html><body>no</body></html>", "JSON": `{"a":1}`,
		"entities": `<!DOCTYPE lolz [<!ENTITY lol "lol">]><d2LogicalModel>&lol;</d2LogicalModel>`,
		"depth":    strings.Repeat("<d2LogicalModel>", 1000),
		"a tag":    "<d2LogicalModel " + strings.Repeat("a", 1<<20),
		"ends":     "<d2LogicalModel></d2LogicalModel></d2LogicalModel>",
		"no name":  "<><d2LogicalModel/>",
	} {
		if d, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s was read: %+v", name, d)
		}
	}
}

// repeated is a document of any size.
type repeated struct {
	head, body, tail []byte
	times            int
	at               []byte
}

func (r *repeated) Read(p []byte) (int, error) {
	for len(r.at) == 0 {
		switch {
		case r.head != nil:
			r.at, r.head = r.head, nil
		case r.times > 0:
			r.at, r.times = r.body, r.times-1
		case r.tail != nil:
			r.at, r.tail = r.tail, nil
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, r.at)
	r.at = r.at[n:]
	return n, nil
}

// TestMemory checks that a document of any size takes no more memory than its
// records.
func TestMemory(t *testing.T) {
	situation := []byte(`<situation id="s"><situationRecord id="r" xsi:type="ReroutingManagement"><a>` + strings.Repeat("<b>text</b>", 1000) + `</a></situationRecord></situation>`)
	const times = 16_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := Read(&repeated{head: []byte("<d2LogicalModel>"), body: situation, tail: []byte("</d2LogicalModel>"), times: times})
	runtime.ReadMemStats(&after)
	if err != nil || d.Rejected["no incident on the road"] != times {
		t.Fatal(err, d)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
		t.Errorf("%d bytes were allocated for a document of %d", grown, times*len(situation))
	}
	t.Logf("%d bytes were allocated for a document of %d MB", after.TotalAlloc-before.TotalAlloc, times*len(situation)/1_000_000)
}

// TestLocalHours has hours without an offset be those of the clocks of the place,
// on either side of a change, whatever offset the record's own beginning has.
func TestLocalHours(t *testing.T) {
	line := `<posList>50 7 51 8</posList>` // Germany
	for _, c := range []struct {
		what, place, begun string
		utc                int // the hour at which a closure from 20:00 begins before and after the change
		after              int
	}{
		{"a line", line, "2026-10-01T00:00:00+02:00", 18, 19},
		{"a line, the beginning in UTC", line, "2026-10-01T00:00:00Z", 18, 19},
		{"OpenLR", `<openlrBinary>` + code(t, geo.Point{Lon: 7, Lat: 50}, geo.Point{Lon: 7.01, Lat: 50.01}) + `</openlrBinary>`, "2026-10-01T00:00:00+02:00", 18, 19},
		{"a link alone", `<predefinedLocationReference id="x"/>`, "2026-10-01T00:00:00+02:00", 18, 18},
	} {
		text := strings.Replace(situationOf(c.place+`<roadOrCarriagewayOrLaneManagementType>roadClosed</roadOrCarriagewayOrLaneManagementType>
			<overallStartTime>`+c.begun+`</overallStartTime><validPeriod><recurringTimePeriodOfDay><startTimeOfPeriod>20:00</startTimeOfPeriod><endTimeOfPeriod>22:00</endTimeOfPeriod></recurringTimePeriodOfDay></validPeriod>`),
			"2026-05-01", "2026-10-23", 1)
		d, err := Read(strings.NewReader(text))
		if err != nil || len(d.Records) != 1 || !d.Records[0].Closed {
			t.Fatalf("%s: %+v, %v", c.what, d, err)
		}
		begins := map[int]int{} // hours in UTC, by days of October
		for _, w := range d.Records[0].Windows {
			if w.From.Month() == time.October {
				begins[w.From.UTC().Day()] = w.From.UTC().Hour()
			}
		}
		if begins[24] != c.utc || begins[25] != c.after || begins[26] != c.after {
			t.Errorf("%s: begins at %v", c.what, begins)
		}
	}
}

// code returns a reference to a line in binary.
func code(t *testing.T, from, to geo.Point) string {
	t.Helper()
	l := openlr.Line{Points: []openlr.Point{{At: from, Bearing: 45, Metres: geo.Distance(from, to)}, {At: to, Bearing: 225}}}
	b, err := l.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b)
}

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"feeds/datex2-eu/netherlands-situations.xml", "uk/datex2-ntis/ANPR_Journey_Time_Data_3794915029662987.xml"} {
		b.Run(filepath.Base(name), func(b *testing.B) {
			data, err := os.ReadFile(realdata.File(b, name))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Read(bytes.NewReader(data)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestRecurring reads closures that hold at hours of days of the week.
func TestRecurring(t *testing.T) {
	day := func(d, hour int) time.Time { return time.Date(2026, 5, d, hour, 0, 0, 0, time.UTC) }
	period := func(inner string) string {
		return situationOf(`<posList>50 7 51 8</posList><roadOrCarriagewayOrLaneManagementType>roadClosed</roadOrCarriagewayOrLaneManagementType>
			<overallStartTime>2026-04-01T00:00:00+02:00</overallStartTime><overallEndTime>2026-06-01T00:00:00+02:00</overallEndTime><validPeriod>` + inner + `</validPeriod>`)
	}
	hours := `<recurringTimePeriodOfDay><startTimeOfPeriod>20:00:00%s</startTimeOfPeriod><endTimeOfPeriod>04:00:00%s</endTimeOfPeriod></recurringTimePeriodOfDay>`
	monday := `<recurringDayWeekMonthPeriod><applicableDay>monday</applicableDay></recurringDayWeekMonthPeriod>`
	for _, c := range []struct {
		what, text   string
		closed       bool
		holds, fails []time.Time
	}{
		{"nights", period(fmt.Sprintf(hours, "Z", "Z")), true, []time.Time{day(1, 21), day(2, 3), day(10, 23)}, []time.Time{day(1, 19), day(2, 5)}},
		{"nights in local time", period(fmt.Sprintf(hours, "", "")), true, []time.Time{day(1, 18), day(2, 1)}, []time.Time{day(1, 17), day(2, 3)}},
		{"Mondays", period(monday), true, []time.Time{day(4, 1), day(11, 21)}, []time.Time{day(3, 21), day(5, 1)}},
		{"Monday nights", period(fmt.Sprintf(hours, "Z", "Z") + monday), true, []time.Time{day(4, 21), day(5, 3)}, []time.Time{day(3, 21), day(5, 21)}},
		{"in a week of the month", period(`<recurringDayWeekMonthPeriod><applicableWeek>firstWeekOfMonth</applicableWeek></recurringDayWeekMonthPeriod>`), false, []time.Time{day(1, 12)}, nil},
		{"without an end", period(`<recurringTimePeriodOfDay><startTimeOfPeriod>20:00:00</startTimeOfPeriod></recurringTimePeriodOfDay>`), false, []time.Time{day(1, 12)}, nil},
		{"hours that are none", period(fmt.Sprintf(hours, "x", "")), false, nil, nil},
	} {
		d, err := Read(strings.NewReader(c.text))
		if err != nil || len(d.Records) != 1 {
			t.Fatalf("%s: %v, %d records", c.what, err, len(d.Records))
		}
		r := &d.Records[0]
		if r.Closed != c.closed || !r.Closed && d.Rejected.Sum() != 1 {
			t.Errorf("%s: closed %v, rejected %v", c.what, r.Closed, d.Rejected)
		}
		for _, at := range c.holds {
			if !r.ActiveAt(at) {
				t.Errorf("%s: does not hold at %v: %v", c.what, at, r.Windows)
			}
		}
		for _, at := range c.fails {
			if r.ActiveAt(at) {
				t.Errorf("%s: holds at %v", c.what, at)
			}
		}
	}
}

// TestOpenLR reads references written out, which come as the binary form of the same.
func TestOpenLR(t *testing.T) {
	point := func(last bool, lat, lon float64) string {
		name, path := "openlrLocationReferencePoint", `<openlrPathAttributes><openlrLowestFRCToNextLRPoint>FRC4</openlrLowestFRCToNextLRPoint><openlrDistanceToNextLRPoint>2000</openlrDistanceToNextLRPoint></openlrPathAttributes>`
		if last {
			name, path = "openlrLastLocationReferencePoint", ""
		}
		return fmt.Sprintf(`<%s><openlrCoordinate><latitude>%f</latitude><longitude>%f</longitude></openlrCoordinate><openlrLineAttributes><openlrFunctionalRoadClass>FRC3</openlrFunctionalRoadClass>
			<openlrFormOfWay>singleCarriageway</openlrFormOfWay><openlrBearing>90</openlrBearing></openlrLineAttributes>%s</%s>`, name, lat, lon, path, name)
	}
	both := point(false, 50, 7) + point(true, 50, 7.02) + `<openlrOffsets><openlrPositiveOffset>500</openlrPositiveOffset></openlrOffsets>`
	d, err := Read(strings.NewReader(situationOf(both + point(false, 50, 7.02) + point(true, 50, 7))))
	if err != nil || len(d.Records) != 2 {
		t.Fatalf("%v, %+v", err, d)
	}
	l, err := openlr.Parse(d.Records[0].Place.OpenLR)
	if err != nil || len(l.Points) != 2 {
		t.Fatal(err)
	}
	first, last := l.Points[0], l.Points[1]
	if geo.Distance(first.At, geo.Point{Lon: 7, Lat: 50}) > 5 || geo.Distance(last.At, geo.Point{Lon: 7.02, Lat: 50}) > 5 ||
		first.Class != 3 || first.Form != 3 || first.Lowest != 4 || math.Abs(first.Bearing-90) > 12 || math.Abs(first.Metres-2000) > 60 || math.Abs(l.Begin-0.25) > 0.01 || l.End != 0 {
		t.Errorf("read %+v", l)
	}
	binary := fmt.Sprintf(`<openlrBinary>%s</openlrBinary>`, base64.StdEncoding.EncodeToString(d.Records[1].Place.OpenLR))
	again, err := Read(strings.NewReader(situationOf(binary)))
	if err != nil || len(again.Records) != 1 || !bytes.Equal(again.Records[0].Place.OpenLR, d.Records[1].Place.OpenLR) {
		t.Errorf("the binary form: %v %+v", err, again)
	}
	for what, text := range map[string]string{"without a last point": point(false, 50, 7), "nowhere": point(false, 150, 7) + point(true, 50, 7), "no code": `<openlrBinary>AAAA</openlrBinary>`} {
		if d, err := Read(strings.NewReader(situationOf(text))); err != nil || len(d.Records) != 0 || d.Rejected.Sum() != 1 {
			t.Errorf("%s: %v %+v", what, err, d)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(situationOf(`<posList>50 7 51 8</posList>`)))
	f.Add([]byte(situationOf(`<openlrLocationReferencePoint/><openlrLastLocationReferencePoint/><validPeriod><recurringTimePeriodOfDay><startTimeOfPeriod>20:00</startTimeOfPeriod></recurringTimePeriodOfDay></validPeriod>`)))
	f.Add([]byte(`<d2LogicalModel><predefinedLocationContainer id="NTIS_Link_Shape_1"><predefinedLocation id="a"><latitude>50</latitude><longitude>7</longitude></predefinedLocation></predefinedLocationContainer></d2LogicalModel>`))
	f.Add([]byte(`<a b="c" d='e'>&amp;&#x41;<!-- x --><![CDATA[ ]]></a>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i := range d.Records {
			for _, p := range d.Records[i].Place.Line {
				if !p.Valid() {
					t.Fatalf("took %v", p)
				}
			}
		}
	})
}
