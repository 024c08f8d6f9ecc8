package plan

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/waygate/waygate/feature/optimise"
)

// summarise prints a plan for people: its totals, its routes, and what it leaves out
// and why.
func summarise(out io.Writer, a *optimise.Answer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format+"\n", args...) } // Flush returns what fails
	s := &a.Summary
	stops := 0
	for i := range a.Routes {
		stops += stopsOf(a, i)
	}
	line("%d routes with %d stops, %d tasks left out; %s of driving, %.1f km, cost %.2f", s.Routes, stops, s.Unassigned, clock(s.Duration), kilometres(s.Distance), s.Cost)
	if len(a.Routes) > 0 {
		line("\nvehicle\ttrip\tstops\tstarts\tends\tdriving\tservice\twaiting\tkm\tcost")
		for i := range a.Routes {
			r := &a.Routes[i]
			first, last := &r.Steps[0], &r.Steps[len(r.Steps)-1]
			line("%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%.1f\t%.2f", r.Vehicle, max(1, r.Trip), stopsOf(a, i), clock(first.Arrival), clock(last.Arrival+last.Waiting+last.Setup+last.Service),
				clock(r.Duration), clock(r.Setup+r.Service), clock(r.Waiting), kilometres(r.Distance), r.Cost)
		}
	}
	if len(a.Unassigned) > 0 {
		line("\nleft out\treason")
		for i := range a.Unassigned {
			u := &a.Unassigned[i]
			line("%s %s\t%s", u.Type, u.ID, u.Detail)
			for _, x := range u.Relaxations {
				line("\t  it could be served if %s", x.Text)
			}
		}
	}
	for _, x := range a.Warnings {
		line("\nwarning %d: %s", x.Code, x.Text)
	}
	return w.Flush()
}

// stopsOf returns the number of stops of a route.
func stopsOf(a *optimise.Answer, i int) (n int) {
	for k := range a.Routes[i].Steps {
		switch a.Routes[i].Steps[k].Type {
		case "job", "pickup", "delivery":
			n++
		}
	}
	return n
}

func kilometres(metres int64) float64 { return float64(metres) / 1000 }

// clock formats seconds as hours, minutes and seconds.
func clock(seconds int64) string {
	return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}
