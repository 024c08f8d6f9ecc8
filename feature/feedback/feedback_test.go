package feedback_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// clock is a time that a test moves.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// noon of a day that a month's end follows.
func noon() *clock { return &clock{time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)} }

func open(t *testing.T, address string, now func() time.Time) (*feedback.Service, *store.DB) {
	t.Helper()
	db := storetest.Open(t, address)
	service, err := feedback.New(t.Context(), db, now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return service, db
}

func issue() feedback.MapIssue {
	return feedback.MapIssue{Lat: 49.3, Lon: -7.1, Category: "road-missing"}
}

// All callers without a key have a ceiling together, for a network costs nothing;
// keys have turns beyond it.
func TestKeylessCeiling(t *testing.T) {
	c := noon()
	service, _ := open(t, storetest.SQLite(t), c.Now)
	for i := range feedback.KeylessIssuesPerDay {
		report(t, service, fmt.Sprintf("10.0.%d.%d", i/256, i%256), issue())
	}
	_, err := service.Report(t.Context(), "10.9.9.9", issue())
	if wait := refused(t, err, fault.MapIssueVelocity, feedback.KeylessIssuesPerDay); wait != 12*3600 {
		t.Errorf("wait %d s until midnight", wait)
	}
	keyed := issue()
	keyed.KeyID = "k"
	report(t, service, "k", keyed)
	c.now = c.now.Add(12 * time.Hour)
	report(t, service, "10.9.9.9", issue())
}

func report(t *testing.T, s *feedback.Service, who string, i feedback.MapIssue) string {
	t.Helper()
	id, err := s.Report(t.Context(), who, i)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func submit(t *testing.T, s *feedback.Service, r feedback.Retro) string {
	t.Helper()
	id, err := s.Submit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// wrong returns the locations of a bad-request.
func wrong(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var f *fault.Error
	if !errors.As(err, &f) || f.Slug != fault.BadRequest {
		t.Fatalf("%v is no bad-request", err)
	}
	if _, err := json.Marshal(f.Fields); err != nil {
		t.Errorf("cannot be sent: %v", err)
	}
	var at []string
	for _, v := range f.Fields["errors"].([]fault.Violation) {
		at = append(at, v.Location)
	}
	return at
}

// refused returns the wait of a velocity error.
func refused(t *testing.T, err error, slug fault.Slug, limit int) int {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Slug != slug || f.Fields["limit"] != limit {
		t.Fatalf("%v is no %s with a limit of %d", err, slug, limit)
	}
	wait, ok := f.Fields["retry_after"].(int)
	if !ok {
		t.Fatalf("retry_after is %v", f.Fields["retry_after"])
	}
	return wait
}

func count(t *testing.T, db *store.DB, table string) (n int) {
	t.Helper()
	if err := db.QueryRow(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestReportChecks(t *testing.T) {
	service, db := open(t, storetest.SQLite(t), nil)
	long := func(n int) string { return strings.Repeat("x", n) }
	cases := map[string]struct {
		change func(*feedback.MapIssue)
		wrong  []string
	}{
		"plain":                {func(*feedback.MapIssue) {}, nil},
		"corners":              {func(i *feedback.MapIssue) { i.Lat, i.Lon = -90, 180 }, nil},
		"lat above":            {func(i *feedback.MapIssue) { i.Lat = math.Nextafter(90, 91) }, []string{"lat"}},
		"lon below":            {func(i *feedback.MapIssue) { i.Lon = -180.001 }, []string{"lon"}},
		"no number":            {func(i *feedback.MapIssue) { i.Lat, i.Lon = math.NaN(), math.Inf(1) }, []string{"lat", "lon"}},
		"no category":          {func(i *feedback.MapIssue) { i.Category = "" }, []string{"category"}},
		"unknown category":     {func(i *feedback.MapIssue) { i.Category = "Road-Missing" }, []string{"category"}},
		"longest":              {func(i *feedback.MapIssue) { i.Note, i.Contact = long(1000), long(200) }, nil},
		"trimmed to longest":   {func(i *feedback.MapIssue) { i.Note, i.Contact = " \n"+long(1000)+"  ", "\t"+long(200) }, nil},
		"too long":             {func(i *feedback.MapIssue) { i.Note, i.Contact = long(1001), long(201) }, []string{"note", "contact"}},
		"bytes, not letters":   {func(i *feedback.MapIssue) { i.Contact = strings.Repeat("é", 101) }, []string{"contact"}},
		"what no database has": {func(i *feedback.MapIssue) { i.Note, i.Contact = "a\x00b", "\xff" }, []string{"note", "contact"}},
		"all at once": {
			func(i *feedback.MapIssue) {
				*i = feedback.MapIssue{Lat: 91, Lon: 181, Category: "x", Note: long(1001), Contact: long(201)}
			},
			[]string{"lat", "lon", "category", "note", "contact"},
		},
	}
	kept := 0
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			i := issue()
			c.change(&i)
			_, err := service.Report(t.Context(), "k", i)
			if at := wrong(t, err); !slices.Equal(at, c.wrong) {
				t.Errorf("wrong at %v, want %v", at, c.wrong)
			}
			if c.wrong == nil {
				kept++
			}
			if n := count(t, db, "map_issues"); n != kept {
				t.Errorf("%d issues kept, want %d", n, kept)
			}
		})
	}
	for _, category := range []string{"road-missing", "road-wrong", "restriction-wrong", "name-wrong", "place-closed", "place-missing", "other"} {
		i := issue()
		i.Category = category
		report(t, service, "k", i)
	}
}

func TestSubmitChecks(t *testing.T) {
	service, db := open(t, storetest.SQLite(t), nil)
	long := func(n int) string { return strings.Repeat("x", n) }
	many := func(n int) []string { return slices.Repeat([]string{"x"}, n) }
	problem := feedback.Problem{Area: "sdk", Description: "d"}
	cases := map[string]struct {
		retro feedback.Retro
		wrong []string
	}{
		"least":    {feedback.Retro{WhatBuilt: "w"}, nil},
		"nothing":  {feedback.Retro{}, []string{"what_built"}},
		"blank":    {feedback.Retro{WhatBuilt: " \n"}, []string{"what_built"}},
		"too long": {feedback.Retro{WhatBuilt: long(501), AgentName: long(101), SDKVersion: long(51)}, []string{"what_built", "agent_name", "sdk_version"}},
		"longest": {feedback.Retro{
			WhatBuilt: long(500), AgentName: long(100), SDKVersion: long(50),
			Problems: slices.Repeat([]feedback.Problem{{Area: "self-host", Description: long(1000)}}, 20),
			Gotchas:  slices.Repeat([]string{long(500)}, 20), Wins: many(20), DocsGaps: many(20),
		}, nil},
		"too many": {feedback.Retro{WhatBuilt: "w", Problems: slices.Repeat([]feedback.Problem{problem}, 21), Gotchas: many(21), Wins: many(21), DocsGaps: many(21)}, []string{"problems", "gotchas", "wins", "docs_gaps"}},
		"each entry": {feedback.Retro{
			WhatBuilt: "w", Problems: []feedback.Problem{problem, {Area: "SDK", Description: long(1001)}, {}},
			Gotchas: []string{"", long(501)}, Wins: []string{long(501)}, DocsGaps: []string{"a", "b", "\x00"},
		}, []string{"problems[1].area", "problems[1].description", "problems[2].area", "gotchas[1]", "wins[0]", "docs_gaps[2]"}},
	}
	kept := 0
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.retro.KeyID = "key of " + name
			_, err := service.Submit(t.Context(), c.retro)
			if at := wrong(t, err); !slices.Equal(at, c.wrong) {
				t.Errorf("wrong at %v, want %v", at, c.wrong)
			}
			if c.wrong == nil {
				kept++
			}
			if n := count(t, db, "retros"); n != kept {
				t.Errorf("%d retros kept, want %d", n, kept)
			}
		})
	}
}

