// Package bench measures routing servers against each other: it makes sets of
// requests, sends them to several servers in turn, and compares speed and
// answers.
package bench

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/waygate/waygate/geo"
)

// Kind is the kind of the requests.
type Kind string

// The kinds of request.
const (
	Route      Kind = "route"
	Matrix     Kind = "matrix"     // from the first Sources of the points to the others, or between all
	Trace      Kind = "trace"      // the points are positions along a drive
	Attributes Kind = "attributes" // likewise, with all attributes of the edges
	Isochrone  Kind = "isochrone"  // around the one point
)

// Request is one question, in the form of no server. A set of them is a file
// with one JSON object on each line.
type Request struct {
	Kind    Kind           `json:"kind"`
	Costing string         `json:"costing"`
	Points  []Position     `json:"points"`
	Rank    int            `json:"rank,omitempty"`    // of the distance: the target is the 2^rank-th node from the source
	Options map[string]any `json:"options,omitempty"` // of the costing, by Valhalla's names
	Steps   bool           `json:"steps,omitempty"`   // with instructions
	Sources int            `json:"sources,omitempty"` // of a matrix: as many of the points are sources, the others targets
	Minutes int            `json:"minutes,omitempty"` // of an isochrone
	New     bool           `json:"new,omitempty"`     // with options that differ each time it is sent
	Vehicle bool           `json:"vehicle,omitempty"` // with dimensions that differ each time it is sent
	Body    map[string]any `json:"body,omitempty"`    // further members of the body, by Valhalla's names; OSRM's requests have none
}

// Position is a point as lon, lat.
type Position [2]float64

// At returns the position of a point.
func At(p geo.Point) Position { return Position{p.Lon, p.Lat} }

// Point returns the point.
func (p Position) Point() geo.Point { return geo.Point{Lon: p[0], Lat: p[1]} }

// Write writes a set.
func Write(w io.Writer, set []Request) error {
	e := json.NewEncoder(w)
	for i := range set {
		if err := e.Encode(&set[i]); err != nil {
			return err
		}
	}
	return nil
}

// longestLine bounds one request in bytes.
const longestLine = 4 << 20

// Read reads a set and names the line that is none.
func Read(r io.Reader) ([]Request, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	var set []Request
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var q Request
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if err := q.check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		set = append(set, q)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(set) == 0 {
		return nil, errors.New("no requests in the set")
	}
	return set, nil
}

// mostMinutes is the longest isochrone that servers give by default.
const mostMinutes = 120

// least returns how many points a request has at the least.
func (q *Request) least() int {
	if q.Kind == Isochrone {
		return 1
	}
	return 2
}

// comparable reports whether answers are of a length and a time.
func (q *Request) comparable() bool { return q.Kind != Isochrone && q.Kind != Attributes }

func (q *Request) check() error {
	switch q.Kind {
	case Route, Matrix, Trace, Attributes, Isochrone:
	default:
		return fmt.Errorf("kind %q is none of route, matrix, trace, attributes, isochrone", q.Kind)
	}
	if least := q.least(); len(q.Points) < least {
		return fmt.Errorf("%d points; at least %d", len(q.Points), least)
	}
	if q.Sources < 0 || q.Sources > 0 && q.Sources >= len(q.Points) {
		return fmt.Errorf("sources %d; at least 1 and fewer than the %d points", q.Sources, len(q.Points))
	}
	if q.Kind == Isochrone && (q.Minutes < 1 || q.Minutes > mostMinutes) {
		return fmt.Errorf("minutes %d; 1 to %d", q.Minutes, mostMinutes)
	}
	for i, p := range q.Points {
		if !p.Point().Valid() {
			return fmt.Errorf("points[%d]: %v is not lon, lat", i, p)
		}
	}
	if q.Costing == "" {
		return errors.New("costing is missing")
	}
	return nil
}
