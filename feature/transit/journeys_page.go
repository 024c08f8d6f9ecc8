package transit

import (
	"fmt"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/transit/journey"
)

// page is a part of the journeys of a window: the time of the window, and which of the parts
// of Limit journeys it is, counted from there: with ArriveBy back in time.
type page struct {
	at   time.Time
	part int
}

// farthest is the last part of a window, however many there are.
const farthest = -1

// mostParts bounds the number of a part.
const mostParts = 1000

func (p page) String() string { return fmt.Sprintf("%d.%d", p.at.Unix(), p.part) }

// readPage reads a page.
func readPage(text string) (p page, err error) {
	var unix int64
	if n, err := fmt.Sscanf(text, "%d.%d", &unix, &p.part); err != nil || n != 2 || fmt.Sprintf("%d.%d", unix, p.part) != text || p.part < farthest || p.part > mostParts || unix < 0 || unix > latest {
		return p, fault.Invalid(fault.Violation{Location: "page", Value: fault.Clip(text), Message: "is no page of an answer: must be its previous or next"})
	}
	p.at = time.Unix(unix, 0)
	return p, nil
}

// latest bounds times: the last second of the year 9999.
const latest = 253402300799

// cut cuts the part of a page out of the journeys of its window, and says which it is.
func (p page) cut(all []journey.Journey, limit int) (list []journey.Journey, part int) {
	parts := max(1, (len(all)+limit-1)/limit)
	part = p.part
	if part == farthest || part >= parts {
		part = parts - 1
	}
	return all[part*limit : min(len(all), (part+1)*limit)], part
}

// around returns the pages before and after one part of a window with so many journeys.
func (p page) around(part, journeys int, r *JourneysRequest) (before, after page) {
	nearer, further := page{p.at.Add(-r.Window), farthest}, page{p.at.Add(r.Window), 0}
	if r.ArriveBy {
		nearer, further = page{p.at.Add(r.Window), farthest}, page{p.at.Add(-r.Window), 0}
	}
	if part > 0 {
		nearer = page{p.at, part - 1}
	}
	if (part+1)*r.Limit < journeys {
		further = page{p.at, part + 1}
	}
	if r.ArriveBy {
		return further, nearer
	}
	return nearer, further
}