// What is refused takes no turn and is not kept, the limit is each caller's
// own, and the next day has turns again.
func TestMapIssueVelocity(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		c := noon()
		service, db := open(t, address, c.Now)
		bad := issue()
		bad.Category = ""
		for range 50 {
			report(t, service, "k", issue())
			if _, err := service.Report(t.Context(), "k", bad); !fault.Is(err, fault.BadRequest) {
				t.Fatal(err)
			}
		}
		for range 3 {
			_, err := service.Report(t.Context(), "k", issue())
			if wait := refused(t, err, fault.MapIssueVelocity, 50); wait != 12*3600 {
				t.Errorf("wait %d s until midnight", wait)
			}
		}
		report(t, service, "192.0.2.7", issue())
		if n := count(t, db, "map_issues"); n != 51 {
			t.Errorf("%d issues are kept", n)
		}
		c.now = time.Date(2026, 11, 30, 23, 59, 59, 999_000_000, time.UTC)
		_, err := service.Report(t.Context(), "k", issue())
		if wait := refused(t, err, fault.MapIssueVelocity, 50); wait != 1 {
			t.Errorf("wait %d s until midnight", wait)
		}
		c.now = c.now.Add(time.Millisecond)
		report(t, service, "k", issue())
	})
}

// Addresses are hashed, and counters go once their day is well over.
func TestCountersGo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		c := noon()
		service, db := open(t, address, c.Now)
		const network = "198.51.100.23"
		for range 5 {
			report(t, service, network, issue())
			report(t, service, "k", issue())
			submit(t, service, feedback.Retro{KeyID: c.now.String(), WhatBuilt: "w"})
			c.now = c.now.Add(24 * time.Hour)
		}
		if text := storetest.Dump(t, db, "map_issues", "map_issue_days", "map_issue_salts"); strings.Contains(text, network) {
			t.Error("an address is kept")
		}
		if n := count(t, db, "map_issue_days"); n != 6 { // two callers and all without a key, two days
			t.Errorf("%d counters are kept", n)
		}
		if n := count(t, db, "map_issue_salts"); n != 2 {
			t.Errorf("%d salts are kept", n)
		}
		if n := count(t, db, "retro_turns"); n != 1 {
			t.Errorf("turns of %d keys are kept", n)
		}
		var hashes int
		if err := db.QueryRow(t.Context(), "SELECT COUNT(DISTINCT who) FROM map_issue_days").Scan(&hashes); err != nil || hashes != 6 {
			t.Errorf("%d hashes of two callers, and of all without a key, on two days: %v", hashes, err)
		}
	})
}

