// Package matrix answers requests for the times and distances between many
// places: it reads and checks a request, asks the engine, and writes the
// answer.
package matrix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// DefaultCells is how many cells a matrix may have where nothing else is set.
const DefaultCells = 250_000

// Service works out matrices with one engine. Engine is required.
type Service struct {
	Engine engine.Engine
	Bounds geo.Bounds // of the region, for hints; empty where unknown
	Cells  int        // most that one request may ask for; 0 is DefaultCells
}

// Request is a checked request.
type Request struct {
	Matrix   engine.MatrixRequest
	square   bool // sources and targets are the request's locations
	warnings []engine.Warning
}

var (
	members  = slices.Concat([]string{"sources", "targets", "locations", "costing", "costing_options", "id"}, body.Bending())
	binding  = []string{"matrix_locations"}
	harmless = []string{"units", "verbose", "prioritize_bidirectional", "shape_format", "directions_options", "language", "format"}
)

// Members lists every member of a request that the gateway knows.
func Members() []string {
	all := slices.Concat(members, binding, harmless)
	slices.Sort(all)
	return all
}

// Read checks a request.
func (s *Service) Read(doc map[string]json.RawMessage) (*Request, error) {
	in := &body.Reader{Bounds: s.Bounds}
	req := &Request{}
	m := &req.Matrix
	in.Elsewhere(doc)
	m.Costing, m.Options = in.Costing(doc)
	m.Sources, m.Targets = s.places(in, doc)
	m.Bends = in.Bends(doc)
	req.square = !body.Absent(doc["locations"])
	if err := in.Err(); err != nil {
		return nil, err
	}
	extra, err := in.Beyond(doc, body.Rest{Known: members, Binding: binding, Harmless: harmless, Passed: s.Engine.Can().UnknownMembers})
	if err != nil {
		return nil, err
	}
	// The answer has one form, in metres and seconds, whatever these say.
	for _, name := range []string{"units", "verbose", "shape_format", "format", "directions_options", "language"} {
		delete(extra, name)
	}
	m.Extra, req.warnings = extra, in.Warnings
	return req, nil
}

// places reads sources and targets, or locations for both. The size is checked
// before any location is looked at.
func (s *Service) places(in *body.Reader, doc map[string]json.RawMessage) (sources, targets []engine.Location) {
	from, to := "sources", "targets"
	if !body.Absent(doc["locations"]) {
		for _, name := range []string{from, to} {
			if !body.Absent(doc[name]) {
				in.Refuse(name, nil, "stands beside locations: give either locations, for all ways between them, or sources and targets")
			}
		}
		from, to = "locations", "locations"
	}
	size := map[string]int{}
	for _, name := range []string{from, to} {
		if _, read := size[name]; read {
			continue
		}
		if body.Absent(doc[name]) {
			in.Refuse(name, nil, "is missing: a list of objects with lat and lon")
			size[name] = 0
			continue
		}
		size[name] = len(in.List(doc[name], name, "objects with lat and lon"))
		if string(doc[name]) == "[]" || size[name] == 0 && in.Err() == nil {
			in.Refuse(name, nil, "is empty: at least one location is needed")
		}
	}
	if in.Err() != nil {
		return nil, nil
	}
	most := s.Cells
	if most == 0 {
		most = DefaultCells
	}
	if cells := size[from] * size[to]; cells > most {
		in.Refuse(to, nil, "makes a matrix of %d x %d = %d cells, and one request may have %d; ask for parts of it", size[from], size[to], cells, most)
		return nil, nil
	}
	sources = in.Locations(doc[from], from)
	if from == to {
		return sources, sources
	}
	return sources, in.Locations(doc[to], to)
}

// Answer works the matrix out and writes it as a JSON object.
func (s *Service) Answer(ctx context.Context, r *Request) ([]byte, error) {
	a, err := s.Engine.Matrix(ctx, &r.Matrix)
	if err != nil {
		return nil, s.hinted(err, r)
	}
	warnings := append(slices.Clone(r.warnings), a.Warnings...)
	type side struct {
		name string
		list []engine.Snapped
	}
	sides := []side{{"sources", a.Sources}, {"targets", a.Targets}}
	if r.square {
		sides = []side{{"locations", a.Sources}}
	}
	for _, side := range sides {
		for i, p := range side.list {
			if p.Miss != "" && len(warnings) < mostWarnings {
				warnings = append(warnings, engine.Warning{Code: noRoad, Text: fmt.Sprintf("%s[%d]: %s", side.name, i, p.Miss)})
			}
		}
	}
	return write(a, warnings), nil
}

