// Package canary compares two versions of a routing engine by questions: the routes that the
// new one finds must be about as long and take about as long as those of the old one.
package canary

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Question is a route that both versions must answer alike.
type Question struct {
	Costing   costing.Costing
	Locations []geo.Point // two or more
}

// Answer has the figures of a route that are compared.
type Answer struct{ Metres, Seconds float64 }

// Answerer answers a question. The error says why there is no route.
type Answerer func(ctx context.Context, q *Question) (Answer, error)

// MostTime is how long all questions of a comparison may take: those that are left are not put.
const MostTime = 2 * time.Minute

// Bounds are those within which two versions agree: the part of the longer route, in length or
// time, by which the two may differ, and the share of questions that may differ by more.
type Bounds struct{ Apart, Otherwise float64 }

// The bounds of questions that an operator keeps or callers sent, and of those drawn at random,
// which a legitimate change of the map, such as a new bridge, alters more often: of these only
// routes that become more than twice as long count, and those not found.
var (
	KeptBounds  = Bounds{Apart: 0.10, Otherwise: 0.05}
	DrawnBounds = Bounds{Apart: 0.50, Otherwise: 0.20}
)

// Routes that are less than mostMetres and mostSeconds apart agree, however short they are.
const (
	mostMetres     = 50
	mostSeconds    = 10
	mostQuestions  = 1000
	questionTime   = 10 * time.Second
	mostLineLength = 64 << 10
)

// Read reads a file with a question on each line, such as
// {"costing":"auto","locations":[{"lat":51.5,"lon":-1.5},{"lat":51.6,"lon":-1.5}]}: at most
// 1000. Empty lines are passed over.
func Read(path string) ([]Question, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

func parse(data []byte) (list []Question, err error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, mostLineLength)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var q struct {
			Costing   string
			Locations []struct{ Lat, Lon *float64 }
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out := Question{Costing: costing.Named(q.Costing)}
		if !out.Costing.Valid() {
			return nil, fmt.Errorf("line %d: %q is no costing", n, q.Costing)
		}
		for i, l := range q.Locations {
			if l.Lat == nil || l.Lon == nil || !(geo.Point{Lon: *l.Lon, Lat: *l.Lat}).Valid() {
				return nil, fmt.Errorf("line %d: locations[%d] has no lat and lon on the globe", n, i)
			}
			out.Locations = append(out.Locations, geo.Point{Lon: *l.Lon, Lat: *l.Lat})
		}
		if len(out.Locations) < 2 {
			return nil, fmt.Errorf("line %d: a route has two locations or more", n)
		}
		if list = append(list, out); len(list) > mostQuestions {
			return nil, fmt.Errorf("line %d: there are more than %d questions", n, mostQuestions)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there are no questions")
	}
	return list, nil
}

// Request returns the request of a question. What is live does not count: a version that is not in
// service has none of it.
func (q *Question) Request() *engine.RouteRequest {
	return &engine.RouteRequest{Costing: q.Costing, Locations: engine.Stops(q.Locations), Conditions: engine.Conditions{SpeedTypes: []string{"freeflow", "constrained"}}}
}

// Of returns an Answerer that asks an engine.
func Of(e engine.Engine) Answerer {
	return func(ctx context.Context, q *Question) (Answer, error) {
		r, err := engine.Best(ctx, e, q.Request())
		if err != nil {
			return Answer{}, err
		}
		return Answer{r.Metres, r.Seconds}, nil
	}
}

// Outcome counts the answers to the questions.
type Outcome struct {
	Asked     int    // that the old version answers
	Otherwise int    // of these, how many the new one answers otherwise
	First     string // of those, the first: which it is, and how it differs
}

// Accept reports whether few enough questions are answered otherwise.
func (b Bounds) Accept(o Outcome) bool { return float64(o.Otherwise) <= b.Otherwise*float64(o.Asked) }

// Compare has both versions answer the questions, one after another, each within ten seconds
// and all within MostTime. Questions that the old version does not answer are not counted, nor
// those for which this process has no room. The error is the context's.
func Compare(ctx context.Context, questions []Question, old, fresh Answerer, within Bounds) (out Outcome, err error) {
	differ := func(a, b, least float64) bool { return math.Abs(a-b) > max(least, within.Apart*max(a, b)) }
	began := time.Now()
	for i := range questions {
		if time.Since(began) > MostTime {
			break
		}
		q := &questions[i]
		was, err := inTime(ctx, old, q)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			continue
		}
		is, err := inTime(ctx, fresh, q)
		said := ""
		var f *fault.Error
		if errors.As(err, &f) && f.Fields["retry_after"] != nil {
			continue
		}
		out.Asked++
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case err != nil:
			said = err.Error()
		case differ(was.Metres, is.Metres, mostMetres) || differ(was.Seconds, is.Seconds, mostSeconds):
			said = fmt.Sprintf("%.0f m in %.0f s instead of %.0f m in %.0f s", is.Metres, is.Seconds, was.Metres, was.Seconds)
		default:
			continue
		}
		if out.Otherwise++; out.First == "" {
			out.First = fmt.Sprintf("question %d, %s from %s to %s: %s", i+1, q.Costing, q.Locations[0], q.Locations[len(q.Locations)-1], said)
		}
	}
	return out, nil
}

func inTime(ctx context.Context, ask Answerer, q *Question) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, questionTime)
	defer cancel()
	return ask(ctx, q)
}
