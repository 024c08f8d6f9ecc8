package valhalla

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
)

// noRoad is the code of a warning that a location is not on the network.
const (
	noRoad       = 906
	mostWarnings = 80
)

// The reasons of an unreachable cell.
const (
	noSource = "no road near the source"
	noTarget = "no road near the target"
	noWay    = "no way between them"
)

// MatrixForm has the members of a matrix's answer besides its cells.
type MatrixForm struct {
	Square   bool                   // the request gave its places as locations
	ID       string                 // echoed
	Valhalla *native.ValhallaMatrix // adds Valhalla's own form; nil does not
	Warnings []engine.Warning       // of the request
	// Why is the reason of a cell without a way where both of its places are on roads, of a
	// matrix without lengths; nil of any other.
	Why    func(source, target int) string
	Blocks []json.Block // members that come last
}

// WriteMatrix writes a matrix. To the warnings of the request it adds the
// engine's, and one for each place without a road.
func WriteMatrix(a *engine.MatrixAnswer, f MatrixForm) ([]byte, error) {
	warnings := slices.Concat(f.Warnings, a.Warnings)
	if f.Square {
		warnings = missed(warnings, "locations", a.Sources)
	} else {
		warnings = missed(missed(warnings, "sources", a.Sources), "targets", a.Targets)
	}
	var w json.Writer
	w.Grow(256 + 20*len(a.Sources)*len(a.Targets)) // the largest has millions of digits
	w.Open('{')
	cells(&w, "durations", a, func(c *engine.MatrixCell) float64 { return c.Seconds }, 3)
	f.lengths(&w, a, func(c *engine.MatrixCell) float64 { return c.Metres }, 1)
	snapped(&w, "sources", a.Sources)
	snapped(&w, "targets", a.Targets)
	unreachable(&w, a, f.Why)
	if f.Valhalla != nil {
		f.writeValhalla(&w, a)
	}
	w.StringIf("id", f.ID)
	if len(warnings) > 0 {
		w.Safe("warnings", warnings)
	}
	w.Blocks(f.Blocks)
	w.Close('}')
	return w.Bytes()
}

// writeValhalla adds the members of Valhalla's form.
func (f *MatrixForm) writeValhalla(w *json.Writer, a *engine.MatrixAnswer) {
	v := f.Valhalla
	unit, name := 1000.0, "kilometers"
	if v.Miles {
		unit, name = metresPerMile, "miles"
	}
	seconds := func(c *engine.MatrixCell) float64 { return math.Round(c.Seconds) }
	length := func(c *engine.MatrixCell) float64 { return c.Metres / unit }
	if v.Brief {
		w.Open('{', "sources_to_targets")
		cells(w, "durations", a, seconds, 0)
		f.lengths(w, a, length, 3)
		w.Close('}')
	} else {
		w.Open('[', "sources_to_targets")
		for i, row := range a.Cells {
			w.Open('[')
			for j := range row {
				w.Open('{')
				w.Int("from_index", i)
				w.Int("to_index", j)
				if c := &row[j]; c.Reached {
					w.Number("time", seconds(c), 0)
					if f.Why == nil {
						w.Number("distance", length(c), 3)
					} else {
						w.Null("distance")
					}
					clock(w, a, i, j)
				} else {
					w.Null("time")
					w.Null("distance")
				}
				w.Close('}')
			}
			w.Close(']')
		}
		w.Close(']')
	}
	w.String("units", name)
}

// clock returns when one is at the other end of a way, where a time was given.
func clock(w *json.Writer, a *engine.MatrixAnswer, source, target int) {
	if a.Begin == nil {
		return
	}
	at, zoned := a.At(source, target)
	w.String("date_time", at.Format(engine.TimeForm))
	if zoned {
		w.String("time_zone_offset", at.Format("-07:00"))
		w.String("time_zone_name", at.Location().String())
	}
}

// missed adds a warning for each place that is not on the network.
func missed(warnings []engine.Warning, list string, places []engine.Snapped) []engine.Warning {
	for i, p := range places {
		if p.Miss != "" && len(warnings) < mostWarnings {
			warnings = append(warnings, engine.Warning{Code: noRoad, Text: fmt.Sprintf("%s[%d]: %s", list, i, p.Miss)})
		}
	}
	return warnings
}

func cells(w *json.Writer, name string, a *engine.MatrixAnswer, value func(*engine.MatrixCell) float64, digits int) {
	w.Open('[', name)
	for _, row := range a.Cells {
		w.Open('[')
		for j := range row {
			if row[j].Reached {
				w.NumberElement(value(&row[j]), digits)
			} else {
				w.NullElement()
			}
		}
		w.Close(']')
	}
	w.Close(']')
}

// lengths writes lengths; nulls of a matrix without them.
func (f *MatrixForm) lengths(w *json.Writer, a *engine.MatrixAnswer, value func(*engine.MatrixCell) float64, digits int) {
	if f.Why == nil {
		cells(w, "distances", a, value, digits)
		return
	}
	w.Open('[', "distances")
	for _, row := range a.Cells {
		w.Open('[')
		for range row {
			w.NullElement()
		}
		w.Close(']')
	}
	w.Close(']')
}

func snapped(w *json.Writer, name string, places []engine.Snapped) {
	w.Open('[', name)
	for _, p := range places {
		if p.Miss != "" {
			w.NullElement()
			continue
		}
		w.Open('{')
		w.Key("lat")
		w.Append(func(dst []byte) []byte { return strconv.AppendFloat(dst, p.Point.Lat, 'f', 6, 64) })
		w.Key("lon")
		w.Append(func(dst []byte) []byte { return strconv.AppendFloat(dst, p.Point.Lon, 'f', 6, 64) })
		w.Close('}')
	}
	w.Close(']')
}

func unreachable(w *json.Writer, a *engine.MatrixAnswer, why func(source, target int) string) {
	w.Open('[', "unreachable")
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
			case why != nil:
				reason = why(i, j)
			}
			w.Open('{')
			w.Int("source", i)
			w.Int("target", j)
			w.String("reason", reason)
			w.Close('}')
		}
	}
	w.Close(']')
}

// MatrixRefusal puts a refusal for want of a road in the caller's words, and adds
// what a swapped position would explain.
func MatrixRefusal(err error, square bool, region geo.Bounds, q *engine.MatrixRequest) error {
	if e := (*fault.Error)(nil); square && engine.Code(err) == engine.CodeNoSegment && errors.As(err, &e) {
		renamed := *e
		renamed.Detail = strings.Replace(renamed.Detail, "sources[", "locations[", 1)
		err = &renamed
	}
	return engine.WithHint(err, region, q.Points(), nil)
}
