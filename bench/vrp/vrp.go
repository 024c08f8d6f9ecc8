// Package vrp reads the academic sets of vehicle routing problems and measures
// the gap of a plan to the best one known.
package vrp

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/fleet"
)

// Instance is a problem with the cost of the best plan known.
type Instance struct {
	Set, Name string
	Path      string
	BestKnown float64
	Vehicles  int // that the best plan known may use; 0 is as many as the file has
}

// folders of the sets below the data.
var folders = map[string]string{"X": "CVRP/X", "X_to_330": "CVRP/X", "X_above_330": "CVRP/X", "solomon": "VRPTW/solomon", "homberger_200": "VRPTW/homberger_200", "li_lim_100": "PDPTW/li_lim_100", "li_lim_200": "PDPTW/li_lim_200"}

// Instances lists the problems of a set in the folder of the data, each with the objective
// that its reference is for: distance, in Li and Lim's sets with the fewest vehicles.
func Instances(data, set string) ([]Instance, error) {
	folder, ok := folders[set]
	if !ok {
		return nil, fmt.Errorf("--set %q is none of X, X_to_330, X_above_330, solomon, homberger_200, li_lim_100, li_lim_200", set)
	}
	f, err := os.Open(filepath.Join(data, "REFERENCES.csv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	err = filepath.WalkDir(filepath.Join(data, folder), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files[strings.ToLower(strings.TrimSuffix(d.Name(), filepath.Ext(path)))] = path
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var out []Instance
	for _, row := range rows {
		if row[0] != strings.TrimSuffix(strings.TrimSuffix(set, "_to_330"), "_above_330") || !sized(set, row[1]) || strings.HasPrefix(set, "li_lim") == (row[2] == "distance") {
			continue
		}
		best, err := strconv.ParseFloat(row[4], 64)
		if err != nil {
			return nil, err
		}
		in := Instance{Set: set, Name: row[1], BestKnown: best, Path: files[strings.ToLower(row[1])]}
		if in.Path == "" {
			return nil, fmt.Errorf("%s has no file of %s", folder, row[1])
		}
		if row[2] != "distance" {
			if _, err = fmt.Sscanf(row[2], "fewest vehicles (%d)", &in.Vehicles); err != nil {
				return nil, fmt.Errorf("objective %q: %w", row[2], err)
			}
		}
		out = append(out, in)
	}
	slices.SortFunc(out, func(a, b Instance) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// sized reports whether a problem of X, whose name counts its customers and the depot, is in
// the part of the set.
func sized(set, name string) bool {
	var n int
	if _, err := fmt.Sscanf(name, "X-n%d", &n); err != nil {
		return true
	}
	return !(set == "X_to_330" && n > 331 || set == "X_above_330" && n <= 331)
}

// Load reads the problem. Its lengths are Scale times those of the reference.
func (in *Instance) Load() (p *fleet.Problem, scale float64, err error) {
	text, err := os.ReadFile(in.Path)
	if err != nil {
		return nil, 0, err
	}
	switch in.Set {
	case "X", "X_to_330", "X_above_330":
		p, err = cvrp(string(text))
		return p, 1, err
	case "solomon", "homberger_200":
		// Truncated to one decimal.
		p, err = windows(string(text), 10)
		return p, 10, err
	}
	p, err = pairs(string(text), 1000)
	if err == nil && in.Vehicles > 0 {
		p.Vehicles = p.Vehicles[:min(len(p.Vehicles), in.Vehicles)]
	}
	return p, 1000, err
}

// Gap is by how much a plan is longer than the best known, in per cent.
func (in *Instance) Gap(plan *fleet.Plan, scale float64) float64 {
	return 100 * (Length(plan, scale)/in.BestKnown - 1)
}

// Length returns that of a plan in the unit of the best known.
func Length(plan *fleet.Plan, scale float64) float64 {
	metres := int64(0)
	for i := range plan.Routes {
		metres += plan.Routes[i].Distance
	}
	return float64(metres) / scale
}

type point struct{ x, y float64 }

// matrix measures all ways with one rounding.
func matrix(at []point, round func(float64) float64) fleet.Matrix {
	n := len(at)
	m := fleet.Matrix{N: n, Seconds: make([]int32, n*n)}
	for a := range n {
		for b := range n {
			m.Seconds[a*n+b] = int32(round(math.Hypot(at[a].x-at[b].x, at[a].y-at[b].y)))
		}
	}
	m.Metres = m.Seconds
	return m
}

func alike(n int, capacity int32, until int64) []fleet.Vehicle {
	vs := make([]fleet.Vehicle, n)
	for i := range vs {
		vs[i] = fleet.Vehicle{Capacity: []int32{capacity}, PerKilometre: 1, Windows: during(until)}
	}
	return vs
}

func during(until int64) []fleet.Window {
	if until == 0 {
		return nil
	}
	return []fleet.Window{{End: until}}
}

var errForm = errors.New("is not in the form of its set")

// cvrp reads CVRPLIB's form.
func cvrp(text string) (*fleet.Problem, error) {
	var at []point
	var demand []int32
	var capacity, section string
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		f := strings.Fields(s.Text())
		switch {
		case len(f) == 0:
		case f[0] == "CAPACITY":
			capacity = f[len(f)-1]
		case strings.HasSuffix(f[0], "_SECTION"):
			section = f[0]
		case section == "NODE_COORD_SECTION" && len(f) == 3:
			x, err := strconv.ParseFloat(f[1], 64)
			y, err2 := strconv.ParseFloat(f[2], 64)
			if err != nil || err2 != nil {
				return nil, errForm
			}
			at = append(at, point{x, y})
		case section == "DEMAND_SECTION" && len(f) == 2:
			d, err := strconv.Atoi(f[1])
			if err != nil {
				return nil, errForm
			}
			demand = append(demand, int32(d))
		}
	}
	c, err := strconv.Atoi(capacity)
	if err != nil || len(at) < 2 || len(at) != len(demand) || c <= 0 {
		return nil, errForm
	}
	p := &fleet.Problem{Matrices: []fleet.Matrix{matrix(at, math.Round)}}
	total := 0
	for i := 1; i < len(at); i++ {
		p.Jobs = append(p.Jobs, fleet.Job{Place: fleet.Place{Location: i}, Delivery: demand[i : i+1]})
		total += int(demand[i])
	}
	p.Vehicles = alike(total/c+total/c/5+5, int32(c), 0)
	return p, nil
}

// numbers reads the lines that consist of numbers alone.
func numbers(text string) (rows [][]int64) {
	for line := range strings.Lines(text) {
		var row []int64
		for _, f := range strings.Fields(line) {
			x, err := strconv.ParseFloat(f, 64)
			if err != nil {
				row = nil
				break
			}
			row = append(row, int64(x))
		}
		if row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// customers reads what Solomon's form and Li and Lim's have in common.
func customers(rows [][]int64, columns int, scale int64, round func(float64) float64) (*fleet.Problem, error) {
	if len(rows) < 3 || len(rows[0]) < 2 {
		return nil, errForm
	}
	var at []point
	for _, r := range rows[1:] {
		if len(r) < columns {
			return nil, errForm
		}
		at = append(at, point{float64(r[1] * scale), float64(r[2] * scale)})
	}
	p := &fleet.Problem{Matrices: []fleet.Matrix{matrix(at, round)}}
	p.Vehicles = alike(int(rows[0][0]), int32(rows[0][len(rows[0])-1]), rows[1][5]*scale)
	return p, nil
}

func stop(location int, r []int64, scale int64) fleet.Place {
	return fleet.Place{Location: location, Service: r[6] * scale, Windows: []fleet.Window{{Start: r[4] * scale, End: r[5] * scale}}}
}

// windows reads Solomon's form.
func windows(text string, scale int64) (*fleet.Problem, error) {
	rows := numbers(text)
	p, err := customers(rows, 7, scale, math.Floor)
	if err != nil {
		return nil, err
	}
	for i, r := range rows[2:] {
		p.Jobs = append(p.Jobs, fleet.Job{Place: stop(i+1, r, scale), Delivery: []int32{int32(r[3])}})
	}
	return p, nil
}

// pairs reads Li and Lim's form.
func pairs(text string, scale int64) (*fleet.Problem, error) {
	rows := numbers(text)
	if len(rows) < 3 || len(rows[0]) < 3 {
		return nil, errForm
	}
	rows[0] = rows[0][:2] // the speed is 1
	p, err := customers(rows, 9, scale, math.Round)
	if err != nil {
		return nil, err
	}
	for i, r := range rows[2:] {
		if r[8] == 0 {
			continue
		}
		if r[8] < 1 || int(r[8]) >= len(rows)-1 {
			return nil, errForm
		}
		p.Shipments = append(p.Shipments, fleet.Shipment{Pickup: stop(i+1, r, scale), Delivery: stop(int(r[8]), rows[1+r[8]], scale), Amount: []int32{int32(r[3])}})
	}
	return p, nil
}
