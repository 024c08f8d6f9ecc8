package world

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// Question is a route that a new region must answer about as the one in service does before it
// takes its place.
type Question struct {
	Costing   costing.Costing
	Locations []geo.Point // two or more
}

// The bounds of agreement: how much longer or shorter, in length or time, a route may be, at
// most mostMetres apart; and the share of questions that may be answered otherwise.
const (
	mostApart      = 0.10
	mostMetres     = 50
	mostSeconds    = 10
	mostOtherwise  = 0.05
	mostQuestions  = 1000
	questionTime   = 10 * time.Second
	mostLineLength = 64 << 10
)

// ReadQuestions reads a file with a question on each line, such as
// {"costing":"auto","locations":[{"lat":51.5,"lon":-1.5},{"lat":51.6,"lon":-1.5}]}: at most
// 1000. Empty lines are passed over.
func ReadQuestions(path string) ([]Question, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseQuestions(data)
}

func parseQuestions(data []byte) (list []Question, err error) {
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
		if !out.Costing.Known() {
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

// agrees has a new region answer the questions beside the one in service, and returns an
// error where more than one in twenty are answered otherwise. Questions that lie outside the
// region in service, or that it does not answer, are not counted.
func (o *Options) agrees(old, fresh *Region) error {
	if len(o.Canary) == 0 || old == nil || old.out() {
		return nil
	}
	asked, otherwise, first := 0, 0, ""
	for i := range o.Canary {
		q := &o.Canary[i]
		if outside(old, q.Locations, 0) >= 0 {
			continue
		}
		was, err := answerTo(old.Engine, q)
		if err != nil {
			continue
		}
		asked++
		is, err := answerTo(fresh.Engine, q)
		said := ""
		switch {
		case err != nil:
			said = err.Error()
		case differ(was.Metres, is.Metres, mostMetres) || differ(was.Seconds, is.Seconds, mostSeconds):
			said = fmt.Sprintf("%.0f m in %.0f s instead of %.0f m in %.0f s", is.Metres, is.Seconds, was.Metres, was.Seconds)
		default:
			continue
		}
		if otherwise++; first == "" {
			first = fmt.Sprintf("question %d: %s", i+1, said)
		}
	}
	if float64(otherwise) > mostOtherwise*float64(asked) {
		return fmt.Errorf("it answers %d of %d questions of SVC_REGION_CANARY otherwise than the region in service (%s)", otherwise, asked, first)
	}
	o.Log.Info("a new region agrees with the one in service", "region", fresh.ID, "questions", asked, "otherwise", otherwise)
	return nil
}

func differ(a, b, least float64) bool {
	return math.Abs(a-b) > max(least, mostApart*max(a, b))
}

func answerTo(e engine.Engine, q *Question) (*engine.Route, error) {
	ctx, cancel := context.WithTimeout(context.Background(), questionTime)
	defer cancel()
	return engine.Best(ctx, e, &engine.RouteRequest{Costing: q.Costing, Locations: engine.Stops(q.Locations)})
}
