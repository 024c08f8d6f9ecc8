package timetable_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	importer "github.com/waygate/waygate/importer/timetable"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/realdata"
)

// plainFeed is a feed as its tables say, read by the standard library.
type plainFeed struct {
	zone     *time.Location
	calls    map[string][]plainCall // by stop
	services map[string]map[string]bool
}

// plainCall is a departure from a stop on days of a service.
type plainCall struct {
	line, service, what string
	seconds             int
}

func plainTable(t *testing.T, z *zip.ReadCloser, name string) (rows []map[string]string) {
	t.Helper()
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all[1:] {
		row := map[string]string{}
		for i, column := range all[0] {
			row[column] = r[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// readPlain reads a feed without frequencies whose times are all given.
func readPlain(t *testing.T, path string) *plainFeed {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	p := &plainFeed{calls: map[string][]plainCall{}, services: map[string]map[string]bool{}}
	if p.zone, err = time.LoadLocation(plainTable(t, z, "agency.txt")[0]["agency_timezone"]); err != nil {
		t.Fatal(err)
	}
	for _, row := range plainTable(t, z, "calendar.txt") {
		days := map[string]bool{}
		end, _ := time.Parse("20060102", row["end_date"])
		for day, _ := time.Parse("20060102", row["start_date"]); !day.After(end); day = day.AddDate(0, 0, 1) {
			if row[strings.ToLower(day.Weekday().String())] == "1" {
				days[day.Format("20060102")] = true
			}
		}
		p.services[row["service_id"]] = days
	}
	for _, row := range plainTable(t, z, "calendar_dates.txt") {
		if p.services[row["service_id"]] == nil {
			p.services[row["service_id"]] = map[string]bool{}
		}
		p.services[row["service_id"]][row["date"]] = row["exception_type"] == "1"
	}
	operators, lines := map[string]string{}, map[string]string{}
	for _, row := range plainTable(t, z, "agency.txt") {
		operators[row["agency_id"]] = row["agency_name"]
	}
	for _, row := range plainTable(t, z, "routes.txt") {
		lines[row["route_id"]] = operators[row["agency_id"]] + " " + row["route_short_name"]
	}
	trips := map[string]map[string]string{}
	for _, row := range plainTable(t, z, "trips.txt") {
		trips[row["trip_id"]] = row
	}
	var order []string
	visits := map[string][]map[string]string{}
	for _, row := range plainTable(t, z, "stop_times.txt") {
		if visits[row["trip_id"]] == nil {
			order = append(order, row["trip_id"])
		}
		visits[row["trip_id"]] = append(visits[row["trip_id"]], row)
	}
	for _, id := range order {
		list := visits[id]
		slices.SortStableFunc(list, func(a, b map[string]string) int {
			i, _ := strconv.Atoi(a["stop_sequence"])
			j, _ := strconv.Atoi(b["stop_sequence"])
			return i - j
		})
		last := len(list) - 1 // that can be called at
		for last > 0 && list[last]["pickup_type"] == "1" && list[last]["drop_off_type"] == "1" {
			last--
		}
		what := lines[trips[id]["route_id"]]
		for _, v := range list {
			what += " " + v["stop_id"] + v["departure_time"]
		}
		for _, v := range list[:last] {
			if v["pickup_type"] == "1" {
				continue
			}
			var h, m, s int
			if _, err := fmt.Sscanf(v["departure_time"], "%d:%d:%d", &h, &m, &s); err != nil {
				t.Fatal(err)
			}
			p.calls[v["stop_id"]] = append(p.calls[v["stop_id"]], plainCall{lines[trips[id]["route_id"]], trips[id]["service_id"], what, h*3600 + m*60 + s})
		}
	}
	return p
}

// board lists the departures of a stop, of several trips that are alike one.
func (p *plainFeed) board(stop string, from time.Time, window time.Duration) (list []string) {
	seen := map[string]bool{}
	for days := -3; days <= 1; days++ {
		y, m, d := from.In(p.zone).AddDate(0, 0, days).Date()
		begin := time.Date(y, m, d, 12, 0, 0, 0, p.zone).Add(-12 * time.Hour)
		date := fmt.Sprintf("%04d%02d%02d", y, m, d)
		for _, c := range p.calls[stop] {
			at := begin.Add(time.Duration(c.seconds) * time.Second)
			if key := fmt.Sprint(c.what, date, c.seconds); p.services[c.service][date] && !at.Before(from) && at.Before(from.Add(window)) && !seen[key] {
				seen[key] = true
				list = append(list, at.UTC().Format(time.RFC3339)+" "+c.line)
			}
		}
	}
	slices.Sort(list)
	return list
}

// Boards of real feeds are those that a plain reading of their tables has: on working days
// and holidays, around midnight, and on both days on which clocks change.
func TestBoardsOfRealFeeds(t *testing.T) {
	for _, name := range []string{"newport-20230613_gtfs.zip", "chester-20230816-small_gtfs.zip", "newport-wales-bus_gtfs.zip"} {
		t.Run(name, func(t *testing.T) {
			path := realdata.File(t, "transit/"+name)
			plain := readPlain(t, path)
			x, result := built(t, importer.Options{Feeds: []string{path}})
			if len(result.Faults) > 0 && !strings.Contains(strings.Join(result.Faults, " "), "backwards") {
				t.Log(result.Faults)
			}
			first, last, _ := x.Span()
			stops := slices.Sorted(func(yield func(string) bool) {
				for s := range plain.calls {
					if !yield(s) {
						return
					}
				}
			})
			r := rand.New(rand.NewPCG(uint64(len(stops)), 3))
			rows, days := 0, []string{"2023-08-28", "2023-10-29", "2023-12-25", "2024-01-01", "2024-03-31", "2024-04-01", "2024-10-27"}
			for n := range 1000 {
				day := int64(first) + r.Int64N(int64(last-first)+1)
				from := time.Unix(day*86400+r.Int64N(86400), 0)
				if n%4 == 0 {
					holiday, _ := time.Parse(time.DateOnly, days[n/4%len(days)])
					from = holiday.Add(time.Duration(r.Int64N(86400)) * time.Second)
				}
				stop := stops[r.IntN(len(stops))]
				at, ok := x.Find(stop)
				if !ok {
					t.Fatalf("no stop %s", stop)
				}
				want, got := plain.board(stop, from, 3*time.Hour), []string{}
				for _, d := range x.Departures(timetable.DepartureQuery{Stops: []uint32{at}, Modes: timetable.All, From: from, Window: 3 * time.Hour, Limit: 10_000}) {
					line := x.Line(x.LineOf(d))
					got = append(got, d.At.UTC().Format(time.RFC3339)+" "+x.Agency(line.Agency).Name+" "+line.ShortName)
				}
				slices.Sort(got)
				if len(want) != len(got) || !slices.Equal(want, got) && len(want) > 0 {
					t.Fatalf("%s from %s: %d departures, want %d\n%s\n%s", stop, from.UTC(), len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
				rows += len(want)
			}
			if rows < 500 {
				t.Errorf("only %d departures were compared", rows)
			}
		})
	}
}
