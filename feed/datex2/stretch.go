package datex2

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/geo"
)

// tmcAlone is the reason for which places with nothing but codes of a TMC location table are
// rejected: no such table is read.
const tmcAlone = "a place by TMC location codes alone, whose table is not here"

// stretch is one stretch or site of a table.
type stretch struct {
	traffic.Link
	place location
	outer *stretch
	// unnamed is how many elements of its kind are open in it that are no stretch.
	unnamed int
	shape   bool // the line of a link that has an element of its own
}

// give puts a link with a place into a document.
func (l *stretch) give(d *traffic.Document) (given bool, err error) {
	if err := l.place.fits(); err != nil {
		return false, err
	}
	switch {
	case len(l.place.lines) > 0:
		for _, line := range l.place.lines {
			l.Line = append(l.Line, line...)
		}
	case len(l.place.points) > 0:
		l.Line = l.place.ordered()
	case len(l.Parts) > 0:
	case l.place.display != nil:
		l.Line = []geo.Point{*l.place.display}
	case l.place.tmc:
		d.Reject(tmcAlone)
		return false, nil
	default:
		return false, nil
	}
	for _, p := range l.Line {
		if !p.Valid() {
			d.Reject(traffic.BadPosition)
			return false, nil
		}
	}
	before := len(d.Links)
	err = d.AddLink(l.Link)
	return len(d.Links) > before, err
}

// shapePrefix begins the ids of containers whose points, in their order, are the line
// of the link that the rest of the id names: the model of England's trunk roads has
// its links' lines so.
const shapePrefix = "NTIS_Link_Shape_"

// openStretch begins a stretch, a site, or a container of such.
func (x *reader) openStretch(id string) {
	link, shape := strings.CutPrefix(id, shapePrefix)
	switch {
	case x.link != nil && (id == "" || x.link.shape):
		x.link.unnamed++
	case id != "":
		x.link = &stretch{Link: traffic.Link{ID: link}, outer: x.link, shape: shape}
	}
}

// preferShapes drops the other lines of links that have an element for their shape.
func (x *reader) preferShapes() {
	if len(x.shapes) == 0 {
		return
	}
	n := -1
	x.d.Links = slices.DeleteFunc(x.d.Links, func(l traffic.Link) bool {
		n++
		at, ok := x.shapes[l.ID]
		return ok && at != n
	})
}
