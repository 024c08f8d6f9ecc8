package hours

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// parseTime reads "Tu 07:30" (of the week of 1 September 2026), "2026-12-24 10:00".
func parseTime(t *testing.T, s string) time.Time {
	t.Helper()
	if at, err := time.Parse("2006-01-02 15:04", s); err == nil {
		return at
	}
	day, clock, _ := strings.Cut(s, " ")
	at, err := time.Parse("15:04", clock)
	if err != nil {
		t.Fatal(err)
	}
	// 30 August 2026 is a Sunday.
	return time.Date(2026, 8, 30+weekday(strings.ToLower(day)), at.Hour(), at.Minute(), 0, 0, time.UTC)
}

// TestSchedules has values found in the data, each with moments within and
// without.
func TestSchedules(t *testing.T) {
	for _, c := range []struct{ text, open, closed, unknown string }{
		{"24/7", "Mo 00:00,Su 23:59", "", ""},
		{"Mo-Su 24/7", "Mo 00:00,Su 23:59", "", ""},
		{"closed", "", "Mo 00:00,Su 12:00", ""},
		{"07:00-09:00", "Mo 07:00,Su 08:59", "Mo 06:59,Mo 09:00", ""},
		{"8:00-21:00", "Mo 08:00", "Mo 21:00", ""},
		{"Mo-Fr 07:00-09:00,15:00-17:00", "Mo 08:00,Fr 16:00", "Sa 08:00,Mo 12:00", ""},
		{"Mo-Fr 08:00-16:15; Sa 08:00-14:45", "Fr 16:00,Sa 14:00", "Sa 15:00,Su 10:00", ""},
		{"Oct-Mar 09:00-18:00; Apr-Sep 09:00-20:00", "2026-12-31 17:00,2026-08-01 19:00,2026-01-01 09:00", "2026-12-31 19:00,2026-02-28 18:00", ""},
		{"Su 19:30-24:00; Mo-Fr 00:00-24:00; Sa 00:00-04:00", "Su 20:00,We 03:00,Sa 03:59", "Su 19:00,Sa 04:00", ""},
		{"Mo-Fr 16:00-11:00;Sa 00:00-11:00", "Mo 16:00,Tu 10:59,Sa 10:00", "Mo 11:00,Tu 12:00,Sa 12:00,Su 12:00,Mo 10:00", ""},
		{"19:00-6:00", "Mo 23:00,Mo 05:59", "Mo 06:00,Mo 18:59", ""},
		{"Mo-Su 23:00-06:00", "Mo 02:00", "Mo 07:00", ""},
		{"Su", "Su 00:00,Su 23:59", "Mo 00:00,Sa 23:59", ""},
		{"We 06:00-16:00", "We 06:00", "Tu 06:00", ""},
		{"Mar 15-Sep 15", "2026-03-15 00:00,2026-09-15 23:59", "2026-03-14 23:59,2026-09-16 00:00", ""},
		{"Mar 15 - Sep 15", "2026-06-01 12:00", "2026-12-01 12:00", ""},
		{"Nov-Apr", "2026-11-01 00:00,2026-04-30 12:00", "2026-05-01 00:00,2026-10-31 12:00", ""},
		{"Mar-Oct 10:00-16:00", "2026-10-31 10:00", "2026-10-31 16:00,2026-11-01 10:00", ""},
		{"2016 Apr 25 - 2016 Sep 26", "2016-04-25 00:00,2016-09-26 23:00", "2016-04-24 23:59,2026-06-01 00:00", ""},
		{"2020 Mar 02-2020 May 10", "2020-04-01 00:00", "2021-04-01 00:00", ""},
		{"Tu 06:00-17:00; Sa 06:00-22:00", "Tu 16:59,Sa 21:59", "Tu 17:00,We 12:00", ""},
		{"Mo-Sa 00:00-07:30, 09:30-24:00; Su 00:00-24:00; PH 00:00-24:00", "Mo 07:00,Sa 10:00,Su 08:00", "Mo 08:00", ""},
		{"Mo-Sa 07:30-09:00, 17:00-19:30; PH off", "Mo 08:00,Sa 18:00", "Su 08:00,Mo 12:00", ""},
		{"Tu-Su 12:00-19:00; Th 12:00-21:00", "Th 20:00,Fr 18:00", "Fr 20:00,Mo 13:00", ""},
		{"Mo-Fr 07:30-18:00; Sa off; Su off", "Fr 07:30", "Sa 12:00,Su 12:00", ""},
		{"Mo-Fr 07:00-21:30; Sa 07:30-14:00; Su,PH closed", "Sa 08:00", "Su 10:00", ""},
		{"Nov-Mar: 7:00-18:00; Apr-Oct: 7:00-19:00", "2026-04-01 18:30,2026-12-01 07:00", "2026-12-01 18:30", ""},
		{"Mo-Fr 08:30-09:15,14:45-15:45; SH off", "Mo 09:00,Fr 15:00", "Mo 10:00", ""},
		{"07:00 - 24:00", "Mo 07:00,Mo 23:59", "Mo 06:59", ""},
		{"Sa14:00-24:00;Su", "Sa 14:00,Su 01:00", "Sa 13:59", ""},
		{"Su 00:00-24:00; Mo-Fr 00:00-09:00,19:00-00:00; Sa 00:00-09:00,13:00-00:00", "Mo 20:00,Sa 23:59,Su 12:00", "Mo 10:00,Sa 10:00", ""},
		{"Mo-Fr 07:00-09:00, Mo-Fr 15:00-18:00", "Mo 08:00,Mo 16:00", "Mo 12:00", ""},
		{"Mo-Fr 00:00-07:00, 09:00-15:00, 18:00-24:00; Sa-Su 24h", "Mo 10:00,Sa 08:00", "Mo 08:00", ""},
		{"Mo-Fr 09:00-12:00, 15-17; Sa 10:00-17:00", "Mo 16:00", "Mo 14:00", ""},
		{"10:30:00-12:30:00", "Mo 11:00", "Mo 13:00", ""},
		{"Su, Mo-Sa 20:00-06:00", "Su 21:00,Mo 05:00", "Su 12:00", ""},
		{"Jan 01-Mar 25 Mo-Su,PH 08:00-12:00,13:00-16:00; Mar 26-May 31 Mo-Su,PH 07:30-21:00", "2026-02-01 15:00,2026-04-01 20:00", "2026-02-01 12:30,2026-07-01 12:00", ""},
		{"Feb 28-Feb 31 08:00-20:00", "2028-02-29 08:00", "2026-03-01 08:00", ""},
		{"Mo-Fr 7-23", "Mo 22:00", "Mo 23:00,Sa 10:00", ""},
		{"7.00 - 17.00", "Mo 07:00", "Mo 17:00", ""},
		{"Sa,Su,PH 07:00-20:00", "Sa 08:00", "Fr 08:00", ""},
		{"PH 08:00-12:00", "", "Mo 09:00", ""},
		{"Mo-Su 10:00-sunset", "", "Mo 09:00", "Mo 10:00,Mo 23:00"},
		{"Mo-Su dawn-dusk", "", "", "Mo 12:00"},
		{"(sunrise-00:30)-18:00", "", "", "Mo 12:00"},
		{"22:00+", "", "Mo 12:00", "Mo 23:00,Mo 05:59"},
		{"18:00-22:00+", "Mo 19:00", "Mo 12:00", "Mo 23:00"},
		{"Apr 01-Oct 15: 09:00-18:00", "2026-10-15 09:00,2026-10-01 17:00", "2026-10-16 09:00,2026-05-01 18:00", ""},
		{"Dec 25,26 off; 10:00-12:00", "2026-12-27 11:00", "2026-12-27 09:00", ""},
		{"10:00-12:00; Dec 25,26 off", "2026-12-27 11:00", "2026-12-26 11:00,2026-12-25 11:00", ""},
		{"Su off, Mo-Sa 09:00-01:00", "Su 00:30,Mo 10:00", "Su 01:00,Su 10:00,Mo 00:30", ""},
		{"Mo-Fr 08:00-12:00; 13:00-18:00", "Mo 09:00,Mo 14:00,Su 14:00", "Mo 12:30,Su 09:00", ""},
		{"Mo-Th 18:00-03:00; Fr 16:00-23:00", "Tu 02:00,Th 23:00", "Fr 02:00", ""},
		{"Su[1] 10:00-12:00; Mo[-1]", "2026-09-06 11:00,2026-09-28 03:00", "2026-09-13 11:00,2026-09-21 03:00", ""},
		{"Th,Sa[1,3] 10:00-12:00", "2026-09-10 11:00,2026-09-05 11:00,2026-09-19 11:00", "2026-09-12 11:00", ""},
		{"week 36-40/2 Mo-Fr 08:00-10:00", "2026-08-31 09:00,2026-09-14 09:00", "2026-09-07 09:00,2026-10-12 09:00", ""},
		{"Mo-Fr 07:00-09:00 || 10:00-11:00", "Mo 08:00,Mo 10:30,Su 10:30", "Mo 09:30,Su 08:00", ""},
		{"Mo-Fr 08:00-16:00 || \"on appointment\"", "Mo 09:00", "", "Mo 17:00,Su 10:00"},
		{"Tu 09:00-12:00 \"by appointment\"; We 09:00-12:00 open \"Lunch\"", "We 10:00", "Th 10:00", "Tu 10:00"},
		{"Mo 08:00-10:00;\nTu 09:00-11:00", "Mo 09:00,Tu 10:00", "Tu 08:30", ""},
		{"Monday through Friday 8am to 6pm", "Mo 08:00,Fr 17:59", "Sa 10:00,Mo 18:00", ""},
		{"Mo unknown; Tu", "Tu 12:00", "We 12:00", "Mo 12:00"},
		{"monday-friday 07:00–09:00", "Mo 08:00", "Sa 08:00", ""},
		{"Dec 20-Jan 10", "2026-01-01 00:00,2026-12-31 00:00", "2026-02-01 00:00", ""},
		{"2026", "2026-05-05 12:00", "2027-05-05 12:00", ""},
		{"Oct 1-9 08:00-10:00", "2026-10-09 09:00", "2026-10-10 09:00", ""},
	} {
		s, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		for want, list := range map[State]string{Open: c.open, Closed: c.closed, Unknown: c.unknown} {
			for at := range strings.SplitSeq(list, ",") {
				if at == "" {
					continue
				}
				if got := s.At(parseTime(t, at)); got != want {
					t.Errorf("%s at %s: %d, want %d", c.text, at, got, want)
				}
			}
		}
	}
}

