package valhalla

import (
	"encoding/json"
	"errors"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
)

// ReadMatrix reads a square matrix that WriteMatrix wrote, into one of n places of
// which the first are those of the text: the others are left empty.
func ReadMatrix(doc []byte, n int) (*engine.MatrixAnswer, error) {
	var was struct {
		Durations [][]*float64
		Distances [][]*float64
		Sources   []*native.Position
	}
	if err := json.Unmarshal(doc, &was); err != nil {
		return nil, err
	}
	k := len(was.Sources)
	if k > n || len(was.Durations) != k || len(was.Distances) != k {
		return nil, errors.New("the text is not a square matrix of at most so many places")
	}
	a := &engine.MatrixAnswer{Cells: make([][]engine.MatrixCell, n), Sources: make([]engine.Snapped, n)}
	for i := range a.Cells {
		a.Cells[i] = make([]engine.MatrixCell, n)
		if i >= k {
			continue
		}
		if len(was.Durations[i]) != k || len(was.Distances[i]) != k {
			return nil, errors.New("the text is not a square matrix")
		}
		for j, seconds := range was.Durations[i] {
			if metres := was.Distances[i][j]; seconds != nil && metres != nil {
				a.Cells[i][j] = engine.MatrixCell{Seconds: *seconds, Metres: *metres, Reached: true}
			}
		}
		if at := was.Sources[i]; at != nil {
			a.Sources[i].Point = geo.Point{Lon: at.Lon, Lat: at.Lat}
		} else {
			a.Sources[i].Miss = "no usable road is near"
		}
	}
	a.Targets = append([]engine.Snapped(nil), a.Sources...)
	return a, nil
}
