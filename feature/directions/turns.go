package directions

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Turn is a turn or a fork of an answer.
type Turn struct {
	At          geo.Point
	Bearing     float64 // degrees from north, arriving; negative where the answer does not say
	Instruction string
}

// told is a manoeuvre of an answer, on either face.
type told struct {
	turn  *Turn // nil where it is neither a turn nor a fork
	point int   // of the leg's line, on the native face
	end   int   // where in the answer its object ends
}

// Turns lists the manoeuvres of an answer's routes in order, with nil for those
// that are neither a turn nor a fork.
func Turns(answer []byte, r *engine.RouteRequest) ([]*Turn, error) {
	list, err := manoeuvres(answer, r)
	turns := make([]*Turn, len(list))
	for i := range list {
		turns[i] = list[i].turn
	}
	return turns, err
}

// WithEach adds a text to the manoeuvres of an answer, as listed by Turns, under
// a name; those with an empty text stay as they are.
func WithEach(answer []byte, r *engine.RouteRequest, name string, texts []string) ([]byte, error) {
	list, err := manoeuvres(answer, r)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(answer)+80*len(texts))
	from := 0
	for i, m := range list {
		if i >= len(texts) || texts[i] == "" {
			continue
		}
		out = append(out, answer[from:m.end-1]...)
		out = append(append(append(out, `,"`...), name...), `":`...)
		out = append(out, quoted(texts[i])...)
		from = m.end - 1
	}
	return append(out, answer[from:]...), nil
}

// manoeuvres finds the manoeuvres of an answer.
func manoeuvres(answer []byte, r *engine.RouteRequest) (list []told, err error) {
	if !json.Valid(answer) || answer[space(answer, 0)] != '{' {
		return nil, fault.New(fault.Upstream, "the engine's answer is not a JSON object").With("upstream_status", 200)
	}
	add := func(part []byte, at int) {
		if err != nil {
			return
		}
		var m told
		if r.Face == engine.Compatible {
			m.turn, err = stepTurn(part)
		} else {
			m.turn, m.point, err = nativeTurn(part)
		}
		m.end = at + len(part)
		list = append(list, m)
	}
	legs, each := []string{"trip.legs", "alternates.trip.legs"}, "maneuvers"
	if r.Face == engine.Compatible {
		legs, each = []string{"routes.legs"}, "steps"
	}
	for _, path := range legs {
		within(answer, 0, path, func(leg []byte, at int) {
			first := len(list)
			within(leg, at, each, add)
			if err == nil && r.Face != engine.Compatible {
				err = located(list[first:], leg, r.ShapeFormat)
			}
		})
	}
	slices.SortFunc(list, func(a, b told) int { return a.end - b.end })
	return list, err
}

// Spoken is the language that an answer's instructions are in, which need not
// be the one that was asked for; that one where the answer does not say.
func Spoken(answer []byte, r *engine.RouteRequest) string {
	path := "trip.language"
	if r.Face == engine.Compatible {
		path = "routes.voiceLocale"
	}
	tag := ""
	within(answer, 0, path, func(part []byte, _ int) {
		if tag == "" && json.Unmarshal(part, &tag) != nil {
			tag = ""
		}
	})
	return cmp.Or(tag, r.Language)
}

// within calls yield for what a path of members leads to, and where it begins;
// a list on the way stands for each of its elements.
func within(doc []byte, at int, path string, yield func(part []byte, at int)) {
	i := space(doc, 0)
	switch {
	case i < len(doc) && doc[i] == '[':
		for begin, end := range elements(doc) {
			within(doc[begin:end], at+begin, path, yield)
		}
	case path == "":
		yield(doc, at)
	case i < len(doc) && doc[i] == '{':
		name, rest, _ := strings.Cut(path, ".")
		for m := range members(doc) {
			if m.name == name {
				within(m.value(doc), at+m.start, rest, yield)
			}
		}
	}
}

// Valhalla's numbers of manoeuvres: slight, plain and sharp turns, and forks.
var turning = map[int]bool{9: true, 10: true, 11: true, 14: true, 15: true, 16: true, 22: true, 23: true, 24: true}

// nativeTurn reads a native manoeuvre, and at which point of its leg's line it
// is; located then places it.
func nativeTurn(part []byte) (*Turn, int, error) {
	var m struct {
		Type        int
		Instruction string
		Before      *float64 `json:"bearing_before"`
		Begin       int      `json:"begin_shape_index"`
	}
	if err := json.Unmarshal(part, &m); err != nil {
		return nil, 0, unlike(err)
	}
	if !turning[m.Type] {
		return nil, 0, nil
	}
	t := &Turn{Instruction: m.Instruction, Bearing: -1}
	if m.Before != nil {
		t.Bearing = *m.Before
	}
	return t, m.Begin, nil
}

// located places the turns of a leg on its line.
func located(list []told, leg []byte, format string) error {
	var line []geo.Point
	for _, m := range list {
		if m.turn == nil {
			continue
		}
		if line == nil {
			var err error
			if line, err = engine.ReadLeg(leg, format); err != nil {
				return err
			}
		}
		if m.point < 0 || m.point >= len(line) {
			return unlike(nil)
		}
		m.turn.At = line[m.point]
	}
	return nil
}

// stepTurn reads a compatible step.
func stepTurn(part []byte) (*Turn, error) {
	var s struct {
		Maneuver struct {
			Type        string
			Modifier    string
			Location    [2]float64
			Before      *float64 `json:"bearing_before"`
			Instruction string
		}
	}
	if err := json.Unmarshal(part, &s); err != nil {
		return nil, unlike(err)
	}
	m := &s.Maneuver
	switch m.Type {
	case "turn", "end of road", "continue", "fork":
		if m.Modifier == "uturn" || m.Type != "fork" && m.Modifier == "straight" {
			return nil, nil //nolint:nilnil // a manoeuvre that is no turn
		}
	default:
		return nil, nil //nolint:nilnil // a manoeuvre that is no turn
	}
	t := &Turn{At: geo.Point{Lon: m.Location[0], Lat: m.Location[1]}, Bearing: -1, Instruction: m.Instruction}
	if m.Before != nil {
		t.Bearing = *m.Before
	}
	return t, nil
}

func unlike(err error) error {
	return fault.Wrap(err, fault.Upstream, "the routing engine's answer is not a route").With("upstream_status", 200)
}