// Five in any 24 hours, checked against the list of all that were taken.
func TestRetroVelocity(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		c := noon()
		service, _ := open(t, address, c.Now)
		var taken []time.Time
		retro := feedback.Retro{KeyID: "k", WhatBuilt: "w"}
		for n := range 60 {
			recent := 0
			var frees time.Time
			for _, at := range slices.Backward(taken) {
				if recent < 5 && at.After(c.now.Add(-24*time.Hour)) {
					recent++
					frees = at.Add(24 * time.Hour)
				}
			}
			_, err := service.Submit(t.Context(), retro)
			if recent == 5 {
				if wait := refused(t, err, fault.FeedbackVelocity, 5); wait != int(math.Ceil(frees.Sub(c.now).Seconds())) {
					t.Errorf("%d: wait %d s, frees in %s", n, wait, frees.Sub(c.now))
				}
			} else if err != nil {
				t.Fatalf("%d: %d in 24 hours: %v", n, recent, err)
			} else {
				taken = append(taken, c.now)
			}
			switch {
			case n%7 == 6 && recent == 5: // exactly until a turn is free
				c.now = frees
			case n%11 == 10:
				c.now = c.now.Add(26 * time.Hour)
			default:
				c.now = c.now.Add(time.Duration(n*n%13)*17*time.Minute + 3*time.Millisecond)
			}
		}
		if len(taken) < 15 || len(taken) > 50 {
			t.Errorf("%d of 60 taken tells little", len(taken))
		}
		submit(t, service, feedback.Retro{KeyID: "another", WhatBuilt: "w"})
	})
}

