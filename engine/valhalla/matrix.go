package valhalla

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Matrix requests Valhalla's matrix. Valhalla refuses all of it where one
// location has no road near it: then those that have are asked for again
// without the others. A large matrix is put together of requests of at most mostCells, so
// that no more of its text is held at a time.
func (e *Engine) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	rows, columns := every(len(r.Sources)), every(len(r.Targets))
	a := &engine.MatrixAnswer{Cells: make([][]engine.MatrixCell, len(r.Sources)), Sources: make([]engine.Snapped, len(r.Sources)), Targets: make([]engine.Snapped, len(r.Targets))}
	for i := range a.Cells {
		a.Cells[i] = make([]engine.MatrixCell, len(r.Targets))
	}
	err := e.blocks(ctx, r, rows, columns, a)
	if engine.Code(err) != engine.CodeNoSegment {
		return answered(a, err)
	}
	refusal := err
	if rows, err = e.near(ctx, r, r.Sources, a.Sources); err != nil {
		return nil, err
	}
	if columns, err = e.near(ctx, r, r.Targets, a.Targets); err != nil {
		return nil, err
	}
	if len(rows) == 0 || len(columns) == 0 || len(rows) == len(r.Sources) && len(columns) == len(r.Targets) {
		return nil, refusal
	}
	return answered(a, e.blocks(ctx, r, rows, columns, a))
}

// mostCells is how many cells one request has, some 700 kB of text.
const mostCells = 100 * 100

// blocks fills in some rows and columns, by as few requests as there may be.
func (e *Engine) blocks(ctx context.Context, r *engine.MatrixRequest, rows, columns []int, a *engine.MatrixAnswer) error {
	down, across := engine.Parts(len(rows), len(columns), mostCells)
	a.Warnings = nil
	if r.When != nil || r.Times != nil {
		a.Warnings = append(a.Warnings, unheeded)
	}
	for i := range down {
		from := rows[len(rows)*i/down : len(rows)*(i+1)/down]
		for j := range across {
			if err := e.cells(ctx, r, from, columns[len(columns)*j/across:len(columns)*(j+1)/across], a); err != nil {
				return err
			}
		}
	}
	return nil
}

// unheeded warns that Valhalla's matrix passes what is closed at the time.
var unheeded = engine.Warning{Code: engine.WarnIgnored, Of: "date_time", Text: "the matrix of the routing engine here heeds date_time for speeds only: ways may pass what is closed then"}

func answered(a *engine.MatrixAnswer, err error) (*engine.MatrixAnswer, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

func every(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func pick(all []engine.Location, which []int) []location {
	list := make([]engine.Location, len(which))
	for i, k := range which {
		list[i] = all[k]
		list[i].Stop = "" // a matrix has no stops in between
	}
	return locations(list)
}

// setTimes gives some locations, by their numbers, times of their own.
func setTimes(list []location, numbers []int, times []engine.When) {
	if times == nil {
		return
	}
	for i, k := range numbers {
		if list[i].DateTime = "current"; times[k].Type != engine.Now {
			list[i].DateTime = times[k].Local.Format(engine.TimeForm)
		}
	}
}

// matrixBody returns the members that the bodies of requests about many locations share.
func matrixBody(r *engine.MatrixRequest) map[string]any {
	body := map[string]any{}
	for name, value := range r.Extra {
		body[name] = value
	}
	body["units"] = "kilometers"
	conditions := r.Conditions
	if r.Times != nil {
		conditions.When = nil // it would replace those of the places
	}
	travel(body, r.Costing, &r.Options, &conditions)
	return body
}

// position is a position in an answer.
type position struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

// cells fills in some rows and columns.
func (e *Engine) cells(ctx context.Context, r *engine.MatrixRequest, rows, columns []int, a *engine.MatrixAnswer) error {
	body := matrixBody(r)
	sources, targets := pick(r.Sources, rows), pick(r.Targets, columns)
	if r.Arrives() {
		setTimes(targets, columns, r.Times)
	} else {
		setTimes(sources, rows, r.Times)
	}
	body["sources"], body["targets"], body["verbose"] = sources, targets, true
	raw, err := e.post(ctx, "/sources_to_targets", body)
	if err != nil {
		return err
	}
	var answer struct {
		Cells [][]struct {
			From     int      `json:"from_index"`
			To       int      `json:"to_index"`
			Time     *float64 `json:"time"`     // seconds
			Distance *float64 `json:"distance"` // kilometres
		} `json:"sources_to_targets"`
		Sources  []position `json:"sources"`
		Targets  []position `json:"targets"`
		Warnings []struct {
			Code int    `json:"code"`
			Text string `json:"text"`
		} `json:"warnings"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil || len(answer.Sources) != len(rows) || len(answer.Targets) != len(columns) {
		return fault.Wrap(err, fault.Upstream, "the routing engine's answer is not a matrix of the size asked for").With("upstream_status", http.StatusOK)
	}
	if len(answer.Cells) != len(rows) {
		return unlike("a matrix of %d rows", len(rows))
	}
	for i, p := range answer.Sources {
		a.Sources[rows[i]].Point = geo.Point{Lon: p.Lon, Lat: p.Lat}
	}
	for i, p := range answer.Targets {
		a.Targets[columns[i]].Point = geo.Point{Lon: p.Lon, Lat: p.Lat}
	}
	for i, row := range answer.Cells {
		if len(row) != len(columns) {
			return unlike("a matrix of %d columns", len(columns))
		}
		for j, c := range row {
			if c.From != i || c.To != j {
				return unlike("a matrix in the order of its places")
			}
			if c.Time != nil && c.Distance != nil {
				if !(*c.Time >= 0 && *c.Distance >= 0) {
					return unlike("a matrix of times and lengths")
				}
				a.Cells[rows[i]][columns[j]] = engine.MatrixCell{Seconds: *c.Time, Metres: 1000 * *c.Distance, Reached: true}
			}
		}
	}
	for _, w := range answer.Warnings {
		one := engine.Warning{Code: w.Code, Text: w.Text}
		if !slices.Contains(a.Warnings, one) { // of another block
			a.Warnings = append(a.Warnings, one)
		}
	}
	return nil
}

// near finds which locations have a road near them and notes what the others
// lack.
func (e *Engine) near(ctx context.Context, r *engine.MatrixRequest, all []engine.Location, into []engine.Snapped) ([]int, error) {
	body := matrixBody(r)
	body["locations"], body["verbose"] = pick(all, every(len(all))), false
	raw, err := e.postList(ctx, "/locate", body)
	if err != nil {
		return nil, err
	}
	var answer []struct {
		Edges []json.RawMessage `json:"edges"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil || len(answer) != len(all) {
		return nil, fault.Wrap(err, fault.Upstream, "the routing engine located %d of %d places", len(answer), len(all)).With("upstream_status", http.StatusOK)
	}
	var found []int
	for i := range answer {
		if len(answer[i].Edges) > 0 {
			found = append(found, i)
		} else {
			into[i].Miss = "no suitable edges near location"
		}
	}
	return found, nil
}
