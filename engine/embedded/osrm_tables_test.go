package embedded_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

var (
	osrmTables = flag.String("osrm.features", "", "the folder features of OSRM's sources, whose tables of its own tests are asked of us")
	osrmReport = flag.Bool("osrm.report", false, "list the cells of OSRM's tables that disagree")
)

// osrmProfiles are the costings that stand for OSRM's profiles, and how many cells in
// a hundred agree at least, of ways and of routes.
var osrmProfiles = []struct {
	name    string
	costing costing.Costing
	floor   [2]float64
}{{"car", costing.Auto, [2]float64{94.5, 89}}, {"bicycle", costing.Bicycle, [2]float64{89, 39}}, {"foot", costing.Pedestrian, [2]float64{91, 44}}}

// osrmWording are the files of tables that tell what a route is called, not where it
// leads.
var osrmWording = []string{"names.feature", "sidepath_names.feature", "summaries.feature", "classes.feature", "roundabout.feature"}

// TestOSRMTablesAgree compares us with the tables by which OSRM tests its own
// profiles: who may use a way with these tags, in which direction, and which ways a
// route takes in a drawn town. A cell of the first agrees where both open the way or
// neither does, whatever the speed; a row of the second where the ways are the same.
// Scenarios that need options of OSRM's tools or changed profiles are left out.
func TestOSRMTablesAgree(t *testing.T) {
	if *osrmTables == "" {
		t.Skip("reads OSRM's tables: -osrm.features DIR")
	}
	var cells, agreed [2]int
	for _, p := range osrmProfiles {
		t.Run(p.name, func(t *testing.T) {
			var good, of [2]int // of ways, of routes
			files, err := filepath.Glob(filepath.Join(*osrmTables, p.name, "*.feature"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no tables: %v", err)
			}
			var all osrmWorld
			for _, file := range files {
				if !slices.Contains(osrmWording, filepath.Base(file)) {
					all.read(t, file, p.name)
				}
			}
			extract := filepath.Join(t.TempDir(), p.name+".osm.pbf")
			f, err := os.Create(extract)
			if err == nil {
				err = errors.Join(osm.WritePBF(f, &all.data), f.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
			e := open(t, extract)
			for _, q := range all.asked {
				kind := 0
				if q.town != nil {
					kind = 1
				}
				got := q.answer(t, e, p.costing)
				if of[kind]++; got == q.want {
					good[kind]++
				} else if *osrmReport {
					t.Logf("%s: %q, want %q", q.what, got, q.want)
				}
			}
			for kind, what := range [...]string{"cells of ways", "rows of routes"} {
				t.Logf("%s of %d %s agree", interval(good[kind], of[kind]), of[kind], what)
				if share := 100 * float64(good[kind]) / float64(max(1, of[kind])); share < p.floor[kind] {
					t.Errorf("%.1f %% of %s agree, want %v", share, what, p.floor[kind])
				}
				cells[kind], agreed[kind] = cells[kind]+of[kind], agreed[kind]+good[kind]
			}
		})
	}
	t.Logf("of all %d cells of ways %s agree, of %d rows of routes %s", cells[0], interval(agreed[0], cells[0]), cells[1], interval(agreed[1], cells[1]))
}

// osrmQuestion is a cell: a journey there, or there and back, and what is wanted of
// it: the names of its ways, or "x" for any way from end to end, "" for none.
type osrmQuestion struct {
	what     string
	from, to geo.Point
	both     bool
	town     *osrmTown // nil where any way will do
	want     string
}

// osrmTown is the drawn town of a scenario.
type osrmTown struct {
	grid   float64
	drawn  map[rune][2]float64 // in cells, east and south
	nodes  map[rune]*osm.Node
	ways   []osm.Way
	byName map[string]int64
	turns  []osm.Relation
	at     geo.Point
}

// osrmWorld is all towns in one extract, apart from each other.
type osrmWorld struct {
	data  osm.Data
	asked []osrmQuestion
	next  int64
	at    geo.Point // of the next town
}

// metres per degree on the equator, near which all towns stand, as OSRM's do.
const osrmDegree = geo.EarthRadius * math.Pi / 180

// read adds the scenarios of a file that its profile alone decides.
func (w *osrmWorld) read(t *testing.T, file, profile string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var steps, background []osrmStep
	name, skip, later := "", false, false // later: OSRM's own failures, named in the line before
	flush := func() {
		if name == "" {
			background = steps
		} else if !skip {
			w.scenario(t, fmt.Sprintf("%s/%s: %s", profile, filepath.Base(file), name), profile, slices.Concat(background, steps))
		}
		steps = nil
	}
	in, drawing := bufio.NewScanner(f), false
	for in.Scan() {
		line := strings.TrimSpace(in.Text())
		last := len(steps) - 1
		switch head, rest, _ := strings.Cut(line, " "); {
		case line == `"""`:
			drawing = !drawing
		case drawing:
			steps[last].drawing = append(steps[last].drawing, in.Text())
		case strings.HasPrefix(line, "|") && last >= 0:
			row := strings.Split(strings.TrimSuffix(strings.ReplaceAll(line[1:], `\|`, "\n"), "|"), "|")
			for i := range row {
				row[i] = strings.ReplaceAll(strings.TrimSpace(row[i]), "\n", "|")
			}
			steps[last].table = append(steps[last].table, row)
		case head == "Scenario:", line == "Scenario Outline:":
			flush()
			name, skip, later = rest, later, false
		case strings.HasPrefix(line, "@"):
			later = strings.Contains(line, "@todo")
		case head == "Given", head == "When", head == "Then", head == "And":
			steps = append(steps, osrmStep{text: rest})
		}
	}
	flush()
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
}

// osrmStep is a sentence of a scenario with what follows it.
type osrmStep struct {
	text    string
	table   [][]string
	drawing []string
}

// rows returns a step's table as one map for each row, by the heads of its columns.
func (s *osrmStep) rows() []map[string]string {
	var all []map[string]string
	for _, row := range s.table[min(1, len(s.table)):] {
		m := map[string]string{}
		for i, head := range s.table[0][:min(len(row), len(s.table[0]))] {
			m[head] = row[i]
		}
		all = append(all, m)
	}
	return all
}

var osrmGrid = regexp.MustCompile(`^a grid size of ([0-9.]+) meters$`)

// scenario adds a scenario, unless it has a step that we have no counterpart of.
func (w *osrmWorld) scenario(t *testing.T, what, profile string, steps []osrmStep) {
	t.Helper()
	town := &osrmTown{grid: 100, drawn: map[rune][2]float64{}, nodes: map[rune]*osm.Node{}, byName: map[string]int64{}}
	for _, s := range steps {
		if g := osrmGrid.FindStringSubmatch(s.text); g != nil {
			town.grid, _ = strconv.ParseFloat(g[1], 64)
		}
	}
	for _, s := range steps {
		switch {
		case s.text == fmt.Sprintf("the profile %q", profile), osrmGrid.MatchString(s.text):
		case s.text == "routability should be":
			for i, row := range s.rows() {
				w.row(fmt.Sprintf("%s %d", what, i+1), row)
			}
		case s.text == "the node map":
			town.draw(s.drawing)
		case s.text == "the nodes" && len(town.drawn) > 0:
			w.placeTown(town)
			for _, row := range s.rows() {
				if n := town.nodes[[]rune(row["node"])[0]]; row["id"] == "" {
					n.Tags = osrmTags(row, "node")
				}
			}
		case s.text == "the ways" && len(town.drawn) > 0:
			w.placeTown(town)
			for _, row := range s.rows() {
				w.way(town, row)
			}
		case s.text == "the relations" && town.nodes != nil:
			if !w.relations(town, &s) {
				return
			}
		case s.text == "I route I should get" && len(town.ways) > 0:
			defer func() { w.add(town) }()
			for i, row := range s.rows() {
				w.route(fmt.Sprintf("%s %d", what, i+1), town, row)
			}
		default:
			return
		}
	}
}

// row adds a way with tags of its own, of five nodes of which the third has tags
// too, and the cells that ask of it.
func (w *osrmWorld) row(what string, row map[string]string) {
	w.step(1000)
	tags, node := map[string]string{"highway": "primary"}, map[string]string{}
	var options []string
	for key, value := range row {
		if value == "" || strings.HasPrefix(key, "forw") || strings.HasPrefix(key, "backw") || strings.HasPrefix(key, "bothw") || key == "#" {
			continue
		}
		of, k := tags, key
		if rest, ok := strings.CutPrefix(key, "node/"); ok {
			of, k = node, rest
		}
		if of[k] = value; value == "(nil)" {
			delete(of, k)
		}
		options = append(options, key+"="+value)
	}
	slices.Sort(options)
	what += " " + strings.Join(options, " ")
	way := osm.Way{ID: w.id(), Version: 1, Tags: osrmTags(tags)}
	for i := range 5 {
		n := w.node(geo.Point{Lon: w.at.Lon + float64(i)*100/osrmDegree, Lat: w.at.Lat})
		if i == 2 {
			n.Tags = osrmTags(node)
		}
		w.data.Nodes = append(w.data.Nodes, n)
		way.Nodes = append(way.Nodes, n.ID)
	}
	w.data.Ways = append(w.data.Ways, way)
	from, to := geo.Point{Lon: w.at.Lon + 100/osrmDegree, Lat: w.at.Lat}, geo.Point{Lon: w.at.Lon + 300/osrmDegree, Lat: w.at.Lat}
	for _, dir := range []string{"forw", "backw", "bothw"} {
		want, ok := row[dir]
		if !ok {
			continue
		}
		q := osrmQuestion{what: what + " " + dir, from: from, to: to, both: dir == "bothw"}
		if dir == "backw" {
			q.from, q.to = to, from
		}
		if want != "" {
			q.want = "x"
		}
		w.asked = append(w.asked, q)
	}
}

// draw reads the node map: two columns are a cell.
func (town *osrmTown) draw(lines []string) {
	for row, line := range lines {
		for col, r := range []rune(line) {
			if r != ' ' && r != '\t' {
				town.drawn[r] = [2]float64{float64(col) / 2, float64(row)}
			}
		}
	}
}

// placeTown gives a town its place, at its first ways or nodes.
func (w *osrmWorld) placeTown(town *osrmTown) {
	if town.at != (geo.Point{}) {
		return
	}
	var east float64
	for _, c := range town.drawn {
		east = max(east, c[0])
	}
	w.step(east*town.grid + 500)
	town.at = w.at
	for _, r := range slices.Sorted(maps.Keys(town.drawn)) {
		if r >= 'a' && r <= 'z' {
			n := w.node(town.point(r))
			town.nodes[r] = &n
		}
	}
}

func (town *osrmTown) point(r rune) geo.Point {
	c := town.drawn[r]
	return geo.Point{Lon: town.at.Lon + c[0]*town.grid/osrmDegree, Lat: town.at.Lat - c[1]*town.grid/osrmDegree}.Fix().Point()
}

func (w *osrmWorld) way(town *osrmTown, row map[string]string) {
	tags := map[string]string{"highway": "primary", "name": row["nodes"]}
	for key, value := range row {
		if key == "nodes" || key == "#" || value == "" {
			continue
		}
		if tags[key] = value; value == "(nil)" {
			delete(tags, key)
		}
		if key == "name" && value == `""` {
			delete(tags, key)
		}
	}
	way := osm.Way{ID: w.id(), Version: 1, Tags: osrmTags(tags)}
	for _, r := range row["nodes"] {
		way.Nodes = append(way.Nodes, town.nodes[r].ID)
	}
	town.byName[row["nodes"]] = way.ID
	town.ways = append(town.ways, way)
}

// relations adds relations, and reports whether it could.
func (w *osrmWorld) relations(town *osrmTown, s *osrmStep) bool {
	for _, row := range s.table[1:] {
		r := osm.Relation{ID: w.id(), Version: 1}
		tags := map[string]string{}
		for i, cell := range row {
			kind, role, member := strings.Cut(s.table[0][i], ":")
			switch {
			case cell == "" || kind == "#":
			case member && kind == "way":
				for name := range strings.SplitSeq(cell, ",") {
					id, ok := town.byName[strings.TrimSpace(name)]
					if !ok {
						return false
					}
					r.Members = append(r.Members, osm.Member{Kind: osm.KindWay, Ref: id, Role: role})
				}
			case member && kind == "node":
				n, ok := town.nodes[[]rune(cell)[0]]
				if !ok {
					return false
				}
				r.Members = append(r.Members, osm.Member{Kind: osm.KindNode, Ref: n.ID, Role: role})
			case member && kind == "relation":
				return false
			default:
				tags[s.table[0][i]] = cell
			}
		}
		r.Tags = osrmTags(tags)
		town.turns = append(town.turns, r)
	}
	return true
}

// add adds a finished town to the extract.
func (w *osrmWorld) add(town *osrmTown) {
	for _, r := range slices.Sorted(maps.Keys(town.nodes)) {
		w.data.Nodes = append(w.data.Nodes, *town.nodes[r])
	}
	w.data.Ways = append(w.data.Ways, town.ways...)
	w.data.Relations = append(w.data.Relations, town.turns...)
}

// route adds a row that asks for the ways of a route between two places.
func (w *osrmWorld) route(what string, town *osrmTown, row map[string]string) {
	want, ok := row["route"]
	from, to := row["from"], row["to"]
	if points := strings.Split(row["waypoints"], ","); len(points) == 2 {
		from, to = points[0], points[1]
	}
	if !ok || len(from) != 1 || len(to) != 1 || row["bearings"]+row["approaches"] != "" {
		return
	}
	a, b := []rune(from)[0], []rune(to)[0]
	w.asked = append(w.asked, osrmQuestion{
		what: fmt.Sprintf("%s %s to %s", what, from, to), from: town.point(a), to: town.point(b), town: town,
		want: strings.Join(slices.Compact(strings.Split(want, ",")), ","),
	})
}

// step goes on to a place some metres away from the last town.
func (w *osrmWorld) step(metres float64) {
	if w.at == (geo.Point{}) {
		w.at = geo.Point{Lon: 1, Lat: 1}
	}
	w.next += 100
	if w.at.Lon += (3000 + metres) / osrmDegree; w.at.Lon > 2 {
		w.at = geo.Point{Lon: 1, Lat: w.at.Lat - 0.2}
	}
}

func (w *osrmWorld) id() int64 { w.next++; return w.next }

func (w *osrmWorld) node(p geo.Point) osm.Node {
	f := p.Fix()
	return osm.Node{ID: w.id(), Version: 1, Lon: f.Lon, Lat: f.Lat}
}

// osrmTags gives tags in order of their keys, without empty ones and those left out.
func osrmTags(m map[string]string, except ...string) osm.Tags {
	var tags osm.Tags
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if m[k] != "" && !slices.Contains(append(except, "#"), k) {
			tags = append(tags, osm.Tag{Key: k, Value: m[k]})
		}
	}
	return tags
}

// answer asks us.
func (q *osrmQuestion) answer(t *testing.T, e *embedded.Engine, by costing.Costing) string {
	t.Helper()
	got := q.journey(t, e, by, q.from, q.to)
	if back := q.from; got != "" && q.both {
		got = q.journey(t, e, by, q.to, back)
	}
	return got
}

// journey returns the ways from one place to another, "x" where any will do, and
// nothing where there is none.
func (q *osrmQuestion) journey(t *testing.T, e *embedded.Engine, by costing.Costing, from, to geo.Point) string {
	t.Helper()
	r := pair{from: from, to: to}.request(t, by)
	for i := range r.Locations {
		if r.Locations[i].SearchCutoff = 20; q.town != nil {
			r.Locations[i].SearchCutoff = 2 * q.town.grid
		}
	}
	best, err := engine.Best(t.Context(), e, r)
	if err != nil {
		return ""
	}
	if q.town == nil {
		return "x"
	}
	return strings.Join(q.town.along(best.Line()), ",")
}

// along names the ways that a line runs along, in order.
func (town *osrmTown) along(line []geo.Point) []string {
	at := map[int64]geo.Point{}
	for _, n := range town.nodes {
		at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
	}
	var names []string
	for i := 1; i < len(line); i++ {
		if line[i] == line[i-1] {
			continue
		}
		var here []string
		for _, w := range town.ways {
			for j := 1; j < len(w.Nodes); j++ {
				a, b := at[w.Nodes[j-1]], at[w.Nodes[j]]
				_, _, one := geo.Nearest(line[i-1], a, b)
				_, _, other := geo.Nearest(line[i], a, b)
				if max(one, other) < 1 {
					here = append(here, w.Tags.Get("name"))
				}
			}
		}
		if n := len(names); len(here) > 0 && (n == 0 || !slices.Contains(here, names[n-1])) {
			names = append(names, here[0])
		}
	}
	return names
}