// noRoad is the code of a warning that a location is not on the network.
const (
	noRoad       = 906
	mostWarnings = 80
)

// hinted puts a refusal for want of a road in the caller's words, and adds what
// a swapped position would explain.
func (s *Service) hinted(err error, r *Request) error {
	var e *fault.Error
	if engine.Code(err) != engine.CodeNoSegment || !errors.As(err, &e) {
		return err
	}
	if r.square {
		told := *e
		told.Detail = strings.Replace(told.Detail, "sources[", "locations[", 1)
		e, err = &told, &told
	}
	for _, l := range slices.Concat(r.Matrix.Sources, r.Matrix.Targets) {
		if hint := body.Swapped(l.Point, s.Bounds); hint != "" {
			told := *e
			told.Fields = maps.Clone(e.Fields)
			told.Detail += "; " + hint
			return told.With("hint", hint)
		}
	}
	return err
}

// The reasons of an unreachable cell.
const (
	noSource = "no road near the source"
	noTarget = "no road near the target"
	noWay    = "no way between them"
)

// write makes the answer: a matrix of the largest size has millions of digits.
func write(a *engine.MatrixAnswer, warnings []engine.Warning) []byte {
	dst := make([]byte, 0, 256+20*len(a.Sources)*len(a.Targets))
	dst = append(dst, `{"durations":`...)
	dst = rows(dst, a.Cells, func(c *engine.MatrixCell) float64 { return c.Seconds }, 3)
	dst = append(dst, `,"distances":`...)
	dst = rows(dst, a.Cells, func(c *engine.MatrixCell) float64 { return c.Metres }, 1)
	dst = snapped(append(dst, `,"sources":`...), a.Sources)
	dst = snapped(append(dst, `,"targets":`...), a.Targets)
	dst = append(dst, `,"unreachable":[`...)
	first := true
	for i, row := range a.Cells {
		for j := range row {
			if row[j].Reached {
				continue
			}
			reason := noWay
			switch {
			case a.Sources[i].Miss != "":
				reason = noSource
			case a.Targets[j].Miss != "":
				reason = noTarget
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(dst, `{"source":`...)
			dst = strconv.AppendInt(dst, int64(i), 10)
			dst = append(dst, `,"target":`...)
			dst = strconv.AppendInt(dst, int64(j), 10)
			dst = append(dst, `,"reason":"`+reason+`"}`...)
		}
	}
	dst = append(dst, ']')
	if len(warnings) > 0 {
		// Numbers and strings always marshal.
		list, _ := json.Marshal(told(warnings))
		dst = append(append(dst, `,"warnings":`...), list...)
	}
	return append(dst, '}')
}

// Warning is one as it is written.
type Warning struct {
	Code int    `json:"code"`
	Text string `json:"text"`
}

func told(all []engine.Warning) []Warning {
	list := make([]Warning, len(all))
	for i, w := range all {
		list[i] = Warning(w)
	}
	return list
}

func rows(dst []byte, cells [][]engine.MatrixCell, value func(*engine.MatrixCell) float64, digits int) []byte {
	dst = append(dst, '[')
	for i, row := range cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		for j := range row {
			if j > 0 {
				dst = append(dst, ',')
			}
			if !row[j].Reached {
				dst = append(dst, "null"...)
				continue
			}
			dst = decimal(dst, value(&row[j]), digits)
		}
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

// decimal writes a number, which is not negative, with at most some digits
// after the point.
func decimal(dst []byte, v float64, digits int) []byte {
	scale := int64(1)
	for range digits {
		scale *= 10
	}
	n := int64(v*float64(scale) + 0.5)
	dst = strconv.AppendInt(dst, n/scale, 10)
	rest := n % scale
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.')
	for scale /= 10; rest > 0; scale /= 10 {
		dst = append(dst, byte('0'+rest/scale))
		rest %= scale
	}
	return dst
}

func snapped(dst []byte, list []engine.Snapped) []byte {
	dst = append(dst, '[')
	for i, p := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if p.Miss != "" {
			dst = append(dst, "null"...)
			continue
		}
		dst = append(dst, `{"lat":`...)
		dst = strconv.AppendFloat(dst, p.Point.Lat, 'f', 6, 64)
		dst = append(dst, `,"lon":`...)
		dst = strconv.AppendFloat(dst, p.Point.Lon, 'f', 6, 64)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
