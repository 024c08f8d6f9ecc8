package towntest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

// Build makes the town. It refuses a drawing with a letter twice or an unknown
// stroke, and parts that name what the drawing does not have, naming both.
func (p *Plan) Build() (*Town, error) {
	t := &Town{origin: geo.Point(p.At), cell: float64(p.Cell), nodes: map[rune]int64{}}
	if t.origin == (geo.Point{}) {
		t.origin = England
	}
	if t.cell == 0 {
		t.cell = 100
	}
	var err error
	if t.places, t.order, err = readDrawing(p.Drawing); err != nil {
		return nil, err
	}
	next := max(int64(p.FirstID), 1)
	if err := t.addNodes(p, next); err != nil {
		return nil, err
	}
	if err := t.addWays(p.Ways, next); err != nil {
		return nil, err
	}
	for i, turn := range p.Turns {
		r, err := t.turn(turn)
		if err != nil {
			return nil, fmt.Errorf("turn %d %q: %w", i, turn, err)
		}
		r.ID = next + int64(len(t.data.Relations))
		t.data.Relations = append(t.data.Relations, r)
	}
	for i, rel := range p.Relations {
		r, err := t.relation(rel[0], rel[1])
		if err != nil {
			return nil, fmt.Errorf("relation %d %q: %w", i, rel, err)
		}
		r.ID = next + int64(len(t.data.Relations))
		t.data.Relations = append(t.data.Relations, r)
	}
	return t, nil
}

// Merge puts towns with identifiers and places apart into one data set. It
// refuses two objects of a kind with one identifier.
func Merge(towns ...*Town) (*osm.Data, error) {
	all := &osm.Data{}
	for _, t := range towns {
		all.Nodes = append(all.Nodes, t.data.Nodes...)
		all.Ways = append(all.Ways, t.data.Ways...)
		all.Relations = append(all.Relations, t.data.Relations...)
	}
	slices.SortFunc(all.Nodes, func(a, b osm.Node) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(all.Ways, func(a, b osm.Way) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(all.Relations, func(a, b osm.Relation) int { return cmp.Compare(a.ID, b.ID) })
	for i := 1; i < len(all.Nodes); i++ {
		if all.Nodes[i].ID == all.Nodes[i-1].ID {
			return nil, fmt.Errorf("two towns have the node %d: set FirstID apart", all.Nodes[i].ID)
		}
	}
	for i := 1; i < len(all.Ways); i++ {
		if all.Ways[i].ID == all.Ways[i-1].ID {
			return nil, fmt.Errorf("two towns have the way %d: set FirstID apart", all.Ways[i].ID)
		}
	}
	for i := 1; i < len(all.Relations); i++ {
		if all.Relations[i].ID == all.Relations[i-1].ID {
			return nil, fmt.Errorf("two towns have the relation %d: set FirstID apart", all.Relations[i].ID)
		}
	}
	return all, nil
}

// strokes are the characters a drawing may hold besides letters and digits.
const strokes = ` -|/\+=.:<>^~*#()`

func readDrawing(drawing string) (map[rune]cellAt, []rune, error) {
	lines := strings.Split(drawing, "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	indent := -1 // tabs that every line begins with: the indentation of the Go source
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		if tabs := len(l) - len(strings.TrimLeft(l, "\t")); indent < 0 || tabs < indent {
			indent = tabs
		}
	}
	places := map[rune]cellAt{}
	var order []rune
	for row, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		for col, r := range []rune(l[indent:]) {
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				if _, repeated := places[r]; repeated {
					return nil, nil, fmt.Errorf("the drawing has %q twice", r)
				}
				places[r] = cellAt{col, row}
				order = append(order, r)
			case !strings.ContainsRune(strokes, r):
				return nil, nil, fmt.Errorf("the drawing has %q in line %d, column %d: only letters, digits and %q may stand there", r, row+1, col+1, strokes)
			}
		}
	}
	if len(order) == 0 {
		return nil, nil, fmt.Errorf("the drawing has no letter")
	}
	return places, order, nil
}

// addNodes makes an OSM node of each letter that something refers to; the
// others are only places to start from.
func (t *Town) addNodes(p *Plan, first int64) error {
	used := map[rune]osm.Tags{}
	for _, w := range p.Ways {
		for _, r := range w[0] {
			used[r] = nil
		}
	}
	for i, n := range p.Nodes {
		tags, err := parseTags(n[1], "highway")
		if err != nil {
			return fmt.Errorf("node %d %q: %w", i, n, err)
		}
		r := []rune(n[0])
		if len(r) != 1 {
			return fmt.Errorf("node %d %q: want one letter", i, n)
		}
		used[r[0]] = append(used[r[0]], tags...)
	}
	for _, r := range t.order {
		tags, ok := used[r]
		if !ok {
			continue
		}
		delete(used, r)
		f := t.grid(t.places[r]).Fix()
		t.nodes[r] = first + int64(len(t.data.Nodes))
		t.data.Nodes = append(t.data.Nodes, osm.Node{ID: t.nodes[r], Lon: f.Lon, Lat: f.Lat, Version: 1, Tags: tags})
	}
	for r := range used {
		return fmt.Errorf("a way or node names %q, which the drawing does not have", r)
	}
	return nil
}

