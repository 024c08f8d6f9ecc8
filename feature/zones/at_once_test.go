package zones_test

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/hours"
)

// TestJudgeAtOnce has four callers judge the same vehicle by the rules of many countries,
// whose time zones nobody asked for before: each gets what it gets alone.
func TestJudgeAtOnce(t *testing.T) {
	names := []string{"Europe/Paris", "Europe/Berlin", "Europe/Rome", "Europe/Madrid", "Asia/Tokyo", "America/New_York", "Australia/Sydney"}
	car := &zones.Vehicle{Category: "car", Fuel: "diesel", Euro: 5}
	judge := func(name string) zones.Judgement {
		z := scheme()
		z.TimeZone = name
		return zones.Judge(&z, car, at("2026-11-24T08:00"), func(time.Time) hours.Fact { return hours.No })
	}
	var got [4][]zones.Judgement
	var all sync.WaitGroup
	for k := range got {
		all.Go(func() {
			for _, name := range names {
				got[k] = append(got[k], judge(name))
			}
		})
	}
	all.Wait()
	verdicts := map[zones.Verdict]bool{}
	for i, name := range names {
		want := judge(name)
		verdicts[want.Verdict] = true
		for k := range got {
			if !reflect.DeepEqual(got[k][i], want) {
				t.Errorf("%s: %+v, alone it is %+v", name, got[k][i], want)
			}
		}
	}
	if len(verdicts) < 2 {
		t.Errorf("all zones say %v: they tell no time zone from another", verdicts)
	}
}
