package main

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzPlans: SVC_PLANS is refused, or read as plans that are written as they are
// read, each with a name, a price and figures of at least 1.
func FuzzPlans(f *testing.F) {
	for _, text := range []string{"pro=price_1:100000:600:4900", "a=b:1:2:3, c=d:4:5:6", "", "=:::", "a=b:0:1:1", "a=b:1:1:9223372036854775808", "a=b:1:2", "a=b:+1:2:3,", "a=b=c:1:2:3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var read, again plans
		if read.UnmarshalText([]byte(text)) != nil {
			return
		}
		var written []string
		for _, p := range read {
			if p.Name == "" || p.Price == "" || p.MonthlyQuota < 1 || p.RatePerMin < 1 || p.MonthlyPence < 1 {
				t.Errorf("%q has the plan %+v", text, p)
			}
			written = append(written, fmt.Sprintf("%s=%s:%d:%d:%d", p.Name, p.Price, p.MonthlyQuota, p.RatePerMin, p.MonthlyPence))
		}
		if err := again.UnmarshalText([]byte(strings.Join(written, ","))); err != nil || fmt.Sprint(again) != fmt.Sprint(read) {
			t.Errorf("%q is read as %+v, which is read again as %+v, %v", text, read, again, err)
		}
	})
}