// Reports at once through several replicas never exceed the limits, and no
// turn is lost.
func TestVelocityAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		c := noon()
		var services []*feedback.Service
		var db *store.DB
		for range 3 {
			var service *feedback.Service
			service, db = open(t, address, c.Now)
			services = append(services, service)
		}
		var issues, retros atomic.Int64
		var all sync.WaitGroup
		for n := range 12 {
			all.Go(func() {
				service := services[n%len(services)]
				for range 6 {
					if _, err := service.Report(t.Context(), "k", issue()); err == nil {
						issues.Add(1)
					} else if !fault.Is(err, fault.MapIssueVelocity) {
						t.Error(err)
					}
				}
				if _, err := service.Submit(t.Context(), feedback.Retro{KeyID: "k", WhatBuilt: "w"}); err == nil {
					retros.Add(1)
				} else if !fault.Is(err, fault.FeedbackVelocity) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if a, b := issues.Load(), count(t, db, "map_issues"); a != 50 || b != 50 {
			t.Errorf("%d of 72 issues taken, %d kept", a, b)
		}
		if a, b := retros.Load(), count(t, db, "retros"); a != 5 || b != 5 {
			t.Errorf("%d of 12 retros taken, %d kept", a, b)
		}
	})
}

// The lists have everything that was sent, newest first, in parts that make the whole.
func TestListings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		c := noon()
		service, _ := open(t, address, c.Now)
		var issues []feedback.MapIssue
		var retros []feedback.Retro
		for n := range 7 {
			i := feedback.MapIssue{KeyID: []string{"", "k"}[n%2], Lat: 49 + float64(n)/7, Lon: -7.123456789012345, Category: "other", Note: "  a nöte\x01 \n", Contact: " me@example.org"}
			i.ID = report(t, service, "k", i)
			i.At, i.Note, i.Contact = c.now, "a nöte\x01", "me@example.org"
			issues = append(issues, i)
			r := feedback.Retro{
				KeyID: "k" + string(rune('0'+n)), WhatBuilt: " <b>&\" ", AgentName: "agent", SDKVersion: "1.2",
				Problems: []feedback.Problem{{Area: "docs", Description: "d", WorkaroundFound: n%2 == 0}, {Area: "api"}},
				Gotchas:  []string{"g", ""}, Wins: []string{"\u2028"}, DocsGaps: []string{},
			}
			r.ID = submit(t, service, r)
			r.At = c.now
			retros = append(retros, r)
			c.now = c.now.Add(time.Millisecond)
		}
		slices.Reverse(issues)
		slices.Reverse(retros)
		for _, p := range [][2]int{{500, 0}, {1, 0}, {3, 2}, {5, 5}, {5, 7}, {5, 100}} {
			from, to := min(p[1], 7), min(p[0]+p[1], 7)
			gotIssues, total, err := service.MapIssues(t.Context(), p[0], p[1])
			if err != nil || total != 7 || len(gotIssues) != to-from || to > from && !reflect.DeepEqual(gotIssues, issues[from:to]) {
				t.Errorf("issues %v: %d, %v\n%+v\n%+v", p, total, err, gotIssues, issues[from:to])
			}
			gotRetros, total, err := service.Retros(t.Context(), p[0], p[1])
			if err != nil || total != 7 || len(gotRetros) != to-from || to > from && !reflect.DeepEqual(gotRetros, retros[from:to]) {
				t.Errorf("retros %v: %d, %v\n%+v\n%+v", p, total, err, gotRetros, retros[from:to])
			}
		}
		for _, p := range [][2]int{{0, 0}, {501, 0}, {1, -1}} {
			if _, _, err := service.MapIssues(t.Context(), p[0], p[1]); !fault.Is(err, fault.BadRequest) {
				t.Errorf("issues %v: %v", p, err)
			}
			if _, _, err := service.Retros(t.Context(), p[0], p[1]); !fault.Is(err, fault.BadRequest) {
				t.Errorf("retros %v: %v", p, err)
			}
		}
	})
}

// A database that is gone is a failure that a caller may try again.
func TestDatabaseAway(t *testing.T) {
	db, err := store.Open(t.Context(), storetest.SQLite(t), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	service, err := feedback.New(t.Context(), db, nil, slog.New(slog.DiscardHandler))
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	_, reported := service.Report(t.Context(), "k", issue())
	_, submitted := service.Submit(t.Context(), feedback.Retro{KeyID: "k", WhatBuilt: "w"})
	_, _, issues := service.MapIssues(t.Context(), 1, 0)
	_, _, retros := service.Retros(t.Context(), 1, 0)
	for _, err := range []error{reported, submitted, issues, retros} {
		if !fault.Is(err, fault.UpstreamUnavailable) {
			t.Error(err)
		}
	}
}
