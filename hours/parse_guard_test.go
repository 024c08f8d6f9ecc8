package hours

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// openOn compares a schedule that is open at noon of some days with what says which days those
// are, for each day of 2024 (of 366 days), 2025 and 2026 (of 53 weeks).
func openOn(t *rapid.T, text string, want func(day time.Time) bool) {
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for day := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC); day.Year() < 2027; day = day.AddDate(0, 0, 1) {
		if got := s.At(day) == Open; got != want(day) {
			t.Fatalf("%s is open on %s: %v, want %v", text, day.Format("Mon 2006-01-02"), got, want(day))
		}
	}
}

// TestWeeksOfTheYear has lists of weeks, ranges and steps.
func TestWeeksOfTheYear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var parts []string
		in := map[int]bool{}
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			from := rapid.IntRange(1, 53).Draw(t, "from")
			to, step := rapid.IntRange(from, 53).Draw(t, "to"), rapid.IntRange(1, 5).Draw(t, "step")
			switch rapid.SampledFrom([]string{"one", "range", "steps"}).Draw(t, "form") {
			case "one":
				to, step = from, 1
				parts = append(parts, fmt.Sprint(from))
			case "range":
				step = 1
				parts = append(parts, fmt.Sprintf("%d-%d", from, to))
			default:
				parts = append(parts, fmt.Sprintf("%d-%d/%d", from, to, step))
			}
			for w := from; w <= to; w += step {
				in[w] = true
			}
		}
		openOn(t, "week "+strings.Join(parts, ",")+" 10:00-14:00", func(day time.Time) bool {
			_, week := day.ISOWeek()
			return in[week]
		})
	})
}

// TestWeekdaysOfTheMonth has lists of which of a weekday count, from the front and from behind.
func TestWeekdaysOfTheMonth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weekday := rapid.IntRange(0, 6).Draw(t, "weekday")
		var parts []string
		in := map[int]bool{}
		for range rapid.IntRange(1, 3).Draw(t, "parts") {
			from := rapid.IntRange(1, 5).Draw(t, "from")
			switch rapid.SampledFrom([]string{"one", "range", "behind"}).Draw(t, "form") {
			case "one":
				parts, in[from] = append(parts, fmt.Sprint(from)), true
			case "behind":
				parts, in[-from] = append(parts, fmt.Sprint(-from)), true
			default:
				to := rapid.IntRange(from, 5).Draw(t, "to")
				parts = append(parts, fmt.Sprintf("%d-%d", from, to))
				for n := from; n <= to; n++ {
					in[n] = true
				}
			}
		}
		name := []string{"Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"}[weekday]
		openOn(t, name+"["+strings.Join(parts, ",")+"] 10:00-14:00", func(day time.Time) bool {
			days := time.Date(day.Year(), day.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
			return int(day.Weekday()) == weekday && (in[(day.Day()-1)/7+1] || in[-((days-day.Day())/7+1)])
		})
	})
}

// TestRangesOfDays has ranges of weekdays and of dates, over the ends of the week and the year too.
func TestRangesOfDays(t *testing.T) {
	months := []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.IntRange(0, 6).Draw(t, "first weekday"), rapid.IntRange(0, 6).Draw(t, "last weekday")
		names := []string{"Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"}
		openOn(t, names[a]+"-"+names[b]+" 10:00-14:00", func(day time.Time) bool {
			return (int(day.Weekday())-a+7)%7 <= (b-a+7)%7
		})
		from, to := rapid.IntRange(0, 11).Draw(t, "first month"), rapid.IntRange(0, 11).Draw(t, "last month")
		first, last := rapid.IntRange(1, 28).Draw(t, "first day"), rapid.IntRange(1, 28).Draw(t, "last day")
		within := func(at, low, high int) bool {
			if low <= high {
				return at >= low && at <= high
			}
			return at >= low || at <= high
		}
		openOn(t, months[from]+"-"+months[to]+" 10:00-14:00", func(day time.Time) bool { return within(int(day.Month())-1, from, to) })
		openOn(t, fmt.Sprintf("%s %d-%s %02d 10:00-14:00", months[from], first, months[to], last), func(day time.Time) bool {
			return within(100*(int(day.Month())-1)+day.Day(), 100*from+first, 100*to+last)
		})
		if first <= last {
			openOn(t, fmt.Sprintf("%s %d-%d 10:00-14:00", months[from], first, last), func(day time.Time) bool {
				return int(day.Month())-1 == from && day.Day() >= first && day.Day() <= last
			})
		}
		openOn(t, fmt.Sprintf("2025 %s %d-2026 %s %d 10:00-14:00", months[from], first, months[to], last), func(day time.Time) bool {
			at := 10000*day.Year() + 100*(int(day.Month())-1) + day.Day()
			return at >= 20250000+100*from+first && at <= 20260000+100*to+last
		})
	})
}

// TestParseAtItsLimits has numbers at a limit, which are taken, and beyond, which are not.
func TestParseAtItsLimits(t *testing.T) {
	for _, text := range []string{
		"week 1 Mo", "week 53 Mo", "week 53-53 Mo", "week 1-53/1 Mo", "Su[1] 10:00-11:00", "Su[5] 10:00-11:00", "Su[-5] 10:00-11:00", "Su[3-3] 10:00-11:00", "Jan 1", "Jan 31", "Jan 1-31", "1900", "1900-2100",
		"Su[1,2],Mo 10:00-11:00", "easter", "easter +1 day", "easter -2 days", "easter-easter +39 days", "|| 10:00-11:00", strings.Repeat("Mo;", MaxLength/3),
	} {
		if _, err := Parse(text); err != nil {
			t.Error(err)
		}
	}
	for _, text := range []string{
		"week", "week 0 Mo", "week 54 Mo", "week 5-4 Mo", "week 5-54 Mo", "week 5-6/0 Mo", "week 5- Mo", "week 5-6/ Mo", "Su[0]", "Su[6]", "Su[-6]", "Su[-0]", "Su[3-2]", "Su[3-6]", "Su[1", "Su[]", "Su[1;2]", "Su[1 2]",
		"Jan-", "Jan 5-", "Jan 5-0", "Jan 5-32", "2025 Jan-Foo", "Jan-2025 Feb", "| 10:00-11:00", "10:00-11:00 |", ",:", strings.Repeat("M", MaxLength+1), strings.Repeat("Mo;", MaxLength/3) + "Mo",
	} {
		if s, err := Parse(text); err == nil {
			t.Errorf("%.60q is taken for a schedule: %+v", text, s)
		}
	}
	// What is not "N days" after Easter is no shift.
	open := func(text string) (days []string) {
		s, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for day := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC); day.Year() < 2027; day = day.AddDate(0, 0, 1) {
			if s.At(day) == Open {
				days = append(days, day.Format("01-02"))
			}
		}
		return days
	}
	for text, want := range map[string][]string{"easter": {"04-05"}, "easter +1 day": {"04-06"}, "easter -2 days": {"04-03"}, "easter +39 days": {"05-14"}, "easter-easter +2 days": {"04-05", "04-06", "04-07"}} {
		if got := open(text); !slices.Equal(got, want) {
			t.Errorf("%s is open on %v, want %v", text, got, want)
		}
	}
}
