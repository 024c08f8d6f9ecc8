package holiday

import (
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/hours"
)

func TestIn(t *testing.T) {
	for _, c := range []struct{ code, state, yes, perhaps, no string }{
		{"GB", "", "2026-12-25,2026-12-28,2026-04-03,2026-08-31", "", "2026-12-24,2026-04-07,2026-12-29"},
		{"gb", "Wales", "2026-05-04", "", "2026-05-05"},
		{"DE", "", "2026-10-03,2026-12-26", "2026-01-06,2026-08-15,2026-11-01", "2026-12-24"},
		{"DE", "Berlin", "2026-03-08,2026-04-06", "", "2026-01-06,2026-11-01"},
		{"DE", "Bayern", "2026-01-06,2026-06-04", "", "2026-03-08"},
		{"FI", "", "2026-06-20,2026-10-31,2026-12-06,2026-01-06", "", "2026-06-19,2026-11-07"},
		{"MT", "", "2026-02-10,2026-06-07,2026-12-13,2026-04-03", "", "2026-04-06"},
		{"LI", "", "2026-06-04,2026-08-15", "", "2026-08-01"},
		{"AD", "", "2026-02-17,2026-03-14", "", "2026-02-16"},
		{"PT", "", "2026-04-25,2026-06-04", "", "2026-04-26"},
		{"ES", "Galicia", "2026-04-02,2026-07-25", "", "2026-04-06"},
		{"ES", "", "2026-04-03", "2026-04-02,2026-04-06", "2026-04-07"},
		{"US", "", "2026-11-26,2026-07-03", "", "2026-11-27"},
	} {
		of := In(c.code, c.state)
		for want, list := range map[hours.Fact]string{hours.Yes: c.yes, hours.Perhaps: c.perhaps, hours.No: c.no} {
			for day := range strings.SplitSeq(list, ",") {
				if day == "" {
					continue
				}
				at, err := time.Parse(time.DateOnly, day)
				if err != nil {
					t.Fatal(err)
				}
				if got := of(at.Add(23 * time.Hour)); got != want {
					t.Errorf("%s in %s %s is %d, want %d", day, c.code, c.state, got, want)
				}
			}
		}
	}
	if In("XX", "") != nil || In("", "") != nil {
		t.Error("holidays of no country")
	}
}