func TestNoSchedules(t *testing.T) {
	for _, text := range []string{
		"", ";", ",", "destination", "Mo-Fr 17:00,19:00", "schooldays only", "winter", "25", "Mo-", "Fr-F", "25:99-26:00", "07:00", "-", "week 1-99 Mo", "Su[7] 10:00-12:00",
		"Mo-Fr 07:00-09:00 | 10:00-11:00", "Mo \"by appointment", "easterly", "2016-Sep 26-", "7.00 - 17.00-9.00 - 19.00", "49:00-50:00", strings.Repeat("Mo;", 1000), "\x00",
	} {
		if s, err := Parse(text); err == nil {
			t.Errorf("%q is taken for a schedule: %+v", text, s)
		}
	}
}

// FuzzParse takes any text: what is taken for a schedule must be sound, and
// change only where MinutesOn says so.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"Mo-Fr 07:00-09:30,16:00-18:00; Sa off; PH 10:00-12:00", "Mar 15-Sep 15 22:00-06:00", "2016 Apr 25 - 2016 Sep 26", "(sunrise+01:00)-20:00",
		"Su, Mo-Sa 20:00-06:00", "Nov-Mar: 7:00-18:00", "24/7", "Mo 00:00-48:00", "17:00+",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		minutes := s.MinutesOn(time.Time{}, nil)
		for i := range minutes {
			minutes[i] %= 24 * 60
		}
		slices.Sort(minutes)
		minutes = slices.Compact(minutes)
		for day := range 3 {
			begin := time.Date(2026, 2, 27+day, 0, 0, 0, 0, time.UTC)
			next, last := 0, Closed
			for m := range 24 * 60 {
				state := s.At(begin.Add(time.Duration(m) * time.Minute))
				change := next < len(minutes) && minutes[next] == m
				if change {
					next++
				}
				if !change && state != last {
					t.Fatalf("%q changes at minute %d, which is none of %v", text, m, minutes)
				}
				last = state
			}
		}
	})
}
