package roads

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/waygate/waygate/feed/traffic"
)

// again is a text without end.
type again struct {
	text string
	at   int
}

func (a *again) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], a.text[a.at:])
		n, a.at = n+k, (a.at+k)%len(a.text)
	}
	return n, nil
}

// TestBombs has documents of every format go on without end where real ones have one
// record, text or place. None is taken, and none takes more memory than it may.
func TestBombs(t *testing.T) {
	const size = 64 << 20
	record := `<d2LogicalModel><situation id="s"><situationRecord id="r" type="Accident">`
	for name, c := range map[string]struct{ format, begin, goesOn, says string }{
		"blanks in CIFS":             {"cifs", `{"incidents":[`, " ", "a record has more than"},
		"a text in CIFS":             {"cifs", `{"incidents":[{"description":"`, "x", "a record has more than"},
		"blanks in its XML":          {"cifs", "<incidents>", " ", "a record has more than"},
		"a text in its XML":          {"cifs", "<incidents><incident><description>", "x", "a record has more than"},
		"depth in its XML":           {"cifs", "<incidents>", "<a>", "256 deep"},
		"depth in an incident of it": {"cifs", "<incidents><incident>", "<a>", "a record has more than"},
		"blanks in WZDx":             {"wzdx", `{"features":[`, " ", "a record has more than"},
		"a member beside in WZDx":    {"wzdx", `{"x":`, "[", "exceeded max depth"},
		"points in WZDx":             {"wzdx", `{"features":[{"geometry":{"type":"LineString","coordinates":[`, "[1,2],", "a record has more than"},
		"blanks in JSON":             {"json", `{"records":[`, " ", "a record has more than"},
		"ends in JSON":               {"json", `{"ended":[`, `"x",`, "a record has more than"},
		"a line of CSV":              {"csv", "way,speed_kph\n1,", "1", "a record has more than"},
		"a quotation in CSV":         {"csv", "way,speed_kph\n1,\"", "1\n", "a record has more than"},
		"a line of speeds":           {"segments", "1,2,", "3", "a line of more than 4096"},
		"a line of turns":            {"turns", "1,2,3,", "4", "a line of more than 4096"},
		"a text in DATEX II":         {"datex2", record + "<causeType>", "x", "1 MiB of text"},
		"a tag in DATEX II":          {"datex2", record + "<causeType ", "x", "a tag of more than"},
		"depth in DATEX II":          {"datex2", record, "<a>", "256 deep"},
		"lines of one record":        {"datex2", record, "<posList>51 5 51 6 </posList>", "a place has 20002 points or more"},
		"points of one record":       {"datex2", record, "<pos>51 5</pos>", "a place has 20001 points or more"},
		"links of one record":        {"datex2", record, `<predefinedLocationReference id="x"/>`, ""},
		"comments of one record":     {"datex2", record + "<generalPublicComment>", "<value>xyz</value>", ""},
		"periods of one record":      {"datex2", record, "<validPeriod><startOfPeriod>2026-01-01T00:00:00Z</startOfPeriod></validPeriod>", ""},
		"references of one record":   {"datex2", record, "<openlrLastLocationReferencePoint><openlrBearing>1</openlrBearing></openlrLastLocationReferencePoint>", ""},
		"parts of one link":          {"datex2", `<payload><predefinedLocation id="l">`, `<predefinedLocationReference id="x"/>`, "20000 points or parts"},
		"records that are over":      {"datex2", `<payload>`, `<situationRecord id="x" type="Accident"><lifeCycleManagement><end>true</end></lifeCycleManagement></situationRecord>`, "more than 500000 records that are over"},
		"links":                      {"datex2", `<payload>`, `<predefinedLocation id="x"><pos>1 2</pos></predefinedLocation>`, "more than 500000 links"},
		"blanks in DATEX II":         {"datex2", record, " ", ""},
		"a remark in DATEX II":       {"datex2", record + "<!--", "x", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var most uint64
			from := io.MultiReader(strings.NewReader(c.begin), io.LimitReader(&again{text: strings.Repeat(c.goesOn, 1<<14)}, int64(size/len(c.goesOn)*len(c.goesOn))), strings.NewReader(endOf(c.begin)))
			d, err := formats[c.format](&watched{from: from, most: &most})
			runtime.ReadMemStats(&after)
			if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("%v, want %q", err, c.says)
			}
			if held := heldBy(d); most > before.HeapAlloc+300<<20 || held > 1<<20 {
				t.Errorf("%d MiB are held while it is read, %d things after", (most-before.HeapAlloc)>>20, held)
			}
		})
	}
}

// endOf closes a record of DATEX II, so that what was gathered is put into a document.
func endOf(begin string) string {
	switch {
	case strings.Contains(begin, "predefinedLocation"):
		return "</predefinedLocation></payload>"
	case strings.Contains(begin, "<!--"):
		return "--></situationRecord></situation></d2LogicalModel>"
	case strings.Contains(begin, "generalPublicComment"):
		return "</generalPublicComment></situationRecord></situation></d2LogicalModel>"
	case strings.Contains(begin, "situationRecord"):
		return "</situationRecord></situation></d2LogicalModel>"
	}
	return ""
}

// heldBy counts what a document holds.
func heldBy(d *traffic.Document) (n int) {
	if d == nil {
		return 0
	}
	for _, r := range d.Records {
		n += 1 + len(r.Place.Line) + len(r.Place.Links) + len(r.Windows)
	}
	return n + len(d.Links) + len(d.Ended)
}

// watched looks at the heap now and then while it is read.
type watched struct {
	from  io.Reader
	reads int
	most  *uint64
}

func (w *watched) Read(p []byte) (int, error) {
	if w.reads++; w.reads%64 == 0 {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		*w.most = max(*w.most, now.HeapAlloc)
	}
	return w.from.Read(p)
}