func (t *Town) addWays(ways Ways, first int64) error {
	for i, w := range ways {
		tags, err := parseTags(w[1], "highway")
		if err != nil {
			return fmt.Errorf("way %d %q: %w", i, w, err)
		}
		if len([]rune(w[0])) < 2 {
			return fmt.Errorf("way %d %q: want two places or more", i, w)
		}
		way := osm.Way{ID: first + int64(i), Version: 1, Tags: named(tags, w[0])}
		for _, r := range w[0] {
			way.Nodes = append(way.Nodes, t.nodes[r])
		}
		t.ways = append(t.ways, line{way.ID, w[0]})
		t.data.Ways = append(t.data.Ways, way)
	}
	return nil
}

// named returns a highway or ferry without a name the name of its places and
// takes away an empty one.
func named(tags osm.Tags, places string) osm.Tags {
	if !tags.Has("name") {
		if tags.Has("highway") || tags.Get("route") == "ferry" {
			return append(tags, osm.Tag{Key: "name", Value: places})
		}
		return tags
	}
	return slices.DeleteFunc(tags, func(tag osm.Tag) bool { return tag.Key == "name" && tag.Value == "" })
}

func (t *Town) turn(turn [4]string) (osm.Relation, error) {
	tags, err := parseTags(turn[3], "restriction")
	if err != nil {
		return osm.Relation{}, err
	}
	r := osm.Relation{Version: 1, Tags: append(osm.Tags{{Key: "type", Value: "restriction"}}, tags...)}
	for i, role := range []string{"from", "via", "to"} {
		for names := range strings.FieldsSeq(turn[i]) {
			m, err := t.member(names)
			if err != nil {
				return r, err
			}
			m.Role = role
			r.Members = append(r.Members, m)
		}
	}
	return r, nil
}

func (t *Town) relation(tags, members string) (osm.Relation, error) {
	r := osm.Relation{Version: 1}
	var err error
	if r.Tags, err = parseTags(tags, ""); err != nil {
		return r, err
	}
	for _, field := range strings.Fields(members) {
		role, names, ok := strings.Cut(field, ":")
		if !ok {
			role, names = "", field
		}
		m, err := t.member(names)
		if err != nil {
			return r, err
		}
		m.Role = role
		r.Members = append(r.Members, m)
	}
	return r, nil
}

// member finds a node by one letter and a way by more.
func (t *Town) member(names string) (osm.Member, error) {
	if r := []rune(names); len(r) == 1 {
		id, ok := t.nodes[r[0]]
		if !ok {
			return osm.Member{}, fmt.Errorf("%q is no node of the town", names)
		}
		return osm.Member{Kind: osm.KindNode, Ref: id}, nil
	}
	id, err := t.wayID(names)
	return osm.Member{Kind: osm.KindWay, Ref: id}, err
}

// parseTags reads key=value pairs separated by spaces; a value may stand in
// double quotes; a word alone is the value of the key bare.
func parseTags(s, bare string) (osm.Tags, error) {
	var tags osm.Tags
	for rest := strings.TrimSpace(s); rest != ""; rest = strings.TrimSpace(rest) {
		key, value := bare, ""
		if i := strings.IndexAny(rest, "= "); i >= 0 && rest[i] == '=' {
			key, rest = rest[:i], rest[i+1:]
		}
		if after, quoted := strings.CutPrefix(rest, `"`); quoted {
			var closed bool
			if value, rest, closed = strings.Cut(after, `"`); !closed {
				return nil, fmt.Errorf("the tags %q have an open quotation mark", s)
			}
		} else {
			value, rest, _ = strings.Cut(rest, " ")
		}
		if key == "" {
			return nil, fmt.Errorf("the tags %q have a value %q without a key", s, value)
		}
		if tags.Has(key) {
			return nil, fmt.Errorf("the tags %q have %s twice", s, key)
		}
		tags = append(tags, osm.Tag{Key: key, Value: value})
	}
	return tags, nil
}

// Of makes a town without a drawing from data of other origin, for Merge.
func Of(data *osm.Data) *Town { return &Town{data: *data} }
